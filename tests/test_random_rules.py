"""What holds by whatever rules a file states: random rules, played by bots and by random keys."""

import json
import random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import LANGUAGES, LIBRARY, Room
from rules_strategy import documents, rules_files, ruleset_of

from zanzibar_plugin import bots, view
from zanzibar_plugin import events as ev
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.engine import keys as keys_of_rules
from zanzibar_plugin.help import page_of
from zanzibar_plugin.saving import restored, saved
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.speech import heard_only_by, sentences
from zanzibar_plugin.state import rebuild
from zanzibar_plugin.table import ZanzibarTable

CATALOGS = Catalogs()
NAMES = ("Ana", "Bruno", "Clio", "Dario", "Eva", *"FGHIJKL")
MOST_TURNS = 20
MOST_STEPS = 800

short = settings(
    max_examples=100,
    deadline=None,
    # A file that fails is short enough as it is; making it shorter would take minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
seeds = st.integers(0, 2**32)


class Watched(Room):
    """A table at which everything that must always hold is looked at after every step."""

    def __init__(self, ruleset, source):
        self.source = source
        self.total = None
        rules = rules_of(ruleset, ruleset.defaults())
        most = min(rules.max_players, rules.min_players + 3)
        players = NAMES[: source.randint(rules.min_players, most)]
        super().__init__(ruleset, *players)
        begun = self.events[0]
        self.total = begun["table"] + sum(begun["tokens"].values())
        self.kinds = set()
        self._look(self.events)

    @property
    def finished(self):
        """At the end, or at the limit of a test: some rules play for ever."""
        return self.over or self.state.turn.number > MOST_TURNS or len(self.events) > MOST_STEPS

    def _fall(self, throw, count):
        return [self.source.randint(1, 6) for _ in range(count)]

    def _step(self, step):
        plain = super()._step(step)
        self._look(plain)
        return plain

    def press(self, player, key, faces=""):
        return super().press(player, key)

    def _look(self, events):
        state = self.state
        for one in events:
            if "tokens" in one and one["event"] != "answered":
                assert tuple(one["tokens"]) == self.players
                assert min(one["table"], *one["tokens"].values()) >= 0
                assert one["table"] + sum(one["tokens"].values()) == self.total
            if one["event"] == "turn_ended":
                assert one["best"] != one["worst"]
                assert one["moved"] == sum(p["amount"] for p in one.get("payments", ())) or (
                    "payments" not in one
                )
            event = ev.from_data(json.loads(json.dumps(one)))
            assert ev.to_data(event) == one
            self._listen(event, one["event"])
        self._save_at_new_points(events)
        assert (state.go is None) == (self.over or len(state.turn.results) == len(self.order))

    def _listen(self, event, name):
        for listener in (self.players[0], None):
            said = sentences(self.table.ruleset, self.state, event, listener)
            if heard_only_by(event) is None and name != "turn_complete":
                assert said, name
            for sentence in said:
                words = CATALOGS.catalog("en").say(sentence)
                assert words.strip()
                assert not {"{", "}"} & set(words)

    def _save_at_new_points(self, events):
        point = (tuple(one["event"] for one in events), self.state.turn.about)
        if point not in self.kinds:
            self.kinds.add(point)
            self.same_after_saving()

    def same_after_saving(self):
        again = restored(json.loads(json.dumps(saved(self.table))), self._fall)
        assert isinstance(again, ZanzibarTable), again
        assert again.state == self.state

    def looked_at(self, lang):
        """What a host shows: the view, and keys of which none is refused."""
        for listener in (*self.players, None):
            seen = view.view_of(self.table.ruleset, self.state, listener, CATALOGS.catalog(lang))
            json.dumps(seen)
        for player in self.players:
            for key in view.keys_of(self.state, player, CATALOGS.catalog(lang)):
                assert key.label.strip()
                table, events = self.table, list(self.events)
                assert [one["event"] for one in self.press(player, key.key)][:1] != ["refused"]
                self.table, self.events = table, events

    def check_rebuilt(self):
        plain = json.loads(json.dumps(self.events))
        assert rebuild(self.state.setting.rules, map(ev.from_data, plain)) == self.state


def played_by_bots(ruleset, source):
    room = Watched(ruleset, source)
    while not room.finished:
        if room.on_go:
            key = bots.next_key(room.state, room.on_go)
            assert key
            assert "refused" not in [one["event"] for one in room.press(room.on_go, key)]
        else:
            assert room.end_turn()
    return room


def legal_keys(room):
    """Keys that are no mere questions."""
    keys = view.keys_of(room.state, room.on_go, CATALOGS.catalog("en"))
    return [one.key for one in keys if one.key not in ("d", "c", "s", "t", "space")]


def played_at_random(ruleset, source):
    room = Watched(ruleset, source)
    while not room.finished:
        if room.on_go:
            keys = legal_keys(room)
            # Enter often enough that a go comes to its end.
            key = "enter" if "enter" in keys and source.random() < 0.5 else source.choice(keys)
            assert room.press(room.on_go, key)[0]["event"] != "refused"
        else:
            assert room.end_turn()
        if source.random() < 0.02:
            room.looked_at(source.choice(LANGUAGES))
    return room


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_bundled(ruleset):
    for seed in range(3):
        played_by_bots(ruleset, random.Random(seed)).check_rebuilt()
        played_at_random(ruleset, random.Random(seed)).check_rebuilt()


@short
@given(rules_files(), seeds)
def test_bots(file, seed):
    played_by_bots(file.ruleset, random.Random(seed)).check_rebuilt()


@short
@given(rules_files(), seeds)
def test_random_legal_keys(file, seed):
    played_at_random(file.ruleset, random.Random(seed)).check_rebuilt()


@short
@given(rules_files(), seeds)
def test_any_keys_of_anybody(file, seed):
    source = random.Random(seed)
    room = Watched(file.ruleset, source)
    keys = (*keys_of_rules(room.state.setting.rules), "a", "7", "")
    for _ in range(60):
        if source.random() < 0.2:
            room.end_turn()
        player = source.choice((*room.players, "Zoe", *([room.on_go] * 6 if room.on_go else [])))
        room.press(player, source.choice(keys))
    room.check_rebuilt()
    room.same_after_saving()


@short
@given(rules_files())
def test_help_in_every_language(file):
    for lang in LANGUAGES:
        page = page_of(file.ruleset, file.ruleset.defaults(), CATALOGS.catalog(lang))
        for section in (*page.sections, page.keys):
            assert section.title.strip()
            assert section.paragraphs, section.title
            for paragraph in section.paragraphs:
                assert paragraph.strip()
                assert not {"{", "}"} & set(paragraph)


@short
@given(rules_files())
def test_an_order_of_all_56(file):
    rules = rules_of(file.ruleset, file.ruleset.defaults())
    assert sorted(one.dice for one in rules.combinations) == sorted(COMBINATIONS)
    strengths = [one.strength for one in rules.combinations]
    assert strengths == sorted(strengths, reverse=True)
    assert set(strengths) == set(range(1, strengths[0] + 1))
    for one, after in zip(rules.combinations, rules.combinations[1:], strict=False):
        assert one.strength > after.strength or one.dice > after.dice


def test_a_good_part_is_accepted():
    tried, good = [], []

    @settings(short, max_examples=60, database=None, derandomize=True)
    @given(documents())
    def draw(document):
        tried.append(document)
        if ruleset_of(document) is not None:
            good.append(document)

    draw()
    assert len(good) > len(tried) / 2
