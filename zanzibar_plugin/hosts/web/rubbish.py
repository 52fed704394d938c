"""When Python looks for garbage in a room of thousands.

A full collection looks at every object there is, and nobody hears anything meanwhile: in a full
room that is long.  Nearly everything here goes without it, as soon as nobody refers to it any more.
So what is new is looked at after each little while of work, and what is found to be in use is set
aside.  All there is is looked at again only when it has become twice as much.
"""

from __future__ import annotations

import gc
import sys

WORK = 100
"""Lines served between two collections of what is new: some thousand objects."""

LEAST = 8_000_000
"""Blocks of memory that are not worth looking through again."""


class Rubbish:
    """The collector of a process; from `start` to `stop` Python does not collect by itself."""

    def __init__(self) -> None:
        self._worked = 0
        self._whole = 0

    def start(self) -> None:
        """Begin; whatever there is by now is looked at once."""
        gc.disable()
        self.collect_all()

    def stop(self) -> None:
        """Have Python collect as usual again."""
        gc.unfreeze()
        gc.enable()

    def worked(self, lines: int) -> None:
        """So many lines have been served, and nothing is in hand just now."""
        self._worked += lines
        if self._worked >= WORK:
            self._worked = 0
            self.collect_new()

    def collect_new(self) -> None:
        """Look at what is new; at all there is, if that has become twice as much."""
        # Blocks are counted at once; to count what is set aside takes as long as to look at it.
        if sys.getallocatedblocks() > max(LEAST, 2 * self._whole):
            self.collect_all()
        else:
            gc.collect()
            gc.freeze()

    def collect_all(self) -> None:
        """Look at all there is."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._whole = sys.getallocatedblocks()
