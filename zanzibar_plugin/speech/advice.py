"""What is heard of advice: the best choice, how good it is, and how good the present one is.

Chances are said as whole numbers of cases, which every language has words for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zanzibar_plugin.dice import DICE, Faces
from zanzibar_plugin.rules import Ends, Payer, Rules
from zanzibar_plugin.speech.scene import Scene, Sentences
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Dice, Text, text

_CASES = (100, 1000, 10000)


def advised(data: Mapping[str, Any], scene: Scene) -> Sentences:
    return (_verdict(data, scene), *_reason(data, scene.state))


def in_cases(*chances: float, about: bool = False) -> tuple[int, ...]:
    """Of how many cases to speak, and the number of them for each chance.

    There are so many that different chances get different numbers, and that what may still happen
    or not is not said to be sure; unless all is `about` so many anyway.
    """
    for cases in _CASES:
        numbers = tuple(round(chance * cases) for chance in chances)
        sure = any(
            number in (0, cases) and chance not in (0, 1)
            for number, chance in zip(numbers, chances, strict=True)
        )
        if len(set(numbers)) == len(set(chances)) and (about or not sure):
            break
    return (cases, *numbers)


def is_best(data: Mapping[str, Any]) -> bool:
    """Whether what the player has selected is the best already."""
    same: bool = data["best"] == data["selected"] and not data["announce"]
    return same


def _verdict(data: Mapping[str, Any], scene: Scene) -> Text:
    dice, best = tuple(data["dice"]), tuple(data["best"])
    if not dice:
        if data["announce"]:
            return text("It is best to announce that the first roll is the last.")
        return text("It is best to roll without announcing.")
    if best and is_best(data):
        return text("What you have selected is best.")
    if data["announce"]:
        return _announcing(best)
    if not best:
        # L10N: {combination} is such as "5, 1, 1, pure of five".
        return text("It is best to accept {combination}.", combination=scene.named(dice))
    if len(best) == DICE:
        return text("It is best to roll all three again.")
    # L10N: {dice} are the dice one by one, such as "4, 2".
    return text("It is best to roll again: {dice}.", dice=Dice(best))


def _announcing(best: Faces) -> Text:
    if len(best) == DICE:
        return text("It is best to announce the last roll and roll all three again.")
    # L10N: {dice} are the dice one by one, such as "4, 2".
    return text("It is best to announce the last roll and roll again: {dice}.", dice=Dice(best))


def _reason(data: Mapping[str, Any], state: State) -> Sentences:
    """How good the best is, and after it the present choice, if that is another one."""
    measure = _measure(data, state)
    if not measure:
        return (text("It is better because of how many tokens are taken."),)
    now = None if data["now"] is None or is_best(data) else data["now"][measure]
    if now is None:
        cases, best = in_cases(data[measure], about=not data["exact"])
        return (_chance(measure, best, cases, state),)
    cases, best, present = in_cases(data[measure], now, about=not data["exact"])
    return (_chance(measure, best, cases, state), _present(data, present, cases))


def _measure(data: Mapping[str, Any], state: State) -> str:
    """The chance that tells most: that of the game where it is known, else one of this round.

    With an estimate it is the one of the round that the better choice improves most; "" if none.
    """
    if data["exact"]:
        return "win"
    to_be_strongest = state.turn.about != "turn" or state.phase.payer is Payer.BEST
    measures = ("turn", "safe") if to_be_strongest else ("safe",)
    if data["now"] is None or is_best(data):
        return measures[0]
    gains = {one: data[one] - data["now"][one] for one in measures}
    most = max(measures, key=gains.__getitem__)
    return most if gains[most] > 0 else ""


def _chance(measure: str, number: int, cases: int, state: State) -> Text:
    """How often something good comes of the best choice."""
    if measure == "turn":
        return text(
            "You are the strongest in about {number} of {cases} cases.", number=number, cases=cases
        )
    if measure == "safe":
        return text(
            "You are not the weakest in about {number} of {cases} cases.",
            number=number,
            cases=cases,
        )
    if state.setting.rules.lost_sets > 1:
        if wins(state):
            return text("You win the set in {number} of {cases} cases.", number=number, cases=cases)
        return text(
            "You do not lose the set in {number} of {cases} cases.", number=number, cases=cases
        )
    if wins(state):
        return text("You win the game in {number} of {cases} cases.", number=number, cases=cases)
    return text(
        "You do not lose the game in {number} of {cases} cases.", number=number, cases=cases
    )


def wins(state: State) -> bool:
    """Whether the chance of the game is that to win it: with more than two, most do not lose."""
    return len(state.setting.players) == 2 or _has_no_loser(state.setting.rules)


def _has_no_loser(rules: Rules) -> bool:
    return rules.phases[-1].ends is Ends.FIRST_EMPTY


def _present(data: Mapping[str, Any], number: int, cases: int) -> Text:
    if data["announce"] and data["best"] == data["selected"]:
        # L10N: How good it is to go on without announcing the last roll.
        return text("Without announcing it: {number} of {cases}.", number=number, cases=cases)
    if data["selected"]:
        # L10N: How good the present choice is, after "You win the game in 54 of 100 cases."
        return text("With what you have selected: {number} of {cases}.", number=number, cases=cases)
    # L10N: How good it is to accept, after "You win the game in 54 of 100 cases."
    return text("If you accept: {number} of {cases}.", number=number, cases=cases)


def advised_briefly(data: Mapping[str, Any], scene: Scene) -> Sentences:
    """In few words: what to do, and two numbers."""
    return (_do(data), *_numbers(data, scene.state))


def _do(data: Mapping[str, Any]) -> Text:
    best = tuple(data["best"])
    if data["announce"]:
        if not best:
            # L10N: In few words, what is best: to announce the last roll.
            return text("Announce.")
        if len(best) == DICE:
            return text("Announce, and roll all three again.")
        return text("Announce, and roll again: {dice}.", dice=Dice(best))
    if not data["dice"]:
        # L10N: In few words, what is best: to roll without announcing the last roll.
        return text("Do not announce.")
    if not best:
        # L10N: In few words, what is best: to accept the dice.
        return text("Accept.")
    if len(best) == DICE:
        # L10N: In few words, what is best.
        return text("Roll all three again.")
    # L10N: In few words, what is best; {dice} are the dice one by one, such as "4, 2".
    return text("Roll again: {dice}.", dice=Dice(best))


def _numbers(data: Mapping[str, Any], state: State) -> Sentences:
    measure = _measure(data, state)
    if not measure:
        return ()
    if data["now"] is None or is_best(data):
        cases, best = in_cases(data[measure], about=not data["exact"])
        # L10N: In few words, how good a choice is.
        return (text("{number} of {cases}.", number=best, cases=cases),)
    about = not data["exact"]
    cases, best, now = in_cases(data[measure], data["now"][measure], about=about)
    # L10N: In few words, how good the best choice is, and how good the present one.
    return (text("{number} of {cases}, not {now}.", number=best, now=now, cases=cases),)
