"""The rules file of 421, and faulty ones: each is refused with its line and a plain sentence."""

import dataclasses
import shutil
import time
from typing import NamedTuple

import pytest
from strategies import FILE, RULESET, rules_421

from zanzibar_plugin.data import RULES
from zanzibar_plugin.document import DocumentError
from zanzibar_plugin.library import Library
from zanzibar_plugin.rules import (
    Amount,
    Ends,
    First,
    Follow,
    Leave,
    Next,
    Payer,
    PhaseStarter,
    Tie,
)
from zanzibar_plugin.ruleset import Number, Switch
from zanzibar_plugin.schema import load, rules_of
from zanzibar_plugin.text import Text

SOURCE = FILE.read_text(encoding="utf-8")


def line_of(source, part):
    assert part in source, part
    return source[: source.index(part)].count("\n") + 1


def fault_of(path, source):
    """The fault of a file with this source, which must be found in less than a second."""
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    start = time.perf_counter()
    with pytest.raises(DocumentError) as caught:
        load(path)
    assert time.perf_counter() - start < 1
    error = caught.value
    assert error.file == str(path)
    place = f"{path}, line {error.line}: " if error.line else f"{path}: "
    said = str(error)
    assert said.startswith(place)
    sentence = said.removeprefix(place)
    assert sentence[:1].strip(), "a sentence does not begin with a space"
    assert sentence.endswith((".", "?"))
    assert sentence.isprintable()
    # But for an example of YAML nothing is left of a template.
    assert "{" not in sentence.replace("like {turns: 10}.", "")
    assert len(sentence) < 400
    return error


# What the file says.


def test_421():
    assert RULESET.id == "421"
    assert [option.name for option in RULESET.options] == ["tokens", "dry_charge", "advice"]
    tokens, dry, advice = RULESET.options
    assert isinstance(tokens, Number)
    assert (tokens.low, tokens.high, tokens.default) == (1, 99, 21)
    for switch in (dry, advice):
        assert isinstance(switch, Switch)
        assert switch.default is False


def test_rules_of_421():
    rules = rules_421()
    assert (rules.id, rules.min_players, rules.max_players) == ("421", 2, 12)
    assert {rules.supply.start(players) for players in range(2, 13)} == {(21, 0)}
    assert rules.options == {"tokens": 21, "dry_charge": False, "advice": False}
    assert rules.advice is False
    charge, discharge = rules.phases
    assert (charge.id, charge.throws, charge.payer) == ("charge", 3, Payer.TABLE)
    assert (discharge.id, discharge.throws, discharge.payer) == ("discharge", 3, Payer.BEST)
    assert (charge.ends, discharge.ends) == (Ends.TABLE_EMPTY, Ends.ONE_HOLDER)
    assert (charge.leave, discharge.leave) == (Leave.PHASE_END, Leave.TURN_END)
    for phase in rules.phases:
        assert (phase.follow, phase.amount) == (Follow.PREVIOUS, Amount.BEST_VALUE)
        assert phase.starter is PhaseStarter.AS_USUAL
    assert (rules.first, rules.next, rules.tie) == (First.SEAT, Next.LOSER, Tie.LATER_WINS)
    # What only other variants have.
    assert (rules.penalty, rules.repeat_step, rules.lost_sets) == (0, 0, 1)
    assert (rules.lock_kept, rules.announced) == (False, False)
    assert len(rules.combinations) == 56


@pytest.mark.parametrize("tokens", [1, 2, 21, 99])
def test_number_of_tokens(tokens):
    rules = rules_421(tokens=tokens)
    assert rules.supply.start(2) == (tokens, 0)
    assert rules.options == {"tokens": tokens, "dry_charge": False, "advice": False}
    assert rules.phases == rules_421().phases


def test_dry_charge_changes_the_charge_only():
    charge, discharge = rules_421(dry_charge=True).phases
    assert charge == dataclasses.replace(rules_421().phases[0], throws=1)
    assert discharge == rules_421().phases[1]
    assert rules_421(dry_charge=True).supply == rules_421().supply


