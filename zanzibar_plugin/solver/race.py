"""The chance to be the first without tokens, where in each turn all others pay the worst.

Everybody is the worst of a turn with the same chance, but for the next turn, in which its starter
is less often so: he has most throws and limits the others.  What is paid goes by a few lists of
values drawn beforehand, the same for all players: so those who hold the same reach the end
together, and one of them is then drawn.  That exactly one is the worst each time is left out.
"""

from __future__ import annotations

import random

import numpy as np

from zanzibar_plugin.rules import Ends, Payer, Rules
from zanzibar_plugin.solver.goes import Bools, Floats, Ints
from zanzibar_plugin.solver.moves import amounts, classes_of, in_classes
from zanzibar_plugin.solver.outcomes import outcomes
from zanzibar_plugin.solver.typical import table_of
from zanzibar_plugin.worth import in_tokens

LISTS = 5
"""How many lists of payments the chances are the mean of."""

TURNS = 21
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
        self._most, self._players = tokens, players
        self._weak = _weak_starter(rules, players)
        ends = [_ends(one, players, tokens) for one in paid]
        self._spared, self._hit = (np.stack(one) for one in zip(*ends, strict=True))

    def chances(self, held: Ints, starts: Bools) -> Floats:
        """The chance to win of the first player of each row of tokens (m, players).

        `starts` (m) tells whether that player starts the next turn; if not, some other does.
        """
        count = self._players
        mine = np.where(starts, self._weak, (1 - self._weak) / (count - 1))
        hit = np.repeat(((1 - mine) / (count - 1))[:, None], held.shape[1], axis=1)
        hit[:, 0] = mine
        held = np.clip(held, 0, self._most)
        # (lists, m, players, turns): the chance to be through after just so many turns.
        through = self._spared[:, held] * (1 - hit)[..., None]
        through += self._hit[:, held] * hit[..., None]
        later = np.maximum(0.0, 1 - through.cumsum(axis=3))
        found = np.zeros(held.shape[0])
        for point, share in zip(_POINTS, _SHARES, strict=True):
            others = (later[:, :, 1:] + through[:, :, 1:] * point).prod(axis=2)
            found += share * (through[:, :, 0] * others).sum(axis=2).mean(axis=0)
        nobody = later[..., -1].prod(axis=2).mean(axis=0)
        return np.asarray(found + nobody / held.shape[1], dtype=np.float64)


def _weak_starter(rules: Rules, players: int) -> float:
    """The chance that whoever starts a turn is its worst."""
    phase = rules.phases[0]
    classes = classes_of(rules, phase.amount)
    starter, *others = in_classes(classes, table_of(rules, phase, players))
    found = outcomes(classes, rules.tie, np.array(others), 0)
    return float(found.worst.sum(axis=(0, 1)) @ starter)


def _ends(paid: list[int], players: int, tokens: int) -> tuple[Floats, Floats]:
    """For each number of tokens the chance to be through after 1, 2, ... turns, (tokens + 1, t).

    First for whoever is not the worst of the next turn, then for whoever is.
    """
    held = np.arange(tokens + 1)
    later = np.zeros((tokens + 1, TURNS))
    later[:, 1:] = _even_ends(paid[1:], players, tokens)
    spared = later[np.maximum(held - paid[0], 0)]
    spared[held <= paid[0]] = np.eye(TURNS)[0]
    return spared, later[np.minimum(held + paid[0] * (players - 1), tokens)]


def _even_ends(paid: list[int], players: int, tokens: int) -> Floats:
    """The same if everybody is the worst of every turn with the same chance."""
    found = np.zeros((tokens + 1, len(paid)))
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
