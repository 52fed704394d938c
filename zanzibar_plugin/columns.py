"""Tables in plain text: one line for each row, its cells one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GAP = "  "


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table whose rows have equally many cells; there is no space at their ends."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