@pytest.mark.parametrize(
    "given",
    [
        {"tokens": 0},
        {"tokens": 100},
        {"tokens": -1},
        {"tokens": 2.0},
        {"tokens": True},
        {"tokens": None},
        {"tokens": ""},
        {"tokens": "many"},
        {"tokens": "²"},
        {"tokens": "9" * 5000},
        {"tokens": [21]},
        {"dry_charge": 1},
        {"dry_charge": "maybe"},
        {"dry_charge": ""},
        {"dry_charge": "yes "},
        {"dry_charge": None},
        {"token": 21},
        {"": 1},
    ],
    ids=lambda given: str(given)[:30],
)
def test_wrong_options_are_refused(given):
    assert isinstance(RULESET.choose(given), Text)


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ({}, {"tokens": 21, "dry_charge": False}),
        ({"tokens": "1"}, {"tokens": 1, "dry_charge": False}),
        ({"dry_charge": "True"}, {"tokens": 21, "dry_charge": True}),
        ({"dry_charge": "false", "tokens": 99}, {"tokens": 99, "dry_charge": False}),
        ({"dry_charge": "yes"}, {"tokens": 21, "dry_charge": True}),
        ({"dry_charge": "ON"}, {"tokens": 21, "dry_charge": True}),
        ({"dry_charge": "No"}, {"tokens": 21, "dry_charge": False}),
        ({"dry_charge": "off"}, {"tokens": 21, "dry_charge": False}),
    ],
)
def test_options_may_be_typed(given, chosen):
    assert RULESET.choose(given) == {**chosen, "advice": False}


def test_every_key_has_its_help():
    named = [key for row in RULESET.keys for key in row.keys]
    digits = [str(face) for face in range(1, 7)]
    expected = ["enter", *digits, *(f"shift+{face}" for face in digits), "space", *"dcstah"]
    assert named == expected


def test_what_is_loaded_is_frozen():
    ruleset = load(FILE)
    rules = rules_of(ruleset, ruleset.choose({}))
    frozen = [
        *(ruleset, rules, rules.phases[0], *ruleset.options, ruleset.keys[0]),
        *(ruleset.help[0], ruleset.help[0].paragraphs[0], ruleset.phases["charge"]),
        ruleset.document,
    ]
    for one in frozen:
        for field in dataclasses.fields(one):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(one, field.name, None)
    with pytest.raises(AttributeError):
        rules.combinations[0].value = 0


# Faulty variants of the file.


class Change(NamedTuple):
    """Part of the file replaced; the line of the fault is that of `at`, the sentence has `words`.

    Without `at` it is the line where the new part begins.
    """

    old: str
    new: str
    words: tuple[str, ...]
    at: str = ""


CHARGE = "    throws: 3\n    follow: previous\n    payer: table\n"
DRY = "          throws: 1\n  advice:"
SETS = "sets: supply.pot"
EXAMPLE = '        beats: ["111 666"]'
NAME = "name: Zanzibar (4, 2, 1)"

