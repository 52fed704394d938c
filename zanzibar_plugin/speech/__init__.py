"""What one listener hears of one event: whole sentences, to be said by a catalog.

A listener who is concerned is "you", all others hear the name; spectators and people who share a
loudspeaker (no listener) hear names only.  Names stand only where no language inflects them: as a
subject, or after a colon or comma.  Sentences are chosen by what happened, never by a rules id.

`state` is the table after the step the event came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zanzibar_plugin import events as ev
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.speech import answers, brief, game, go, turn
from zanzibar_plugin.speech.scene import Scene, Sentences, spoken
from zanzibar_plugin.state import State

__all__ = ["heard_only_by", "sentences", "spoken"]

_Speaker: TypeAlias = Callable[[Any, Scene], Sentences]


def heard_only_by(event: ev.Event) -> str | None:
    """The only person who hears this event; None if it is for all."""
    return event.player if isinstance(event, _PRIVATE) else None


def sentences(
    ruleset: Ruleset, state: State, event: ev.Event, listener: str | None, few: bool = False
) -> Sentences:
    """What `listener` (None: a spectator) hears of an event; nothing if it is not for him.

    `few` is for a listener who likes few words.
    """
    if isinstance(event, _PRIVATE) and event.player != listener:
        return ()
    speaker = (few and brief.SPEAKERS.get(type(event))) or _SPEAKERS[type(event)]
    return speaker(event, Scene(ruleset, state, listener))


_PRIVATE = (ev.Selected, ev.Answered, ev.Refused)


def _silent(event: ev.TurnComplete, scene: Scene) -> Sentences:
    """The host's cue; the players hear of the end of the turn when it is settled."""
    return ()


_SPEAKERS: Mapping[type[ev.Event], _Speaker] = {
    ev.GameStarted: game.game_started,
    ev.TurnStarted: turn.turn_started,
    ev.Selected: go.selected,
    ev.Thrown: go.thrown,
    ev.Accepted: go.accepted,
    ev.TurnComplete: _silent,
    ev.TurnEnded: turn.turn_ended,
    ev.Left: turn.left,
    ev.PhaseStarted: turn.phase_started,
    ev.GameOver: game.game_over,
    ev.Answered: answers.answered,
    ev.Refused: answers.refused,
    ev.ThrowOffStarted: go.throw_off_started,
    ev.LastAnnounced: go.last_announced,
    ev.PenaltyPaid: turn.penalty_paid,
    ev.SetEnded: game.set_ended,
    ev.SetStarted: game.set_started,
}
