"""What happens at a table of a room, beside the game itself, as values and their plain form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from zanzibar_plugin.hookspecs import REGULAR


class Opened(NamedTuple):
    """Somebody opens a table, sits down and is its master."""

    name: str
    owner: str
    game: str
    options: Mapping[str, Any]
    private: bool


class Seated(NamedTuple):
    name: str
    owner: str


class Watching(NamedTuple):
    name: str
    owner: str


class Gone(NamedTuple):
    """Somebody gives up a seat before the game, or stops watching."""

    name: str


class BotSeated(NamedTuple):
    """`level` is one of those a game's bots can play."""

    name: str
    level: str = REGULAR


class BotGone(NamedTuple):
    name: str


class Chosen(NamedTuple):
    """An option was changed to a value; `game` and `options` are what holds now."""

    option: str
    value: Any
    game: str
    options: Mapping[str, Any]


class MadePrivate(NamedTuple):
    private: bool


class MasterIs(NamedTuple):
    name: str


class Kicked(NamedTuple):
    name: str


class StoodIn(NamedTuple):
    """A bot plays for somebody who is away: `why` is "dropped", "idle", "left" or "kicked"."""

    name: str
    why: str


class Returned(NamedTuple):
    """Somebody plays for himself again."""

    name: str


class Reminded(NamedTuple):
    """Somebody is told that everybody waits for him."""

    name: str


class Paused(NamedTuple):
    name: str


class Resumed(NamedTuple):
    name: str


class Begun(NamedTuple):
    """A game begins; `saved` is its table as the plugin saves it, rules and all.

    `without` are the people among its players who have no part in its dice.
    """

    saved: Mapping[str, Any]
    without: tuple[str, ...] = ()


class Promised(NamedTuple):
    """The room is bound to a secret for the dice of the next game.

    `game` names that game, `secret` is 32 bytes in hex and shown to nobody before its end, `names`
    are those whose pages are asked for a part, in seat order.
    """

    game: str
    secret: str
    names: tuple[str, ...]


class Committed(NamedTuple):
    """A player's page is bound to its part by this digest, in hex."""

    name: str
    commitment: str


class Revealed(NamedTuple):
    """A player's page shows its part, in hex."""

    name: str
    value: str


class StartCancelled(NamedTuple):
    """The game does not begin: `why` these names gave no part is "missing", "wrong" or "left".

    Or it is "fault", which is the game's own, and nobody's.
    """

    names: tuple[str, ...]
    why: str


class Said(NamedTuple):
    """Chat; `me` is whether the text tells what its writer does."""

    name: str
    text: str
    me: bool


class Closed(NamedTuple):
    """The table is no more; `name` is who closed it, or "" for the room itself."""

    name: str


Happening: TypeAlias = (
    Opened
    | Seated
    | Watching
    | Gone
    | BotSeated
    | BotGone
    | Chosen
    | MadePrivate
    | MasterIs
    | Kicked
    | StoodIn
    | Returned
    | Reminded
    | Paused
    | Resumed
    | Begun
    | Promised
    | Committed
    | Revealed
    | StartCancelled
    | Said
    | Closed
)

NAMES: Mapping[type[Happening], str] = {
    Opened: "opened",
    Seated: "seated",
    Watching: "watching",
    Gone: "gone",
    BotSeated: "bot_seated",
    BotGone: "bot_gone",
    Chosen: "chosen",
    MadePrivate: "made_private",
    MasterIs: "master_is",
    Kicked: "kicked",
    StoodIn: "stood_in",
    Returned: "returned",
    Reminded: "reminded",
    Paused: "paused",
    Resumed: "resumed",
    Begun: "begun",
    Promised: "promised",
    Committed: "committed",
    Revealed: "revealed",
    StartCancelled: "start_cancelled",
    Said: "said",
    Closed: "closed",
}

_KINDS: Mapping[str, type[Happening]] = {name: kind for kind, name in NAMES.items()}


def to_data(happening: Happening) -> dict[str, Any]:
    """The plain form: JSON types, the kind under `room`."""
    return {"room": NAMES[type(happening)], **happening._asdict()}


def from_data(data: Mapping[str, Any]) -> Happening:
    """The happening of a plain form; ValueError if it is none."""
    kind = _KINDS.get(data.get("room", ""))
    rest: dict[str, Any] = {
        # JSON has no tuples.
        name: tuple(value) if isinstance(value, list) else value
        for name, value in data.items()
        if name != "room"
    }
    # A field that an older journal did not have yet has a default.
    least = set() if kind is None else set(kind._fields) - set(kind._field_defaults)
    if kind is None or not least <= set(rest) <= set(kind._fields):
        raise ValueError(f"not something that happens at a table: {data!r:.80}")
    return kind(**rest)
