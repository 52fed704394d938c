"""A room that is killed, or whose disk is full: whatever anybody heard is so, once and in order."""

import asyncio
import os
import random
import subprocess
import sys
from contextlib import contextmanager
from typing import NamedTuple

import aiohttp
import pytest
from room_client import (
    CATALOGS,
    PATIENCE,
    Client,
    Process,
    clients_of,
    registry,
    room_at,
    secret_of,
)

from zanzibar_plugin.room.sitting import happened_in, rebuilt
from zanzibar_plugin.room.sqlite_store import SqliteStore
from zanzibar_plugin.room.voice import for_whom, heard

LANGUAGES = ("en", "fr", "it", "es", "sr")
GAMES = registry()
LIMITS = ("bot=0.01", "turn=0.01", "tables_per_minute=100000", "connections_per_address=1000",
          "messages_per_second=1000", "grace=600", "remind=600", "idle=900")  # fmt: skip


class Person:
    """Somebody who comes back whenever the line breaks, and plays until the game is over.

    `heard` is all that was heard at the table, by number, in the order it came in.
    """

    def __init__(self, name, lang, watches=False):
        self.name, self.lang, self.watches = name, lang, watches
        self.heard = []
        self.over = False
        self.table = ""
        self.client = None

    @property
    def last(self):
        return self.heard[-1][0] if self.heard else None

    @property
    def count(self):
        """How many entries have been heard."""
        return len(self.heard) + (len(self.client.numbers) if self.client else 0)

    def take_down(self, client):
        """Keep what a line has told, now that it is broken or no longer needed."""
        self.client = None
        self.heard += [(number, client.heard[number]) for number in client.numbers]

    async def plays(self, session, port):
        while not self.over:
            try:
                line = await session.ws_connect(f"http://127.0.0.1:{port}/socket")
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)
                continue
            client = self.client = Client(line, self.name, self.lang)
            try:
                await client.says_hello()
                with_ = {} if self.last is None else {"after": self.last}
                await client.comes(self.table, watch=self.watches, **with_)
                await client.until(lambda c=client: c.view["stage"] in ("playing", "over"))
                if self.watches:
                    await client.until_stage("over")
                else:
                    await client.plays()
                self.over = True
            except (ConnectionError, aiohttp.ClientError):
                pass
            except AssertionError:
                # The line is broken, or else a refusal is a fault.
                assert client.ended, client.all[-3:]
            finally:
                await client.closes()
                self.take_down(client)


class Game(NamedTuple):
    """One table of the many: its people, of whom the first is its master."""

    people: list
    bots: int
    tokens: int


def games_of(chance, count):
    made = []
    for number in range(count):
        names = [f"{name} {number}" for name in ("Ana", "Bruno", "Clara")]
        people = [Person(name, chance.choice(LANGUAGES)) for name in names[: chance.randint(1, 3)]]
        watchers = [
            Person(f"{name} {number}", chance.choice(LANGUAGES), watches=True)
            for name in ("Zoe", "Yann")[: chance.randint(0, 2)]
        ]
        made.append(Game([*people, *watchers], chance.randint(1, 2), chance.randint(4, 11)))
    return made


async def open_table(clients, game):
    master = game.people[0]
    client = await clients(master.name, master.lang)
    table = await client.opens(tokens=game.tokens)
    for _ in range(game.bots):
        await client.does("add_bot")
    for person in game.people:
        person.table = table
    for person in game.people[1:]:
        one = await clients(person.name, person.lang)
        await one.comes(table, watch=person.watches)
        await one.closes()
        person.take_down(one)
    await client.does("begin")
    await client.closes()
    master.take_down(client)
    return table


def told(journal, person):
    """What somebody is to hear of each entry, rendered from the journal alone."""
    catalog = CATALOGS.catalog(person.lang)
    lines = []
    sittings = rebuilt(journal, GAMES, lambda throw, count: [1] * count)
    for number, (data, sitting) in enumerate(zip(journal, sittings, strict=True), 1):
        said = [
            heard(one, sitting, person.name, catalog, GAMES)
            for one in happened_in(data)
            if for_whom(one, sitting, GAMES) in ("", person.name)
        ]
        lines.append((number, [line for line in said if line]))
    return lines


def all_over(people):
    return all(one.over for one in people)


RUNS, TABLES, KILLS = 5, 10, 4


@pytest.mark.parametrize("seed", range(RUNS))
def test_a_room_that_is_killed_has_said_nothing_in_vain(tmp_path, seed):
    chance = random.Random(seed)
    games = games_of(chance, TABLES)
    people = [person for game in games for person in game.people]
    amid = []

    async def run():
        process = Process(tmp_path, *LIMITS)
        await process.start()
        try:
            async with clients_of(process.port) as clients:
                await asyncio.gather(*(open_table(clients, game) for game in games))
                playing = [
                    asyncio.create_task(one.plays(clients.session, process.port)) for one in people
                ]
                for _ in range(KILLS):
                    # In the midst of play: after so many more entries have been heard by all.
                    # (After few at first, while each of the games is going on.)
                    enough = sum(one.count for one in people)
                    enough += chance.randint(1, 300 if amid else 40)
                    while sum(one.count for one in people) < enough and not all_over(people):
                        await asyncio.sleep(0.001)
                    amid.extend(one for one in people if not one.over)
                    process.kill()
                    await process.start()
                await asyncio.wait_for(asyncio.gather(*playing), 100)
        finally:
            said = process.kill()
        assert "Traceback" not in said, said
        store = await SqliteStore.open(tmp_path / "tables.sqlite3")
        journals = {table: await store.read(table) for table in await store.tables()}
        await store.close()
        return {table: [entry.data for entry in entries] for table, entries in journals.items()}

    journals = asyncio.run(run())
    assert len(journals) == TABLES
    assert len({one.table for one in amid}) == TABLES
    for person in people:
        journal = journals[person.table]
        # All of it from the first entry he heard to the end of the game, each once and in order,
        # in the words of the journal: nothing was heard that did not happen, nothing was lost.
        first = person.heard[0][0]
        over = next(
            number
            for number, data in enumerate(journal, 1)
            if any(one.get("event") == "game_over" for one in data["happened"])
        )
        assert [number for number, _ in person.heard] == [*range(first, over + 1)]
        assert person.heard == told(journal, person)[first - 1 : over]


