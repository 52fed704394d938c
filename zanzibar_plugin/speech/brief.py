"""What is heard by those who like few words: the same events, each still told, but shorter.

What others need not be told twice (limits, names of phases, sums) is left to the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zanzibar_plugin import events as ev
from zanzibar_plugin.rules import Payer
from zanzibar_plugin.speech import advice, answers, go, turn
from zanzibar_plugin.speech.scene import Scene, Sentences
from zanzibar_plugin.text import Dice, Text, text, texts


def selected(event: ev.Selected, scene: Scene) -> Sentences:
    if not event.selected:
        return (text("No die is selected."),)
    return (text("To roll again: {selected}.", selected=Dice(event.selected)),)


def thrown(event: ev.Thrown, scene: Scene) -> Sentences:
    shown = scene.named(event.dice)
    if event.player == scene.listener:
        # L10N: In few words, what the listener has rolled: "5, 1, 1, pure of five."
        return (text("{combination}.", combination=shown),)
    if event.throw > 1:
        # L10N: In few words, what somebody has rolled after the first time.
        return (text("{player} again: {combination}.", player=event.player, combination=shown),)
    # L10N: In few words, what somebody has rolled: "Ana: 5, 1, 1, pure of five."
    return (text("{player}: {combination}.", player=event.player, combination=shown),)


def accepted(event: ev.Accepted, scene: Scene) -> Sentences:
    said = (*_acceptance(event, scene), *_next_player(event, scene))
    return said or (text("Everybody has played."),)


def _acceptance(event: ev.Accepted, scene: Scene) -> Sentences:
    if not go.by_choice(event, scene):
        return ()
    if event.player == scene.listener:
        return (text("You accept."),)
    return (text("{player} accepts.", player=event.player),)


def _next_player(event: ev.Accepted, scene: Scene) -> Sentences:
    player = go.after(event.player, scene)
    if player is None or player == scene.listener:
        # How often he may throw is what the next player must know.
        return go.next_player(event, scene)
    return (text("{player} is next.", player=player),)


def turn_started(event: ev.TurnStarted, scene: Scene) -> Sentences:
    if event.starter == scene.listener:
        return (text("Round {turn}: you start.", turn=event.turn),)
    return (text("Round {turn}: {player} starts.", turn=event.turn, player=event.starter),)


def turn_ended(event: ev.TurnEnded, scene: Scene) -> Sentences:
    ended = scene.state.standing.ended
    assert ended is not None
    if turn.cancelled(event, scene):
        return (turn.VOID,)
    if event.payments is not None:
        moves: Sentences = (_in_all(event, scene),)
    elif scene.state.setting.rules.phases[ended.phase].payer is Payer.TABLE:
        moves = (_from_table(event, scene), *(() if event.table else (turn.on_table(0),)))
    else:
        moves = (turn.gift(event.best, event.worst, event.moved, scene),)
    return (*turn.thrown_off(ended, scene), *moves)


def _from_table(event: ev.TurnEnded, scene: Scene) -> Text:
    if event.worst == scene.listener:
        return texts(
            "You take {count} token from the table.",
            "You take {count} tokens from the table.",
            event.moved,
        )
    return texts(
        "{player} takes {count} token from the table.",
        "{player} takes {count} tokens from the table.",
        event.moved,
        player=event.worst,
    )


def _in_all(event: ev.TurnEnded, scene: Scene) -> Text:
    if event.worst == scene.listener:
        return texts("You take {count} token.", "You take {count} tokens.", event.moved)
    return texts(
        "{player} takes {count} token.",
        "{player} takes {count} tokens.",
        event.moved,
        player=event.worst,
    )


def answered(event: ev.Answered, scene: Scene) -> Sentences:
    if event.key == "h":
        return advice.advised_briefly(event.data, scene)
    return answers.answered(event, scene)


SPEAKERS: Mapping[type[ev.Event], Callable[[Any, Scene], Sentences]] = {
    ev.Selected: selected,
    ev.Thrown: thrown,
    ev.Accepted: accepted,
    ev.TurnStarted: turn_started,
    ev.TurnEnded: turn_ended,
    ev.Answered: answered,
}
"""Those of the events that can be told in fewer words than usual."""
