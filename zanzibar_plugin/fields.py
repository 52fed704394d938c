"""Reading the fields of a mapping: what is there, of the right type and range, or a plain error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import NoReturn, TypeVar

from zanzibar_plugin.document import DocumentError, Node
from zanzibar_plugin.text import Text, text

E = TypeVar("E", bound=StrEnum)


class Fields:
    """The fields of one mapping of a document; every fault is a `DocumentError` with its line.

    `known` are all field names there may be; another one is refused at once, since it is most
    often a slip of the pen.
    """

    def __init__(self, node: Node, file: str, where: str, known: Iterable[str] | None) -> None:
        self.file = file
        self.where = where
        self.node = node
        self._fields: Mapping[str, Node] = {}
        if not isinstance(node.value, dict):
            self.fail(node, text("{where} must be a list of fields with values.", where=where))
        self._fields = node.value
        if known is not None:
            names = sorted(known)
            for name in self._fields:
                if name not in names:
                    self._unknown(name, names)

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterable[str]:
        return iter(self._fields)

    def names(self) -> tuple[str, ...]:
        """The names of the fields, in the order of the file."""
        return tuple(self._fields)

    def fail(self, node: Node, problem: Text) -> NoReturn:
        """Refuse the document because of this node."""
        raise DocumentError(self.file, node.line, problem)

    def node_of(self, name: str) -> Node:
        """The value of a field that must be there."""
        if name not in self._fields:
            problem = text("{where} lacks the field {name}.", where=self.where, name=name)
            self.fail(self.node, problem)
        return self._fields[name]

    def fields(self, name: str, known: Iterable[str] | None) -> Fields:
        """A field that is a mapping itself."""
        return Fields(self.node_of(name), self.file, self.path(name), known)

    def items(self, name: str) -> list[Node]:
        """A field that is a list; a missing one is empty."""
        node = self._fields.get(name, Node([]))
        if not isinstance(node.value, list):
            self.fail(node, text("{name} must be a list.", name=self.path(name)))
        return node.value

    def path(self, name: str) -> str:
        """The name of a field with those above it."""
        return f"{self.where}.{name}" if self.where else name

    def string(self, name: str, default: str | None = None) -> str:
        """A field that is text and not empty."""
        if default is not None and name not in self._fields:
            return default
        node = self.node_of(name)
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            problem = text("{name} must be text: put it in quotes.", name=self.path(name))
            self.fail(node, problem)
        if not isinstance(node.value, str) or not node.value.strip():
            self.fail(node, text("{name} must be text.", name=self.path(name)))
        return node.value.strip()

    def whole(self, name: str, low: int, high: int) -> int:
        """A field that is a whole number from `low` to `high`."""
        value = self.node_of(name).value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fail(
                self.node_of(name),
                text(
                    "{name} must be a whole number from {low} to {high}.",
                    name=self.path(name),
                    low=low,
                    high=high,
                ),
            )
        return value

    def boolean(self, name: str) -> bool:
        """A field that is true or false."""
        value = self.node_of(name).value
        if not isinstance(value, bool):
            problem = text("{name} must be true or false.", name=self.path(name))
            self.fail(self.node_of(name), problem)
        return value

    def choice(self, name: str, words: type[E]) -> E:
        """A field that is one of a few words."""
        node = self.node_of(name)
        for word in words:
            if node.value == word.value:
                return word
        problem = text(
            "{name} must be one of: {words}.",
            name=self.path(name),
            words=", ".join(word.value for word in words),
        )
        self.fail(node, problem)

    def _unknown(self, name: str, names: list[str]) -> NoReturn:
        close = get_close_matches(name, names, 1)
        line = self.node.key_line(name)
        if close:
            problem = text(
                "There is no field {name} here. Is {other} meant?",
                name=self.path(name)[:80],
                other=close[0],
            )
        else:
            problem = text(
                "There is no field {name} here. Possible are: {names}.",
                name=self.path(name)[:80],
                names=", ".join(names),
            )
        raise DocumentError(self.file, line, problem)
