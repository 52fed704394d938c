"""The shape of a rules file: every field, its type, its range and its default."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from zanzibar_plugin.document import Node
from zanzibar_plugin.engine import KEYS
from zanzibar_plugin.ranking import Kind, Pairing, Rest, Triples, Worth
from zanzibar_plugin.rules import (
    Amount,
    Ends,
    First,
    Follow,
    Leave,
    Next,
    Order,
    Payer,
    PhaseStarter,
    Scope,
    Stake,
    Tie,
)
from zanzibar_plugin.shapes import (
    COMBINATION_NAMES,
    DiceName,
    Either,
    Flag,
    Id,
    ListOf,
    MapOf,
    Prose,
    Record,
    Schema,
    Shape,
    Whole,
    Word,
    mapping,
    one_of,
)
from zanzibar_plugin.text import text

MOST_PLAYERS = 12
MOST_TOKENS = 99
MOST_TURNS = 1000

_TOKENS = Whole(1, MOST_TOKENS)


def _value(*words: Worth) -> Either:
    """A value in tokens: a number, or one of the words that fit the combination."""
    names = tuple(word.value for word in (*words, Worth.ALL, Worth.ALL_BUT_ONE))
    expected = text(
        "{name} must be a whole number from {low} to {high}, or one of: {words}.",
        low=1,
        high=MOST_TOKENS,
        words=", ".join(names),
    )
    return Either((_TOKENS, Word(names)), expected)


_VALUES: dict[str, Shape] = {kind.value: _value() for kind in Kind}
_VALUES[Kind.TRIPLE] = _value(Worth.FACE)
_VALUES[Kind.PURE] = _value(Worth.THIRD)
_VALUES.update({name: _value() for name in COMBINATION_NAMES})

_NUMBER_OF_PLAYERS = Word(tuple(str(n) for n in range(2, MOST_PLAYERS + 1)))

_ENDS = Either(
    (
        Word((Ends.TABLE_EMPTY, Ends.ONE_HOLDER, Ends.FIRST_EMPTY)),
        Record(
            {Ends.TURNS: Whole(1, MOST_TURNS), Ends.TARGET: _TOKENS},
            {Ends.TURNS: None, Ends.TARGET: None},
        ),
    ),
    text(
        "{name} must be one of: {words}; or a number of turns or tokens, like {example}.",
        words=", ".join((Ends.TABLE_EMPTY, Ends.ONE_HOLDER, Ends.FIRST_EMPTY)),
        example="{turns: 10}",
    ),
)

PHASE = Record(
    {
        "label": Prose(),
        "text": Prose(),
        "throws": Whole(1, 3),
        "follow": one_of(Follow),
        "payer": one_of(Payer),
        "amount": Either(
            (one_of(Amount), _TOKENS),
            text(
                "{name} must be a whole number from {low} to {high}, or one of: {words}.",
                low=1,
                high=MOST_TOKENS,
                words=", ".join(Amount),
            ),
        ),
        "ends": _ENDS,
        "leave": one_of(Leave),
        "starter": one_of(PhaseStarter),
    },
    {"text": "", "amount": Amount.BEST_VALUE.value, "starter": PhaseStarter.AS_USUAL.value},
)

SUPPLY = Record(
    {
        "pot": Whole(0, MOST_TOKENS),
        "each": Whole(0, MOST_TOKENS),
        "by_players": MapOf(
            _NUMBER_OF_PLAYERS,
            Record(
                {"pot": Whole(0, MOST_TOKENS), "each": Whole(0, MOST_TOKENS)},
                {"pot": None, "each": None},
            ),
        ),
        "per_extra": Record({"above": Whole(2, MOST_PLAYERS), "add": Whole(1, 20)}),
    },
    {"each": 0, "by_players": {}, "per_extra": None},
)

RANKING = Record(
    {
        "top": ListOf(DiceName(), unique=True),
        "pairing": one_of(Pairing),
        "triples": one_of(Triples),
        "sequences": ListOf(DiceName(), unique=True),
        "rest": one_of(Rest),
        "die_points": Record({str(face): Whole(0, 1000) for face in range(1, 7)}),
        "bottom": ListOf(DiceName(), unique=True),
    }
)

CLASS = Record(
    {
        "dice": ListOf(DiceName(), least=1, unique=True),
        "value": _value(),
        "kind": one_of(Kind),
    },
    {"kind": Kind.PLAIN.value},
)

THROW_OFF = Record(
    {
        "throws": Whole(1, 3),
        "order": one_of(Order),
        "stake": one_of(Stake),
        "scope": one_of(Scope),
    }
)

RULES: dict[str, Shape] = {
    "players": Record({"min": Whole(2, MOST_PLAYERS), "max": Whole(2, MOST_PLAYERS)}),
    "supply": SUPPLY,
    "phases": MapOf(Prose(), PHASE),
    "start": Record({"first": one_of(First), "next": one_of(Next)}),
    "ranking": RANKING,
    "values": Record(_VALUES, dict.fromkeys(_VALUES)),
    "combinations": ListOf(CLASS, least=2),
    "ties": one_of(Tie),
    "throw_off": THROW_OFF,
    "nenette_penalty": Whole(0, MOST_TOKENS),
    "announce_last": Flag(),
    "lock_kept": Flag(),
    "repeat_step": Whole(0, 20),
    "lost_sets": Whole(1, 9),
    "advice": Flag(),
}
"""What a table is played by; everything here can also be changed by an option."""

CHANGES = Record(RULES).partial()

_LABELS: dict[str, Shape] = {"label": Prose(), "help": Prose()}

NUMBER = Record(
    {
        **_LABELS,
        "min": Whole(0, MOST_TOKENS),
        "max": Whole(0, MOST_TOKENS),
        "default": Whole(0, MOST_TOKENS),
        "sets": Prose(),
    }
)
SWITCH = Record({**_LABELS, "default": Flag(), "changes": CHANGES})
CHOICE = Record(
    {
        **_LABELS,
        "default": Prose(),
        "choices": MapOf(Prose(), Record({"label": Prose(), "changes": CHANGES}, {"changes": {}})),
    }
)


class Option(Shape):
    """A number, a switch or a choice; which one is told by the field only it has."""

    def read(self, node: Node, name: str) -> dict[str, Any]:
        fields = mapping(node, name)
        shape = NUMBER if "sets" in fields else CHOICE if "choices" in fields else SWITCH
        return shape.read(node, name)

    def schema(self) -> Schema:
        return {"anyOf": [shape.schema() for shape in (NUMBER, SWITCH, CHOICE)]}


class PartialOption(Shape):
    """What a variant changes of an option of its base."""

    _CHANGES = Record(
        {
            **NUMBER.fields,
            **CHOICE.fields,
            "default": Either((Flag(), Whole(0, MOST_TOKENS), Prose()), text("{name} is wrong.")),
            "changes": CHANGES,
        }
    ).partial()

    def read(self, node: Node, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self._CHANGES.read(node, name)
        return found

    def schema(self) -> Schema:
        return self._CHANGES.schema()


KEY = Record({"keys": ListOf(Word(KEYS), least=1, unique=True), **_LABELS})

PARAGRAPH = Record(
    {
        "text": Prose(),
        "plural": Prose(),
        "count": Prose(),
        "for_each": Word(("phase", "supply", "class")),
        "when": MapOf(Prose(), ListOf(Prose(), least=1)),
        "beats": ListOf(Prose()),
    },
    {"plural": "", "count": "", "for_each": "", "when": {}, "beats": []},
)

_WHEN = MapOf(Prose(), ListOf(Prose(), least=1))
SECTION = Record({"title": Prose(), "when": _WHEN, "paragraphs": ListOf(PARAGRAPH)}, {"when": {}})

_OWN_WORDS = Either(
    (Prose(), MapOf(Prose(), Prose())),
    text("{name} must be a text, or a text for each language."),
)

_HEAD: dict[str, Shape] = {
    "id": Id(),
    "name": _OWN_WORDS,
    "summary": Prose(),
    "note": _OWN_WORDS,
    "source": Prose(),
    "region": Prose(),
    "own_game": Flag(),
    "options": MapOf(Prose(), Option()),
    "keys": ListOf(KEY),
    "help": ListOf(SECTION),
}

FILE = Record(
    {**_HEAD, **RULES},
    {
        "note": None,
        "source": "",
        "region": "",
        "summary": "",
        "own_game": False,
        "options": {},
        "ranking": None,
        "values": None,
        "combinations": None,
        "nenette_penalty": 0,
        "announce_last": False,
        "lock_kept": False,
        "repeat_step": 0,
        "lost_sets": 1,
        "advice": False,
    },
)
"""A whole rules file, its base laid under it already."""

_VARIANT = Record(
    {
        **Record({**_HEAD, **RULES}).partial().fields,
        "options": MapOf(Prose(), PartialOption(), True),
    }
)
VARIANT = Record(
    {**_VARIANT.fields, "id": Id(), "name": _OWN_WORDS, "base": Prose()},
    dict.fromkeys(name for name in _VARIANT.fields if name not in ("id", "name")),
)
"""A file that states only its differences from its `base`."""


def json_schema() -> Schema:
    """The JSON Schema of rules files, for editors; what comes again is said once, in `$defs`."""
    whole = {
        "if": {"required": ["base"]},
        "then": VARIANT.schema(),
        "else": FILE.schema(),
    }
    counts: Counter[str] = Counter()
    _count(whole, counts)
    defs: dict[str, Any] = {}
    names: dict[str, str] = {}
    short = _shortened(whole, counts, names, defs)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of Zanzibar",
        **short,
        "$defs": dict(sorted(defs.items(), key=lambda one: int(one[0][4:]))),
    }


_SHORT = 60
"""What is no longer than this as JSON is written out each time."""


def _count(part: object, counts: Counter[str]) -> None:
    """How often each schema comes; the parts of one that comes again are counted once."""
    if isinstance(part, dict):
        key = json.dumps(part)
        counts[key] += 1
        if counts[key] > 1:
            return
    for inner in _inner(part):
        _count(inner, counts)


def _inner(part: object) -> Iterable[object]:
    if isinstance(part, list):
        yield from part
    elif isinstance(part, dict):
        for name, inner in part.items():
            # The properties themselves are names, and no schema.
            yield from inner.values() if name == "properties" else (inner,)


def _shortened(
    part: Any,  # noqa: ANN401 - any part of a schema
    counts: Counter[str],
    names: dict[str, str],
    defs: dict[str, Any],
) -> Any:  # noqa: ANN401
    if isinstance(part, list):
        return [_shortened(inner, counts, names, defs) for inner in part]
    if not isinstance(part, dict):
        return part
    key = json.dumps(part)
    if key not in names:
        hoisted = counts[key] > 1 and len(key) > _SHORT
        if hoisted:
            names[key] = f"part{len(names) + 1}"
        short = {
            name: (
                {field: _shortened(one, counts, names, defs) for field, one in inner.items()}
                if name == "properties"
                else _shortened(inner, counts, names, defs)
            )
            for name, inner in part.items()
        }
        if not hoisted:
            return short
        defs[names[key]] = short
    return {"$ref": f"#/$defs/{names[key]}"}


if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=1, ensure_ascii=False))
