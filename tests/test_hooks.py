"""The game as a host meets it: through the hooks alone, beside the games of other plugins."""

import inspect
import json
import random
import re
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import NamedTuple

import pluggy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zanzibar_plugin import PROJECT, hookimpl, hookspecs, plugin
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import (
    INTERFACE,
    GameInfo,
    HelpPage,
    HelpSection,
    KeyInfo,
    OptionInfo,
    Options,
    Refusal,
    Step,
)
from zanzibar_plugin.registry import Registry
from zanzibar_plugin.text import text, texts

HOOKS = {name: spec for name, spec in vars(hookspecs).items() if hasattr(spec, f"{PROJECT}_spec")}
LANGUAGES = Catalogs().languages
KEYS = ("enter", "space", *"123456", *(f"shift+{n}" for n in "123456"), *"dcst")
PLAYERS = ("Ana", "Bruno", "Clio")
WATCHER = "Zoe"

# Those that are told which game is meant; the others are told by the table or the save.
OF_A_GAME = ("help_page", "setup", "table_options")

# Three dice as one number.
DICE_AS_A_NUMBER = re.compile(r"(?<!\d)[1-6]{3}(?!\d)")


# Hosts


class Dice(NamedTuple):
    """Dice that depend on the throw alone, so that a restored table meets the same ones."""

    seed: int

    def __call__(self, throw, count):
        return random.Random(self.seed * 100_000 + throw).choices(range(1, 7), k=count)


class BareHost:
    """A host of its own: pluggy and the hook specifications, nothing else."""

    def __init__(self, *plugins):
        manager = pluggy.PluginManager(PROJECT)
        manager.add_hookspecs(hookspecs)
        for one in plugins:
            manager.register(one)
        manager.check_pending()
        self.hook = manager.hook

    def games(self, lang):
        return [info for offered in self._offered(lang) for info in offered]

    def call(self, game, hook, **arguments):
        if hook in OF_A_GAME:
            arguments["game"] = game
        return getattr(self.hook, hook)(**arguments)

    def _offered(self, lang):
        return self.hook.games(lang=lang, rules_dirs=(), locale_dirs=())


class RegistryHost:
    """A host that uses our registry."""

    def __init__(self, *plugins):
        registry = Registry()
        for number, one in enumerate(plugins):
            registry.register(one, f"plugin {number}")
        assert registry.problems == []
        self.games = registry.games
        self.find = registry.find

    def call(self, game, hook, **arguments):
        return getattr(self.find(game), hook)(**arguments)


HOSTS = (BareHost, RegistryHost)


@pytest.fixture(params=HOSTS)
def host_of(request):
    return request.param


class Played(NamedTuple):
    """A whole game: all events, and what two people heard of them."""

    events: list
    heard: list


def moves(host, game, players, dice, options=()):
    """The steps of a game that bots play."""
    step = host.call(game, "setup", players=players, options=dict(options), dice=dice, lang="en")
    yield step
    while not any(event["event"] == "game_over" for event in step.events):
        player = host.call(game, "view", table=step.table, listener=None, lang="en")["on_go"]
        if player is None:
            step = host.call(game, "on_turn_end", table=step.table)
        else:
            key = host.call(game, "bot_key", table=step.table, player=player, level="regular")
            step = host.call(game, "on_key", table=step.table, player=player, key=key)
        yield step


def heard(host, game, step, people):
    return [
        host.call(game, "announce", table=step.table, event=event, listener=name, lang=lang)
        for event in step.events
        for name, lang in people
    ]


def play(host, game, players, dice):
    played = Played([], [])
    for step in moves(host, game, players, dice):
        played.events.extend(step.events)
        played.heard.extend(heard(host, game, step, ((players[0], "en"), (None, "fr"))))
    return played


class Duel(NamedTuple):
    """A table of the other game."""

    players: tuple
    thrown: tuple
    dice: object


