"""A folder of house rules: variants of our games and of each other, and what can be wrong there."""

import random

import pytest
from playing import LANGUAGES

from zanzibar_plugin import plugin
from zanzibar_plugin.cli import main
from zanzibar_plugin.hookspecs import Options, Refusal, Step
from zanzibar_plugin.library import Library
from zanzibar_plugin.registry import Registry
from zanzibar_plugin.schema import rules_of

BUNDLED = {ruleset.id for ruleset in Library().rulesets()}


def house(base="421", name="A house", **fields):
    """A small file; fields are given as YAML."""
    lines = ["id: {id}", f'base: "{base}"', f"name: {name}", "summary: A rule of the house."]
    return "\n".join([*lines, *(f"{field}: {value}" for field, value in fields.items())]) + "\n"


@pytest.fixture
def folder(tmp_path):
    def written(files):
        for name, source in files.items():
            (tmp_path / f"{name}.yaml").write_text(source.replace("{id}", name), "utf-8")
        return tmp_path

    return written


@pytest.fixture
def fresh(monkeypatch):
    """The plugin with a library of its own, so that no other test sees these files."""
    monkeypatch.setattr(plugin, "library", Library())
    return plugin


def library_of(folder):
    library = Library([folder])
    library.rulesets()
    return library


def problems_of(library):
    return [str(problem) for problem in library.problems]


def own(library):
    return [ruleset.id for ruleset in library.rulesets() if ruleset.id not in BUNDLED]


def test_a_variant_of_a_bundled_game(folder):
    path = folder({"ours": house(nenette_penalty=3)})
    library = library_of(path)
    assert not library.problems
    ours = library.find("ours")
    assert ours.base == "421"
    rules = rules_of(ours, ours.defaults())
    assert rules.penalty == 3
    assert (
        rules.combinations
        == rules_of(library.find("421"), library.find("421").defaults()).combinations
    )
    assert "ours" in [one.id for one in library.variants("421")]


@pytest.mark.parametrize("order", ["abc", "acb", "bac", "bca", "cab", "cba"])
def test_variants_of_each_other_in_any_order(folder, order):
    """Whatever the files are called: each is laid over its base."""
    first, second, third = order
    library = library_of(
        folder(
            {
                first: house(nenette_penalty=1),
                second: house(first, repeat_step=1),
                third: house(second, nenette_penalty=2),
            }
        )
    )
    assert not library.problems
    last = library.find(third)
    rules = rules_of(last, last.defaults())
    assert (rules.penalty, rules.repeat_step, last.base) == (2, 1, second)
    assert {first, second, third} <= {one.id for one in library.variants("421")}


def test_a_variant_of_a_bundled_variant(folder):
    library = library_of(folder({"ours": house("belgian", lost_sets=2)}))
    ours = library.find("ours")
    rules = rules_of(ours, ours.defaults())
    assert (rules.lost_sets, rules.supply.start(6)[0]) == (2, 15)


def test_what_is_said_of_the_base_alone_is_not_inherited(folder):
    ours = library_of(folder({"ours": house("belgian")})).find("ours")
    assert (ours.region, ours.source, ours.note) == ("", "", "")


def test_unknown_base(folder):
    library = library_of(folder({"good": house(), "odd": house("no-such-game")}))
    assert own(library) == ["good"]
    (problem,) = problems_of(library)
    assert "odd.yaml, line 2: " in problem
    assert "no-such-game" in problem


@pytest.mark.parametrize(
    "bases", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a"}]
)
def test_cycles_of_bases(folder, bases):
    files = {name: house(base) for name, base in bases.items()}
    library = library_of(folder({**files, "good": house()}))
    assert own(library) == ["good"]
    assert len(library.problems) == len(bases)
    assert all(problem.line == 2 for problem in library.problems)


def test_a_variant_of_a_faulty_file(folder):
    library = library_of(folder({"a": house(ties="nobody"), "b": house("a"), "c": house()}))
    assert own(library) == ["c"]
    assert [problem.line for problem in library.problems] == [5, 2]


def test_the_same_id_twice(folder):
    library = library_of(
        folder({"a": house().replace("{id}", "same"), "b": house().replace("{id}", "same")})
    )
    assert own(library) == ["same"]
    (problem,) = problems_of(library)
    assert "b.yaml, line 1: " in problem
    assert "a.yaml" in problem


@pytest.mark.parametrize("name", ["421", "zanzibar-456", "belgian"])
def test_the_id_of_a_bundled_game(folder, name):
    library = library_of(folder({"mine": house().replace("{id}", f'"{name}"')}))
    assert {ruleset.id for ruleset in library.rulesets()} == BUNDLED
    # A file with the id of its base would be its own base; with another's id it comes too late.
    assert f"mine.yaml, line {2 if name == '421' else 1}: " in problems_of(library)[0]


