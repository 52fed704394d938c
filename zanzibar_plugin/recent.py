"""What was made of the latest values, found again by identity.

Values here are immutable but hold mappings, so that they cannot be the keys of an ordinary cache;
and all listeners at a table are told of the very same ones, one right after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")
Made = TypeVar("Made")

KEPT = 64
"""Values that are remembered; more than one step of a table has."""


class Recent(Generic[Value, Made]):
    """What `make` made of the latest values, for each with one more thing that counts."""

    def __init__(self, make: Callable[[Value, Hashable], Made]) -> None:
        self._make = make
        self._made: dict[tuple[int, Hashable], tuple[Value, Made]] = {}

    def of(self, value: Value, also: Hashable = None) -> Made:
        """What is made of this value; it must not change any more."""
        key = (id(value), also)
        # The value itself is kept too: nothing else can have its identity meanwhile.
        known = self._made.get(key)
        if known is not None:
            return known[1]
        made = self._make(value, also)
        if len(self._made) >= KEPT:
            self._made.clear()
        self._made[key] = (value, made)
        return made
