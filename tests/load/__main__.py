"""`make load`: a room under the load of real games, and what it costs."""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import os
import platform
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.load.measure import Times, Used, flush_time, lag, summed, used
from tests.load.players import Table
from tests.load.socket_client import LeanSocket
from tests.room_client import Process, free_port

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

BEARABLE = 50.0
"""Milliseconds after which a key feels late."""

STEP = 1.2
"""By how much the rate is raised until keys feel late."""


class Run(NamedTuple):
    """What came of pressing keys for a while: times to hear them, and what the room used."""

    keys: int
    seconds: float
    times: Times
    busy: float
    late: int
    lag: Times

    def __str__(self) -> str:
        return (
            f"{self.keys / self.seconds:.0f} keys/s for {self.seconds:.0f} s: heard after "
            f"{self.times}\n"
            f"  processor of the room {self.busy / self.seconds:.2f}, "
            f"{1e6 * self.busy / self.keys:.0f} µs a key; late keys {self.late}; "
            f"the generator's own lag {self.lag}"
        )


class House:
    """A room in a process of its own, with tables at which two people play."""

    def __init__(self, process: Process, tables: Sequence[Table]) -> None:
        self.process = process
        self.tables = tables

    @property
    def used(self) -> Used:
        return used(self.process.pid)

    async def play(self, every: float, seconds: float, *, collect: bool = False) -> Run:
        """A key at each table each so many seconds, evenly spread."""
        gc.collect()
        gc.freeze()
        for table in self.tables:
            table.forget()
        first = time.perf_counter() + 1
        until = first + seconds
        before = self.used
        if collect:
            loop = asyncio.get_running_loop()
            loop.call_later(1 + seconds / 2, self.process.signal, signal.SIGUSR1)
        late, *_ = await asyncio.gather(
            lag(until),
            *(
                table.play(every, first + every * number / len(self.tables), until)
                for number, table in enumerate(self.tables)
            ),
        )
        await asyncio.sleep(0.5)
        times = [one for table in self.tables for one in table.times]
        return Run(
            len(times) // 2,
            seconds,
            summed(times),
            self.used.seconds - before.seconds,
            sum(table.late for table in self.tables),
            late,
        )


@asynccontextmanager
async def house(many: int, folder: Path, wait: float = 5.0) -> AsyncIterator[House]:
    """A room whose tables are all in the midst of a game; prints what they cost while they wait."""
    process = Process(folder, *LIMITS, module="tests.load.room")
    await process.start()
    try:
        empty = used(process.pid)
        tables = [Table(number) for number in range(many)]
        for at in range(0, many, BATCH):
            await asyncio.gather(
                *(
                    table.begin("127.0.0.1", process.port, f"127.0.0.{2 + n % LOOPBACK}")
                    for n, table in enumerate(tables[at : at + BATCH], at)
                )
            )
        await asyncio.sleep(wait / 2)
        full = used(process.pid)
        await asyncio.sleep(wait)
        idle = used(process.pid)
        print(
            f"{many} tables with {2 * many} players wait: "
            f"{(full.memory - empty.memory) / many / 1024:.0f} KiB a table with its two, "
            f"processor {(idle.seconds - full.seconds) / wait:.3f}"
        )
        yield House(process, tables)
    finally:
        for table in tables:
            table.close()
        process.kill()


async def full_house(given: argparse.Namespace, folder: Path) -> None:
    """The load of a full house, and how much more it bears."""
    every, seconds = given.every, given.seconds
    async with house(given.tables, folder, min(seconds, 5)) as room:
        run = await room.play(every, seconds, collect=True)
        print(run)
        print(f"  amid them a {await room.process.says('collection')}")
        borne = 0.0
        while run.times.nearly_all < BEARABLE:
            borne = run.keys / run.seconds
            if given.every / every >= given.times:
                break
            every /= STEP
            run = await room.play(every, min(seconds, 15))
            print(run)
        print(f"highest rate heard within {BEARABLE:.0f} ms (99.9 %): {borne:.0f} keys/s")
        room.process.signal(signal.SIGUSR2)
        print(f"a {await room.process.says('collection of all')}")


