"""Dice that can be checked afterwards: computed from numbers that nobody could choose alone.

The room binds itself to a secret by publishing its digest; then each player's page binds itself to
a value of its own; only then are the values shown, and only at the end the secret.  So the room did
not know the values when it chose the secret, and no page knew the secret when it chose its value.
`docs/checkable-dice.md` gives every byte.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from zanzibar_plugin.hookspecs import DiceSource

SIZE = 32
"""Bytes of the secret and of each value."""

FACES = 6
LIMIT = 252
"""The greatest multiple of 6 that a byte can hold: this byte and those above would favour the low
faces, and are passed over."""

_FORM = "zanzibar dice 1"


def new_secret() -> str:
    """32 bytes of chance in hex."""
    return secrets.token_hex(SIZE)


class Part(NamedTuple):
    """What one player's page gave: the digest it was bound by, and the value; both in hex.

    `value` is "" as long as it is not shown.
    """

    name: str
    commitment: str
    value: str = ""


class Draw(NamedTuple):
    """All the dice of one game: `game` names it, `secret` is in hex, parts are in seat order."""

    game: str
    secret: str
    parts: tuple[Part, ...]

    @property
    def digest(self) -> str:
        """What the room was bound by before anybody gave anything."""
        return digest_of(self.secret)


def digest_of(value: str) -> str:
    """The SHA-256 in hex of bytes in hex; "" if that is no hex of the right size."""
    return hashlib.sha256(bytes.fromhex(value)).hexdigest() if is_value(value) else ""


def is_value(value: object) -> bool:
    """Whether this is 32 bytes, or a SHA-256, in lower-case hex."""
    return (
        isinstance(value, str)
        and len(value) == 2 * SIZE
        and not set(value) - set("0123456789abcdef")
    )


def dice_of(draw: Draw) -> DiceSource:
    """The source of a game's dice: the same faces for the same throw, whenever it is asked."""
    secret = bytes.fromhex(draw.secret)
    parts = "".join(f"{part.commitment} {part.value}\n" for part in draw.parts)
    head = f"{_FORM}\ngame {draw.game}\n{parts}"

    def dice(throw: int, many: int) -> Sequence[int]:
        return [_face(secret, f"{head}throw {throw} die {die}") for die in range(many)]

    return dice


def _face(secret: bytes, head: str) -> int:
    for tries in count():
        message = f"{head} counter {tries}\n".encode()
        for byte in hmac.digest(secret, message, "sha256"):
            if byte < LIMIT:
                return byte % FACES + 1
    raise AssertionError("unreachable")
