"""Players of a load run: tables of two who play a real game, a key at a time."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable

import orjson

from tests.load.socket_client import LeanSocket

TOKENS = 99
"""The longest game, so that none ends during a run."""


class Player:
    """Somebody at a table, with what he has heard, and when."""

    def __init__(self, name: str, number: int) -> None:
        self.name = f"{name} {number}"
        self.secret = f"{self.name} keeps this for the run, and no longer."
        self.line: LeanSocket | None = None
        self.on_go = ""
        self.at = ""
        self.listener: Callable[[float], None] | None = None
        self._answers: dict[int, asyncio.Future[str]] = {}
        self._numbers = itertools.count(1)

    async def connect(self, host: str, port: int, local: str) -> None:
        self.line = await LeanSocket.connect(host, port, "/socket", self._received, local)
        await self.ask("hello", name=self.name, secret=self.secret, lang="en")

    async def ask(self, do: str, **with_: object) -> None:
        """Ask for something that must be done."""
        number = next(self._numbers)
        done = asyncio.get_running_loop().create_future()
        self._answers[number] = done
        assert self.line is not None
        self.line.send({"do": do, "id": number, **with_})
        problem = await asyncio.wait_for(done, 120)
        if problem:
            raise RuntimeError(f"{self.name}: {do} is refused: {problem}")

    def press(self, key: str) -> None:
        """A key, whose answer nobody waits for."""
        assert self.line is not None
        self.line.send({"do": "key", "key": key, "id": next(self._numbers)})

    def _received(self, payload: bytes) -> None:
        now = time.perf_counter()
        for message in orjson.loads(payload):
            if "heard" in message:
                if self.listener is not None:
                    self.listener(now)
            elif "table" in message:
                self.on_go = (message["table"]["play"] or {}).get("on_go") or ""
            elif "at" in message:
                self.at = message["at"]
            elif "done" in message or "refused" in message:
                answer = self._answers.pop(message.get("done", message.get("id")), None)
                if answer is not None:
                    answer.set_result(message.get("refused", ""))


class Table:
    """Two players at a table; `times` has the seconds from each key to each of its listeners."""

    def __init__(self, number: int) -> None:
        self.players = (Player("Ana", number), Player("Bruno", number))
        self.times: list[float] = []
        self._pressed = 0.0
        self._unheard = 0
        self.late = 0
        for player in self.players:
            player.listener = self._heard

    async def begin(self, host: str, port: int, local: str) -> None:
        ana, bruno = self.players
        await ana.connect(host, port, local)
        await bruno.connect(host, port, local)
        await ana.ask("open", game="421")
        await ana.ask("choose", option="tokens", value=TOKENS)
        await bruno.ask("come", table=ana.at)
        await ana.ask("begin")

    async def play(self, every: float, first: float, until: float) -> None:
        """Press a key each so many seconds, whoever's go it is, from `first` to `until`."""
        at = first
        while at < until:
            await asyncio.sleep(at - time.perf_counter())
            self.press()
            at += every

    def press(self) -> None:
        """One key of the one whose go it is; counted as late if the one before is still unheard."""
        if self._unheard:
            self.late += 1
            return
        on_go = self.players[0].on_go
        player = next((one for one in self.players if one.name == on_go), None)
        self._unheard = len(self.players)
        self._pressed = time.perf_counter()
        if player is None:
            self.players[0].press("s")  # the round is just being settled
        else:
            player.press("enter")

    def _heard(self, now: float) -> None:
        if self._unheard:
            self._unheard -= 1
            self.times.append(now - self._pressed)

    def forget(self) -> None:
        """Begin to measure anew."""
        self.times.clear()
        self.late = self._unheard = 0

    def close(self) -> None:
        for player in self.players:
            if player.line is not None:
                player.line.close()
