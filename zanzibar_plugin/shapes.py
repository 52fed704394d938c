"""What a value in a rules file may be: one description that reads it and tells editors of it.

A shape reads a node into plain values, or refuses it with its line and what was expected; and it
gives the JSON Schema of what it takes.  Both come from the same description, so that an editor and
the game cannot disagree.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, NoReturn

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.document import DocumentError, Node
from zanzibar_plugin.text import Text, text

Schema = dict[str, Any]


def refuse(node: Node, problem: Text, line: int | None = None) -> NoReturn:
    """Refuse the document because of this node."""
    raise DocumentError(node.file, node.line if line is None else line, problem)


class Shape(ABC):
    """A kind of value."""

    @abstractmethod
    def read(self, node: Node, name: str) -> Any:  # noqa: ANN401 - what it is depends on the shape
        """The value of a node; `name` is where it stands, for the error."""

    @abstractmethod
    def schema(self) -> Schema:
        """The JSON Schema of what is taken."""


@dataclass(frozen=True)
class Whole(Shape):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def read(self, node: Node, name: str) -> int:
        value = node.value
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not (self.low <= value <= self.high)
        ):
            refuse(
                node,
                text(
                    "{name} must be a whole number from {low} to {high}.",
                    name=name,
                    low=self.low,
                    high=self.high,
                ),
            )
        return value

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Flag(Shape):
    """True or false."""

    def read(self, node: Node, name: str) -> bool:
        if not isinstance(node.value, bool):
            refuse(node, text("{name} must be true or false.", name=name))
        return node.value

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Prose(Shape):
    """Text that is not empty."""

    def read(self, node: Node, name: str) -> str:
        value = node.value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            refuse(node, text("{name} must be text: put it in quotes.", name=name))
        if not isinstance(value, str) or not value.strip():
            refuse(node, text("{name} must be text.", name=name))
        for character in value:
            if unicodedata.category(character) in ("Cc", "Cf") and character not in _HARMLESS:
                code = f"U+{ord(character):04X}"
                refuse(
                    node,
                    text("The invisible character {code} is not allowed. Delete it.", code=code),
                )
        return value.strip()

    def schema(self) -> Schema:
        return {"type": "string", "pattern": r"\S"}


_HARMLESS = "\n\t\u00ad\u200c\u200d"
"""Line breaks in long texts, and what some languages need within words."""


@dataclass(frozen=True)
class Id(Shape):
    """A short name for commands and files."""

    def read(self, node: Node, name: str) -> str:
        if not isinstance(node.value, str) or not re.fullmatch(_ID, node.value):
            if isinstance(node.value, int) and not isinstance(node.value, bool):
                refuse(node, text("{name} must be text: put it in quotes.", name=name))
            refuse(
                node,
                text(
                    "{name} must be a short word of letters, digits, hyphens and dots.", name=name
                ),
            )
        return node.value

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^{_ID}$"}


_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"


@dataclass(frozen=True)
class Word(Shape):
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, node: Node, name: str) -> str:
        if node.value not in self.words or isinstance(node.value, bool):
            refuse(
                node,
                text("{name} must be one of: {words}.", name=name, words=", ".join(self.words)),
            )
        return str(node.value)

    def schema(self) -> Schema:
        return {"enum": list(self.words)}


def one_of(words: type[StrEnum]) -> Word:
    """One of the words of an enumeration."""
    return Word(tuple(word.value for word in words))


COMBINATION_NAMES = tuple("".join(map(str, dice)) for dice in COMBINATIONS)


@dataclass(frozen=True)
class DiceName(Shape):
    """A combination from high to low in quotes, like "421"."""

    def read(self, node: Node, name: str) -> str:
        if node.value not in COMBINATION_NAMES:
            refuse(
                node,
                text(
                    '{name} must be a combination from high to low, in quotes, like "421".',
                    name=name,
                ),
            )
        return str(node.value)

    def schema(self) -> Schema:
        return {"enum": list(COMBINATION_NAMES)}


@dataclass(frozen=True)
class ListOf(Shape):
    """A list of values of one shape, at least `least` of them, all different if `unique`."""

    item: Shape
    least: int = 0
    unique: bool = False

    def read(self, node: Node, name: str) -> list[Any]:
        if not isinstance(node.value, list):
            refuse(node, text("{name} must be a list.", name=name))
        if len(node.value) < self.least:
            refuse(
                node,
                text("{name} must be a list of at least {least}.", name=name, least=self.least),
            )
        found: list[Any] = []
        for entry in node.value:
            value = self.item.read(entry, name)
            if self.unique and value in found:
                twice = str(value)[:40]
                refuse(entry, text("{name}: {value} comes twice.", name=name, value=twice))
            found.append(value)
        return found

    def schema(self) -> Schema:
        made: Schema = {"type": "array", "items": self.item.schema()}
        if self.least:
            made["minItems"] = self.least
        if self.unique:
            made["uniqueItems"] = True
        return made


@dataclass(frozen=True)
class MapOf(Shape):
    """A mapping from names of one shape to values of another; null takes a name away."""

    names: Shape
    item: Shape
    takes_null: bool = False

    def read(self, node: Node, name: str) -> dict[str, Any]:
        found = {}
        for key, value in mapping(node, name).items():
            self.names.read(Node(key, node.key_line(key), file=node.file), f"{name}: {key}"[:60])
            if value.value is not None or not self.takes_null:
                found[key] = self.item.read(value, f"{name}.{key}"[:60])
        return found

    def schema(self) -> Schema:
        return {
            "type": "object",
            "propertyNames": self.names.schema(),
            "additionalProperties": (
                _or_null(self.item.schema()) if self.takes_null else self.item.schema()
            ),
        }


@dataclass(frozen=True)
class Either(Shape):
    """A value of one of several shapes; `expected` says in a sentence what they are.

    At most one of them is a group of fields, so that a group gets its own, more exact error.
    """

    shapes: tuple[Shape, ...]
    expected: Text

    def read(self, node: Node, name: str) -> Any:  # noqa: ANN401
        group = isinstance(node.value, dict)
        fitting = [one for one in self.shapes if isinstance(one, (Record, MapOf)) == group]
        alone = len(fitting) == 1 and isinstance(node.value, str)
        for shape in fitting:
            if group or alone:
                return shape.read(node, name)
            try:
                return shape.read(node, name)
            except DocumentError:
                continue
        refuse(node, Text(self.expected.msgid, {**self.expected.fields, "name": name}))

    def schema(self) -> Schema:
        return {"anyOf": [shape.schema() for shape in self.shapes]}


@dataclass(frozen=True)
class Record(Shape):
    """A mapping with known fields.

    What is not there has its value in `defaults`; a field without one must be there.  A null is
    the same as a field left out, so that a variant can take a field of its base away.
    """

    fields: Mapping[str, Shape]
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def read(self, node: Node, name: str) -> dict[str, Any]:
        given = {key: one for key, one in mapping(node, name).items() if one.value is not None}
        for key in given:
            if key not in self.fields:
                refuse(node, unknown(name, key, self.fields), node.key_line(key))
        found = {}
        for key, shape in self.fields.items():
            path = f"{name}.{key}" if name else key
            if key in given:
                found[key] = shape.read(given[key], path)
            elif key in self.defaults:
                found[key] = self.defaults[key]
            else:
                refuse(node, text("The field {name} is missing.", name=path), node.key_line(key))
        return found

    def schema(self) -> Schema:
        required = [key for key in self.fields if key not in self.defaults]
        properties = {
            key: shape.schema() if key in required else _or_null(shape.schema())
            for key, shape in self.fields.items()
        }
        made: Schema = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        if required:
            made["required"] = required
        return made

    def partial(self) -> Record:
        """The same with nothing required, at any depth: the differences of a variant."""
        fields = {
            key: shape.partial() if isinstance(shape, Record) else _partial_items(shape)
            for key, shape in self.fields.items()
        }
        return Record(fields, dict.fromkeys(fields))


def unknown(name: str, key: str, known: Iterable[str]) -> Text:
    """What is said of a field that is none of those known; `name` is the group it stands in."""
    path = f"{name}.{key}"[:80] if name else key[:80]
    close = get_close_matches(key, list(known), 1)
    if close:
        return text("There is no field {name} here. Is {other} meant?", name=path, other=close[0])
    return text(
        "There is no field {name} here. Possible are: {names}.",
        name=path,
        names=", ".join(sorted(known)),
    )


def mapping(node: Node, name: str) -> dict[str, Node]:
    """The fields of a node that must be a mapping."""
    if not isinstance(node.value, dict):
        if name:
            refuse(node, text("{name} must be a group of fields with values.", name=name))
        refuse(node, text("The file must be a group of fields with values."))
    return node.value


def _partial_items(shape: Shape) -> Shape:
    if isinstance(shape, MapOf):
        item = shape.item
        return MapOf(shape.names, item.partial() if isinstance(item, Record) else item, True)
    return shape


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}
