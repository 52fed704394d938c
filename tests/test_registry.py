"""One broken plugin never stops a host: it is named with what is wrong, and the others work on."""

import subprocess
import sys
import textwrap
from importlib.metadata import EntryPoint
from types import ModuleType, SimpleNamespace

import pytest

from zanzibar_plugin import PROJECT, hookimpl, hookspecs, plugin
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import INTERFACE, GameInfo, Step
from zanzibar_plugin.registry import Registry

GOOD = EntryPoint("zanzibar", "zanzibar_plugin.plugin", PROJECT)
HOOKS = [name for name, spec in vars(hookspecs).items() if hasattr(spec, f"{PROJECT}_spec")]


def answers(*ids):
    """All hooks of a plugin with these games, by name."""
    # A hook need not take the arguments it does not use.
    nothing = {name: lambda: None for name in HOOKS}
    return {**nothing, "games": lambda: [GameInfo(one, one, "", 2, 12, ()) for one in ids]}


def a_plugin(*ids, version=INTERFACE, without=(), **others):
    """A plugin that has all hooks but some, and others besides."""
    hooks = {**answers(*ids), **others}
    marked = {name: hookimpl(hook) for name, hook in hooks.items() if name not in without}
    return SimpleNamespace(gameroom_interface=version, **marked)


@pytest.fixture
def module(monkeypatch):
    """Make a module that an entry point can name."""

    def make(name, **attributes):
        made = ModuleType(name)
        vars(made).update(attributes)
        monkeypatch.setitem(sys.modules, name, made)
        return made

    return make


def said(problem):
    return Catalogs().catalog("en").say(problem.reason)


def assert_the_good_one_works(registry):
    game = registry.find("421")
    step = game.setup(["Ana", "Bruno"], {}, lambda throw, count: [4, 2, 1][:count], "en")
    step = game.on_key(step.table, "Ana", "enter")
    assert isinstance(step, Step)
    assert "four two one" in game.announce(step.table, step.events[0], None, "en")
    assert "421" in [info.id for info in registry.games("fr")]


def assert_only_the_bad_one_is_out(points):
    """Wherever the bad one stands among the plugins; returns what is said of it."""
    told = set()
    for order in ([*points, GOOD], [GOOD, *points]):
        registry = Registry()
        registry.load_entry_points(order)
        assert_the_good_one_works(registry)
        assert [problem.plugin for problem in registry.problems] == ["bad"]
        told.add(said(registry.problems[0]))
    (sentence,) = told
    assert len(sentence) < 300
    assert sentence.isprintable()
    return sentence


# What cannot be loaded


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise ImportError('no such luck')", "ImportError: no such luck"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise SystemExit", "SystemExit: SystemExit"),
        ("import sys; sys.exit('gone')", "SystemExit: gone"),
        ("raise ValueError('two\\nlines \\x1b[31m')", "ValueError: two lines"),
        ("raise RuntimeError('z' * 10_000)", "RuntimeError: zzz"),
        ("def broken(:", "SyntaxError: "),
        ("import there_is_no_such_module", "ModuleNotFoundError: "),
        ("'\\ud800'.encode()", "UnicodeEncodeError: "),
    ],
)
def test_a_module_that_raises(tmp_path, monkeypatch, source, reason):
    (tmp_path / "bad_game.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bad_game", raising=False)
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", "bad_game", PROJECT)])
    assert sentence.startswith(f"The plugin cannot be loaded: {reason}")


@pytest.mark.parametrize(
    "value", ["there_is_no_such_module", "bad_game:nothing", "bad_game:a.b", "", ":", "not a name"]
)
def test_an_entry_point_that_leads_nowhere(module, value):
    module("bad_game")
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", value, PROJECT)])
    assert sentence.startswith("The plugin cannot be loaded: ")


def test_a_function_that_raises(module):
    module("bad_game", make=lambda: 1 / 0)
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", "bad_game:make", PROJECT)])
    assert sentence == "The plugin cannot be loaded: ZeroDivisionError: division by zero"


# What cannot be used


