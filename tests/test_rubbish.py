"""What is in use is set aside, what is garbage still goes, and Python is left as it was."""

import gc
import sys
import weakref

from zanzibar_plugin.hosts.web import rubbish
from zanzibar_plugin.hosts.web.rubbish import Rubbish


class Thing:
    pass


def ring():
    """Two things that refer to each other, and a way to see whether they are still there."""
    one, other = Thing(), Thing()
    one.other, other.other = other, one
    return one, weakref.ref(one)


def test_garbage_goes_and_what_is_in_use_is_set_aside(monkeypatch):
    collector = Rubbish()
    collector.start()
    try:
        assert not gc.isenabled() and gc.get_freeze_count() > 1000
        kept, seen = ring()
        lost, gone = ring()
        del lost
        collector.worked(rubbish.WORK - 1)
        assert gone() is not None
        collector.worked(1)
        assert gone() is None and seen() is kept
        # From now on it is set aside: only a look at all there is finds it.
        del kept
        collector.worked(rubbish.WORK)
        assert seen() is not None
        monkeypatch.setattr(rubbish, "LEAST", 0)
        more = [[] for _ in range(3 * sys.getallocatedblocks())]
        collector.worked(rubbish.WORK)
        assert seen() is None and more
    finally:
        collector.stop()
    assert gc.isenabled() and gc.get_freeze_count() == 0
