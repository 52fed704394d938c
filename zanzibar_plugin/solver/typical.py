"""How somebody's go ends who throws for the strongest combination and looks at nothing else."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.rules import Follow, Phase, Rules
from zanzibar_plugin.solver.goes import Floats, goes, most


def strengths_of(rules: Rules) -> tuple[int, ...]:
    """The strengths of the 56 combinations, in their order."""
    return tuple(rules.by_dice[dice].strength for dice in COMBINATIONS)


def finals(rules: Rules, limit: int, exactly: bool) -> Floats:
    """The chance of each number of throws and final dice, (limit, 56), where so many are allowed.

    With `exactly` all of them must be used.
    """
    return _finals(strengths_of(rules), limit, exactly, rules.lock_kept)


@lru_cache(maxsize=64)
def _finals(strengths: tuple[int, ...], limit: int, exactly: bool, lock_kept: bool) -> Floats:
    go = goes(lock_kept)
    order = np.array(strengths)
    first = goes().odds[0]
    rank = np.array([first[order <= one].sum() for one in order])[go.shows]
    worth = [rank]
    for _ in range(1, limit):
        value = most(go, worth[-1])
        worth.append(value if exactly else np.maximum(value, rank))
    at, found = go.odds[0].copy(), np.zeros((limit, len(order)))
    for left in range(limit - 1, 0, -1):
        hopes = worth[left - 1] @ go.odds.T
        options = hopes[go.options]
        stops = rank >= options.max(axis=1) - 1e-12
        stops &= not exactly
        np.add.at(found[limit - left - 1], go.shows[stops], at[stops])
        kept = np.zeros(len(go.odds))
        chosen = go.options[np.arange(len(at)), options.argmax(axis=1)]
        np.add.at(kept, chosen[~stops], at[~stops])
        at = kept @ go.odds
    np.add.at(found[limit - 1], go.shows, at)
    return found


def followers(rules: Rules, phase: Phase, limit: int, count: int) -> Floats:
    """The chances (count, 56) of the final dice of the next players, the first having this limit.

    Each uses as many throws as he likes, which is what the next one may be bound to.
    """
    exactly = phase.follow is Follow.FIRST_EXACTLY
    if phase.follow is Follow.FREE:
        limit = phase.throws
    if phase.follow is not Follow.PREVIOUS:
        return np.repeat(finals(rules, limit, exactly).sum(axis=0)[None], count, axis=0)
    found, limits = np.zeros((count, len(COMBINATIONS))), np.zeros(limit)
    limits[limit - 1] = 1.0
    for row in range(count):
        used = np.zeros(limit)
        for may, chance in enumerate(limits, 1):
            ends = chance * finals(rules, may, exactly)
            found[row] += ends.sum(axis=0)
            used[:may] += ends.sum(axis=1)
        limits = used
    return found


def table_of(rules: Rules, phase: Phase, count: int) -> Floats:
    """The chances (count, 56) of the final dice of all players of a turn, from the starter on."""
    exactly = phase.follow is Follow.FIRST_EXACTLY
    starter = finals(rules, phase.throws, exactly)
    found = np.zeros((count, len(COMBINATIONS)))
    found[0] = starter.sum(axis=0)
    for used in range(1, phase.throws + 1) if count > 1 else ():
        share = starter[used - 1].sum()
        if share:
            found[1:] += share * followers(rules, phase, used, count - 1)
    return found
