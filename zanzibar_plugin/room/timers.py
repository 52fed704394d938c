"""Timers by name: each starts something once, and setting one anew forgets the one before."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

_log = logging.getLogger(__name__)

Act = Callable[[], Coroutine[Any, Any, None]]


class _Timer(NamedTuple):
    """What is started when; `alarm` goes off then, or before."""

    when: float
    act: Act
    alarm: asyncio.TimerHandle


class Timers:
    """The timers of one owner, whose name stands in the log if something started fails.

    Most are put off, key by key, and never go off.  So an alarm that is early enough is left as it
    is, and is set anew only when it goes off before its time.
    """

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._waiting: dict[str, _Timer] = {}
        self._running: set[asyncio.Task[None]] = set()

    def set(self, name: str, seconds: float, act: Act) -> None:
        """Start `act` in so many seconds."""
        loop = asyncio.get_running_loop()
        when = loop.time() + seconds
        before = self._waiting.get(name)
        if before is not None and before.alarm.when() <= when:
            self._waiting[name] = _Timer(when, act, before.alarm)
            return
        self.cancel(name)
        self._waiting[name] = _Timer(when, act, loop.call_at(when, self._alarm, name))

    def cancel(self, name: str) -> None:
        """Forget a timer; what it has started already goes on."""
        timer = self._waiting.pop(name, None)
        if timer is not None:
            timer.alarm.cancel()

    def names(self) -> tuple[str, ...]:
        """The timers that have not gone off yet."""
        return tuple(self._waiting)

    def _alarm(self, name: str) -> None:
        timer = self._waiting.pop(name)
        loop = asyncio.get_running_loop()
        if timer.when > timer.alarm.when():
            alarm = loop.call_at(timer.when, self._alarm, name)
            self._waiting[name] = timer._replace(alarm=alarm)
            return
        task = loop.create_task(timer.act())
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("%s", self._owner, exc_info=task.exception())
