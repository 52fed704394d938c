"""Three dice: faces, and the 56 combinations they can show."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import TypeAlias

Faces: TypeAlias = tuple[int, ...]
"""Faces from 1 to 6.  Where dice are shown or compared they stand from high to low."""

DICE = 3
FACES = (1, 2, 3, 4, 5, 6)


# The few sets of three dice come again and again, so what is worked out for one is remembered.
@lru_cache(maxsize=1024)
def high_to_low(faces: Faces) -> Faces:
    """The same faces, highest first: the order in which dice are always named."""
    return tuple(sorted(faces, reverse=True))


@lru_cache(maxsize=1024)
def without(faces: Faces, taken: Faces) -> Faces:
    """`faces` less each face of `taken` once; the order stays.

    Raises ValueError if a face of `taken` is not there.
    """
    left = list(faces)
    for face in taken:
        left.remove(face)
    return tuple(left)


@lru_cache(maxsize=4096)
def select(dice: Faces, selected: Faces, face: int) -> tuple[Faces, Faces] | None:
    """Selected and kept dice once one more die that shows `face` is selected; None if none is left.

    `selected` are those of `dice` selected before.
    """
    kept = without(dice, selected)
    if face not in kept:
        return None
    return high_to_low((*selected, face)), without(kept, (face,))


def faces_of(name: str) -> Faces:
    """The faces of a combination's name: "421" is 4, 2, 1."""
    return tuple(int(digit) for digit in name)


COMBINATIONS: tuple[Faces, ...] = tuple(
    sorted(high_to_low(faces) for faces in combinations_with_replacement(FACES, DICE))
)[::-1]
"""All 56 combinations, by their digits from 666 down to 111."""


def throws(count: int) -> tuple[Faces, ...]:
    """All equally likely outcomes of throwing `count` dice, as they fall (6 to the power count)."""
    return tuple(product(FACES, repeat=count))