FAULTS = {
    # Fields: unknown, missing, twice.
    "unknown": Change("pot: 21", "pott: 21", ("pott", "pot")),
    "unknown, far from any": Change("ties: ", "wxyz: 1\nties: ", ("wxyz", "supply"), "wxyz"),
    "unknown in a group, far from any": Change(
        "pot: 21", "pot: 21\n  wxyz: 1", ("supply.wxyz", "pot"), "wxyz"
    ),
    "unknown in a phase": Change(CHARGE, CHARGE.replace("throws", "thros"), ("thros", "throws")),
    "unknown in an option": Change("    min: 1\n", "    mim: 1\n", ("tokens.mim", "min")),
    "unknown in changes": Change(
        "      phases:\n", "      phase:\n", ("dry_charge.changes.phase", "phases")
    ),
    "unknown in players": Change("  max: 12", "  most: 12", ("players.most",)),
    "unknown in values": Change("  nenette: 4", "  nenete: 4", ("nenete", "nenette")),
    "unknown in ranking": Change("  pairing:", "  pairings:", ("pairings", "pairing")),
    "unknown in a paragraph": Change(EXAMPLE, EXAMPLE.replace("beats", "beat"), ("beat", "beats")),
    "missing pot": Change("pot: 21\n", "each: 0\n", ("supply.pot",), "each: 0"),
    "missing supply": Change("supply:\n  pot: 21\n", "", ("supply",), 'id: "421"'),
    "missing name": Change(NAME + "\n", "", ("name",), 'id: "421"'),
    "missing phases": Change("phases:\n", "help_me:\n", ("help_me",)),
    "missing payer": Change("    payer: table\n", "", ("phases.charge", "payer"), "label: loading"),
    "missing value": Change("  sequence: 2\n", "", ("values", "sequence"), "values:"),
    "missing default": Change("    default: 21\n", "", ("default",), "label: Tokens"),
    "missing key help": Change("    label: Space\n", "", ("label",), "keys: [space]"),
    "twice": Change("pot: 21", "pot: 21\n  pot: 22", ("pot", "line"), "pot: 22"),
    "twice in a phase": Change(CHARGE, CHARGE + "    throws: 2\n", ("throws",), "    throws: 2\n"),
    # Wrong types.
    "id is a number": Change('id: "421"', "id: 421", ("id", "quotes")),
    "id is empty": Change('id: "421"', 'id: ""', ("id",)),
    "name is null": Change(NAME, "name:", ("name",)),
    "name is a list": Change(NAME, "name: [Zanzibar]", ("name",)),
    "pot is text": Change("pot: 21", 'pot: "21"', ("pot", "whole number")),
    "pot is a part": Change("pot: 21", "pot: 21.5", ("pot", "whole number")),
    "pot is a list": Change("pot: 21", "pot: [21]", ("pot", "whole number")),
    "pot is a truth value": Change("pot: 21", "pot: true", ("pot", "whole number")),
    "pot is null": Change("pot: 21", "pot:", ("supply.pot", "missing")),
    "players are a number": Change("  min: 2\n  max: 12", "  12", ("players",), "  12"),
    "default is text": Change("default: false", 'default: "false"', ("default", "true or false")),
    "default is a number": Change("default: false", "default: 0", ("default", "true or false")),
    "throws are text": Change(CHARGE, CHARGE.replace("3", "three"), ("throws", "whole number")),
    "top is text": Change('top: ["421", "111"]', 'top: "421"', ("ranking.top", "list")),
    "keys are text": Change("keys: [space]", "keys: space", ("keys", "list")),
    "a paragraph is text": Change(
        "      - text: >-\n          It is played with",
        "      - >-\n          It is played with",
        ("paragraphs",),
    ),
    "sets is a number": Change(SETS, "sets: 1", ("sets",)),
    # Out of range.
    "pot too large": Change("pot: 21", "pot: 100", ("supply.pot", "0", "99")),
    "pot below zero": Change("pot: 21", "pot: -1", ("supply.pot", "0", "99")),
    "one player": Change("  min: 2", "  min: 1", ("players.min", "2", "12")),
    "thirteen players": Change("  max: 12", "  max: 13", ("players.max", "2", "12")),
    "fewer than the fewest": Change(
        "  min: 2\n  max: 12", "  min: 4\n  max: 3", ("players", "max", "less than min"), "max: 3"
    ),
    "no throw": Change(CHARGE, CHARGE.replace("3", "0"), ("throws", "1", "3")),
    "four throws": Change(CHARGE, CHARGE.replace("3", "4"), ("throws", "1", "3")),
    "default too large": Change("default: 21", "default: 100", ("default", "0", "99")),
    "default above the highest": Change(
        "    max: 99", "    max: 20", ("tokens", "default", "max"), "default: 21"
    ),
    "default too small": Change("default: 21", "default: 0", ("tokens", "min", "default")),
    "highest below lowest": Change("    max: 99", "    max: 0", ("max",), "default: 21"),
    "worth nothing": Change("  plain: 1", "  plain: 0", ("values.plain", "1", "99")),
    # What YAML reads as something else.
    "no": Change("default: false", "default: no", ("no", "false")),
    "yes": Change("default: false", "default: yes", ("yes", "true")),
    "on as a key": Change("pot: 21", "pot: 21\n  on: 1", ("on", "quotes"), "on: 1"),
    "421 as a key": Change(
        "  nenette: 4", "  nenette: 4\n  421: 10", ("421", "quotes"), "  421: 10"
    ),
    "421 as an entry": Change(
        'top: ["421", "111"]', 'top: [421, "111"]', ("ranking.top", "quotes")
    ),
    "4:2:1": Change('top: ["421", "111"]', 'top: [4:2:1, "111"]', ("4:2:1", "quotes")),
    "4:2:1 as a value": Change("pot: 21", "pot: 4:2:1", ("4:2:1", "quotes")),
    "010": Change("pot: 21", "pot: 010", ("010", "number")),
    "1_0": Change("pot: 21", "pot: 1_0", ("1_0", "number")),
    "a date that is none": Change("pot: 21", "pot: 2026-02-30", ("2026-02-30", "quotes")),
    # The ranking.
    "wrong pairing": Change("triple_first", "pure_first", ("ranking.pairing", "triple_first")),
    "pairing is a list": Change("triple_first", "[triple_first]", ("ranking.pairing",)),
    "not from high to low": Change('["421", "111"]', '["412", "111"]', ("high to low",)),
    "no such dice": Change('["421", "111"]', '["427", "111"]', ("combination",)),
    "four dice": Change('["421", "111"]', '["4211", "111"]', ("combination",)),
    "no digits": Change('["421", "111"]', '["four", "111"]', ("combination",)),
    "twice at the top": Change('["421", "111"]', '["421", "421"]', ("twice",)),
    "at the top and at the bottom": Change(
        'bottom: ["221"]', 'bottom: ["221", "421"]', ("ranking", "421", "twice"), "bottom:"
    ),
    "at the top and in the sequences": Change(
        'sequences: ["654",', 'sequences: ["421", "654",', ("ranking", "421", "twice"), "sequences:"
    ),
    "a triple is worth no word": Change("triple: face", "triple: faces", ("values.triple",)),
    "a triple is worth its third": Change(
        "triple: face", "triple: third", ("values.triple", "face")
    ),
    "a pure is worth its face": Change("pure: third ", "pure: face ", ("values.pure", "third")),
    # The phases.
    "wrong payer": Change("payer: table", "payer: tabel", ("payer", "table")),
    "wrong follow": Change("follow: previous", "follow: next", ("follow", "previous")),
    "wrong end": Change("ends: table_empty", "ends: empty", ("ends", "table_empty")),
    "two ends alike": Change("ends: table_empty", "ends: one_holder", ("table pays", "end")),
    # Examples of the help.
    "beats what it does not": Change(
        EXAMPLE, EXAMPLE.replace("111 666", "666 111"), ("666", "111"), "Then come three ones"
    ),
    "beats itself": Change(
        EXAMPLE, EXAMPLE.replace("111 666", "111 111"), ("111",), "Then come three ones"
    ),
    "beats no pair": Change(EXAMPLE, EXAMPLE.replace("111 666", "111"), ("beats", "666 611")),
    "beats no dice": Change(EXAMPLE, EXAMPLE.replace("111 666", "111 999"), ("beats", "666 611")),
    "beats 421 unquoted": Change(EXAMPLE, "        beats: [421]", ("beats", "quotes")),
    "a field of the help that is none": Change(
        "The strongest combination is {dice_421}",
        "The strongest is {dice_427}",
        ("dice_427",),
        "{dice_427}",
    ),
    "a count that is no field": Change("count: pot", "count: pots", ("pots",), "At this table"),
    "a count that is no number of tokens": Change(
        "count: pot\n", "count: prize\n", ("prize",), "At this table"
    ),
    "a plural without a count": Change("        count: pot\n", "", ("count",), "At this table"),
    "a condition on no field": Change(
        "when: {course: [loading_unloading]}",
        "when: {curse: [loading_unloading]}",
        ("curse", "course"),
    ),
    "a condition on no value": Change(
        "when: {course: [loading_unloading]}", "when: {course: [loadin]}", ("course", "loading_un")
    ),
    # Options.
    "sets no field": Change(SETS, "sets: supply.pots", ("supply.pots",)),
    "sets no field of a phase": Change(SETS, "sets: phases.charge.thros", ("phases.charge.thros",)),
    "sets a field of a number": Change(SETS, "sets: supply.pot.size", ("supply.pot",)),
    "sets a whole group": Change(SETS, "sets: phases", ("phases",)),
    "sets nothing": Change(SETS, "sets: .", ("number", "set")),
    "sets what may not be so small": Change(
        "    min: 1\n", "    min: 0\n", ("tokens", "pot"), SETS
    ),
    "sets what may not be so large": Change(
        "    max: 99\n    default: 21\n    sets: supply.pot",
        "    max: 99\n    default: 21\n    sets: phases.charge.throws",
        ("phases.charge.throws", "1", "3"),
        "    sets: phases",
    ),
    "changes to a wrong number": Change(
        DRY, DRY.replace("1", "0"), ("phases.charge.throws", "1", "3")
    ),
    "changes of no field": Change(DRY, DRY.replace("throws", "thros"), ("thros", "throws")),
    "changes of no phase": Change(
        "        charge:\n", "        discarge:\n", ("discarge",), "          throws: 1"
    ),
    "changes to a number": Change(
        "      phases:\n        charge:\n" + DRY,
        "      phases: 1\n  advice:",
        ("phases",),
    ),
    "changes that are none": Change(
        "    changes:\n      phases:\n        charge:\n" + DRY,
        "    changes: 1\n  advice:",
        ("changes",),
    ),
    # Keys.
    "no key": Change("keys: [d]", "keys: [x]", ("keys", "enter")),
    "a key as a number": Change('keys: ["1",', "keys: [1,", ("keys",)),
    # Text that is no proper YAML.
    "tab": Change("  min: 2", "\tmin: 2", ("tab",)),
    # Only the next line shows that there is something missing above it.
    "no colon": Change("pot: 21", "pot 21", ("supply", "group of fields")),
    "no colon between others": Change(
        "    throws: 3\n", "    throws 3\n", ("just above", "colon"), "    follow: previous"
    ),
    "python": Change("pot: 21", "pot: !!python/object/apply:os.getpid []", ("!",)),
    "reference": Change("pot: 21", "pot: &a 21", ("&",)),
    "merge": Change("pot: 21", "pot: 21\n  <<: {}", ("<<",), "<<"),
    "colon in a text": Change(NAME, "name: Zanzibar: 421", ("colon",)),
    "two documents": Change("ties: ", "---\nties: ", ("second",)),
}


