"""What happens at a table, as values, and their plain form.

The plain form (`to_data`) is a dict of JSON types with `event` first; it is what hosts, journals
and recordings see.  Field names, order and meaning are fixed: recordings outlive versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.rules import OptionValue

Tokens: TypeAlias = Mapping[str, int]
"""Every player of the game and his tokens, leavers with 0, in seat order."""


class GameStarted(NamedTuple):
    rules: str
    players: tuple[str, ...]
    options: Mapping[str, OptionValue]
    table: int
    tokens: Tokens


class TurnStarted(NamedTuple):
    turn: int
    phase: str
    starter: str
    table: int
    tokens: Tokens


class Selected(NamedTuple):
    player: str
    selected: Faces
    kept: Faces


class Thrown(NamedTuple):
    """`dice` are all three from high to low, `new` the faces thrown, as they fell."""

    player: str
    throw: int
    limit: int
    dice: Faces
    new: Faces


class Accepted(NamedTuple):
    player: str
    dice: Faces
    throws: int


class TurnComplete(NamedTuple):
    """The last player of the turn is done; the host now has the turn settled."""

    turn: int


class TurnEnded(NamedTuple):
    """`source` is "table" or the name of the player who gave.

    Where every other player pays, `source` is None and `payments` has a dict with `from` and
    `amount` for each, in seat order; otherwise it is None, and no field of the plain form.
    """

    turn: int
    best: str
    worst: str
    value: int
    moved: int
    source: str | None
    table: int
    tokens: Tokens
    payments: tuple[Mapping[str, Any], ...] | None = None


class Left(NamedTuple):
    player: str
    place: int


class PhaseStarted(NamedTuple):
    phase: str
    table: int
    tokens: Tokens


class GameOver(NamedTuple):
    """`loser` is None where a game has winners only, or where several share the last place."""

    winners: tuple[str, ...]
    loser: str | None
    places: Mapping[str, int]


class ThrowOffStarted(NamedTuple):
    """These players throw again: `about` the "best" or the "worst" of the turn, or the "start"."""

    players: tuple[str, ...]
    about: str


class LastAnnounced(NamedTuple):
    """The starter says before `throw` that it will be his last."""

    player: str
    throw: int


class PenaltyPaid(NamedTuple):
    """What a nénette costs at once; `source` is "table" or the name of the player who gave."""

    player: str
    moved: int
    source: str
    table: int
    tokens: Tokens


class SetEnded(NamedTuple):
    """A set has its loser; `lost` is how many sets each player has lost so far."""

    set: int
    winners: tuple[str, ...]
    loser: str
    lost: Mapping[str, int]


class SetStarted(NamedTuple):
    set: int
    phase: str
    table: int
    tokens: Tokens


class Answered(NamedTuple):
    """The answer to a key that asks; its plain form holds the fields of `data` directly."""

    player: str
    key: str
    data: Mapping[str, Any]


class Refused(NamedTuple):
    """A key that changes nothing, and the code of the reason why."""

    player: str
    key: str
    reason: str


Event: TypeAlias = (
    GameStarted
    | TurnStarted
    | Selected
    | Thrown
    | Accepted
    | TurnComplete
    | TurnEnded
    | Left
    | PhaseStarted
    | GameOver
    | Answered
    | Refused
    | ThrowOffStarted
    | LastAnnounced
    | PenaltyPaid
    | SetEnded
    | SetStarted
)

NAMES: Mapping[type[Event], str] = {
    GameStarted: "game_started",
    TurnStarted: "turn_started",
    Selected: "selected",
    Thrown: "thrown",
    Accepted: "accepted",
    TurnComplete: "turn_complete",
    TurnEnded: "turn_ended",
    Left: "left",
    PhaseStarted: "phase_started",
    GameOver: "game_over",
    Answered: "answered",
    Refused: "refused",
    ThrowOffStarted: "throw_off_started",
    LastAnnounced: "last_announced",
    PenaltyPaid: "penalty_paid",
    SetEnded: "set_ended",
    SetStarted: "set_started",
}

_TYPES: Mapping[str, type[Event]] = {name: kind for kind, name in NAMES.items()}


def to_data(event: Event) -> dict[str, Any]:
    """The plain form: JSON types only, `event` first, then the fields in their order."""
    data: dict[str, Any] = {"event": NAMES[type(event)]}
    if isinstance(event, Answered):
        return data | {"player": event.player, "key": event.key, **event.data}
    for name, value in zip(event._fields, event, strict=True):
        data[name] = list(value) if isinstance(value, tuple) else value
    if data.get("payments", ()) is None:
        del data["payments"]
    return data


def from_data(data: Mapping[str, Any]) -> Event:
    """The event of a plain form made by `to_data`; ValueError if it is none."""
    kind = _TYPES.get(data.get("event", ""))
    if kind is None:
        raise ValueError(f"not an event: {data!r:.80}")
    if tuple(data)[1:] == kind._fields and kind is not Answered:  # as `to_data` makes most
        return tuple.__new__(kind, map(_frozen, tuple(data.values())[1:]))
    rest: dict[str, Any] = {name: _frozen(value) for name, value in data.items()}
    del rest["event"]
    if kind is Answered:
        answer = {name: data[name] for name in rest if name not in ("player", "key")}
        return Answered(rest["player"], rest["key"], answer)
    needed, allowed = _FIELDS[kind]
    if not needed <= rest.keys() <= allowed:
        raise ValueError(f"not the fields of {data['event']}: {sorted(rest)}")
    return kind(**rest)


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


_FIELDS: Mapping[type[Event], tuple[frozenset[str], frozenset[str]]] = {
    kind: (frozenset(kind._fields) - set(kind._field_defaults), frozenset(kind._fields))
    for kind in NAMES
}
"""The fields that the plain form of an event must have, and those it may have."""
