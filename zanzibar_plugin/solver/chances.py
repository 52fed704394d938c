"""One go by itself: the best dice to keep for any aim, and what comes of it, as exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations as subsets
from typing import NamedTuple, TypeAlias

from zanzibar_plugin.dice import COMBINATIONS, DICE, Faces, high_to_low, throws, without

Utility: TypeAlias = Callable[[Faces, int], Fraction | float]
"""What final dice after so many throws are worth; with Fractions all results are exact."""


class Held(NamedTuple):
    """A player's dice after `used` throws; `locked` are those he may not throw again."""

    used: int
    dice: Faces
    locked: Faces = ()


class Plan(NamedTuple):
    """The best play of one go.

    `value` is the utility to expect before the first throw, `keeps` the dice to keep wherever the
    player may choose (all three: he stops), and `finals` the chance of each end: dice and throws.
    """

    value: Fraction | float
    keeps: Mapping[Held, Faces]
    finals: Mapping[tuple[Faces, int], Fraction]


@lru_cache(maxsize=256)
def falls(kept: Faces) -> tuple[tuple[Faces, Fraction], ...]:
    """All three dice after those not kept are thrown, with their chances; these sum to 1."""
    found: dict[Faces, int] = {}
    outcomes = throws(DICE - len(kept))
    for faces in outcomes:
        dice = high_to_low((*kept, *faces))
        found[dice] = found.get(dice, 0) + 1
    return tuple((dice, Fraction(count, len(outcomes))) for dice, count in found.items())


@lru_cache(maxsize=1024)
def keepable(dice: Faces, locked: Faces = ()) -> tuple[Faces, ...]:
    """All different sets of dice that may be kept, those with most dice first.

    The locked ones are in each of them; the first one is all dice.
    """
    free = without(dice, locked)
    found = {
        high_to_low((*locked, *kept)) for count in range(len(free) + 1)
        for kept in subsets(free, count)
    }  # fmt: skip
    return tuple(sorted(found, key=lambda kept: (len(kept), kept), reverse=True))


def best_play(
    utility: Utility, limit: int, *, exactly: bool = False, lock_kept: bool = False
) -> Plan:
    """The plan that makes most of a utility within `limit` throws (1 or more).

    With `exactly` the player must use them all; with `lock_kept` a die once kept stays.  Of equally
    good choices the one that throws the fewest dice is taken.
    """
    keeps: dict[Held, Faces] = {}
    worth: dict[Held, Fraction | float] = {}
    for used in range(limit, 0, -1):
        for held in _positions(used, lock_kept):
            worth[held] = _best(held, utility, limit, exactly, lock_kept, worth, keeps)
    first = [(Held(1, dice), chance) for dice, chance in falls(())]
    value = sum(chance * worth[held] for held, chance in first)
    return Plan(value, keeps, _finals(keeps, dict(first), limit, lock_kept))


def _positions(used: int, lock_kept: bool) -> Iterator[Held]:
    for dice in COMBINATIONS:
        yield Held(used, dice)
        if lock_kept and used > 1:
            for locked in keepable(dice)[1:-1]:
                yield Held(used, dice, locked)


def _best(
    held: Held,
    utility: Utility,
    limit: int,
    exactly: bool,
    lock_kept: bool,
    worth: Mapping[Held, Fraction | float],
    keeps: dict[Held, Faces],
) -> Fraction | float:
    used, dice, locked = held
    if used == limit:
        return utility(dice, used)
    found: Fraction | float | None = None
    for kept in keepable(dice, locked):
        if len(kept) == DICE:
            if exactly:
                continue
            value = utility(dice, used)
        else:
            lock = kept if lock_kept else ()
            value = sum(
                chance * worth[Held(used + 1, after, lock)] for after, chance in falls(kept)
            )
        if found is None or value > found:
            found, keeps[held] = value, kept
    assert found is not None
    return found


def _finals(
    keeps: Mapping[Held, Faces], reached: dict[Held, Fraction], limit: int, lock_kept: bool
) -> dict[tuple[Faces, int], Fraction]:
    finals: dict[tuple[Faces, int], Fraction] = {}
    while reached:
        later: dict[Held, Fraction] = {}
        for held, chance in reached.items():
            used, dice, _ = held
            kept = keeps.get(held, dice)
            if len(kept) == DICE:
                finals[dice, used] = finals.get((dice, used), Fraction(0)) + chance
                continue
            for after, fall in falls(kept):
                then = Held(used + 1, after, kept if lock_kept else ())
                later[then] = later.get(then, Fraction(0)) + chance * fall
        reached = later
    return finals


def chance_within(dice: Faces, limit: int, *, lock_kept: bool = False) -> Fraction:
    """The chance to get just these dice within so many throws, when nothing else is aimed at.

    >>> chance_within((4, 2, 1), 2)
    Fraction(299, 2592)
    """
    wanted = high_to_low(dice)
    plan = best_play(lambda final, _: Fraction(final == wanted), limit, lock_kept=lock_kept)
    return Fraction(plan.value)
