"""All positions of a game of two, and where each end of a turn leads from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from zanzibar_plugin.dice import FACES
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver.goes import PLACE, Floats, Ints
from zanzibar_plugin.solver.rounds import After, Cell, Position, after, cells_of
from zanzibar_plugin.solver.throw_off import odds_of

Progress: TypeAlias = Callable[[float], None]
"""Called now and then with how much is done, from 0 to 1."""


class Graph(NamedTuple):
    """The positions that can come up, and what follows.

    `cells` are the ends of a turn, `cell` (56, 56) the number of the one for each two final dice.
    `win` and `lose` (positions, cells) say what comes next if the first player wins a throw-off or
    loses it; where there is none they are the same.  Each is a place in `extended` values.
    `high` and `low` (cells) are the chances of `win` where it is the better one, or the worse.
    """

    positions: tuple[Position, ...]
    place: dict[Position, int]
    cells: tuple[Cell, ...]
    cell: Ints
    win: Ints
    lose: Ints
    high: Floats
    low: Floats
    error: float

    def extended(self, values: Floats) -> Floats:
        """The chances of this turn's first player, for all there is to come.

        First if he starts again, then if the other does, then the three ends: lost, even and won.
        """
        return np.concatenate([values, 1 - values, [0.0, 0.5, 1.0]])

    def worth(self, rows: Ints | slice, extended: Floats) -> tuple[Floats, Floats]:
        """What each cell is worth in these positions, and the chance that is `win`'s part in it."""
        won, lost = extended[self.win[rows]], extended[self.lose[rows]]
        part = np.where(won >= lost, self.high, self.low)
        return lost + part * (won - lost), part


def graph_of(rules: Rules, starts: Sequence[Position], progress: Progress | None = None) -> Graph:
    """All positions from some starts on, worked out by the engine."""
    cells, table = cells_of(rules)
    positions = list(starts)
    place = {position: number for number, position in enumerate(positions)}
    win: list[list[int]] = []
    lose: list[list[int]] = []
    for position in positions:  # it grows meanwhile
        first, second = [], []
        for cell in cells:
            ways = (0, 1) if cell.contested else (None,)
            nexts = [_next(after(rules, position, cell[:2], way), place, positions) for way in ways]
            first.append(nexts[0])
            second.append(nexts[-1])
        win.append(first)
        lose.append(second)
        if progress is not None and not len(win) % 64:
            progress(0.7 * len(win) / len(positions))
    odds = odds_of(rules)
    contested = np.array([cell.contested for cell in cells])
    return Graph(
        tuple(positions),
        place,
        cells,
        np.array(table, dtype=np.intp),
        _places(win, len(positions)),
        _places(lose, len(positions)),
        np.where(contested, odds.high, 1.0),
        np.where(contested, odds.low, 1.0),
        odds.error if contested.any() else 0.0,
    )


def _next(found: After, place: dict[Position, int], positions: list[Position]) -> int:
    """A number from 0 up if the same player starts, from -4 down if not; -1 to -3 for the ends."""
    if found.position is None:
        mine, other = found.places
        return -1 if mine < other else -3 if mine > other else -2
    number = place.setdefault(found.position, len(positions))
    if number == len(positions):
        positions.append(found.position)
    return number if found.starter == 0 else -4 - number


def _places(nexts: list[list[int]], count: int) -> Ints:
    found = np.array(nexts, dtype=np.intp)
    other = np.where(found <= -4, count - 4 - found, 2 * count + 3 + found)
    return np.where(found >= 0, found, other)


def ends_surely(graph: Graph) -> bool:
    """Whether the game comes to an end whatever the players do.

    Nobody can avoid, nor bring about, that all dice of a go happen to show the same face.  So it is
    enough that from everywhere such goes alone can lead to an end.
    """
    count = len(graph.positions)
    triples = [PLACE[face, face, face] for face in FACES]
    sure = np.unique(graph.cell[np.ix_(triples, triples)])
    nexts = np.concatenate([graph.win[:, sure], graph.lose[:, sure]], axis=1)
    ended = np.concatenate([np.zeros(2 * count, dtype=bool), [True] * 3])
    while True:
        reached = ended[nexts].any(axis=1)
        more = np.concatenate([reached, reached, [True] * 3])
        if (more == ended).all():
            return bool(reached.all())
        ended = more
