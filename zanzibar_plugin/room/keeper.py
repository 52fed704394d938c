"""The keeper of one table: it commits what happens, tells everybody, and sees that play goes on.

All that changes a table goes through its keeper, one thing after the other.  An entry is committed
before anybody hears of it; if it cannot be, nothing has happened.  What nobody presses (bots, the
end of a turn, stand-ins for those who are away) is done by timers, and only while somebody listens:
a table that waits costs nothing.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import DiceSource, Refusal
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room import requests
from zanzibar_plugin.room.checkable import new_secret
from zanzibar_plugin.room.export import record_of
from zanzibar_plugin.room.party import Party, Stage
from zanzibar_plugin.room.people import Person
from zanzibar_plugin.room.requests import Means, Request
from zanzibar_plugin.room.shown import page_of, view_of
from zanzibar_plugin.room.sitting import (
    Games,
    Happened,
    Outcome,
    Sitting,
    Unplayable,
    entry_of,
    game_of,
    happened_in,
    last_game,
    moved,
    on_go,
    rebuilding,
)
from zanzibar_plugin.room.store import Entry, Store, StoreError
from zanzibar_plugin.room.timers import Timers
from zanzibar_plugin.room.voice import cue, for_whom, heard, names_in
from zanzibar_plugin.text import Text, text

_log = logging.getLogger(__name__)

REMEMBERED = 8
"""Entries kept in memory for those who come back after a short while."""

RETRY = 5.0
"""Seconds after which what the room does by itself is tried again if it cannot be written."""

AT_ONCE = 20
"""Entries told to somebody who comes back before his line is waited for."""


@dataclass(frozen=True)
class Pace:
    """How long things take, in seconds."""

    bot: float = 1.5
    turn: float = 1.0
    grace: float = 30.0
    remind: float = 45.0
    idle: float = 90.0
    go: float = 300.0
    pause: float = 1800.0
    draw: float = 10.0


class Heard(NamedTuple):
    """What a listener is told of one entry: its number, the lines in his language, and the sound
    that goes with each ("" for none).
    """

    number: int
    lines: tuple[str, ...]
    cues: tuple[str, ...]


class _Line(NamedTuple):
    words: str
    cue: str


class _Told(NamedTuple):
    """What was made of one entry for all its listeners: sentences once for a language and point of
    view, and, by their places in the entry, the only ones who hear something.
    """

    lines: dict[object, _Line]
    alone: dict[int, str]


class Ear(Protocol):
    """Somebody who listens: a connection, seen from a table."""

    owner: str
    lang: str
    brief: bool
    checks: bool
    """Whether this listener's page gives a part for the dice, and checks them."""

    async def sent(self) -> bool:
        """Wait until what was heard is on its way; false if this line is dead."""

    def hear(self, heard: Heard) -> None:
        """Be told of an entry; must not block."""

    def warn(self, sentence: str) -> None:
        """Be told of something that is no entry; must not block."""

    def see(self, view: Mapping[str, Any]) -> None:
        """Be shown the table as it is now; must not block."""

    def end(self) -> None:
        """The table is no more, or no longer for this listener."""


class Surroundings(NamedTuple):
    """What all keepers share."""

    store: Store
    games: Games
    catalogs: Catalogs
    dice: DiceSource
    pace: Pace


class _Remembered(NamedTuple):
    """An entry with the table after it, and who was there before it: also leavers hear it."""

    number: int
    happened: tuple[Happened, ...]
    sitting: Sitting
    before: Party | None

    def name_of(self, owner: str) -> str:
        name = self.sitting.party.name_of(owner)
        return name or (self.before.name_of(owner) if self.before is not None else "")


class _Wait:
    """Waiting for one person's key; the next wait for him is another one."""

    def __init__(self, name: str) -> None:
        self.name = name


