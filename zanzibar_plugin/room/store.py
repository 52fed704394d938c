"""Where the journals of tables are kept: what any store can do.

A journal is a row of entries, numbered from 1 without a gap.  One command that changed a table is
one entry.  Nothing is announced before its entry is committed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Entry(NamedTuple):
    """What one command caused: its number in the table's journal, and JSON data."""

    number: int
    data: Mapping[str, Any]


class StoreError(Exception):
    """The entry could not be written (full disk, read-only folder …), and is not in the journal."""


class Conflict(StoreError):
    """Somebody else has written an entry with that number."""


class Store(Protocol):
    """Journals of tables, by the id of the table."""

    async def append(self, table: str, expected: int, data: Mapping[str, Any]) -> int:
        """Commit an entry after entry number `expected` (0: the first); returns its number.

        Raises `Conflict` if the last number is another one, `StoreError` if it cannot be written.
        When this returns, the entry survives a crash.
        """

    async def read(self, table: str, after: int = 0) -> Sequence[Entry]:
        """The entries after a number, in order."""

    async def tables(self) -> Sequence[str]:
        """The ids of all tables that have a journal."""

    async def forget(self, table: str) -> None:
        """Delete the journal of a table that is closed."""

    async def close(self) -> None:
        """Finish what is being written, and let go of the files."""
