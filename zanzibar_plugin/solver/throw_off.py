"""A throw-off between two: who of them comes out as the stronger."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.rules import Follow, Order, Rules
from zanzibar_plugin.solver.answering import Answering, answering
from zanzibar_plugin.solver.goes import Floats


class ThrowOffOdds(NamedTuple):
    """The chance that the first player of the turn becomes the stronger in a throw-off.

    `high` where both want to be the stronger, `low` where both want to be the weaker; each is right
    within `error`.
    """

    high: float
    low: float
    error: float


def odds_of(rules: Rules) -> ThrowOffOdds:
    """The odds of a throw-off by these rules, whoever throws first in it."""
    if rules.throw_off.throws == 1:
        return ThrowOffOdds(0.5, 0.5, 0.0)
    high, low, error = _odds(_strengths(rules), rules.throw_off.throws, rules.lock_kept)
    if rules.throw_off.order is Order.REVERSE:
        high, low = 1 - high, 1 - low
    return ThrowOffOdds(high, low, error)


def going(rules: Rules) -> Answering:
    """How the two goes of a throw-off hang together: whatever the first does, all is free."""
    return answering(rules.throw_off.throws, Follow.FREE, rules.lock_kept)


def payoff(rules: Rules, stronger: float, weaker: float, tied: float) -> Floats:
    """What any two final dice are worth to whoever throws first, (56, 56)."""
    return _payoff(_strengths(rules), stronger, weaker, tied)


def _payoff(strengths: tuple[int, ...], stronger: float, weaker: float, tied: float) -> Floats:
    order = np.array(strengths)
    first, second = order[:, None], order[None, :]
    found = np.where(first > second, stronger, np.where(first < second, weaker, tied))
    return found.astype(np.float64)


def _strengths(rules: Rules) -> tuple[int, ...]:
    return tuple(rules.by_dice[dice].strength for dice in COMBINATIONS)


@lru_cache(maxsize=16)
def _odds(strengths: tuple[int, ...], throws: int, lock_kept: bool) -> tuple[float, float, float]:
    """High, low and error, for whoever throws first.  Who ties throws off again, in the same order.

    The value of a tie is the value looked for: from 0 and from 1 it is closed in from both sides.
    """
    goes = answering(throws, Follow.FREE, lock_kept)
    found = []
    error = 0.0
    for stronger in (1.0, 0.0):
        below, above = 0.0, 1.0
        for _ in range(200):
            below, above = (
                float(goes.value(_payoff(strengths, stronger, 1 - stronger, tied)[None])[0])
                for tied in (below, above)
            )
            if above - below < 1e-15:
                break
        found.append((below + above) / 2)
        error = max(error, above - below + 1e-13)
    return found[0], 1 - found[1], error
