"""The command line: every command and option, wrong uses, languages, and streams that fail."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import pytest

from zanzibar_plugin import __version__, bench, cli, plugin
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.data import RULES
from zanzibar_plugin.hosts.keyboard import LAYOUTS
from zanzibar_plugin.library import Library
from zanzibar_plugin.text import text

LANGUAGE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
COMMANDS = {
    "play": ("--players", "--bots", "--set", "--rules-dir", "--seed", "--pace", "--keyboard"),
    "rules": ("--format", "--set", "--rules-dir"),
    "options": ("--set", "--rules-dir"),
    "combinations": ("--set", "--rules-dir", "--json"),
    "odds": ("--players", "--tokens", "--set", "--rules-dir", "--json", "--svg"),
    "advise": (
        *("--dice", "--roll", "--limit", "--to-beat", "--locked", "--players", "--mine"),
        *("--theirs", "--table", "--phase", "--tokens", "--set", "--rules-dir", "--json"),
    ),
    "check": ("--rules-dir",),
    "replay": ("--rules-dir", "--listener", "--json"),
    "verify": (),
    "bench": ("--json",),
    "serve": ("--host", "--port", "--data", "--synchronous", "--origin", "--limit"),
}
LANGUAGES = Catalogs().languages
FILE_421 = str(RULES / "421.yaml")

RECORD = """\
rules: 421
options: {tokens: 3}
players: [Ana, Bruno]
dice: [4, 2, 1, 6, 6, 1]
keys:
- [Ana, enter]
- [Ana, s]
- [Ana, enter]
- [Bruno, enter]
- [Bruno, d]
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def zanzibar(capsys, monkeypatch):
    """Run the command in this process, with lines on its standard input."""
    for variable in LANGUAGE_VARIABLES:
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments, lines="", **environment):
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
            code = cli.main([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def own_library(monkeypatch):
    """A rules file given on the command line joins the library, which other tests share."""
    monkeypatch.setattr(plugin, "library", Library())


@pytest.fixture
def record(tmp_path):
    """A file with this record, of which a part may be replaced."""

    def write(old="", new=""):
        path = tmp_path / "record.yaml"
        path.write_text(RECORD.replace(old, new) if old else RECORD, encoding="utf-8")
        return path

    return write


def process(*arguments, closed="", **popen):
    """The command in a process of its own, where streams are real.

    `closed` is how a shell would close one of them before the start, such as "<&-".
    """
    variables = {k: v for k, v in os.environ.items() if k not in LANGUAGE_VARIABLES}
    environment = {**variables, **popen.pop("environment", {})}
    program = "import sys; from zanzibar_plugin.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, *arguments]
    if closed:
        command = ["sh", "-c", f'exec "$0" "$@" {closed}', *command]
    popen = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen}
    return subprocess.Popen(command, env=environment, **popen)


def ended(running, lines=b""):
    out, err = running.communicate(lines, timeout=60)
    assert b"Traceback" not in err
    return Result(running.returncode, (out or b"").decode(), err.decode())


def assert_wrong_use(result, sentence):
    """Exit code 2, and two lines: what was wrong, and how to get help."""
    assert result.code == 2
    assert result.out == ""
    told, help_line = result.err.splitlines()
    assert told == sentence
    assert re.fullmatch(r"Help: zanzibar( \w+)? --help", help_line)


# Help pages


def test_the_command_is_installed():
    (script,) = entry_points(group="console_scripts", name="zanzibar")
    assert script.load() is cli.main


@pytest.mark.parametrize(("command", "options"), COMMANDS.items())
def test_each_command_has_a_help_page(zanzibar, command, options):
    code, out, err = zanzibar(command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: zanzibar {command} [OPTIONS]")
    for option in (*options, "--lang", "--help"):
        # Each is explained: on the rest of its line, or on the next one.
        assert re.search(rf"^  {option}.*?\s{{2,}}[A-Z].*\.$", out, re.MULTILINE | re.DOTALL)
    assert "Shows this page." in out


def test_the_first_help_page_lists_all_commands_in_full_sentences(zanzibar):
    code, out, err = zanzibar("--help")
    assert (code, err) == (0, "")
    listed = out.partition("Commands:")[2]
    assert re.findall(r"^  (\w+)", listed, re.MULTILINE) == sorted(COMMANDS)
    assert "..." not in listed


def test_without_a_command_the_help_page_is_shown(zanzibar):
    assert zanzibar() == (2, "", zanzibar("--help").out)
    assert zanzibar("--lang", "en") == (2, "", zanzibar("--help").out)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_help_pages_speak_every_language(zanzibar, command, language):
    say = Catalogs().catalog(language).say
    code, out, err = zanzibar(*command, "--help", "--lang", language)
    assert (code, err) == (0, "")
    assert out.startswith(say(text("Usage: ")))
    # A long sentence is broken into lines.
    assert " ".join(say(text("Shows this page.")).split()) in " ".join(out.split())


def test_the_version(zanzibar):
    assert zanzibar("--version") == (0, f"{__version__}\n", "")


# Wrong uses


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nix"], "There is no such command. Commands: " + ", ".join(COMMANDS) + "."),
        (["--nix"], "There is no option --nix."),
        (["-x"], "There is no option -x."),
        (["play", "--nix"], "There is no option --nix."),
        (["play", "--bots"], "The option --bots needs a value."),
        (["rules", "--lang"], "The option --lang needs a value."),
        (["play", "--bots", "two"], "--bots must be a number."),
        (["play", "--bots", "1.5"], "--bots must be a number."),
        (["play", "--bots", "9" * 5000], "--bots must be a number."),
        (["play", "--bots", "-1"], "--bots must be from 0 to 11."),
        (["play", "--bots", "99"], "--bots must be from 0 to 11."),
        (["serve", "--port", "70000"], "--port must be a whole number from 0 to 65535."),
        (["serve", "--port", "x"], "--port must be a whole number from 0 to 65535."),
        (["play", "--seed", "luck"], "--seed must be a number."),
        (["play", "--pace", "fast"], "--pace must be a number."),
        (["play", "--pace", "-1"], "--pace must be from 0 to 60 seconds."),
        (["play", "--pace", "61"], "--pace must be from 0 to 60 seconds."),
        (["play", "--pace", "nan"], "--pace must be from 0 to 60 seconds."),
        (["play", "--pace", "inf"], "--pace must be from 0 to 60 seconds."),
        (["play", "--keyboard", "dvorak"], f"--keyboard must be one of: {', '.join(LAYOUTS)}."),
        (["rules", "--format", "pdf"], "--format must be one of: text, markdown, html."),
        (["play", "421", "421"], "There are too many arguments."),
        (["bench", "421"], "There are too many arguments."),
        (["replay", "a", "b"], "There are too many arguments."),
        (["replay"], "FILE is missing."),
        (["check"], "FILE… is missing."),
        (["bench", "--json=yes"], "There is no option --json=…."),
        (["play", "--set", "token"], "--set needs a name and a value, like tokens=11, not token."),
        (["play", "--set", "=5"], "--set needs a name and a value, like tokens=11, not =5."),
        (["play", "--set", ""], "--set needs a name and a value, like tokens=11, not ."),
        (["play", "--bots", "0"], "This game is for 2 to 12 players; there is 1 here."),
        (["play", "--bots", "12"], "This game is for 2 to 12 players; there are 13 here."),
        (["play", "--players", ",".join("abcdefghijklm")],
         "This game is for 2 to 12 players; there are 13 here."),
        (["play", "--players", "Ana, ana"], "Two players have the same name: ana."),
        (["play", "--players", ""], "A player's name must not be empty."),
        (["play", "--players", "Ana,,Bruno"], "A player's name must not be empty."),
        (["play", "--players", "Ana, "], "A player's name must not be empty."),
        (["play", "--players", "A\x1bna,Bruno"],
         "A player's name must not hold control characters or spaces at its ends: A?na"),
        (["play", "--players", "Ana\u202e,Bruno"],
         "A player's name must not hold control characters or spaces at its ends: Ana?"),
        (["play", "--players", "Z" * 10_000],
         "A player's name has at most 40 characters: ZZZZZZZZZZZZZZZZZZZZ…"),
    ],
)  # fmt: skip
def test_wrong_uses(zanzibar, arguments, sentence):
    assert_wrong_use(zanzibar(*arguments), sentence)


