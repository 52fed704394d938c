"""From a few words about an order to the 56 combinations with their strengths and values.

The order is built of classes, strongest first: the combinations named at the top, triples and
pures in a stated pairing, sequences, all others by their digits, and those named at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from zanzibar_plugin.dice import COMBINATIONS, Faces


class Kind(StrEnum):
    """What a combination is; its name is spoken, and values are given by it."""

    FOUR_TWO_ONE = "four_two_one"
    THREE_ONES = "three_ones"
    TRIPLE = "triple"
    PURE = "pure"
    SEQUENCE = "sequence"
    PLAIN = "plain"
    NENETTE = "nenette"


class Pairing(StrEnum):
    """How triples and pures stand to each other."""

    TRIPLE_FIRST = "triple_first"


class Worth(StrEnum):
    """A value that depends on the dice."""

    FACE = "face"
    THIRD = "third"


class Combination(NamedTuple):
    """Three dice from high to low, what they are, how strong they are and how many tokens they set.

    A higher `strength` is stronger; equal strengths are equal combinations.
    """

    dice: Faces
    kind: Kind
    strength: int
    value: int


class Ranking(NamedTuple):
    """The order in short: exact combinations above and below all others, pairing and sequences."""

    top: tuple[Faces, ...]
    pairing: Pairing
    sequences: tuple[Faces, ...]
    bottom: tuple[Faces, ...]


def kind_of(dice: Faces, ranking: Ranking) -> Kind:
    """What three dice are under a ranking."""
    high, middle, low = dice
    if dice == (4, 2, 1):
        return Kind.FOUR_TWO_ONE
    if dice == (1, 1, 1):
        return Kind.THREE_ONES
    if dice == (2, 2, 1):
        return Kind.NENETTE
    if high == low:
        return Kind.TRIPLE
    if middle == low == 1:
        return Kind.PURE
    return Kind.SEQUENCE if dice in ranking.sequences else Kind.PLAIN


def strongest_first(ranking: Ranking) -> Iterator[Faces]:
    """The 56 combinations in order."""
    named = {*ranking.top, *ranking.bottom}
    yield from ranking.top
    for face in (6, 5, 4, 3, 2, 1):
        pair: tuple[Faces, Faces] = ((face, face, face), (face, 1, 1))
        for dice in pair:
            if dice not in named:
                named.add(dice)
                yield dice
    for dice in (*ranking.sequences, *COMBINATIONS):
        if dice not in named:
            named.add(dice)
            yield dice
    yield from ranking.bottom


def expand(ranking: Ranking, values: Mapping[Kind, int | Worth]) -> tuple[Combination, ...]:
    """The 56 combinations, strongest first.

    `values` has a number for every kind, or the word for one that depends on the dice: `face` is
    the face of a triple, `third` the die of a pure that is no ace.
    """
    order = tuple(strongest_first(ranking))
    found = []
    for place, dice in enumerate(order):
        kind = kind_of(dice, ranking)
        value = values[kind]
        number = dice[0] if isinstance(value, Worth) else value
        found.append(Combination(dice, kind, len(order) - place, number))
    return tuple(found)
