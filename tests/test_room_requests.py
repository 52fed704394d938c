"""What people ask of a table, and what comes of it: nothing here is written, told or waited for."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from room_client import registry
from tiny_game import TinyGame

from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room import requests
from zanzibar_plugin.room.chat import LONGEST, cleaned
from zanzibar_plugin.room.checkable import new_secret
from zanzibar_plugin.room.party import Stage
from zanzibar_plugin.room.people import BOT_NAMES, Person, free_bot_name, owner_of
from zanzibar_plugin.room.requests import Means, Request
from zanzibar_plugin.room.sitting import Outcome, Unplayable, entry_of, moved, on_go, rebuilt
from zanzibar_plugin.text import Text

GAMES = registry(TinyGame())
CATALOG = Catalogs().catalog("en")
PEOPLE = {name: Person(name, owner_of(name)) for name in ("Ana", "Bruno", "Clio", "Dario")}
MASTER, PLAYER, SPECTATOR, STRANGER = PEOPLE.values()
ALL = requests.requests()


class Table:
    """A sitting with its journal."""

    def __init__(self, seed=1, game="421", **with_):
        chance = random.Random(seed)
        self.means = Means(GAMES, lambda throw, count: chance.choices(range(1, 7), k=count), "en")
        self.entries = []
        self.sitting = None
        request = Request(MASTER, "open", {"game": game, **with_})
        self._keep(requests.open_table(request, self.means))

    @property
    def party(self):
        return self.sitting.party

    def ask(self, person, do, **with_):
        """What comes of a request: what happened, or the refusal."""
        answer = requests.answer(self.sitting, Request(person, do, with_), self.means)
        if not isinstance(answer, Outcome):
            return CATALOG.say(answer)
        return self._keep(answer)

    def _keep(self, outcome):
        assert isinstance(outcome, Outcome), outcome
        if outcome.happened:
            self.entries.append(json.dumps(entry_of(outcome)))
            self.sitting = moved(self.sitting, outcome)
        return outcome.happened

    def room_acts(self):
        """Whatever the room does by itself, once."""
        outcome = requests.bot_moves(self.sitting, self.means)
        return () if outcome is None else self._keep(outcome)

    def stand_in(self, name, why):
        outcome = requests.stand_in(self.sitting, name, why)
        return None if outcome is None else self._keep(outcome)

    def gone(self, name):
        outcome = requests.gone(self.sitting, name)
        return None if outcome is None else self._keep(outcome)

    def rebuilt(self):
        return rebuilt([json.loads(entry) for entry in self.entries], GAMES, self.means.dice)


def full_table(stage, **with_):
    """A table with its master, a player and a spectator, in a stage of its life."""
    table = Table(**with_)
    table.ask(PLAYER, "join")
    table.ask(SPECTATOR, "watch")
    if stage == Stage.CLOSED:
        table.ask(MASTER, "close")
    elif stage == Stage.STARTING:
        pages = frozenset(one.owner for one in (MASTER, PLAYER))
        table.means = table.means._replace(secret=new_secret, pages=pages, table="table")
        table.ask(MASTER, "begin")
    elif stage != Stage.WAITING:
        table.ask(MASTER, "choose", option="tokens", value=1)
        table.ask(MASTER, "begin")
    if stage == Stage.OVER:
        for one in (MASTER, PLAYER):
            table.ask(one, "leave")
        while table.party.stage is Stage.PLAYING:
            table.room_acts()
        for one in (MASTER, PLAYER):
            table.ask(one, "join")
        table.ask(SPECTATOR, "hand_over", name="Ana")
    return table


# Every request, in every stage, by everybody.

BEGUN = "The game has begun."
NOT_HERE = "You are not at this table."
NOT_MASTER = "Only the table master can do that."
NO_GAME = "No game is being played."
CLOSED = "This table is closed."
ARGUMENTS = {
    "choose": {"option": "tokens", "value": 5},
    "set_private": {"private": True},
    "hand_over": {"name": "Bruno"},
    "kick": {"name": "Bruno"},
    "say": {"text": "Hello"},
    "key": {"key": "s"},
}
OF_MASTER = (
    "add_bot", "remove_bot", "choose", "set_private", "begin", "hand_over", "kick", "pause",
    "close",
)  # fmt: skip


def expected(stage, person, do):
    """What is to come of a request: the kinds of what happens, or the refusal."""
    if stage is Stage.CLOSED:
        return CLOSED
    if do in OF_MASTER and person is not MASTER:
        return NOT_MASTER
    playing, seated = stage is Stage.PLAYING, person in (MASTER, PLAYER)
    starting = stage is Stage.STARTING
    cancelled = ["start_cancelled"] if starting else []
    new = {MASTER: ["master_is"]}.get(person, [])
    match do:
        case "join" if seated:
            return []
        case "commit" if starting and seated:
            return "This is no proper secret number."
        case "commit" | "reveal":
            return "The room waits for nothing from this page now."
        case "join" if playing or starting:
            return "The game has begun. You can watch it."
        case "join":
            return ["seated"]
        case "watch":
            return ["watching"] if person is STRANGER else []
        case "leave" | "say" | "key" if person is STRANGER:
            return NOT_HERE
        case "leave":
            gone = "stood_in" if playing and seated else "gone"
            return [*(cancelled if seated else []), gone, *new]
        case "say":
            return ["said"]
        case "key" if stage is Stage.WAITING or starting:
            return "The game has not begun yet."
        case "key":
            return ["answered"]
        case "add_bot" | "choose" | "begin" if playing or starting:
            return BEGUN
        case "add_bot":
            return ["bot_seated"]
        case "remove_bot":
            return BEGUN if playing or starting else "There is no such bot at this table."
        case "choose":
            return ["chosen"]
        case "begin":
            return ["begun", "game_started", "turn_started"]
        case "set_private":
            return ["made_private"]
        case "hand_over":
            return ["master_is"]
        case "kick":
            return ["kicked", "stood_in"] if playing else [*cancelled, "kicked"]
        case "pause":
            return ["paused"] if playing else NO_GAME
        case "close":
            return ["closed"]
    raise AssertionError(do)


def kinds(answer):
    if isinstance(answer, str):
        return answer
    return [hp.NAMES[type(one)] if isinstance(one, tuple) else one["event"] for one in answer]


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize(
    "person", PEOPLE.values(), ids=["master", "player", "spectator", "stranger"]
)
@pytest.mark.parametrize("do", ALL)
def test_every_request(do, person, stage):
    table = full_table(stage)
    assert table.party.stage is stage
    before = table.sitting
    answer = table.ask(person, do, **ARGUMENTS.get(do, {}))
    assert kinds(answer) == expected(stage, person, do)
    if isinstance(answer, str):
        assert table.sitting == before
    assert_same(table.rebuilt()[-1], table.sitting)


def test_the_matrix_has_every_masters_request():
    assert {*OF_MASTER} == {act.__name__[1:] for act in requests._MASTERS}


def test_what_is_no_request_is_refused():
    assert Table().ask(MASTER, "dance") == "This cannot be done at a table."


# Opening, people and seats.


def test_a_table_is_opened_or_refused():
    assert Table(private=True).party.private
    assert not Table(private="yes").party.private
    means = Table().means
    for name, game in (("", "421"), ("A\u202eB", "421"), ("Ana", "chess"), ("Ana", "")):
        answer = requests.open_table(Request(Person(name, "o"), "open", {"game": game}), means)
        assert not isinstance(answer, Outcome)


@pytest.mark.parametrize(
    "name", ["", " ", "Ana ", "a\nb", "a\u202eb", "a\u2066b", "x" * 41, "\ud800"]
)
def test_a_name_a_voice_stumbles_over_does_not_come_in(name):
    table = Table()
    assert isinstance(table.ask(Person(name, "other"), "join"), str)
    assert isinstance(table.ask(Person(name, "other"), "watch"), str)


def test_names_are_different_for_the_ear():
    table = Table()
    table.ask(Person("BRUNO", "first"), "watch")
    for name in ("ana", "bruno"):
        answer = table.ask(Person(name, "second"), "join")
        assert answer == f"There is a {name} at this table already. Choose another name."


def test_who_watches_takes_a_seat_under_the_same_name():
    table = full_table(Stage.WAITING)
    table.ask(MASTER, "hand_over", name="Clio")
    (event,) = table.ask(SPECTATOR._replace(name="Somebody else"), "join")
    assert event == hp.Seated("Clio", SPECTATOR.owner)
    assert table.party.watchers == () and table.party.master == "Clio"


def test_seats_are_as_many_as_the_game_has():
    table = Table(game="high")
    table.ask(MASTER, "add_bot")
    assert table.ask(MASTER, "add_bot") == "All seats are taken."
    assert table.ask(PLAYER, "join") == "All seats are taken. You can watch."


def test_bots_have_names_of_their_own():
    table = Table()
    for number, name in enumerate(BOT_NAMES):
        table.ask(Person(name.upper(), f"owner {number}"), "watch")
    for _ in range(11):
        table.ask(MASTER, "add_bot")
    assert len({name.casefold() for name in table.party.names}) == 1 + len(BOT_NAMES) + 11


def test_a_certain_bot_or_the_last_one_is_removed():
    table = Table()
    for _ in range(3):
        table.ask(MASTER, "add_bot")
    table.ask(MASTER, "remove_bot", name=BOT_NAMES[0])
    table.ask(MASTER, "remove_bot")
    assert table.party.names == ("Ana", BOT_NAMES[1])
    assert table.ask(MASTER, "remove_bot", name="Ana") == "There is no such bot at this table."
    table.ask(MASTER, "kick", name=BOT_NAMES[1])
    assert table.party.names == ("Ana",) and not table.party.banned


def test_free_bot_names_are_never_used_up():
    taken = []
    for _ in range(40):
        taken.append(free_bot_name(taken))
    assert len({*taken}) == 40


# Options.


def test_a_preset_and_an_option_are_chosen():
    table = Table()
    (event,) = table.ask(MASTER, "choose", option="preset", value="421-dry")
    assert table.party.game == event.game == "421-dry"
    table.ask(MASTER, "choose", option="tokens", value=7)
    assert table.party.options["tokens"] == 7
    before = table.sitting
    for value in (0, -1, 10**9, "x", None, [], {}, 1.5, float("nan"), float("inf"), True, "\ud800"):
        assert isinstance(table.ask(MASTER, "choose", option="tokens", value=value), str), value
    assert table.ask(MASTER, "choose") == ()
    for option in ("nothing", "preset", "\ud800"):
        assert isinstance(table.ask(MASTER, "choose", option=option, value="nothing"), str), option
    assert table.sitting == before


# The master.


def test_the_next_person_is_the_masters_heir():
    table = full_table(Stage.WAITING)
    table.ask(MASTER, "add_bot")
    assert table.ask(MASTER, "leave")[-1] == hp.MasterIs("Bruno")
    assert table.ask(PLAYER, "leave")[-1] == hp.MasterIs("Clio")
    assert table.ask(SPECTATOR, "leave")[-1] == hp.MasterIs("")
    assert table.ask(STRANGER, "join")[-1] == hp.MasterIs("Dario")


def test_whoever_is_back_first_is_master_if_nobody_is():
    table = full_table(Stage.PLAYING)
    table.ask(SPECTATOR, "leave")
    table.stand_in("Ana", "dropped")
    table.stand_in("Bruno", "dropped")
    assert table.party.master == ""
    assert kinds(table.ask(PLAYER, "join")) == ["returned", "master_is"]
    assert kinds(table.ask(MASTER, "join")) == ["returned"]
    assert table.party.master == "Bruno"


def test_only_somebody_present_can_be_master():
    table = full_table(Stage.PLAYING)
    table.stand_in("Bruno", "dropped")
    for name in ("Bruno", "Nobody", "", 5):
        refused = table.ask(MASTER, "hand_over", name=name)
        assert refused == "There is nobody with this name at the table."
    table.ask(PLAYER, "join")
    table.ask(MASTER, "hand_over", name="Bruno")
    assert table.ask(MASTER, "pause") == NOT_MASTER


@pytest.mark.parametrize("stage", [Stage.WAITING, Stage.PLAYING, Stage.OVER])
def test_whoever_is_sent_away_cannot_come_back(stage):
    table = full_table(stage)
    for name, person in (("Bruno", PLAYER), ("Clio", SPECTATOR)):
        table.ask(MASTER, "kick", name=name)
        for do in ("join", "watch", "say", "key", "leave"):
            assert table.ask(person, do, text="x", key="s") == "You cannot come back to this table."
        assert not table.party.holds(person.owner)
    assert table.ask(MASTER, "kick", name="Ana") == "There is nobody with this name at the table."
    # In the game the seat stays, and a bot plays on.
    assert ("Bruno" in table.party.names) is (stage is Stage.PLAYING)


# Playing.


def test_the_masters_enter_begins_the_first_game_only():
    """A second press that comes late must not begin another game unasked."""
    table = full_table(Stage.WAITING)
    assert table.ask(PLAYER, "key", key="enter") == "The game has not begun yet."
    assert kinds(table.ask(MASTER, "key", key="enter"))[0] == "begun"
    assert kinds(table.ask(MASTER, "key", key="enter"))[0] == "thrown"
    over = full_table(Stage.OVER)
    assert kinds(over.ask(MASTER, "key", key="enter")) == ["refused"]
    assert over.party.stage is Stage.OVER
    assert kinds(over.ask(MASTER, "begin"))[0] == "begun"
    assert [seat.name for seat in over.party.seats] == ["Ana", "Bruno"]


def test_a_game_does_not_begin_alone():
    table = Table()
    assert "2 to 12" in table.ask(MASTER, "begin")


def test_while_the_game_is_paused_one_may_ask_but_not_throw():
    table = full_table(Stage.PLAYING)
    table.ask(MASTER, "pause")
    assert table.ask(MASTER, "key", key="enter") == "The game is paused."
    assert table.ask(MASTER, "key", key="1") == "The game is paused."
    assert table.room_acts() == ()
    for key in ("d", "c", "s", "t"):
        assert kinds(table.ask(PLAYER, "key", key=key)) == ["answered"]
    assert kinds(table.ask(MASTER, "pause")) == ["resumed"]
    assert kinds(table.ask(MASTER, "key", key="enter"))[0] == "thrown"


@pytest.mark.parametrize("key", ["", "x", "F5", "\0", 7, None, ["enter"]])
def test_what_is_no_key_does_nothing(key):
    table = full_table(Stage.PLAYING)
    assert table.ask(MASTER, "key", key=key) == "This key does nothing in this game."


def test_a_bot_stands_in_until_one_presses_a_key():
    table = full_table(Stage.PLAYING)
    assert table.stand_in("Ana", "idle") == (hp.StoodIn("Ana", "idle"), hp.MasterIs("Bruno"))
    assert table.stand_in("Ana", "dropped") is None
    assert kinds(table.room_acts())[0] == "thrown"
    assert kinds(table.ask(MASTER, "key", key="s")) == ["returned", "answered"]
    assert table.party.master == "Bruno"


def test_who_is_gone():
    table = full_table(Stage.PLAYING)
    assert table.gone("Ana") is None and table.gone("Nobody") is None and table.gone("") is None
    assert table.gone("Clio") == (hp.Gone("Clio"),)
    waiting = full_table(Stage.WAITING)
    assert waiting.gone("Ana") == (hp.Gone("Ana"), hp.MasterIs("Bruno"))


# Chat.


def test_chat_and_what_one_does():
    table = Table()
    assert table.ask(MASTER, "say", text=" Hello \n you ") == (hp.Said("Ana", "Hello you", False),)
    assert table.ask(MASTER, "say", text="/me waves") == (hp.Said("Ana", "waves", True),)
    for nothing in ("", " \n", "\u202e", None, 5, ["x"]):
        assert table.ask(MASTER, "say", text=nothing) == CATALOG.say(
            Text("The message is empty.", {})
        )


@given(st.text(alphabet=st.characters(codec=None), max_size=500))
def test_chat_is_harmless_whatever_is_said(said):
    done = cleaned(said)
    assert len(done) <= LONGEST and done == done.strip()
    assert cleaned(done) == done
    done.encode()
    assert not any(ord(character) < 32 or "\u202a" <= character <= "\u202e" for character in done)


def test_chat_does_not_go_on_for_ever():
    assert cleaned("Z" * 10_000) == "Z" * 8
    assert cleaned("<script>&") == "<script>&"


# Journals.


def test_an_entry_that_is_none_is_told_apart():
    for data in ({}, {"room": "nothing"}, {"room": "gone"}, {"room": "gone", "name": "A", "x": 1}):
        with pytest.raises(ValueError, match="not something that happens"):
            hp.from_data(data)
    with pytest.raises(Unplayable):
        entry = entry_of(Outcome((hp.Opened("Ana", "o", "chess", {}, False),)))
        saved = entry_of(Outcome((hp.Begun({"game": "chess"}),)))
        rebuilt([entry, saved], GAMES, lambda throw, count: [1] * count)


PRESSES = ("enter", "enter", "enter", "space", "1", "6", "shift+1", "s", "d", "x")
NAMES = (*PEOPLE, "Alba", "Boris", "nobody", "")
WHAT = st.tuples(
    st.sampled_from(
        (*ALL, *["key"] * 8, "room", "room", "room", "idle", "dropped", "gone", "gone")
    ),
    st.sampled_from(
        [*PEOPLE.values(), Person("ana", owner_of("x")), Person("alba", owner_of("y"))]
    ),
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(NAMES),
            "key": st.sampled_from(PRESSES),
            "text": st.sampled_from(("Hello", "/me nods", "")),
            "private": st.booleans(),
        }
    ),
    st.sampled_from(
        [("preset", "421-dry"), ("preset", "421"), ("tokens", 1), ("tokens", 3), ("tokens", 0)]
    ),
)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(["421", "high"]), st.integers(0, 99), st.lists(WHAT, max_size=80))
def test_whatever_is_asked_in_whatever_order(game, seed, asked):
    table = Table(seed, game)
    live = [table.sitting]
    for do, person, with_, (option, value) in asked:
        if do == "close" and len(live) < 60:
            continue
        if do == "room":
            table.room_acts()
        elif do in ("idle", "dropped"):
            table.stand_in(with_["name"], do)
        elif do == "gone":
            table.gone(with_["name"])
        else:
            table.ask(person, do, **with_, option=option, value=value)
        if table.sitting is not live[-1]:
            live.append(table.sitting)
            assert_sound(table)
    for again, sitting in zip(table.rebuilt(), live, strict=True):
        assert_same(again, sitting)


def assert_same(one, other):
    """Two sittings are alike, also in what their game saves and shows."""
    assert one[::2] == other[::2]
    assert (one.table is None) is (other.table is None)
    if one.table is not None:
        game = GAMES.find(one.party.game)
        assert game.save(one.table) == game.save(other.table)
        for name in (None, *one.party.names):
            assert game.view(one.table, name, "en") == game.view(other.table, name, "en")


def assert_sound(table):
    party = table.party
    names = [name.casefold() for name in party.names]
    assert len({*names}) == len(names)
    owners = [seat.owner for seat in party.seats if seat.owner]
    owners += [watcher.owner for watcher in party.watchers]
    assert len({*owners}) == len(owners)
    assert len(party.seats) <= GAMES.find(party.game).info("en").max_players
    present = [seat.name for seat in party.seats if not seat.by_bot]
    present += [watcher.name for watcher in party.watchers]
    # Nobody is master only while nobody is there.
    assert party.master in present if present else party.master == ""
    if party.stage is Stage.PLAYING:
        name = on_go(table.sitting, GAMES.find(party.game))
        assert name == "" or party.seat(name) is not None
        assert not party.paused or table.room_acts() == ()
