"""Stores of journals: what is acknowledged is kept, in order, whatever happens."""

import asyncio
import ctypes.util
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import chain
from pathlib import Path

import pytest

from zanzibar_plugin.room import sqlite_store
from zanzibar_plugin.room.sqlite_store import SqliteStore
from zanzibar_plugin.room.store import Conflict, Entry, StoreError

ROOT = Path(__file__).parents[1]


class SqliteFactory:
    """Stores on one file; those for another kind of store have the same three things."""

    def __init__(self, folder):
        self.path = folder / "data" / "room.sqlite"
        # For other processes: what gives them `open_store()`.
        self.source = (
            "from zanzibar_plugin.room.sqlite_store import SqliteStore\n"
            f"def open_store(): return SqliteStore.open({str(self.path)!r})\n"
        )

    def open(self):
        return SqliteStore.open(self.path)


FACTORIES = {"sqlite": SqliteFactory}


@pytest.fixture(params=FACTORIES)
def store_factory(request, tmp_path):
    """Something whose `open()` gives a store, always on the same journals."""
    return FACTORIES[request.param](tmp_path)


@asynccontextmanager
async def opened(store):
    store = await store
    try:
        yield store
    finally:
        await store.close()


def run(factory, test):
    """Run an async test with an open store."""

    async def main():
        async with opened(factory.open()) as store:
            return await test(store)

    return asyncio.run(main())


async def numbers(store, table):
    return [entry.number for entry in await store.read(table)]


def child(source, **options):
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", source],
        stdout=subprocess.PIPE,
        text=True,
        **{"env": {**os.environ, "PYTHONPATH": str(ROOT)}, **options},
    )


# --- What every store does ---


def test_entries_come_back(store_factory):
    first = {"who": "Đorđe — “ça”", "dice": [4, 2, 1], "deep": {"none": None, "line": "a\nb\0c"}}

    async def test(store):
        assert await store.read("t") == []
        assert await store.tables() == []
        assert await store.append("t", 0, first) == 1
        assert await store.append("t", 1, {}) == 2
        assert await store.append("ša", 0, {"x": 1}) == 1
        assert await store.append("a", 0, {"x": 2}) == 1
        assert await store.read("t") == [Entry(1, first), Entry(2, {})]
        assert await store.read("t", 1) == [Entry(2, {})]
        assert await store.read("t", 2) == await store.read("t", 99) == []
        assert await store.read("other") == []
        assert await store.tables() == ["a", "t", "ša"]

    run(store_factory, test)

    async def again(store):
        assert await store.read("t") == [Entry(1, first), Entry(2, {})]
        assert await store.append("t", 2, {}) == 3

    run(store_factory, again)