def changed(change):
    assert change.old in SOURCE, change.old
    return SOURCE.replace(change.old, change.new, 1)


@pytest.mark.parametrize("change", FAULTS.values(), ids=FAULTS.keys())
def test_fault(change, tmp_path):
    source = changed(change)
    error = fault_of(tmp_path / "mine.yaml", source)
    sentence = str(error).partition(": ")[2]
    assert all(word in sentence for word in change.words), sentence
    expected = line_of(source, change.at) if change.at else line_of(SOURCE, change.old)
    assert error.line == expected, (error.line, expected, sentence)


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (b"", 0, "empty"),
        (b"# nothing\n", 0, "empty"),
        (b"421\n", 1, "fields"),
        (b"- id\n", 1, "fields"),
        (SOURCE.replace("pot: 21", "pot: 21\0").encode(), line_of(SOURCE, "pot: 21"), "U+0000"),
        (
            SOURCE.replace("France", "Fran\u00e7e").encode("latin-1"),
            line_of(SOURCE, "France"),
            "UTF-8",
        ),
        (SOURCE.encode("utf-16"), 0, "UTF-16"),
        (SOURCE.encode() + b"# " + b"x" * 1_000_000, 0, "1 MB"),
        (SOURCE.encode() + b"deep: " + b"[" * 900 + b"]" * 900, None, "nested too deep"),
        (SOURCE.encode() + b"deep: " + b"{a: " * 50_000, None, "nested too deep"),
        (b"\n".join(b"%s- " % (b" " * depth) for depth in range(900)), None, "nested too deep"),
        (
            b"a0: &a0 [x, x]\n"
            + b"".join(b"a%d: &a%d [*a%d, *a%d]\n" % (i, i, i - 1, i - 1) for i in range(1, 60)),
            1,
            "References",
        ),
        (b"\x80\x81\xff", 1, "UTF-8"),
    ],
    ids=[
        *("empty", "comment", "number", "list", "nul", "latin-1", "utf-16", "large"),
        *("brackets", "braces", "dashes", "aliases", "bytes"),
    ],
)
def test_hostile_file(source, line, words, tmp_path):
    error = fault_of(tmp_path / "mine.yaml", source)
    assert words in str(error)
    assert line is None or error.line == line