def test_a_missing_folder(tmp_path):
    library = library_of(tmp_path / "nowhere")
    assert {ruleset.id for ruleset in library.rulesets()} == BUNDLED
    assert "nowhere" in problems_of(library)[0]


FAULTY = {
    "a number as the base": 'id: odd\nbase: 421\nname: "Odd"\nsummary: Odd.\n',
    "a list as the base": 'id: odd\nbase: ["421"]\nname: Odd\nsummary: Odd.\n',
    "an empty base": 'id: odd\nbase: " "\nname: Odd\nsummary: Odd.\n',
    "no mapping": "- one\n- two\n",
    "nothing": "",
    "no YAML": "id: [\n",
    "a tab": "id: odd\n\tname: x\n",
    "no": 'id: odd\nbase: "421"\nname: no\nsummary: Odd.\n',
    "a wrong field": house(nenete_penalty=2).replace("{id}", "odd"),
    "a contradiction": house(announce_last="true").replace("{id}", "odd"),
    "a wrong option": house(options="{tokens: {default: 100}}").replace("{id}", "odd"),
    "an id that is a number": 'id: 77\nbase: "421"\nname: Odd\nsummary: Odd.\n',
    "no id": 'base: "421"\nname: Odd\nsummary: Odd.\n',
    "a whole game without most of it": "id: odd\nname: Odd\nsummary: Odd.\n",
    "not in UTF-8": b"id: \xff\n",
}


@pytest.mark.parametrize("source", FAULTY.values(), ids=FAULTY)
def test_one_faulty_file_hides_no_other(folder, source):
    path = folder({"a": house(), "z": house("a")})
    file = path / "m.yaml"
    file.write_bytes(source if isinstance(source, bytes) else source.encode())
    library = library_of(path)
    assert own(library) == ["a", "z"]
    (problem,) = library.problems
    assert problem.file == str(file)
    assert problem.line or source in ("", FAULTY["not in UTF-8"])


def test_problems_are_told_in_the_language_asked(folder, fresh):
    path = folder({"a": house(), "b": house(ties="nobody")})
    offered = fresh.games(lang="en", rules_dirs=[str(path)], locale_dirs=[])
    assert "a" in [info.id for info in offered]
    assert "b" not in [info.id for info in offered]
    said = {lang: fresh.problems(lang=lang) for lang in LANGUAGES}
    for lang, (problem,) in said.items():
        assert "b.yaml" in problem, lang
        assert "5" in problem
        assert "{" not in problem
    assert "line 5" in said["en"][0]
    assert len(set(said.values())) == len(LANGUAGES)


def test_a_game_of_the_house_is_played_through_the_hooks(folder, fresh):
    path = folder({"ours": house(options="{tokens: {default: 7, max: 9}}")})
    registry = Registry(rules_dirs=[str(path)])
    registry.register(fresh, "zanzibar")
    game = registry.find("ours")
    (info,) = [info for info in registry.games("en") if info.id == "ours"]
    assert (info.name, info.base) == ("A house", "421")
    dice = random.Random(1)
    step = game.setup(["Ana", "Bruno"], {}, lambda throw, n: dice.choices(range(1, 7), k=n), "en")
    assert isinstance(step, Step)
    assert step.events[0]["table"] == 7
    assert isinstance(game.setup(["Ana", "Bruno"], {"tokens": 10}, None, "en"), Refusal)
    page = game.help_page({}, "fr")
    assert page.title == "A house"


@pytest.mark.parametrize("field", ["name", "note"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Just so", dict.fromkeys(LANGUAGES, "Just so")),
        (
            "{fr: Ainsi, en: So, it: Così}",
            {"fr": "Ainsi", "en": "So", "it": "Così", "es": "So", "sr": "So"},
        ),
        ("{fr: Ainsi, it: Così}", {"fr": "Ainsi", "it": "Così", "en": "Ainsi", "sr": "Ainsi"}),
    ],
)
def test_own_words(folder, fresh, field, words, said):
    fields = {"name": words} if field == "name" else {"note": words}
    path = folder({"ours": house(**fields)})
    for lang, expected in said.items():
        offered = fresh.games(lang=lang, rules_dirs=[str(path)], locale_dirs=[])
        (info,) = [info for info in offered if info.id == "ours"]
        assert getattr(info, field) == expected
    for lang, expected in said.items():
        page = fresh.help_page(game="ours", options={}, lang=lang)
        every = [page.title, *(p for section in page.sections for p in section.paragraphs)]
        assert expected in every


