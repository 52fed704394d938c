"""The review after a game: what is weighed, what is told first, and what is not told."""

import random

import pytest
from playing import LIBRARY, Room, bundled, changed, played

from zanzibar_plugin import events as ev
from zanzibar_plugin import levels, plugin, review
from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.saving import saved
from zanzibar_plugin.solver.advisor import make_advisor
from zanzibar_plugin.solver.weighing import Choice

EN = Catalogs().catalog("en")
TWO, THREE = ("Ana", "Bruno"), ("Ana", "Bruno", "Clio")
WELL = "You play well: there is nothing to speak of to improve."
NOTHING = "There is nothing to review: the dice have decided everything."
ALL = "All of this is an estimate: the game is not worked out exactly."
PART = "Part of this is an estimate: not all of the game is worked out exactly."


class Solved(Advisors):
    """Advisors that solve at once, and never the game of three."""

    def __init__(self):
        super().__init__()
        self._made = {}

    def wait(self, state, seconds=None):
        assert seconds is not None

    def advise(self, state, player):
        rules, players = state.setting.rules, len(state.setting.players)
        key = (repr(rules), players)
        if key not in self._made:
            self._made[key] = make_advisor(rules, players, three=False)
        return self._made[key].advise(state, player)


SOLVED = Solved()