def test_missing_file(tmp_path):
    with pytest.raises(DocumentError):
        load(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A rules file may have other numbers, names and phases, and fewer options.
        ("pot: 21", "pot: 33"),
        # An option sets it, to one token at least.
        ("pot: 21", "pot: 0"),
        ("  max: 12", "  max: 4"),
        ("  plain: 1", "  plain: 2"),
        ("triple: face ", "triple: 3 "),
        ('id: "421"', 'id: "our-421"'),
        ("    default: false", "    default: true"),
    ],
)
def test_variants_of_ones_own(old, new, tmp_path):
    path = tmp_path / "mine.yaml"
    assert old in SOURCE
    path.write_text(SOURCE.replace(old, new, 1), encoding="utf-8")
    ruleset = load(path)
    assert ruleset.file == str(path)
    assert rules_of(ruleset, ruleset.choose({}))


# Several files.


def test_a_faulty_file_hides_no_other(tmp_path):
    ours = SOURCE.replace('id: "421"', "id: ours")
    (tmp_path / "a.yaml").write_text("pot: 21\n")
    (tmp_path / "b.yaml").write_text(ours, encoding="utf-8")
    (tmp_path / "c.yaml").write_text(ours.replace("id: ours", "id: c"), encoding="utf-8")
    (tmp_path / "d.txt").write_text("no rules")
    shutil.copy(FILE, tmp_path / "e.yaml")
    bundled = [one.id for one in Library().rulesets()]
    library = Library([tmp_path])
    assert [one.id for one in library.rulesets()] == [*bundled, "ours", "c"]
    faulty = [str(tmp_path / "a.yaml"), str(tmp_path / "e.yaml")]
    assert [problem.file for problem in library.problems] == faulty
    # A game's id is its own: another file cannot take it over.
    assert str(FILE) in str(library.problems[1])
    assert library.problems[1].line == line_of(SOURCE, 'id: "421"')
    assert library.find("421").file == str(FILE)
    assert library.find("ours").file == str(tmp_path / "b.yaml")
    assert library.find("none") is None
    library.rulesets()
    library.add_folder(tmp_path)
    assert len(library.problems) == 2, "each file is read once"


def test_the_bundled_games():
    library = Library()
    assert library.find("421").id == "421"
    assert {one.id for one in library.rulesets()} == {file.stem for file in RULES.glob("*.yaml")}
    assert library.problems == []
