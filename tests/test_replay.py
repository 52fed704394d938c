"""Recorded tables: what is played, and where a fault is."""

import json
import shutil

import pytest
from strategies import FILE, assert_events, event

from zanzibar_plugin import events as ev
from zanzibar_plugin.document import DocumentError
from zanzibar_plugin.library import Library
from zanzibar_plugin.record import read
from zanzibar_plugin.replay import play

LIBRARY = Library()
NOTHING = {"Ana": 0, "Bruno": 0}
SHORT = """\
rules: 421
players: [Ana, Bruno]
dice: [4, 2, 1, 2, 2, 1]
keys:
  - [Ana, enter]
  - [Ana, enter]
  - [Bruno, enter]
"""
BEGUN = [
    event(
        "game_started",
        rules="421",
        players=["Ana", "Bruno"],
        options={"tokens": 21, "dry_charge": False, "advice": False},
        table=21,
        tokens=NOTHING,
    ),
    event("turn_started", turn=1, phase="charge", starter="Ana", table=21, tokens=NOTHING),
]
LOST = {"Ana": 0, "Bruno": 10}
ANA = [
    event("thrown", player="Ana", throw=1, limit=3, dice=[4, 2, 1], new=[4, 2, 1]),
    event("accepted", player="Ana", dice=[4, 2, 1], throws=1),
]
BRUNO = [
    event("thrown", player="Bruno", throw=1, limit=1, dice=[2, 2, 1], new=[2, 2, 1]),
    event("accepted", player="Bruno", dice=[2, 2, 1], throws=1),
    event("turn_complete", turn=1),
    event(
        "turn_ended",
        turn=1,
        best="Ana",
        worst="Bruno",
        value=10,
        moved=10,
        source="table",
        table=11,
        tokens=LOST,
    ),
    event("turn_started", turn=2, phase="charge", starter="Bruno", table=11, tokens=LOST),
]


@pytest.fixture
def replayed(tmp_path):
    """Play a record: its events, and the error at its fault if there is one."""

    def replay(source, name="record.yaml", library=LIBRARY):
        path = tmp_path / name
        path.write_text(source, encoding="utf-8")
        found = []
        try:
            for one in play(read(path), library):
                found.append(ev.to_data(one.event))
        except DocumentError as error:
            assert str(error).startswith(str(path))
            return found, error
        return found, None

    return replay


def kinds(events):
    return [one["event"] for one in events]


def test_a_record(replayed):
    events, error = replayed(SHORT)
    assert error is None
    assert_events(events, *BEGUN, *ANA, *BRUNO)


def test_the_same_as_json(replayed):
    data = {
        "rules": 421,
        "players": ["Ana", "Bruno"],
        "dice": [4, 2, 1, 2, 2, 1],
        "keys": [["Ana", "enter"], ["Ana", "enter"], ["Bruno", "enter"]],
    }
    for indent in (None, 2):
        assert replayed(json.dumps(data, indent=indent), "record.json") == (
            [*BEGUN, *ANA, *BRUNO],
            None,
        )


@pytest.mark.parametrize("rules", ["421", '"421"', "'421'"])
def test_the_id_with_or_without_quotes(replayed, rules):
    events, error = replayed(SHORT.replace("421", rules, 1))
    assert error is None
    assert events[0]["rules"] == "421"


def test_each_event_comes_with_the_table_it_leads_to(tmp_path):
    path = tmp_path / "record.yaml"
    path.write_text(SHORT)
    happened = list(play(read(path), LIBRARY))
    assert happened[-1].table.state.turn.number == 2
    assert happened[1].table.state.go.player == "Ana"


