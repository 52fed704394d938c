"""The terminal room: people who share a keyboard, and bots, at one table.

It writes plain lines and nothing else, one for each thing heard, so that any screen reader can
follow and any line can be read again.  Seats, bots and who hears what are those of any room; the
table is only kept in memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.hookspecs import REGULAR, DiceSource, Event, Refusal
from zanzibar_plugin.hosts.keyboard import RoomKey
from zanzibar_plugin.hosts.keyin import EndOfInput, Keys, NotAKey, Pressed
from zanzibar_plugin.registry import Game
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room import requests
from zanzibar_plugin.room.party import Stage
from zanzibar_plugin.room.people import Person
from zanzibar_plugin.room.requests import Answer, Means, Request
from zanzibar_plugin.room.sitting import Happened, Outcome, Sitting, moved, on_go
from zanzibar_plugin.room.voice import for_whom, heard
from zanzibar_plugin.text import Listing, Text, text

_STRANGER = " "
"""Somebody who watches; no player can be called so."""


class Seating(NamedTuple):
    """Who sits at the table, people first, what is played, and how well bots play."""

    people: tuple[str, ...]
    bots: tuple[str, ...]
    options: Mapping[str, Any]
    level: str = REGULAR


class Manner(NamedTuple):
    """How the room behaves: seconds of a bot's pause, and whether somebody types live.

    With live keys a person may ask things while bots play, and is offered another game.  With
    `review` each game is looked through at its end, for all who have played it here.
    """

    pace: float
    live: bool
    review: bool = False


class _OneGame:
    """The only game of this room."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def find(self, game: str) -> Game | None:
        return self._game if game == self._game.id else None


