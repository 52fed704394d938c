"""The record of a game as a file: what anybody needs to recompute its dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.checkable import Draw, Part, dice_of, digest_of, is_value
from zanzibar_plugin.room.sitting import happened_in
from zanzibar_plugin.text import Dice, Text, text

FORM = "zanzibar record 1"


def record_of(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The record of the last game of a journal that is over; None if there is none.

    `entries` are the data of all entries.  Chat and the owners of seats are no part of it.
    """
    found: dict[str, Any] | None = None
    current: dict[str, Any] | None = None
    for data in entries:
        for one in happened_in(data):
            match one:
                case hp.Promised(game, secret, names):
                    parts = [Part(name, "")._asdict() for name in names]
                    current = {
                        "form": FORM,
                        "game": game,
                        "digest": digest_of(secret),
                        "secret": secret,
                        "parts": parts,
                        "events": [],
                    }
                case hp.Committed(name, commitment) if current is not None:
                    _part(current, name)["commitment"] = commitment
                case hp.Revealed(name, value) if current is not None:
                    _part(current, name)["value"] = value
                case hp.StartCancelled():
                    current = None
                case Mapping() if current is not None:
                    current["events"].append(dict(one))
                    if one["event"] == "game_over":
                        found, current = current, None
    return found


def _part(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    part: dict[str, Any] = next(part for part in record["parts"] if part["name"] == name)
    return part


def draw_in(record: object) -> Draw | Text:
    """The dice of a record, once its promises are found kept; or what is wrong with it."""
    if not isinstance(record, Mapping) or record.get("form") != FORM:
        return text("This is no record of a game.")
    game, secret, parts = record.get("game"), record.get("secret"), record.get("parts")
    if not isinstance(game, str) or "\n" in game or not is_value(secret):
        return text("The record lacks the name of the game, or the room's secret number.")
    if record.get("digest") != digest_of(str(secret)):
        return text("The room's secret number is not the one that was promised.")
    if not isinstance(parts, list):
        return text("The record lacks the players' secret numbers.")
    found = []
    for part in parts:
        if not isinstance(part, Mapping) or not isinstance(part.get("name"), str):
            return text("The record lacks the players' secret numbers.")
        value, commitment = part.get("value"), part.get("commitment")
        if not is_value(value) or digest_of(str(value)) != commitment:
            return text(
                "This secret number is not the one that was promised: {player}.",
                player=part["name"],
            )
        found.append(Part(part["name"], str(commitment), str(value)))
    return Draw(game, str(secret), tuple(found))


def throws_in(record: Mapping[str, Any]) -> list[Sequence[int]] | Text:
    """The faces of each throw of a record, as they fell; or what is wrong with it."""
    events = record.get("events")
    if not isinstance(events, list):
        return text("The record lacks what happens in the game.")
    throws: list[Sequence[int]] = []
    for event in events:
        if not isinstance(event, Mapping):
            return text("The record lacks what happens in the game.")
        if event.get("event") == "thrown":
            new = event.get("new")
            if not isinstance(new, list) or not new or not all(type(face) is int for face in new):
                return text("The dice of throw number {throw} are missing.", throw=len(throws) + 1)
            throws.append(new)
    return throws


def fault_in(record: object) -> Text | None:
    """The first thing in a record that does not fit, or None if all of it does."""
    draw = draw_in(record)
    if isinstance(draw, Text):
        return draw
    assert isinstance(record, Mapping)
    throws = throws_in(record)
    if isinstance(throws, Text):
        return throws
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
