"""Which key a character is.

A terminal gives characters, not keys: the key 1 pressed alone is "1" on most keyboards and "&"
on a French one.  The game is about keys: a digit key alone chooses a value, the same key with
Shift puts a die back.  The rule by which a character becomes a key:

- With a keyboard named by the person, only that keyboard's table counts: the character its digit
  key gives alone is "1" to "6", the one it gives with Shift is "shift+1" to "shift+6".  On `fr`
  and `be` that makes "&" the key 1, and the character "1", which needs Shift there, "shift+1";
  the digits of a numeric keypad put back too, as nothing tells them from the others.
- Without one, a digit always chooses, and the language gives the table for what puts back.
  A language whose usual keyboard needs Shift for digits gives nothing but the digits, as
  Canadians and Swiss write French on keyboards that do not; "&" is then answered with a hint.
- The letter x and then a digit key, in either of its characters, puts back on every keyboard.
- In a line of piped input "1" is always the name of the key 1, whatever the keyboard.

Letters count in either case, and a character may come composed or decomposed.  Digits that only
look like digits, such as full-width and superscript ones, are no keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import NamedTuple

from zanzibar_plugin.text import Text, text


class RoomKey(Enum):
    """A key that is for the terminal room itself and not for the game.

    `PUT_BACK` is the letter x: the digit key that follows puts a die back.
    """

    HELP = "?"
    REPEAT = "r"
    LEAVE = "q"
    PUT_BACK = "x"


class Layout(NamedTuple):
    """The characters of the six digit keys 1 to 6, pressed alone and with Shift."""

    alone: str
    shifted: str


DIGITS = "123456"

LAYOUTS: Mapping[str, Layout] = {
    # The order is that in which a hint looks for a keyboard to name.  An Apple keyboard for
    # French has the six keys of `be`.
    "us": Layout(DIGITS, "!@#$%^"),
    "uk": Layout(DIGITS, '!"£$%^'),
    "fr": Layout("&é\"'(-", DIGITS),
    "be": Layout("&é\"'(§", DIGITS),
    "it": Layout(DIGITS, '!"£$%&'),
    "es": Layout(DIGITS, '!"·$%&'),
    "sr": Layout(DIGITS, '!"#$%&'),
}

LANGUAGE_LAYOUT: Mapping[str, str] = {"en": "us", "fr": "fr", "it": "it", "es": "es", "sr": "sr"}
"""The keyboard to think of for the first two letters of a language; for all others it is `us`."""

PUTS_BACK: Mapping[str, str] = {
    key: f"shift+{digit}" for digit in DIGITS for key in (digit, f"shift+{digit}")
}
"""For a digit key, alone or with Shift, the key that puts its value back."""

_CHARACTERS: Mapping[str, str | RoomKey] = {
    "\r": "enter",
    "\n": "enter",
    " ": "space",
    **{letter: letter for letter in "dcstah"},
    **{room_key.value: room_key for room_key in RoomKey},
}

_NAMES: Mapping[str, str] = {
    "": "enter",
    "enter": "enter",
    "space": "space",
    **{digit: digit for digit in DIGITS},
}

# A byte order mark is what some shells put before everything they pipe.
_AROUND_A_NAME = "\ufeff \t\r\n"


def key_of(character: str, layout: str | None, language: str) -> str | RoomKey | Text | None:
    """The key that gives this character when it is pressed.

    `layout` is a name in `LAYOUTS`, or None if the person named no keyboard.  A character that
    is no key, but would be one on another keyboard, gives a sentence that says so; any other
    gives None.
    """
    character = _plain(character)
    key = _CHARACTERS.get(character) or _digit_keys(layout, language[:2]).get(character)
    return key or _hint(character, language[:2])


def key_named(line: str, layout: str | None, language: str) -> str | RoomKey | Text | None:
    """The one key a line of piped input names; the same results as `key_of`.

    An empty line is Enter.  "x4" and "shift+4" are both the key that puts a 4 back.
    """
    name = _plain(line.strip(_AROUND_A_NAME))
    if name in _NAMES:
        return _NAMES[name]
    if shifted := re.fullmatch(r"shift[ ]*\+[ ]*([1-6])", name):
        return PUTS_BACK[shifted[1]]
    if put_back := re.fullmatch(r"x[ ]*(\S)", name):
        key = key_named(put_back[1], layout, language)
        return PUTS_BACK.get(key) if isinstance(key, str) else None
    return key_of(name, layout, language) if len(name) == 1 else None


def _plain(written: str) -> str:
    # In lower case also because Caps Lock makes "É" of the key 2 on a French keyboard.
    return unicodedata.normalize("NFC", written).lower()


@cache
def _digit_keys(layout: str | None, language: str) -> Mapping[str, str]:
    keys = LAYOUTS[layout or _usual_layout(language)]
    if layout is None and keys.alone != DIGITS:
        keys = Layout(DIGITS, "")
    return {
        **dict(zip(keys.alone, DIGITS, strict=True)),
        **{character: PUTS_BACK[d] for character, d in zip(keys.shifted, DIGITS, strict=False)},
    }


def _usual_layout(language: str) -> str:
    return LANGUAGE_LAYOUT.get(language.lower(), "us")


def _hint(character: str, language: str) -> Text | None:
    for name in (_usual_layout(language), *LAYOUTS):
        if character in (*LAYOUTS[name].alone, *LAYOUTS[name].shifted):
            return text(
                "This character is no key here. If a digit key of your keyboard gives it, name "
                "your keyboard when you start the game, with --keyboard {keyboard} for example.",
                keyboard=name,
            )
    return None
