"""Who comes out of a turn as its best and its worst, for each final dice of one of its players.

The others are known by the chances of their final dice only; whoever is done has one chance of 1.
With equal dice the order of the turn decides, or each is the stronger with the same chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zanzibar_plugin.rules import Tie
from zanzibar_plugin.solver.goes import Bools, Floats
from zanzibar_plugin.solver.moves import Classes


class Outcomes(NamedTuple):
    """Chances for each own class c, with m others in the order of the turn.

    `best` (m, 2, c): one is the best, and which other is the worst, without or with a nénette.
    `worst` (m, values, c): one is the worst, and which other is the best with which value.
    `between` (c): one is neither.  Then `others_best` (c, m, values) and `others_worst` (c, m) say
    who of the others is what, as if the one did not depend on the other.
    """

    best: Floats
    worst: Floats
    between: Floats
    others_best: Floats
    others_worst: Floats


def outcomes(classes: Classes, tie: Tie, others: Floats, before: int) -> Outcomes:
    """The chances, given those of the others' classes (m, c); so many of them come before one."""
    within = others.cumsum(axis=1)
    behind = np.arange(len(others)) >= before
    # How far an equal one behind counts as the stronger, and one before.
    later = 0.5 if tie in (Tie.THROW_OFF, Tie.CANCEL) else float(tie is not Tie.EARLIER_WINS)
    mine = np.where(behind, later, 1 - later)
    has_value = np.eye(len(classes.worth))[classes.value]
    gaps = _Gaps(others, within)
    # One is the best: the worst of the others is at the lower edge, and all others between.
    alone = _but_one(gaps.held(1 - later, 1 - mine), gaps.held(later, 1 - mine))
    low = gaps.edge(others[:, :, None] * alone, 1 - mine)
    best = np.stack([low[:, ~classes.nenette].sum(axis=1), low[:, classes.nenette].sum(axis=1)], 1)
    # One is the worst: the best of the others is at the upper edge.
    alone = _but_one(gaps.held(mine, later), gaps.held(mine, 1 - later))
    high = gaps.edge(others[:, None, :] * alone, mine)
    worst = np.matmul(high, has_value).transpose(0, 2, 1)
    between = np.maximum(0.0, 1 - best.sum(axis=(0, 1)) - worst.sum(axis=(0, 1)))
    # Some other is the best and stronger than one's own class, and likewise the worst.
    below = within - others
    top = others * _but_one(below + others * later, below + others * (1 - later))
    bottom = others * _but_one(1 - within + others * (1 - later), 1 - within + others * later)
    tops = top[:, :, None] * has_value
    up = tops[:, ::-1].cumsum(axis=1)[:, ::-1] - (1 - mine)[:, None, None] * tops
    down = bottom.cumsum(axis=1) - mine[:, None] * bottom
    return Outcomes(best, worst, between, up.transpose(1, 0, 2), down.T)


class _Gaps:
    """The chances of each of the others (m, low, high) to be between two classes."""

    def __init__(self, others: Floats, within: Floats) -> None:
        size = others.shape[1]
        self._others = others
        self._inside = (within - others)[:, None, :] - within[:, :, None]
        self._wide: Bools = np.triu(np.ones((size, size), dtype=np.bool_), 1)

    def held(self, low: float | Floats, high: float | Floats) -> Floats:
        """With the edges counted so far: one number for all, or one for each of them (m)."""
        one = np.broadcast_to(np.asarray(low), self._others.shape[:1])[:, None]
        other = np.broadcast_to(np.asarray(high), self._others.shape[:1])[:, None]
        found = self._inside + (one * self._others)[:, :, None]
        found += (other * self._others)[:, None, :]
        found *= self._wide
        line = np.arange(found.shape[1])
        found[:, line, line] = one * other * self._others
        return found

    def edge(self, chances: Floats, equal: Floats) -> Floats:
        """Chances (m, low, high) with the impossible ones gone; equal classes count so far (m)."""
        found = chances * self._wide
        line = np.arange(found.shape[1])
        found[:, line, line] = equal[:, None] * chances[:, line, line]
        return found


def _but_one(before: Floats, behind: Floats) -> Floats:
    """For each row the product of all rows before it and, of the other array, all behind it."""
    found = np.ones_like(before)
    for row in range(1, len(found)):
        np.multiply(found[row - 1], before[row - 1], out=found[row])
    rest = np.ones_like(before[0]) if len(before) else before
    for row in range(len(found) - 2, -1, -1):
        rest *= behind[row + 1]
        found[row] *= rest
    return found