@pytest.fixture(autouse=True)
def kept_apart(tmp_path_factory, monkeypatch):
    """Solutions are kept among the tests', not among the user's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp()))


class Reviewed(Room):
    """A table that remembers how it began."""

    def __init__(self, ruleset, *players, **options):
        super().__init__(ruleset, *players, **options)
        self.begun = self.state
        self.saved = saved(self.table)

    def review(self, player, advisors=SOLVED):
        events = map(ev.from_data, self.events)
        said = review.sentences(advisors, self.begun, events, player)
        return [" ".join(map(EN.say, one)) for one in said]

    def made(self, player):
        return review.decisions(self.begun, map(ev.from_data, self.events), player)

    def play(self, levels_, source, most=400):
        """To the end, by bots of these levels."""
        for _ in range(most * 10):
            if self.over:
                return
            if self.on_go is None:
                self.end_turn()
                continue
            player = self.on_go
            key = levels.next_key(self.state, player, levels_[player], SOLVED)
            self.random_key(player, key, source)


def game(name, seed, players=TWO, **options):
    room = Reviewed(bundled(name), *players, **options)
    room.play(dict.fromkeys(players, "expert"), random.Random(seed))
    assert room.over
    return room


# What is a decision


def test_decisions():
    room = Reviewed(bundled("421"), *TWO, tokens=10)
    room.keys("Ana", "enter:642", "6", "4", "shift+6", "enter:1", "2", "h", "space", "enter:1")
    room.keys("Bruno", "enter:421", "enter")
    found = [(one.state.go.dice, one.again, one.last) for one in room.made("Ana")]
    # The last throw ends the go by itself.
    assert found == [((6, 4, 2), (4,), False), ((6, 2, 1), (2,), False)]
    found = [(one.state.go.dice, one.again, one.last) for one in room.made("Bruno")]
    assert found == [((4, 2, 1), (), False)]
    assert room.made("Zoe") == []


def test_what_the_rules_decide_is_no_decision():
    room = Reviewed(bundled("421"), *TWO, tokens=1)
    room.turn("421", "665")
    assert room.over
    # Ana has accepted at once, and Bruno had one throw.
    assert len(room.made("Ana")) == 1
    assert room.made("Bruno") == []
    assert room.review("Bruno") == [NOTHING]


def test_announcements_are_weighed_with_their_throws():
    room = Reviewed(bundled("lyon-vache"), *TWO, dry_charge=False, tokens=3)
    room.keys("Ana", "enter:642", "6", "a", "enter:1")
    found = [(one.state.go.dice, one.again, one.last) for one in room.made("Ana")]
    # The first throw could have been announced; the dice accepted by rule are nothing decided.
    assert found == [((), (), False), ((6, 4, 2), (6,), True)]
    room.keys("Bruno", "enter:665", "6", "enter:1")
    found = [(one.state.go.dice, one.again, one.last) for one in room.made("Bruno")]
    assert found == [((6, 6, 5), (6,), False)]
    for player in TWO:
        made = room.made(player)
        weighed = review.weighed(SOLVED, made)
        assert len(weighed) == len(made)
        assert all(one.cost >= -1e-11 for one in weighed)


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
@pytest.mark.parametrize("players", [2, 3])
def test_every_decision_is_found_among_the_choices(ruleset, players):
    options = {"tokens": 3} if "tokens" in ruleset.defaults() else {}
    room = Reviewed(ruleset, *THREE[:players], **options)
    room.play(dict.fromkeys(THREE, "beginner"), random.Random(3), most=30)
    for player in room.players:
        made = room.made(player)
        assert len(review.weighed(SOLVED, made)) == len(made)
        assert room.review(player)


# What is told


def test_a_planted_blunder_is_named_first():
    room = Reviewed(bundled("421"), *TWO, tokens=5)
    room.keys("Ana", "enter:421", "4", "2", "1", "enter:322", "enter")
    room.play(dict.fromkeys(TWO, "expert"), random.Random(1))
    said = room.review("Ana")
    assert said[0].startswith(
        "Round 1: with 4, 2, 1, four two one you roll all three again. It is better to accept. "
        "Of 100 such games you win "
    )
    blunder = review.weighed(SOLVED, room.made("Ana"))[0]
    numbers = f"{round(blunder.done.win * 100)} instead of {round(blunder.best.win * 100)}."
    assert said[0].endswith(numbers)
    assert WELL not in said
    # Bruno has done nothing wrong.
    assert room.review("Bruno") == [WELL]


@pytest.mark.parametrize("name", ["421", "lyon-vache", "zanzibar-456", "belgian", "quebec"])
def test_an_expert_has_nothing_to_improve(name):
    options = {"tokens": 4} if "tokens" in bundled(name).defaults() else {}
    for seed in range(2):
        room = game(name, seed, **options)
        for player in TWO:
            assert room.review(player) in ([WELL], [NOTHING])


def test_a_beginner_hears_three_the_worst_first():
    room = Reviewed(bundled("421"), *TWO, tokens=21)
    room.play({"Ana": "beginner", "Bruno": "expert"}, random.Random(5))
    said = room.review("Ana")
    assert len(said) == 3
    costs = sorted((one.cost for one in review.weighed(SOLVED, room.made("Ana"))), reverse=True)
    assert len([cost for cost in costs if cost >= review.LEAST]) > 3
    assert all(one.startswith("Round ") for one in said)
    assert room.review("Bruno") == [WELL]


def test_several_sets():
    room = game("belgian", 1, tokens=9)
    assert any(one["event"] == "set_started" for one in room.events)
    assert [one for one in room.made("Ana") if one.state.standing.set > 1]
    assert room.review("Ana") == [WELL]


def test_throw_offs():
    rules = changed("421", {"ties": "throw_off", "throw_off": {"throws": 3}})
    room = Reviewed(rules, *TWO, tokens=1)
    room.turn("665", "665")
    room.keys(room.on_go, "enter:421", "4", "enter:4", "enter")
    assert [one.state.turn.about for one in room.made("Ana")] == ["turn", "best", "best"]
    assert room.review("Ana")[0].startswith("Round 1: ")


def test_more_than_two_are_told_of_the_estimate():
    room = game("421", 2, THREE, tokens=6)
    for player in THREE:
        made = room.made(player)
        exact = [one.exact for one in review.weighed(SOLVED, made)]
        said = room.review(player)
        expected = WELL if all(exact) else PART if any(exact) else ALL
        assert said[-1] == (expected if made else NOTHING)


def of(rules, done, best, dice="642", exact=True, players=TWO):
    """What is said of a decision."""
    options = {"dry_charge": False} if "dry_charge" in rules.defaults() else {}
    room = Reviewed(rules, *players, **options)
    if dice:
        room.press("Ana", "enter", dice)
    made = review.Made(room.state, done.again, done.last)
    return " ".join(map(EN.say, review._told(review.Weighed(made, done, best, exact))))


def choice(again, last=False, win=0.5):
    faces = tuple(map(int, again))
    return Choice(not faces, faces, last, win, 0.5, 0.5)


@pytest.mark.parametrize(
    ("done", "better", "said"),
    [
        ("", "6", "you accept 6, 4, 2. It is better to roll again: 6."),
        ("64", "", "with 6, 4, 2 you roll again: 6, 4. It is better to accept."),
        ("642", "4", "with 6, 4, 2 you roll all three again. It is better to roll again: 4."),
        ("6", "642", "with 6, 4, 2 you roll again: 6. It is better to roll all three again."),
    ],
)
def test_sentences(done, better, said):
    found = of(bundled("421"), choice(done, win=0.5), choice(better, win=0.54))
    assert found == f"Round 1: {said} Of 100 such games you win 50 instead of 54."


def test_sentences_of_announcements():
    rules = bundled("lyon-vache")
    found = of(rules, choice("6", True), choice("642", True, 0.6))
    assert found.startswith(
        "Round 1: with 6, 4, 2 you announce the last roll and roll again: 6. "
        "It is better to announce the last roll and roll all three again. "
    )
    found = of(rules, choice("642", True), choice("6", True, 0.6))
    assert found.startswith(
        "Round 1: with 6, 4, 2 you announce the last roll and roll all three again. "
        "It is better to announce the last roll and roll again: 6. "
    )
    first, later = Choice(False, (), True, 0.5, 0, 0), Choice(False, (), False, 0.6, 0, 0)
    assert of(rules, first, later, "").startswith(
        "Round 1: you announce that your first roll is the last. "
        "It is better to roll without announcing. "
    )
    assert of(rules, later, first, "").startswith(
        "Round 1: you roll without announcing. "
        "It is better to announce that the first roll is the last. "
    )


def test_costs():
    done, best = choice("", win=0.5), choice("6", win=0.502)
    two, sets = bundled("421"), bundled("belgian")
    assert of(two, done, best).endswith("Of 1000 such games you win 500 instead of 502.")
    best = choice("6", win=0.6)
    assert of(two, done, best, players=THREE).endswith(
        "Of 100 such games you lose 50 instead of 40."
    )
    assert of(sets, done, best).endswith("Of 100 such sets you win 50 instead of 60.")
    assert of(sets, done, best, players=THREE).endswith(
        "Of 100 such sets you lose 50 instead of 40."
    )
    assert of(bundled("zanzibar-456"), done, best, players=THREE).endswith(
        "Of 100 such games you win 50 instead of 60."
    )


# As a hook


def finished(**options):
    chance = random.Random(4)
    step = plugin.setup("421", TWO, options, lambda t, c: chance.choices(range(1, 7), k=c), "en")
    begun, events, table = plugin.save(step.table), list(step.events), step.table
    while not plugin.view(table, None, "en")["over"]:
        on = plugin.view(table, None, "en")["on_go"]
        key = on and plugin.bot_key(table, on, "beginner")
        step = plugin.on_key(table, on, key) if on else plugin.on_turn_end(table)
        table = step.table
        events += step.events
    return begun, events


def test_the_hook():
    begun, events = finished(tokens=4)
    said = plugin.review(begun, events, "Ana", "en")
    assert said and all(isinstance(one, str) and one for one in said)
    # The events that are in the save already may be given or not.
    assert plugin.review(begun, events[2:], "Ana", "en") == said
    assert plugin.review(begun, events, "Zoe", "en") == ()
    for lang in ("fr", "sr"):
        assert len(plugin.review(begun, events, "Ana", lang)) == len(said)
    assert plugin.review({"plugin": "other"}, events, "Ana", "en") is None
    assert plugin.review({**begun, "digest": ""}, events, "Ana", "en") == (
        "This saved table is damaged and cannot be restored. The save is kept.",
    )


def test_without_numpy(monkeypatch):
    begun, events = finished(tokens=2)
    monkeypatch.setattr(review, "available", lambda: False)
    assert plugin.review(begun, events, "Ana", "en") == (
        "A review needs numpy, which is not installed here.",
    )


def test_nobody_waits_for_ever():
    """What is not solved in time is an estimate."""
    room = Reviewed(bundled("421"), *THREE, tokens=4)
    room.turn("421", "665", "221")
    waited = []

    class Slow(Advisors):
        def prepare(self, state):
            raise AssertionError

        def wait(self, state, seconds=None):
            waited.append(seconds)

        def advise(self, state, player):
            return make_advisor(played(bundled("421"), tokens=4), 3, three=False).advise(
                state, player
            )

    assert room.review("Ana", Slow())[-1] == ALL
    assert waited == [review.PATIENCE]