class HighestDie:
    """The other game, as small as can be: each throws a die, and the highest wins."""

    gameroom_interface = INTERFACE

    @hookimpl
    def games(self, lang):
        best_of = OptionInfo("best_of", "Best of", "So many duels.", "number", 1, 1, 1)
        return [GameInfo("highest", "Highest die", "The highest die wins.", 2, 9, (best_of,))]

    @hookimpl
    def problems(self, lang):
        return []

    @hookimpl
    def table_options(self, game, options, name, value, lang):
        if game == "highest":
            chosen = {"best_of": 1, **options, **({name: value} if name else {})}
            return Options(game, chosen, self.games(lang)[0].options, "")

    @hookimpl
    def help_page(self, game, options, lang):
        if game == "highest":
            return HelpPage("Highest die", (), HelpSection("Keys", ("Enter: rolls.",)))

    @hookimpl
    def setup(self, game, players, options, dice, lang):
        if game != "highest":
            return None
        if len(players) < 2:
            return Refusal("Nobody duels alone.")
        return Step(Duel(tuple(players), (), dice), ({"event": "begun"},))

    @hookimpl
    def on_key(self, table, player, key):
        if not isinstance(table, Duel):
            return None
        if key != "enter" or player != self._on_go(table):
            return Step(table, ({"event": "refused", "player": player},))
        (face,) = table.dice(len(table.thrown), 1)
        thrown = (*table.thrown, face)
        complete = [{"event": "turn_complete"}] if len(thrown) == len(table.players) else []
        event = {"event": "thrown", "player": player, "face": face}
        return Step(table._replace(thrown=thrown), (event, *complete))

    @hookimpl
    def on_turn_end(self, table):
        if isinstance(table, Duel):
            winner = table.players[table.thrown.index(max(table.thrown))]
            return Step(table, ({"event": "game_over", "winner": winner},))

    @hookimpl
    def announce(self, table, event, listener, lang):
        if isinstance(table, Duel):
            if event["event"] == "refused" and event["player"] != listener:
                return ""
            return " ".join(str(value) for value in event.values())

    @hookimpl
    def heard_by(self, table, event):
        if isinstance(table, Duel):
            return event["player"] if event["event"] == "refused" else ""

    @hookimpl
    def view(self, table, listener, lang):
        if isinstance(table, Duel):
            return {"seats": [], "on_go": self._on_go(table), "over": False}

    @hookimpl
    def usable_keys(self, table, player, lang):
        if isinstance(table, Duel):
            return [KeyInfo("enter", "Roll")] if player == self._on_go(table) else []

    @hookimpl
    def bot_key(self, table, player):
        if isinstance(table, Duel):
            return "enter" if player == self._on_go(table) else ""

    @hookimpl
    def save(self, table):
        if isinstance(table, Duel):
            return {"game": "highest", "players": table.players, "thrown": table.thrown}

    @hookimpl
    def restore(self, saved, dice, lang):
        if saved.get("game") == "highest":
            return Duel(tuple(saved["players"]), tuple(saved["thrown"]), dice)

    @hookimpl
    def apply(self, table, events):
        if isinstance(table, Duel):
            thrown = tuple(event["face"] for event in events if event["event"] == "thrown")
            return table._replace(thrown=table.thrown + thrown)

    def _on_go(self, table):
        left = table.players[len(table.thrown) :]
        return left[0] if left else None


# The interface


@pytest.mark.parametrize("name", HOOKS)
def test_the_plugin_implements_every_hook_with_its_arguments(name):
    wanted, found = inspect.signature(HOOKS[name]), inspect.signature(getattr(plugin, name))
    assert list(found.parameters) == list(wanted.parameters)
    assert hasattr(getattr(plugin, name), f"{PROJECT}_impl")


def test_the_plugin_implements_nothing_else():
    implemented = [name for name in vars(plugin) if hasattr(vars(plugin)[name], f"{PROJECT}_impl")]
    assert set(implemented) == set(HOOKS)
    assert plugin.gameroom_interface == INTERFACE


@pytest.mark.parametrize("name", HOOKS)
def test_every_hook_is_described(name):
    described = inspect.getdoc(HOOKS[name])
    parameters = re.findall(r"^:param (\w+): \S", described, re.MULTILINE)
    assert parameters == list(inspect.signature(HOOKS[name]).parameters)
    assert len(re.findall(r"^:returns: \S", described, re.MULTILINE)) == 1
    assert described.partition("\n")[0].endswith(".")