def test_twice_the_same(tmp_path):
    path = tmp_path / "record.yaml"
    path.write_text(SHORT)
    record = read(path)
    first, second = ([one.event for one in play(record, LIBRARY)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("where", ["house.yaml", "rules/house.yaml", "./rules/../house.yaml"])
def test_rules_of_a_file_beside_the_record(replayed, tmp_path, where, monkeypatch):
    (tmp_path / "rules").mkdir()
    path = tmp_path / where
    shutil.copy(FILE, path)
    path.write_text(path.read_text().replace('id: "421"', "id: house"))
    # The path is meant from where the record lies, wherever the program was started.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    events, error = replayed(SHORT.replace("421", where, 1))
    assert error is None
    assert events[0]["rules"] == "house"


def test_options(replayed):
    events, error = replayed(SHORT + "options: {tokens: 10, dry_charge: true}\n")
    assert error is None
    assert events[0]["options"] == {"tokens": 10, "dry_charge": True, "advice": False}
    # After her only throw Ana's second key comes too late.
    assert kinds(events[2:5]) == ["thrown", "accepted", "refused"]
    assert kinds(events)[-2:] == ["left", "game_over"]


def test_a_throw_of_some_dice_takes_as_many(replayed):
    source = SHORT.replace("[4, 2, 1, 2, 2, 1]", "[4, 2, 6, 1, 2, 2, 1]").replace(
        "  - [Ana, enter]\n", "  - [Ana, enter]\n  - [Ana, 6]\n  - [Ana, enter]\n", 1
    )
    events, error = replayed(source)
    assert error is None
    assert [one["new"] for one in events if one["event"] == "thrown"] == [[4, 2, 6], [1], [2, 2, 1]]


def test_surplus_dice_are_ignored_whatever_they_are(replayed):
    events, error = replayed(SHORT.replace("2, 2, 1]", "2, 2, 1, 6, 7, six]"))
    assert error is None
    assert_events(events, *BEGUN, *ANA, *BRUNO)


@pytest.mark.parametrize(
    "source",
    [
        "rules: 421\nplayers: [Ana, Bruno]\n",
        "rules: 421\nplayers: [Ana, Bruno]\ndice: []\nkeys: []\n",
    ],
)
def test_a_game_may_just_begin(replayed, source):
    assert replayed(source) == (BEGUN, None)


def test_a_refusal_is_an_event(replayed):
    keys = "  - [Bruno, enter]\n  - [Ana, space]\n  - [Ana, 1]\n  - [Ana, shift+1]\n"
    events, error = replayed(SHORT.replace("keys:\n", "keys:\n" + keys))
    assert error is None
    refused = [(one["player"], one["key"], one["reason"]) for one in events[2:6]]
    assert refused == [
        ("Bruno", "enter", "not_your_go"),
        ("Ana", "space", "not_thrown"),
        ("Ana", "1", "not_thrown"),
        ("Ana", "shift+1", "not_thrown"),
    ]
    assert_events(events[6:], *ANA, *BRUNO)


def test_spectators(replayed):
    events, error = replayed(SHORT.replace("keys:\n", "keys:\n  - [Zoe, t]\n  - [Zoe, enter]\n"))
    assert error is None
    assert_events(
        events[2:4],
        event("answered", player="Zoe", key="t", on_go="Ana", throws=0, limit=3),
        event("refused", player="Zoe", key="enter", reason="spectator"),
    )


def test_keys_after_the_end(replayed):
    more = "  - [Bruno, enter]\n  - [Zoe, 1]\n  - [Ana, s]\noptions: {tokens: 10}\n"
    events, error = replayed(SHORT + more)
    assert error is None
    assert kinds(events)[-4:] == ["game_over", "refused", "refused", "answered"]
    assert [one["reason"] for one in events[-3:-1]] == ["game_over", "game_over"]


# Faults: everything before is heard.


def line_of(source, part):
    return source[: source.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        # The dice run out at Bruno's throw.
        ("2, 2, 1]", "2, 2]", "dice:", ("dice", "throw 2")),
        ("dice: [4, 2, 1, 2, 2, 1]\nkeys:", "dice: [4, 2, 1]\nkeys:", "dice:", ("throw 2",)),
        *(
            ("2, 2, 1]", f"2,\n  {face}, 1]", f"  {face}, 1]", ("dice", "1 to 6"))
            for face in ("7", "0", "-1", "six", '"4"', "2.0", "true", "[1]", "null")
        ),
        *(
            ("- [Bruno, enter]", f"- {entry}", f"- {entry}", ("entry 3", *words))
            for entry, words in (
                ("[Bruno, fly]", ("fly", "enter")),
                ("[Bruno, Enter]", ("Enter",)),
                ("[Bruno, 7]", ("7",)),
                ("[Bruno, true]", ("True",)),
                ("[Bruno, null]", ()),
                ("[Bruno, [enter]]", ()),
                ("[Bruno, {enter: 1}]", ()),
                ("[Bruno]", ("name and a key",)),
                ("[Bruno, enter, enter]", ("name and a key",)),
                ("[1, enter]", ("name and a key",)),
                ("Bruno enter", ("name and a key",)),
                ("{Bruno: enter}", ("name and a key",)),
                ("null", ("name and a key",)),
            )
        ),
    ],
)
def test_what_is_before_a_fault_is_heard(replayed, old, new, at, words):
    source = SHORT.replace(old, new)
    assert source != SHORT
    events, error = replayed(source)
    assert_events(events, *BEGUN, *ANA)
    assert error.line == line_of(source, at)
    assert all(word in str(error) for word in words), str(error)
    assert str(error).isprintable()


def test_no_dice_at_all(replayed):
    events, error = replayed("rules: 421\nplayers: [Ana, Bruno]\nkeys: [[Ana, enter]]\n")
    assert events == BEGUN
    assert "throw 1" in str(error)


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("rules: 421", "rules: 422", "rules:", ("422", "421")),
        ("rules: 421", "rules: true", "rules:", ("rules", "id")),
        ("rules: 421", "rules: [421]", "rules:", ("rules", "id")),
        ("rules: 421", "rules: 4.21", "rules:", ("rules", "id")),
        ("rules: 421", "rules:", "rules:", ("rules", "missing")),
        ("rules: 421", "rules: 4:2:1", "rules:", ("4:2:1",)),
        ("rules: 421\n", "", "players:", ("rules", "missing")),
        ("rules: 421", "rule: 421", "rule:", ("rule", "rules")),
        ("rules: 421", "rules: 421\nlistener: Ana", "listener:", ("listener",)),
        ("rules: 421", "rules: 421\nrules: 421", "rules: 421\nplayers", ("rules", "line 1")),
        ("[Ana, Bruno]", "[Ana]", "players:", ("2", "12", "there is 1 here")),
        ("[Ana, Bruno]", "[]", "players:", ("2", "12")),
        ("players: [Ana, Bruno]\n", "", "rules:", ("players", "missing")),
        ("[Ana, Bruno]", str([f"P{i}" for i in range(13)]), "players:", ("2", "12", "13")),
        ("[Ana, Bruno]", "[Ana, Ana]", "players:", ("Ana", "same")),
        ("[Ana, Bruno]", "[Ana, ANA]", "players:", ("same",)),
        ("[Ana, Bruno]", "[Ana, 421]", "players:", ("quotes",)),
        ("[Ana, Bruno]", '[Ana, ""]', "players:", ("players", "text")),
        ("[Ana, Bruno]", "[Ana, [Bruno]]", "players:", ("players", "text")),
        ("[Ana, Bruno]", "Ana", "players:", ("list",)),
        ("dice: [4, 2, 1, 2, 2, 1]", "dice: 421", "dice:", ("dice", "list")),
        ("keys:\n", "keys: none\nfoo:\n", "foo:", ("foo",)),
        ("rules: 421", "rules: 421\noptions: 21", "options:", ("options",)),
        ("rules: 421", "rules: 421\noptions:\n  tokens: 0", "  tokens:", ("tokens", "1", "99")),
        ("rules: 421", "rules: 421\noptions:\n  tokens: 100", "  tokens:", ("tokens", "99")),
        ("rules: 421", "rules: 421\noptions:\n  token: 9", "  token:", ("token", "tokens")),
        ("rules: 421", "rules: 421\noptions:\n  tokens: [9]", "  tokens:", ("tokens", "99")),
        (
            "rules: 421",
            "rules: 421\noptions:\n  dry_charge: yes",
            "  dry_charge:",
            ("yes", "true"),
        ),
        (
            "rules: 421",
            "rules: 421\noptions:\n  tokens: 9\n  dry_charge: 1",
            "  dry_charge:",
            ("true or false",),
        ),
    ],
)
def test_faults_before_the_beginning(replayed, old, new, at, words):
    source = SHORT.replace(old, new, 1)
    assert source != SHORT
    events, error = replayed(source)
    assert events == []
    assert all(word in str(error) for word in words), str(error)
    assert error.line == line_of(source, at), str(error)
    sentence = str(error).partition(f", line {error.line}: ")[2]
    assert sentence[:1].strip(), "a sentence does not begin with a space"


@pytest.mark.parametrize("source", ["", "# nothing\n", "[]", "421", "[" * 900])
def test_files_that_are_no_records(replayed, source):
    events, error = replayed(source)
    assert events == []
    assert isinstance(error, DocumentError)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DocumentError):
        read(tmp_path / "none.yaml")


def test_rules_that_are_not_there(tmp_path):
    path = tmp_path / "record.yaml"
    path.write_text(SHORT.replace("421", "none.yaml", 1))
    with pytest.raises(DocumentError, match=r"none\.yaml"):
        list(play(read(path), LIBRARY))


def test_a_fault_in_the_rules_has_their_name_and_line(tmp_path):
    (tmp_path / "house.yaml").write_text(FILE.read_text().replace("pot: 21", "pott: 21"))
    path = tmp_path / "record.yaml"
    path.write_text(SHORT.replace("421", "house.yaml", 1))
    with pytest.raises(DocumentError) as caught:
        list(play(read(path), LIBRARY))
    assert caught.value.file == str(tmp_path / "house.yaml")
    assert caught.value.line == line_of(FILE.read_text(), "pot: 21")
