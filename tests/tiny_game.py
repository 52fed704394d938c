"""Another game of another plugin, as small as can be: two players throw a die, the higher wins.

It has its own words in its own two languages, and knows nothing of our package but the hooks.
"""

from typing import Any, NamedTuple

from zanzibar_plugin import hookimpl
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

WORDS = {
    "en": {
        "name": "High die",
        "summary": "The higher die wins.",
        "throw": "Throw",
        "ties": "Throw again at a tie",
        "begun": "High die begins.",
        "thrown": "{player} throws {face}.",
        "you_throw": "You throw {face}.",
        "wait": "It is not your go.",
        "tie": "A tie.",
        "won": "{player} wins.",
        "you_win": "You win!",
        "two": "Two must play.",
    },
    "fr": {
        "name": "Le plus haut",
        "summary": "Le dé le plus haut gagne.",
        "throw": "Lancer",
        "ties": "Relancer en cas d'égalité",
        "begun": "Le plus haut commence.",
        "thrown": "{player} fait {face}.",
        "you_throw": "Tu fais {face}.",
        "wait": "Ce n'est pas à toi.",
        "tie": "Égalité.",
        "won": "{player} gagne.",
        "you_win": "Tu gagnes !",
        "two": "Il faut être deux.",
    },
}


def words(lang):
    return WORDS["fr" if lang.startswith("fr") else "en"]


class Duel(NamedTuple):
    """A table: the faces thrown so far, at most one for each player."""

    game: str
    players: tuple
    again: bool
    faces: tuple
    throws: int
    winner: str
    dice: Any


class TinyGame:
    """The plugin; `game` is the id of its only game."""

    gameroom_interface = INTERFACE

    def __init__(self, game="high"):
        self.game = game

    @hookimpl
    def games(self, lang):
        said = words(lang)
        (again,) = self._options({}, lang)
        return [GameInfo(self.game, said["name"], said["summary"], 2, 2, (again,))]

    @hookimpl
    def problems(self, lang):
        return []

    def _options(self, options, lang):
        again = options.get("again", True)
        return (OptionInfo("again", words(lang)["ties"], "", "switch", again),)

    @hookimpl
    def table_options(self, game, options, name, value, lang):
        if game != self.game:
            return None
        if name not in ("", "again") or (name and not isinstance(value, bool)):
            return Refusal("again: true, false")
        after = {"again": options.get("again", True), **({name: value} if name else {})}
        return Options(self.game, after, self._options(after, lang), "")

    @hookimpl
    def help_page(self, game, options, lang):
        if game != self.game:
            return None
        said = words(lang)
        return HelpPage(said["name"], (), HelpSection("Enter", (said["throw"],)))

    @hookimpl
    def setup(self, game, players, options, dice, lang):
        if game != self.game:
            return None
        if len(players) != 2:
            return Refusal(words(lang)["two"])
        table = Duel(game, tuple(players), options.get("again", True), (), 0, "", dice)
        return Step(table, ({"event": "begun"},))

    @hookimpl
    def on_key(self, table, player, key):
        if not self._mine(table):
            return None
        if key != "enter":
            return Step(table, ())
        if player != self._on_go(table):
            return Step(table, ({"event": "wait", "player": player},))
        (face,) = table.dice(table.throws, 1)
        events = [{"event": "thrown", "player": player, "face": face}]
        if len(table.faces) == 1:
            events.append({"event": "turn_complete"})
        return self._step(table, events)

    @hookimpl
    def on_turn_end(self, table):
        if not self._mine(table):
            return None
        if len(table.faces) < 2 or table.winner:
            return Step(table, ())
        first, second = table.faces
        if first == second and table.again:
            return self._step(table, [{"event": "tie"}])
        winner = table.players[first < second]
        return self._step(table, [{"event": "won", "player": winner}, {"event": "game_over"}])

    @hookimpl
    def announce(self, table, event, listener, lang):
        if not self._mine(table):
            return None
        said, own = words(lang), listener is not None and event.get("player") == listener
        match event["event"]:
            case "thrown":
                sentence = said["you_throw" if own else "thrown"]
            case "won":
                sentence = said["you_win" if own else "won"]
            case "turn_complete" | "game_over":
                sentence = ""
            case kind:
                sentence = said[kind]
        return sentence.format(**event)

    @hookimpl
    def heard_by(self, table, event):
        if self._mine(table):
            return event["player"] if event["event"] == "wait" else ""

    @hookimpl
    def view(self, table, listener, lang):
        if not self._mine(table):
            return None
        on_go = self._on_go(table)
        seats = [
            {"name": name, "on_go": name == on_go, "place": 1 if name == table.winner else None}
            for name in table.players
        ]
        return {"seats": seats, "on_go": on_go, "over": bool(table.winner)}

    @hookimpl
    def usable_keys(self, table, player, lang):
        if self._mine(table):
            mine = player == self._on_go(table)
            return [KeyInfo("enter", words(lang)["throw"])] if mine else []

    @hookimpl
    def bot_key(self, table, player):
        if self._mine(table):
            return "enter" if player == self._on_go(table) else ""

    @hookimpl
    def save(self, table):
        if self._mine(table):
            return {**table._asdict(), "players": list(table.players), "faces": [], "dice": None}

    @hookimpl
    def restore(self, saved, dice, lang):
        if saved.get("game") == self.game:
            return Duel(**{**saved, "players": tuple(saved["players"]), "faces": (), "dice": dice})

    @hookimpl
    def apply(self, table, events):
        return self._step(table, events).table if self._mine(table) else None

    def _mine(self, table):
        return isinstance(table, Duel) and table.game == self.game

    def _on_go(self, table):
        left = () if table.winner else table.players[len(table.faces) :]
        return left[0] if left else None

    def _step(self, table, events):
        for event in events:
            match event["event"]:
                case "thrown":
                    faces = (*table.faces, event["face"])
                    table = table._replace(faces=faces, throws=table.throws + 1)
                case "tie":
                    table = table._replace(faces=())
                case "won":
                    table = table._replace(winner=event["player"])
        return Step(table, tuple(events))


class Failing(TinyGame):
    """The same with a fault: the hook called `fails`, if any, raises."""

    def __init__(self, game="failing"):
        super().__init__(game)
        self.fails = ""


def _failing(name, hook):
    # A hook is called by the names of its arguments, so each has to have the very same ones.
    arguments = hook.__code__.co_varnames[1 : hook.__code__.co_argcount]
    source = f"def {name}(self, {', '.join(arguments)}):\n"
    source += f"    if self.fails == {name!r}: raise RuntimeError('a fault of the game')\n"
    source += f"    return original(self, {', '.join(arguments)})\n"
    made = {"original": hook}
    exec(source, made)
    return hookimpl(made[name])


HOOKS = tuple(name for name, value in vars(TinyGame).items() if hasattr(value, "gameroom_impl"))
for _name in HOOKS:
    setattr(Failing, _name, _failing(_name, vars(TinyGame)[_name]))