@pytest.mark.parametrize("command", ["play", "rules", "options", "combinations"])
@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("nix=1", "This game has no option nix. Its options are: tokens, dry_charge, advice."),
        ("tokens=0", "tokens must be a whole number from 1 to 99."),
        ("tokens=100", "tokens must be a whole number from 1 to 99."),
        ("tokens=-1", "tokens must be a whole number from 1 to 99."),
        ("tokens=1.5", "tokens must be a whole number from 1 to 99."),
        ("tokens=", "tokens must be a whole number from 1 to 99."),
        ("tokens=5=6", "tokens must be a whole number from 1 to 99."),
        ("tokens=²", "tokens must be a whole number from 1 to 99."),
        ("tokens=" + "9" * 5000, "tokens must be a whole number from 1 to 99."),
        ("dry_charge=2", "dry_charge must be true or false."),
    ],
)
def test_wrong_settings(zanzibar, command, setting, sentence):
    assert_wrong_use(zanzibar(command, "421", "--set", setting), sentence)


@pytest.mark.parametrize("command", ["play", "rules", "options", "combinations"])
def test_unknown_rules(zanzibar, command):
    games = ", ".join(ruleset.id for ruleset in plugin.library.rulesets())
    sentence = f"There is no game 999. Games here: {games}."
    assert_wrong_use(zanzibar(command, "999"), sentence)


