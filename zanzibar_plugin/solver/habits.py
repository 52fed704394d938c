"""Best play against somebody who plays by habit: exactly how often it wins.

A habit looks at its own dice and throws alone.  The other plays as if against the best; he does not
know the habit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from zanzibar_plugin.dice import Faces, high_to_low, without
from zanzibar_plugin.rules import Follow, Phase
from zanzibar_plugin.solver.answering import Answered, Answering, Step, answering
from zanzibar_plugin.solver.duel import BATCH, Duel, blocks_of, summed
from zanzibar_plugin.solver.goes import KEPT, STOP, Floats, Goes, Ints
from zanzibar_plugin.solver.graph import Graph, graph_of

Habit: TypeAlias = Callable[[Faces, int], Faces]
"""The dice to throw again (none: to stop), from one's dice and the number of throws left."""


class Match(NamedTuple):
    """The chance of the best player to win, if he starts the game and if the other does."""

    first: float
    second: float


def against(duel: Duel, habit: Habit) -> Match:
    """What the best play of a solved game brings against a habit.

    Raises ValueError for rules where more than a habit is needed: where the last throw is
    announced, where kept dice stay, or where a throw-off has more than one throw.
    """
    rules = duel.rules
    exactly = any(phase.follow is Follow.FIRST_EXACTLY for phase in rules.phases)
    if exactly or rules.lock_kept or rules.throw_off.throws > 1:
        raise ValueError("a habit does not know what to do by these rules")
    graph = graph_of(rules, duel.positions)
    count = len(graph.positions)
    # His chances if he starts, if the other does, and the three ends.
    mine = np.concatenate([np.full(2 * count, 0.5), [0.0, 0.5, 1.0]])
    for rows in blocks_of(graph):
        _solve(duel, graph, rows, habit, mine)
    return Match(float(mine[0]), float(mine[count]))


def _solve(duel: Duel, graph: Graph, rows: Ints, habit: Habit, mine: Floats) -> None:
    """Set the chances of a block: the solution of its linear equations."""
    phase = duel.rules.phases[graph.positions[rows[0]].phase]
    goes = answering(phase.throws, phase.follow, False)
    count, size = len(graph.positions), len(rows)
    own = np.full(2 * count + 3, -1, dtype=np.intp)
    own[rows], own[rows + count] = np.arange(size), np.arange(size) + size
    swapped = np.concatenate([np.arange(count) + count, np.arange(count), 2 * count + np.arange(3)])
    flow, known = np.zeros((2 * size, 2 * size)), np.zeros(2 * size)
    worth, part = graph.worth(rows, graph.extended(duel.values))
    for turned in (False, True):
        reached = _reached(goes, graph, worth, phase, habit, turned)
        for nexts, share in ((graph.win, reached * part), (graph.lose, reached * (1 - part))):
            place = swapped[nexts[rows]] if turned else nexts[rows]
            end = place >= 2 * count
            # The ends are told from the starter's side, which may be the other's.
            value = np.where(end & turned, 1 - mine[place], mine[place])
            inside = own[place] >= 0
            line = np.broadcast_to(np.arange(size)[:, None] + size * turned, place.shape)
            np.add.at(known, line[~inside], (share * value)[~inside])
            np.add.at(flow, (line[inside], own[place][inside]), share[inside])
    found = np.linalg.solve(np.eye(2 * size) - flow, known)
    mine[rows], mine[rows + count] = found[:size], found[size:]


def _reached(
    goes: Answering, graph: Graph, worth: Floats, phase: Phase, habit: Habit, turned: bool
) -> Floats:
    """The chance of each cell (m, cells), if the best player starts, or with `turned` the other."""
    found = []
    for begin in range(0, len(worth), BATCH):
        best = goes.play(worth[begin : begin + BATCH][:, graph.cell])
        found.append(summed(graph, goes, _mixed(goes, best, phase, habit, turned)))
    return np.concatenate(found)


def _mixed(goes: Answering, best: Answered, phase: Phase, habit: Habit, turned: bool) -> Answered:
    """The play of a turn in which one player has a habit."""
    count = len(best.value)
    if turned:
        first = tuple(
            Step(_tiled(goes.goes, habit, phase.throws - used, (count,)), step.hopes)
            for used, step in enumerate(best.first, 1)
        )
        return best._replace(first=first)
    second = tuple(
        Step(_tiled(goes.goes, habit, left, (count, 56)), step.hopes)
        for left, step in enumerate(best.second, 1)
    )
    return best._replace(second=second)


def _tiled(goes: Goes, habit: Habit, left: int, shape: tuple[int, ...]) -> Ints:
    number = {kept: row for row, kept in enumerate(KEPT)}
    keeps = []
    for dice, _ in goes.held:
        again = habit(dice, left)
        keeps.append(number[high_to_low(without(dice, again))] if again else STOP)
    return np.broadcast_to(np.array(keeps, dtype=np.intp), (*shape, len(keeps)))