def test_an_installed_plugin_is_found():
    (point,) = entry_points(group=PROJECT, name="zanzibar")
    assert point.load() is plugin
    registry = Registry()
    registry.load_entry_points()
    assert registry.problems == []
    assert registry.find("421").info("en").name == "Zanzibar (4, 2, 1)"
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    assert manager.load_setuptools_entrypoints(PROJECT) >= 1
    assert manager.has_plugin("zanzibar")
    manager.check_pending()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_offered(host_of, language):
    offered = {info.id: info for info in host_of(plugin).games(lang=language)}
    assert set(offered) == {ruleset.id for ruleset in plugin.library.rulesets()}
    for info in offered.values():
        said = [info.name, info.summary]
        for option in info.options:
            said += [option.label, option.help]
            numbers = (option.low, option.high)
            if option.kind == "number":
                assert option.low <= option.default <= option.high
                assert option.choices == ()
                continue
            assert numbers == (None, None)
            if option.kind == "choice":
                assert option.default in [way.value for way in option.choices]
                said += [way.label for way in option.choices]
            else:
                assert (option.kind, option.choices) == ("switch", ())
                assert isinstance(option.default, bool)
        # These may be empty, but what they say can be said.
        said += filter(None, [info.region, info.source, info.note])
        assert all(one.strip() and not {"{", "}"} & set(one) for one in said)
        assert info.base in ("", *offered)
    info = offered["421"]
    assert (info.min_players, info.max_players) == (2, 12)
    assert [(o.name, o.default, o.low, o.high) for o in info.options] == [
        ("tokens", 21, 1, 99),
        ("dry_charge", False, None, None),
        ("advice", False, None, None),
    ]


# Whole games


def test_a_whole_game(host_of):
    played = play(host_of(plugin), "421", PLAYERS, Dice(1))
    kinds = [event["event"] for event in played.events]
    assert kinds[:2] == ["game_started", "turn_started"]
    assert kinds.count("phase_started") == kinds.count("game_over") == 1
    assert kinds.count("left") == 2
    assert kinds.count("turn_started") == kinds.count("turn_complete") == kinds.count("turn_ended")
    assert sum(played.events[-1]["places"].values()) in (1 + 1 + 3, 1 + 2 + 3)


def test_both_hosts_meet_the_same_game():
    bare, registered = (play(host(plugin), "421", PLAYERS, Dice(2)) for host in HOSTS)
    assert bare == registered


@pytest.mark.parametrize("plugins", [(plugin, HighestDie()), (HighestDie(), plugin)])
def test_two_plugins_do_not_disturb_each_other(host_of, plugins):
    host = host_of(*plugins)
    assert sorted(info.id for info in host.games(lang="en")) == sorted(
        info.id for one in plugins for info in RegistryHost(one).games(lang="en")
    )
    dice = {"421": Dice(3), "highest": Dice(4)}
    alone = {
        "421": play(host_of(plugin), "421", PLAYERS, dice["421"]),
        "highest": play(host_of(HighestDie()), "highest", PLAYERS, dice["highest"]),
    }
    # Both games go on in turns, each at its own table.
    together = {game: Played([], []) for game in alone}
    running = {game: moves(host, game, PLAYERS, dice[game]) for game in alone}
    while running:
        for game in list(running):
            step = next(running[game], None)
            if step is None:
                del running[game]
                continue
            together[game].events.extend(step.events)
            people = ((PLAYERS[0], "en"), (None, "fr"))
            together[game].heard.extend(heard(host, game, step, people))
    assert together == alone


