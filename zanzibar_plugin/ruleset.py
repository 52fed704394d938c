"""A rules file, read and checked: the game it offers, its options, and the text of its help.

A `Ruleset` is what an operator writes; `Rules` are what one table plays.  Choosing the options
leads from one to the other: each option states the difference it makes to the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from zanzibar_plugin.document import Node
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
    node: Node

    def read(self, value: object) -> int | None:
        """The value meant, also when it was typed as text; None if it is none of this option."""
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return value if self.low <= value <= self.high else None

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
        line, file = self.node.key_line("sets"), self.node.file
        node = Node(int(value), line, file=file)
        for name in reversed(self.sets):
            node = Node({name: node}, line, {name: line}, file)
        return node

    def values(self) -> tuple[OptionValue, ...]:
        """Values that between them try all this option can do."""
        return (self.low, self.high)


_SWITCHED = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


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
            return _SWITCHED.get(value.lower())
        return value if isinstance(value, bool) else None

    def expected(self) -> Text:
        """What a value of this option must be."""
        return text("{option} must be true or false.", option=self.name)

    def difference(self, value: OptionValue) -> Node:
        """The change to the rules file that this value makes."""
        return self.changes if value else Node({})

    def values(self) -> tuple[OptionValue, ...]:
        """Values that between them try all this option can do."""
        return (False, True)


@dataclass(frozen=True, slots=True)
class Way:
    """One way of a choice: how it is called, and the differences it makes."""

    label: str
    changes: Node


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that is one of a few words; each is a way to play."""

    name: str
    label: str
    help: str
    default: str
    choices: Mapping[str, Way]

    def read(self, value: object) -> str | None:
        """The value meant; None if it is none of this option."""
        return value if isinstance(value, str) and value in self.choices else None

    def expected(self) -> Text:
        """What a value of this option must be."""
        return text(
            "{option} must be one of: {choices}.",
            option=self.name,
            choices=", ".join(self.choices),
        )

    def difference(self, value: OptionValue) -> Node:
        """The change to the rules file that this value makes."""
        return self.choices[str(value)].changes

    def values(self) -> tuple[OptionValue, ...]:
        """Values that between them try all this option can do."""
        return tuple(self.choices)


Option: TypeAlias = Number | Switch | Choice


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

    It is shown where every condition of `when` holds: the trait of the rules with that name has
    one of these values.  `count` is the fact a plural depends on, or empty; `for_each` is what the
    paragraph is repeated for, or empty.
    """

    msgid: str
    plural: str
    count: str
    for_each: str
    when: Mapping[str, tuple[str, ...]]
    beats: tuple[tuple[str, str], ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a help page, shown where `when` holds."""

    title: str
    when: Mapping[str, tuple[str, ...]]
    paragraphs: tuple[Paragraph, ...]


Words: TypeAlias = str | Mapping[str, str]
"""A text to be found in the catalogs, or an operator's own words for each language."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game to choose: everything a rules file says, with the whole file as `document`.

    `base` is the id of the game this one is a variant of, or empty; `region` and `source` say
    where it is played and who describes it.
    """

    id: str
    base: str
    name: Words
    summary: str
    note: Words
    source: str
    region: str
    phases: Mapping[str, PhaseText]
    options: tuple[Option, ...]
    keys: tuple[KeyHelp, ...]
    help: tuple[Section, ...]
    document: Node
    file: str

    def defaults(self) -> dict[str, OptionValue]:
        """All options as they are when nothing is chosen."""
        return {option.name: option.default for option in self.options}

    def choose(self, given: Mapping[str, object]) -> Mapping[str, OptionValue] | Text:
        """All options with their values, those not given by default; or what is wrong."""
        names = [option.name for option in self.options]
        for name in given:
            if name not in names:
                return text(
                    "This game has no option {option}. Its options are: {options}.",
                    option=str(name)[:40],
                    options=", ".join(names),
                )
        chosen: dict[str, OptionValue] = {}
        for option in self.options:
            value = option.read(given[option.name]) if option.name in given else option.default
            if value is None:
                return option.expected()
            chosen[option.name] = value
        return chosen