def test_regional_tags_hear_their_language(folder, fresh):
    path = folder({"ours": house(name="{fr: Ainsi, en: So}")})
    offered = fresh.games(lang="fr-CA", rules_dirs=[str(path)], locale_dirs=[])
    assert [info.name for info in offered if info.id == "ours"] == ["Ainsi"]


def test_null_takes_away(folder):
    source = house(
        options="{dry_charge: null}",
        phases="{charge: null, discharge: {payer: each_other}}",
        supply="{pot: 0, each: 5, by_players: null}",
    ).replace("{dry_charge: null}", "{dry_charge: null, tokens: null, advice: null}")
    library = library_of(folder({"ours": source}))
    assert problems_of(library) == []
    ours = library.find("ours")
    assert ours.options == ()
    assert [phase.id for phase in rules_of(ours, {}).phases] == ["discharge"]


def test_options_overridden_by_a_variant(folder):
    library = library_of(
        folder({"ours": house("french-bar-11", options="{tokens: {min: 5, max: 30}}")})
    )
    tokens, dry, _ = library.find("ours").options
    assert (tokens.low, tokens.high, tokens.default) == (5, 30, 11)
    assert dry.default is True


# Choosing through the hook.


def choose(game, options=None, name="", value=None, lang="en"):
    return plugin.table_options(game=game, options=options or {}, name=name, value=value, lang=lang)


def test_presets_come_first():
    found = choose("421")
    assert isinstance(found, Options)
    assert [one.name for one in found.listed] == ["preset", "tokens", "dry_charge", "advice"]
    preset = found.listed[0]
    assert (preset.kind, preset.default) == ("choice", "421")
    assert preset.choices[0].value == "421"
    assert {one.value for one in preset.choices} >= {"belgian", "421-dry"}
    assert all(one.label and one.help for one in preset.choices)
    assert found.message == ""


@pytest.mark.parametrize(
    ("game", "options", "preset", "after", "named"),
    [
        (
            "421",
            {},
            "421-dry",
            {"tokens": 21, "dry_charge": True},
            ["dry loading", "Dry loading: yes"],
        ),
        ("421", {}, "belgian", {"tokens": 11, "dry_charge": True}, ["Belgian", ": 11", ": yes"]),
        ("belgian", {}, "421", {"tokens": 21, "dry_charge": False}, [": 21", ": no"]),
        ("421", {"tokens": 30}, "quebec", {"tokens": 21, "dry_charge": False}, [": 21"]),
        ("french-bar-11", {}, "belgian", {"tokens": 11, "dry_charge": True}, ["Belgian"]),
        (
            "zanzibar-456",
            {},
            "zanzibar-456-simple",
            {"scoring": "simple", "payment": "best"},
            ["Points: simple ones"],
        ),
    ],
)
def test_a_preset_names_the_options_that_change(game, options, preset, after, named):
    found = choose(game, options, "preset", preset)
    after = {**after, "advice": False}
    assert (found.game, dict(found.options)) == (preset, after)
    for words in named:
        assert words in found.message
    # Options that stay as they are go unnamed.
    assert found.message.count(":") == sum(":" in words for words in named)
    assert {one.name: one.default for one in found.listed} == {"preset": preset, **after}


def test_presets_of_another_game_are_refused():
    assert isinstance(choose("421", name="preset", value="zanzibar-456"), Refusal)
    assert isinstance(choose("421", name="preset", value=7), Refusal)


def test_changing_one_option_names_it():
    found = choose("421", {}, "tokens", 7)
    assert (found.game, found.options["tokens"]) == ("421", 7)
    assert ": 7" in found.message
    assert isinstance(choose("421", {}, "tokens", 100), Refusal)
    assert isinstance(choose("421", {}, "nothing", 1), Refusal)


def test_a_house_rule_is_among_the_presets(folder, fresh):
    path = folder({"ours": house()})
    fresh.games(lang="en", rules_dirs=[str(path)], locale_dirs=[])
    assert "ours" in [one.value for one in choose("421").listed[0].choices]


TWO_THAT_CLASH = """
{
  odd: {label: Odd, help: Odd., default: false,
    changes: {ranking: {bottom: []}, values: {nenette: null}}},
  even: {label: Even, help: Even., default: false, changes: {nenette_penalty: 2}}
}
"""


