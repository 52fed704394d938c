"""The directory of a room's tables: whose they are, and which of them the list of tables shows.

Nothing here goes through all tables, so that a list costs the same in a room of ten tables and of
ten thousand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from zanzibar_plugin.room.party import Party, Stage

LISTED = 100
"""The most tables of others that somebody is shown at once: nobody listens to more."""

_ORDER = (Stage.WAITING, Stage.STARTING, Stage.PLAYING, Stage.OVER)


class Listed(NamedTuple):
    """The tables somebody is shown, his own first; `more` counts those that were left out."""

    tables: Sequence[Mapping[str, Any]]
    more: int


class _Listing(NamedTuple):
    party: Party
    summary: Mapping[str, Any]
    people: frozenset[str]


class Directory:
    """All open tables, each as its party was told last."""

    def __init__(self) -> None:
        self._listings: dict[str, _Listing] = {}
        self._by_owner: dict[str, dict[str, None]] = {}
        self._public: dict[tuple[bool, Stage], dict[str, None]] = {
            (free, stage): {} for free in (True, False) for stage in _ORDER
        }

    def put(self, table: str, party: Party, most_players: int) -> bool:
        """Take down how a table is now; whether that can be seen in the list of tables."""
        before = self._listings.get(table)
        if before is not None and before.party is party:
            return False
        after = _Listing(party, _summary(table, party, most_players), _people(party))
        if before is not None and before[1:] == after[1:]:
            self._listings[table] = after
            return False
        for owner in after.people - (before.people if before else frozenset()):
            self._by_owner.setdefault(owner, {})[table] = None
        if before is not None:
            self._forget_people(table, before.people - after.people)
            if party.private or _place(before) != _place(after):
                self._public[_place(before)].pop(table, None)
        if not party.private:
            self._public[_place(after)].setdefault(table)
        self._listings[table] = after
        return True

    def drop(self, table: str) -> None:
        """A table is no more."""
        listing = self._listings.pop(table, None)
        if listing is not None:
            self._forget_people(table, listing.people)
            self._public[_place(listing)].pop(table, None)

    def of_owner(self, owner: str) -> list[str]:
        """The tables somebody is at, or may come back to."""
        return list(self._by_owner.get(owner, ()))

    def seen_by(self, owner: str) -> Listed:
        """What somebody is shown: his own tables, then public ones, first those with a seat."""
        own = self._by_owner.get(owner, {})
        others = (table for tables in self._public.values() for table in tables if table not in own)
        shown = [
            *({**self._listings[table].summary, "mine": True} for table in own),
            *({**self._listings[t].summary, "mine": False} for t in islice(others, LISTED)),
        ]
        return Listed(shown, self._public_beside(own) - (len(shown) - len(own)))

    def _public_beside(self, own: Mapping[str, None]) -> int:
        """How many public tables there are beside one's own."""
        mine = sum(not self._listings[table].party.private for table in own)
        return sum(map(len, self._public.values())) - mine

    def _forget_people(self, table: str, people: frozenset[str]) -> None:
        for owner in people:
            tables = self._by_owner[owner]
            del tables[table]
            if not tables:
                del self._by_owner[owner]


def _place(listing: _Listing) -> tuple[bool, Stage]:
    return bool(listing.summary["open"]), listing.party.stage


def _people(party: Party) -> frozenset[str]:
    """Whoever is here or may come back, like `Party.holds`."""
    owners = {seat.owner for seat in party.seats} | {watcher.owner for watcher in party.watchers}
    return frozenset(owners - {""} - party.banned)


def _summary(table: str, party: Party, most_players: int) -> Mapping[str, Any]:
    """A table as the list of tables shows it."""
    return {
        "table": table,
        "game": party.game,
        "master": party.master,
        "players": [seat.name for seat in party.seats],
        "watchers": len(party.watchers),
        "stage": party.stage.value,
        "private": party.private,
        "open": not party.under_way and len(party.seats) < most_players,
    }
