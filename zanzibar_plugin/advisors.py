"""Advisors for the games that are played just now, made ready beside them.

To solve a game takes from half a second to a minute, and nobody is kept waiting for it: until it is
solved, advice rests on an estimate.  What has been solved is kept on disk for the next time.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from queue import SimpleQueue
from threading import Event, Lock, Thread

from zanzibar_plugin.recent import Recent
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver.advisor import Advice, Advisor, available, estimating, make_advisor
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Text

_log = logging.getLogger(__name__)

KEPT = 16
"""Games that are remembered: by the same rules, with the same number of players."""


class _Game:
    """A game that is solved, or will be; `advisor` is the best there is so far."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.advisor = estimating(rules, players)
        self.solved = Event()
        self._rules = rules
        self._players = players

    def solve(self) -> None:
        try:
            self.advisor = estimating(self._rules, self._players, tables=True)
            if self._players > 2:
                # What the last two play is known soon; the last phase of three takes a minute.
                self._know(make_advisor(self._rules, self._players, three=False))
            self._know(make_advisor(self._rules, self._players))
        except Exception:
            # The estimate is still there, and a bot always has a key.
            _log.exception("a game cannot be solved")
        finally:
            self.solved.set()

    def _know(self, found: Advisor | Text) -> None:
        if isinstance(found, Advisor):
            self.advisor = found


class Advisors:
    """Gives advice for any table; games are solved one after the other, in a thread."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[str, int], _Game] = OrderedDict()
        self._lock = Lock()
        self._unsolved: SimpleQueue[_Game] = SimpleQueue()
        self._solver: Thread | None = None

    def prepare(self, state: State) -> None:
        """Have a game solved, if it can be, for when advice is asked for."""
        if available():
            self._game(state)

    def advise(self, state: State, player: str) -> Advice | None:
        """What whoever is on may do; None if he is not on, or without numpy."""
        return self._game(state).advisor.advise(state, player) if available() else None

    def wait(self, state: State, seconds: float | None = None) -> None:
        """Wait until a game is solved, or cannot be; if seconds are given, no longer than these."""
        if available():
            self._game(state).solved.wait(seconds)

    def _game(self, state: State) -> _Game:
        rules, players = state.setting.rules, len(state.setting.players)
        key = (_NAMES.of(rules), players)
        with self._lock:
            game = self._games.get(key)
            if game is not None:
                self._games.move_to_end(key)
                return game
            game = self._games[key] = _Game(rules, players)
            if len(self._games) > KEPT:
                self._games.popitem(last=False)
            self._unsolved.put(game)
            if self._solver is None:
                # A daemon: nobody who leaves waits for what is not solved yet.
                self._solver = Thread(target=self._solve, name="solver", daemon=True)
                self._solver.start()
            return game

    def _solve(self) -> None:
        while True:
            self._unsolved.get().solve()


def _name(rules: Rules, _: Hashable) -> str:
    """What tells rules apart that are played differently."""
    return repr(replace(rules, id="", options={}, advice=False))


_NAMES: Recent[Rules, str] = Recent(_name)
