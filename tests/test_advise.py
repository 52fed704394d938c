"""The command `zanzibar advise`: as the advisor says, in any situation that can come up."""

import json
import random
import shlex

import pytest
from playing import LANGUAGES, LIBRARY, bundled, changed, played
from solver_tables import game, regular

from zanzibar_plugin import cli, engine
from zanzibar_plugin.dice import without
from zanzibar_plugin.engine import must_throw
from zanzibar_plugin.situation import (
    ME,
    Described,
    Held,
    beginning,
    last_phase,
    shared,
    state_of,
)
from zanzibar_plugin.solver import advisor
from zanzibar_plugin.solver.advisor import make_advisor
from zanzibar_plugin.solver.facing import position_of
from zanzibar_plugin.state import State, evolve, rebuild
from zanzibar_plugin.text import Text


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(capsys, monkeypatch, cache):
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))

    def run(line, lang="en", code=0):
        assert cli.main(["advise", *shlex.split(line), "--lang", lang]) == code
        return capsys.readouterr()

    return run


@pytest.fixture
def told(run):
    return lambda line: json.loads(run(f"{line} --json").out)


def test_the_lines_of_421(run):
    lines = run("--dice 5,3,1").out.splitlines()
    assert lines[:6] == [
        "Zanzibar (4, 2, 1), loading: you have 5, 3, 1 after roll 1 of 3.",
        "Tokens: you 0, the others 0, the table 21.",
        "Best: roll 5, 3 again and keep 1.",
        "Your chances with it: 49.8% to win the game, 51.1% to be the strongest of the round. "
        "If you accept now: 47.8% to win the game, 19.4% to be the strongest of the round.",
        "This is exact if both play their best from here on.",
        "All you may do, the best first:",
    ]
    assert len(lines) == 6 + 8
    assert lines[8] == (
        "accept 5, 3, 1: 47.8% to win the game, 19.4% to be the strongest of the round"
    )


def test_whoever_accepts_hears_what_a_roll_would_bring(run):
    lines = run("french-bar-21 --dice 421 --mine 5 --theirs 16").out.splitlines()
    assert lines[0].startswith("French bar, 21 tokens, unloading: you have 4, 2, 1, four two one")
    assert lines[2] == "Best: accept 4, 2, 1, four two one."
    assert "With the best way to roll again: " in lines[3]


def test_the_best_to_beat_is_told(run):
    out = run("--dice 531 --to-beat 5,1,1 --to-beat 421 --limit 2 --mine 5 --theirs 4 --theirs 3")
    lines = out.out.splitlines()
    assert lines[1] == "The best before you: 4, 2, 1, four two one."
    assert "Tokens: you 5, the others 4, 3, the table 9." in lines
    assert "This is an estimate, which looks at one round only." in lines


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language(run, lang):
    assert len(run("--tokens 4 --dice 531", lang).out.splitlines()) == 14


def test_as_data(told):
    found = told("--dice '5 3 1' --tokens 11 --to-beat 665 --limit 2 --mine 4 --theirs 7")
    assert list(found) == [
        *("rules", "options", "players", "phase", "dice", "roll", "limit", "to_beat"),
        *("mine", "theirs", "table", "grounds", "choices"),
    ]
    assert found["options"]["tokens"] == 11
    assert (found["phase"], found["roll"], found["limit"]) == ("discharge", 1, 2)
    assert (found["mine"], found["theirs"], found["table"]) == (4, [7], 0)
    assert (found["to_beat"], found["grounds"]) == ([[6, 6, 5]], "exact")
    assert list(found["choices"][0]) == ["stop", "keep", "again", "last", "win", "turn", "safe"]
    chances = [one["win"] for one in found["choices"]]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_it_agrees_with_the_advisor_in_real_games(told, cache, ruleset):
    """The situation of a real game, told by options, gets the advice of the real game."""
    options = {"tokens": 5} if "tokens" in ruleset.defaults() else {}
    rules = played(ruleset, **options)
    made = make_advisor(rules, 2, folder=cache / "zanzibar-plugin")
    seen = []

    def watch(state, player):
        go = state.go
        if go.dice and go.throws < go.limit and state.turn.about == "turn" and not go.last:
            seen.append(state)

    for seed in range(4):
        game(rules, {"A": regular, "B": regular}, random.Random(seed), watch)
    for state in random.Random(1).sample(seen, min(6, len(seen))):
        go, results, tokens = state.go, state.turn.results, state.standing.tokens
        (other,) = (name for name in "AB" if name != go.player)
        line = f"{ruleset.id} --dice {''.join(map(str, go.dice))} --roll {go.throws} "
        line += f"--mine {tokens[go.player]} --theirs {tokens[other]} "
        line += f"--table {state.standing.table} --phase {state.phase.id} "
        if options:
            line += "--tokens 5 "
        if results:
            line += f"--limit {go.limit} --to-beat {''.join(map(str, results[0].dice))}"
        advice = made.advise(state, go.player)
        found = told(line)
        assert found["grounds"] == advice.grounds
        for one, choice in zip(found["choices"], advice.choices, strict=True):
            assert (one["stop"], one["again"]) == (choice.stop, list(choice.again))
            assert one["last"] == choice.last
            assert (one["win"], one["turn"], one["safe"]) == tuple(choice[3:])
    assert seen


