"""How many tokens a turn moves where everybody plays alike."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.ranking import Kind, Value
from zanzibar_plugin.rules import Amount, Rules
from zanzibar_plugin.solver.goes import Bools, Floats, Ints
from zanzibar_plugin.solver.typical import strengths_of, table_of


class Classes(NamedTuple):
    """The 56 combinations by their strength, from weak to strong.

    `of` (56) is the class of each; `worth` names the different values there are, `value` (classes)
    which of them a class has; `nenette` (classes) tells whether a class costs the penalty.
    """

    of: Ints
    worth: tuple[Value, ...]
    value: Ints
    nenette: Bools


def classes_of(rules: Rules, amount: Amount | int) -> Classes:
    """The classes of these rules, where so much is paid."""
    rows = tuple(
        (one.strength, amount if isinstance(amount, int) else one.value,
         bool(rules.penalty) and one.kind is Kind.NENETTE)
        for one in (rules.by_dice[dice] for dice in COMBINATIONS)
    )  # fmt: skip
    return _classes(rows)


@lru_cache(maxsize=32)
def _classes(rows: tuple[tuple[int, Value, bool], ...]) -> Classes:
    strengths = sorted({strength for strength, _, _ in rows})
    of = np.array([strengths.index(strength) for strength, _, _ in rows])
    # Equal combinations have the same value by all rules that are known; else the last one counts.
    by_class = {strength: (value, nenette) for strength, value, nenette in rows}
    worth = tuple(sorted({value for value, _ in by_class.values()}, key=str))
    value = np.array([worth.index(by_class[strength][0]) for strength in strengths])
    nenette = np.array([by_class[strength][1] for strength in strengths], dtype=np.bool_)
    return Classes(of, worth, value, nenette)


def in_classes(classes: Classes, chances: Floats) -> Floats:
    """Chances (players, 56) of combinations as those of classes (players, classes)."""
    sums = np.zeros((len(classes.value), chances.shape[1]))
    sums[classes.of, np.arange(chances.shape[1])] = 1.0
    return chances @ sums.T


def amounts(rules: Rules, phase: int, players: int) -> Mapping[tuple[Value, bool], float]:
    """The chance that the best of a turn has a value, and that the worst has a nénette or not."""
    part = rules.phases[phase]
    classes = classes_of(rules, part.amount)
    by_class = in_classes(classes, table_of(rules, part, players))
    best = np.diff(by_class.cumsum(axis=1).prod(axis=0), prepend=0.0)
    if part.amount is Amount.PAYER_VALUE:
        best = by_class.mean(axis=0)
    spared = 1.0
    if classes.nenette.any():
        spared = float((1 - by_class[:, classes.nenette].sum(axis=1)).prod())
    found: dict[tuple[Value, bool], float] = {}
    for place, chance in enumerate(best):
        for nenette, share in ((False, spared), (True, 1 - spared)):
            if chance * share > 0:
                key = (classes.worth[classes.value[place]], nenette)
                found[key] = found.get(key, 0.0) + float(chance * share)
    return found


def strongest_first(rules: Rules) -> Floats:
    """The strengths (56) as small numbers, to prefer the stronger of ends that are alike."""
    return 1e-9 * np.array(strengths_of(rules), dtype=np.float64)
