"""Delivers what lines have to send: one round for all that wait, and nobody is waited for.

Waking a task for each line would cost more than most of what is sent.  A line that is clear takes a
short frame at once; only one that is not gets the patience of a task of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

AT_ONCE = 200
"""Lines served before others have their turn: a new list of tables is for thousands."""


class Line(Protocol):
    """A line with something to send."""

    async def deliver(self) -> None:
        """Send what waits, at once; must neither wait nor fail."""


class Postman:
    """The deliverer of all lines of a room; `start` and `stop` him with it."""

    def __init__(self) -> None:
        self.served: Callable[[int], None] = lambda lines: None
        """Called after a round, with the number of lines."""
        self._waiting: dict[Line, None] = {}
        self._called: asyncio.Future[None] | None = None
        self._round: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._round = asyncio.get_running_loop().create_task(self._go_round())

    def stop(self) -> None:
        if self._round is not None:
            self._round.cancel()

    def call(self, line: Line) -> None:
        """A line has something to send."""
        self._waiting[line] = None
        if self._called is not None and not self._called.done():
            self._called.set_result(None)

    async def _go_round(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while self._waiting:
                waiting, self._waiting = self._waiting, {}
                for number, line in enumerate(waiting, 1):
                    await line.deliver()
                    if number % AT_ONCE == 0:
                        await asyncio.sleep(0)
                lines = len(waiting)
                del waiting
                self.served(lines)
            self._called = loop.create_future()
            await self._called
