"""The room under load: the usual one, which also collects garbage when it is told to.

`python -m tests.load.room …` is `zanzibar …`.  After SIGUSR1 it makes a full collection, as Python
itself does now and then; after SIGUSR2 one that also looks at what the room has set aside.  It says
how long each took.
"""

from __future__ import annotations

import gc
import signal
import time

from zanzibar_plugin.cli import main


def _collect(number: int, _: object) -> None:
    whole = number == signal.SIGUSR2
    begun = time.perf_counter()
    if whole:
        gc.unfreeze()
    gc.collect()
    kind = "collection of all there is" if whole else "full collection"
    print(f"{kind}: {1000 * (time.perf_counter() - begun):.0f} ms", flush=True)


if __name__ == "__main__":
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, _collect)
    main()