@pytest.mark.parametrize(
    "arguments",
    [
        ["\x1b[31m"],
        ["--\x1b[31m"],
        ["play", "\x1b[31m"],
        ["play", "--set", "to\x1bkens=1"],
        ["play", "--set", "\x1b[31m"],
        ["check", "\x1b[31m"],
        ["replay", "two\nlines"],
        ["rules", "half\udc80"],
        ["rules", "\x00.yaml"],
        ["replay", "\x00"],
        ["check", "n" * 5000],
    ],
)
def test_what_is_told_moves_no_cursor(zanzibar, arguments):
    code, out, err = zanzibar(*arguments)
    assert code in (1, 2)
    assert out == ""
    assert len(err.splitlines()) == (1 if code == 1 and arguments[0] != "check" else 2)
    assert all(line.isprintable() for line in err.splitlines())


# Files


@pytest.mark.parametrize("command", ["play", "rules", "options", "combinations", "replay"])
def test_a_file_that_is_missing_or_a_folder(zanzibar, tmp_path, command):
    missing, folder = tmp_path / "missing.yaml", tmp_path / "folder.yaml"
    folder.mkdir()
    assert zanzibar(command, missing) == (1, "", f"{missing}: There is no such file.\n")
    assert zanzibar(command, folder) == (1, "", f"{folder}: This is a folder, not a file.\n")


def test_check(zanzibar, tmp_path):
    missing, faulty = tmp_path / "missing.yaml", tmp_path / "faulty.yaml"
    faulty.write_text('id: "421"\nname: [\n', encoding="utf-8")
    good = f"{FILE_421}: good, the rules of Zanzibar (4, 2, 1).\n"
    assert zanzibar("check", FILE_421, FILE_421) == (0, good * 2, "")
    # The good ones are told too, wherever the faulty ones stand.
    code, out, err = zanzibar("check", missing, FILE_421, faulty)
    assert (code, out) == (1, good)
    first, second, last = err.splitlines()
    assert first == f"{missing}: There is no such file."
    assert second.startswith(f"{faulty}, line ")
    assert last == "Not all files are good."
    assert zanzibar("check", tmp_path).code == 1


def test_rules_of_a_file(zanzibar, own_library, tmp_path):
    copy = tmp_path / "ours.yaml"
    document = Path(FILE_421).read_text(encoding="utf-8")
    copy.write_text(
        document.replace("name: Zanzibar (4, 2, 1)", "name: Our dice"), encoding="utf-8"
    )
    assert zanzibar("rules", copy).out.startswith("Our dice\n")
    assert "The game begins: Our dice." in zanzibar("play", copy).out
    assert zanzibar("combinations", copy).out == zanzibar("combinations").out


# The commands


