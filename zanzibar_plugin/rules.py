"""The rules one table is played by, validated and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.ranking import Combination, Ranking

OptionValue: TypeAlias = bool | int | str


class Follow(StrEnum):
    """How many throws those after the starter of a turn may use."""

    PREVIOUS = "previous"
    """At most as many as the player just before really used."""
    FIRST = "first"
    """At most as many as the starter used."""
    FIRST_EXACTLY = "first_exactly"
    """Just as many as the starter used, who announces his last throw before he throws it."""
    FREE = "free"
    """As many as the starter may use."""


class Payer(StrEnum):
    """Where the tokens come from that the weakest of a turn takes."""

    TABLE = "table"
    BEST = "best"
    EACH_OTHER = "each_other"
    """Every other player pays."""


class Amount(StrEnum):
    """How many tokens a payer pays, where it is not a fixed number."""

    BEST_VALUE = "best_value"
    PAYER_VALUE = "payer_value"
    """The value of the payer's own combination."""


class Ends(StrEnum):
    """When a phase is over, at the end of a turn."""

    TABLE_EMPTY = "table_empty"
    ONE_HOLDER = "one_holder"
    FIRST_EMPTY = "first_empty"
    """Somebody has no token left."""
    TURNS = "turns"
    """So many turns have been played in it."""
    TARGET = "target"
    """Somebody holds so many tokens."""


class Leave(StrEnum):
    """When players without tokens go out of the game."""

    PHASE_END = "phase_end"
    TURN_END = "turn_end"
    NEVER = "never"


class PhaseStarter(StrEnum):
    """Who starts the first turn of a phase that is not the first."""

    AS_USUAL = "as_usual"
    MOST_TOKENS = "most_tokens"


class First(StrEnum):
    """Who starts the first turn of the game."""

    SEAT = "seat"
    DIE_HIGH = "die_high"
    """Everybody throws one die; the highest starts."""
    DIE_LOW = "die_low"


class Next(StrEnum):
    """Who starts the next turn."""

    LOSER = "loser"
    WINNER = "winner"
    ROTATE = "rotate"


class Tie(StrEnum):
    """What becomes of equal combinations."""

    LATER_WINS = "later_wins"
    EARLIER_WINS = "earlier_wins"
    THROW_OFF = "throw_off"
    CANCEL = "cancel"
    """Nobody pays, and the same player starts again."""


class Order(StrEnum):
    """In which order a throw-off is thrown."""

    FORWARD = "forward"
    REVERSE = "reverse"


class Stake(StrEnum):
    """How many tokens move when a throw-off was needed."""

    SAME = "same"
    ONE = "one"


class Scope(StrEnum):
    """Which ties are thrown off."""

    BOTH = "both"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class Supply:
    """The tokens at the start: the `pot` on the table, and those `each` player gets.

    `by_players` has other numbers (pot, each) for some numbers of players; for each player above
    `extra_above` the pot has `extra_add` tokens more.
    """

    pot: int
    each: int
    by_players: Mapping[int, tuple[int, int]]
    extra_above: int
    extra_add: int

    def start(self, players: int) -> tuple[int, int]:
        """Tokens in the pot, and of each player, for so many players."""
        pot, each = self.by_players.get(players, (self.pot, self.each))
        return pot + self.extra_add * max(0, players - self.extra_above), each


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the game.

    `throws` is the most a starter has; `amount` a word or a fixed number; `count` the number of
    turns or tokens that `ends` speaks of, else 0.
    """

    id: str
    throws: int
    follow: Follow
    payer: Payer
    amount: Amount | int
    ends: Ends
    count: int
    leave: Leave
    starter: PhaseStarter


@dataclass(frozen=True, slots=True)
class ThrowOff:
    """How ties are thrown off, where they are."""

    throws: int
    order: Order
    stake: Stake
    scope: Scope


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table plays: frozen, and with the chosen options already worked in.

    `phases` come in order; `combinations` are all 56, strongest
    first; `ranking` is how they came about, None if they were listed.  `penalty` tokens are what
    a nénette costs at once (0: nothing), `repeat_step` what each further highest combination of a
    turn adds to its value.  With `lock_kept` a die once kept stays.  Who has lost `lost_sets` sets
    has lost.  With `advice` players may ask what is best.  `options` are the values chosen.
    """

    id: str
    min_players: int
    max_players: int
    supply: Supply
    phases: tuple[Phase, ...]
    combinations: tuple[Combination, ...]
    ranking: Ranking | None
    first: First
    next: Next
    tie: Tie
    throw_off: ThrowOff
    penalty: int
    lock_kept: bool
    repeat_step: int
    lost_sets: int
    advice: bool
    options: Mapping[str, OptionValue]
    by_dice: Mapping[Faces, Combination] = field(init=False, repr=False, compare=False)
    announced: bool = field(init=False, repr=False, compare=False)
    """Whether a starter who stops early must announce his last throw."""

    def __post_init__(self) -> None:
        found = {combination.dice: combination for combination in self.combinations}
        object.__setattr__(self, "by_dice", found)
        exact = any(phase.follow is Follow.FIRST_EXACTLY for phase in self.phases)
        object.__setattr__(self, "announced", exact)

    def strength(self, dice: Faces) -> int:
        """How strong dice are; a single die is one thrown for the start."""
        if len(dice) == 1:
            return dice[0] if self.first is First.DIE_HIGH else -dice[0]
        return self.by_dice[dice].strength