def test_every_hook_is_answered_by_the_plugin_of_the_table(host_of):
    host = host_of(HighestDie(), plugin)
    for game in ("421", "highest"):
        begun = next(moves(host, game, PLAYERS, Dice(1)))
        saved = host.call(game, "save", table=begun.table)
        assert saved["game"] == game
        restored = host.call(game, "restore", saved=saved, dice=Dice(1), lang="en")
        assert type(restored) is type(begun.table)
        applied = host.call(game, "apply", table=begun.table, events=[])
        assert type(applied) is type(begun.table)
        assert isinstance(host.call(game, "help_page", options={}, lang="en"), HelpPage)
        refusal = host.call(game, "setup", players=["Ana"], options={}, dice=Dice(1), lang="en")
        assert isinstance(refusal, Refusal)
        listed = host.call(game, "table_options", options={}, name="", value=None, lang="en")
        assert listed.game == game
        for hook in ("usable_keys", "bot_key"):
            more = {"lang": "en"} if hook == "usable_keys" else {"level": "regular"}
            assert host.call(game, hook, table=begun.table, player="Ana", **more)
        for event in begun.events:
            assert host.call(game, "heard_by", table=begun.table, event=event) == ""


def test_what_is_nobodys_is_answered_by_nobody():
    hook = BareHost(plugin, HighestDie()).hook
    assert hook.help_page(game="chess", options={}, lang="en") is None
    assert hook.setup(game="chess", players=PLAYERS, options={}, dice=Dice(1), lang="en") is None
    assert hook.restore(saved={"plugin": "chess"}, dice=Dice(1), lang="en") is None
    asked = {"options": {}, "name": "", "value": None, "lang": "en"}
    assert hook.table_options(game="chess", **asked) is None
    for name in set(HOOKS) - {"games", "problems", "restore", *OF_A_GAME}:
        wanted = {
            "table": object(),
            **{"player": "Ana", "key": "enter", "listener": None, "lang": "en"},
            **{
                "event": {"event": "begun"},
                "events": [],
                "level": "regular",
                "saved": {},
                "game": "chess",
            },
        }
        arguments = {one: wanted[one] for one in inspect.signature(HOOKS[name]).parameters}
        assert getattr(hook, name)(**arguments) is None


# Games with all kinds of keys


def games(seed, players, options, steps=150):
    """A game in which everybody presses something, and bots see to it that it goes on."""
    chance = random.Random(seed)
    step = plugin.setup("421", players, options, Dice(seed), "en")
    yield step
    for _ in range(steps):
        on_go = plugin.view(step.table, None, "en")["on_go"]
        someone = chance.choice((*players, WATCHER, on_go or WATCHER))
        if chance.random() < 0.4:
            step = plugin.on_key(step.table, someone, chance.choice(KEYS))
        elif on_go:
            key = chance.choice(plugin.usable_keys(step.table, on_go, "en")).key
            bots = plugin.bot_key(step.table, on_go, "regular")
            step = plugin.on_key(step.table, on_go, chance.choice((key, bots)))
        else:
            step = plugin.on_turn_end(step.table)
        yield step


played_games = given(
    seed=st.integers(0, 10_000),
    players=st.integers(2, 5).map(lambda count: ("Ana", "Bruno", "Clio", "Dario", "Eva")[:count]),
    options=st.fixed_dictionaries({"tokens": st.integers(1, 21), "dry_charge": st.booleans()}),
)
few = settings(max_examples=25, deadline=None)


def assert_spoken(said, names=()):
    """A text that can be spoken: nothing is left of a template, and dice are said one by one."""
    assert isinstance(said, str)
    assert not {"{", "}"} & set(said)
    for name in names:
        said = said.replace(name, "")
    assert not DICE_AS_A_NUMBER.search(said), said


def assert_announced(step, players):
    for event in step.events:
        alone = event["player"] if event["event"] in ("selected", "answered", "refused") else ""
        assert plugin.heard_by(step.table, event) == alone
        for lang in LANGUAGES:
            name = plugin.view(step.table, None, lang)["name"]
            for listener in (*players, WATCHER, None):
                said = plugin.announce(step.table, event, listener, lang)
                assert_spoken(said, [name])
                silent = event["event"] == "turn_complete" or alone not in ("", listener)
                assert bool(said.strip()) is not silent
                few = plugin.announce_briefly(step.table, event, listener, lang)
                assert_spoken(few, [name])
                assert bool(few.strip()) is not silent
        for listener in (*players, WATCHER, None):
            cue = plugin.cue(step.table, event, listener)
            assert cue == "" or cue in hookspecs.CUES
            if cue == "your_go":
                assert plugin.view(step.table, listener, "en")["on_go"] == listener


