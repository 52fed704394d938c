"""Who is at a table and what holds there: a fold of what happened.

Seats keep their order and, once a game has begun, their names.  A seat belongs to an owner; while
he is away a bot stands in, and the seat stays his.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from zanzibar_plugin.hookspecs import REGULAR
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.checkable import Draw, Part
from zanzibar_plugin.room.people import Person


class Stage(StrEnum):
    """Where a table is in its life."""

    WAITING = "waiting"
    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


class Seat(NamedTuple):
    """A place in the game: `owner` is "" for a bot; `away` is why a bot stands in, or "".

    `level` is how well a bot plays here; whoever stands in is a regular one.
    """

    name: str
    owner: str
    away: str = ""
    level: str = REGULAR

    @property
    def by_bot(self) -> bool:
        """Whether a bot plays this seat now."""
        return not self.owner or bool(self.away)


class Start(NamedTuple):
    """The dice of a game as they are being agreed upon, and then as they are.

    `names` are those whose pages are asked for a part.  `before` is where the table was, and
    `former` the dice of the game that was last there: all is as before if nothing begins.
    """

    game: str
    secret: str
    names: tuple[str, ...]
    commitments: Mapping[str, str]
    values: Mapping[str, str]
    before: Stage
    former: Start | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Who has still to commit, or after that to show, a part."""
        given = self.values if len(self.commitments) == len(self.names) else self.commitments
        return tuple(name for name in self.names if name not in given)

    @property
    def showing(self) -> bool:
        """Whether all are bound, so that the parts may be shown."""
        return len(self.commitments) == len(self.names)

    @property
    def draw(self) -> Draw:
        """The dice, as far as they are agreed upon."""
        return Draw(
            self.game,
            self.secret,
            tuple(
                Part(name, self.commitments.get(name, ""), self.values.get(name, ""))
                for name in self.names
            ),
        )


