"""The rules one table is played by, validated and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.ranking import Combination

OptionValue: TypeAlias = bool | int | str


class Follow(StrEnum):
    """How many throws those after the starter of a turn may use."""

    PREVIOUS = "previous"
    """At most as many as the player just before really used."""


class Payer(StrEnum):
    """Where the tokens come from that the weakest of a turn takes."""

    TABLE = "table"
    BEST = "best"


class Ends(StrEnum):
    """When a phase is over."""

    TABLE_EMPTY = "table_empty"
    ONE_HOLDER = "one_holder"


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the game: `id`, the most throws a starter has, and where the tokens come from."""

    id: str
    throws: int
    follow: Follow
    payer: Payer
    ends: Ends


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table plays: frozen, and with the chosen options already worked in.

    `pot` is the number of tokens on the table at the start; `phases` come in order;
    `combinations` are all 56, strongest first; `options` are the values chosen.
    """

    id: str
    min_players: int
    max_players: int
    pot: int
    phases: tuple[Phase, ...]
    combinations: tuple[Combination, ...]
    options: Mapping[str, OptionValue]
    by_dice: Mapping[Faces, Combination] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = {combination.dice: combination for combination in self.combinations}
        object.__setattr__(self, "by_dice", found)