def test_the_announcements_of_a_whole_game():
    for step in moves(BareHost(plugin), "421", PLAYERS, Dice(5)):
        assert_announced(step, PLAYERS)


@played_games
@few
def test_the_announcements_of_any_game(seed, players, options):
    for step in games(seed, players, options):
        assert_announced(step, players)


def test_the_sounds_of_a_game():
    """Every cue is heard in some game, by whom it concerns."""
    heard = {}
    for step in moves(BareHost(plugin), "421", PLAYERS, Dice(5)):
        for event in step.events:
            for listener in PLAYERS:
                cue = plugin.cue(step.table, event, listener)
                heard.setdefault(cue, set()).add((event["event"], listener))
                if event["event"] == "game_over":
                    assert cue == ("lose" if listener == event["loser"] else cue)
    assert {event for event, _ in heard["roll"]} == {"thrown"}
    assert {event for event, _ in heard["tokens"]} == {"turn_ended"}
    assert {event for event, _ in heard["win"]} <= {"left", "game_over"}
    assert len({listener for _, listener in heard["lose"]}) == 1
    refused = plugin.on_key(plugin.setup("421", PLAYERS, {}, Dice(1), "en").table, "Bruno", "enter")
    assert plugin.cue(refused.table, refused.events[0], "Bruno") == "refused"


def test_you_and_a_name():
    begun = plugin.setup("421", PLAYERS, {}, lambda throw, count: (4, 2, 1), "en")
    thrown = plugin.on_key(begun.table, "Ana", "enter")

    def said(listener):
        return plugin.announce(thrown.table, thrown.events[0], listener, "en")

    assert said("Ana").startswith("You roll 4, 2, 1, four two one.")
    for listener in ("Bruno", WATCHER, None):
        assert said(listener) == "Ana rolls 4, 2, 1, four two one."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [{}, {"dry_charge": True, "tokens": 1}, {"tokens": 99}])
def test_the_page_can_be_spoken(language, options):
    page = plugin.help_page("421", options, language)
    assert page.keys.paragraphs
    for section in (*page.sections, page.keys):
        for paragraph in (section.title, *section.paragraphs):
            assert paragraph.strip()
            assert_spoken(paragraph, [page.title])


def test_a_page_for_wrong_options_is_refused():
    for options in ({"nix": 1}, {"tokens": 0}, {"tokens": True}, {"dry_charge": 1}):
        assert isinstance(plugin.help_page("421", options, "en"), Refusal)


def assert_view(step, players, known):
    """The view is JSON, and what the events have told so far (`known`) is what it shows."""
    view = plugin.view(step.table, "Ana", "en")
    assert json.loads(json.dumps(view)) == view
    assert (view["game"], view["you"]) == ("421", "Ana")
    assert [seat["name"] for seat in view["seats"]] == list(players)
    for event in step.events:
        match event["event"]:
            case "turn_started":
                known |= {"turn": event["turn"], "phase": event["phase"], "dice": [], "best": None}
                known |= {"starter": event["starter"], "on_go": event["starter"]}
            case "thrown":
                known |= {"on_go": event["player"], "dice": event["dice"], "selected": []}
                known |= {"throws": event["throw"], "limit": event["limit"]}
            case "selected":
                known["selected"] = event["selected"]
            case "accepted":
                known |= {"dice": [], "selected": [], "on_go": ...}
            case "turn_complete":
                known["on_go"] = None
            case "left":
                known["places"][event["player"]] = event["place"]
            case "game_over":
                known |= {"places": event["places"], "on_go": None, "over": True}
        for name in ("table", "tokens"):
            if name in event and event["event"] != "answered":
                known[name] = event[name]
    assert {seat["name"]: seat["tokens"] for seat in view["seats"]} == known["tokens"]
    assert view["table"] == known["table"]
    assert view["turn"] == known["turn"]
    assert view["phase"]["id"] == known["phase"]
    assert [s["name"] for s in view["seats"] if s["starter"]] == [known["starter"]]
    assert {s["name"]: s["place"] for s in view["seats"] if s["place"]} == known["places"]
    assert [s["name"] for s in view["seats"] if s["on_go"]] == list(filter(None, [view["on_go"]]))
    if known["on_go"] is not ...:
        assert view["on_go"] == known["on_go"]
    assert [die["face"] for die in view["dice"]] == known["dice"]
    assert [die["face"] for die in view["dice"] if die["selected"]] == known.get("selected", [])
    if known["dice"]:
        assert (view["throws"], view["limit"]) == (known["throws"], known["limit"])
        assert view["combination"]["dice"] == known["dice"]
        assert_spoken(view["combination"]["spoken"])
    else:
        assert view["combination"] is None
    assert view["over"] is known.get("over", False)
    winners = [player for player, place in known["places"].items() if place == 1]
    assert view["winners"] == (winners if view["over"] else [])
    assert (view["loser"] in players) is view["over"]