def test_a_situation_is_what_play_leads_to():
    """The state at the beginning is that of a real table, but for the names."""
    rules = played(bundled("421"))
    state = state_of(rules, Described((5, 3, 1)))
    real = rebuild(rules, engine.start(rules, (ME, "1")))
    for event in engine.decide(real, engine.Command(ME, "enter", (5, 3, 1))):
        real = evolve(real, event)
    assert state == real


@pytest.mark.parametrize("roll", [1, 2])
@pytest.mark.parametrize("name", ["421", "french-bar-21", "lyon-vache", "zanzibar-456"])
def test_whoever_came_before_has_rolled_as_the_rules_say(name, roll):
    rules = played(bundled(name))
    held = last_phase(rules, 2) or beginning(rules, 2)
    phase = rules.phases[-1].id
    state = state_of(rules, Described((5, 3, 1), roll, 3, ((6, 5, 2),), (), held, phase))
    assert state.go.throws == roll
    assert state.turn.results[0][1:] == ((6, 5, 2), 3)
    early = state_of(rules, Described((5, 3, 1), 1, 2, ((6, 5, 2),), (), held, phase))
    assert early.turn.results[0].throws == early.go.limit == 2
    assert must_throw(early) == (name == "lyon-vache")
    assert position_of(early).tokens == (held.theirs[0], held.mine)


def test_dice_that_stay():
    rules = played(changed("421", {"lock_kept": True}))
    for roll in (2, 3):
        described = Described((5, 4, 1), roll - 1, locked=(4,)) if roll == 3 else None
        state = state_of(rules, described or Described((5, 4, 1), 2, locked=(4,)))
        assert state.go.locked == (4,)
    advice = make_advisor(rules, 2).advise(state, ME)
    assert all(one.stop or 4 in without((5, 4, 1), one.again) for one in advice.choices)
    for locked, roll in (((4,), 1), ((6,), 2), ((5, 4, 1), 2)):
        assert isinstance(state_of(rules, Described((5, 4, 1), roll, locked=locked)), Text)


def test_who_is_out_of_the_game():
    rules = played(bundled("421"))
    state = state_of(rules, Described((5, 3, 1), held=Held(9, (0, 12), 0)))
    assert state.turn.order == (ME, "2")
    state = state_of(rules, Described((5, 3, 1), to_beat=((6, 5, 2),), held=Held(9, (0, 12), 0)))
    assert isinstance(state, State)
    assert [result.player for result in state.turn.results] == ["2"]


def test_tokens_that_are_left_out():
    rules = played(bundled("421"))
    assert shared(rules, 2) == Held(0, (0,), 21)
    assert shared(rules, 2, 5) == Held(5, (16,), 0)
    assert shared(rules, 2, 5, (), 3) == Held(5, (13,), 3)
    assert shared(rules, 2, None, (16,)) == Held(5, (16,), 0)
    assert shared(rules, 2, 5, (6,)) == Held(5, (6,), 10)
    assert shared(rules, 3, 5, (6, 7)) == Held(5, (6, 7), 3)
    assert last_phase(rules, 2) == Held(11, (10,), 0)
    assert last_phase(played(bundled("zanzibar-456")), 2) is None