def test_thousand_at_once(store_factory):
    """In the order they were asked for, without a gap, in each table."""

    async def test(store):
        wanted = [(f"t{i % 20}", i // 20) for i in range(1000)]
        got = await asyncio.gather(*(store.append(t, n, {"n": n}) for t, n in wanted))
        assert got == [number + 1 for _, number in wanted]
        assert len(await store.tables()) == 20
        for table in await store.tables():
            assert await store.read(table) == [Entry(n + 1, {"n": n}) for n in range(50)]

    run(store_factory, test)


def test_conflicts(store_factory):
    async def test(store):
        for wrong in (1, -1, 10**30):
            with pytest.raises(Conflict):
                await store.append("t", wrong, {})
        assert await store.tables() == []
        await store.append("t", 0, {"a": 1})
        for wrong in (0, 2):
            with pytest.raises(Conflict, match=f"is 1, not {wrong}"):
                await store.append("t", wrong, {})
        assert await store.read("t") == [Entry(1, {"a": 1})]

    run(store_factory, test)


def test_conflict_leaves_the_others_alone(store_factory):
    async def test(store):
        asked = [("a", 0), ("b", 5), ("a", 0), ("a", 1), ("b", 0), ("a", 1)]
        got = await asyncio.gather(
            *(store.append(table, n, {"i": i}) for i, (table, n) in enumerate(asked)),
            return_exceptions=True,
        )
        kinds = [one if isinstance(one, int) else type(one) for one in got]
        assert kinds == [1, Conflict, Conflict, 2, 1, Conflict]
        assert await store.read("a") == [Entry(1, {"i": 0}), Entry(2, {"i": 3})]
        assert await store.read("b") == [Entry(1, {"i": 4})]

    run(store_factory, test)


def test_one_of_many_wins(store_factory):
    async def test(store):
        asked = (store.append("t", 0, {"i": i}) for i in range(50))
        got = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(type(one).__name__ for one in got) == ["Conflict"] * 49 + ["int"]
        assert await store.read("t") == [Entry(1, {"i": got.index(1)})]

    run(store_factory, test)


@pytest.mark.parametrize(
    "data",
    [{"x": {1}}, {"x": float("nan")}, {"x": "\ud800"}, {"x": object()}],
    ids=["set", "nan", "surrogate", "object"],
)
def test_what_is_no_json_is_refused(store_factory, data):
    async def test(store):
        got = await asyncio.gather(
            store.append("t", 0, {}),
            store.append("t", 1, data),
            store.append("t", 1, {}),
            return_exceptions=True,
        )
        assert got[::2] == [1, 2]
        assert type(got[1]) is StoreError
        assert "no JSON" in str(got[1])
        assert await numbers(store, "t") == [1, 2]

    run(store_factory, test)


def test_impossible_id(store_factory):
    async def test(store):
        wrong = "\ud800"
        got = await asyncio.gather(
            store.append("t", 0, {}),
            store.append(wrong, 0, {}),
            store.forget(wrong),
            store.read(wrong),
            return_exceptions=True,
        )
        assert got[0] == 1
        assert [type(one) for one in got[1:]] == [StoreError] * 3

    run(store_factory, test)


def test_data_is_taken_at_the_call(store_factory):
    """What the caller changes afterwards does not reach the journal."""

    async def test(store):
        data = {"x": [1]}
        task = asyncio.create_task(store.append("t", 0, data))
        await asyncio.sleep(0)
        data["x"].append(2)
        await task
        assert await store.read("t") == [Entry(1, {"x": [1]})]

    run(store_factory, test)


def test_forgotten(store_factory):
    async def test(store):
        await asyncio.gather(*(store.append("a", n, {}) for n in range(5)))
        await store.append("b", 0, {})
        await store.forget("a")
        await store.forget("unknown")
        assert await store.tables() == ["b"]
        assert await store.read("a") == []
        with pytest.raises(Conflict):
            await store.append("a", 5, {})
        assert await store.append("a", 0, {}) == 1
        # In the order of the calls here too.
        got = await asyncio.gather(
            store.append("a", 1, {}), store.forget("a"), store.append("a", 0, {"new": 1})
        )
        assert got == [2, None, 1]
        assert await store.read("a") == [Entry(1, {"new": 1})]

    run(store_factory, test)


def test_readers_see_what_is_acknowledged(store_factory):
    """And while others write, always a beginning of the journal without a gap."""

    async def test(store):
        async def write():
            for n in range(100):
                await store.append("t", n, {})
                assert (await store.read("t", n))[0].number == n + 1

        async def read(task):
            while not task.done():
                seen = await numbers(store, "t")
                assert seen == list(range(1, len(seen) + 1))

        task = asyncio.create_task(write())
        await asyncio.gather(task, read(task), read(task))

    run(store_factory, test)


def test_close_finishes_what_is_asked_for(store_factory):
    async def test(store):
        tasks = [asyncio.create_task(store.append("t", n, {})) for n in range(200)]
        reading = asyncio.create_task(store.tables())
        await asyncio.sleep(0)
        await asyncio.gather(store.close(), store.close())
        assert await asyncio.gather(*tasks) == list(range(1, 201))
        await reading
        await store.close()
        for late in (
            store.append("t", 200, {}),
            store.read("t"),
            store.tables(),
            store.forget("t"),
        ):
            with pytest.raises(StoreError, match="closed"):
                await late

    run(store_factory, test)

    async def again(store):
        assert await numbers(store, "t") == list(range(1, 201))

    run(store_factory, again)


def test_impatient_close(store_factory):
    """Who gives up waiting for the close does not stop it."""

    async def test(store):
        appends = [asyncio.create_task(store.append("t", n, {})) for n in range(50)]
        task = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await store.close()
        assert await asyncio.gather(*appends) == list(range(1, 51))

    run(store_factory, test)


def test_cancelled_append_is_written_once(store_factory):
    async def test(store):
        tasks = [asyncio.create_task(store.append("t", n, {"n": n})) for n in range(100)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        got = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(one) for one in got[::2]} == {asyncio.CancelledError}
        assert got[1::2] == list(range(2, 101, 2))
        assert await store.read("t") == [Entry(n + 1, {"n": n}) for n in range(100)]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(store.append("t", 100, {}), 0.000001)
        # It may have been cancelled before it was asked for, but it is there once at most.
        await store.append("u", 0, {})
        assert len(await store.read("t", 100)) <= 1

    run(store_factory, test)


COMPETE = """
import asyncio
from zanzibar_plugin.room.store import Conflict
async def main():
    store = await open_store()
    done = last = 0
    while done < 100:
        try:
            last = await store.append("t", last, {"who": WHO, "n": done})
        except Conflict:
            last = (await store.read("t"))[-1].number
        else:
            print(last, flush=True)
            done += 1
    await store.close()
asyncio.run(main())
"""


def test_processes_share_the_journals(store_factory):
    """Each creates the store if it is the first; each number is acknowledged to one of them."""
    sources = [f"{store_factory.source}WHO = {who}\n{COMPETE}" for who in range(3)]
    children = [child(source) for source in sources]
    told = [[int(line) for line in one.communicate(timeout=120)[0].split()] for one in children]
    assert [one.returncode for one in children] == [0, 0, 0]
    assert sorted(chain(*told)) == list(range(1, 301))

    async def test(store):
        entries = await store.read("t")
        assert [entry.number for entry in entries] == list(range(1, 301))
        for who, mine in enumerate(told):
            wanted = [Entry(number, {"who": who, "n": n}) for n, number in enumerate(mine)]
            assert [entry for entry in entries if entry.data["who"] == who] == wanted

    run(store_factory, test)


APPEND_FOR_EVER = """
import asyncio
async def main():
    store = await open_store()
    async def one(table):
        entries = await store.read(table)
        last = entries[-1].number if entries else 0
        while True:
            last = await store.append(table, last, {"x": "x" * 300, "last": last})
            print(table, last, flush=True)
    await asyncio.gather(*(one(f"t{i}") for i in range(5)))
asyncio.run(main())
"""


def test_killed(store_factory):
    """What was acknowledged survives a kill -9 at any moment, without a gap."""
    before = {}
    for turn in range(6):
        process = child(store_factory.source + APPEND_FOR_EVER)
        killer = threading.Timer(0.7 + 0.13 * turn, process.send_signal, [signal.SIGKILL])
        killer.start()
        lines = process.stdout.read().split("\n")
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        killer.join()
        acknowledged = dict(before)
        for line in lines[:-1]:  # the last is cut
            table, number = line.split()
            acknowledged[table] = int(number)

        async def test(store, acknowledged=acknowledged):
            for table, number in acknowledged.items():
                entries = await store.read(table)
                assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
                assert [entry.data["last"] for entry in entries] == list(range(len(entries)))
                # One more may have been written when the process had no time to say so.
                assert number <= len(entries) <= number + 1
                acknowledged[table] = len(entries)

        run(store_factory, test)
        before = acknowledged
    assert sum(before.values()) > 100


# --- SQLite ---


@pytest.fixture
def factory(tmp_path):
    return SqliteFactory(tmp_path)


def filled(factory, entries=300):
    """Close a journal in the file, and give the path."""

    async def test(store):
        await asyncio.gather(*(store.append("t", n, {"x": "x" * 200}) for n in range(entries)))

    run(factory, test)
    return factory.path


def refused(path, reason):
    """Opening a file fails for a reason, and leaves every byte."""

    def content():
        # Reading makes SQLite create an empty log, and what it shares between processes (-shm).
        files = {one: one.read_bytes() for one in path.parent.iterdir() if one.is_file()}
        return {one: files[one] for one in files if files[one] and one.suffix != ".sqlite-shm"}

    before = content()
    with pytest.raises(StoreError, match=reason):
        asyncio.run(SqliteStore.open(path))
    assert content() == before


def test_file(factory):
    async def test(store):
        await store.append("t", 0, {"who": "Đorđe", "dice": [4, 2, 1]})

    run(factory, test)
    assert [one.name for one in factory.path.parent.iterdir()] == ["room.sqlite"]
    with closing(sqlite3.connect(factory.path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        rows = connection.execute("SELECT table_id, number, data FROM entries").fetchall()
        assert rows == [("t", 1, '{"who":"Đorđe","dice":[4,2,1]}')]


@pytest.mark.parametrize(("synchronous", "level"), [("FULL", 2), ("NORMAL", 1)])
def test_synchronous(factory, synchronous, level):
    async def test():
        async with opened(SqliteStore.open(factory.path, synchronous=synchronous)) as store:
            assert store._writer.execute("PRAGMA synchronous").fetchone() == (level,)
            assert await store.append("t", 0, {}) == 1

    asyncio.run(test())


def test_full_is_the_default(factory):
    async def test(store):
        assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)

    run(factory, test)


def test_group_commit(factory):
    """All that wait while the disk is busy go into one transaction."""

    async def test(store):
        statements = []
        store._writer.set_trace_callback(statements.append)
        with held(factory.path):
            first = asyncio.create_task(store.append("t", 0, {}))
            await asyncio.sleep(0.1)
            others = [asyncio.create_task(store.append("t", n, {})) for n in range(1, 100)]
            await asyncio.sleep(0.1)
        assert await asyncio.gather(first, *others) == list(range(1, 101))
        # One for the first, which waits for nobody, and one for all that have waited meanwhile.
        assert sum("INSERT" in statement for statement in statements) == 2

    run(factory, test)


@contextmanager
def held(path):
    """Somebody else is writing."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def test_the_event_loop_goes_on(factory):
    """While the writer waits, everything else runs, reading too."""

    async def test(store):
        await store.append("t", 0, {})
        with held(factory.path):
            task = asyncio.create_task(store.append("t", 1, {}))
            longest, since = 0, time.monotonic()
            for _ in range(50):
                await asyncio.sleep(0.005)
                assert await numbers(store, "t") == [1]
                longest = max(longest, time.monotonic() - since)
                since = time.monotonic()
            assert not task.done()
        assert await task == 2
        assert longest < 0.2

    run(factory, test)


def test_somebody_writes_for_too_long(factory):
    async def test():
        async with opened(SqliteStore.open(factory.path, busy_seconds=0.1)) as store:
            with held(factory.path):
                appends = (store.append("t", n, {}) for n in range(3))
                got = await asyncio.gather(*appends, return_exceptions=True)
                assert [type(one) for one in got] == [StoreError] * 3
                assert "another process" in str(got[0])
                with pytest.raises(StoreError, match="another process"):
                    await SqliteStore.open(factory.path, busy_seconds=0.1)
            assert await store.append("t", 0, {}) == 1

    asyncio.run(test())


def test_many_create_the_file_at_once(factory):
    async def test():
        for turn in range(10):
            path = factory.path.with_name(f"{turn}.sqlite")
            stores = await asyncio.gather(*(SqliteStore.open(path) for _ in range(8)))
            got = await asyncio.gather(
                *(store.append("t", 0, {}) for store in stores), return_exceptions=True
            )
            assert sorted(type(one).__name__ for one in got) == ["Conflict"] * 7 + ["int"]
            await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(test())


def test_too_long_an_entry(factory, monkeypatch):
    monkeypatch.setattr(sqlite_store, "LONGEST", 100)

    async def test(store):
        with pytest.raises(StoreError, match="too long: 108 bytes"):
            await store.append("t", 0, {"x": "š" * 50})
        assert await store.append("t", 0, {"x": "š" * 40}) == 1

    run(factory, test)


def test_unexpected_error_in_a_batch(factory):
    """Whatever goes wrong, the writer goes on, and nothing of the batch remains."""

    async def test(store):
        class Fault:
            @property
            def table(self):
                raise ZeroDivisionError("surprise")

        tasks = [store.append("t", 0, {}), store._ordered(Fault()), store.append("t", 7, {})]
        got = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in got] == [StoreError] * 3
        assert "surprise" in str(got[0])
        assert await store.read("t") == []
        assert await store.append("t", 0, {}) == 1

    run(factory, test)


def test_the_loop_ends_without_close(factory):
    """What was acknowledged is there, and nothing hangs or complains."""
    process = child(
        f"{factory.source}\nimport asyncio\n"
        "async def main():\n"
        "    store = await open_store()\n"
        "    print(await store.append('t', 0, {}))\n"
        "    asyncio.ensure_future(store.append('t', 1, {}))\n"
        "    await asyncio.sleep(0)\n"
        "asyncio.run(main())\n",
        stderr=subprocess.PIPE,
    )
    assert process.communicate(timeout=30) == ("1\n", "")

    async def test(store):
        assert await numbers(store, "t") in ([1], [1, 2])

    run(factory, test)


def test_newer_version(factory):
    path = filled(factory)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=2")
    refused(path, r"newer version of this program \(schema 2; this one knows 1\)")


def test_older_version(factory, monkeypatch):
    filled(factory, 3)
    added = "ALTER TABLE entries ADD COLUMN note TEXT"
    monkeypatch.setattr(sqlite_store, "MIGRATIONS", (*sqlite_store.MIGRATIONS, added))

    async def test(store):
        assert await numbers(store, "t") == [1, 2, 3]
        assert store._reader.execute("PRAGMA user_version").fetchone() == (2,)
        assert store._reader.execute("SELECT note FROM entries").fetchall() == [(None,)] * 3
        assert await store.append("t", 3, {}) == 4

    run(factory, test)


@pytest.mark.parametrize("version", [0, 1])
def test_database_of_something_else(tmp_path, version):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE music (title TEXT)")
        connection.execute(f"PRAGMA user_version={version}")
    refused(path, "something else")


@pytest.mark.parametrize("garbage", [b"xy", b"hello\n" * 2000, b"SQLite format 3\0" + b"\1" * 9000])
def test_garbage(tmp_path, garbage):
    path = tmp_path / "room.sqlite"
    path.write_bytes(garbage)
    refused(path, "not an SQLite database")


@pytest.mark.parametrize("size", [50, 1000, 4096, 5000, 8192, 20000])
def test_truncated(factory, size):
    path = filled(factory)
    os.truncate(path, size)
    refused(path, "corrupt|not an SQLite database")


def test_damaged_inside(factory):
    path = filled(factory)
    content = bytearray(path.read_bytes())
    content[8192:8292] = b"\xff" * 100
    path.write_bytes(content)
    refused(path, "corrupt")


def test_damaged_with_a_log(factory):
    """The log of a killed server is not moved into a file that is corrupt."""
    path = filled(factory)
    process = child(factory.source + APPEND_FOR_EVER)
    process.stdout.readline()
    process.kill()
    process.communicate()
    assert path.with_name("room.sqlite-wal").stat().st_size
    content = bytearray(path.read_bytes())
    content[8192 : 8192 + 5 * 4096] = b"\xff" * 5 * 4096
    path.write_bytes(content)
    refused(path, "corrupt")


def test_empty_file(factory):
    """Is a new one, unless there is a log to it, which SQLite would delete."""
    factory.path.parent.mkdir()
    factory.path.touch()
    assert filled(factory, 1).stat().st_size
    log = factory.path.with_name("room.sqlite-wal")
    log.write_bytes(b"entries")
    for size in (1, 0):
        os.truncate(factory.path, size)
        refused(factory.path, "empty, but room.sqlite-wal has entries")
    factory.path.unlink()
    refused(factory.path, "empty, but room.sqlite-wal has entries")


def test_killed_while_creating(factory):
    """A journal of SQLite's other kind is left; the file is put back to what it was."""
    factory.path.parent.mkdir()
    process = child(
        "import os, sqlite3\n"
        f"one = sqlite3.connect({str(factory.path)!r}, isolation_level=None)\n"
        "one.execute('PRAGMA user_version=0')\n"
        "one.execute('PRAGMA cache_size=1')\n"
        "one.execute('PRAGMA cache_spill=1')\n"
        "one.execute('BEGIN')\n"
        "one.execute('CREATE TABLE some (x)')\n"
        "one.execute('INSERT INTO some VALUES (zeroblob(1000000))')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    process.communicate()
    assert factory.path.with_name("room.sqlite-journal").stat().st_size
    filled(factory, 1)
    assert not factory.path.with_name("room.sqlite-journal").exists()


def test_no_file(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    refused(folder, "it is a folder")
    file = tmp_path / "file"
    file.write_text("text")
    with pytest.raises(StoreError, match="file"):
        asyncio.run(SqliteStore.open(file / "room.sqlite"))
    assert file.read_text() == "text"


def test_entry_that_is_no_json(factory):
    """Somebody has edited the file: an error that can be told, as all others."""
    path = filled(factory, 2)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET data = 'oops' WHERE number = 2")

    async def test(store):
        with pytest.raises(StoreError):
            await store.read("t")
        assert await store.tables() == ["t"]

    run(factory, test)


def test_becomes_read_only(factory):
    async def test(store):
        await store.append("t", 0, {})
        store._writer.execute("PRAGMA query_only=1")
        appends = (store.append("t", n, {}) for n in (1, 2, 1))
        got = await asyncio.gather(*appends, store.forget("t"), return_exceptions=True)
        assert [type(one) for one in got] == [StoreError] * 4
        assert "read-only" in str(got[0])
        assert await numbers(store, "t") == [1]
        store._writer.execute("PRAGMA query_only=0")
        assert await store.append("t", 1, {}) == 2

    run(factory, test)


# --- Disks ---


@pytest.fixture
def small_disk(tmp_path):
    """A folder with a disk of its own of 1 MB, in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
    yield folder
    subprocess.run(["umount", folder], check=True)


def mount(*arguments):
    if not shutil.which("mount"):
        pytest.skip("there is no mount here")
    made = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"mounting is not allowed here: {made.stderr.strip()}")


def test_full_disk(small_disk):
    factory = SqliteFactory(small_disk)
    filler = small_disk / "filler"
    filler.write_bytes(bytes(400_000))
    data = {"x": "x" * 5000}

    async def test(store):
        last = 0
        with pytest.raises(StoreError, match="the disk is full"):
            while True:
                last = await store.append("t", last, data)
        assert last > 5
        fill(small_disk / "more")
        for _ in range(3):
            appends = (store.append(f"u{n}", 0, data) for n in range(50))
            got = await asyncio.gather(
                *appends, store.append("t", last, {}), return_exceptions=True
            )
            assert [type(one) for one in got] == [StoreError] * 51
            assert {"disk is full" in str(one) for one in got} == {True}
            assert len({id(one) for one in got}) == 51
            assert await store.read("t") == [Entry(n + 1, data) for n in range(last)]
            assert await store.tables() == ["t"]
        filler.unlink()
        appends = (store.append("t", last + n, data) for n in range(10))
        assert await asyncio.gather(*appends) == list(range(last + 1, last + 11))
        return last + 10

    last = run(factory, test)

    async def again(store):
        assert await store.read("t") == [Entry(n + 1, data) for n in range(last)]

    run(factory, again)


def fill(path):
    """Fill the disk with one file."""
    with pytest.raises(OSError, match="No space"), path.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass


def test_no_room_to_begin(small_disk):
    filler = small_disk / "filler"
    fill(filler)
    factory = SqliteFactory(small_disk)
    with pytest.raises(StoreError, match=r"full|No space"):
        asyncio.run(factory.open())
    filler.unlink()
    filled(factory, 3)


def test_read_only_disk(small_disk):
    factory = SqliteFactory(small_disk)
    path = filled(factory)
    mount("-o", "remount,ro", small_disk)
    refused(path, "read-only")
    refused(path.with_name("new.sqlite"), "read-only")
    with pytest.raises(StoreError, match=r"[Rr]ead-only"):
        asyncio.run(SqliteStore.open(small_disk / "new" / "room.sqlite"))
    mount("-o", "remount,rw", small_disk)
    run(factory, lambda store: store.append("t", 300, {}))


# A disk that does not confirm what it was given: as often as a file says.
FAILING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
static int sync_with(const char *name, int fd) {
    int left = 0;
    FILE *file = fopen(getenv("FAILURES"), "r");
    if (file) { if (fscanf(file, "%d", &left) != 1) left = 0; fclose(file); }
    if (left > 0) {
        file = fopen(getenv("FAILURES"), "w");
        fprintf(file, "%d", left - 1);
        fclose(file);
        errno = EIO;
        return -1;
    }
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(fd);
}
int fsync(int fd) { return sync_with("fsync", fd); }
int fdatasync(int fd) { return sync_with("fdatasync", fd); }
"""

APPEND_AND_FAIL = """
import asyncio, os, pathlib
from zanzibar_plugin.room.store import StoreError
failures = pathlib.Path(os.environ["FAILURES"])
async def main():
    store = await open_store()
    await store.append("t", 0, {})
    failures.write_text(TIMES)
    tasks = [store.append("t", n, {"lost": True}) for n in (1, 2)]
    for got in await asyncio.gather(*tasks, return_exceptions=True):
        assert type(got) is StoreError and "the disk reports an error" in str(got), got
    assert len(await store.read("t")) == 1
    assert failures.read_text() == "0"
    if not KILLED:
        assert await store.append("t", 1, {}) == 2
        await store.close()
    print("done", flush=True)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


@pytest.mark.parametrize(("times", "killed"), [(1, True), (1, False), (2, False)])
def test_failing_disk(factory, tmp_path, times, killed):
    """What the disk did not confirm is not in the journal, not even after a crash."""
    compiler = shutil.which("cc")
    if not compiler or not ctypes.util.find_library("dl") or sys.platform != "linux":
        pytest.skip("needs a C compiler on Linux to make fsync fail")
    (tmp_path / "failing.c").write_text(FAILING)
    library = tmp_path / "failing.so"
    arguments = ["-shared", "-fPIC", "-o", library, tmp_path / "failing.c", "-ldl"]
    subprocess.run([compiler, *arguments], check=True)
    failures = tmp_path / "failures"
    process = child(
        f"{factory.source}TIMES, KILLED = '{times}', {killed}\n{APPEND_AND_FAIL}",
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LD_PRELOAD": str(library),
            "FAILURES": str(failures),
        },
    )
    assert process.communicate(timeout=30)[0] == "done\n"

    async def test(store):
        assert await store.read("t") == [Entry(n, {}) for n in ((1,) if killed else (1, 2))]

    run(factory, test)
