"""The numbers and examples of a help page, all of them from the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zanzibar_plugin.dice import Faces, faces_of
from zanzibar_plugin.ranking import Combination, Kind
from zanzibar_plugin.rules import Ends, Phase, Rules
from zanzibar_plugin.ruleset import Number, Paragraph, Ruleset
from zanzibar_plugin.text import Dice, Field, Text
from zanzibar_plugin.traits import RANKED, Traits, holds, listed, traits_of

_FIELD = re.compile(r"\{(\w+)\}")
_OF_DICE = re.compile(r"(dice|value|points)_([1-6]{3})")


class Case(NamedTuple):
    """What a paragraph is filled from: facts by name, and the traits it is chosen by."""

    facts: Mapping[str, Field]
    traits: Traits


def cases_of(ruleset: Ruleset, rules: Rules) -> Mapping[str, Sequence[Case]]:
    """For each word that `for_each` may be ("" without it), the cases a paragraph is said for."""
    whole = Case(_facts(ruleset, rules), _traits(ruleset, rules))
    if any(untrue(paragraph, rules) for paragraph in _told(ruleset, whole)):
        # No words describe this order; so its combinations are told one by one.
        others = {name: values for name, values in whole.traits.items() if name not in RANKED}
        whole = Case(whole.facts, {**others, **listed(rules)})
    return {
        "": (whole,),
        "phase": [_with(whole, _phase(ruleset, phase)) for phase in rules.phases],
        "supply": [
            _with(whole, _supply(players, pot, each))
            for players, (pot, each) in rules.supply.by_players.items()
        ],
        "class": [_with(whole, _class(equal)) for equal in _classes(rules)],
    }


def untrue(paragraph: Paragraph, rules: Rules) -> tuple[str, str] | None:
    """An example of a paragraph that the ranking contradicts, or None."""
    for stronger, weaker in paragraph.beats:
        if rules.strength(faces_of(stronger)) <= rules.strength(faces_of(weaker)):
            return stronger, weaker
    return None


def _told(ruleset: Ruleset, whole: Case) -> list[Paragraph]:
    """The paragraphs shown that a variant has from its base: its own must be true by themselves."""
    return [
        paragraph
        for section in ruleset.help
        if holds(section.when, whole.traits)
        for paragraph in section.paragraphs
        if holds(paragraph.when, whole.traits) and not own(paragraph, ruleset)
    ]


def own(paragraph: Paragraph, ruleset: Ruleset) -> bool:
    """Whether a paragraph stands in the file of the ruleset itself, not in that of its base."""
    return bool(ruleset.file) and paragraph.node.file == ruleset.file


def filled(paragraph: Paragraph, rules: Rules, facts: Mapping[str, Field]) -> Text:
    """A paragraph with the fields it names.  Raises LookupError for one that is not known."""
    fields = {
        name: field_of(name, rules, facts)
        for name in _FIELD.findall(paragraph.msgid + paragraph.plural)
        if name != "count" or not paragraph.plural
    }
    if not paragraph.plural:
        return Text(paragraph.msgid, fields)
    count = facts[paragraph.count]
    if not isinstance(count, int):
        raise LookupError(paragraph.count)
    return Text(paragraph.msgid, {**fields, "count": count}, paragraph.plural, count)


def field_of(name: str, rules: Rules, facts: Mapping[str, Field]) -> Field:
    """The fact of this name; of any combination its dice, value or points."""
    match = _OF_DICE.fullmatch(name)
    if match is None:
        return facts[name]
    found = rules.by_dice[faces_of(match[2])]
    if match[1] == "dice":
        return Dice(found.dice)
    if match[1] == "points":
        return _points(rules, found.dice)
    return found.value if isinstance(found.value, int) else found.value.value


def _with(whole: Case, part: Case) -> Case:
    return Case({**whole.facts, **part.facts}, {**whole.traits, **part.traits})


def _points(rules: Rules, dice: Faces) -> int:
    assert rules.ranking is not None
    return sum(rules.ranking.die_points[face] for face in dice)


def _facts(ruleset: Ruleset, rules: Rules) -> dict[str, Field]:
    strongest = rules.combinations[0]
    supply, amounts = rules.supply, [phase.amount for phase in rules.phases]
    value = strongest.value if isinstance(strongest.value, int) else 0
    facts: dict[str, Field] = {
        "min_players": rules.min_players,
        "max_players": rules.max_players,
        "pot": supply.pot,
        "each": supply.each,
        "extra_above": supply.extra_above,
        "extra_add": supply.extra_add,
        "phases": len(rules.phases),
        "throws": max(phase.throws for phase in rules.phases),
        "amount": next((amount for amount in amounts if isinstance(amount, int)), 0),
        "example_value": value,
        "example_left": max(1, value - 1),
        "lost_sets": rules.lost_sets,
        "penalty": rules.penalty,
        "repeat_step": rules.repeat_step,
        "throw_off_throws": rules.throw_off.throws,
        "dice_best": Dice(strongest.dice),
        **_of_ranking(rules),
    }
    for option in ruleset.options:
        if isinstance(option, Number):
            facts[f"{option.name}_min"] = option.low
            facts[f"{option.name}_max"] = option.high
            facts[f"{option.name}_default"] = option.default
    return facts


def _of_ranking(rules: Rules) -> dict[str, Field]:
    facts: dict[str, Field] = {}
    straights = [one for one in rules.combinations if one.kind is Kind.SEQUENCE]
    plain = [one for one in rules.combinations if one.kind is Kind.PLAIN]
    if straights:
        facts["straights"] = _in_a_row(straights)
        facts["straight_value"] = _value(straights[0])
    if plain:
        facts["rest_value"] = _value(plain[0])
    if rules.ranking is not None:
        for face, points in rules.ranking.die_points.items():
            facts[f"points_of_{face}"] = points
    return facts


def _in_a_row(combinations: Sequence[Combination]) -> str:
    """Combinations one after the other; semicolons keep their dice apart."""
    return "; ".join(", ".join(map(str, one.dice)) for one in combinations)


def _value(one: Combination) -> Field:
    return one.value if isinstance(one.value, int) else one.value.value


def _traits(ruleset: Ruleset, rules: Rules) -> Traits:
    chosen = {
        f"option_{name}": frozenset([str(value).lower()]) for name, value in rules.options.items()
    }
    names = frozenset(option.name for option in ruleset.options)
    return {**traits_of(rules), **chosen, "options": names}


def _phase(ruleset: Ruleset, phase: Phase) -> Case:
    fixed = isinstance(phase.amount, int)
    facts: dict[str, Field] = {
        "phase": Text(ruleset.phases[phase.id].label, {}),
        "phase_throws": phase.throws,
        "phase_count": phase.count,
        "phase_fixed": phase.amount if isinstance(phase.amount, int) else 0,
    }
    words = {
        "phase_payer": phase.payer.value,
        "phase_ends": Ends(phase.ends).value,
        "phase_leave": phase.leave.value,
        "phase_follow": phase.follow.value if phase.throws > 1 else "",
        "phase_amount": "fixed" if fixed else str(phase.amount),
    }
    return Case(facts, {name: frozenset([word]) for name, word in words.items()})


def _supply(players: int, pot: int, each: int) -> Case:
    facts: dict[str, Field] = {"players": players, "supply_pot": pot, "supply_each": each}
    words = {"supply_pot": "yes" if pot else "no", "supply_each": "yes" if each else "no"}
    return Case(facts, {name: frozenset([word]) for name, word in words.items()})


def _classes(rules: Rules) -> list[list[Combination]]:
    """The combinations of each strength, strongest first."""
    classes: dict[int, list[Combination]] = {}
    for one in rules.combinations:
        classes.setdefault(one.strength, []).append(one)
    return list(classes.values())


def _class(equal: Sequence[Combination]) -> Case:
    value = _value(equal[0])
    word = "number" if isinstance(value, int) else str(value)
    facts: dict[str, Field] = {"dice": _in_a_row(equal), "value": value}
    return Case(facts, {"class_value": frozenset([word])})
