"""The JSON Schema of rules files and the loader agree, but for what only the loader can see."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from playing import LIBRARY
from rules_strategy import documents, rules_files, ruleset_of
from test_random_rules import short

from zanzibar_plugin.data import RULES as FOLDER
from zanzibar_plugin.document import DocumentError, from_data, merge, read_file, read_text, to_data
from zanzibar_plugin.grammar import FILE, VARIANT, Option, PartialOption, json_schema
from zanzibar_plugin.schema import parse
from zanzibar_plugin.shapes import (
    DiceName,
    Either,
    Flag,
    Id,
    ListOf,
    MapOf,
    Prose,
    Record,
    Whole,
    Word,
)

SCHEMA = json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SOURCE = (FOLDER / "421.yaml").read_text(encoding="utf-8")


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_file_in_the_docs_is_current():
    """Made by `make schema`."""
    path = Path(__file__).parent.parent / "docs" / "rules.schema.json"
    text = path.read_text(encoding="utf-8")
    assert json.loads(text) == SCHEMA
    assert len(text) < 50_000


def test_what_comes_again_is_said_once():
    seen = set()

    def look(part):
        if isinstance(part, dict):
            said = json.dumps(part)
            if len(said) > 200:
                assert said not in seen, said[:200]
                seen.add(said)
        for inner in part.values() if isinstance(part, dict) else part:
            if isinstance(inner, (dict, list)):
                look(inner)

    look(SCHEMA)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_bundled_files(file):
    VALIDATOR.validate(to_data(read_file(file)))


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_bundled_files_on_their_bases(ruleset):
    VALIDATOR.validate(to_data(ruleset.document))


@short
@given(rules_files())
def test_random_rules(file):
    VALIDATOR.validate(file.document)


@short
@given(documents())
def test_what_the_schema_refuses_the_loader_refuses(document):
    if not VALIDATOR.is_valid(document):
        assert ruleset_of(document) is None


# Every field, made wrong in every way its shape knows.

LISTED = [{"dice": ["421"], "value": 1, "kind": "plain"}, {"dice": ["111"], "value": 2}]
WHOLE = {
    **to_data(LIBRARY.find("421").document),
    "note": {"en": "A note."},
    "source": "A book",
    "region": "A town",
    "own_game": True,
    "nenette_penalty": 0,
    "announce_last": False,
    "lock_kept": False,
    "repeat_step": 0,
    "lost_sets": 1,
    "advice": False,
    "combinations": LISTED,
}
WHOLE["supply"] = {
    "pot": 21,
    "each": 0,
    "by_players": {"2": {"pot": 11, "each": 0}},
    "per_extra": {"above": 4, "add": 2},
}
# A part of each will do: every field once.
WHOLE["keys"] = WHOLE["keys"][:1]
WHOLE["help"] = [
    {
        "title": "The game",
        "when": {"pot": ["yes"]},
        "paragraphs": [
            {
                "text": "One token.",
                "plural": "{count} tokens.",
                "count": "pot",
                "for_each": "phase",
                "when": {"pot": ["yes"]},
                "beats": ["666 611"],
            }
        ],
    }
]
WHOLE["values"] = {**WHOLE["values"], "211": 5}
WHOLE["options"] = {
    **WHOLE["options"],
    "way": {
        "label": "Way",
        "help": "Which way.",
        "default": "a",
        "choices": {"a": {"label": "A"}, "b": {"label": "B", "changes": {"lost_sets": 2}}},
    },
}
WHOLE["phases"] = {
    **WHOLE["phases"],
    "more": {
        "label": "more",
        "text": "More of it.",
        "throws": 2,
        "follow": "free",
        "payer": "each_other",
        "amount": 3,
        "ends": {"turns": 5, "target": 5},
        "leave": "never",
        "starter": "most_tokens",
    },
}


def wrongs(shape, value, path=()):
    """(path, wrong value) for everything that can be made wrong in a good value of a shape."""
    match shape:
        case Whole():
            for wrong in (shape.low - 1, shape.high + 1, "one", True, 1.5, [], {}):
                yield path, wrong
        case Flag():
            yield from ((path, wrong) for wrong in (1, "yes", [], {}))
        case Id():
            for wrong in ("", "a b", "../a", "x" * 41, 4, True, []):
                yield path, wrong
        case Prose():
            yield from ((path, wrong) for wrong in ("", "  ", 421, True, [], {}))
        case Word() | DiceName():
            yield from ((path, wrong) for wrong in ("nothing of ours", 421, True, [], {}))
        case ListOf():
            yield from ((path, wrong) for wrong in ("text", 1, {}))
            if shape.least:
                yield path, value[: shape.least - 1]
            if shape.unique and value:
                yield path, [*value, value[0]]
            for place, one in list(enumerate(value))[:2]:
                yield from wrongs(shape.item, one, (*path, place))
        case MapOf():
            yield from ((path, wrong) for wrong in ("text", 1, []))
            if not isinstance(shape.names, Prose):
                yield path, {**value, "nothing of ours": next(iter(value.values()))}
            yield path, {**value, "  " if isinstance(shape.names, Prose) else "0": {}}
            for name, one in value.items():
                yield from wrongs(shape.item, one, (*path, name))
        case Record():
            yield from ((path, wrong) for wrong in ("text", 1, []))
            yield path, {**value, "nothing_of_ours": 1}
            for name in value:
                if name in shape.fields and name not in shape.defaults:
                    yield path, {key: one for key, one in value.items() if key != name}
                    yield (*path, name), None
                yield from wrongs(shape.fields[name], value[name], (*path, name))
        case Option():
            parts = ("sets", "choices", "changes")
            yield from ((path, wrong) for wrong in ("text", 1, [], {}))
            yield path, {**value, "nothing_of_ours": 1}
            for name in value:
                if name not in parts:
                    yield path, {key: one for key, one in value.items() if key != name}
        case Either():
            yield from ((path, wrong) for wrong in ("nothing of ours!", [], True)
                        if not any(isinstance(one, Prose) for one in shape.shapes)
                        or not isinstance(wrong, str))  # fmt: skip
            if all(not isinstance(one, (Record, MapOf)) for one in shape.shapes):
                yield path, {}
            for one in shape.shapes:
                if isinstance(one, Whole):
                    yield from ((path, wrong) for wrong in (one.low - 1, one.high + 1))
                if isinstance(one, Record) and isinstance(value, dict):
                    yield path, {**value, "nothing_of_ours": 1}
                    for name in value:
                        for place, wrong in wrongs(one.fields[name], value[name], (*path, name)):
                            yield place, wrong


def changed_at(document, path, value):
    if not path:
        return value
    first, *rest = path
    copy = list(document) if isinstance(document, list) else dict(document)
    copy[first] = changed_at(copy[first], rest, value)
    return copy


def refused(shape, document):
    try:
        shape.read(from_data(document), "")
    except DocumentError:
        return True
    return False


def test_the_whole_document_is_good():
    """So that what is refused below is refused for what was made wrong in it."""
    VALIDATOR.validate(WHOLE)
    FILE.read(from_data(WHOLE), "")
    assert set(WHOLE) == set(FILE.fields)


def named(path):
    return ".".join(map(str, path))


def test_every_wrong_value_is_refused_by_both():
    tried, unlike = set(), []
    for path, wrong in wrongs(FILE, WHOLE):
        document = changed_at(WHOLE, path, wrong)
        tried.add(named(path))
        found = (refused(FILE, document), not VALIDATOR.is_valid(document))
        if found != (True, True):
            unlike.append((named(path), wrong, found))
    assert len(tried) > 100
    assert unlike == []


VARIED = {
    "id": "v",
    "name": "V",
    "base": "421",
    **{name: value for name, value in WHOLE.items() if name in VARIANT.fields
       and name not in ("id", "name", "options", "help", "keys")},
    "options": {"tokens": {"default": 11, "max": 30}, "dry_charge": None},
}  # fmt: skip


def test_every_wrong_value_of_a_variant_is_refused_by_both():
    VALIDATOR.validate(VARIED)
    unlike = []
    for path, wrong in wrongs(VARIANT, VARIED):
        document = changed_at(VARIED, path, wrong)
        if not isinstance(document, dict) or document.get("base") is None:
            continue  # no variant any more
        found = (refused(VARIANT, document), not VALIDATOR.is_valid(document))
        if found != (True, True):
            unlike.append((named(path), wrong, found))
    assert unlike == []


def test_every_kind_of_shape_is_made_wrong():
    known = (Whole, Flag, Prose, Id, Word, DiceName, ListOf, MapOf, Record, Option, Either)
    missing = []

    def look(shape):
        if not isinstance(shape, (*known, PartialOption)):
            missing.append(shape)
        parts = {
            Record: lambda: shape.fields.values(),
            MapOf: lambda: (shape.names, shape.item),
            ListOf: lambda: (shape.item,),
            Either: lambda: shape.shapes,
        }
        for inner in parts.get(type(shape), tuple)():
            look(inner)

    look(FILE)
    look(VARIANT)
    assert missing == []


# What only the loader can see.

CASES = [
    # (what is replaced in the file of 421, by what, what stands in the line told, its sentence)
    ("min: 2\n  max: 12", "min: 5\n  max: 4", "max: 4", "max must not be less than min"),
    ("pot: 21\n", "pot: 21\n  by_players:\n    \"2\":\n      pot: 0\n", "pot: 0",
     "The table cannot pay"),
    ("ends: table_empty", "ends: one_holder", "ends: one_holder", "cannot end like that"),
    ("ends: table_empty", "ends: first_empty", "ends: first_empty", "cannot end like that"),
    ("ends: one_holder", "ends: table_empty", "    ends: table_empty\n    leave: turn_end",
     "only emptied where the table pays"),
    ("leave: phase_end", "leave: turn_end", "leave: turn_end", "nobody can go out"),
    ("payer: table", "payer: table\n    amount: payer_value", "amount: payer_value",
     "no combination that could set a value"),
    ("payer: table\n    ends: table_empty", "payer: each_other\n    ends: first_empty",
     "payer: each_other", "Nobody can pay"),
    ("ends: one_holder", "ends: {turns: 2, target: 2}", "ends: {turns", "either turns or target"),
    ("ends: one_holder", "ends: {}", "ends: {}", "either turns or target"),
    ("ends: one_holder", "ends: {target: 99}", "ends: {target", "more than all the tokens"),
    ("    follow: previous\n    payer: best", "    follow: first_exactly\n    payer: best",
     "follow: first_exactly", "announce_last must be true"),
    ("ties: later_wins", "ties: later_wins\nannounce_last: true", "announce_last",
     "only announced where"),
    ('top: ["421", "111"]', 'top: ["421", "111", "221"]', 'bottom: ["221"]', "221 comes twice"),
    ('"543", "432"', '"543", "542"', "sequences:", "542 is no straight. Straights: "),
    ("  nenette: 4\n", "", "values:", "values.nenette is missing"),
    ("  nenette: 4\n", "  nenette: 4\n  zanzibar: 4\n", "  zanzibar: 4", "no such combination"),
    ('bottom: ["221"]', "bottom: []", "  nenette: 4", "no such combination"),
]  # fmt: skip


def line_of(source, part):
    assert part in source, part
    return source[: source.index(part)].count("\n") + 1


@pytest.mark.parametrize(("old", "new", "line", "words"), CASES, ids=[one[3] for one in CASES])
def test_contradictions(old, new, line, words):
    assert old in SOURCE
    source = SOURCE.replace(old, new, 1)
    document = read_text(source.encode(), "file.yaml")
    VALIDATOR.validate(to_data(document))
    with pytest.raises(DocumentError) as caught:
        parse(document, "file.yaml")
    assert words in str(caught.value)
    assert caught.value.line == line_of(source, line)


# Those that need more than one place of the file changed.
DEEPER = {
    "no tokens in the pot": (
        {"supply": {"pot": 0, "each": 1}, "options": {"tokens": None}},
        "The table cannot pay",
    ),
    "no tokens at all": (
        {
            "supply": {"pot": 0},
            "options": {"tokens": None},
            "phases": {"charge": None, "discharge": {"payer": "each_other"}},
        },
        "There must be tokens",
    ),
    "not played by so many": (
        {"supply": {"by_players": {"5": {"pot": 3}}}, "players": {"max": 4}},
        "This game is never played by 5 players",
    ),
    "no phase": ({"phases": {"charge": None, "discharge": None}}, "There must be a phase"),
    "no order": ({"ranking": None}, "There must be a ranking"),
    "no values": ({"values": None}, "There must be values"),
    "incomplete list": (
        {"combinations": [{"dice": ["421"], "value": 1}, {"dice": ["111"], "value": 1}]},
        "combinations: there must be all 56 of them",
    ),
    "a list with one twice": (
        {"combinations": [{"dice": ["421"], "value": 1}, {"dice": ["421"], "value": 1}]},
        "421 comes twice",
    ),
    "penalty without a nénette": (
        {"nenette_penalty": 1, "ranking": {"bottom": []}, "values": {"nenette": None}},
        "none at the bottom",
    ),
    "all without a pot": (
        {
            "supply": {"pot": 0, "each": 5},
            "options": {"tokens": None},
            "phases": {"charge": None, "discharge": {"payer": "each_other"}},
            "values": {"four_two_one": "all"},
        },
        "all needs tokens in the pot",
    ),
    "sets without a loser": (
        {"lost_sets": 2, "phases": {"discharge": {"ends": {"turns": 3}}}},
        "Sets need a loser: the last phase must end with one_holder",
    ),
    "some pay who have none": (
        {
            "supply": {"each": 5, "by_players": {"3": {"each": 0}}},
            "phases": {"charge": None, "discharge": {"payer": "each_other"}},
        },
        "Nobody can pay",
    ),
    "an option that contradicts": (
        {
            "options": {
                "odd": {
                    "label": "Odd",
                    "help": "Odd.",
                    "default": False,
                    "changes": {"phases": {"charge": {"leave": "turn_end"}}},
                }
            }
        },
        "nobody can go out",
    ),
}


@pytest.mark.parametrize(("changes", "words"), DEEPER.values(), ids=DEEPER)
def test_contradictions_of_several_fields(changes, words):
    document = merge(LIBRARY.find("421").document, from_data(changes))
    VALIDATOR.validate(to_data(document))
    with pytest.raises(DocumentError) as caught:
        parse(document, "file.yaml")
    assert words in str(caught.value)


def test_every_contradiction_has_a_test():
    source = (FOLDER.parent / "zanzibar_plugin" / "contradictions.py").read_text(encoding="utf-8")
    sentences = re.findall(r'text\(\s*"([^"]+)"', source)
    assert len(sentences) > 20
    tested = " ".join(words for *_, words in [*CASES, *DEEPER.values()])
    untested = [
        sentence
        for sentence in sentences
        # The longest piece of a sentence between its placeholders is tested, in part at least.
        if not any(words in sentence for *_, words in [*CASES, *DEEPER.values()])
        and max(re.split(r"{\w+}", sentence), key=len).strip(" .:") not in tested
    ]
    assert not untested, untested