@pytest.mark.parametrize(
    ("version", "found"),
    [(INTERFACE - 1, "0"), (INTERFACE + 1, "2"), (None, "None"), ("1", "1"), ("z" * 99, "z" * 20)],
)
def test_another_version_of_the_interface(module, version, found):
    module("bad_game", bad=a_plugin("bad", version=version))
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", "bad_game:bad", PROJECT)])
    assert sentence == (
        f"The plugin is made for version {found} of the interface between rooms and games; "
        f"this room has version {INTERFACE}."
    )


def test_no_version_of_the_interface(module):
    bad = a_plugin("bad")
    del bad.gameroom_interface
    module("bad_game", bad=bad)
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", "bad_game:bad", PROJECT)])
    assert "version None of the interface" in sentence


def test_something_that_is_no_plugin(module):
    module("bad_game", bad="a string")
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", "bad_game:bad", PROJECT)])
    assert "version None of the interface" in sentence


def offers_nothing(lang):
    return None


def exits(lang):
    raise SystemExit("gone")


def fails_midway(lang):
    yield GameInfo("bad", "Bad", "", 2, 12, ())
    raise OSError("the disk is gone")


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        # A hook that wants what this room does not give, as those of a newer version may.
        (a_plugin("bad", on_key=lambda table, player, key, clock: None), ["on_key", "clock"]),
        # A misspelt one.
        (a_plugin("bad", anounce=lambda table: None), ["anounce"]),
        (a_plugin("bad", without=["save", "view"]), ["The plugin lacks these hooks: view, save."]),
        (a_plugin("bad", without=HOOKS), ["The plugin lacks these hooks: "]),
        (a_plugin("bad", games=lambda lang: 1 / 0), ["ZeroDivisionError"]),
        (a_plugin("bad", games=exits), ["SystemExit: gone"]),
        (a_plugin("bad", games=offers_nothing), ["TypeError"]),
        (a_plugin("bad", games=fails_midway), ["OSError: the disk is gone"]),
        (a_plugin("bad", games=lambda lang: ["bad"]), ["AttributeError"]),
        (a_plugin([]), ["TypeError"]),
    ],
)
def test_a_plugin_that_cannot_be_used(module, bad, parts):
    module("bad_game", bad=bad)
    sentence = assert_only_the_bad_one_is_out([EntryPoint("bad", "bad_game:bad", PROJECT)])
    assert all(part in sentence for part in parts)


def test_a_game_that_another_plugin_offers_already():
    registry = Registry()
    registry.register(plugin, "zanzibar")
    registry.register(a_plugin("421", "new"), "bad")
    assert_the_good_one_works(registry)
    (problem,) = registry.problems
    assert problem.plugin == "bad"
    assert said(problem) == "The plugin offers games that another plugin offers already: 421."
    # It is out with all of its games.
    assert registry.find("new") is None


def test_two_plugins_of_one_name():
    registry = Registry()
    registry.register(plugin, "zanzibar")
    registry.register(a_plugin("other"), "zanzibar")
    assert_the_good_one_works(registry)
    assert [problem.plugin for problem in registry.problems] == ["zanzibar"]


def test_a_plugin_that_breaks_later():
    """One that cannot tell its games in some language is left out of the list, and named once."""
    later = a_plugin("bad", games=lambda lang: [GameInfo("bad", "", "", 2, 2, ())] * (lang == "en"))
    registry = Registry()
    registry.register(later, "later")
    registry.register(plugin, "zanzibar")
    assert "bad" in [info.id for info in registry.games("en")]
    for _ in range(2):
        assert "bad" not in [info.id for info in registry.games("fr")]
        assert_the_good_one_works(registry)
        assert [problem.plugin for problem in registry.problems] == ["bad"]


def test_a_plugin_that_disowns_its_own_game():
    registry = Registry()
    registry.register(a_plugin("bad"), "bad")
    with pytest.raises(LookupError, match="the plugin of bad does not answer setup"):
        registry.find("bad").setup([], {}, None, "en")


