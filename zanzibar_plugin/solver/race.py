"""The chance to be the first without tokens, where in each turn all others pay the worst.

Everybody is the worst of a turn with the same chance, and what is paid goes by a few lists of
values drawn beforehand, the same for all players: so those who hold the same reach the end
together, and one of them is then drawn.  That exactly one is the worst each time is left out.
"""

from __future__ import annotations

import random

import numpy as np

from zanzibar_plugin.rules import Ends, Payer, Rules
from zanzibar_plugin.solver.goes import Floats, Ints
from zanzibar_plugin.solver.moves import amounts
from zanzibar_plugin.worth import in_tokens

LISTS = 6
"""How many lists of payments the chances are the mean of."""

TURNS = 30
"""Turns that are looked ahead; who has tokens for more is out of the race, or all are alike."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)
_POINTS = (_NODES + 1) / 2
_SHARES = _WEIGHTS / 2


def fits(rules: Rules) -> bool:
    """Whether these rules are such a race, of one phase."""
    (*before, last) = rules.phases
    return not before and last.ends is Ends.FIRST_EMPTY and last.payer is Payer.EACH_OTHER


class Race:
    """The tables for so many players with so many tokens in all."""

    def __init__(self, rules: Rules, players: int, tokens: int) -> None:
        moves = amounts(rules, 0, players)
        values: dict[int, float] = {}
        for (value, _), chance in moves.items():
            count = min(tokens, in_tokens(value, tokens))
            values[count] = values.get(count, 0.0) + chance
        source = random.Random(0)
        paid = [source.choices(tuple(values), tuple(values.values()), k=TURNS)
                for _ in range(LISTS)]  # fmt: skip
        self._most = tokens
        self._ends = np.stack([_ends(one, players, tokens) for one in paid])

    def chances(self, held: Ints) -> Floats:
        """The chance to win of the first player of each row of tokens (m, players)."""
        # (lists, m, players, turns): the chance to be through after just so many turns.
        through = self._ends[:, np.clip(held, 0, self._most)]
        later = np.maximum(0.0, 1 - through.cumsum(axis=3))
        found = np.zeros(held.shape[0])
        for point, share in zip(_POINTS, _SHARES, strict=True):
            others = (later[:, :, 1:] + through[:, :, 1:] * point).prod(axis=2)
            found += share * (through[:, :, 0] * others).sum(axis=2).mean(axis=0)
        nobody = later[..., -1].prod(axis=2).mean(axis=0)
        return np.asarray(found + nobody / held.shape[1], dtype=np.float64)


def _ends(paid: list[int], players: int, tokens: int) -> Floats:
    """For each number of tokens the chance to be through after 1, 2, ... turns, (tokens + 1, t)."""
    found = np.zeros((tokens + 1, TURNS))
    held = np.arange(tokens + 1)
    hit = 1 / players
    at = np.eye(tokens + 1)
    at[0] = 0.0
    for turn, count in enumerate(paid):
        # Rows: where one began; columns: what one has now.
        after = np.zeros_like(at)
        np.add.at(after.T, np.maximum(held - count, 0), (1 - hit) * at.T)
        np.add.at(after.T, np.minimum(held + count * (players - 1), tokens), hit * at.T)
        found[:, turn] = after[:, 0]
        after[:, 0] = 0.0
        at = after
    return found
