"""The record of a game as a file: what anybody needs to recompute its dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from zanzibar_plugin.names import shown
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.checkable import Draw, Part, dice_of, digest_of, is_value
from zanzibar_plugin.room.sitting import happened_in
from zanzibar_plugin.text import Dice, Text, text

FORM = "zanzibar record 1"


def record_of(entries: Sequence[Mapping[str, Any]], game: str = "") -> dict[str, Any] | None:
    """The record of a journal's last game whose dice are shown, or of the `game` of that name.

    None if there is none.  `entries` are the data of all entries.  Chat and the owners of seats are
    no part of it.
    """
    found: dict[str, Any] | None = None
    current: dict[str, Any] | None = None
    cancelled: list[dict[str, Any]] = []
    begun = False
    for data in entries:
        for one in happened_in(data):
            over = False
            match one:
                case hp.Promised():
                    current, begun = _promised(one), False
                case hp.Committed(name, commitment) if current is not None:
                    _part(current, name)["commitment"] = commitment
                case hp.Revealed(name, value) if current is not None:
                    _part(current, name)["value"] = value
                case hp.StartCancelled(names, why) if current is not None:
                    cancelled.append({"game": current["game"], "names": [*names], "why": why})
                    current = None
                case hp.Begun() if current is not None:
                    current["cancelled"], cancelled, begun = cancelled, [], True
                case hp.Closed():
                    over = begun
                case Mapping() if current is not None and begun:
                    current["events"].append(dict(one))
                    over = current["finished"] = one["event"] == "game_over"
            if over and current is not None:
                found = current if game in ("", current["game"]) else found
                current, begun = None, False
    return found


def _promised(event: hp.Promised) -> dict[str, Any]:
    return {
        "form": FORM,
        "game": event.game,
        "digest": digest_of(event.secret),
        "secret": event.secret,
        "parts": [Part(name, "")._asdict() for name in event.names],
        "cancelled": [],
        "finished": False,
        "events": [],
    }


def _part(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    part: dict[str, Any] = next(part for part in record["parts"] if part["name"] == name)
    return part


class Checked(NamedTuple):
    """What the check of a record whose dice are right has found.

    `names` are the players whose parts are in the dice; `cancelled` counts the starts that were
    broken off before this game; `finished` is whether it was played to its end.
    """

    throws: int
    names: tuple[str, ...]
    cancelled: int
    finished: bool


def checked(record: object) -> Checked | Text:
    """What the dice of a record are found to be, or the first thing in it that does not fit."""
    draw = _draw_in(record)
    if isinstance(draw, Text):
        return draw
    assert isinstance(record, Mapping)
    events, cancelled = record.get("events"), record.get("cancelled")
    if not _are_mappings(events) or not _are_mappings(cancelled):
        return text("The record lacks what happens in the game.")
    kinds = [event.get("event") for event in events]
    finished = "game_over" in kinds
    if finished and kinds.index("game_over") < len(kinds) - 1:
        return text("The record goes on after the end of the game.")
    throws = _throws_in(events)
    if isinstance(throws, Text):
        return throws
    names = tuple(part.name for part in draw.parts)
    return _fault_in(throws, draw) or Checked(len(throws), names, len(cancelled), finished)


def _are_mappings(listed: object) -> TypeGuard[list[Mapping[str, Any]]]:
    return isinstance(listed, list) and all(isinstance(one, Mapping) for one in listed)


def _draw_in(record: object) -> Draw | Text:
    """The dice of a record, once its promises are found kept; or what is wrong with it."""
    if not isinstance(record, Mapping) or record.get("form") != FORM:
        return text("This is no record of a game.")
    game, secret, parts = record.get("game"), record.get("secret"), record.get("parts")
    if not _is_game(game) or not is_value(secret):
        return text("The record lacks the name of the game, or the room's secret number.")
    if record.get("digest") != digest_of(str(secret)):
        return text("The room's secret number is not the one that was promised.")
    if not _are_mappings(parts) or not all(isinstance(part.get("name"), str) for part in parts):
        return text("The record lacks the players' secret numbers.")
    found = []
    for part in parts:
        value, commitment = part.get("value"), part.get("commitment")
        if not is_value(value) or digest_of(str(value)) != commitment:
            return text(
                "This secret number is not the one that was promised: {player}.",
                player=shown(part["name"]),
            )
        found.append(Part(part["name"], str(commitment), str(value)))
    return Draw(str(game), str(secret), tuple(found))


def _is_game(game: object) -> bool:
    """Whether a game can have this name: it is a line of ASCII in what is hashed."""
    return isinstance(game, str) and game != "" and game.isascii() and game.isprintable()


def _throws_in(events: Sequence[Mapping[str, Any]]) -> list[Sequence[int]] | Text:
    """The faces of each throw, as they fell; or what is wrong with them."""
    thrown = [event for event in events if event.get("event") == "thrown"]
    if not thrown:
        return text("The record has no throws.")
    if not any("new" in event for event in thrown):
        # A game of another plugin, which does not do as `docs/hooks.md` says.
        return text("The dice of this game cannot be checked: its record does not tell them.")
    throws: list[Sequence[int]] = []
    for event in thrown:
        new = event.get("new")
        if not isinstance(new, list) or not new or not all(type(face) is int for face in new):
            return text("The dice of throw number {throw} are missing.", throw=len(throws) + 1)
        throws.append(new)
    return throws


def _fault_in(throws: Sequence[Sequence[int]], draw: Draw) -> Text | None:
    """The first throw that is not the computed one, or None."""
    dice = dice_of(draw)
    for number, faces in enumerate(throws):
        computed = dice(number, len(faces))
        if list(faces) != list(computed):
            return text(
                "Throw number {throw} does not fit: the record says {found}, the computation gives "
                "{computed}.",
                throw=number + 1,
                found=Dice(tuple(faces)),
                computed=Dice(tuple(computed)),
            )
    return None
