"""What a table shows, as JSON data for pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zanzibar_plugin.hookspecs import HelpPage
from zanzibar_plugin.room.party import Party, Stage
from zanzibar_plugin.room.sitting import Games, Sitting, game_of


def view_of(sitting: Sitting, name: str, lang: str, games: Games) -> Mapping[str, Any]:
    """A table as data for somebody's page: people, stage, options, the game and the keys now."""
    party = sitting.party
    game = game_of(party.game, games)
    shown: dict[str, Any] = {
        "game": party.game,
        "you": name,
        "master": party.master,
        "stage": party.stage.value,
        "paused": party.paused,
        "private": party.private,
        "options": dict(party.options),
        "seats": [
            {
                "name": seat.name,
                "bot": not seat.owner,
                "away": seat.away,
                "level": "" if seat.owner else seat.level,
            }
            for seat in party.seats
        ],
        "watchers": [watcher.name for watcher in party.watchers],
        "play": None,
        "keys": [],
        # All is shown as the game begins; while it is played it does not change.
        "draw": None if party.start is None or _well_on(sitting) else draw_of(party),
    }
    if sitting.table is not None:
        play = game.view(sitting.table, name or None, lang)
        if not isinstance(play.get("seats"), (list, tuple)):
            raise TypeError("a view without seats")
        shown["play"] = play
        shown["keys"] = [
            {"key": key.key, "label": key.label}
            for key in game.usable_keys(sitting.table, name, lang)
        ]
    return shown


def _well_on(sitting: Sitting) -> bool:
    """Whether something has happened already in the game that is played."""
    return sitting.party.stage is Stage.PLAYING and sitting.number > sitting.begun


def draw_of(party: Party) -> Mapping[str, Any]:
    """How the dice are agreed upon: parts once all are bound, the secret once the game is over.

    It is over too for those whose table is closed in the midst of it.
    """
    start = party.start
    assert start is not None
    draw = start.draw
    starting = party.stage is Stage.STARTING
    return {
        "game": draw.game,
        "digest": draw.digest,
        "parts": [part._asdict() for part in draw.parts] if start.showing else [],
        "asked": list(start.missing) if starting else [],
        "for": ("value" if start.showing else "commitment") if starting else "",
        "secret": draw.secret if party.stage in (Stage.OVER, Stage.CLOSED) else "",
    }


def page_of(page: HelpPage) -> dict[str, Any]:
    """A help page as JSON data."""
    return {
        "title": page.title,
        "sections": [section._asdict() for section in (*page.sections, page.keys)],
    }
