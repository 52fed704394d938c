"""Which sound goes with an event for one listener, by the names all hosts share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zanzibar_plugin import events as ev
from zanzibar_plugin.state import State

_Chooser: TypeAlias = Callable[[Any, State, str | None], str]


def cue_of(event: ev.Event, state: State, listener: str | None) -> str:
    """The cue of an event, or "" for none; `state` is the table after the step it came in."""
    chooser = _CHOOSERS.get(type(event))
    return "" if chooser is None else chooser(event, state, listener)


def _now_on(state: State, listener: str | None) -> bool:
    return listener is not None and state.go is not None and state.go.player == listener


def _accepted(event: ev.Accepted, state: State, listener: str | None) -> str:
    return "your_go" if _now_on(state, listener) else "accept"


def _beginning(event: ev.Event, state: State, listener: str | None) -> str:
    return "your_go" if _now_on(state, listener) else ""


def _tokens(event: ev.TurnEnded | ev.PenaltyPaid, state: State, listener: str | None) -> str:
    return "tokens" if event.moved else ""


def _left(event: ev.Left, state: State, listener: str | None) -> str:
    # Out of a set is not out of the game.
    return "win" if event.player == listener and state.setting.rules.lost_sets <= 1 else ""


def _game_over(event: ev.GameOver, state: State, listener: str | None) -> str:
    if event.loser is not None and event.loser == listener:
        return "lose"
    return "win" if listener in event.winners else "over"


_CHOOSERS: Mapping[type[ev.Event], _Chooser] = {
    ev.Thrown: lambda event, state, listener: "roll",
    ev.Selected: lambda event, state, listener: "select",
    ev.Refused: lambda event, state, listener: "refused",
    ev.Accepted: _accepted,
    ev.TurnStarted: _beginning,
    ev.ThrowOffStarted: _beginning,
    ev.TurnEnded: _tokens,
    ev.PenaltyPaid: _tokens,
    ev.Left: _left,
    ev.GameOver: _game_over,
}