async def beside_echo(given: argparse.Namespace) -> None:
    """The room beside a bare echo, in turns, with the journal in memory."""
    sockets, rate, seconds = given.sockets, given.rate, min(given.seconds, 15.0)
    memory = Path("/dev/shm")
    ratios = []
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        async with (
            house(sockets // 2, Path(name), min(seconds, 5)) as room,
            echo(sockets) as (pid, lines),
        ):
            for _ in range(given.rounds):
                times, cost = await echoed(pid, lines, rate, seconds)
                run = await room.play(sockets / 2 / rate, seconds)
                print(f"echo: {times}; {1e6 * cost:.0f} µs a key\n{run}")
                dearer = run.busy / run.keys / cost if cost else math.inf  # too short to count
                ratios.append((run.times.most / times.most, dearer))
    slower, dearer = zip(*ratios, strict=True)
    print(
        f"medians of {given.rounds} rounds: 99 % after {statistics.median(slower):.1f} times as "
        f"long ({min(slower):.1f} to {max(slower):.1f}), processor for a key "
        f"{statistics.median(dearer):.1f} times ({min(dearer):.1f} to {max(dearer):.1f})"
    )


@asynccontextmanager
async def echo(sockets: int) -> AsyncIterator[tuple[int, Sequence[Echoed]]]:
    """A bare echo in a process of its own, and lines to it."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.echo", str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        await asyncio.to_thread(process.stdout.readline)
        lines = [Echoed() for _ in range(sockets)]
        for number, line in enumerate(lines):
            await line.connect(port, f"127.0.0.{2 + number % LOOPBACK}")
        yield process.pid, lines
    finally:
        process.kill()
        process.communicate()


class Echoed:
    """A line to the echo."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._sent = 0.0
        self._line: LeanSocket | None = None

    async def connect(self, port: int, local: str) -> None:
        self._line = await LeanSocket.connect("127.0.0.1", port, "/socket", self._back, local)

    async def play(self, every: float, first: float, until: float) -> None:
        at = first
        while at < until:
            await asyncio.sleep(at - time.perf_counter())
            self._sent = time.perf_counter()
            assert self._line is not None
            self._line.send({"do": "key", "key": "enter", "id": 5})
            at += every

    def _back(self, payload: bytes) -> None:
        self.times.append(time.perf_counter() - self._sent)


async def echoed(
    pid: int, lines: Sequence[Echoed], rate: float, seconds: float
) -> tuple[Times, float]:
    """How long the echo takes, and its processor seconds for a key."""
    for line in lines:
        line.times.clear()
    first = time.perf_counter() + 1
    before = used(pid)
    every = len(lines) / rate
    await asyncio.gather(
        *(line.play(every, first + n / rate, first + seconds) for n, line in enumerate(lines))
    )
    await asyncio.sleep(0.5)
    times = [one for line in lines for one in line.times]
    return summed(times), (used(pid).seconds - before.seconds) / len(times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=10 * PUBLISHED)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between a table's keys")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--times", type=float, default=8.0, help="raise the rate up to so much")
    parser.add_argument("--sockets", type=int, default=1000, help="beside the echo")
    parser.add_argument("--rate", type=float, default=1000.0, help="keys a second beside the echo")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where the journals are kept")
    parser.add_argument("--only", choices=("house", "echo"))
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(f"{os.cpu_count()} processors, {platform.machine()}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        print(f"the disk flushes in {flush_time(folder):.2f} ms")
        if given.only != "echo":
            asyncio.run(full_house(given, folder))
    if given.only != "house":
        asyncio.run(beside_echo(given))


if __name__ == "__main__":
    main()
