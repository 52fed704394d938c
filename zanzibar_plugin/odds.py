"""The odds of a game: of each combination, of the game itself, and what had best be kept.

The chances of combinations need nothing but Python; all else needs numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zanzibar_plugin.dice import COMBINATIONS, DICE, Faces
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.situation import ME, Described, Held, beginning, last_phase, state_of
from zanzibar_plugin.solver.advisor import Advisor, Grounds
from zanzibar_plugin.solver.chances import chance_within
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Text

if TYPE_CHECKING:
    from zanzibar_plugin.solver.duel import Duel
    from zanzibar_plugin.solver.weighing import Choice


class Row(NamedTuple):
    """The best choice after so many rolls with these dice."""

    roll: int
    dice: Faces
    best: Choice


class KeepTable(NamedTuple):
    """What the first player of a round had best do; no rows where he has one roll only."""

    phase: str
    held: Held
    grounds: Grounds | None
    rows: tuple[Row, ...]


class Point(NamedTuple):
    """The chance to win in the last phase by the tokens held, starting the round or not."""

    held: int
    starter: float
    other: float


class Solved(NamedTuple):
    """A game as far as it is solved.

    `wins` is the starter's chance in a game of two that is, right within `bound`; else `refused`
    says why not.  In a game of several sets `wins_set` is his chance in a set.
    """

    wins: float | None
    wins_set: float | None
    bound: float | None
    refused: Text | None
    tables: tuple[KeepTable, ...]
    points: tuple[Point, ...]


def most_rolls(rules: Rules) -> int:
    """The most rolls anybody has in a phase of the game."""
    return max(phase.throws for phase in rules.phases)


@lru_cache(maxsize=32)
def _within(different: int, limit: int, lock_kept: bool) -> Fraction:
    """The chance of dice with so many different faces; which ones they are makes no difference."""
    return chance_within((3, 2, 1, 1, 1)[3 - different :][:DICE], limit, lock_kept=lock_kept)


def chance(dice: Faces, limit: int, rules: Rules) -> Fraction:
    """The chance to get just these dice within so many rolls, when they alone are aimed at."""
    return _within(len(set(dice)), limit, rules.lock_kept)


def solve(
    rules: Rules,
    players: int,
    *,
    folder: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> Solved:
    """The odds of a game for so many players.  It needs numpy: ImportError without."""
    from zanzibar_plugin.solver.solutions import solutions

    found = solutions(rules, players, folder, progress, True)
    duel = found.duel if players == 2 else None
    whole = duel if found.refused is None else None
    tables = keep_tables(rules, players, Advisor(rules, found))
    return Solved(
        None if whole is None else whole.start,
        None if duel is None or rules.lost_sets == 1 else duel.start,
        None if duel is None else duel.bound,
        found.refused,
        tables,
        () if whole is None else points(whole),
    )


def keep_tables(rules: Rules, players: int, advisor: Advisor) -> tuple[KeepTable, ...]:
    """What to keep at the beginning of the game, and of the last phase with even tokens.

    A last phase that cannot begin like that has no table.
    """
    even = last_phase(rules, players)
    starts = [(0, beginning(rules, players))]
    if even is not None:
        starts.append((len(rules.phases) - 1, even))
    found = (_table(rules, number, held, advisor) for number, held in starts)
    return tuple(table for table in found if table is not None)


def _table(rules: Rules, number: int, held: Held, advisor: Advisor) -> KeepTable | None:
    phase, rows, grounds = rules.phases[number], [], None
    for roll in range(1, phase.throws):
        for dice in COMBINATIONS:
            state = state_of(rules, Described(dice, roll, held=held, phase=phase.id))
            if not isinstance(state, State):
                return None
            advice = advisor.advise(state, ME)
            assert advice is not None
            grounds = advice.grounds
            rows.append(Row(roll, dice, advice.best))
    return KeepTable(phase.id, held, grounds, tuple(rows))


def points(duel: Duel) -> tuple[Point, ...]:
    """The chances in the last phase, by tokens held from 1 up; none where they do not say all."""
    from zanzibar_plugin.solver.rounds import Position

    last = len(duel.rules.phases) - 1
    first = duel.positions[0]
    total = first.table + sum(first.tokens)
    found = []
    for held in range(1, total):
        starts = duel.value(Position(last, 0, 0, (held, total - held)))
        follows = duel.value(Position(last, 0, 0, (total - held, held)))
        if starts is not None and follows is not None:
            found.append(Point(held, starts, 1 - follows))
    return tuple(found)
