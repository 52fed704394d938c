"""Starting a room server and stopping it politely."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from aiohttp import web

from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hosts.web.rubbish import Rubbish
from zanzibar_plugin.hosts.web.server import Room, RoomSettings
from zanzibar_plugin.registry import Registry
from zanzibar_plugin.room.sqlite_store import SqliteStore
from zanzibar_plugin.room.store import StoreError
from zanzibar_plugin.text import Field, Text, Words, text


class Place(NamedTuple):
    """Where a room is: address and port, the folder of its journals, and how safe they are."""

    host: str
    port: int
    data: Path
    synchronous: Literal["FULL", "NORMAL"]


def run(
    place: Place,
    settings: RoomSettings,
    locale_dirs: Sequence[str],
    lang: str,
    tell: Callable[[Field], None],
) -> Text | None:
    """Serve until the process is told to stop; why it could not, or None."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    games = Registry(locale_dirs=locale_dirs)
    games.load_entry_points()
    for problem in games.problems:
        # L10N: A plugin that is not used: its name, and a sentence why.
        tell(text("Plugin {name}: {reason}", name=problem.plugin, reason=problem.reason))
    for said in games.file_problems(lang):
        tell(Words({lang: said}))
    try:
        return asyncio.run(_serve(place, settings, games, locale_dirs, tell))
    except KeyboardInterrupt:
        return None


async def _serve(
    place: Place,
    settings: RoomSettings,
    games: Registry,
    locale_dirs: Sequence[str],
    tell: Callable[[Field], None],
) -> Text | None:
    try:
        store = await SqliteStore.open(place.data / "tables.sqlite3", synchronous=place.synchronous)
    except StoreError as fault:
        return text(
            "The journals in {folder} cannot be used: {problem}",
            folder=str(place.data),
            problem=str(fault),
        )
    catalogs = Catalogs([Path(folder) for folder in locale_dirs])
    room = Room(store, games, catalogs, settings)
    runner = web.AppRunner(
        room.application(),
        access_log=None,
        shutdown_timeout=3.0,
        # Else the heartbeats of all lines would come at once, at each full second.
        timeout_ceil_threshold=3600.0,
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, place.host, place.port).start()
    except OSError as fault:
        await runner.cleanup()
        return text(
            "The room cannot listen at {host}, port {port}: {problem}",
            host=place.host,
            port=place.port,
            problem=fault.strerror or str(fault),
        )
    port = runner.addresses[0][1]  # the one that was found, if any was to be
    tell(text("The room is open: http://{host}:{port}/", host=place.host, port=port))
    for table, problem in room.hall.problems.items():
        tell(
            text(
                "A table cannot be brought back and is kept as it is: {table}. {problem}",
                table=table,
                problem=problem,
            )
        )
    rubbish = Rubbish()
    rubbish.start()
    room.postman.served = rubbish.worked
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    await stopping.wait()
    await runner.cleanup()
    rubbish.stop()
    tell(text("The room is closed. All tables are kept."))
    return None
