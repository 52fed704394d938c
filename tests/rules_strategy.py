"""Rules files made at random from their own description, so that a new field is tried by itself.

The shapes of `grammar.FILE` are walked; most draws leave a field as a bundled game has it.  What a
contradiction rules out, the loader refuses, and `rules_files` draws again.
"""

from functools import lru_cache

from hypothesis import assume
from hypothesis import strategies as st
from playing import LIBRARY

from zanzibar_plugin.document import DocumentError, from_data, to_data
from zanzibar_plugin.grammar import RULES
from zanzibar_plugin.ranking import Kind, Pairing
from zanzibar_plugin.schema import parse
from zanzibar_plugin.shapes import (
    COMBINATION_NAMES,
    DiceName,
    Either,
    Flag,
    ListOf,
    MapOf,
    Prose,
    Record,
    Whole,
    Word,
)

_WORDS = st.sampled_from(("play", "over and over", "the end", "first part"))


@lru_cache
def _base():
    """421 without its options, and its help with it."""
    document = to_data(LIBRARY.find("421").document)
    document.pop("options")
    return document


def values_of(shape):
    """Values that a shape takes."""
    match shape:
        case Whole():
            small = st.integers(shape.low, min(shape.high, max(shape.low, 12)))
            return small | st.integers(shape.low, shape.high)
        case Flag():
            return st.booleans()
        case Prose():
            return _WORDS
        case Word():
            return st.sampled_from(shape.words)
        case DiceName():
            return st.sampled_from(COMBINATION_NAMES)
        case ListOf():
            return st.lists(
                values_of(shape.item),
                min_size=shape.least,
                max_size=shape.least + 3,
                unique_by=repr if shape.unique else None,
            )
        case MapOf():
            return st.dictionaries(values_of(shape.names), values_of(shape.item), max_size=3)
        case Either():
            return st.one_of(*map(values_of, shape.shapes))
        case Record():
            return st.fixed_dictionaries(
                {name: values_of(one) for name, one in shape.fields.items()
                 if name not in shape.defaults},
                optional={name: values_of(one) for name, one in shape.fields.items()
                          if name in shape.defaults},
            )  # fmt: skip
    raise TypeError(f"no values are known for {shape!r}")


@st.composite
def documents(draw):
    """A rules file as plain data; a good part of them hold together."""
    made = dict(_base())
    for name in draw(st.lists(st.sampled_from(sorted(RULES)), unique=True, max_size=6)):
        made[name] = draw(values_of(RULES[name]))
    _mended(draw, made)
    return made


def _mended(draw, made):
    """Take out what chance alone would nearly always make contradictory."""
    players = made["players"]
    players["min"], players["max"] = sorted((players["min"], players["max"]))
    supply = made["supply"] = dict(made["supply"])
    if not supply.get("pot") and not supply.get("each"):
        supply["pot"] = draw(st.integers(1, 20))
    within = range(players["min"], players["max"] + 1)
    others = supply.get("by_players") or {}
    supply["by_players"] = {n: one for n, one in others.items() if int(n) in within}
    made["phases"] = {
        name: _phase(draw, dict(phase), first, supply)
        for first, (name, phase) in zip((True, *[False] * 3), made["phases"].items(), strict=False)
    } or _base()["phases"]
    made["announce_last"] = any(one["follow"] == "first_exactly" for one in made["phases"].values())
    last = list(made["phases"].values())[-1]
    if last["ends"] != "one_holder":
        made["lost_sets"] = 1
    _order(draw, made)


