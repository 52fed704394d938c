"""A game of two players, solved: the chance to win from every position, with a proven bound.

The chance is that of not losing; where both share a place it counts half.  Positions fall into
blocks which are never come back to.  Within a block the best play of both gives a system of linear
equations for its values; solving it and looking for the best play again soon changes nothing.

The proof does not trust that.  Let `long` be the expected number of turns spent in the block.  If
the values less a small multiple of `long` do not fall when one more turn is looked ahead, they are
at most the true ones, since the game surely ends; likewise from above.  Both are looked at, with
room for the rounding of the arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver import store
from zanzibar_plugin.solver.answering import Answered, Answering, answering
from zanzibar_plugin.solver.goes import Floats, Ints
from zanzibar_plugin.solver.graph import Graph, Progress, ends_surely, graph_of
from zanzibar_plugin.solver.refusal import endless, not_solved, not_sure
from zanzibar_plugin.solver.rounds import Position, start_of, with_ties_shared
from zanzibar_plugin.text import Text

BOUND = 1e-10
"""The error below which a game counts as solved."""

ROUNDING = 4e-14
"""More than the rounding errors of one turn can sum up to: six sums of 56 numbers up to 1."""

BATCH = 48
"""Positions looked at together: about what a processor's cache holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Duel:
    """The chance of whoever starts, from each position; each is right within `bound`."""

    rules: Rules
    positions: tuple[Position, ...]
    values: Floats
    bound: float
    place: dict[Position, int]

    def value(self, position: Position) -> float | None:
        """The chance of the starter; None for a position that cannot come up."""
        place = self.place.get(position)
        return None if place is None else float(self.values[place])

    @property
    def start(self) -> float:
        """The chance of the first starter of the game."""
        return float(self.values[0])


def solve(
    rules: Rules,
    start: Position | None = None,
    *,
    also: tuple[Position, ...] = (),
    ties_shared: bool = False,
    progress: Progress | None = None,
) -> Duel | Text:
    """The solution of a game of two from its start, or from another position; or why there is none.

    It is also to know other positions `also`, with as many tokens, and what comes after them.
    With `ties_shared` a tie counts half a win for each, whatever the rules say of ties.
    """
    if start is None:
        start = start_of(rules, 2)
    refused = not_solved(rules, len(start.tokens), start.table + sum(start.tokens))
    if refused is not None:
        return refused
    if ties_shared:
        rules = with_ties_shared(rules)
    graph = graph_of(rules, (start, *also), progress)
    if not ends_surely(graph):
        return endless()
    values = np.full(len(graph.positions), 0.5)
    errors = np.zeros(len(graph.positions))
    blocks = blocks_of(graph)
    for number, rows in enumerate(blocks):
        phase = rules.phases[graph.positions[rows[0]].phase]
        block = _Block(graph, rows, answering(phase.throws, phase.follow, rules.lock_kept))
        error = block.solve(values)
        if error is None:
            return not_sure()
        errors[rows] = error + block.later(errors)
        if progress is not None:
            progress(0.7 + 0.3 * (number + 1) / len(blocks))
    bound = float(errors.max())
    if bound >= BOUND:
        return not_sure()
    return Duel(rules, graph.positions, values, bound, graph.place)


def blocks_of(graph: Graph) -> list[Ints]:
    """The places of positions that may come after each other, last ones of the game first.

    Phases and counted turns only go up, and the tokens on the table only go down.
    """
    found: dict[tuple[int, int, int], list[int]] = {}
    for place, (phase, turns, table, _) in enumerate(graph.positions):
        found.setdefault((-phase, -turns, table), []).append(place)
    return [np.array(found[key], dtype=np.intp) for key in sorted(found)]


