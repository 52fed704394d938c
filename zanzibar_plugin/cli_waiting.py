"""What is said to somebody who waits for a computation: one line now and then, on stderr.

A line is heard once.  A bar that is drawn again and again would be read again and again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.percent import percent
from zanzibar_plugin.text import text

FIRST = 1.0
"""Seconds before anything is said."""

EVERY = 10.0
"""Seconds between two lines."""


def waiting(catalog: Catalog) -> Callable[[float], None]:
    """To be called with how much is done, from 0 to 1; it is silent where nobody listens."""
    due = time.monotonic() + FIRST

    def tell(done: float) -> None:
        nonlocal due
        if time.monotonic() < due or not sys.stderr.isatty():
            return
        due = time.monotonic() + EVERY
        said = text("Working it out: {percent}.", percent=percent(done, catalog.locale))
        print(catalog.say(said), file=sys.stderr, flush=True)

    return tell
