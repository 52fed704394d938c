"""What is heard in answer to a question, and where a key was refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zanzibar_plugin import events as ev
from zanzibar_plugin.engine import Reason
from zanzibar_plugin.speech.advice import advised
from zanzibar_plugin.speech.go import selection
from zanzibar_plugin.speech.scene import Scene, Sentences, tokens
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Listing, Text, text, texts


def answered(event: ev.Answered, scene: Scene) -> Sentences:
    return _ANSWERS[event.key](event.data, scene)


def _latest(data: Mapping[str, Any], scene: Scene) -> Sentences:
    if data["thrower"] is None:
        return (text("Nobody has rolled yet."),)
    shown = scene.named(tuple(data["dice"]))
    if data["thrower"] == scene.listener:
        return (text("The latest roll is yours: {combination}.", combination=shown),)
    return (
        text(
            "The latest roll: {player}, {combination}.",
            player=data["thrower"],
            combination=shown,
        ),
    )


def _best(data: Mapping[str, Any], scene: Scene) -> Sentences:
    if data["best"] is None:
        return (text("There is no best combination yet: nobody is done in this round."),)
    shown = scene.named(tuple(data["dice"]))
    if not data["value"]:  # single dice, thrown for the start
        if data["best"] == scene.listener:
            return (text("Leading so far: you, {combination}.", combination=shown),)
        return (
            text(
                "Leading so far: {player}, {combination}.", player=data["best"], combination=shown
            ),
        )
    if data["best"] == scene.listener:
        return (
            texts(
                "The best so far is yours: {combination}, worth {count} token.",
                "The best so far is yours: {combination}, worth {count} tokens.",
                data["value"],
                combination=shown,
            ),
        )
    return (
        texts(
            "The best so far: {player}, {combination}, worth {count} token.",
            "The best so far: {player}, {combination}, worth {count} tokens.",
            data["value"],
            player=data["best"],
            combination=shown,
        ),
    )


def _all_tokens(data: Mapping[str, Any], scene: Scene) -> Sentences:
    out = data["places"]
    said = [tokens({p: n for p, n in data["tokens"].items() if p not in out}, scene)]
    if data["table"]:
        said.append(text("On the table: {number}.", number=data["table"]))
    if out:
        places = Listing(
            tuple(
                # L10N: One entry of a list: the listener is out of the game at this place.
                text("you, place {place}", place=place)
                if player == scene.listener
                # L10N: One entry of a list: a player who is out of the game, and the place.
                else text("{player}, place {place}", player=player, place=place)
                for player, place in out.items()
            )
        )
        # L10N: {players} is a list: "Ana, place 1, and Bruno, place 2".
        said.append(text("Out of the game: {players}.", players=places))
    return tuple(said)


def _whose_go(data: Mapping[str, Any], scene: Scene) -> Sentences:
    if data["on_go"] is None:
        return (nobody_on(scene.state),)
    if data["on_go"] == scene.listener:
        return (
            text(
                "It is your turn. Rolls made: {throws} of {limit}.",
                throws=data["throws"],
                limit=data["limit"],
            ),
        )
    return (
        text(
            "On turn: {player}. Rolls made: {throws} of {limit}.",
            player=data["on_go"],
            throws=data["throws"],
            limit=data["limit"],
        ),
    )


def nobody_on(state: State) -> Text:
    if state.standing.over is not None:
        return text("The game is over.")
    return text("The round is over, the next one is about to begin.")


def _announced(data: Mapping[str, Any], scene: Scene) -> Sentences:
    return (text("You have announced it: roll {throw} is the last.", throw=data["throw"]),)


def _space(data: Mapping[str, Any], scene: Scene) -> Sentences:
    return (selection(tuple(data["selected"]), tuple(data["kept"]), scene),)


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any], Scene], Sentences]] = {
    "d": _latest,
    "c": _best,
    "s": _all_tokens,
    "t": _whose_go,
    "space": _space,
    "a": _announced,
    "h": advised,
}


def refused(event: ev.Refused, scene: Scene) -> Sentences:
    return (_refusal(event, scene.state),)


def _refusal(event: ev.Refused, state: State) -> Text:
    reason, face = Reason(event.reason), event.key.removeprefix("shift+")
    if reason is Reason.NOT_YOUR_GO:
        if state.go is None:
            return nobody_on(state)
        return text("It is not your turn. On turn: {player}.", player=state.go.player)
    if reason is Reason.NOT_THROWN and event.key == "h":
        return text("You have not rolled yet: there is nothing to decide.")
    if reason is Reason.NO_SUCH_DIE:
        return text("No die you keep shows {face}.", face=face)
    if reason is Reason.NONE_SELECTED:
        return text("No selected die shows {face}.", face=face)
    if reason is Reason.LOCKED:
        return text("The {face} stays: a die once kept cannot be rolled again.", face=face)
    return _REFUSALS[reason]


_REFUSALS: Mapping[Reason, Text] = {
    Reason.NOT_THROWN: text("You have not rolled yet. Enter rolls the three dice."),
    Reason.SPECTATOR: text("You are watching. Only players can do that."),
    Reason.GAME_OVER: text("The game is over."),
    Reason.MUST_THROW: text("You must roll on: everybody rolls as often as the first player."),
    Reason.NOT_ANNOUNCED: text(
        "To stop early, press A before your last roll. Now select dice and roll on."
    ),
    Reason.NOT_STARTER: text("Only the player who starts the round announces the last roll."),
    Reason.NO_CHOICE: text("With a single roll there is nothing to decide."),
    Reason.NO_ADVICE: text("Advice needs numpy, which is not installed here."),
}
