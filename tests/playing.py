"""Tables of any rules, bundled or made for a test, whose dice fall as the test says."""

import json

from zanzibar_plugin import events as ev
from zanzibar_plugin.coach import data_of
from zanzibar_plugin.document import from_data, merge
from zanzibar_plugin.engine import dice_needed
from zanzibar_plugin.library import Library
from zanzibar_plugin.schema import parse, rules_of
from zanzibar_plugin.solver.advisor import estimating
from zanzibar_plugin.table import end_turn, open_table, press

LIBRARY = Library()
LANGUAGES = ("en", "es", "fr", "it", "sr")


def dice(digits):
    return tuple(int(digit) for digit in digits)


def bundled(name):
    found = LIBRARY.find(name)
    assert found is not None, name
    return found


def changed(base, *changes):
    """A bundled game with differences laid over it, one after the other."""
    document = bundled(base).document
    for one in changes:
        document = merge(document, from_data(one))
    return parse(document, "test.yaml")


def played(ruleset, **options):
    """The rules of a table with these options."""
    return rules_of(ruleset, ruleset.choose(options))


def event(name, **fields):
    return {"event": name, **fields}


def assert_events(found, *expected):
    """The same events with the same fields, and the fields in the same order."""
    assert found == list(expected)
    assert json.dumps(found) == json.dumps(expected)


def named(events, name):
    return [one for one in events if one["event"] == name]


class Room:
    """A table; `events` are all so far, as plain data."""

    def __init__(self, ruleset, *players, **options):
        self._faces = ()
        self.players = players
        rules = played(ruleset, **options)
        self._advisor = None
        self.table, begun = open_table(ruleset, rules, players, self._fall)
        self.events = [ev.to_data(one) for one in begun]

    @property
    def state(self):
        return self.table.state

    @property
    def on_go(self):
        return self.state.go and self.state.go.player

    @property
    def over(self):
        return self.state.standing.over is not None

    @property
    def order(self):
        return self.state.turn.order

    @property
    def tokens(self):
        return dict(self.state.standing.tokens)

    def _fall(self, throw, count):
        fallen, self._faces = self._faces[:count], self._faces[count:]
        return fallen

    def _step(self, step):
        self.table, events = step
        plain = [ev.to_data(one) for one in events]
        self.events += plain
        return plain

    def coach(self, state, player):
        """Advice by an estimate."""
        players = len(state.setting.players)
        self._advisor = self._advisor or estimating(state.setting.rules, players)
        return data_of(self._advisor.advise(state, player), state.go)

    def press(self, player, key, faces=""):
        """The events of one key; exactly these faces must be thrown by it."""
        self._faces = dice(faces)
        events = self._step(press(self.table, player, key, self.coach))
        assert not self._faces, "dice that nobody has thrown"
        return events

    def keys(self, player, *keys):
        """The events of some keys, each with the faces it throws after a colon: "enter:421"."""
        return [one for key in keys for one in self.press(player, *key.split(":"))]

    def refused(self, player, key):
        """The reason why a key is refused, and nothing else happens."""
        before = self.state
        found = self.press(player, key)
        assert [one["event"] for one in found] == ["refused"]
        assert self.state == before
        return found[0]["reason"]

    def end_turn(self):
        return self._step(end_turn(self.table))

    def go(self, faces):
        """Whoever is on throws these faces and stops as soon as he may."""
        player = self.on_go
        exact = self.state.phase.follow == "first_exactly" and self.state.turn.about == "turn"
        if exact and not self.state.turn.results:
            self.press(player, "a")
        self.press(player, "enter", faces)
        while self.on_go == player:
            if exact:
                self.keys(player, *faces, f"enter:{faces}")
            else:
                self.press(player, "enter")

    def throw(self, *faces):
        """Each in turn throws once."""
        for one in faces:
            self.go(one)

    def turn(self, *faces):
        """A turn in which each throws once, and the events of its end."""
        assert len(faces) == len(self.order)
        self.throw(*faces)
        return self.end_turn()

    def random_key(self, player, key, source):
        count = dice_needed(self.state, player, key)
        return self.press(player, key, "".join(str(source.randint(1, 6)) for _ in range(count)))