@played_games
@few
def test_the_view_shows_what_the_events_told(seed, players, options):
    known = {"places": {}}
    for step in games(seed, players, options):
        assert_view(step, players, known)
        (asked,) = plugin.on_key(step.table, WATCHER, "c").events
        best = plugin.view(step.table, None, "en")["best"]
        shown = best and (best["player"], best["dice"], best["value"])
        assert (shown or (None, None, None)) == (asked["best"], asked["dice"], asked["value"])


@played_games
@settings(max_examples=15, deadline=None)
def test_usable_keys_do_something_and_all_others_are_refused(seed, players, options):
    for step in games(seed, players, options, steps=60):
        for player in (*players, WATCHER):
            usable = [info.key for info in plugin.usable_keys(step.table, player, "en")]
            assert usable == sorted(set(usable), key=usable.index)
            assert set(usable) <= set(KEYS)
            assert usable[-4:] == list("dcst")
            for key in KEYS:
                events = plugin.on_key(step.table, player, key).events
                refused = [event["event"] for event in events] == ["refused"]
                assert events
                assert refused is (key not in usable)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_have_labels(language):
    begun = plugin.setup("421", PLAYERS, {}, lambda throw, count: (4, 2, 2)[:count], language)
    thrown = plugin.on_key(begun.table, "Ana", "enter")
    chosen = plugin.on_key(thrown.table, "Ana", "2")
    labels = []
    for table in (begun.table, thrown.table, chosen.table):
        for info in plugin.usable_keys(table, "Ana", language):
            assert info.label.strip()
            assert_spoken(info.label)
            labels.append((info.key, info.label))
    assert [key for key, _ in labels] == [
        *["enter", *"dcst"],
        *["enter", "4", "2", "space", *"dcst"],
        *["enter", "4", "2", "shift+2", "space", *"dcst"],
    ]
    # What Enter does is said anew each time.
    assert len({label for key, label in labels if key == "enter"}) == 3


@pytest.mark.parametrize("key", ["", "a", "7", "shift+7", "ENTER", "shift+enter", "\n", "h"])
def test_other_keys_do_nothing(key):
    begun = plugin.setup("421", PLAYERS, {}, Dice(1), "en")
    assert plugin.on_key(begun.table, "Ana", key) == Step(begun.table, ())


def test_bots_play_for_whoever_is_on():
    begun = plugin.setup("421", PLAYERS, {}, Dice(1), "en")
    assert plugin.bot_key(begun.table, "Ana", "expert") == "enter"
    assert plugin.bot_key(begun.table, "Bruno", "expert") == ""
    assert plugin.bot_key(begun.table, WATCHER, "expert") == ""


def test_a_turn_is_ended_only_when_it_is_complete():
    begun = plugin.setup("421", PLAYERS, {}, Dice(1), "en")
    assert plugin.on_turn_end(begun.table) == Step(begun.table, ())
    *_, last = moves(BareHost(plugin), "421", PLAYERS, Dice(1))
    assert plugin.on_turn_end(last.table) == Step(last.table, ())