def test_the_list_of_rules(zanzibar):
    code, out, err = zanzibar("rules")
    assert (code, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines()] == [
        ruleset.id for ruleset in plugin.library.rulesets()
    ]


def test_the_rules_in_each_format(zanzibar):
    written = zanzibar("rules", "421")
    assert written == zanzibar("rules", "421", "--format", "text")
    assert (written.code, written.err) == (0, "")
    lines = written.out.splitlines()
    assert lines[0] == "Zanzibar (4, 2, 1)"
    assert "Keys" in lines
    markdown = zanzibar("rules", "421", "--format", "markdown").out
    assert markdown.startswith("# Zanzibar (4, 2, 1)\n\n## ")
    html = zanzibar("rules", "421", "--format", "html").out
    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert html.endswith("</html>\n")
    assert "<h2>Keys</h2>" in html


def test_the_rules_are_those_of_the_options(zanzibar):
    page = zanzibar("rules", "421", "--set", "tokens=11", "--set", "dry_charge=true").out
    assert "11 tokens" in page
    assert "Dry loading: yes." in page
    assert "Dry loading: no." in zanzibar("rules", "421").out


def test_the_combinations(zanzibar):
    code, out, err = zanzibar("combinations")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 56
    assert lines[0] == "4, 2, 1, four two one: 10 tokens"
    assert lines[-2:] == ["3, 2, 2: 1 token", "2, 2, 1, nénette: 4 tokens"]


def test_the_combinations_as_json(zanzibar):
    found = json.loads(zanzibar("combinations", "421", "--json", "--set", "tokens=5").out)
    assert len(found) == 56
    assert all(list(one) == ["dice", "tokens", "kind"] for one in found)
    assert found[0] == {"dice": [4, 2, 1], "tokens": 10, "kind": "four_two_one"}
    assert found[-1] == {"dice": [2, 2, 1], "tokens": 4, "kind": "nenette"}


def test_the_options(zanzibar):
    code, out, err = zanzibar("options")
    assert (code, err) == (0, "")
    preset, *lines = out.splitlines()
    variants = [ruleset.id for ruleset in plugin.library.variants("421")]
    assert preset.startswith("preset (Variant): 421. ")
    assert [line.partition(":")[0] for line in lines] == [
        *(f"  {variant}" for variant in variants),
        "tokens (Tokens on the table at the start)",
        "dry_charge (Dry loading)",
        "advice (Advice)",
    ]
    assert all(re.search(r": .*\w.*\.$", line) for line in lines)
    assert lines[-2].startswith("dry_charge (Dry loading): false. ")
    chosen = zanzibar("options", "421", "--set", "tokens=5", "--set", "dry_charge=on").out
    assert "start): 5. " in chosen
    assert "(Dry loading): true. " in chosen


def test_the_options_of_another_game(zanzibar):
    lines = zanzibar("options", "zanzibar-456").out.splitlines()
    assert lines[0].startswith("preset (Variant): zanzibar-456. ")
    assert "scoring (Points): standard. " in "\n".join(lines)
    # The ways of a choice stand below it.
    place = next(number for number, line in enumerate(lines) if line.startswith("scoring"))
    assert [line.partition(":")[0] for line in lines[place + 1 : place + 3]] == [
        *["  standard", "  simple"]
    ]


HOUSE = """\
id: marcel
base: "421"
name: Chez Marcel
supply: {pot: 11}
options:
  tokens: {default: 11}
"""


@pytest.fixture
def house(tmp_path, own_library):
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "marcel.yaml").write_text(HOUSE, encoding="utf-8")
    return folder


def test_a_folder_of_house_rules(zanzibar, house, record):
    ours = ("--rules-dir", house)
    assert "\nmarcel: Chez Marcel.\n" in zanzibar("rules", *ours).out
    assert zanzibar("rules", "marcel", *ours).out.startswith("Chez Marcel\n")
    assert zanzibar("options", "marcel", *ours).out.startswith("preset (Variant): marcel. ")
    assert zanzibar("combinations", "marcel", *ours) == zanzibar("combinations")
    assert zanzibar("check", house / "marcel.yaml", *ours).code == 0
    begin = "The game begins: Chez Marcel."
    played = zanzibar("play", "marcel", *ours).out
    assert begin in played
    assert "11 tokens lie on the table." in played
    replayed = zanzibar("replay", record("rules: 421", "rules: marcel"), *ours)
    assert (replayed.code, replayed.err) == (0, "")
    assert replayed.out.startswith(begin)


