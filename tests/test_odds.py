"""The command `zanzibar odds`: chances as fractions, tables to read, a picture, and refusals."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import LANGUAGES, LIBRARY, bundled, played
from rules_strategy import rules_files

from zanzibar_plugin import cli, odds
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.cli_odds import as_data, report
from zanzibar_plugin.cli_waiting import waiting
from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.percent import percent
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.solver import advisor
from zanzibar_plugin.solver.chances import chance_within
from zanzibar_plugin.solver.duel import solve

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(capsys, monkeypatch, cache):
    """Run `zanzibar odds` in English, if nothing else is said; solutions are kept elsewhere."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))

    def run(*arguments, lang="en", code=0):
        assert cli.main(["odds", *map(str, arguments), "--lang", lang]) == code
        return capsys.readouterr()

    return run


@pytest.fixture
def told(run):
    """The JSON of some arguments."""
    return lambda *arguments: json.loads(run(*arguments, "--json").out)


def small(ruleset):
    return ("--tokens", "5") if "tokens" in ruleset.defaults() else ()


def test_the_numbers_of_421(told):
    found = told("421")
    duel = solve(played(bundled("421")))
    assert found["starter_wins"] == duel.start
    assert 0 < found["bound"] < 1e-10
    assert found["refused"] is None
    first = found["combinations"][0]
    assert (first["dice"], first["kind"]) == ([4, 2, 1], "four_two_one")
    fractions = [one["fraction"] for one in first["within"]]
    assert fractions == ["1/36", "299/2592", "42571/186624"]
    assert [one["rolls"] for one in first["within"]] == [1, 2, 3]


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_every_game_has_the_same_keys(told, ruleset):
    found = told(ruleset.id, *small(ruleset))
    assert list(found) == [
        *("rules", "options", "players", "starter_wins", "set_starter_wins", "bound"),
        *("refused", "combinations", "keep", "last_phase"),
    ]
    assert found["rules"] == ruleset.id
    assert (found["starter_wins"] is None) == (found["refused"] is not None)
    assert len({tuple(one["dice"]) for one in found["combinations"]}) == 56
    for one in found["combinations"]:
        chances = [Fraction(within["fraction"]) for within in one["within"]]
        assert chances == sorted(chances)
        assert [float(chance) for chance in chances] == [w["chance"] for w in one["within"]]
    for table in found["keep"]:
        rolls = {row["roll"] for row in table["rows"]}
        assert len(table["rows"]) == 56 * len(rolls)
        for row in table["rows"]:
            assert sorted(row["keep"] + row["again"]) == sorted(row["dice"])
            assert row["stop"] == (not row["again"])
            assert all(0 <= row[chance] <= 1 for chance in ("win", "turn", "safe"))


def test_dice_of_one_pattern_are_equally_likely():
    rules = played(bundled("421"))
    for dice in COMBINATIONS[::5]:
        assert odds.chance(dice, 2, rules) == chance_within(dice, 2)


def test_the_lines_of_421(run):
    lines = run().out.splitlines()
    assert lines[0] == "Zanzibar (4, 2, 1), 2 players"
    assert lines[1] == "The starter wins 50.8% of the games, if both play their best."
    assert lines[2] == "This is proven to be right in all the digits shown."
    (chances, keep, end) = [line for line in lines if line.startswith("4, 2, 1, four two one ")]
    assert chances.split("one")[1].split() == ["2.8%", "11.5%", "22.8%"]
    assert keep.split("one")[1].split() == ["accept", "accept"] == end.split("one")[1].split()
    assert any(line.split() == ["6,", "4,", "1", "keep", "4,", "1", "keep", "4,", "1"]
               for line in lines)  # fmt: skip
    assert len([line for line in lines if line.startswith("6, 5, 2 ")]) == 2
    # The columns stand below each other.
    rows = lines[lines.index("") + 2 :][:18]
    assert len({row.index("%") for row in rows[1:]}) == 1


