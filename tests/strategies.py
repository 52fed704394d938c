"""What the tests of the game share: tables played with stated dice, and Hypothesis strategies."""

import json
import random
from itertools import cycle

from hypothesis import strategies as st

from zanzibar_plugin import events as ev
from zanzibar_plugin.data import RULES
from zanzibar_plugin.engine import dice_needed
from zanzibar_plugin.schema import load, rules_of
from zanzibar_plugin.table import end_turn, open_table, press

FILE = RULES / "421.yaml"
RULESET = load(FILE)

NUMBERS = ("1", "2", "3", "4", "5", "6")
SHIFTED = tuple(f"shift+{number}" for number in NUMBERS)
# Those that act on one's own dice, and those that everybody may ask at any time.
ACTING = ("enter", "space", *NUMBERS, *SHIFTED)
ASKING = ("d", "c", "s", "t")

NAMES = (
    "Ana",
    "Bruno",
    "Clio",
    "Dario",
    "Eva",
    "Filip",
    "Gita",
    "Hugo",
    "Ivo",
    "Jana",
    "Kim",
    "Lea",
)
SPECTATOR = "Zoe"


def rules_421(**options):
    return rules_of(RULESET, RULESET.choose(options))


def dice(digits):
    return tuple(int(digit) for digit in digits)


def event(name, **fields):
    return {"event": name, **fields}


def assert_events(found, *expected):
    """The same events with the same fields, and the fields in the same order."""
    assert found == list(expected)
    assert json.dumps(found) == json.dumps(expected)


class Game:
    """A table of 421 whose dice fall as the test says.

    `events` are all so far; `history` has the state after each step with the number of events by
    then.
    """

    def __init__(self, *players, **options):
        self._faces = ()
        self.players = players
        self.table, begun = open_table(RULESET, rules_421(**options), players, self._fall)
        self.events = list(begun)
        self.history = [(len(self.events), self.state)]

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
    def waits_for_end(self):
        return isinstance(self.events[-1], ev.TurnComplete)

    def _fall(self, throw, count):
        fallen, self._faces = self._faces[:count], self._faces[count:]
        return fallen

    def _step(self, step):
        self.table, events = step
        self.events.extend(events)
        self.history.append((len(self.events), self.state))
        return [ev.to_data(one) for one in events]

    def press(self, player, key, faces=""):
        """The events of one key as plain data; exactly these faces must be thrown by it."""
        self._faces = dice(faces)
        events = self._step(press(self.table, player, key))
        assert not self._faces, "dice that nobody has thrown"
        return events

    def keys(self, player, *keys):
        """The events of some keys, each with the faces it throws after a colon: "enter:421"."""
        return [one for key in keys for one in self.press(player, *key.split(":"))]

    def end_turn(self):
        return self._step(end_turn(self.table))

    def go(self, faces, throws=1):
        """Whoever is on throws all three dice this often, always the same, and accepts."""
        player, limit = self.on_go, self.state.go.limit
        self.press(player, "enter", faces)
        for _ in range(throws - 1):
            self.keys(player, *faces, f"enter:{faces}")
        if throws < limit:
            self.press(player, "enter")

    def turn(self, *faces):
        """A turn in which each has one throw, and the events of its end."""
        assert len(faces) == len(self.state.turn.order)
        for one in faces:
            self.go(one)
        return self.end_turn()

    def finish_turn(self, faces):
        """Play the turn to its end as fast as possible with these dice, and have it settled."""
        fall = cycle(faces)
        while self.on_go:
            count = dice_needed(self.state, self.on_go, "enter")
            self.press(self.on_go, "enter", "".join(str(next(fall)) for _ in range(count)))
        return self.end_turn()

    def random_key(self, player, key, source):
        count = dice_needed(self.state, player, key)
        return self.press(player, key, "".join(str(source.randint(1, 6)) for _ in range(count)))


faces = st.integers(1, 6)
throws = st.tuples(faces, faces, faces)
options = st.fixed_dictionaries(
    {"tokens": st.integers(1, 12) | st.integers(1, 99), "dry_charge": st.booleans()}
)
new_games = st.builds(
    lambda count, chosen: Game(*NAMES[:count], **chosen),
    st.integers(2, 4) | st.integers(2, 12),
    options,
)
# Names that are no keys of the game are pressed too.
any_key = st.sampled_from((*ACTING, *ASKING, "a", "7", "shift+7", "", "D", "shift+enter"))
seeds = st.integers(0, 2**32)


def useful_key(draw, go):
    """A key of whoever is on that does something there: throws, selects, puts back, accepts."""
    numbers = [str(face) for face in go.dice]
    shifted = [f"shift+{face}" for face in go.selected]
    return draw(st.sampled_from(("enter", "enter", "space", *numbers, *shifted)))


@st.composite
def games(draw, moves=30):
    """Games played for a while, of every age: fair turns, then keys of everybody and turns.

    A turn that is complete is sometimes settled and sometimes left waiting.
    """
    game = draw(new_games)
    people = st.sampled_from((*game.players, SPECTATOR))
    source = random.Random(draw(seeds))
    kinds = ("useful", "useful", "useful", "any", "any of anybody", "end turn", "turn")
    for kind in ("first turns", *draw(st.lists(st.sampled_from(kinds), max_size=moves))):
        if kind in ("first turns", "turn"):
            for _ in range(1 if kind == "turn" else draw(st.integers(0, 12))):
                game.finish_turn([source.randint(1, 6) for _ in range(36)])
        elif kind == "end turn":
            game.end_turn()
        elif kind == "useful" and game.on_go:
            game.random_key(game.on_go, useful_key(draw, game.state.go), source)
        else:
            player = game.on_go if kind == "any" and game.on_go else draw(people)
            game.random_key(player, draw(any_key), source)
    return game