def _phase(draw, phase, first, supply):
    pot, each = supply["pot"], supply.get("each", 0)
    if phase["payer"] == "table" and not pot:
        phase["payer"] = draw(st.sampled_from(("best", "each_other")))
    if phase["payer"] != "table" and first and not each:
        phase["payer"] = "table" if pot else phase["payer"]
    ends = phase["ends"]
    if isinstance(ends, dict):
        turns = draw(st.booleans())
        target = min(ends.get("target") or 5, pot + 2 * each)
        phase["ends"] = {"turns": ends.get("turns") or 3} if turns else {"target": target}
    elif phase["payer"] == "table":
        phase["ends"] = "table_empty"
    elif ends == "table_empty":
        phase["ends"] = "one_holder"
    if phase["payer"] == "table":
        if phase["leave"] == "turn_end":
            phase["leave"] = "phase_end"
        if phase.get("amount") == "payer_value":
            phase["amount"] = "best_value"
    return phase


def _order(draw, made):
    """An order and values that fit each other; a list of combinations in place of it."""
    if draw(st.integers(0, 5)) == 0:
        made["ranking"] = made["values"] = None
        made["combinations"] = _listed(draw)
        kinds = {one["kind"] for one in made["combinations"]}
        if Kind.NENETTE not in kinds:
            made["nenette_penalty"] = 0
        return
    made.pop("combinations", None)
    ranking = made["ranking"] = dict(made["ranking"])
    # What is named at the top or bottom must not make an example of the help page false.
    if ranking is not _base()["ranking"]:
        ranking["top"] = draw(st.sampled_from((["421", "111"], ["421"], ["654"], ["654", "111"])))
        ranking["bottom"] = draw(st.sampled_from((["221"], [])))
        straights = draw(st.sampled_from((["654", "543", "432", "321"], ["321"], [])))
        ranking["sequences"] = [one for one in straights if one not in ranking["top"]]
        if draw(st.booleans()):
            ranking["die_points"] = {
                **_base()["ranking"]["die_points"],
                **draw(st.sampled_from(({}, {"1": 100, "6": 60}, {"1": 900, "6": 500}))),
            }
    if "221" not in ranking["bottom"]:
        made["nenette_penalty"] = 0
    fits = {
        Kind.FOUR_TWO_ONE: "421" in ranking["top"],
        Kind.ZANZIBAR: "654" in ranking["top"],
        Kind.THREE_ONES: "111" in ranking["top"],
        Kind.NENETTE: "221" in ranking["bottom"],
        Kind.PURE: ranking["pairing"] != Pairing.NO_PAIRS,
        Kind.SEQUENCE: bool(ranking["sequences"]),
        Kind.TRIPLE: True,
        Kind.PLAIN: True,
    }
    given = {name: one for name, one in made["values"].items() if fits.get(name, True)}
    for kind, needed in fits.items():
        if needed and kind not in given:
            given[kind.value] = draw(st.integers(1, 12))
    if not made["supply"]["pot"]:
        given = {name: 3 if one in ("all", "all_but_one") else one for name, one in given.items()}
    made["values"] = given


def _listed(draw):
    left = draw(st.permutations(COMBINATION_NAMES))
    classes = []
    while left:
        count = draw(st.sampled_from((1, 1, 1, 2, 5, 20)))
        if not classes:
            count = min(count, len(left) - 1)
        kind = draw(st.sampled_from(tuple(one.value for one in Kind)))
        value = draw(st.integers(1, 10))
        classes.append({"dice": left[:count], "value": value, "kind": kind})
        left = left[count:]
    return classes


refused: list[str] = []
"""Why documents were refused, for whoever looks into how many are."""


def ruleset_of(document):
    """The ruleset of a document, or None if it is refused."""
    try:
        return parse(from_data(document), "random.yaml")
    except DocumentError as fault:
        refused.append(str(fault))
        return None


class RulesFile:
    """Rules that were accepted; shown by what differs from the base, without its long help."""

    def __init__(self, document, ruleset):
        self.document = document
        self.ruleset = ruleset

    def __repr__(self):
        return repr({name: one for name, one in self.document.items() if one != _base().get(name)})


@st.composite
def rules_files(draw):
    """Rules files that were accepted."""
    document = draw(documents())
    ruleset = ruleset_of(document)
    assume(ruleset is not None)
    return RulesFile(document, ruleset)
