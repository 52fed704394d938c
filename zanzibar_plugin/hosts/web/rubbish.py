"""When Python looks for garbage in a room of thousands.

A full collection looks at every object there is, and nobody hears anything meanwhile: in a full
room that is long.  Nearly everything here goes without it, as soon as nobody refers to it any more.
So what a full collection has found to be in use is set aside, and the next ones look only at what
is newer; once in a long while one looks at all.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

WHOLE = 3600.0
"""Seconds after which a full collection looks again at what was set aside."""


THRESHOLDS = (10_000, 3, 3)
"""New objects, less those that have gone, after which the youngest are looked at (Python's own 700
would keep a busy room doing little else), and how often that is done until older ones are looked
at, and then all.  So a full collection comes after some 100,000 objects, and takes their time.
"""


class Rubbish:
    """Sets aside what is in use, after each full collection; `watch` begins with it."""

    def __init__(self) -> None:
        self._whole = time.monotonic()
        self._usual = gc.get_threshold()

    def watch(self) -> None:
        """Begin; whatever there is by now is looked at once."""
        gc.callbacks.append(self._collecting)
        gc.set_threshold(*THRESHOLDS)
        gc.collect()

    def leave(self) -> None:
        """Have Python collect as usual again."""
        if self._collecting in gc.callbacks:
            gc.callbacks.remove(self._collecting)
        gc.set_threshold(*self._usual)
        gc.unfreeze()

    def _collecting(self, phase: str, about: Mapping[str, Any]) -> None:
        if about["generation"] != 2:
            return
        if phase == "stop":
            gc.freeze()
        elif time.monotonic() - self._whole > WHOLE:
            self._whole = time.monotonic()
            gc.unfreeze()
