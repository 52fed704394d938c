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
from zanzibar_plugin.dice import Faces, high_to_low
from zanzibar_plugin.engine import Reason
from zanzibar_plugin.naming import combination
from zanzibar_plugin.rules import Payer
from zanzibar_plugin.ruleset import Ruleset, Switch
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Dice, Field, Listing, Text, text, texts

Sentences: TypeAlias = tuple[Text, ...]
_Speaker: TypeAlias = Callable[[Any, "Scene"], Sentences]


class Scene:
    """Where an event is spoken: the table, the words of its rules, and who listens."""

    __slots__ = ("listener", "ruleset", "state")

    def __init__(self, ruleset: Ruleset, state: State, listener: str | None) -> None:
        self.ruleset = ruleset
        self.state = state
        self.listener = listener

    def named(self, dice: Faces) -> Field:
        """A combination as these rules call it."""
        return combination(dice, self.state.setting.rules)


def heard_only_by(event: ev.Event) -> str | None:
    """The only person who hears this event; None if it is for all."""
    return event.player if isinstance(event, _PRIVATE) else None


def sentences(ruleset: Ruleset, state: State, event: ev.Event, listener: str | None) -> Sentences:
    """What `listener` (None: a spectator) hears of an event; nothing if it is not for him."""
    if isinstance(event, _PRIVATE) and event.player != listener:
        return ()
    return _SPEAKERS[type(event)](event, Scene(ruleset, state, listener))


_PRIVATE = (ev.Selected, ev.Answered, ev.Refused)


def _game_started(event: ev.GameStarted, scene: Scene) -> Sentences:
    players = Listing(event.players)
    table = texts(
        "{count} token lies on the table.", "{count} tokens lie on the table.", event.table
    )
    # L10N: {game} is the name of the game, {players} a list of names in the order of play.
    begin = text(
        "The game begins: {game}. Players, in order: {players}.",
        game=Text(scene.ruleset.name, {}),
        players=players,
    )
    on = [option for option in scene.ruleset.options if isinstance(option, Switch)]
    # L10N: An option that is on at this table, said at the beginning; {option} is its name.
    switched = tuple(
        text("Option: {option}.", option=Text(option.label, {}))
        for option in on
        if event.options.get(option.name) is True
    )
    return (begin, table, *switched)


def _turn_started(event: ev.TurnStarted, scene: Scene) -> Sentences:
    phase = Text(scene.ruleset.phases[event.phase].label, {})
    if event.starter != scene.listener:
        # L10N: {phase} is "loading" or "unloading".
        return (
            text(
                "Round {turn}, {phase}: {player} starts.",
                turn=event.turn,
                phase=phase,
                player=event.starter,
            ),
        )
    limit = _throws_of(event.phase, scene)
    return (
        # L10N: {phase} is "loading" or "unloading".
        text("Round {turn}, {phase}: you start.", turn=event.turn, phase=phase),
        texts("You have {count} roll.", "You have up to {count} rolls.", limit),
    )


def _throws_of(phase_id: str, scene: Scene) -> int:
    phases = scene.state.setting.rules.phases
    return next(phase.throws for phase in phases if phase.id == phase_id)


def _selected(event: ev.Selected, scene: Scene) -> Sentences:
    return (_selection(event.selected, event.kept, scene),)


def _selection(selected: Faces, kept: Faces, scene: Scene) -> Text:
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


def _thrown(event: ev.Thrown, scene: Scene) -> Sentences:
    shown = scene.named(event.dice)
    again = event.throw > 1
    # Dice are always named from high to low, the new ones too.
    new = Dice(high_to_low(event.new))
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
    left = event.limit - event.throw
    if not left:
        return (said,)
    return (said, texts("You have {count} roll left.", "You have {count} rolls left.", left))


def _accepted(event: ev.Accepted, scene: Scene) -> Sentences:
    return (_acceptance(event, scene), *_next_player(event, scene))


def _acceptance(event: ev.Accepted, scene: Scene) -> Text:
    mine = event.player == scene.listener
    if event.throws == _limit_of(event.player, scene):
        if mine:
            return text("You have no roll left.")
        return text("{player} has no roll left.", player=event.player)
    shown = scene.named(event.dice)
    if mine:
        return text("You accept {combination}.", combination=shown)
    return text("{player} accepts {combination}.", player=event.player, combination=shown)