def test_a_bad_one_leaves_nothing_behind():
    """Its hooks are gone, and it may come again when it is repaired."""
    bad = a_plugin("late", anounce=lambda table: None)
    registry = Registry()
    registry.register(bad, "late")
    del bad.anounce
    registry.register(bad, "late")
    assert len(registry.problems) == 1
    assert registry.find("late").info("en").id == "late"
    registry.register(plugin, "zanzibar")
    assert len(registry.problems) == 1


# Spellings of entry points


@pytest.mark.parametrize("first", ["made_game", "made_game:made", "made_game:make"])
@pytest.mark.parametrize("second", ["made_game", "made_game:made", "made_game:make"])
def test_each_spelling_registers_once(module, first, second):
    """A module, an object in it, and a function that makes the plugin."""
    made = module("made_game", **vars(a_plugin("made")))
    made.made = made
    made.make = lambda: made
    registry = Registry()
    registry.load_entry_points(
        [EntryPoint("first", first, PROJECT), EntryPoint("second", second, PROJECT)]
    )
    registry.load_entry_points([EntryPoint("first", first, PROJECT)])
    assert registry.problems == []
    assert [info.id for info in registry.games("en")] == ["made"]


def test_a_class_makes_a_plugin(module):
    class Made:
        gameroom_interface = INTERFACE

        @hookimpl
        def games(self, lang):
            return [GameInfo("made", self.name, "", 2, 2, ())]

        def __init__(self):
            self.name = "made here"
            vars(self).update(vars(a_plugin(without=["games"])))

    module("made_game", Made=Made)
    registry = Registry()
    registry.load_entry_points([EntryPoint("made", "made_game:Made", PROJECT)])
    assert registry.problems == []
    assert registry.find("made").info("en").name == "made here"


def test_our_own_plugin_by_two_entry_points():
    registry = Registry()
    registry.load_entry_points([GOOD, EntryPoint("again", "zanzibar_plugin:plugin", PROJECT)])
    registry.register(plugin, "by hand")
    assert registry.problems == []
    assert_the_good_one_works(registry)


# As it is in life


def test_broken_plugins_that_are_installed(tmp_path):
    """Beside ours, one raises at its import, one leaves the program, and one is not there."""
    (tmp_path / "raises.py").write_text("raise ImportError('no such luck')", encoding="utf-8")
    (tmp_path / "leaves.py").write_text("import sys; sys.exit()", encoding="utf-8")
    info = tmp_path / "broken_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{PROJECT}]\none = raises\ntwo = leaves\nthree = absent\n"
    )
    program = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from zanzibar_plugin.catalogs import Catalogs
        from zanzibar_plugin.registry import Registry
        registry = Registry()
        registry.load_entry_points()
        for problem in registry.problems:
            print(problem.plugin, Catalogs().catalog("en").say(problem.reason))
        print([info.id for info in registry.games("en")])
    """
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    *problems, games = told.stdout.splitlines()
    assert problems == [
        "one The plugin cannot be loaded: ImportError: no such luck",
        "two The plugin cannot be loaded: SystemExit: SystemExit",
        "three The plugin cannot be loaded: ModuleNotFoundError: No module named 'absent'",
    ]
    assert "'421'" in games


def test_a_plugin_may_lack_what_is_optional():
    """What it does not tell in few words is told as usual, and it has no sounds."""
    registry = Registry()
    said = {"announce": lambda event, lang: f"{event['event']} in {lang}"}
    registry.register(a_plugin("plain", without=hookspecs.OPTIONAL, **said), "plain")
    assert registry.problems == []
    game = registry.find("plain")
    assert game.announce_briefly(None, {"event": "begun"}, "Ana", "fr") == "begun in fr"
    assert game.cue(None, {"event": "begun"}, "Ana") == ""
    told = {"announce_briefly": lambda event: "few", "cue": lambda listener: "roll"}
    registry.register(a_plugin("told", **said, **told), "told")
    game = registry.find("told")
    assert game.announce_briefly(None, {"event": "begun"}, "Ana", "fr") == "few"
    assert game.cue(None, {"event": "begun"}, "Ana") == "roll"
