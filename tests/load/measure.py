"""What is measured of a process, and how times are summed up."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Used(NamedTuple):
    """Seconds of processor time, and bytes of memory."""

    seconds: float
    memory: int


class Times(NamedTuple):
    """Of many times, in ms: what half, 99 % and 99.9 % of them did not exceed, and the longest."""

    half: float
    most: float
    nearly_all: float
    longest: float

    def __str__(self) -> str:
        return (
            f"{self.half:.2f} ms (median), {self.most:.2f} ms (99 %), "
            f"{self.nearly_all:.2f} ms (99.9 %), {self.longest:.1f} ms (longest)"
        )


def summed(seconds: Sequence[float]) -> Times:
    """Times in seconds, summed up in ms."""
    ordered = sorted(seconds)
    places = (int(part * len(ordered)) for part in (0.5, 0.99, 0.999))
    shown = [1000 * ordered[min(place, len(ordered) - 1)] for place in places]
    return Times(*shown, 1000 * ordered[-1])


def used(pid: int) -> Used:
    """What a process has used so far."""
    process = Path(f"/proc/{pid}")
    # To the nanosecond, where the kernel counts so; else in hundredths of a second.
    threads = [one.read_text("ascii").split() for one in process.glob("task/*/schedstat")]
    pages = int((process / "statm").read_text("ascii").split()[1])
    seconds = sum(int(one[0]) for one in threads) / 1e9
    if not threads:
        fields = (process / "stat").read_text("ascii").rpartition(") ")[2].split()
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return Used(seconds, pages * os.sysconf("SC_PAGE_SIZE"))


def flush_time(folder: Path) -> float:
    """The median time, in ms, in which the disk flushes a small write."""
    times = []
    with (folder / "flush").open("wb") as file:
        for _ in range(50):
            file.write(b"x" * 512)
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    return 1000 * statistics.median(times)


async def lag(until: float) -> Times:
    """How late this process is itself: what it sleeps beyond 10 ms, again and again."""
    late = []
    while time.perf_counter() < until:
        begun = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(time.perf_counter() - begun - 0.01)
    return summed(late)
