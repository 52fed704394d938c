"""Players' names: what a table accepts as different people who can be spoken of."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from zanzibar_plugin.text import Text, text, texts

LONGEST = 40


def wrong_names(names: Sequence[str], least: int, most: int) -> Text | None:
    """What is wrong with these names as the players of a table of `least` to `most`, or None.

    Names must be different even for the ear: letter case and spaces at the ends do not count.
    """
    for name in names:
        wrong = wrong_name(name)
        if wrong is not None:
            return wrong
    if not least <= len(names) <= most:
        return texts(
            "This game is for {least} to {most} players; there is {count} here.",
            "This game is for {least} to {most} players; there are {count} here.",
            len(names),
            least=least,
            most=most,
        )
    seen: dict[str, str] = {}
    for name in names:
        if heard(name) in seen:
            return text("Two players have the same name: {name}.", name=name)
        seen[heard(name)] = name
    return None


def heard(name: str) -> str:
    """A name as it sounds and looks: letter case and ways of writing a letter do not count."""
    return unicodedata.normalize("NFKC", name).casefold()


def wrong_name(name: object) -> Text | None:
    """Why this cannot be a player's name, or None if it can."""
    if not isinstance(name, str) or not name.strip():
        return text("A player's name must not be empty.")
    if len(name) > LONGEST:
        return text(
            "A player's name has at most {most} characters: {name}…",
            most=LONGEST,
            name=shown(name[:20]),
        )
    if name != name.strip() or any(unicodedata.category(c) in _UNSPOKEN for c in name):
        return text(
            "A player's name must not hold control characters or spaces at its ends: {name}",
            name=shown(name),
        )
    return None


# Control characters, invisible marks such as those that turn the direction of writing, and
# halves of characters: a voice stumbles over them and a screen can be fooled by them.
_UNSPOKEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def shown(text_: str) -> str:
    """Somebody's input, made harmless to show: every odd character becomes a question mark."""
    return "".join("?" if unicodedata.category(c) in _UNSPOKEN else c for c in text_)
