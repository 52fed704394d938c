"""What is in use is set aside, what is garbage still goes, and Python is left as it was."""

import gc
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
    usual = gc.get_threshold()
    watching = Rubbish()
    watching.watch()
    try:
        assert gc.get_freeze_count() > 1000
        kept, seen = ring()
        lost, gone = ring()
        del lost
        gc.collect()
        assert gone() is None and seen() is kept
        # From now on it is set aside: only a look at all there is finds it.
        del kept
        gc.collect()
        assert seen() is not None
        monkeypatch.setattr(rubbish, "WHOLE", 0.0)
        gc.collect()
        assert seen() is None
    finally:
        watching.leave()
    assert gc.get_threshold() == usual and gc.get_freeze_count() == 0