def test_columns_do_not_hang_on_the_language(run):
    for lang in LANGUAGES:
        out = run("--tokens", "3", lang=lang).out
        assert "22.8%" in out or "22,8" in out
    assert "22,8 %" in run("--tokens", "3", lang="fr").out.replace("\xa0", " ")


def test_tokens_is_short_for_the_option(told):
    assert told("--tokens", "6") == told("--set", "tokens=6")
    assert told("--tokens", "6")["options"]["tokens"] == 6


def test_announced_rolls_are_in_the_table(told, run):
    rows = told("lyon-vache", "--tokens", "5")["keep"][1]["rows"]
    assert any(row["last"] for row in rows)
    assert not any(row["stop"] for row in rows)
    assert "announce the last roll, keep " in run("lyon-vache", "--tokens", "5").out


def test_a_single_roll_leaves_no_choice(run):
    assert "There is one roll only: nothing can be chosen." in run("421-dry", "--tokens", "4").out


def test_three_players_are_refused_but_told_the_rest(run, told):
    lines = run("--players", "3", "--tokens", "4").out.splitlines()
    assert lines[1] == "Only games of two players are worked out exactly as a whole."
    assert any("22.8%" in line for line in lines)
    assert "This is an estimate, which looks at one round only." in lines
    found = told("--players", "3", "--tokens", "4")
    assert (found["starter_wins"], found["bound"], found["last_phase"]) == (None, None, [])
    assert [table["grounds"] for table in found["keep"]] == ["estimate", "equilibrium"]


def test_sets_are_told_one_by_one(run, told):
    assert "50.0% of the sets" in run("belgian", "--tokens", "4").out
    found = told("belgian", "--tokens", "4")
    assert found["starter_wins"] is None
    assert found["set_starter_wins"] == pytest.approx(0.5)


def test_without_numpy(run, told, monkeypatch, tmp_path):
    advisor.available.cache_clear()
    monkeypatch.setattr(advisor, "available", lambda: False)
    lines = run().out.splitlines()
    assert lines[1] == "Exact play needs numpy, which is not installed here."
    assert any("22.8%" in line for line in lines)
    found = told()
    assert found["refused"] == lines[1]
    assert found["keep"] == found["last_phase"] == []
    assert found["combinations"][0]["within"][2]["fraction"] == "42571/186624"
    picture = tmp_path / "win.svg"
    assert run("--svg", picture, code=1).err == f"There is no picture. {lines[1]}\n"
    assert not picture.exists()


@pytest.mark.parametrize("name", ["421", "french-bar-21", "zanzibar-456"])
@pytest.mark.parametrize("lang", ["en", "sr"])
def test_the_picture(run, tmp_path, name, lang):
    file = tmp_path / "win.svg"
    run(name, "--svg", file, lang=lang)
    root = ElementTree.fromstring(file.read_text("utf-8"))
    assert root.get("role") == "img"
    ids = {one.get("id"): one.text for one in root if one.get("id")}
    assert root.get("aria-labelledby").split() == list(ids)
    assert all(ids.values())
    for line in (root.findall(f"{SVG}polyline"))[:2]:
        heights = [float(place.split(",")[1]) for place in line.get("points").split()]
        # Where the winner starts, nobody starts with 29 of 30 tokens.
        assert len(heights) == (27 if name == "zanzibar-456" else 20)
        assert heights == sorted(heights)
    for one in root.iter():
        assert all(0 <= float(one.get(side, 0)) <= 720 for side in ("x", "y", "cx", "cy"))


def test_more_tokens_are_worse(told):
    points = told("421")["last_phase"]
    assert [point["held"] for point in points] == list(range(1, 21))
    for one, next_ in pairwise(points):
        assert one["starter"] > next_["starter"]
        assert one["other"] > next_["other"]
    # The two are the same position, seen from both sides.
    for one, opposite in zip(points, points[::-1], strict=True):
        assert one["starter"] == pytest.approx(1 - opposite["other"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--players", "13"), "--players must be a whole number from 2 to 12."),
        (("veryphone", "--players", "5"), "--players must be a whole number from 2 to 4."),
        (("--tokens", "0"), "tokens must be a whole number from 1 to 99."),
        (("--tokens", "x"), "tokens must be a whole number from 1 to 99."),
        (("--set", "tokens"), "--set needs a name and a value, like tokens=11, not tokens."),
        (
            ("zanzibar-456", "--tokens", "5"),
            "This game has no option tokens. Its options are: advice, scoring, payment.",
        ),
    ],
)
def test_wrong_uses(run, arguments, sentence):
    found = run(*arguments, code=2)
    assert (found.out, found.err.splitlines()[0]) == ("", sentence)