def test_a_folder_of_house_rules_with_faults(zanzibar, house):
    """What is wrong with some of them is told, and hides no other game."""
    (house / "faulty.yaml").write_text('id: faulty\nbase: "999"\nname: X\n', encoding="utf-8")
    code, out, err = zanzibar("rules", "--rules-dir", house)
    assert code == 0
    assert "marcel: Chez Marcel." in out
    assert err.startswith(f"{house / 'faulty.yaml'}, line 2: There is no game 999 ")
    assert len(err.splitlines()) == 1
    # It is told whatever the folder is given for.
    assert zanzibar("options", "marcel", "--rules-dir", house).err == err
    result = zanzibar("options", "faulty", "--rules-dir", house)
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[0] == err.strip()
    assert result.err.splitlines()[1].startswith("There is no game faulty. Games here: 421, ")


@pytest.mark.parametrize("command", ["play", "rules", "options", "combinations"])
def test_a_folder_that_is_not_there(zanzibar, own_library, tmp_path, command):
    missing = tmp_path / "none"
    result = zanzibar(command, "--rules-dir", missing)
    assert_wrong_use(result, f"There is no folder {missing}.")


def test_a_replay_as_a_spectator_hears_it(zanzibar, record):
    code, out, err = zanzibar("replay", record())
    assert (code, err) == (0, "")
    lines = out.splitlines()
    begin = "The game begins: Zanzibar (4, 2, 1). Players, in order: Ana and Bruno. "
    assert lines[0].startswith(begin)
    assert lines[2:5] == [
        "Ana rolls 4, 2, 1, four two one.",
        "Ana accepts 4, 2, 1, four two one. Bruno is next, with 1 roll.",
        "Bruno rolls 6, 6, 1.",
    ]
    assert "you" not in out.lower().split()


def test_a_replay_as_a_player_hears_it(zanzibar, record):
    ana = zanzibar("replay", record(), "--listener", "Ana").out
    assert "You roll 4, 2, 1, four two one. You have 2 rolls left." in ana
    assert "Tokens: you 0 and Bruno 0." in ana  # the answer to S is hers alone
    assert "The latest roll" not in ana
    bruno = zanzibar("replay", "--listener", "Bruno", record()).out
    assert "Ana rolls 4, 2, 1, four two one." in bruno
    assert "The latest roll is yours: 6, 6, 1." in bruno


def test_a_listener_who_is_no_player(zanzibar, record):
    sentence = "Zoe is no player of this table. Players: Ana, Bruno."
    assert_wrong_use(zanzibar("replay", record(), "--listener", "Zoe"), sentence)


def test_a_replay_as_json(zanzibar, record):
    code, out, err = zanzibar("replay", record(), "--json")
    assert (code, err) == (0, "")
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["event"] for event in events] == [
        *["game_started", "turn_started", "thrown", "answered", "accepted"],
        *["thrown", "accepted", "turn_complete", "turn_ended"],
        *["left", "game_over", "answered"],
    ]
    assert events[-2]["loser"] == "Bruno"


@pytest.mark.parametrize("output", [[], ["--json"]])
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[4, 2, 1, 6, 6, 1]", "[4, 2, 1, 6]", "line 4: The dice run out at throw 2 of the game."),
        ("6, 6, 1]", "6, 7, 1]", "line 4: dice must be whole numbers from 1 to 6."),
        ("[Bruno, enter]", "[Bruno, jump]", "line 9: "),
        ("[Bruno, enter]", "Bruno", "line 9: "),
    ],
)
def test_a_replay_tells_what_happens_before_a_fault(zanzibar, record, old, new, problem, output):
    whole = zanzibar("replay", record(), *output).out.splitlines()
    path = record(old, new)
    code, out, err = zanzibar("replay", path, *output)
    assert code == 1
    lines = out.splitlines()
    # All up to the throw of Bruno that could not be made.
    assert lines == whole[: len(lines)]
    assert "Ana" in lines[-1]
    assert len(lines) >= 4
    assert err.startswith(f"{path}, {problem}")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rules: 421", "rules: 999"),
        ("rules: 421", "rules: yes"),
        ("tokens: 3", "tokens: 100"),
        ("tokens: 3", "tokns: 3"),
        ("[Ana, Bruno]", "[Ana, Ana]"),
        ("[Ana, Bruno]", "[Ana, no]"),
        ("players:", "plyers:"),
        ("dice: [", "dice: ["[:-1]),
    ],
)
def test_a_record_that_cannot_begin(zanzibar, record, old, new):
    code, out, err = zanzibar("replay", record(old, new))
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert re.match(r".*record\.yaml(, line \d+)?: ", err)


