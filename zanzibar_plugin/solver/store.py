"""Solutions kept in files, so that each is worked out only once.

A file is named after a hash of everything the solution depends on, and of how it was found.  It is
only ever trusted as numbers: whatever is wrong with it, it is as if it were not there.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np

from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver.goes import Floats
from zanzibar_plugin.solver.rounds import Position

VERSION = 1
"""Raised whenever the same rules would give other numbers."""


def cache_folder() -> Path:
    """Where solutions are kept when nobody says otherwise."""
    if sys.platform == "win32":  # pragma: no cover
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "zanzibar-plugin"


def key_of(what: str, rules: Rules, start: Position) -> str:
    """A name for a solution: the same for all rules that are played alike.

    `what` says which solution is meant.  Names, options and help do not count, nor who begins.
    """
    combinations = sorted(
        (one.dice, one.strength, str(one.value), one.kind is Kind.NENETTE)
        for one in rules.combinations
    )
    phases = [
        (
            *(phase.throws, phase.follow.value, phase.payer.value, str(phase.amount)),
            *(phase.ends.value, phase.count, phase.leave.value, phase.starter.value),
        )
        for phase in rules.phases
    ]
    off = rules.throw_off
    ties = (rules.tie.value, off.throws, off.order.value, off.stake.value, off.scope.value)
    rest = (rules.next.value, rules.penalty, rules.lock_kept, rules.repeat_step, rules.lost_sets)
    content = repr((VERSION, what, tuple(start), combinations, phases, ties, rest))
    return hashlib.sha256(content.encode()).hexdigest()


def load(folder: Path, key: str, players: int) -> tuple[tuple[Position, ...], Floats, float] | None:
    """Positions, values and bound as saved, or None if there are none or they cannot be right.

    Values are chances; they have one row for each position.
    """
    try:
        # Opened here, so that it is also closed where numpy finds no archive in it.
        path = folder / f"{key}.npz"
        with path.open("rb") as file, np.load(file, allow_pickle=False) as saved:
            named, numbers = str(saved["key"]), saved["positions"]
            values, bound = saved["values"], float(saved["bound"])
    except (OSError, ValueError, KeyError, EOFError, TypeError, MemoryError):
        return None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
        return None
    fits = (
        named == key
        and numbers.ndim == 2
        and numbers.shape[1] == 3 + players
        and np.issubdtype(numbers.dtype, np.integer)
        and values.dtype == np.float64
        and values.shape[:1] == numbers.shape[:1]
        and len(values) > 0
        and bool(((values >= 0) & (values <= 1)).all())
        and 0 <= bound < 1
    )
    if not fits:
        return None
    rows = numbers.tolist()
    return tuple(Position(row[0], row[1], row[2], tuple(row[3:])) for row in rows), values, bound


def save(
    folder: Path, key: str, positions: tuple[Position, ...], values: Floats, bound: float
) -> None:
    """Keep a solution.  A folder that cannot be written to is no error: it is not kept then."""
    numbers = np.array([[*one[:3], *one.tokens] for one in positions], dtype=np.int32)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        # First beside the final name: others who read or write it meanwhile see a whole file.
        handle, name = tempfile.mkstemp(suffix=".tmp", prefix=key[:16], dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(
                    file,
                    key=np.array(key),
                    positions=numbers,
                    values=values,
                    bound=np.array(bound),
                )
            Path(name).replace(folder / f"{key}.npz")
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
