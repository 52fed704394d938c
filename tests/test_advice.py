"""The key H: who may ask, what is answered, how it sounds, and that it changes nothing."""

import json
import random

import pytest
from playing import LANGUAGES, LIBRARY, Room, bundled, changed, event, played

from zanzibar_plugin import coach, engine, plugin, record, replay
from zanzibar_plugin import events as ev
from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import Refusal
from zanzibar_plugin.saving import restored, saved
from zanzibar_plugin.schema import parse
from zanzibar_plugin.solver.advisor import Grounds, make_advisor
from zanzibar_plugin.speech import sentences
from zanzibar_plugin.speech.advice import in_cases
from zanzibar_plugin.table import moved, press
from zanzibar_plugin.view import keys_of

EN = Catalogs().catalog("en")
TWO, THREE = ("Ana", "Bruno"), ("Ana", "Bruno", "Clio")


@pytest.fixture(autouse=True)
def kept_apart(tmp_path_factory, monkeypatch):
    """Solutions are kept among the tests', not among the user's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp()))


class Coached(Room):
    """A table whose advice is by the best there is to know of it."""

    def __init__(self, ruleset, *players, **options):
        super().__init__(ruleset, *players, **{"advice": True, **options})
        self.advisor = make_advisor(self.state.setting.rules, len(players), three=False)

    def coach(self, state, player):
        return coach.data_of(self.advisor.advise(state, player), state.go)

    def ask(self, player=None, coach_=True):
        """The only event of H, which changes nothing."""
        player = player or self.on_go
        table, found = press(self.table, player, "h", self.coach if coach_ else None)
        assert table.state == self.state
        assert moved(self.table, found)[0].state == self.state
        (one,) = found
        plain = ev.to_data(one)
        assert ev.from_data(json.loads(json.dumps(plain))) == one
        return plain

    def hear(self, few=False, listener=None):
        """What the one who is on, or somebody else, hears when he who is on asks."""
        said = ev.from_data(self.ask())
        who = listener or self.on_go
        found = sentences(self.table.ruleset, self.state, said, who, few)
        return " ".join(map(EN.say, found))


def small(**options):
    return Coached(bundled("421"), *TWO, **{"tokens": 3, **options})


def exact_throws(**options):
    return Coached(bundled("lyon-vache"), *TWO, **{"dry_charge": False, "tokens": 3, **options})


# Where it is a key


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_every_game_has_the_option_and_it_is_off(ruleset):
    assert ruleset.defaults()["advice"] is False
    off, on = played(ruleset), played(ruleset, advice=True)
    assert (off.advice, on.advice) == (False, True)
    assert "h" not in engine.keys(off)
    assert set(engine.keys(on)) == {*engine.keys(off), "h"}


def test_where_advice_is_off_it_is_no_key():
    room = Room(bundled("421"), *TWO)
    room.press("Ana", "enter", "642")
    assert room.press("Ana", "h") == []
    assert "h" not in [info.key for info in keys_of(room.state, "Ana", EN)]
    for who in (*TWO, "Zoe"):
        assert plugin.on_key(room.table, who, "h").events == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_page_has_it_where_it_is_on(language):
    off = plugin.help_page("421", {}, language).keys.paragraphs
    on = plugin.help_page("421", {"advice": True}, language).keys.paragraphs
    assert len(on) == len(off) + 1
    assert on[-1][0] == "H"


def test_a_file_from_before_has_no_advice():
    """Rules, saves and recordings that know nothing of it are as ever."""
    document = changed("421", {"options": {"advice": None}, "advice": None}).document
    assert "advice" not in json.dumps(sorted(document.value))
    old = parse(document, "test.yaml")
    room = Room(old, *TWO)
    assert room.press("Ana", "h") == []
    data = json.loads(json.dumps(saved(room.table)))
    assert "advice" not in data["rules"]
    back = restored(data, lambda throw, count: [1] * count)
    assert back.state == room.state
    assert not back.state.setting.rules.advice


def test_the_option_goes_through_a_save():
    step = plugin.setup("421", TWO, {"advice": True}, lambda throw, count: [1] * count, "en")
    table = plugin.restore(plugin.save(step.table), lambda throw, count: [1] * count, "en")
    assert not isinstance(table, Refusal)
    assert table.state.setting.rules.advice


# Who is refused, and why


def test_refusals():
    room = Coached(bundled("421"), *TWO, tokens=1)
    assert room.ask("Ana") == event("refused", player="Ana", key="h", reason="not_thrown")
    assert room.ask("Bruno")["reason"] == "not_your_go"
    assert room.ask("Zoe")["reason"] == "spectator"
    room.press("Ana", "enter", "642")
    assert room.ask("Ana")["event"] == "answered"
    assert room.ask("Bruno")["reason"] == "not_your_go"
    assert room.ask("Zoe")["reason"] == "spectator"
    room.press("Ana", "enter")
    # A single roll follows that of Ana.
    assert room.ask("Bruno")["reason"] == "no_choice"
    room.press("Bruno", "enter", "421")
    assert [room.ask(who)["reason"] for who in TWO] == ["not_your_go"] * 2
    room.end_turn()
    assert [room.ask(who)["reason"] for who in (*TWO, "Zoe")] == ["game_over"] * 3


def test_where_one_die_decides_who_starts_there_is_nothing_to_choose():
    room = Coached(changed("421", {"start": {"first": "die_high"}}), *TWO, tokens=1)
    assert room.ask("Ana")["reason"] == "no_choice"


def test_nobody_knows():
    room = small()
    room.press("Ana", "enter", "642")
    assert room.ask("Ana", coach_=None)["reason"] == "no_advice"
    # The other reasons come first.
    assert room.ask("Bruno", coach_=None)["reason"] == "not_your_go"


def test_without_numpy(monkeypatch):
    faces = iter([6, 4, 2])
    step = plugin.setup("421", TWO, {"advice": True}, lambda t, c: [next(faces)] * 1, "en")
    table = step.table._replace(dice=lambda throw, count: [6, 4, 2])
    table = plugin.on_key(table, "Ana", "enter").table
    assert "h" in [info.key for info in plugin.usable_keys(table, "Ana", "en")]
    monkeypatch.setattr("zanzibar_plugin.advisors.available", lambda: False)
    monkeypatch.setattr("zanzibar_plugin.solver.advisor.available", lambda: False)
    assert "h" not in [info.key for info in plugin.usable_keys(table, "Ana", "en")]
    step = plugin.on_key(table, "Ana", "h")
    assert [one["reason"] for one in step.events] == ["no_advice"]
    said = plugin.announce(step.table, step.events[0], "Ana", "en")
    assert said == "Advice needs numpy, which is not installed here."
    assert plugin.setup("421", TWO, {"advice": True}, lambda t, c: [1] * c, "en").events


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("not_thrown", "You have not rolled yet: there is nothing to decide."),
        ("not_your_go", "It is not your turn. On turn: Bruno."),
        ("no_choice", "With a single roll there is nothing to decide."),
        ("no_advice", "Advice needs numpy, which is not installed here."),
        ("spectator", "You are watching. Only players can do that."),
        ("game_over", "The game is over."),
    ],
)
def test_refusals_are_heard(reason, said):
    room = small()
    room.go("642")
    for few in (False, True):
        found = sentences(
            room.table.ruleset, room.state, ev.Refused("Ana", "h", reason), "Ana", few
        )
        assert " ".join(map(EN.say, found)) == said


# What is answered


def test_the_answer():
    room = small()
    room.press("Ana", "enter", "642")
    room.press("Ana", "6")
    advice = room.advisor.advise(room.state, "Ana")
    assert advice.grounds is Grounds.EXACT
    now = next(one for one in advice.choices if one.again == (6,))
    best = advice.best
    assert room.ask() == event(
        "answered",
        player="Ana",
        key="h",
        dice=[6, 4, 2],
        selected=[6],
        best=list(best.again),
        announce=False,
        win=round(best.win, 4),
        turn=round(best.turn, 4),
        safe=round(best.safe, 4),
        now={
            "win": round(now.win, 4),
            "turn": round(now.turn, 4),
            "safe": round(now.safe, 4),
        },
        exact=True,
    )


@pytest.mark.parametrize("name", ["421", "lyon-vache", "belgian", "zanzibar-456", "quebec"])
@pytest.mark.parametrize("players", [2, 3])
def test_it_agrees_with_the_advisor_all_through_a_game(name, players):
    options = {"tokens": 3} if "tokens" in bundled(name).defaults() else {}
    source, asked = random.Random(name), 0
    while asked < 6:
        room = Coached(bundled(name), *THREE[:players], **options)
        for _ in range(100):
            if room.over:
                break
            if room.on_go is None:
                room.end_turn()
                continue
            asked += agrees(room)
            usable = keys_of(room.state, room.on_go, EN)
            keys = [info.key for info in usable if info.key not in "dcsth"]
            room.random_key(room.on_go, source.choice(keys), source)


def agrees(room):
    """Whether there is advice now; it is that of the advisor, and nobody else hears it."""
    found = room.ask()
    usable = [info.key for info in keys_of(room.state, room.on_go, EN)]
    assert ("h" in usable) == (found["event"] == "answered")
    if found["event"] == "refused":
        return False
    advice = room.advisor.advise(room.state, room.on_go)
    told = advice.choice(tuple(found["best"]), found["announce"] or room.state.go.last)
    assert told is not None
    assert told.win == pytest.approx(advice.best.win, abs=1e-4)
    assert found["win"] == round(told.win, 4)
    assert found["exact"] == (advice.grounds is not Grounds.ESTIMATE)
    for few in (False, True):
        for listener in (*room.players, None, "Zoe"):
            heard = sentences(room.table.ruleset, room.state, ev.from_data(found), listener, few)
            assert bool(heard) == (listener == room.on_go)
    return True


def test_only_the_asker_hears_it():
    step = plugin.setup("421", TWO, {"advice": True}, lambda t, c: [6, 4, 2][:c], "en")
    table = plugin.on_key(step.table, "Ana", "enter").table
    step = plugin.on_key(table, "Ana", "h")
    (one,) = step.events
    assert plugin.heard_by(step.table, one) == "Ana"
    assert plugin.announce(step.table, one, "Ana", "en")
    for listener in ("Bruno", "Zoe", None):
        assert plugin.announce(step.table, one, listener, "en") == ""
        assert plugin.announce_briefly(step.table, one, listener, "en") == ""
    assert plugin.cue(step.table, one, "Ana") == ""
    # Nothing changes, and a journal with the answer in it leads to the same table.
    assert step.table.state == table.state
    assert plugin.apply(table, step.events).state == table.state
    assert plugin.view(step.table, "Bruno", "en") == plugin.view(table, "Bruno", "en")


def test_a_key_with_a_label():
    step = plugin.setup("421", TWO, {"advice": True}, lambda t, c: [6, 4, 2][:c], "en")
    table = plugin.on_key(step.table, "Ana", "enter").table
    assert ("h", "Advice") in plugin.usable_keys(table, "Ana", "en")
    for who in ("Bruno", "Zoe"):
        assert "h" not in [info.key for info in plugin.usable_keys(table, who, "en")]


def test_it_is_there_at_once_and_then_exact():
    options = {"advice": True, "tokens": 2}
    step = plugin.setup("421", TWO, options, lambda t, c: [6, 4, 2][:c], "en")
    table = plugin.on_key(step.table, "Ana", "enter").table
    assert plugin.on_key(table, "Ana", "h").events[0]["event"] == "answered"
    plugin.advisors.wait(table.state)
    assert plugin.on_key(table, "Ana", "h").events[0]["exact"] is True


# How it sounds: two players, exact


def test_what_is_selected_is_compared():
    room = small()
    room.press("Ana", "enter", "331")
    assert room.hear() == (
        "It is best to roll again: 3, 3. You win the game in 51 of 100 cases. "
        "If you accept: 28 of 100."
    )
    assert room.hear(few=True) == "Roll again: 3, 3. 51 of 100, not 28."
    room.press("Ana", "3")
    assert "With what you have selected: " in room.hear()
    room.press("Ana", "3")
    assert room.hear() == "What you have selected is best. You win the game in 51 of 100 cases."
    assert room.hear(few=True) == "Roll again: 3, 3. 51 of 100."


def test_accepting_is_best():
    room = small()
    room.press("Ana", "enter", "421")
    assert room.hear().startswith("It is best to accept 4, 2, 1, four two one. You win the game in")
    assert "If you" not in room.hear()
    assert room.hear(few=True).startswith("Accept. ")
    room.press("Ana", "4")
    assert room.hear().startswith("It is best to accept 4, 2, 1, four two one. You win the game in")
    assert "With what you have selected: " in room.hear()
    assert ", not " in room.hear(few=True)


def said_of(state_room, few=False, **changes):
    """What the one on hears of an answer with these data, whatever is really best."""
    data = {
        "dice": [6, 4, 2], "selected": [], "best": [6, 4], "announce": False, "win": 0.54,
        "turn": 0.6, "safe": 0.7, "now": {"win": 0.52, "turn": 0.5, "safe": 0.65}, "exact": True,
    }  # fmt: skip
    answer = ev.Answered("Ana", "h", {**data, **changes})
    room = state_room
    return " ".join(map(EN.say, sentences(room.table.ruleset, room.state, answer, "Ana", few)))


def test_the_numbers():
    room = small()
    room.press("Ana", "enter", "642")
    said = "It is best to roll again: 6, 4. You win the game in "
    assert said_of(room) == f"{said}54 of 100 cases. If you accept: 52 of 100."
    close = {"win": 0.5372, "turn": 0, "safe": 0}
    assert said_of(room, now=close) == f"{said}540 of 1000 cases. If you accept: 537 of 1000."
    assert said_of(room, few=True) == "Roll again: 6, 4. 54 of 100, not 52."
    assert said_of(room, few=True, now=None) == "Roll again: 6, 4. 54 of 100."
    assert said_of(room, now=None) == f"{said}54 of 100 cases."


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ((0.5,), (100, 50)),
        ((0.54, 0.52), (100, 54, 52)),
        ((0.541, 0.539), (1000, 541, 539)),
        ((0.5001, 0.4999), (10000, 5001, 4999)),
        ((0.54, 0.54), (100, 54, 54)),
        ((1.0, 0.5), (100, 100, 50)),
        ((0.999, 0.5), (1000, 999, 500)),
        ((0.004,), (1000, 4)),
        ((0.0,), (100, 0)),
        ((0.99999,), (10000, 10000)),
    ],
)
def test_of_how_many_cases(chances, expected):
    assert in_cases(*chances) == expected


def test_of_how_many_cases_about():
    assert in_cases(0.9999, about=True) == (100, 100)
    assert in_cases(0.54, 0.541, about=True) == (1000, 540, 541)


# Estimates, sets, several players


def test_an_estimate_speaks_of_the_round():
    room = Coached(bundled("421"), *THREE)
    room.press("Ana", "enter", "642")
    # In the loading only the weakest matters.
    assert said_of(room, exact=False) == (
        "It is best to roll again: 6, 4. You are not the weakest in about 70 of 100 cases. "
        "If you accept: 65 of 100."
    )
    worse = {"win": 0.5, "turn": 0.5, "safe": 0.75}
    assert said_of(room, exact=False, now=worse) == (
        "It is best to roll again: 6, 4. It is better because of how many tokens are taken."
    )
    assert said_of(room, exact=False, now=worse, few=True) == "Roll again: 6, 4."
    assert said_of(room, exact=False, best=[], selected=[], now=worse) == (
        "It is best to accept 6, 4, 2. You are not the weakest in about 70 of 100 cases."
    )


def test_in_the_unloading_the_strongest_counts_too():
    room = Coached(bundled("421"), *THREE, tokens=11)
    room.turn("421", "665", "421")
    room.turn("443", "221", "443")
    assert room.state.phase.id == "discharge"
    room.press(room.on_go, "enter", "642")
    assert "You are the strongest in about 60 of 100 cases." in said_of(room, exact=False)
    safer = {"win": 0.5, "turn": 0.58, "safe": 0.5}
    assert "You are not the weakest in about 70" in said_of(room, exact=False, now=safer)


def test_of_several_most_do_not_lose():
    room = Coached(bundled("421"), *THREE)
    room.press("Ana", "enter", "642")
    assert "You do not lose the game in 54 of 100 cases." in said_of(room)
    room = Coached(bundled("zanzibar-456"), *THREE)
    room.press("Ana", "enter", "642")
    assert "You win the game in 54 of 100 cases." in said_of(room)
    for players, said in ((TWO, "win"), (THREE, "do not lose")):
        room = Coached(bundled("belgian"), *players, tokens=3)
        room.press(room.on_go, "enter", "642")
        assert f"You {said} the set in 54 of 100 cases." in said_of(room)


# Announcing the last roll


def test_before_the_first_roll_there_may_be_something_to_announce():
    room = exact_throws()
    found = room.ask("Ana")
    assert (found["event"], found["dice"], found["best"]) == ("answered", [], [])
    words = "announce that the first roll is the last" if found["announce"] else "roll without"
    assert words in room.hear()
    told = {"dice": [], "best": [], "selected": []}
    assert said_of(room, announce=True, **told) == (
        "It is best to announce that the first roll is the last. "
        "You win the game in 54 of 100 cases. Without announcing it: 52 of 100."
    )
    assert said_of(room, announce=False, **told) == (
        "It is best to roll without announcing. You win the game in 54 of 100 cases."
    )
    assert said_of(room, announce=True, few=True, **told) == "Announce. 54 of 100, not 52."
    assert said_of(room, announce=False, few=True, **told) == "Do not announce. 54 of 100."
    room.press("Ana", "a")
    assert room.ask("Ana")["reason"] == "no_choice"


def test_later_too():
    room = exact_throws()
    room.press("Ana", "enter", "642")
    # Nothing is selected, and to accept is not allowed.
    assert room.ask()["now"] is None
    assert said_of(room, announce=True, now=None) == (
        "It is best to announce the last roll and roll again: 6, 4. "
        "You win the game in 54 of 100 cases."
    )
    assert said_of(room, announce=True, selected=[6, 4]).endswith(
        "Without announcing it: 52 of 100."
    )
    assert said_of(room, announce=True, selected=[6]).endswith(
        "With what you have selected: 52 of 100."
    )
    assert said_of(room, announce=True, best=[6, 4, 2]).startswith(
        "It is best to announce the last roll and roll all three again."
    )
    assert said_of(room, announce=True, few=True).startswith("Announce, and roll again: 6, 4.")
    assert said_of(room, announce=True, few=True, best=[6, 4, 2]).startswith(
        "Announce, and roll all three again."
    )
    room.press("Ana", "a")
    room.press("Ana", "6")
    assert room.ask()["announce"] is False
    room.press("Ana", "enter", "1")
    room.press("Bruno", "enter", "665")
    # Bruno must throw just as often, but may choose his dice.
    assert room.ask()["now"] is None


# Replays


def test_a_replay_says_always_the_same(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(
        "rules: '421'\noptions: {tokens: 2, advice: true}\nplayers: [Ana, Bruno]\n"
        "dice: [6, 4, 2]\nkeys:\n  - [Ana, enter]\n  - [Ana, h]\n"
    )
    first, second = (
        [ev.to_data(one.event) for one in replay.play(record.read(path), plugin.library)]
        for _ in range(2)
    )
    assert first == second
    assert (first[-1]["key"], first[-1]["exact"]) == ("h", True)


def test_a_recording_without_advice_has_no_such_key(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(
        "rules: '421'\noptions: {}\nplayers: [Ana, Bruno]\ndice: [6, 4, 2]\n"
        "keys:\n  - [Ana, enter]\n  - [Ana, h]\n"
    )
    with pytest.raises(Exception, match="no key of the game"):
        list(replay.play(record.read(path), plugin.library))


def test_the_last_two_of_more_are_known_soon(monkeypatch):
    """Nobody waits for what three play until two are advised exactly."""
    made = []

    def making(rules, players, **how):
        made.append(how)
        return make_advisor(rules, players, three=False)

    monkeypatch.setattr("zanzibar_plugin.advisors.make_advisor", making)
    for players, expected in ((TWO, [{}]), (THREE, [{"three": False}, {}])):
        made.clear()
        advisors = Advisors()
        advisors.wait(Room(bundled("421"), *players, tokens=2).state, 60)
        assert made == expected
