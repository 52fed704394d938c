"""The journals of tables in one SQLite file.

One thread writes, another reads, each with a connection of its own, so that the event loop never
waits for the disk.  While the writer waits for the disk, appends queue up; all that wait then go
into the next transaction together.  So the disk is asked once for many callers, and a caller on
its own still waits for no one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Literal, NamedTuple, TypeVar

from zanzibar_plugin.room.store import Conflict, Entry, StoreError

Synchronous = Literal["FULL", "NORMAL"]
Answer = TypeVar("Answer")

# What leads from each schema version to the next one; the version is kept in `user_version`.
MIGRATIONS: tuple[str, ...] = (
    """CREATE TABLE entries (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID""",
)
COLUMNS = {"table_id", "number", "data"}

# SQLite itself refuses a text ten times as long, but only amid a batch, whose others would suffer.
LONGEST = 100_000_000

# Every entry has a row of its own, so this goes from one table's id to the next by the key; with
# DISTINCT it would read every entry there is.
TABLES = """
WITH RECURSIVE ids(id) AS (
    SELECT min(table_id) FROM entries
    UNION ALL
    SELECT (SELECT min(table_id) FROM entries WHERE table_id > ids.id) FROM ids
    WHERE ids.id IS NOT NULL
) SELECT id FROM ids WHERE id IS NOT NULL
"""

REASONS = {
    sqlite3.SQLITE_BUSY: "another process keeps it locked",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_CORRUPT: "it is corrupt",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_NOTADB: "it is not an SQLite database",
    sqlite3.SQLITE_PERM: "access is denied",
    sqlite3.SQLITE_READONLY: "it is read-only",
}


class _Append(NamedTuple):
    """An entry to be written after entry number `expected`."""

    table: str
    expected: int
    text: str


class _Forget(NamedTuple):
    """A table whose journal is to be deleted."""

    table: str


Job = _Append | _Forget


class _Order(NamedTuple):
    """A job for the writer, and where its outcome is awaited."""

    job: Job
    future: asyncio.Future[int]


class SqliteStore:
    """A `Store` in an SQLite file; get one with `await SqliteStore.open(path)`.

    It belongs to the event loop it was opened in.  Several processes may use one file: the rule of
    the expected number holds between them too.

    `append` and `forget` take their places in the queue in the order of the calls, so one need not
    await the first append of a table before asking for the second.

    If the task that awaits an append is cancelled, the entry is written all the same, once: it is
    in the queue, and nobody can tell any more whether the disk has it.  Who goes on with that
    table must read its journal first.

    One thing no store can rule out: if the disk keeps failing to confirm what it is given, and the
    server crashes before the next append that succeeds, an entry that was reported as not written
    may be there afterwards.
    """

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        """For `open`, which has made sure that the file is good."""
        self._path = path
        self._writer = writer
        self._reader = reader
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_Order | None] = SimpleQueue()
        # A daemon, so that a program that ends without `close` does not hang: whatever it leaves
        # undone has not been acknowledged.
        self._writing = threading.Thread(target=self._write, name="journal writer", daemon=True)
        self._reading = ThreadPoolExecutor(1, "journal reader")
        self._closing: asyncio.Future[None] | None = None
        self._writing.start()

    @classmethod
    async def open(
        cls, path: str | Path, *, synchronous: Synchronous = "FULL", busy_seconds: float = 5
    ) -> SqliteStore:
        """The store in a file, which is created with its folder if there is none.

        With `FULL` every entry that is acknowledged survives a loss of power.  `NORMAL` does not
        wait for the disk: entries survive a crash of the server, but the last ones may be lost
        with the power.  `busy_seconds`: how long to wait for another process that writes.

        Raises `StoreError`, and leaves the file as it is, if it is no database, corrupt, made by
        something else or by a newer version of this program, or if it cannot be written.  The
        whole file is read for that.  (An empty `-wal` and a `-shm` may appear next to it.)
        """
        path = Path(path).absolute()
        connections = await asyncio.to_thread(_open, path, synchronous, busy_seconds)
        return cls(path, *connections)

    async def append(self, table: str, expected: int, data: Mapping[str, Any]) -> int:
        """Commit an entry after entry number `expected` (0: the first); returns its number.

        Raises `Conflict` if the last number is another one, and `StoreError` if it cannot be
        written, is no JSON, or the store is closed.  Whichever it is, the entry is not in the
        journal, and the store goes on working.
        """
        _check_name(table)
        text = _text(data)
        return await self._ordered(_Append(table, expected, text))

    async def read(self, table: str, after: int = 0) -> Sequence[Entry]:
        """The entries after a number, in order; none of an unknown table.

        Raises `StoreError` if they cannot be read or the store is closed.
        """
        return await self._asked(partial(_entries, table, after))

    async def tables(self) -> Sequence[str]:
        """The ids of all tables that have a journal, sorted.

        Raises `StoreError` if they cannot be read or the store is closed.
        """
        return await self._asked(_tables)

    async def forget(self, table: str) -> None:
        """Delete the journal of a table that is closed, if it has one.

        Raises `StoreError` if it cannot be deleted or the store is closed.
        """
        _check_name(table)
        await self._ordered(_Forget(table))

    async def close(self) -> None:
        """Finish what is in the queue, and let go of the file; may be called again.

        What is asked for afterwards raises `StoreError`.
        """
        if self._closing is None:
            self._queue.put(None)
            self._closing = self._loop.run_in_executor(None, self._let_go)
        # Shielded: who gives up waiting does not stop the closing for the others.
        await asyncio.shield(self._closing)

    async def _ordered(self, job: Job) -> int:
        """Have something written; its outcome after the commit."""
        self._refuse_if_closed()
        future: asyncio.Future[int] = self._loop.create_future()
        self._queue.put(_Order(job, future))
        return await future

    async def _asked(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Have something read."""
        self._refuse_if_closed()
        return await self._loop.run_in_executor(self._reading, self._answer, question)

    def _refuse_if_closed(self) -> None:
        if self._closing is not None:
            raise StoreError(f"{self._path}: the store is closed")

    def _answer(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """In the thread of the reader: the answer to a question."""
        with _reasons(self._path):
            return question(self._reader)

    def _let_go(self) -> None:
        """Wait for both threads, and close the file."""
        self._writing.join()
        self._reading.shutdown()
        # The writer last: the last connection moves everything into the main file.
        self._reader.close()
        self._writer.close()

    def _write(self) -> None:
        """In the thread of the writer: all there is to write, until the store is closed."""
        last = False
        while not last:
            orders = [self._queue.get()]
            with suppress(Empty):
                while True:
                    orders.append(self._queue.get_nowait())
            last = orders[-1] is None
            batch = [order for order in orders if order is not None]
            outcomes = self._outcomes([order.job for order in batch])
            # The loop may have ended without `close`; then nobody waits any more.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_tell, batch, outcomes)

    def _outcomes(self, jobs: Sequence[Job]) -> Sequence[int | StoreError]:
        """Do jobs in one transaction; what became of each."""
        try:
            with _reasons(self._path):
                return self._commit(jobs)
        except StoreError as error:
            # One exception for each: a traceback grows where it is raised.
            return [StoreError(*error.args) for _ in jobs]

    def _commit(self, jobs: Sequence[Job]) -> Sequence[int | StoreError]:
        """Do jobs in one transaction; if that raises, none of them is done."""
        outcomes: list[int | StoreError] = []
        try:
            numbers = _append_all(self._writer, jobs)
            if numbers is not None:
                return numbers
            # Immediate: the numbers that are read must still be the last ones at the commit.
            self._writer.execute("BEGIN IMMEDIATE")
            for _, run in groupby(jobs, type):
                outcomes += _do(self._writer, list(run))
            self._writer.execute("COMMIT")
        except BaseException as error:
            self._undo(error)
            raise
        return outcomes

    def _undo(self, error: BaseException) -> None:
        """Roll back what has failed, so that nothing is left of it."""
        if self._writer.in_transaction:  # SQLite has done it itself after some errors
            self._writer.execute("ROLLBACK")
        if _code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            # If the disk took the transaction but failed to confirm it, the log still ends with
            # it, and it would count after a crash.  Emptying the log removes it; it may also
            # make room on a full disk.  If that fails too, the next commit writes over it.
            with suppress(sqlite3.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _tell(batch: Sequence[_Order], outcomes: Sequence[int | StoreError]) -> None:
    """In the event loop: wake up those who wait."""
    for order, outcome in zip(batch, outcomes, strict=True):
        if order.future.done():  # cancelled
            continue
        if isinstance(outcome, StoreError):
            order.future.set_exception(outcome)
        else:
            order.future.set_result(outcome)


# Each statement lets go of the interpreter and must wait to have it back, in a busy room for longer
# than the disk takes; so there is one for a whole batch, its transaction included, as long as all
# goes well.  A number that is taken, or none (NULL) where an entry is missing, undoes all of it.
_APPEND_ALL = """
INSERT INTO entries (table_id, number, data)
SELECT json_extract(value, '$[0]'),
    CASE ifnull((SELECT max(number) FROM entries WHERE table_id = json_extract(value, '$[0]')), 0)
    WHEN json_extract(value, '$[1]') THEN json_extract(value, '$[1]') + 1 END,
    json_extract(value, '$[2]')
FROM json_each(?)
"""
_LAST = """
SELECT json_group_array(ifnull((SELECT max(number) FROM entries WHERE table_id = value), 0))
FROM json_each(?)
"""
_INSERT = """
INSERT INTO entries (table_id, number, data)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
FROM json_each(?)
"""


def _append_all(connection: sqlite3.Connection, jobs: Sequence[Job]) -> Sequence[int] | None:
    """Write one entry each of different tables; None, and nothing is written, if that cannot be."""
    appends = [job for job in jobs if isinstance(job, _Append)]
    if len({job.table for job in appends}) < len(jobs):
        return None
    try:
        connection.execute(_APPEND_ALL, (json.dumps(appends),))
    except sqlite3.IntegrityError:
        return None
    return [job.expected + 1 for job in appends]


def _do(connection: sqlite3.Connection, jobs: Sequence[Job]) -> list[int | StoreError]:
    """Do jobs of one kind."""
    appends = [job for job in jobs if isinstance(job, _Append)]
    if appends:
        return _append(connection, appends)
    return [_forget(connection, job.table) for job in jobs]


def _append(connection: sqlite3.Connection, jobs: Sequence[_Append]) -> list[int | StoreError]:
    """Write entries; the number of each, or the conflict that keeps it alone from being written."""
    tables = list({job.table: None for job in jobs})
    (found,) = connection.execute(_LAST, (json.dumps(tables),)).fetchone()
    last = dict(zip(tables, json.loads(found), strict=True))
    outcomes: list[int | StoreError] = []
    rows = []
    for table, expected, text in jobs:
        if last[table] != expected:
            conflict = f"table {table}: the last entry is {last[table]}, not {expected}"
            outcomes.append(Conflict(conflict))
            continue
        last[table] += 1
        rows.append((table, last[table], text))
        outcomes.append(last[table])
    if rows:
        connection.execute(_INSERT, (json.dumps(rows),))
    return outcomes


def _forget(connection: sqlite3.Connection, table: str) -> int:
    """Delete a journal; how many entries it had."""
    return connection.execute("DELETE FROM entries WHERE table_id = ?", (table,)).rowcount


def _entries(table: str, after: int, connection: sqlite3.Connection) -> Sequence[Entry]:
    query = "SELECT number, data FROM entries WHERE table_id = ? AND number > ? ORDER BY number"
    rows = connection.execute(query, (table, after)).fetchall()
    return [Entry(number, json.loads(text)) for number, text in rows]


def _tables(connection: sqlite3.Connection) -> Sequence[str]:
    return [table for (table,) in connection.execute(TABLES).fetchall()]


def _check_name(table: str) -> None:
    """Raise `StoreError` for an id that cannot be bound, before it fails amid a batch."""
    try:
        table.encode()  # half a surrogate pair has no UTF-8
    except UnicodeEncodeError as error:
        raise StoreError(f"{table!r} cannot be the id of a table") from error
    if "\0" in table:  # where SQLite's texts may end
        raise StoreError(f"{table!r} cannot be the id of a table")


def _text(data: Mapping[str, Any]) -> str:
    """JSON text; raises `StoreError` for whatever SQLite would stumble over amid a batch."""
    try:
        text = json.dumps(dict(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"the entry is no JSON: {error}") from error
    if size > LONGEST:
        raise StoreError(f"the entry is too long: {size} bytes")
    return text


def _code(error: BaseException) -> int | None:
    """The primary code of an error of SQLite; the rest tells only how it was noticed."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


@contextmanager
def _reasons(path: Path) -> Iterator[None]:
    """Whatever goes wrong becomes a `StoreError` with a plain reason.

    Whatever: if the writer ended with an error of another kind, all appends after that would wait
    for ever.
    """
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        reason = REASONS.get(_code(error) or 0, str(error))
        raise StoreError(f"{path}: {reason}") from error


def _open(
    path: Path, synchronous: Synchronous, busy_seconds: float
) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """A connection to write and one to read, after all checks."""
    with _reasons(path):
        _make_folder(path.parent)
        for place in (path.parent, path):
            # SQLite would tell less, and for some files not before the first append.
            if place.exists() and not os.access(place, os.W_OK):
                raise StoreError(f"{place}: it is read-only")
        if path.is_dir():
            raise StoreError(f"{path}: it is a folder")
        _check_unopened(path, busy_seconds)
        writer = _connect(path, "rwc", busy_seconds)
        try:
            writer.execute(f"PRAGMA synchronous={synchronous}")
            # On macOS an ordinary fsync does not reach the disk.
            writer.execute(f"PRAGMA fullfsync={int(synchronous == 'FULL')}")
            _use_log(writer, busy_seconds)
            _migrate(writer)
            reader = _connect(path, "rw", busy_seconds)
            try:
                reader.execute("PRAGMA query_only=1")
            except BaseException:
                reader.close()
                raise
        except BaseException:
            writer.close()
            raise
    return writer, reader


def _make_folder(folder: Path) -> None:
    """Create a folder and those above it, to survive a loss of power like the entries in it."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        with suppress(OSError):  # Windows does not open folders
            parent = os.open(one.parent, os.O_RDONLY)
            try:
                os.fsync(parent)
            finally:
                os.close(parent)


def _connect(path: Path, mode: str, busy_seconds: float) -> sqlite3.Connection:
    """A connection whose transactions are only those one asks for."""
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,  # opened in one thread, used in another
    )


def _check_unopened(path: Path, busy_seconds: float) -> None:
    """Check a file that may be anything, without changing it."""
    # The log before the file: another process that is creating both creates the file first.
    log = _size(path, "-wal")
    if _size(path) <= 1:  # SQLite takes one byte for none
        if log:
            # SQLite would take the file for a new one, and delete the log.
            raise StoreError(f"{path}: it is empty, but {path.name}-wal has entries of it")
        return
    # A rollback journal is of a process that was killed when it created the file (later there is a
    # log instead); only who may write can clean up after it.
    mode = "rw" if _size(path, "-journal") else "ro"
    with closing(_connect(path, mode, busy_seconds)) as connection:
        # Both looks must see the same moment, while another process may just be creating it.
        connection.execute("BEGIN")
        version = _version(connection)
        if version == 0:
            good = not connection.execute("SELECT 1 FROM sqlite_master").fetchall()
        else:
            columns = connection.execute("SELECT name FROM pragma_table_info('entries')")
            good = {name for (name,) in columns.fetchall()} >= COLUMNS
        if not good:
            raise StoreError(f"{path}: it is a database of something else")
        ((verdict,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
        if verdict != "ok":
            raise StoreError(f"{path}: it is corrupt: {verdict}")


def _size(path: Path, suffix: str = "") -> int:
    """The size of a file, 0 if there is none."""
    try:
        return path.with_name(path.name + suffix).stat().st_size
    except FileNotFoundError:
        return 0


def _version(connection: sqlite3.Connection) -> int:
    """The schema version; raises `StoreError` if it is newer than this program."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the journals were written by a newer version of this program"
            f" (schema {version}; this one knows {len(MIGRATIONS)})"
        )
    return version


def _use_log(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Turn on the write-ahead log."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            # Here SQLite does not always wait by itself if two processes create the file at once.
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode != "wal":
        raise StoreError("this file system cannot have a write-ahead log")


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the schema to the version of this program; also shows that one can write."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in MIGRATIONS[_version(connection) :]:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version={len(MIGRATIONS)}")
    connection.execute("COMMIT")
