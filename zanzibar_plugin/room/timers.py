"""Timers by name: each starts something once, and setting one anew forgets the one before."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

_log = logging.getLogger(__name__)


class Timers:
    """The timers of one owner, whose name stands in the log if something started fails."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._running: set[asyncio.Task[None]] = set()

    def set(self, name: str, seconds: float, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start `act` in so many seconds."""
        self.cancel(name)
        loop = asyncio.get_running_loop()
        self._waiting[name] = loop.call_later(seconds, self._start, name, act)

    def cancel(self, name: str) -> None:
        """Forget a timer; what it has started already goes on."""
        timer = self._waiting.pop(name, None)
        if timer is not None:
            timer.cancel()

    def names(self) -> tuple[str, ...]:
        """The timers that have not gone off yet."""
        return tuple(self._waiting)

    def _start(self, name: str, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._waiting.pop(name, None)
        task = asyncio.get_running_loop().create_task(act())
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("%s", self._owner, exc_info=task.exception())
