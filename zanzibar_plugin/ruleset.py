"""A rules file, read and checked: the game it offers, its options, and the text of its help.

A `Ruleset` is what an operator writes; `Rules` are what one table plays.  Choosing the options
leads from one to the other: each option states the difference it makes to the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from zanzibar_plugin.document import Node, Scalar
from zanzibar_plugin.rules import OptionValue
from zanzibar_plugin.text import Text, text


@dataclass(frozen=True, slots=True)
class Number:
    """An option that is a whole number from `low` to `high`; it becomes the field `sets`."""

    name: str
    label: str
    help: str
    low: int
    high: int
    default: int
    sets: tuple[str, ...]

    def read(self, value: object) -> int | None:
        """The value meant, also when it was typed as text; None if it is none of this option."""
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        fits = isinstance(value, int) and not isinstance(value, bool)
        return value if fits and self.low <= value <= self.high else None  # type: ignore[operator,return-value]

    def expected(self) -> Text:
        """What a value of this option must be."""
        return text(
            "{option} must be a whole number from {low} to {high}.",
            option=self.name,
            low=self.low,
            high=self.high,
        )

    def difference(self, value: OptionValue) -> Node:
        """The change to the rules file that this value makes."""
        node = Node(int(value))
        for name in reversed(self.sets):
            node = Node({name: node})
        return node


@dataclass(frozen=True, slots=True)
class Switch:
    """An option that is on or off; `changes` are the differences it makes when it is on."""

    name: str
    label: str
    help: str
    default: bool
    changes: Node

    def read(self, value: object) -> bool | None:
        """The value meant, also when it was typed as text; None if it is none of this option."""
        if isinstance(value, str):
            return {"true": True, "false": False}.get(value.lower())
        return value if isinstance(value, bool) else None

    def expected(self) -> Text:
        """What a value of this option must be."""
        return text("{option} must be true or false.", option=self.name)

    def difference(self, value: OptionValue) -> Node:
        """The change to the rules file that this value makes."""
        return self.changes if value else Node({})


Option: TypeAlias = Number | Switch


@dataclass(frozen=True, slots=True)
class PhaseText:
    """How a phase is called, and what is said when it begins after another (else empty)."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """Keys that do the same with different numbers, how they are called and what they do."""

    keys: tuple[str, ...]
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a help page; English, with placeholders.

    It is shown where every condition of `when` holds: the field of the rules file at that path
    has one of these values.  `count` is the field a plural depends on, or empty.
    """

    msgid: str
    plural: str
    count: str
    when: Mapping[tuple[str, ...], tuple[Scalar, ...]]
    beats: tuple[tuple[str, str], ...]
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a help page."""

    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game to choose: everything a rules file says, with the whole file as `document`."""

    id: str
    name: str
    summary: str
    phases: Mapping[str, PhaseText]
    options: tuple[Option, ...]
    keys: tuple[KeyHelp, ...]
    help: tuple[Section, ...]
    document: Node
    file: str

    def choose(self, given: Mapping[str, object]) -> Mapping[str, OptionValue] | Text:
        """All options with their values, those not given by default; or what is wrong."""
        names = [option.name for option in self.options]
        for name in given:
            if name not in names:
                return text(
                    "This game has no option {option}. Its options are: {options}.",
                    option=name[:40],
                    options=", ".join(names),
                )
        chosen: dict[str, OptionValue] = {}
        for option in self.options:
            value = option.read(given[option.name]) if option.name in given else option.default
            if value is None:
                return option.expected()
            chosen[option.name] = value
        return chosen
