"""The rules at work: keys become events, or a refusal with its reason.

Nothing here draws a die: `dice_needed` says how many a key would throw, whoever calls draws them,
and `decide` takes the faces.  Nor does anything here know what is best: `advice_needed` says
whether a key asks for it, and `decide` takes the advice.  Nothing here changes anything either:
events come out, and `state.evolve` folds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from zanzibar_plugin import events as ev
from zanzibar_plugin.answers import ANSWERS, Data
from zanzibar_plugin.dice import DICE, FACES, Faces, high_to_low, select, without
from zanzibar_plugin.rules import First, Follow, Rules
from zanzibar_plugin.state import Go, State


class Reason(StrEnum):
    """Why a key was refused."""

    NOT_YOUR_GO = "not_your_go"
    NOT_THROWN = "not_thrown"
    NO_SUCH_DIE = "no_such_die"
    NONE_SELECTED = "none_selected"
    GAME_OVER = "game_over"
    SPECTATOR = "spectator"
    # Only where the rules of a variant say so:
    LOCKED = "locked"
    """A die once kept cannot be thrown again."""
    NOT_ANNOUNCED = "not_announced"
    """The starter stops early only after a throw he announced as his last."""
    MUST_THROW = "must_throw"
    """Everybody throws as often as the starter did."""
    NOT_STARTER = "not_starter"
    """Only the starter announces his last throw."""
    # Only where players may ask what is best:
    NO_CHOICE = "no_choice"
    """With a single throw there is nothing to decide."""
    NO_ADVICE = "no_advice"
    """Nobody here knows what is best."""


class Command(NamedTuple):
    """One key of one person, with the faces drawn if the key throws dice (see `dice_needed`).

    `advice` is what is said if the key asks for it (see `advice_needed`), or None if nobody knows.
    """

    player: str
    key: str
    faces: Faces = ()
    advice: Data | None = None


def start(rules: Rules, players: tuple[str, ...]) -> tuple[ev.Event, ...]:
    """The events that begin a game: the first seat starts the first turn, or all throw for it."""
    pot, each = rules.supply.start(len(players))
    tokens = dict.fromkeys(players, each)
    begun = ev.GameStarted(rules.id, players, rules.options, pot, tokens)
    if rules.first is not First.SEAT:
        return (begun, ev.ThrowOffStarted(players, "start"))
    return (begun, ev.TurnStarted(1, rules.phases[0].id, players[0], pot, tokens))


def dice_needed(state: State, player: str, key: str) -> int:
    """How many dice this key of this person throws now: 0 to 3."""
    go = state.go
    if key != "enter" or go is None or go.player != player:
        return 0
    return len(go.selected) if go.dice else _first_throw(state)


def advice_needed(state: State, player: str, key: str) -> bool:
    """Whether this key of this person asks now for what is best, and there is something to say."""
    if key != "h" or not state.setting.rules.advice:
        return False
    return isinstance(_choosing(state, player), Go)


def _choosing(state: State, player: str) -> Go | Reason:
    """The go of this person if he has something to decide, or why he has not.

    Whoever has dice can throw again: after his last throw he is not on any more.
    """
    go = state.go
    if go is None or go.player != player:
        return _stranger(state, player)
    if go.dice or (may_announce(state, go) and go.limit > 1):
        return go
    return Reason.NO_CHOICE if go.last or go.limit == 1 else Reason.NOT_THROWN


def _first_throw(state: State) -> int:
    """How many dice the first throw of a go has: for the start a single one."""
    return 1 if state.turn.about == "start" else DICE


def decide(state: State, command: Command) -> tuple[ev.Event, ...]:
    """What one key does: its events, in order; a refusal is an event too.

    A name that is no key of the game is not for the game: nothing happens, no event.
    """
    player, key, faces, advice = command
    act = _ACTIONS.get(key)
    if act is None:
        ask = ANSWERS.get(key)
        if ask is not None:
            return (ev.Answered(player, key, ask(state)),)
        if key not in keys(state.setting.rules):
            return ()
        if key == "h":
            return (_advised(state, player, advice),)
        act = _announce
    go = state.go
    if go is None or go.player != player:
        return (ev.Refused(player, key, _stranger(state, player)),)
    return act(state, go, key, faces)


def keys(rules: Rules) -> tuple[str, ...]:
    """The names of all keys of a game by these rules."""
    return tuple(
        key for key in KEYS if (key != "a" or rules.announced) and (key != "h" or rules.advice)
    )


def must_throw(state: State) -> bool:
    """Whether whoever is on has to throw on: where all must throw as often as the starter.

    The starter himself may stop by announcing; whoever accepts by himself has not announced.
    """
    return state.phase.follow is Follow.FIRST_EXACTLY and state.turn.about == "turn"


def may_announce(state: State, go: Go) -> bool:
    """Whether the player on may announce his next throw as his last one."""
    return must_throw(state) and not state.turn.results and not go.last


def _stranger(state: State, player: str) -> Reason:
    """Why somebody who is not on cannot act."""
    if state.standing.over is not None:
        return Reason.GAME_OVER
    if player not in state.setting.players:
        return Reason.SPECTATOR
    return Reason.NOT_YOUR_GO


def _enter(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    player, limit, throws, dice, selected, _, last = go
    if dice and not selected:
        if must_throw(state):
            reason = Reason.MUST_THROW if state.turn.results else Reason.NOT_ANNOUNCED
            return (ev.Refused(player, key, reason),)
        return _accept(state, player, dice, throws)
    count = len(selected) if dice else _first_throw(state)
    if len(faces) != count:
        raise ValueError(f"{count} faces must come with this throw, not {faces!r}")
    shown = high_to_low((*without(dice, selected), *faces))
    thrown = ev.Thrown(player, throws + 1, limit, shown, faces)
    if throws + 1 < limit and not last:
        return (thrown,)
    return (thrown, *_accept(state, player, shown, throws + 1))


def _accept(state: State, player: str, dice: Faces, throws: int) -> tuple[ev.Event, ...]:
    accepted = ev.Accepted(player, dice, throws)
    turn = state.turn
    if len(turn.results) + 1 < len(turn.order):
        return (accepted,)
    return (accepted, ev.TurnComplete(turn.number))


def _select(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    player, _, _, dice, selected, locked, _ = go
    if not dice:
        return (ev.Refused(player, key, Reason.NOT_THROWN),)
    face = _FACE_OF[key]
    changed = select(dice, selected, face)
    if changed is None:
        return (ev.Refused(player, key, Reason.NO_SUCH_DIE),)
    if locked and face not in without(without(dice, selected), locked):
        return (ev.Refused(player, key, Reason.LOCKED),)
    return (ev.Selected(player, *changed),)


def _put_back(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    player, dice, selected = go.player, go.dice, go.selected
    if not dice:
        return (ev.Refused(player, key, Reason.NOT_THROWN),)
    face = _FACE_OF[key]
    if face not in selected:
        return (ev.Refused(player, key, Reason.NONE_SELECTED),)
    selected = without(selected, (face,))
    return (ev.Selected(player, selected, without(dice, selected)),)


def _space(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    player, dice, selected = go.player, go.dice, go.selected
    if not dice:
        return (ev.Refused(player, key, Reason.NOT_THROWN),)
    kept = without(dice, selected)
    return (ev.Answered(player, key, {"selected": list(selected), "kept": list(kept)}),)


def _announce(state: State, go: Go, key: str, faces: Faces) -> tuple[ev.Event, ...]:
    if go.last:
        # Said already: the answer says it again, and nothing changes.
        return (ev.Answered(go.player, key, {"throw": go.throws + 1}),)
    if not may_announce(state, go):
        return (ev.Refused(go.player, key, Reason.NOT_STARTER),)
    return (ev.LastAnnounced(go.player, go.throws + 1),)


def _advised(state: State, player: str, advice: Data | None) -> ev.Event:
    found = _choosing(state, player)
    if isinstance(found, Reason):
        return ev.Refused(player, "h", found)
    if advice is None:
        return ev.Refused(player, "h", Reason.NO_ADVICE)
    return ev.Answered(player, "h", advice)


_SELECTING = {str(face): face for face in FACES}
_PUTTING_BACK = {f"shift+{face}": face for face in FACES}
_FACE_OF: Mapping[str, int] = {**_SELECTING, **_PUTTING_BACK}

_Action = Callable[[State, Go, str, Faces], tuple[ev.Event, ...]]

_ACTIONS: Mapping[str, _Action] = {
    "enter": _enter,
    "space": _space,
    **dict.fromkeys(_SELECTING, _select),
    **dict.fromkeys(_PUTTING_BACK, _put_back),
}

KEYS: tuple[str, ...] = (*_ACTIONS, *ANSWERS, "a", "h")
"""All keys there are; their names and meanings never change.  `a` and `h` are for some rules only,
see `keys`."""
