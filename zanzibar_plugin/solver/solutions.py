"""All that has been solved for one game, and what advice for a moment of it rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.rules import Ends, Leave, Rules
from zanzibar_plugin.solver import facing, facing_two
from zanzibar_plugin.solver.duel import Duel, solved
from zanzibar_plugin.solver.estimate import Estimate
from zanzibar_plugin.solver.facing_two import Three
from zanzibar_plugin.solver.refusal import not_solved
from zanzibar_plugin.solver.rounds import Position, start_of
from zanzibar_plugin.solver.trio import Trio
from zanzibar_plugin.solver.trio import solved as trio_solved
from zanzibar_plugin.solver.weighing import Ending
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Text


@dataclass(frozen=True, slots=True)
class Solutions:
    """The solution of the game of two, or of what two, or three, who are left play.

    None: there is none.  `refused` says why the whole game is not solved; `estimate` is for all the
    rest.
    """

    estimate: Estimate
    duel: Duel | None
    three: Three | None
    refused: Text | None

    def endings(self, state: State) -> tuple[tuple[Ending, ...], str]:
        """What the final dice of whoever is on are worth, for each number of throws he may use.

        Also what that rests on, as a word.
        """
        assert state.go is not None
        if state.turn.about == "start":
            return self._start(state)
        in_it = len(state.setting.players) - len(state.standing.places)
        if in_it == 2 and self.duel is not None:
            found = facing.endings(self.duel, state)
            if found is not None:
                return found, self._exact(state)
        if in_it == 3 and self.three is not None:
            found = facing_two.endings(self.three, state)
            if found is not None:
                return found, "equilibrium"
        return self.estimate.endings(state), "estimate"

    def _exact(self, state: State) -> str:
        return "exact" if state.setting.rules.lost_sets == 1 else "set"

    def _start(self, state: State) -> tuple[tuple[Ending, ...], str]:
        """While it is thrown who starts nothing can be chosen: there is one chance."""
        assert state.go is not None
        if len(state.setting.players) == 2 and self.duel is not None:
            chance, grounds = facing.start_chance(self.duel, state.turn.results), self._exact(state)
        else:
            chance, grounds = self.estimate.start_chance(state, state.go.player), "estimate"
        even = np.full(len(COMBINATIONS), chance)
        return (Ending(even, even, even),), grounds


def solutions(
    rules: Rules,
    players: int,
    folder: Path | None,
    progress: Callable[[float], None] | None,
    with_three: bool,
) -> Solutions:
    """All that can be solved of a game by these rules for so many players."""
    refused = not_solved(rules, players)
    # A set is played for its own sake: whoever loses fewer of them wins.
    single = replace(rules, lost_sets=1)
    starts = (start_of(rules, 2),) if players == 2 else last_two(rules, players)
    found = None
    if starts:
        found = solved(single, starts[0], also=starts[1:], folder=folder, progress=progress)
    duel = found if isinstance(found, Duel) else None
    if refused is None and isinstance(found, Text):
        refused = found
    three = None
    if with_three and players > 2 and duel is not None:
        total = sum(duel.positions[0].tokens)
        trio = trio_solved(single, total, duel, folder=folder, progress=progress)
        three = Three(trio, duel) if isinstance(trio, Trio) else None
    return Solutions(Estimate(rules, players), duel, three, refused)


def last_two(rules: Rules, players: int) -> tuple[Position, ...]:
    """All positions of the last two of a game of more; none if it is not played so far."""
    phase = rules.phases[-1]
    pot, each = rules.supply.start(players)
    total = pot + each * players
    if total < 2 or phase.ends is not Ends.ONE_HOLDER or phase.leave is Leave.NEVER:
        return ()
    last = len(rules.phases) - 1
    return tuple(Position(last, 0, 0, (held, total - held)) for held in range(1, total))