# Setting up


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("players", "options", "problem"),
    [
        (["Ana"], {}, texts(
            "This game is for {least} to {most} players; there is {count} here.",
            "This game is for {least} to {most} players; there are {count} here.",
            1, least=2, most=12,
        )),
        ([], {}, texts(
            "This game is for {least} to {most} players; there is {count} here.",
            "This game is for {least} to {most} players; there are {count} here.",
            0, least=2, most=12,
        )),
        (["Ana", "ANA"], {}, text("Two players have the same name: {name}.", name="ANA")),
        (["Ana", ""], {}, text("A player's name must not be empty.")),
        (["Ana", 7], {}, text("A player's name must not be empty.")),
        (PLAYERS, {"tokens": 100}, text(
            "{option} must be a whole number from {low} to {high}.",
            option="tokens", low=1, high=99,
        )),
        (PLAYERS, {"dry_charge": 1}, text("{option} must be true or false.", option="dry_charge")),
        (PLAYERS, {"nix": 1}, text(
            "This game has no option {option}. Its options are: {options}.",
            option="nix", options="tokens, dry_charge, advice",
        )),
    ],
)  # fmt: skip
def test_a_refusal_is_in_the_language_asked_for(host_of, language, players, options, problem):
    refusal = host_of(plugin).call(
        "421", "setup", players=players, options=options, dice=Dice(1), lang=language
    )
    assert refusal == Refusal(Catalogs().catalog(language).say(problem))


def test_options_may_be_typed():
    typed = {"tokens": "5", "dry_charge": "True"}
    begun = plugin.setup("421", PLAYERS, typed, Dice(1), "en")
    assert begun.events[0]["options"] == {"tokens": 5, "dry_charge": True, "advice": False}
    assert begun.events[0]["table"] == 5


# Saving


def known_of(table):
    return {
        **{lang: plugin.view(table, "Ana", lang) for lang in LANGUAGES},
        "keys": [plugin.usable_keys(table, name, "en") for name in PLAYERS],
    }


def test_a_saved_table_is_played_on(host_of):
    host = host_of(plugin)
    steps = list(moves(host, "421", PLAYERS, Dice(6)))
    for step, following in zip(steps[::7], steps[1::7], strict=False):
        saved = host.call("421", "save", table=step.table)
        assert isinstance(saved, Mapping)
        read = json.loads(json.dumps(saved))
        assert read == saved
        restored = host.call("421", "restore", saved=read, dice=Dice(6), lang="en")
        assert known_of(restored) == known_of(step.table)
        assert host.call("421", "save", table=restored) == saved
        player = plugin.view(restored, None, "en")["on_go"]
        key = player and host.call("421", "bot_key", table=restored, player=player, level="regular")
        again = plugin.on_key(restored, player, key) if player else plugin.on_turn_end(restored)
        assert again.events == following.events
        people = [("Ana", "en"), (None, "fr")]
        assert heard(host, "421", again, people) == heard(host, "421", following, people)


def test_a_journal_leads_to_the_same_table(host_of):
    host = host_of(plugin)
    begun, *steps = moves(host, "421", PLAYERS, Dice(7))
    applied, journal = begun.table, []
    people = [("Ana", "en"), (None, "fr")]
    for step in steps:
        # As it comes back from a file.
        events = json.loads(json.dumps(step.events))
        journal.extend(events)
        applied = host.call("421", "apply", table=applied, events=events)
        assert host.call("421", "save", table=applied) == host.call("421", "save", table=step.table)
        assert heard(host, "421", Step(applied, events), people) == heard(host, "421", step, people)
    at_once = host.call("421", "apply", table=begun.table, events=journal)
    assert known_of(at_once) == known_of(steps[-1].table)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": 99}, "another version"),
        ({"format": None}, "another version"),
        ({"players": ["Ana", "Bruno"]}, "damaged"),
        ({"standing": None}, "damaged"),
        ({"rules": {}}, "damaged"),
        ({"go": None}, "damaged"),
        ({"options": {"tokens": 1000}}, "damaged"),
    ],
)
def test_a_save_that_cannot_be_restored_is_refused(host_of, change, problem):
    host = host_of(plugin)
    begun = plugin.setup("421", PLAYERS, {}, Dice(1), "en")
    saved = {**json.loads(json.dumps(plugin.save(begun.table))), **change}
    refusal = host.call("421", "restore", saved=saved, dice=Dice(1), lang="en")
    assert isinstance(refusal, Refusal)
    assert problem in refusal.message
    assert "The save is kept." in refusal.message
