"""The rules at work: keys become events, or a refusal with its reason.

Nothing here draws a die: `dice_needed` says how many a key would throw, whoever calls draws them,
and `decide` takes the faces.  Nothing here changes anything either: events come out, and
`state.evolve` folds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from zanzibar_plugin import events as ev
from zanzibar_plugin.answers import ANSWERS
from zanzibar_plugin.dice import DICE, FACES, Faces, high_to_low, without
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.state import Go, State


class Reason(StrEnum):
    """Why a key was refused."""

    NOT_YOUR_GO = "not_your_go"
    NOT_THROWN = "not_thrown"
    NO_SUCH_DIE = "no_such_die"
    NONE_SELECTED = "none_selected"
    GAME_OVER = "game_over"
    SPECTATOR = "spectator"


class Command(NamedTuple):
    """One key of one person, with the faces drawn if the key throws dice (see `dice_needed`)."""

    player: str
    key: str
    faces: Faces = ()


def start(rules: Rules, players: tuple[str, ...]) -> tuple[ev.Event, ...]:
    """The events that begin a game; the first seat starts the first turn."""
    tokens = dict.fromkeys(players, 0)
    return (
        ev.GameStarted(rules.id, players, rules.options, rules.pot, tokens),
        ev.TurnStarted(1, rules.phases[0].id, players[0], rules.pot, tokens),
    )


def dice_needed(state: State, player: str, key: str) -> int:
    """How many dice this key of this person throws now: 0 to 3."""
    go = state.go
    if key != "enter" or go is None or go.player != player:
        return 0
    return len(go.selected) if go.dice else DICE


def decide(state: State, command: Command) -> tuple[ev.Event, ...]:
    """What one key does: its events, in order; a refusal is an event too.

    A name that is no key of the game is not for the game: nothing happens, no event.
    """
    player, key, faces = command
    act = _ACTIONS.get(key)
    if act is None:
        ask = ANSWERS.get(key)
        return () if ask is None else (ev.Answered(player, key, ask(state)),)
    go = state.go
    if go is None or go.player != player:
        return (ev.Refused(player, key, _stranger(state, player)),)
    return act(state, go, key, faces)


def _stranger(state: State, player: str) -> Reason:
    """Why somebody who is not on cannot act."""
    if state.standing.over is not None:
        return Reason.GAME_OVER
    if player not in state.setting.players:
        return Reason.SPECTATOR
    return Reason.NOT_YOUR_GO


def _enter(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    player, limit, throws, dice, selected = go
    if dice and not selected:
        return _accept(state, player, dice, throws)
    if len(faces) != (len(selected) if dice else DICE):
        raise ValueError(f"{len(selected) or DICE} faces must come with this throw, not {faces!r}")
    shown = high_to_low((*without(dice, selected), *faces))
    thrown = ev.Thrown(player, throws + 1, limit, shown, faces)
    if throws + 1 < limit:
        return (thrown,)
    return (thrown, *_accept(state, player, shown, limit))


def _accept(state: State, player: str, dice: Faces, throws: int) -> tuple[ev.Event, ...]:
    accepted = ev.Accepted(player, dice, throws)
    turn = state.turn
    if len(turn.results) + 1 < len(turn.order):
        return (accepted,)
    return (accepted, ev.TurnComplete(turn.number))


def _select(state: State, go: Go, key: str, faces: Faces, face: int) -> tuple[ev.Event, ...]:
    player, _, _, dice, selected = go
    if not dice:
        return (ev.Refused(player, key, Reason.NOT_THROWN),)
    kept = without(dice, selected)
    if face not in kept:
        return (ev.Refused(player, key, Reason.NO_SUCH_DIE),)
    return (ev.Selected(player, high_to_low((*selected, face)), without(kept, (face,))),)


def _put_back(state: State, go: Go, key: str, faces: Faces, face: int) -> tuple[ev.Event, ...]:
    player, _, _, dice, selected = go
    if not dice:
        return (ev.Refused(player, key, Reason.NOT_THROWN),)
    if face not in selected:
        return (ev.Refused(player, key, Reason.NONE_SELECTED),)
    selected = without(selected, (face,))
    return (ev.Selected(player, selected, without(dice, selected)),)


def _space(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    player, _, _, dice, selected = go
    if not dice:
        return (ev.Refused(player, key, Reason.NOT_THROWN),)
    kept = without(dice, selected)
    return (ev.Answered(player, key, {"selected": list(selected), "kept": list(kept)}),)


_Action = Callable[[State, Go, str, Faces], tuple[ev.Event, ...]]

_ACTIONS: Mapping[str, _Action] = {
    "enter": _enter,
    "space": _space,
    **{str(face): partial(_select, face=face) for face in FACES},
    **{f"shift+{face}": partial(_put_back, face=face) for face in FACES},
}

KEYS: tuple[str, ...] = (*_ACTIONS, *ANSWERS)
"""All keys of the game; their names and meanings never change."""
