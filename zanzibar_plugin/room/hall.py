"""All tables of a room: opened, found, listed, and brought back after a restart."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from zanzibar_plugin.room.directory import Directory, Listed
from zanzibar_plugin.room.keeper import Keeper, Surroundings
from zanzibar_plugin.room.requests import Request
from zanzibar_plugin.room.store import StoreError
from zanzibar_plugin.text import text

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """How much a room bears."""

    tables: int = 20_000
    tables_of_owner: int = 5
    abandoned: float = 1800.0
    """Seconds after which a table without listeners is closed."""
    broken_off: float = 600.0
    """Seconds for which the record of a game is kept that is closed in the midst."""


class Hall:
    """The tables of a room by their ids."""

    def __init__(self, around: Surroundings, limits: Limits) -> None:
        self.around = around
        self.limits = limits
        self.problems: dict[str, str] = {}
        self.changed: Callable[[], None] = lambda: None
        """Called after each entry of any table."""
        self.relisted: Callable[[], None] = lambda: None
        """Called when the list of tables has changed."""
        self._directory = Directory()
        self._keepers: dict[str, Keeper] = {}
        self._quiet_since: dict[str, float] = {}
        self._broken_off: dict[str, tuple[Keeper, float]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._forgetting: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Bring back all tables; one that cannot be is kept in the journal and reported."""
        for table in await self.around.store.tables():
            try:
                keeper = await Keeper.load(table, self.around)
            except Exception as fault:
                _log.error("table %s cannot be brought back: %s", table, fault)
                self.problems[table] = str(fault)
                continue
            if keeper.closed:
                self._forget(table)
            else:
                self._keep(table, keeper)
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Let every keeper finish what it is doing."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for keeper in tuple(self._keepers.values()):
            await keeper.stop()
        await asyncio.gather(*self._forgetting)

    async def open(self, request: Request, lang: str) -> Keeper | str:
        """A new table, or a sentence in `lang` why there is none."""
        say = self.around.catalogs.catalog(lang).say
        owner = request.person.owner
        seats = (self._keepers[table].party.seat_of(owner) for table in self.of_owner(owner))
        mine = sum(seat is not None and seat.away not in ("left", "kicked") for seat in seats)
        if len(self._keepers) >= self.limits.tables:
            return say(text("There are too many tables in this room just now."))
        if mine >= self.limits.tables_of_owner:
            return say(text("You sit at too many tables already. Close or leave one first."))
        table = secrets.token_urlsafe(9)
        keeper = await Keeper.open_new(table, self.around, request, lang)
        if isinstance(keeper, Keeper):
            self._keep(table, keeper)
            self.changed()
            self.relisted()
        return keeper

    def find(self, table: str) -> Keeper | None:
        """The keeper of an open table, or None."""
        return self._keepers.get(table)

    async def record(self, table: str, game: str) -> str:
        """The record of a game as JSON, also for a while of one that was closed in its midst.

        It is the last game that is over if `game` is ""; and "" if there is none.
        """
        kept = self._broken_off.get(table)
        keeper = self._keepers.get(table) or (kept and kept[0])
        return await keeper.record(game) if keeper else ""

    def of_owner(self, owner: str) -> list[str]:
        """The tables somebody is at, or may come back to."""
        return self._directory.of_owner(owner)

    def listed(self, owner: str) -> Listed:
        """The tables somebody may see: the public ones, and private ones he is at."""
        return self._directory.seen_by(owner)

    def __len__(self) -> int:
        return len(self._keepers)

    def keepers(self) -> tuple[Keeper, ...]:
        return tuple(self._keepers.values())

    def _keep(self, table: str, keeper: Keeper) -> None:
        self._keepers[table] = keeper
        self._quiet_since[table] = time.monotonic()
        self._directory.put(table, keeper.party, keeper.most_players)

        def changed() -> None:
            self.changed()
            if keeper.closed:
                self._keepers.pop(table, None)
                self._quiet_since.pop(table, None)
                self._directory.drop(table)
                if keeper.party.broken_off:
                    self._broken_off[table] = keeper, time.monotonic()
                else:
                    self._forget(table)
                self.relisted()
            elif self._directory.put(table, keeper.party, keeper.most_players):
                self.relisted()

        keeper.changed = changed

    def _forget(self, table: str) -> None:
        async def forget() -> None:
            try:
                await self.around.store.forget(table)
            except StoreError as fault:
                # It is closed all the same; the next start forgets it.
                _log.error("the journal of table %s is not deleted: %s", table, fault)

        task = asyncio.get_running_loop().create_task(forget())
        self._forgetting.add(task)
        task.add_done_callback(self._forgetting.discard)

    async def _sweep(self) -> None:
        """Close tables that nobody has listened to for long."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.abandoned / 2))
            now = time.monotonic()
            for table, (_, since) in tuple(self._broken_off.items()):
                if now - since > self.limits.broken_off:
                    del self._broken_off[table]
                    self._forget(table)
            for table, keeper in tuple(self._keepers.items()):
                if keeper.ears:
                    self._quiet_since[table] = now
                elif now - self._quiet_since.get(table, now) > self.limits.abandoned:
                    try:
                        await keeper.close()
                    except Exception:
                        _log.exception("table %s cannot be closed", table)
