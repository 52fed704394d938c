"""The limits and times of a room as its operator sets them, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from zanzibar_plugin.hosts.web.limits import WebLimits
from zanzibar_plugin.hosts.web.server import RoomSettings
from zanzibar_plugin.room.hall import Limits
from zanzibar_plugin.room.keeper import Pace
from zanzibar_plugin.text import Text, text


def names() -> dict[str, float]:
    """All that can be set, with the values they have when nothing is said."""
    return {
        field.name: getattr(part, field.name)
        for part in (Pace(), Limits(), WebLimits())
        for field in fields(part)
    }


def settings_of(
    given: Mapping[str, object], origins: Sequence[str], trust_proxy: bool
) -> RoomSettings | Text:
    """The settings of a room with some limits changed, or what is wrong with them."""
    known = names()
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            return text(
                "There is no limit {name}. Limits: {names}.",
                name=name[:40],
                names=", ".join(known),
            )
        number = _number(str(value), type(known[name]))
        if number is None:
            return text("{name} must be a number above 0.", name=name)
        chosen[name] = number
    return RoomSettings(
        origins=tuple(origins),
        trust_proxy=trust_proxy,
        pace=_with(Pace(), chosen),
        limits=_with(Limits(), chosen),
        web=_with(WebLimits(), chosen),
    )


def _with(part: Any, chosen: Mapping[str, Any]) -> Any:  # noqa: ANN401 - one of three classes
    own = {field.name for field in fields(part)}
    return replace(part, **{name: value for name, value in chosen.items() if name in own})


def _number(value: str, kind: type) -> float | None:
    try:
        number: float = kind(value)
    except ValueError:
        return None
    return number if 0 < number < 1e9 else None