class Keeper:
    """One table.  Make it with `open_new` or `load`."""

    def __init__(self, table: str, around: Surroundings, sitting: Sitting) -> None:
        self.table = table
        self.sitting = sitting
        self.broken = False
        self._around = around
        self._lock = asyncio.Lock()
        self._ears: list[Ear] = []
        self._recent: deque[_Remembered] = deque(maxlen=REMEMBERED)
        self._most: dict[str, int] = {}
        self._records = asyncio.Lock()
        self._record: tuple[int, str, str] | None = None
        self._reviews = asyncio.Lock()
        self._reviewed: tuple[int, dict[tuple[str, str], Sequence[str]]] = (0, {})
        self._timers = Timers(f"table {table}")
        self._wait: _Wait | None = None
        self._shown: tuple[Sitting, Mapping[str, Any]] | None = None
        self.changed: Callable[[], None] = lambda: None

    @classmethod
    async def open_new(
        cls, table: str, around: Surroundings, request: Request, lang: str
    ) -> Keeper | str:
        """A new table, committed; or why there is none, as a sentence in `lang`."""
        answer = requests.open_table(request, Means(around.games, around.dice, lang))
        if not isinstance(answer, Outcome):
            return around.catalogs.catalog(lang).say(answer)
        try:
            await around.store.append(table, 0, entry_of(answer))
        except StoreError as fault:
            _log.error("table %s is not opened: %s", table, fault)
            return around.catalogs.catalog(lang).say(_not_written())
        keeper = cls(table, around, moved(None, answer))
        keeper._recent.append(_Remembered(1, answer.happened, keeper.sitting, None))
        return keeper

    @classmethod
    async def load(cls, table: str, around: Surroundings) -> Keeper:
        """A table from its journal.  Raises Unplayable or ValueError if that cannot be used."""
        entries = await around.store.read(table)
        if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
            raise Unplayable("entries are missing from its journal")
        remembered = deque(_remembered(entries, around), maxlen=REMEMBERED)
        keeper = cls(table, around, remembered[-1].sitting)
        keeper._recent.extend(remembered)
        return keeper

    @property
    def party(self) -> Party:
        return self.sitting.party

    @property
    def closed(self) -> bool:
        return self.party.stage is Stage.CLOSED

    @property
    def number(self) -> int:
        """The number of the newest entry."""
        return self.sitting.number

    @property
    def most_players(self) -> int:
        """How many seats the game can have; asked once for a game, for the list of tables."""
        game = self.party.game
        if game not in self._most:
            try:
                most = game_of(game, self._around.games).info("en").max_players
            except Exception:
                # The list of tables is for all, also for those who play something else.
                _log.exception("table %s: the game does not tell its seats", self.table)
                most = 0
            self._most = {game: most}
        return self._most[game]

    def look(self, lang: str) -> Mapping[str, Any]:
        """The table for somebody who is not at it: people, options, score and rules."""
        games, party = self._around.games, self.party
        shown = self._seen("", lang)
        page = game_of(party.game, games).help_page(party.options, lang)
        rules = {"title": "", "sections": []} if isinstance(page, Refusal) else page_of(page)
        return {**shown, "rules": rules, "choices": self.choices(lang)}

    def choices(self, lang: str) -> Sequence[Mapping[str, Any]]:
        """What can be chosen before the game, presets first."""
        game = game_of(self.party.game, self._around.games)
        found = game.table_options(self.party.options, "", None, lang)
        if isinstance(found, Refusal):
            return ()
        return [
            {**option._asdict(), "choices": [way._asdict() for way in option.choices]}
            for option in found.listed
        ]

    async def record(self, game: str = "") -> str:
        """The record of the last game that is over, or of the one named, as JSON; or ""."""
        async with self._records:
            number = self.number
            if self._record is None or self._record[:2] != (number, game):
                entries = await self._around.store.read(self.table)
                found = record_of([entry.data for entry in entries], game)
                self._record = number, game, "" if found is None else json.dumps(found)
            return self._record[2]

    async def review(self, owner: str, lang: str) -> Sequence[str] | Text:
        """What somebody could have done better in the game that is over; or why that is not told.

        It is computed in a thread, for one player of a table after the other.
        """
        name, game = self.party.name_of(owner), game_of(self.party.game, self._around.games)
        if not game.reviews or self.party.stage is not Stage.OVER:
            return text("There is no game here to look back at.")
        async with self._reviews:
            number = self.number
            if self._reviewed[0] != number:
                self._reviewed = (number, {})
            known = self._reviewed[1]
            if (name, lang) not in known:
                entries = await self._around.store.read(self.table)
                saved, events = last_game(happened_in(entry.data) for entry in entries)
                known[name, lang] = tuple(
                    await asyncio.to_thread(game.review, saved, events, name, lang)
                )
            return known[name, lang] or text("You did not play in this game.")

    # Listening.

    async def listen(self, ear: Ear, after: int) -> None:
        """Have somebody listen from now on, who first hears what came after entry `after`.

        Whoever was away and comes back plays himself again.
        """
        # What happened long ago is told no faster than it is read, and keeps nobody else waiting.
        async for missed in self._since(after):
            ear.hear(self._for(ear, missed, _Told({}, {})))
            after = missed.number
            if after % AT_ONCE == 0 and not await ear.sent():
                return
        async with self._lock:
            async for missed in self._since(after):
                ear.hear(self._for(ear, missed, _Told({}, {})))
            if self.closed:
                ear.end()
                return
            first = not self._ears
            self._ears.append(ear)
            ear.see(self._view(ear, {}))
        if first:
            self._await_the_absent()
        self._timers.cancel(f"grace {ear.owner}")
        seat = self.party.seat_of(ear.owner)
        if seat is not None and seat.away == "dropped":
            await self.submit(Request(_person(self.party, ear.owner), "join", {}), ear.lang)
        self._go_on()

    def leave(self, ear: Ear) -> None:
        """Somebody no longer listens; after a time of grace a bot stands in for him."""
        if ear not in self._ears:
            return
        self._ears.remove(ear)
        if not any(other.owner == ear.owner for other in self._ears):
            self._await(ear.owner)
        if not self._ears:
            self._stop()

    def listening(self, owner: str) -> bool:
        """Whether somebody listens now."""
        return any(ear.owner == owner for ear in self._ears)

    @property
    def ears(self) -> int:
        """How many listen."""
        return len(self._ears)

    # Asking.

    async def submit(self, request: Request, lang: str) -> str:
        """Do what somebody asks; "" if it is done, or else a sentence in `lang` why it is not."""
        say = self._around.catalogs.catalog(lang).say
        async with self._lock:
            try:
                answer = requests.answer(self.sitting, request, self._means(lang))
            except Exception:
                # A plugin's fault is its own table's misfortune, and no one else's.
                _log.exception("table %s: the game fails at %s", self.table, request.do)
                return say(text("The game has a fault and did not do this."))
            if not isinstance(answer, Outcome):
                return say(answer)
            try:
                await self._commit(answer)
            except StoreError as fault:
                _log.error("table %s: %s", self.table, fault)
                return say(_not_written())
        self.broken = False
        self._go_on(self.party.name_of(request.person.owner) if request.do == "key" else "")
        return ""

    async def close(self) -> None:
        """The room itself closes the table."""
        async with self._lock:
            if not self.closed:
                await self._commit(Outcome((hp.Closed(""),)))

    async def stop(self) -> None:
        """Stop all timers; what is being committed is finished first."""
        self._stop()
        async with self._lock:
            pass

    async def _commit(self, outcome: Outcome) -> None:
        """Write an outcome down, and only then let it be so and be heard."""
        if not outcome.happened:
            return
        before = self.sitting
        after = moved(before, outcome)  # what a faulty game makes of it fails before it is written
        await self._around.store.append(self.table, before.number, entry_of(outcome))
        self.sitting = after
        entry = _Remembered(after.number, _to_tell(outcome.happened), after, before.party)
        self._recent.append(entry)
        self._tell(entry)
        self.changed()

    def _tell(self, entry: _Remembered) -> None:
        told = _Told({}, {})
        views: dict[object, Mapping[str, Any]] = {}
        for ear in tuple(self._ears):
            try:
                ear.hear(self._for(ear, entry, told))
                ear.see(self._view(ear, views))
            except Exception:
                _log.exception("table %s: a listener cannot be told", self.table)
            if ear in self._ears and (self.closed or ear.owner in self.party.banned):
                self._ears.remove(ear)
                ear.end()
        if not self._ears:
            self._stop()

    def _for(self, ear: Ear, entry: _Remembered, told: _Told) -> Heard:
        """What one listener hears."""
        name = entry.name_of(ear.owner) or self.party.name_of(ear.owner)
        catalog = self._around.catalogs.catalog(ear.lang)
        games, said = self._around.games, told.lines
        lines = []
        for place, one in enumerate(entry.happened):
            try:
                if place not in told.alone:
                    told.alone[place] = for_whom(one, entry.sitting, games)
                alone = told.alone[place]
                if alone and alone != name:
                    continue
                # Players hear of themselves in more events than those that name them; all who only
                # watch hear the same.
                own = alone or entry.sitting.party.seat(name) or name in names_in(one)
                point = name if own else ""
                key = (place, catalog.language, point, ear.brief)
                if key not in said:
                    words = heard(one, entry.sitting, point, catalog, games, ear.brief)
                    said[key] = _Line(words, cue(one, entry.sitting, point, games))
                if not isinstance(said[key].words, str):
                    raise TypeError("an announcement is no str")
            except Exception:
                _log.exception("table %s: the game cannot tell what happened", self.table)
                lines.append(_Line(catalog.say(text("The game cannot tell what happens.")), ""))
                continue
            if said[key].words:
                lines.append(said[key])
        return Heard(
            entry.number,
            tuple(line.words for line in lines),
            tuple(line.cue for line in lines),
        )

    def _view(self, ear: Ear, views: dict[object, Mapping[str, Any]]) -> Mapping[str, Any]:
        name = self.party.name_of(ear.owner)
        key = (ear.lang, name)
        if key not in views:
            views[key] = {**self._seen(name, ear.lang), "number": self.sitting.number}
        return views[key]

    def _seen(self, name: str, lang: str) -> Mapping[str, Any]:
        """The table as somebody sees it; of a game that cannot be shown, the people alone."""
        try:
            view = view_of(self.sitting, name, lang, self._around.games)
            if view["play"] is not None:
                self._shown = (self.sitting, view["play"])
            return view
        except Exception:
            _log.exception("table %s: the game cannot be shown", self.table)
            return view_of(self.sitting._replace(table=None), name, lang, self._around.games)

    async def _since(self, after: int) -> AsyncIterator[_Remembered]:
        """The entries after a number, from memory or, further back, from the journal."""
        if after < 0 or after >= self.sitting.number:
            return
        entries: Iterable[_Remembered] = tuple(self._recent)
        if not self._recent or self._recent[0].number > after + 1:
            entries = _remembered(await self._around.store.read(self.table), self._around)
        for entry in entries:
            if entry.number > after:
                yield entry
            elif entry.number % 100 == 0:
                await asyncio.sleep(0)  # a long journal keeps no other table waiting

    # What nobody presses.

    def _go_on(self, presser: str = "") -> None:
        """Set the timer for what comes next, if it is not a person's key; remind idle people.

        Only a key of his own, as `presser`, gives more time to the person all wait for.
        """
        party, pace = self.party, self._around.pace
        if not (self._ears and party.paused and party.stage is Stage.PLAYING):
            self._timers.cancel("pause")
        elif "pause" not in self._timers.names():
            self._timers.set("pause", pace.pause, self._resume)
        self._await_parts()
        if not self._ears or self.broken or party.stage is not Stage.PLAYING or party.paused:
            self._wait_no_more()
            return
        try:
            name = self._on_go()
        except Exception:
            self._wait_no_more()
            self._fails()
            return
        seat = party.seat(name) if name else None
        if seat is None or seat.by_bot:
            self._wait_no_more()
            self._timers.set("next", pace.bot if seat else pace.turn, self._act)
        elif self._wait is None or self._wait.name != name or presser == name:
            if self._wait is None or self._wait.name != name:
                # Keys give time, but not for ever: a go has an end of its own.
                self._timers.set("go", pace.go, lambda: self._end_go(name))
            self._wait = wait = _Wait(name)
            self._timers.set("next", pace.remind, lambda: self._remind(wait))

    def _on_go(self) -> str:
        """Who is on now; mostly a view that was just shown tells it."""
        shown, self._shown = self._shown, None
        if shown is not None and shown[0] is self.sitting:
            return shown[1]["on_go"] or ""
        return on_go(self.sitting, game_of(self.party.game, self._around.games))

    def _wait_no_more(self) -> None:
        self._timers.cancel("next")
        self._timers.cancel("go")
        self._wait = None

    async def _end_go(self, name: str) -> None:
        """Somebody has been on for too long, whatever he pressed."""
        if self._wait is not None and self._wait.name == name:
            await self._give_up(self._wait)

    def _await_parts(self) -> None:
        """Give pages some time to be bound by their parts of the dice, and as much to show them."""
        step = self._draw_step()
        for name in self._timers.names():
            if name.startswith("draw ") and (name != step or not self._ears):
                self._timers.cancel(name)
        if step and self._ears and step not in self._timers.names():
            self._timers.set(step, self._around.pace.draw, lambda: self._end_start(step))

    def _draw_step(self) -> str:
        """What pages are asked for just now, as the name of its timer; "" if for nothing."""
        start = self.party.start
        if start is None or self.party.stage is not Stage.STARTING:
            return ""
        return f"draw {start.game} {start.showing}"

    async def _end_start(self, step: str) -> None:
        async with self._lock:
            if self._draw_step() != step:
                return  # the last one has done it meanwhile
            outcome = requests.give_up_waiting(self.sitting)
            if outcome is not None and not await self._commits(outcome):
                self._timers.set(step, RETRY, lambda: self._end_start(step))
                return
        self._go_on()

    async def _resume(self) -> None:
        """A pause that lasts too long ends by itself."""
        async with self._lock:
            if self.party.paused:
                await self._commits(Outcome((hp.Resumed(self.party.master),)))
        self._go_on()

    async def _act(self) -> None:
        """A bot's keys until something is heard of it, or the end of a turn."""
        async with self._lock:
            for _ in range(20):
                try:
                    outcome = requests.bot_moves(self.sitting, self._means("en"))
                    if outcome is None:
                        break
                    if not await self._commits(outcome):
                        self._timers.set("next", RETRY, self._act)
                        return
                    if any(not self._private(one) for one in outcome.happened):
                        break
                except Exception:
                    self._fails()
                    return
            else:
                # A bot that does nothing for ever would keep its table waiting for ever.
                self._fails()
                return
        self._go_on()

    def _private(self, one: Happened) -> bool:
        return bool(for_whom(one, self.sitting, self._around.games))

    def _fails(self) -> None:
        _log.exception("table %s: the game fails by itself; its table stands still", self.table)
        self.broken = True
        for ear in self._ears:
            catalog = self._around.catalogs.catalog(ear.lang)
            ear.warn(catalog.say(text("The game has a fault and did not do this.")))

    async def _commits(self, outcome: Outcome) -> bool:
        """Commit what the room does by itself; false if it must be tried again later."""
        try:
            await self._commit(outcome)
        except StoreError as fault:
            _log.error("table %s: %s", self.table, fault)
            return False
        return True

    async def _remind(self, wait: _Wait) -> None:
        async with self._lock:
            if self._wait is not wait:
                return  # he has pressed a key meanwhile
            await self._commits(requests.remind(self.sitting, wait.name))
        pace = self._around.pace
        self._timers.set("next", max(0.0, pace.idle - pace.remind), lambda: self._give_up(wait))

    async def _give_up(self, wait: _Wait) -> None:
        async with self._lock:
            if self._wait is not wait:
                return
            outcome = requests.stand_in(self.sitting, wait.name, "idle")
            if outcome is not None:
                await self._commits(outcome)
            self._wait = None
        self._go_on()

    async def _drop(self, owner: str) -> None:
        """Somebody's grace is over: a bot stands in for him, or he is no longer here."""
        async with self._lock:
            if self.closed or self.listening(owner):
                return
            name = self.party.name_of(owner)
            outcome = requests.stand_in(self.sitting, name, "dropped")
            if outcome is None:
                outcome = requests.gone(self.sitting, name)
            if outcome is not None and not await self._commits(outcome):
                self._await(owner)
        self._go_on()

    def _await_the_absent(self) -> None:
        """After a restart: those who do not come back in time are away."""
        for seat in self.party.seats:
            if seat.owner and not seat.away and not self.listening(seat.owner):
                self._await(seat.owner)
        for watcher in self.party.watchers:
            if not self.listening(watcher.owner):
                self._await(watcher.owner)

    def _await(self, owner: str) -> None:
        if self.party.name_of(owner):
            self._timers.set(f"grace {owner}", self._around.pace.grace, lambda: self._drop(owner))

    def _means(self, lang: str) -> Means:
        pages = frozenset(ear.owner for ear in self._ears if ear.checks)
        around = self._around
        return Means(around.games, around.dice, lang, new_secret, pages, self.table)

    def _stop(self) -> None:
        self._wait = None
        self._record = None
        for name in self._timers.names():
            if name == "next" or not self._ears:
                self._timers.cancel(name)


def _remembered(entries: Sequence[Entry], around: Surroundings) -> Iterator[_Remembered]:
    """Entries as they were when they happened.  Raises Unplayable like `rebuilt`."""
    before: Party | None = None
    sittings = rebuilding((entry.data for entry in entries), around.games, around.dice)
    for entry, sitting in zip(entries, sittings, strict=True):
        yield _Remembered(entry.number, _to_tell(happened_in(entry.data)), sitting, before)
        before = sitting.party


def _to_tell(happened: tuple[Happened, ...]) -> tuple[Happened, ...]:
    """What happened, but for the whole rules that a game began with: nobody is told those."""
    return tuple(one._replace(saved={}) if isinstance(one, hp.Begun) else one for one in happened)


def _person(party: Party, owner: str) -> Person:
    return Person(party.name_of(owner), owner)


def _not_written() -> Text:
    return text(
        "The room cannot write to its disk just now. Nothing has changed: please try again."
    )
