"""What people write to each other, made harmless for voices and screens."""

from __future__ import annotations

import unicodedata

LONGEST = 300
"""Characters of one message; more is cut off."""

# Control characters, marks that turn the direction of writing, halves of characters.
_UNSPOKEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_LONGEST_RUN = 8


def cleaned(said: object) -> str:
    """A message without what would stop a voice or disturb a page; "" if nothing is left."""
    if not isinstance(said, str):
        return ""
    kept = "".join(
        " " if unicodedata.category(character) in _UNSPOKEN else character
        for character in said[: 4 * LONGEST]
    )
    return " ".join(_shortened(kept).split())[:LONGEST].strip()


def _shortened(said: str) -> str:
    """The same with no character more than a few times in a row: a voice would go on for ever."""
    out: list[str] = []
    run = 0
    for character in said:
        run = run + 1 if out and out[-1] == character else 1
        if run <= _LONGEST_RUN:
            out.append(character)
    return "".join(out)
