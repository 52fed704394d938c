"""From a few words about an order to the 56 combinations with their strengths and values.

The order is built of classes, strongest first: the combinations named at the top, triples and
pures in a stated pairing, sequences, all others by their digits or by the sum of their points, and
those named at the bottom.  It can also be given as a list of classes instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from zanzibar_plugin.dice import COMBINATIONS, Faces

Class: TypeAlias = tuple[Faces, ...]
"""Combinations that are equally strong."""


class Kind(StrEnum):
    """What a combination is; its name is spoken, and values are given by it."""

    FOUR_TWO_ONE = "four_two_one"
    ZANZIBAR = "zanzibar"
    THREE_ONES = "three_ones"
    TRIPLE = "triple"
    PURE = "pure"
    SEQUENCE = "sequence"
    PLAIN = "plain"
    NENETTE = "nenette"


class Pairing(StrEnum):
    """How triples and pures (two aces and another die) stand to each other."""

    TRIPLE_FIRST = "triple_first"
    """By their value; at equal value the triple is stronger."""
    PAIR_FIRST = "pair_first"
    """By their value; at equal value the pure is stronger."""
    PAIRS_ABOVE = "pairs_above"
    """Every pure is stronger than every triple."""
    NO_PAIRS = "no_pairs"
    """There are no pures: they are like any other combination."""


class Triples(StrEnum):
    """Which triples, and pures, are the stronger ones."""

    HIGH_FIRST = "high_first"
    LOW_FIRST = "low_first"


class Rest(StrEnum):
    """How combinations without a name are compared."""

    DIGITS = "digits"
    """By the highest die, then the next, then the last."""
    SUM = "sum"
    """By the sum of the points of their dice; equal sums are equal."""


class Worth(StrEnum):
    """A value that depends on the dice, or on how many tokens there are."""

    FACE = "face"
    """The number a triple shows."""
    THIRD = "third"
    """The die of a pure beside the two aces."""
    ALL = "all"
    """All tokens there are."""
    ALL_BUT_ONE = "all_but_one"
    """All tokens there are but one; the last one, where there is only one."""


Value: TypeAlias = int | Worth


class Combination(NamedTuple):
    """Three dice from high to low, what they are, how strong they are and how many tokens they set.

    A higher `strength` is stronger; equal strengths are equal combinations.  `value` is a number,
    or one of the words that depend on how many tokens there are.  `points` are their sum where
    combinations without a name are compared by it.
    """

    dice: Faces
    kind: Kind
    strength: int
    value: Value
    points: int | None


class Ranking(NamedTuple):
    """The order in short; `classes` is the whole order where it is given as a list, else None."""

    top: Class
    pairing: Pairing
    triples: Triples
    sequences: Class
    rest: Rest
    die_points: Mapping[int, int]
    bottom: Class
    classes: tuple[Class, ...] | None = None


_SPECIAL: Mapping[Faces, Kind] = {
    (4, 2, 1): Kind.FOUR_TWO_ONE,
    (6, 5, 4): Kind.ZANZIBAR,
    (1, 1, 1): Kind.THREE_ONES,
}
"""Combinations with a name of their own where they stand at the top."""


def kind_of(dice: Faces, ranking: Ranking) -> Kind:
    """What three dice are under a ranking."""
    high, middle, low = dice
    if dice in ranking.top and dice in _SPECIAL:
        return _SPECIAL[dice]
    if dice == (2, 2, 1) and dice in ranking.bottom:
        return Kind.NENETTE
    if high == low:
        return Kind.TRIPLE
    if middle == low == 1 and ranking.pairing is not Pairing.NO_PAIRS:
        return Kind.PURE
    return Kind.SEQUENCE if dice in ranking.sequences else Kind.PLAIN


def strongest_first(ranking: Ranking) -> tuple[Class, ...]:
    """The classes of equal combinations, strongest first; 56 combinations in all."""
    if ranking.classes is not None:
        return ranking.classes
    named = {*ranking.top, *ranking.bottom}
    order: list[Class] = [(dice,) for dice in ranking.top]
    for dice in (*_triples_and_pures(ranking), *ranking.sequences):
        if dice not in named:
            named.add(dice)
            order.append((dice,))
    order.extend(_rest(ranking, [dice for dice in COMBINATIONS if dice not in named]))
    order.extend((dice,) for dice in ranking.bottom)
    return tuple(order)


def _triples_and_pures(ranking: Ranking) -> Iterator[Faces]:
    faces = (6, 5, 4, 3, 2, 1) if ranking.triples is Triples.HIGH_FIRST else (1, 2, 3, 4, 5, 6)
    triples: list[Faces] = [(face, face, face) for face in faces]
    pures: list[Faces] = [(face, 1, 1) for face in faces]
    if ranking.pairing is Pairing.NO_PAIRS:
        yield from triples
    elif ranking.pairing is Pairing.PAIRS_ABOVE:
        yield from (dice for dice in pures if dice != (1, 1, 1))
        yield from triples
    else:
        first, second = triples, pures
        if ranking.pairing is Pairing.PAIR_FIRST:
            first, second = pures, triples
        for pair in zip(first, second, strict=True):
            yield from pair


def _rest(ranking: Ranking, left: list[Faces]) -> Iterator[Class]:
    if ranking.rest is Rest.DIGITS:
        yield from ((dice,) for dice in left)
        return
    sums: dict[int, list[Faces]] = {}
    for dice in left:
        sums.setdefault(points_of(dice, ranking), []).append(dice)
    yield from (tuple(sums[total]) for total in sorted(sums, reverse=True))


def points_of(dice: Faces, ranking: Ranking) -> int:
    """The sum of the points of the dice."""
    return sum(ranking.die_points[face] for face in dice)


def expand(
    ranking: Ranking, values: Mapping[Kind, Value], by_dice: Mapping[Faces, Value]
) -> tuple[Combination, ...]:
    """The 56 combinations, strongest first, equal ones by their dice.

    `values` has a value for every kind that occurs; `by_dice` is for single combinations and goes
    first.
    """
    classes = strongest_first(ranking)
    found = []
    for place, equal in enumerate(classes):
        for dice in equal:
            kind = kind_of(dice, ranking)
            value = by_dice.get(dice, values.get(kind, 1))
            if value in (Worth.FACE, Worth.THIRD):
                value = dice[0]
            points = None
            if kind is Kind.PLAIN and ranking.rest is Rest.SUM:
                points = points_of(dice, ranking)
            found.append(Combination(dice, kind, len(classes) - place, value, points))
    return tuple(found)