def _limit_of(player: str, scene: Scene) -> int:
    """How many throws a player of this turn could have used: what the one before him did use."""
    state = scene.state
    limit = state.phase.throws
    for result in state.turn.results:
        if result.player == player:
            break
        limit = result.throws
    return limit


def _next_player(event: ev.Accepted, scene: Scene) -> Sentences:
    """Whose go it is now; said here, since no event of its own tells it."""
    order = scene.state.turn.order
    seat = order.index(event.player) + 1
    if seat == len(order):
        return ()
    if order[seat] == scene.listener:
        return (
            texts(
                "It is your turn, with {count} roll.",
                "It is your turn, with up to {count} rolls.",
                event.throws,
            ),
        )
    return (
        texts(
            "{player} is next, with {count} roll.",
            "{player} is next, with up to {count} rolls.",
            event.throws,
            player=order[seat],
        ),
    )


def _turn_ended(event: ev.TurnEnded, scene: Scene) -> Sentences:
    ended = scene.state.standing.ended
    assert ended is not None
    dice = {result.player: scene.named(result.dice) for result in ended.results}
    from_table = scene.state.setting.rules.phases[ended.phase].payer is Payer.TABLE
    moves = _from_table(event, scene) if from_table else _from_player(event, scene)
    return (
        _strongest(event, dice[event.best], scene),
        _weakest(event, dice[event.worst], scene),
        *moves,
        *_holding(event, scene),
    )


def _strongest(event: ev.TurnEnded, shown: Field, scene: Scene) -> Text:
    if event.best == scene.listener:
        return texts(
            "You are the strongest with {combination}, worth {count} token.",
            "You are the strongest with {combination}, worth {count} tokens.",
            event.value,
            combination=shown,
        )
    return texts(
        "{player} is the strongest with {combination}, worth {count} token.",
        "{player} is the strongest with {combination}, worth {count} tokens.",
        event.value,
        player=event.best,
        combination=shown,
    )


def _weakest(event: ev.TurnEnded, shown: Field, scene: Scene) -> Text:
    if event.worst == scene.listener:
        return text("You are the weakest with {combination}.", combination=shown)
    return text(
        "{player} is the weakest with {combination}.", player=event.worst, combination=shown
    )


def _from_table(event: ev.TurnEnded, scene: Scene) -> Sentences:
    if event.worst == scene.listener:
        taken = texts(
            "You take {count} token from the table.",
            "You take {count} tokens from the table.",
            event.moved,
        )
    else:
        taken = texts(
            "{player} takes {count} token from the table.",
            "{player} takes {count} tokens from the table.",
            event.moved,
            player=event.worst,
        )
    return (taken, _on_table(event.table))


def _on_table(count: int) -> Text:
    if not count:
        return text("The table is empty.")
    return texts(
        "{count} token is left on the table.", "{count} tokens are left on the table.", count
    )


def _from_player(event: ev.TurnEnded, scene: Scene) -> Sentences:
    if event.worst == scene.listener:
        # L10N: "them" are the tokens: "it" with one.
        return (
            texts(
                "{giver} gives {count} token and you take it.",
                "{giver} gives {count} tokens and you take them.",
                event.moved,
                giver=event.best,
            ),
        )
    if event.best == scene.listener:
        # L10N: "them" are the tokens: "it" with one.
        return (
            texts(
                "You give {count} token and {taker} takes it.",
                "You give {count} tokens and {taker} takes them.",
                event.moved,
                taker=event.worst,
            ),
        )
    # L10N: "them" are the tokens: "it" with one.
    return (
        texts(
            "{giver} gives {count} token and {taker} takes it.",
            "{giver} gives {count} tokens and {taker} takes them.",
            event.moved,
            giver=event.best,
            taker=event.worst,
        ),
    )


def _holding(event: ev.TurnEnded, scene: Scene) -> Sentences:
    """What the listener holds now, if the turn has changed it."""
    listener = scene.listener
    if listener is None or listener not in (event.worst, event.source):
        return ()
    count = event.tokens[listener]
    if not count:
        return ()
    return (texts("You now hold {count} token.", "You now hold {count} tokens.", count),)


def _left(event: ev.Left, scene: Scene) -> Sentences:
    if event.player == scene.listener:
        return (
            text(
                "You have no token left and go out of the game, place {place}: you win!",
                place=event.place,
            ),
        )
    return (
        text(
            "{player} has no token left and goes out of the game, place {place}.",
            player=event.player,
            place=event.place,
        ),
    )