def test_no_picture(run, tmp_path):
    found = run("--players", "3", "--tokens", "4", "--svg", tmp_path / "win.svg", code=1)
    reason = "Only games of two players are worked out exactly as a whole."
    assert found.err == f"There is no picture. {reason}\n"
    found = run("--tokens", "1", "--svg", tmp_path / "win.svg", code=1)
    assert found.err.startswith("There is no picture: ")
    found = run("--tokens", "3", "--svg", tmp_path / "no" / "win.svg", code=1)
    assert "No such file" in found.err


def test_waiting_is_told_now_and_then(monkeypatch, capsys):
    from zanzibar_plugin import cli_waiting

    now = [0.0]
    monkeypatch.setattr(cli_waiting.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(cli_waiting.sys.stderr, "isatty", lambda: True, raising=False)
    tell = waiting(Catalogs().catalog("en"))
    for now[0], done in ((0.5, 0.1), (1.5, 0.2), (2.0, 0.3), (12.0, 0.4)):
        tell(done)
    assert capsys.readouterr().err == "Working it out: 20.0%.\nWorking it out: 40.0%.\n"
    monkeypatch.setattr(cli_waiting.sys.stderr, "isatty", lambda: False, raising=False)
    now[0] = 99.0
    tell(0.5)
    assert capsys.readouterr().err == ""


def test_the_strategy_page_is_current():
    """If not: `python -m tests.strategy` writes it anew."""
    import strategy

    old = strategy.PAGE.read_text("utf-8")
    names = [name for _, name, _ in strategy.BLOCK.findall(old)]
    assert sorted(names) == sorted(strategy.BLOCKS)
    assert strategy.page(old) == old
    assert strategy.picture() == strategy.PICTURE.read_text("utf-8")


def test_what_the_strategy_page_says_in_words():
    from strategy import GAMES, points, solved

    for name in ("421", "french-bar-21"):
        found = points(solved(name)[1])
        steps = {one.held: one.starter - more.starter for one, more in pairwise(found)}
        usual = [step for held, step in steps.items() if held not in (1, 10)]
        assert all(one.starter > one.other for one in found)
        assert sum(0.025 < step < 0.045 for step in usual) > 0.8 * len(usual)
        assert steps[10] > max(usual)
    starts = [solved(name, options)[1].start for name, options in GAMES]
    assert starts[1] > starts[0] > 0.5 > starts[2]
    assert starts[3:5] == pytest.approx([0.5, 0.5])


@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(rules_files(), st.integers(2, 4))
def test_any_rules(tmp_path_factory, file, players):
    rules = rules_of(file.ruleset, file.ruleset.defaults())
    supply = replace(rules.supply, pot=min(rules.supply.pot, 3), each=min(rules.supply.each, 2),
                     by_players={}, extra_add=0)  # fmt: skip
    rules = replace(rules, supply=supply, min_players=2, max_players=12)
    found = odds.solve(rules, players, folder=tmp_path_factory.mktemp("solutions"))
    assert len(found.tables) >= 1
    catalog = Catalogs().catalog("fr")
    assert len(list(report(file.ruleset, rules, players, found, catalog))) > 10
    json.dumps(as_data(rules, players, found, found.refused, catalog))


def test_numbers_are_written_for_people():
    assert percent(0.5, "en") == "50.0%"
    assert percent(0.12345, "sr_Latn") == "12,3%"
    assert percent(1, "es").replace("\xa0", " ") == "100,0 %"
