"""A sentence that is in no language yet.

Everything a person may hear or read is first a `Text`: the English source sentence, which is
also its key in the catalogs, and the values of its named placeholders.  Only a catalog turns it
into words, so a sentence can be made once and said to many listeners, each in his own language.

`text` and `texts` are also the marks by which the extractor finds the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, Union


class Text(NamedTuple):
    """One sentence: `msgid` in English with `{named}` placeholders, and their values.

    `plural` is the English plural form and `count` the number that decides between the forms;
    a sentence without a plural has an empty `plural`.
    """

    msgid: str
    fields: Mapping[str, Field]
    plural: str = ""
    count: int = 0  # type: ignore[assignment]  # hides tuple.count, which nobody needs here


class Dice(NamedTuple):
    """Faces to be said one by one: 4, 2, 1."""

    faces: tuple[int, ...]


class Words(NamedTuple):
    """An operator's own words for each language, which are in no catalog."""

    by_language: Mapping[str, str]


class Listing(NamedTuple):
    """Items to be joined as the language joins a list: Ana, Bruno and Clio."""

    items: tuple[Field, ...]


Field: TypeAlias = Union[str, int, Text, Dice, Words, Listing]


def text(msgid: str, **fields: Field) -> Text:
    """A sentence without a plural."""
    return Text(msgid, fields)


def texts(singular: str, plural: str, count: int, **fields: Field) -> Text:
    """A sentence whose form depends on `count`, which is also its placeholder `{count}`."""
    return Text(singular, {"count": count, **fields}, plural, count)