def test_bench(zanzibar, monkeypatch):
    few = bench.measure(rounds=1, games=2)
    monkeypatch.setattr(bench, "measure", lambda: few)
    assert json.loads(zanzibar("bench", "--json").out) == few._asdict()
    code, out, err = zanzibar("bench")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 3


def test_playing_against_bots(zanzibar):
    code, out, err = zanzibar("play", lines="\n\n")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Played by the computer: Alba and Boris."
    assert "Players, in order: Player, Alba, and Boris." in lines[2]
    assert lines[-1] == "Goodbye."
    assert "Players, in order: Player and Alba." in zanzibar("play", "--bots", "1").out


def test_playing_with_friends(zanzibar):
    out = zanzibar("play", "421", "--players", " Ana , Bruno").out
    assert "Players, in order: Ana and Bruno." in out
    assert "Played by the computer" not in out
    with_bot = zanzibar("play", "421", "--players", "Ana,Bruno", "--bots", "1").out
    assert "Players, in order: Ana, Bruno, and Alba." in with_bot


def test_a_bot_never_has_the_name_of_a_person(zanzibar):
    # However many bots there are; names differ for the ear.
    result = zanzibar("play", "--players", "alba", "--bots", "11")
    assert result.code == 0
    assert "Players, in order: alba, Boris, " in result.out


def test_playing_with_options(zanzibar):
    out = zanzibar("play", "--set", "tokens = 5", "--set", "dry_charge=TRUE", lines="?\n?\n").out
    assert "5 tokens lie on the table. Dry loading: yes.\n" in out
    assert (
        "Dry loading: yes. In the loading" in out
    )  # in the rules, that is after the second question mark


def test_a_seed_makes_the_same_game(zanzibar):
    def game(seed):
        return zanzibar("play", "--seed", seed, "--pace", "0", lines="\n" * 400).out

    assert game(7) == game(7)
    assert game(7) != game(8)
    assert "Goodbye." in game(-7)


def test_a_keyboard(zanzibar):
    lines = "\n&\n"
    assert "--keyboard fr" in zanzibar("play", "--seed", "1", lines=lines).out
    assert "--keyboard" not in zanzibar("play", "--keyboard", "fr", "--seed", "1", lines=lines).out


# Languages


def language_of(result):
    """The language in which a page was written."""
    assert (result.code, result.err) == (0, "")
    return re.search(r'<html lang="(\w+)">', result.out)[1]


