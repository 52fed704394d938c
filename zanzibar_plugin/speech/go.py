"""What is heard of a player's go: dice, selections, what was accepted and who is next."""

from __future__ import annotations

from itertools import takewhile

from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import Faces, high_to_low
from zanzibar_plugin.engine import must_throw
from zanzibar_plugin.rules import First
from zanzibar_plugin.speech.scene import Scene, Sentences, named
from zanzibar_plugin.state import Result, next_limit
from zanzibar_plugin.text import Dice, Field, Text, text, texts


def selected(event: ev.Selected, scene: Scene) -> Sentences:
    return (selection(event.selected, event.kept, scene),)


def selection(selected: Faces, kept: Faces, scene: Scene) -> Text:
    if not selected and must_throw(scene.state):
        return text("No die is selected. Select those to roll again.")
    if not selected:
        # L10N: {combination} is what the player would accept, such as "5, 1, 1, pure of five".
        return text(
            "No die is selected. Enter accepts {combination}.", combination=scene.named(kept)
        )
    if not kept:
        return text("To roll again, all three: {selected}.", selected=Dice(selected))
    # L10N: Two lists of dice, such as "To roll again: 6, 4. Kept: 1."
    return text(
        "To roll again: {selected}. Kept: {kept}.", selected=Dice(selected), kept=Dice(kept)
    )


def thrown(event: ev.Thrown, scene: Scene) -> Sentences:
    shown = scene.named(event.dice)
    again = event.throw > 1
    # Dice are always named from high to low, the new ones too.
    new = Dice(high_to_low(event.new))
    if again and len(event.new) == len(event.dice):
        return _all_again(event, shown, scene)
    if event.player != scene.listener:
        if again:
            # L10N: {new} are the dice rolled now, {combination} all three with their name.
            return (
                text(
                    "{player} rolls again: {new}. The result is {combination}.",
                    player=event.player,
                    new=new,
                    combination=shown,
                ),
            )
        # L10N: {combination} is such as "5, 1, 1, pure of five" or just "6, 4, 1".
        return (text("{player} rolls {combination}.", player=event.player, combination=shown),)
    if again:
        # L10N: {new} are the dice rolled now, {combination} all three with their name.
        said = text("You roll again: {new}. You have {combination}.", new=new, combination=shown)
    else:
        # L10N: {combination} is such as "5, 1, 1, pure of five" or just "6, 4, 1".
        said = text("You roll {combination}.", combination=shown)
    return (said, *_rolls_left(event, scene))


def _all_again(event: ev.Thrown, shown: Field, scene: Scene) -> Sentences:
    """All three dice anew: they are the result, and said once."""
    if event.player != scene.listener:
        # L10N: {combination} is such as "5, 1, 1, pure of five" or just "6, 4, 1".
        return (
            text(
                "{player} rolls all three again: {combination}.",
                player=event.player,
                combination=shown,
            ),
        )
    # L10N: {combination} is such as "5, 1, 1, pure of five" or just "6, 4, 1".
    said = text("You roll all three again: {combination}.", combination=shown)
    return (said, *_rolls_left(event, scene))


def _rolls_left(event: ev.Thrown, scene: Scene) -> Sentences:
    left = event.limit - event.throw
    # A throw announced as the last one ends the go with throws to spare.
    done = any(
        result.player == event.player and result.throws == event.throw
        for result in scene.state.turn.results
    )
    if not left or done:
        return ()
    return (texts("You have {count} roll left.", "You have {count} rolls left.", left),)


def accepted(event: ev.Accepted, scene: Scene) -> Sentences:
    said = (*_acceptance(event, scene), *next_player(event, scene))
    return said or (text("Everybody has played."),)


def _acceptance(event: ev.Accepted, scene: Scene) -> Sentences:
    """What was accepted by choice; a go that just ran out of throws needs few words."""
    mine = event.player == scene.listener
    if by_choice(event, scene):
        shown = scene.named(event.dice)
        if mine:
            return (text("You accept {combination}.", combination=shown),)
        return (text("{player} accepts {combination}.", player=event.player, combination=shown),)
    if next_limit(scene.state, _before(event.player, scene)) == 1:
        # The throw itself was heard a moment ago, and there could be no other.
        return ()
    if mine:
        return (text("You have no roll left."),)
    return (text("{player} has no roll left.", player=event.player),)


def by_choice(event: ev.Accepted, scene: Scene) -> bool:
    """Whether the player could have thrown again."""
    limit = next_limit(scene.state, _before(event.player, scene))
    return event.throws < limit and not must_throw(scene.state)


def _before(player: str, scene: Scene) -> tuple[Result, ...]:
    """The results of this turn before a player's."""
    results = scene.state.turn.results
    return tuple(takewhile(lambda result: result.player != player, results))


def next_player(event: ev.Accepted, scene: Scene) -> Sentences:
    """Whose go it is now; said here, since no event of its own tells it."""
    player = after(event.player, scene)
    return () if player is None else (on_next(player, _limit_after(event.player, scene), scene),)


def after(player: str, scene: Scene) -> str | None:
    """Who plays after somebody in this turn."""
    order = scene.state.turn.order
    seat = order.index(player) + 1
    return order[seat] if seat < len(order) else None


def _limit_after(player: str, scene: Scene) -> int:
    turn = scene.state.turn
    return next_limit(scene.state, turn.results[: turn.order.index(player) + 1])


def on_next(player: str, limit: int, scene: Scene) -> Text:
    exact = must_throw(scene.state)
    if player == scene.listener:
        if exact:
            return texts(
                "It is your turn, with exactly {count} roll.",
                "It is your turn, with exactly {count} rolls.",
                limit,
            )
        return texts(
            "It is your turn, with {count} roll.",
            "It is your turn, with up to {count} rolls.",
            limit,
        )
    if exact:
        return texts(
            "{player} is next, with exactly {count} roll.",
            "{player} is next, with exactly {count} rolls.",
            limit,
            player=player,
        )
    return texts(
        "{player} is next, with {count} roll.",
        "{player} is next, with up to {count} rolls.",
        limit,
        player=player,
    )


def throw_off_started(event: ev.ThrowOffStarted, scene: Scene) -> Sentences:
    players = named(event.players, scene)
    if event.about == "start":
        low = scene.state.setting.rules.first is First.DIE_LOW
        # L10N: {players} are the names of those who roll one die to see who starts.
        said = (
            text("Who rolls the lowest die starts. One die each: {players}.", players=players)
            if low
            else text("Who rolls the highest die starts. One die each: {players}.", players=players)
        )
    elif event.about == "best":
        # L10N: {players} are the names of those who share the strongest combination.
        said = text("A tie for the strongest, and a throw-off: {players}.", players=players)
    else:
        # L10N: {players} are the names of those who share the weakest combination.
        said = text("A tie for the weakest, and a throw-off: {players}.", players=players)
    order = scene.state.turn.order
    return (said, on_next(order[0], next_limit(scene.state, ()), scene))


def last_announced(event: ev.LastAnnounced, scene: Scene) -> Sentences:
    if event.player == scene.listener:
        return (text("You announce: roll {throw} is the last.", throw=event.throw),)
    return (
        text(
            "{player} announces: roll {throw} is the last.", player=event.player, throw=event.throw
        ),
    )