class _Block:
    """Positions that may come after each other, and the turn played in them."""

    def __init__(self, graph: Graph, rows: Ints, goes: Answering) -> None:
        self.graph, self.rows, self.goes = graph, rows, goes
        count = len(graph.positions)
        self.own = np.full(2 * count + 3, -1, dtype=np.intp)
        """For all extended values, which of the block's own it depends on, or -1."""
        self.own[rows] = self.own[rows + count] = np.arange(len(rows))
        nexts = np.stack([graph.win[rows], graph.lose[rows]])
        self.nexts = nexts
        self.circular = bool((self.own[nexts] >= 0).any())

    def later(self, errors: Floats) -> float:
        """The greatest error of what comes after the block."""
        every = np.concatenate([errors, errors, [0.0] * 3])
        return float(every[self.nexts[self.own[self.nexts] < 0]].max(initial=0.0))

    def solve(self, values: Floats) -> float | None:
        """Set the block's values; the result is an upper bound of their error, or None."""
        once = ROUNDING + self.graph.error
        if not self.circular:
            values[self.rows] = self.looked_ahead(self.graph.extended(values))
            return once
        for _ in range(60):
            new, long = self._improved(values)
            change = np.abs(new - values[self.rows]).max()
            values[self.rows] = np.clip(new, 0, 1)
            if change < 1e-14:
                break
        step = 1.5 * once
        for _ in range(12):
            if self._proven(values, step * long, once):
                return float(step * long.max())
            step *= 2
        return None

    def looked_ahead(self, extended: Floats) -> Floats:
        """The values of the block's positions, by one turn from what may come next."""
        worth, _ = self.graph.worth(self.rows, extended)
        return np.concatenate(
            [
                self.goes.value(worth[n : n + BATCH][:, self.graph.cell])
                for n in range(0, len(worth), BATCH)
            ]
        )

    def _improved(self, values: Floats) -> tuple[Floats, Floats]:
        """The values if both play for ever what is best by the present ones; and how long it takes.

        The second result is the expected number of turns within the block.
        """
        extended = self.graph.extended(values)
        worth, part = self.graph.worth(self.rows, extended)
        reached = np.concatenate(
            [
                by_cell(self.graph, self.goes, worth[n : n + BATCH])
                for n in range(0, len(worth), BATCH)
            ]
        )
        return settled(self, reached, part, extended)

    def _proven(self, values: Floats, margin: Floats, once: float) -> bool:
        """Whether the true values surely are less than `margin` away."""
        extended = self.graph.extended(values)
        room = np.zeros(len(extended))
        room[self.own >= 0] = margin[self.own[self.own >= 0]]
        mine = values[self.rows]
        low = self.looked_ahead(extended - room) - (mine - margin)
        high = (mine + margin) - self.looked_ahead(extended + room)
        return bool((low >= once).all() and (high >= once).all())


def by_cell(graph: Graph, goes: Answering, worth: Floats) -> Floats:
    """The chance of each cell when both play their best, from what the cells are worth."""
    play = goes.play(worth[:, graph.cell])
    return summed(graph, goes, play)


def summed(graph: Graph, goes: Answering, play: Answered) -> Floats:
    """The chance of each cell, (m, cells), when both play like this."""
    chances = goes.reach(play).reshape(len(play.value), -1)
    cell = graph.cell.ravel()
    number = cell + len(graph.cells) * np.arange(len(chances))[:, None]
    found = np.bincount(number.ravel(), chances.ravel(), minlength=len(graph.cells) * len(chances))
    return found.astype(np.float64).reshape(len(chances), len(graph.cells))


def settled(
    block: _Block, reached: Floats, part: Floats, extended: Floats
) -> tuple[Floats, Floats]:
    """Solve the linear equations of fixed play: the values, and the expected number of turns."""
    count, own = len(block.rows), block.own
    half = len(block.graph.positions)
    flow = np.zeros((count, count))
    signed = np.zeros((count, count))
    known = np.zeros(count)
    row = np.broadcast_to(np.arange(count)[:, None], reached.shape)
    for nexts, chance in zip(block.nexts, (reached * part, reached * (1 - part)), strict=True):
        inside = own[nexts] >= 0
        known += np.where(inside, 0.0, chance * extended[nexts]).sum(axis=1)
        turned = inside & (nexts >= half)
        known += np.where(turned, chance, 0.0).sum(axis=1)
        at = (row[inside], own[nexts][inside])
        np.add.at(flow, at, chance[inside])
        np.add.at(signed, at, np.where(turned, -chance, chance)[inside])
    one = np.eye(count)
    solved: list[Floats] = [
        np.linalg.solve(one - signed, known).astype(np.float64),
        np.linalg.solve(one - flow, np.ones(count)).astype(np.float64),
    ]
    return solved[0], solved[1]


def solved(
    rules: Rules,
    start: Position | None = None,
    *,
    folder: Path | None = None,
    also: tuple[Position, ...] = (),
    ties_shared: bool = False,
    progress: Progress | None = None,
) -> Duel | Text:
    """Like `solve`, but kept in a folder: the user's cache, if none is named."""
    start = start_of(rules, 2) if start is None else start
    folder = store.cache_folder() if folder is None else folder
    what = f"duel {ties_shared} {tuple(map(tuple, also))}"
    key = store.key_of(what, rules, start)
    known = store.load(folder, key, 2)
    played = with_ties_shared(rules) if ties_shared else rules
    if known is not None:
        positions, values, bound = known
        if positions[: 1 + len(also)] == (start, *also) and values.ndim == 1 and bound < BOUND:
            place = {position: number for number, position in enumerate(positions)}
            return Duel(played, positions, values, bound, place)
    found = solve(rules, start, also=also, ties_shared=ties_shared, progress=progress)
    if isinstance(found, Duel):
        store.save(folder, key, found.positions, found.values, found.bound)
    return found
