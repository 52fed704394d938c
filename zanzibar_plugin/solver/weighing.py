"""What a player on the go may do now, and what each of it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zanzibar_plugin.dice import Faces, without
from zanzibar_plugin.engine import may_announce, must_throw
from zanzibar_plugin.solver.chances import keepable
from zanzibar_plugin.solver.goes import KEPT, PLACE, Floats, Goes, goes
from zanzibar_plugin.state import Go, State

_ROW = {kept: row for row, kept in enumerate(KEPT)}
_ALIKE = 1e-12
"""Chances that differ by less are equal: the choice that throws fewer dice is then the better."""


class Ending(NamedTuple):
    """What each of the 56 final dice brings: the three are chances (56).

    `win` is that of the game, `turn` to be the strongest of the turn, `safe` not to be the weakest.
    """

    win: Floats
    turn: Floats
    safe: Floats


class Choice(NamedTuple):
    """Something a player may do, and his chances if he goes on with the best he can do.

    With `stop` he accepts his dice; otherwise he throws `again`, before his first throw all dice,
    and with `last` announces that as his last throw.  `win` is the chance not to lose the game, or
    to win it where it has a winner only; `turn` that to be the strongest of the turn, and `safe`
    not to be the weakest.
    """

    stop: bool
    again: Faces
    last: bool
    win: float
    turn: float
    safe: float


def weigh(state: State, endings: Sequence[Ending]) -> tuple[Choice, ...]:
    """All that the player on may do, the best first.

    `endings` has what his final dice are worth after 1, 2, 3 throws, up to the limit of his go.
    """
    go = state.go
    assert go is not None
    tables = goes(state.setting.rules.lock_kept)
    exact, chooses = must_throw(state), may_announce(state, go)
    final = [np.stack(ending)[:, tables.shows] for ending in endings]
    plain, ends = _hopes(go, tables, final, exact, chooses)
    choices = []
    if go.dice and not exact:
        now = np.stack(endings[go.throws - 1])[:, PLACE[go.dice]]
        choices.append(_choice(True, (), False, now))
    # With one throw left there is nothing to announce.
    both = chooses and go.throws + 1 < go.limit
    for kept in keepable(go.dice, go.locked)[1:] if go.dice else ((),):
        again = without(go.dice, kept)
        row = _ROW[kept]
        choices.append(_choice(False, again, go.last, (ends if go.last else plain)[:, row]))
        if both:
            choices.append(_choice(False, again, True, ends[:, row]))
    return tuple(sorted(choices, key=_rank))


def _rank(choice: Choice) -> tuple[float, int]:
    thrown = 0 if choice.stop else len(choice.again)
    return -round(choice.win / _ALIKE), thrown


def _choice(stop: bool, again: Faces, last: bool, chances: Floats) -> Choice:
    win, turn, safe = (min(1.0, max(0.0, float(chance))) for chance in chances)
    return Choice(stop, again, last, win, turn, safe)


def _hopes(
    go: Go, tables: Goes, final: list[Floats], exact: bool, chooses: bool
) -> tuple[Floats, Floats]:
    """The three chances (3, 28) of each set to keep now: going on as one likes, and to end then."""
    ends = final[min(go.throws, len(final) - 1)] @ tables.odds.T
    if go.last or go.throws + 1 >= go.limit:
        return ends, ends
    later = final[go.limit - 1]
    for used in range(go.limit - 1, go.throws, -1):
        hopes = later @ tables.odds.T
        if chooses:
            # Whoever still may announce ends after the next throw where that is better.
            early = final[used] @ tables.odds.T
            hopes = np.where(early[0] >= hopes[0], early, hopes)
        options = tables.options[np.arange(len(tables.shows)), hopes[0][tables.options].argmax(1)]
        best = hopes[:, options]
        stop = final[used - 1]
        later = best if exact else np.where(stop[0] >= best[0], stop, best)
    return later @ tables.odds.T, ends