def test_two_options_that_contradict_each_other_are_refused_and_raise_nothing(folder, fresh):
    path = folder({"ours": house(options=TWO_THAT_CLASH.replace("\n", " "))})
    fresh.games(lang="en", rules_dirs=[str(path)], locale_dirs=[])
    assert not fresh.problems(lang="en")
    both = {"odd": True, "even": True}
    dice = random.Random(1)
    draw = {"dice": lambda throw, n: dice.choices(range(1, 7), k=n)}
    for found in (
        fresh.setup(game="ours", players=["Ana", "Bruno"], options=both, lang="en", **draw),
        fresh.help_page(game="ours", options=both, lang="en"),
        choose("ours", {"odd": True}, "even", True),
    ):
        assert isinstance(found, Refusal)
        assert "nénette" in found.message
    # Whoever has got there may still take one of them back.
    assert isinstance(choose("ours", both, "odd", False), Options)


# The command.


@pytest.fixture
def command(fresh, capsys):
    def run(*arguments):
        code = main([*arguments, "--lang", "en"])
        return code, capsys.readouterr()

    return run


def test_rules_dir(folder, command):
    path = str(folder({"ours": house(), "odd": house(ties="nobody")}))
    code, said = command("rules", "ours", "--rules-dir", path)
    assert code == 0
    assert "A house" in said.out
    code, said = command("rules", "--rules-dir", path)
    assert "ours: A house. A rule of the house." in said.out
    assert "odd.yaml, line 5" in said.err
    code, said = command("combinations", "ours", "--rules-dir", path)
    assert (code, len(said.out.splitlines())) == (0, 56)


def test_rules_dir_that_is_not_there(command, tmp_path):
    _, said = command("rules", "--rules-dir", str(tmp_path / "nowhere"))
    assert "nowhere" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "ranking",
    [
        '{top: ["421", "111", "554"]}',
        '{top: ["111", "421"]}',
        '{bottom: ["221", "322"]}',
        '{rest: sum, die_points: {"1": 100}}',
        '{rest: sum, die_points: {"3": 30}}',
        '{sequences: ["321", "654"]}',
    ],
)
def test_an_order_without_words_is_told_one_by_one(folder, fresh, ranking):
    """Any order can be played; where no paragraph fits, the page lists all combinations."""
    path = folder({"a": house(ranking=ranking)})
    fresh.games(lang="en", rules_dirs=[str(path)], locale_dirs=[])
    assert not fresh.problems(lang="en")
    page = fresh.help_page(game="a", options={}, lang="en")
    lines = [line for section in page.sections for line in section.paragraphs]
    listed = [line.partition(". Value: ")[0] for line in lines if ". Value: " in line]
    told = [dice for line in listed for dice in line.split("; ")]
    assert len(told) == len(set(told)) == 56
    assert not any(line.startswith("The strongest combination is") for line in lines)


def test_what_a_variant_puts_on_the_table_is_what_its_option_says(folder, fresh):
    path = folder({"a": house(supply="{pot: 11}")})
    (info,) = [
        one
        for one in fresh.games(lang="en", rules_dirs=[str(path)], locale_dirs=[])
        if one.id == "a"
    ]
    assert (info.options[0].name, info.options[0].default) == ("tokens", 11)


def test_a_contradiction_with_the_base_is_told_in_the_variant(folder):
    path = folder({"a": house(ranking="{bottom: []}")})
    (problem,) = library_of(path).problems
    assert problem.file == str(path / "a.yaml")
    assert problem.line == 5


def test_no_game_is_its_own_base(tmp_path, capsys):
    file = tmp_path / "self.yaml"
    file.write_text('id: "421"\nbase: "421"\nname: Self\n', "utf-8")
    assert main(["check", str(file), "--lang", "en"]) == 1
    assert "line 2" in capsys.readouterr().err


def test_files_checked_together_may_be_bases_of_each_other(tmp_path, capsys, fresh):
    for name, base in (("b2", "b1"), ("b1", "421")):
        (tmp_path / f"{name}.yaml").write_text(house(base=base).replace("{id}", name), "utf-8")
    files = [str(tmp_path / f"{name}.yaml") for name in ("b2", "b1")]
    assert main(["check", *files, "--lang", "en"]) == 0
    assert capsys.readouterr().out.count("good") == 2


@pytest.mark.parametrize("wrong", ["../etc", "a b", "x" * 41, "", "žeton", ".hidden"])
def test_an_id_is_a_short_word(folder, wrong):
    path = folder({"a": house().replace("{id}", f'"{wrong}"')})
    (problem,) = problems_of(library_of(path))
    assert "id must be" in problem


def test_no_control_characters_in_what_is_spoken(folder):
    path = folder({"a": house(name='"\\u202eA house"')})
    (problem,) = problems_of(library_of(path))
    assert "U+202E" in problem