# A disk that takes nothing.


@contextmanager
def small_disk(folder, size):
    """A file system of its own, if this machine lets us have one."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"cannot mount a small disk: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


SORRY = "The room cannot write to its disk just now. Nothing has changed: please try again."


@pytest.mark.skipif(sys.platform != "linux", reason="a small tmpfs")
def test_a_full_disk_is_told_and_the_table_lives_on(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")

    async def run(folder):
        store = await SqliteStore.open(folder / "tables.sqlite3")
        async with room_at(store) as room, clients_of(room.port) as clients:
            ana, bruno = await clients("Ana"), await clients("Bruno", "fr")
            table = await ana.opens(tokens=2)
            await bruno.comes(table)
            await ana.does("begin")
            stuffing = folder / "stuffing"
            with stuffing.open("wb", buffering=0) as file:
                try:
                    while file.write(bytes(4096)):
                        pass
                except OSError:
                    pass
            refused = ""
            for _ in range(3000):  # what room the log still has
                refused = await ana.ask("say", text="x " * 140)
                if refused:
                    break
            assert refused == SORRY
            number, view = max(ana.numbers), ana.view
            assert await ana.ask("say", text="y " * 140) == SORRY
            assert max(ana.numbers) == number and ana.view == view
            # One may still look, ask for rules, and come back.
            await bruno.does("look", table=table)
            await bruno.does("away")
            await bruno.comes(table, after=0)
            assert bruno.numbers[-1] == number
            stuffing.unlink()
            await asyncio.gather(ana.plays(), bruno.plays())
            assert ana.view["stage"] == "over"
            assert ana.numbers == [*range(1, max(ana.numbers) + 1)]
            heard_ = {**ana.heard}
        store = await SqliteStore.open(folder / "tables.sqlite3")
        assert [entry.number for entry in await store.read(table)] == [*heard_]
        await store.close()

    with small_disk(tmp_path / "disk", "1m") as folder:
        asyncio.run(run(folder))


def test_a_journal_that_cannot_be_written_is_told_and_the_table_lives_on(tmp_path):
    async def run():
        store = await SqliteStore.open(tmp_path / "tables.sqlite3", busy_seconds=0.1)
        async with room_at(store) as room, clients_of(room.port) as clients:
            ana, bruno = await clients("Ana"), await clients("Bruno")
            table = await ana.opens(tokens=2)
            await bruno.comes(table)
            await ana.does("begin")
            await asyncio.to_thread(store._writer.execute, "PRAGMA query_only=1")
            assert await ana.ask("key", key="enter") == SORRY
            assert await ana.ask("pause") == SORRY
            zoe = await clients("Zoe")
            assert await zoe.ask("open", game="421") == SORRY
            assert await zoe.ask("come", table=table, watch=True) == SORRY
            assert (await clients.get("/healthz"))[0] == 200
            await asyncio.to_thread(store._writer.execute, "PRAGMA query_only=0")
            await asyncio.gather(ana.plays(), bruno.plays())
            assert ana.view["stage"] == "over"
            assert ana.numbers == [*range(1, max(ana.numbers) + 1)]

    asyncio.run(run())


@pytest.mark.parametrize("damage", ["folder", "text", "read-only"])
def test_a_room_whose_journals_cannot_be_used_says_so_and_harms_nothing(tmp_path, damage):
    path = tmp_path / "data" / "tables.sqlite3"
    path.parent.mkdir()
    if damage == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"These are no journals. " * 100 if damage == "text" else b"")
    if damage == "read-only":
        path.chmod(0o400)
        if os.access(path, os.W_OK):
            pytest.skip("this user may write everywhere")
    process = Process(path.parent)
    with pytest.raises(RuntimeError, match="cannot be used"):
        asyncio.run(asyncio.wait_for(process.start(), PATIENCE))
    if damage == "text":
        assert path.read_bytes().startswith(b"These are no journals. ")


def test_a_room_asked_to_stop_says_farewell_and_keeps_all(tmp_path):
    async def run():
        process = Process(tmp_path, *LIMITS)
        await process.start()
        async with clients_of(process.port) as clients:
            ana = await clients("Ana")
            table = await ana.opens()
            process.terminate()
            await ana.until_ended()
            assert "stopping" in ana.all[-1]
        said = await asyncio.to_thread(process.wait)
        assert said == "The room is closed. All tables are kept.\n"
        await process.start()
        try:
            async with clients_of(process.port) as clients:
                ana = await clients("Ana", secret=secret_of("Ana"))
                assert ana.hello["yours"] == [table]
        finally:
            process.kill()

    asyncio.run(run())