class Party(NamedTuple):
    """A table's people; `master` is a name, or "" while nobody is one.

    `start` is about the dice of the game that is on, was last, or is about to begin; `without` are
    the owners whose pages gave no part at the last attempt; `starts` counts the attempts.
    """

    game: str
    options: Mapping[str, Any]
    private: bool
    master: str
    seats: tuple[Seat, ...]
    watchers: tuple[Person, ...]
    banned: frozenset[str]
    stage: Stage
    paused: bool
    start: Start | None = None
    without: frozenset[str] = frozenset()
    starts: int = 0
    broken_off: bool = False
    """Whether the table was closed in the midst of a game whose dice can be checked."""

    @property
    def under_way(self) -> bool:
        """Whether a game is on, or about to begin."""
        return self.stage in (Stage.STARTING, Stage.PLAYING)

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name: seats first, then spectators."""
        return (*(s.name for s in self.seats), *(w.name for w in self.watchers))

    def seat(self, name: str) -> Seat | None:
        for seat in self.seats:
            if seat.name == name:
                return seat
        return None

    def seat_of(self, owner: str) -> Seat | None:
        for seat in self.seats:
            if owner and seat.owner == owner:
                return seat
        return None

    def holds(self, owner: str) -> bool:
        """Whether somebody is here, or may come back to where he was."""
        return owner not in self.banned and bool(self.name_of(owner))

    def name_of(self, owner: str) -> str:
        """What somebody is called at this table; "" if he is not here."""
        seat = self.seat_of(owner)
        if seat is not None:
            return seat.name
        return next((watcher.name for watcher in self.watchers if watcher.owner == owner), "")


def opened(event: hp.Opened) -> Party:
    """A table as it is opened."""
    return Party(
        game=event.game,
        options=event.options,
        private=event.private,
        master=event.name,
        seats=(Seat(event.name, event.owner),),
        watchers=(),
        banned=frozenset(),
        stage=Stage.WAITING,
        paused=False,
    )


def evolve(party: Party, event: hp.Happening) -> Party:
    """The party after one more thing has happened; what only tells something changes nothing."""
    step = _STEPS.get(type(event))
    return party if step is None else step(party, event)


def game_over(party: Party) -> Party:
    """The party once its game has ended."""
    return party._replace(stage=Stage.OVER, paused=False)


def heir(party: Party, leaver: str) -> str:
    """Who becomes master when the master goes: the next person at the table, then a spectator."""
    here = [seat.name for seat in party.seats if not seat.by_bot and seat.name != leaver]
    others = [watcher.name for watcher in party.watchers if watcher.name != leaver]
    return next(iter((*here, *others)), "")


def _seated(party: Party, event: hp.Seated) -> Party:
    watchers = tuple(watcher for watcher in party.watchers if watcher.owner != event.owner)
    seats = (*party.seats, Seat(event.name, event.owner))
    return party._replace(seats=seats, watchers=watchers)


def _watching(party: Party, event: hp.Watching) -> Party:
    return party._replace(watchers=(*party.watchers, Person(event.name, event.owner)))


def _without(party: Party, name: str) -> Party:
    return party._replace(
        seats=tuple(seat for seat in party.seats if seat.name != name),
        watchers=tuple(watcher for watcher in party.watchers if watcher.name != name),
    )


def _gone(party: Party, event: hp.Gone | hp.BotGone) -> Party:
    return _without(party, event.name)


def _bot_seated(party: Party, event: hp.BotSeated) -> Party:
    return party._replace(seats=(*party.seats, Seat(event.name, "", level=event.level)))


def _chosen(party: Party, event: hp.Chosen) -> Party:
    return party._replace(game=event.game, options=event.options)


def _made_private(party: Party, event: hp.MadePrivate) -> Party:
    return party._replace(private=event.private)


def _master_is(party: Party, event: hp.MasterIs) -> Party:
    return party._replace(master=event.name)


def _kicked(party: Party, event: hp.Kicked) -> Party:
    owners = {seat.owner for seat in party.seats if seat.name == event.name}
    owners |= {watcher.owner for watcher in party.watchers if watcher.name == event.name}
    party = party._replace(banned=party.banned | (owners - {""}))
    if party.stage is Stage.PLAYING and party.seat(event.name) is not None:
        return party
    return _without(party, event.name)


def _stood_in(party: Party, event: hp.StoodIn) -> Party:
    return _away(party, event.name, event.why)


def _returned(party: Party, event: hp.Returned) -> Party:
    return _away(party, event.name, "")


def _away(party: Party, name: str, why: str) -> Party:
    return party._replace(
        seats=tuple(seat._replace(away=why) if seat.name == name else seat for seat in party.seats)
    )


def _paused(party: Party, event: hp.Paused) -> Party:
    return party._replace(paused=True)


def _resumed(party: Party, event: hp.Resumed) -> Party:
    return party._replace(paused=False)


def _promised(party: Party, event: hp.Promised) -> Party:
    start = Start(event.game, event.secret, event.names, {}, {}, party.stage, party.start)
    return party._replace(stage=Stage.STARTING, start=start, starts=party.starts + 1)


def _committed(party: Party, event: hp.Committed) -> Party:
    assert party.start is not None
    commitments = {**party.start.commitments, event.name: event.commitment}
    return party._replace(start=party.start._replace(commitments=commitments))


def _revealed(party: Party, event: hp.Revealed) -> Party:
    assert party.start is not None
    values = {**party.start.values, event.name: event.value}
    return party._replace(start=party.start._replace(values=values))


def _start_cancelled(party: Party, event: hp.StartCancelled) -> Party:
    assert party.start is not None
    # Whoever leaves, or plays a game with a fault, has kept nothing back.
    failed = {seat.owner for seat in party.seats if seat.name in event.names}
    without = frozenset(failed) if event.why in ("missing", "wrong") else party.without
    return party._replace(stage=party.start.before, start=party.start.former, without=without)


def _begun(party: Party, event: hp.Begun) -> Party:
    # A game from before dice could be checked has no start.
    starting = party.start if party.stage is Stage.STARTING else None
    start = None if starting is None else starting._replace(former=None)
    return party._replace(stage=Stage.PLAYING, paused=False, start=start, without=frozenset())


def _closed(party: Party, event: hp.Closed) -> Party:
    # The dice that are shown now are those of the last game, be it over or not.
    starting = party.start if party.stage is Stage.STARTING else None
    start = party.start if starting is None else starting.former
    broken_off = party.stage is Stage.PLAYING and start is not None
    return party._replace(stage=Stage.CLOSED, start=start, broken_off=broken_off)


_STEPS: Mapping[type[hp.Happening], Callable[[Party, Any], Party]] = {
    hp.Seated: _seated,
    hp.Watching: _watching,
    hp.Gone: _gone,
    hp.BotSeated: _bot_seated,
    hp.BotGone: _gone,
    hp.Chosen: _chosen,
    hp.MadePrivate: _made_private,
    hp.MasterIs: _master_is,
    hp.Kicked: _kicked,
    hp.StoodIn: _stood_in,
    hp.Returned: _returned,
    hp.Paused: _paused,
    hp.Resumed: _resumed,
    hp.Promised: _promised,
    hp.Committed: _committed,
    hp.Revealed: _revealed,
    hp.StartCancelled: _start_cancelled,
    hp.Begun: _begun,
    hp.Closed: _closed,
}
