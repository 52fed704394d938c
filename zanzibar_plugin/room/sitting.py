"""A table of the room as it stands: its people and its game, a fold of its journal's entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from zanzibar_plugin.hookspecs import DiceSource, Event, Refusal, Table
from zanzibar_plugin.registry import Game
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.checkable import dice_of
from zanzibar_plugin.room.party import Party, Stage, evolve, game_over, opened

Happened = hp.Happening | Event
"""Something of the room, or an event of the game (a mapping)."""


class Games(Protocol):
    """Where games are found by their id; a `Registry` is one."""

    def find(self, game: str) -> Game | None: ...


class Sitting(NamedTuple):
    """`table` is the game's table, None before the first game; `number` counts the entries.

    `begun` is the number of the entry in which the last game began; 0 before that.
    """

    party: Party
    table: Table | None
    number: int
    begun: int = 0


class Outcome(NamedTuple):
    """What one command causes: what happens, in order, and the game's table after it.

    `table` is None if the game's table does not change.
    """

    happened: tuple[Happened, ...]
    table: Table | None = None


class Unplayable(Exception):
    """A table cannot be rebuilt: its game is not there, or its save is refused."""


def entry_of(outcome: Outcome) -> dict[str, Any]:
    """The JSON data of the journal's entry for an outcome."""
    return {
        "happened": [
            hp.to_data(one) if isinstance(one, tuple) else dict(one) for one in outcome.happened
        ]
    }


def happened_in(data: Mapping[str, Any]) -> tuple[Happened, ...]:
    """What happened in an entry."""
    return tuple(hp.from_data(one) if "room" in one else one for one in data["happened"])


def moved(sitting: Sitting | None, outcome: Outcome) -> Sitting:
    """The sitting after an outcome whose entry has been committed."""
    if sitting is None:
        first = outcome.happened[0]
        assert isinstance(first, hp.Opened)
        return _folded(Sitting(opened(first), None, 1), outcome.happened[1:], outcome.table)
    after = sitting._replace(number=sitting.number + 1)
    return _folded(after, outcome.happened, outcome.table)


def _folded(sitting: Sitting, happened: Iterable[Happened], table: Table | None) -> Sitting:
    party, begun = sitting.party, sitting.begun
    for one in happened:
        if isinstance(one, tuple):
            party = evolve(party, one)
            begun = sitting.number if isinstance(one, hp.Begun) else begun
        elif one["event"] == "game_over":
            party = game_over(party)
    table = sitting.table if table is None else table
    return sitting._replace(party=party, table=table, begun=begun)


def rebuilt(entries: Sequence[Mapping[str, Any]], games: Games, dice: DiceSource) -> list[Sitting]:
    """The sitting after each entry, rebuilt from the data of all entries alone.

    Raises Unplayable if a game or save cannot be used any more; the journal stays as it is.
    """
    return list(rebuilding(entries, games, dice))


def rebuilding(
    entries: Iterable[Mapping[str, Any]], games: Games, dice: DiceSource
) -> Iterator[Sitting]:
    """The same, one sitting after the other."""
    sitting: Sitting | None = None
    for data in entries:
        happened = happened_in(data)
        table = _table_after(sitting, happened, games, dice)
        sitting = moved(sitting, Outcome(happened, table))
        yield sitting


def _table_after(
    sitting: Sitting | None, happened: Sequence[Happened], games: Games, dice: DiceSource
) -> Table | None:
    """The game's table after an entry: restored where a game begins, else moved by its events."""
    begun = next((one for one in happened if isinstance(one, hp.Begun)), None)
    if begun is not None:
        game = game_of(begun.saved["game"], games)
        table = game.restore(begun.saved, _dice_after(sitting, happened) or dice, "en")
        if isinstance(table, Refusal):
            raise Unplayable(table.message)
        return table
    events = [one for one in happened if not isinstance(one, tuple)]
    if not events or sitting is None or sitting.table is None:
        return None
    return game_of(sitting.party.game, games).apply(sitting.table, events)


def _dice_after(sitting: Sitting | None, happened: Sequence[Happened]) -> DiceSource | None:
    """The dice agreed upon for the game that begins in an entry; None if there were none."""
    if sitting is None:
        return None
    party = sitting.party
    for one in happened:
        if isinstance(one, tuple):
            party = evolve(party, one)
    return None if party.start is None else dice_of(party.start.draw)


def last_game(
    entries: Iterable[Sequence[Happened]],
) -> tuple[Mapping[str, Any], Sequence[Event]]:
    """What the last game of a table began with, as it was saved, and its events since then."""
    saved: Mapping[str, Any] = {}
    events: list[Event] = []
    for happened in entries:
        begun = next((one for one in happened if isinstance(one, hp.Begun)), None)
        if begun is None:
            events += (one for one in happened if not isinstance(one, tuple))
        else:  # its first events are in the save
            saved, events = begun.saved, []
    return saved, events


def game_of(name: str, games: Games) -> Game:
    """The game with this id.  Raises Unplayable if no plugin offers it."""
    game = games.find(name)
    if game is None:
        raise Unplayable(name)
    return game


def on_go(sitting: Sitting, game: Game) -> str:
    """Who is on in a game that is being played; "" between turns."""
    if sitting.table is None or sitting.party.stage is not Stage.PLAYING:
        return ""
    return game.view(sitting.table, None, "en")["on_go"] or ""