PAGE = ("rules", "421", "--format", "html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_before_or_after_the_command(zanzibar, language):
    assert language_of(zanzibar("--lang", language, *PAGE)) == language
    assert language_of(zanzibar(*PAGE, "--lang", language)) == language
    assert language_of(zanzibar(*PAGE, f"--lang={language}", LANG="de_DE")) == language
    assert language_of(zanzibar(*PAGE, LANG=f"{language}.UTF-8")) == language


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("fr-CA", "fr"),
        ("FR", "fr"),
        ("fr_FR.UTF-8@euro", "fr"),
        ("sr_Latn_RS", "sr"),
        ("en_GB", "en"),
        ("de", "en"),
        ("", "en"),
        ("../../fr", "en"),
        ("f", "en"),
        ("\x1b[31m", "en"),
        ("fr\n", "en"),
        ("C", "en"),
        ("z" * 10_000, "en"),
        ("frfr", "en"),
        ("é", "en"),
    ],
)
def test_negotiation(zanzibar, tag, language):
    assert language_of(zanzibar(*PAGE, "--lang", tag)) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LC_MESSAGES": "es_ES", "LC_ALL": "fr_FR"}, "fr"),
        ({"LC_ALL": "fr_FR", "LANGUAGE": "it"}, "it"),
        ({"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        ({"LANGUAGE": "", "LANG": "fr_FR"}, "fr"),
        ({"LANGUAGE": "ca:es:fr"}, "es"),
        ({"LANGUAGE": "en_GB:fr"}, "en"),
        ({"LANGUAGE": ":", "LANG": "fr"}, "en"),
    ],
)
def test_the_language_of_the_environment(zanzibar, environment, language):
    assert language_of(zanzibar(*PAGE, **environment)) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_uses_are_told_in_the_language(zanzibar, language):
    say = Catalogs().catalog(language).say
    expected = say(text("There is no option {option}.", option="--nix"))
    for arguments in (
        ("play", "--nix", "--lang", language),
        ("--lang", language, "--nix"),
        ("--nix", f"--lang={language}"),
    ):
        assert zanzibar(*arguments).err.splitlines()[0] == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_works_in_every_language(zanzibar, record, monkeypatch, language):
    few = bench.measure(rounds=1, games=1)
    monkeypatch.setattr(bench, "measure", lambda: few)
    for arguments in (
        *[("play",), ("rules",), ("rules", "421"), ("options",), ("combinations",)],
        *[("check", FILE_421), ("replay", record()), ("bench",)],
    ):
        code, out, err = zanzibar(*arguments, "--lang", language)
        assert (code, err) == (0, "")
        assert out
        assert not {"{", "}"} & set(out)


# Streams


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LANG": "C"}, {"LC_ALL": "POSIX"}]
)
def test_a_terminal_that_knows_few_letters(environment, tmp_path):
    for arguments in (
        ["play", "--lang", "fr", "--players", "Zoé,Šime"],
        ["combinations", "--lang", "sr"],
        ["rules", "421", "--lang", "fr"],
        ["check", str(tmp_path / "été.yaml"), "--lang", "fr"],
    ):
        result = ended(process(*arguments, environment=environment, stdin=subprocess.PIPE))
        assert result.code == (1 if "check" in arguments else 0)
        assert result.out or result.err


@pytest.mark.parametrize("arguments", [["play", "--seed", "1"], ["combinations"], ["rules", "421"]])
def test_a_reader_who_has_had_enough(arguments):
    reading, writing = os.pipe()
    running = process(*arguments, stdin=subprocess.PIPE, stdout=writing)
    os.close(writing)
    os.close(reading)
    assert ended(running, b"\n" * 400) == (0, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["play", "rules"])
def test_a_disk_that_is_full(command):
    with Path("/dev/full").open("wb") as full:
        running = process(command, stdin=subprocess.DEVNULL, stdout=full)
        assert ended(running) == (1, "", "stdout: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("arguments", [["play", "--seed", "1"], ["rules"]])
def test_a_stream_that_was_never_open(arguments, closed):
    result = ended(process(*arguments, closed=closed, stdin=subprocess.DEVNULL))
    assert (result.code, result.err) == (0, "")
    assert bool(result.out) == (closed != ">&-")


@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl+C")
def test_control_c_says_goodbye():
    running = process("play", "--seed", "1", stdin=subprocess.PIPE)
    while b"Enter rolls" not in running.stdout.readline():
        pass
    running.send_signal(signal.SIGINT)
    assert ended(running) == (0, "", "\nGoodbye.\n")


@pytest.mark.parametrize(
    "arguments",
    [("--port", "99999"), ("--port", "-1"), ("--locale-dir", "/nowhere"), ("--limit", "x")],
)
def test_a_room_that_cannot_be_opened_so(zanzibar, arguments):
    code, out, err = zanzibar("serve", *arguments)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert arguments[0] in err or arguments[1] in err


def test_names_that_look_alike_are_the_same(zanzibar):
    code, _, err = zanzibar("play", "--players", "Zoé,Zoe\u0301")
    assert code == 2
    assert "same name" in err