def _phase_started(event: ev.PhaseStarted, scene: Scene) -> Sentences:
    holders = {player: count for player, count in event.tokens.items() if count}
    return (Text(scene.ruleset.phases[event.phase].text, {}), _tokens(holders, scene))


def _tokens(tokens: Mapping[str, int], scene: Scene) -> Text:
    # L10N: {holdings} is a list of names with numbers: "Ana 3, Bruno 5, and you 2".
    return text("Tokens: {holdings}.", holdings=_each(tokens, scene))


def _each(numbers: Mapping[str, int], scene: Scene) -> Listing:
    return Listing(
        tuple(
            # L10N: One entry of a list: how many tokens the listener holds.
            text("you {number}", number=number)
            if player == scene.listener
            # L10N: One entry of a list: a name and how many tokens that player holds.
            else text("{player} {number}", player=player, number=number)
            for player, number in numbers.items()
        )
    )


def _game_over(event: ev.GameOver, scene: Scene) -> Sentences:
    # L10N: {players} is one name or a list of names.
    winners = text("First place: {players}.", players=Listing(event.winners))
    if event.loser == scene.listener:
        return (text("You hold all the tokens and lose the game."), winners)
    lost = text("{player} holds all the tokens and loses the game.", player=event.loser)
    return (lost, winners)


def _answered(event: ev.Answered, scene: Scene) -> Sentences:
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
    said = [_tokens({p: n for p, n in data["tokens"].items() if p not in out}, scene)]
    if scene.state.phase.payer is Payer.TABLE:
        said.append(_on_table(data["table"]))
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
        return (_nobody_on(scene.state),)
    if data["on_go"] == scene.listener:
        return (
            texts(
                "It is your turn: {throws} of {count} roll made.",
                "It is your turn: {throws} of {count} rolls made.",
                data["limit"],
                throws=data["throws"],
            ),
        )
    return (
        texts(
            "On turn: {player}, {throws} of {count} roll made.",
            "On turn: {player}, {throws} of {count} rolls made.",
            data["limit"],
            player=data["on_go"],
            throws=data["throws"],
        ),
    )


def _nobody_on(state: State) -> Text:
    if state.standing.over is not None:
        return text("The game is over.")
    return text("The round is over, the next one is about to begin.")


def _space(data: Mapping[str, Any], scene: Scene) -> Sentences:
    return (_selection(tuple(data["selected"]), tuple(data["kept"]), scene),)


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any], Scene], Sentences]] = {
    "d": _latest,
    "c": _best,
    "s": _all_tokens,
    "t": _whose_go,
    "space": _space,
}


def _refused(event: ev.Refused, scene: Scene) -> Sentences:
    return (_refusal(event, scene.state),)


def _refusal(event: ev.Refused, state: State) -> Text:
    reason, face = Reason(event.reason), event.key.removeprefix("shift+")
    if reason is Reason.NOT_YOUR_GO:
        if state.go is None:
            return _nobody_on(state)
        return text("It is not your turn. On turn: {player}.", player=state.go.player)
    if reason is Reason.NO_SUCH_DIE:
        return text("No die you keep shows {face}.", face=face)
    if reason is Reason.NONE_SELECTED:
        return text("No selected die shows {face}.", face=face)
    if reason is Reason.NOT_THROWN:
        return text("You have not rolled yet. Enter rolls the three dice.")
    if reason is Reason.SPECTATOR:
        return text("You are watching. Only players can do that.")
    return text("The game is over.")


def _silent(event: ev.TurnComplete, scene: Scene) -> Sentences:
    """The host's cue; the players hear of the end of the turn when it is settled."""
    return ()


_SPEAKERS: Mapping[type[ev.Event], _Speaker] = {
    ev.GameStarted: _game_started,
    ev.TurnStarted: _turn_started,
    ev.Selected: _selected,
    ev.Thrown: _thrown,
    ev.Accepted: _accepted,
    ev.TurnComplete: _silent,
    ev.TurnEnded: _turn_ended,
    ev.Left: _left,
    ev.PhaseStarted: _phase_started,
    ev.GameOver: _game_over,
    ev.Answered: _answered,
    ev.Refused: _refused,
}
