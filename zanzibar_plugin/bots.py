"""A bot of one sensible level: it plays for the strongest combination it can expect.

It knows what every player knows: the rules, its dice and its throws.  For each set of dice it may
keep, it knows how strong the combination will be on average when it goes on playing well; that is
worked out once for a ranking, from the last throw back to the first.  It knows no variant by name:
what it may do it asks the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations as subsets

from zanzibar_plugin.dice import COMBINATIONS, DICE, Faces, high_to_low, throws, without
from zanzibar_plugin.engine import must_throw
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.state import Go, State

_Strengths = Mapping[Faces, float]


def next_key(state: State, player: str) -> str:
    """The next key for this player; "" if it is not his go."""
    go = state.go
    if go is None or go.player != player:
        return ""
    return toward(go, _wanted(state, go)) if go.dice else "enter"


def toward(go: Go, wanted: Faces) -> str:
    """The next key of whoever wants to throw just these dice again, or with none to accept."""
    for face in go.dice:
        chosen, meant = go.selected.count(face), wanted.count(face)
        if chosen > meant:
            return f"shift+{face}"
        if chosen < meant:
            return str(face)
    return "enter"


def again(rules: Rules, dice: Faces, left: int) -> Faces:
    """The dice to throw again with `left` throws to come; none to accept.

    Equally good choices are decided for fewer dice, so that a good combination is not risked.
    """
    return _best(rules, dice, choices(dice), left)


def choices(dice: Faces) -> list[Faces]:
    """All different selections of dice to throw again, fewest first."""
    found = {thrown for count in range(DICE + 1) for thrown in subsets(dice, count)}
    return sorted(found, key=lambda thrown: (len(thrown), thrown))


def _wanted(state: State, go: Go) -> Faces:
    """The best selection among those the rules allow."""
    allowed = choices(without(go.dice, go.locked))
    if must_throw(state):
        allowed = [thrown for thrown in allowed if thrown]
    left = 1 if go.last else go.limit - go.throws
    return _best(state.setting.rules, go.dice, allowed, left)


def _best(rules: Rules, dice: Faces, allowed: list[Faces], left: int) -> Faces:
    if not left or not allowed:
        return ()
    hopes = _hopes(_strengths(rules), left - 1)
    return max(allowed, key=lambda thrown: hopes[without(dice, thrown)])


def _strengths(rules: Rules) -> tuple[float, ...]:
    """For each of the 56 combinations, in their order, how many of 216 throws it beats or equals.

    Chances, not places in the list: the step from a straight to three twos is a small one.
    """
    return _chances(tuple(rules.by_dice[dice].strength for dice in COMBINATIONS))


@lru_cache(maxsize=64)
def _chances(strengths: tuple[int, ...]) -> tuple[float, ...]:
    weights = _weights()
    return tuple(
        float(sum(weights[n] for n, other in enumerate(strengths) if other <= strength))
        for strength in strengths
    )


@lru_cache(maxsize=1)
def _weights() -> tuple[int, ...]:
    """In how many of the 216 throws each combination falls, in the order of the combinations."""
    found = dict.fromkeys(COMBINATIONS, 0)
    for faces in throws(DICE):
        found[high_to_low(faces)] += 1
    return tuple(found.values())


@lru_cache(maxsize=64)
def _hopes(strengths: tuple[float, ...], left: int) -> _Strengths:
    """The expected strength from each set of kept dice, `left` throws after the next being left."""
    final = dict(zip(COMBINATIONS, strengths, strict=True))
    if left:
        later = _hopes(strengths, left - 1)
        final = {
            dice: max(later[without(dice, thrown)] for thrown in choices(dice)) for dice in final
        }
    hopes = {}
    for kept in {kept for dice in COMBINATIONS for kept in choices(dice)}:
        outcomes = throws(DICE - len(kept))
        total = sum(final[high_to_low((*kept, *faces))] for faces in outcomes)
        hopes[kept] = total / len(outcomes)
    return hopes