class TerminalRoom:
    """One sitting: a game, and as many more as people like."""

    def __init__(
        self,
        game: Game,
        seating: Seating,
        dice: DiceSource,
        catalog: Catalog,
        manner: Manner,
        write: Callable[[str], None],
    ) -> None:
        self._game = game
        self._seating = seating
        self._means = Means(_OneGame(game), dice, catalog.language)
        self._catalog = catalog
        self._manner = manner
        self._write = write
        self._sitting: Sitting | None = None
        self._begun: Mapping[str, Any] = {}
        self._events: list[Event] = []
        self._last: Sequence[str] = ()
        self._last_key: Pressed = None

    def open(self) -> Refusal | None:
        """Begin a game; a refusal if there cannot be one with these players and options."""
        people, bots, options, level = self._seating
        found = self._game.table_options(options, "", None, self._catalog.language)
        if isinstance(found, Refusal):
            return found
        seated: list[hp.Happening] = [
            hp.Opened(people[0], people[0], found.game, found.options, True)
        ]
        seated += [hp.Seated(name, name) for name in people[1:]]
        seated += [hp.BotSeated(name, level) for name in bots]
        # The one watches whom all who share the keyboard ask through.
        seated.append(hp.Watching(_STRANGER, _STRANGER))
        sitting = moved(None, Outcome(tuple(seated)))
        begun = requests.answer(sitting, self._request(people[0], "begin"), self._means)
        if not isinstance(begun, Outcome):
            return Refusal(self._catalog.say(begun))
        self._sitting = sitting
        self._welcome()
        self._hear(begun)
        return None

    def play(self, keys: Keys) -> None:
        """Play until everybody has had enough, or no key can come any more."""
        going = True
        while going:
            player = self._on_go()
            if self._now.party.stage is Stage.OVER:
                going = self._manner.live and self._act(self._read(keys))
            elif player in self._seating.people:
                going = self._act(self._read(keys))
            # Only what is heard takes time: a bot's selecting keys are heard by nobody.
            elif going := self._silent(player) or self._pause(keys):
                self._hear(requests.bot_moves(self._now, self._means))
        self._say(text("Goodbye."))

    @property
    def _now(self) -> Sitting:
        assert self._sitting is not None, "open() comes first"
        return self._sitting

    def _on_go(self) -> str:
        return on_go(self._now, self._game)

    def _silent(self, player: str) -> bool:
        if not player:
            return False
        return self._game.bot_key(self._now.table, player, self._seating.level) != "enter"

    def _request(self, name: str, do: str, **with_: object) -> Request:
        return Request(Person(name, name), do, with_)

    def _welcome(self) -> None:
        bots = self._seating.bots
        if bots:
            # L10N: {players} is a list of names, at least one.
            self._say(text("Played by the computer: {players}.", players=Listing(bots)))
            levels = self._game.bot_levels(self._catalog.language)
            notes = [one.note for one in levels if one.id == self._seating.level]
            self._write_all(list(filter(None, notes)))
        self._say(
            text(
                "Enter rolls the dice, and later accepts them. A number from 1 to 6 selects a die "
                "to roll again. The question mark tells all the keys; twice, the rules."
            )
        )

    def _pause(self, keys: Keys) -> bool:
        """Wait as long as a bot thinks, with an ear for questions; false if somebody leaves.

        Enter goes on at once.
        """
        until = time.monotonic() + self._manner.pace
        if not self._manner.live:
            time.sleep(self._manner.pace)
            return True
        while (left := until - time.monotonic()) > 0:
            pressed = self._read(keys, left)
            if pressed == "enter":
                return True
            if pressed is not None and not self._act(pressed):
                return False
            if pressed is RoomKey.HELP:
                # Nobody can listen to help and to bots at once: they wait for the next key.
                until = float("inf")
            elif pressed is not None:
                until = time.monotonic() + self._manner.pace
        return True

    def _read(self, keys: Keys, timeout: float | None = None) -> Pressed:
        """What is pressed next; H is for help where it is no key of the game."""
        pressed = keys.read(timeout)
        return RoomKey.HELP if pressed == "h" and not self._has_h() else pressed

    def _has_h(self) -> bool:
        """Whether H is a key of this game: pressed by anybody, something is said then."""
        return bool(self._game.on_key(self._now.table, _STRANGER, "h").events)

    def _act(self, pressed: Pressed) -> bool:
        """One thing pressed; false if the sitting is over."""
        before, self._last_key = self._last_key, pressed
        if isinstance(pressed, EndOfInput):
            return False
        if isinstance(pressed, NotAKey):
            self._odd(pressed)
        elif pressed is RoomKey.LEAVE:
            if before is RoomKey.LEAVE:
                return False
            self._say(text("Press Q again to leave."))
        elif pressed is RoomKey.HELP:
            self._help(again=before is RoomKey.HELP)
        elif pressed is RoomKey.REPEAT:
            self._write_all(self._last)
        elif pressed is RoomKey.PUT_BACK:
            self._say(text("Put back which die? Press its number."))
        elif isinstance(pressed, str):
            self._key(pressed)
        return True

    def _key(self, key: str) -> None:
        request = self._request(self._presser(key), "key", key=key)
        if key == "enter" and self._now.party.stage is Stage.OVER:
            request = self._request(self._seating.people[0], "begin")
        self._hear(requests.answer(self._now, request, self._means))

    def _presser(self, key: str) -> str:
        """Who of those at this keyboard presses a key: whoever is on.

        When none of several people is, none can be "you": a stranger then asks for all of them.
        """
        people = self._seating.people
        player = self._on_go()
        if player in people:
            return player
        if len(people) > 1:
            usable = self._game.usable_keys(self._now.table, _STRANGER, self._catalog.language)
            if key in [info.key for info in usable]:
                return _STRANGER
        return people[0]

    def _hear(self, answer: Answer | None) -> None:
        """Let an outcome be so, and say what happened to those at this keyboard."""
        if not isinstance(answer, Outcome):
            if answer is not None:
                self._announce([self._catalog.say(answer)])
            return
        self._sitting = moved(self._now, answer)
        said = [
            heard(one, self._now, self._listener(one), self._catalog, self._means.games)
            for one in answer.happened
        ]
        over = self._keep(answer)
        if over and self._manner.review and self._game.reviews:
            self._announce([line for line in said if line])
            said = self._reviewed()
        if over and self._manner.live:
            said.append(self._catalog.say(text("Enter begins another game. Q leaves.")))
        self._announce([line for line in said if line])

    def _keep(self, answer: Outcome) -> bool:
        """Remember the game that is played, to look through it; true if it is over."""
        over = False
        for one in answer.happened:
            if isinstance(one, hp.Begun):
                self._begun, self._events = one.saved, []
            elif not isinstance(one, tuple):
                self._events.append(one)
                over = over or one["event"] == "game_over"
        return over

    def _reviewed(self) -> list[str]:
        """What each person here could have done better, one after the other."""
        # It may take a while: whoever waits hears why.
        self._say(text("The game is looked through. One moment."))
        people, said = self._seating.people, []
        for player in people:
            if len(people) > 1:
                # L10N: What follows is for this player.
                said.append(self._catalog.say(text("For: {player}.", player=player)))
            said += self._game.review(self._begun, self._events, player, self._catalog.language)
        return said

    def _listener(self, one: Happened) -> str:
        """One person alone is "you"; several hear names, and "you" only what is theirs alone."""
        people = self._seating.people
        if len(people) == 1:
            return people[0]
        alone = for_whom(one, self._now, self._means.games)
        return alone if alone in (*people, _STRANGER) else ""

    def _odd(self, pressed: NotAKey) -> None:
        if pressed.hint is not None:
            self._say(pressed.hint)
        elif pressed.shown:
            # L10N: {key} is whatever was typed.
            self._say(
                text("{key} is no key. The question mark tells all the keys.", key=pressed.shown)
            )

    def _help(self, again: bool) -> None:
        page = self._game.help_page(self._seating.options, self._catalog.language)
        assert not isinstance(page, Refusal)  # the options were good enough to begin
        if not again:
            for paragraph in page.keys.paragraphs:
                self._write(paragraph)
            for sentence in (*_ROOM_KEYS, _HELP_ALONE if self._has_h() else _HELP, _LEAVE):
                self._write(self._catalog.say(sentence))
            return
        self._write(page.title)
        for section in page.sections:
            self._write(section.title)
            for paragraph in section.paragraphs:
                self._write(paragraph)

    def _say(self, sentence: Text) -> None:
        self._announce([self._catalog.say(sentence)])

    def _announce(self, lines: Sequence[str]) -> None:
        """Say what belongs together, and keep it for whoever missed it."""
        # Unheard things, such as a bot's selecting keys, do not take the place of what was heard.
        self._last = lines or self._last
        self._write_all(lines)

    def _write_all(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._write(line)


_ROOM_KEYS: Sequence[Text] = (
    text("X, then 1 to 6: puts back one selected die, without Shift."),
    text("R: says the last announcement again."),
)
_HELP = text("Question mark or H: tells the keys; pressed again, the rules.")
# L10N: Where H is a key of the game.
_HELP_ALONE = text("Question mark: tells the keys; pressed again, the rules.")
_LEAVE = text("Q, twice: leaves.")