def test_three_in_the_last_phase_are_an_equilibrium(told, run):
    line = "--tokens 4 --dice 531 --mine 1 --theirs 1 --theirs 2"
    assert told(line)["grounds"] == "equilibrium"
    assert (
        "This holds if all three play so that nobody gains by playing otherwise." in run(line).out
    )
    assert told("--tokens 4 --dice 531 --mine 1 --theirs 0 --theirs 3")["grounds"] == "exact"


def test_one_set(run):
    out = run("belgian --tokens 4 --dice 531 --mine 1").out
    assert "to win the set" in out
    assert "This is exact for this set alone." in out


def test_without_numpy(run, monkeypatch):
    monkeypatch.setattr(advisor, "available", lambda: False)
    assert run("--dice 531", code=1).err == "Exact play needs numpy, which is not installed here.\n"


TOTAL = "This game has 21 tokens: the numbers given must sum to that."
THEIRS = "--theirs is needed once for each of the other players."
DICE = "--dice needs three dice from 1 to 6, like 4,2,1, not"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "--dice is missing."),
        ("--dice 7,1,1", f"{DICE} 7,1,1."),
        ("--dice 4,2", f"{DICE} 4,2."),
        ("--dice 4,2,1,1", f"{DICE} 4,2,1,1."),
        ("--dice ''", f"{DICE} ."),
        ("--dice ²²²", f"{DICE} ²²²."),
        ("--dice 421 --to-beat x", "--to-beat needs three dice from 1 to 6, like 4,2,1, not x."),
        ("--dice 421 --locked x", "--locked needs one or two dice from 1 to 6, like 4,2, not x."),
        ("--dice 421 --roll 3", "After your last roll there is nothing to choose any more."),
        ("--dice 421 --roll 4", "--roll must be a whole number from 1 to 3."),
        ("--dice 421 --roll 3 --to-beat 511 --limit 2", "You may roll 2 times at most here."),
        ("421-dry --dice 421 --roll 2", "You may roll 1 time at most here."),
        ("421-dry --dice 421 --to-beat 511 --limit 2", "You may roll 1 time at most here."),
        ("--dice 421 --limit 2", "--limit must be 3 here: by the rules you may roll that often."),
        ("--dice 421 --mine 20 --theirs 20", TOTAL),
        ("--dice 421 --mine 22", TOTAL),
        ("--dice 421 --mine 5 --theirs 5 --table 5", TOTAL),
        ("--dice 421 --table 4", "--mine is needed: how many tokens you hold."),
        ("--dice 421 --players 3 --theirs 5", THEIRS),
        ("--dice 421 --players 3 --mine 5", THEIRS),
        ("--dice 421 --players 2 --theirs 5 --theirs 6", THEIRS),
        ("--dice 421 --mine x", "--mine must be a whole number from 0 to 9999."),
        ("--dice 421 --phase x", "--phase must be one of: charge, discharge."),
        ("--dice 421 --phase discharge", "In this phase there are no tokens on the table."),
        ("--dice 421 --phase charge --mine 5", "In this phase there must be tokens on the table."),
        (
            "--dice 421 --mine 0 --theirs 21",
            "Whoever holds no token is out of the game in this phase.",
        ),
        ("--dice 421 --mine 21", "Whoever holds all the tokens has lost: the game is over."),
        (
            "--dice 421 --players 2 --to-beat 511 --to-beat 511",
            "--to-beat can be given once for each of the other players at most.",
        ),
        (
            "--dice 421 --locked 4",
            "By these rules any die may be rolled again: --locked is not needed.",
        ),
        ("veryphone --dice 421 --players 5", "--players must be a whole number from 2 to 4."),
    ],
)
def test_what_cannot_be(run, line, sentence):
    found = run(line, code=2)
    assert (found.out, found.err.splitlines()[0]) == ("", sentence)
    assert found.err.splitlines()[1] == "Help: zanzibar advise --help"
