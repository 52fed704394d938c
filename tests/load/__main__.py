"""`make load`: a room under the load of real games, and what it costs."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.load.players import Table
from tests.room_client import Process

PUBLISHED = 338
"""Tables of the biggest such platform at its busiest, as published; with twice as many players."""

LIMITS = (
    "connections=100000",
    "connections_per_address=100000",
    "tables=100000",
    "tables_per_minute=10000000",
    "messages_per_second=1000",
    "grace=3600",
    "remind=3600",
    "idle=3600",
    "go=36000",
)
BATCH = 50
LOOPBACK = 20
"""Local addresses the players come from: one address alone has too few ports."""


def percentile(times: list[float], part: float) -> float:
    """The time, in ms, that this part of all did not exceed."""
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))]


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


async def lag(until: float) -> list[float]:
    """How late the generator itself is: what it sleeps beyond 10 ms, again and again."""
    late = []
    while time.perf_counter() < until:
        begun = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(time.perf_counter() - begun - 0.01)
    return late


def used(pid: int) -> tuple[float, int]:
    """Seconds of processor time and bytes of memory of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(") ")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")


async def run(tables: int, every: float, seconds: float, folder: Path) -> None:
    process = Process(folder, *LIMITS)
    await process.start()
    pid = process._process.pid
    try:
        _, empty = used(pid)
        times: list[float] = []
        halls = [Table(number, times) for number in range(tables)]
        begun = time.perf_counter()
        for at in range(0, tables, BATCH):
            await asyncio.gather(
                *(
                    table.begin("127.0.0.1", process.port, f"127.0.0.{2 + n % LOOPBACK}")
                    for n, table in enumerate(halls[at : at + BATCH], at)
                )
            )
        print(f"{tables} tables begun in {time.perf_counter() - begun:.0f} s")
        await asyncio.sleep(2)
        _, full = used(pid)
        print(f"memory: {(full - empty) / tables / 1024:.0f} KiB a table with its two players")
        busy, _ = used(pid)
        await asyncio.sleep(5)
        idle, _ = used(pid)
        print(f"processor of all tables waiting: {(idle - busy) / 5:.3f}")
        gc.collect()
        gc.freeze()
        first = time.perf_counter() + 1
        until = first + seconds
        before, _ = used(pid)
        late, *_ = await asyncio.gather(
            lag(until),
            *(
                table.play(every, first + every * n / tables, until)
                for n, table in enumerate(halls)
            ),
        )
        after, _ = used(pid)
        keys = len(times) // 2
        print(
            f"{keys / seconds:.0f} keys/s for {seconds:.0f} s: heard after "
            f"{percentile(times, 0.5):.2f} ms (median), {percentile(times, 0.99):.2f} ms (99 %), "
            f"{percentile(times, 0.999):.2f} ms (99.9 %), {1000 * max(times):.1f} ms (longest)"
        )
        print(
            f"processor of the room: {(after - before) / seconds:.2f}, "
            f"{1e6 * (after - before) / keys:.0f} µs a key"
        )
        print(
            f"late keys: {sum(table.late for table in halls)}; the generator's own lag: "
            f"{percentile(late, 0.5):.2f} ms (median), {percentile(late, 0.99):.2f} ms (99 %)"
        )
        for table in halls:
            table.close()
    finally:
        process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=10 * PUBLISHED)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between a table's keys")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--folder", type=Path, help="where the journals are kept")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(
        subprocess.run(["nproc"], capture_output=True, text=True).stdout.strip(),
        "cores,",
        sys.version.split()[0],
    )
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        print(f"the disk flushes in {flush_time(folder):.2f} ms")
        asyncio.run(run(given.tables, given.every, given.seconds, folder))


if __name__ == "__main__":
    main()
