"""The names of people and bots, and who a person is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import chain, count
from typing import NamedTuple

from zanzibar_plugin.names import heard

BOT_NAMES = (
    "Alba", "Boris", "Clio", "Dario", "Edna", "Fabio", "Gala", "Hugo", "Iris", "Jovan", "Kira",
    "Leo", "Mila",
)  # fmt: skip
"""Names for bots, easy to tell apart by ear in each of the languages."""


class Person(NamedTuple):
    """Somebody in the room: the name others hear, and the owner of his seats.

    `owner` is made from a secret that only the person's own device knows, so it may be stored and
    compared, but nobody can become its owner by reading it.
    """

    name: str
    owner: str


def owner_of(secret: str) -> str:
    """The owner that belongs to a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def free_bot_name(taken: Iterable[str]) -> str:
    """A name for one more bot, unlike all that are taken even for the ear."""
    others = {heard(name) for name in taken}
    numbered = (f"{name} {number}" for number in count(2) for name in BOT_NAMES)
    return next(name for name in chain(BOT_NAMES, numbered) if heard(name) not in others)
