"""What one listener hears of one event: whole sentences, to be said by a catalog.

A listener who is concerned is "you", all others hear the name; spectators and people who share a
loudspeaker (no listener) hear names only.  Names stand only where no language inflects them: as a
subject, or after a colon or comma.  Sentences are chosen by what happened, never by a rules id.

`state` is the table after the step the event came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any, TypeAlias

from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import Faces, high_to_low
from zanzibar_plugin.engine import Reason
from zanzibar_plugin.naming import combination
from zanzibar_plugin.rules import First, Follow, Payer, Tie
from zanzibar_plugin.ruleset import Choice, Ruleset, Switch, Words
from zanzibar_plugin.state import Result, State, next_limit
from zanzibar_plugin.text import Dice, Field, Listing, Text, text, texts
from zanzibar_plugin.text import Words as OwnWords

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


def spoken(words: Words) -> Field:
    """A name or note: from the catalogs, or in an operator's own words."""
    return Text(words, {}) if isinstance(words, str) else OwnWords(words)


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
    # L10N: {game} is the name of the game, {players} a list of names in the order of play.
    begin = text(
        "The game begins: {game}. Players, in order: {players}.",
        game=spoken(scene.ruleset.name),
        players=Listing(event.players),
    )
    return (begin, *_at_the_start(event.table, event.tokens), *_chosen(event, scene))


def _at_the_start(table: int, tokens: ev.Tokens) -> Sentences:
    """The tokens on the table and with the players, before anything has moved."""
    said = []
    if table:
        said.append(
            texts("{count} token lies on the table.", "{count} tokens lie on the table.", table)
        )
    each = next(iter(tokens.values()))
    if each:
        said.append(
            texts("Everybody holds {count} token.", "Everybody holds {count} tokens.", each)
        )
    return tuple(said)


def _chosen(event: ev.GameStarted, scene: Scene) -> Sentences:
    """The options that differ from what the game usually is, but for numbers heard anyway."""
    said = []
    for option in scene.ruleset.options:
        value = event.options.get(option.name)
        if isinstance(option, Choice) and value != option.default and value in option.choices:
            # L10N: An option and the way chosen, said at the beginning.
            said.append(
                text(
                    "{option}: {value}.",
                    option=Text(option.label, {}),
                    value=Text(option.choices[str(value)].label, {}),
                )
            )
        elif isinstance(option, Switch) and value is True:
            # L10N: An option that is on at this table, said at the beginning; {option} is its name.
            said.append(text("Option: {option}.", option=Text(option.label, {})))
    return tuple(said)


def _turn_started(event: ev.TurnStarted, scene: Scene) -> Sentences:
    begins = _round_begins(event, scene)
    if event.starter != scene.listener:
        return (begins,)
    limit = _throws_of(event.phase, scene)
    return (begins, texts("You have {count} roll.", "You have up to {count} rolls.", limit))


def _round_begins(event: ev.TurnStarted, scene: Scene) -> Text:
    mine = event.starter == scene.listener
    if len(scene.state.setting.rules.phases) == 1:
        if mine:
            return text("Round {turn}: you start.", turn=event.turn)
        return text("Round {turn}: {player} starts.", turn=event.turn, player=event.starter)
    phase = Text(scene.ruleset.phases[event.phase].label, {})
    if mine:
        # L10N: {phase} is "loading" or "unloading".
        return text("Round {turn}, {phase}: you start.", turn=event.turn, phase=phase)
    # L10N: {phase} is "loading" or "unloading".
    return text(
        "Round {turn}, {phase}: {player} starts.",
        turn=event.turn,
        phase=phase,
        player=event.starter,
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
    said = (*_acceptance(event, scene), *_next_player(event, scene))
    return said or (text("Everybody has played."),)


def _acceptance(event: ev.Accepted, scene: Scene) -> Sentences:
    """What was accepted by choice; a go that just ran out of throws needs few words."""
    mine = event.player == scene.listener
    limit = next_limit(scene.state, _before(event.player, scene))
    if event.throws < limit and not _exact(scene):
        shown = scene.named(event.dice)
        if mine:
            return (text("You accept {combination}.", combination=shown),)
        return (text("{player} accepts {combination}.", player=event.player, combination=shown),)
    if limit == 1:
        # The throw itself was heard a moment ago, and there could be no other.
        return ()
    if mine:
        return (text("You have no roll left."),)
    return (text("{player} has no roll left.", player=event.player),)


def _exact(scene: Scene) -> bool:
    return scene.state.phase.follow is Follow.FIRST_EXACTLY


def _before(player: str, scene: Scene) -> tuple[Result, ...]:
    """The results of this turn before a player's."""
    results = scene.state.turn.results
    return tuple(takewhile(lambda result: result.player != player, results))


def _next_player(event: ev.Accepted, scene: Scene) -> Sentences:
    """Whose go it is now; said here, since no event of its own tells it."""
    turn = scene.state.turn
    seat = turn.order.index(event.player) + 1
    if seat == len(turn.order):
        return ()
    limit = next_limit(scene.state, turn.results[:seat])
    return (_on_next(turn.order[seat], limit, scene),)


def _on_next(player: str, limit: int, scene: Scene) -> Text:
    exact = _exact(scene) and scene.state.turn.about == "turn"
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


def _throw_off_started(event: ev.ThrowOffStarted, scene: Scene) -> Sentences:
    players = Listing(event.players)
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
    return (said, _on_next(order[0], next_limit(scene.state, ()), scene))


def _last_announced(event: ev.LastAnnounced, scene: Scene) -> Sentences:
    if event.player == scene.listener:
        return (text("You announce: roll {throw} is the last.", throw=event.throw),)
    return (
        text(
            "{player} announces: roll {throw} is the last.", player=event.player, throw=event.throw
        ),
    )


def _penalty_paid(event: ev.PenaltyPaid, scene: Scene) -> Sentences:
    if event.source == "table":
        if event.player == scene.listener:
            taken = texts(
                "Nénette: you take {count} token from the table.",
                "Nénette: you take {count} tokens from the table.",
                event.moved,
            )
        else:
            taken = texts(
                "Nénette: {player} takes {count} token from the table.",
                "Nénette: {player} takes {count} tokens from the table.",
                event.moved,
                player=event.player,
            )
        return (taken,)
    # L10N: Said before the sentence that one player gives tokens and another takes them.
    return (
        text("There is a penalty for the nénette."),
        _gift(event.source, event.player, event.moved, scene),
    )


def _set_ended(event: ev.SetEnded, scene: Scene) -> Sentences:
    lost = {player: count for player, count in event.lost.items() if count}
    if event.loser == scene.listener:
        said = text("You hold all the tokens and lose set {set}.", set=event.set)
    else:
        said = text(
            "{player} holds all the tokens and loses set {set}.",
            player=event.loser,
            set=event.set,
        )
    # L10N: {sets} is a list of names with numbers: "Ana 1 and Bruno 2".
    return (said, text("Sets lost: {sets}.", sets=_each(lost, scene)))


def _set_started(event: ev.SetStarted, scene: Scene) -> Sentences:
    return (text("Set {set} begins.", set=event.set), *_at_the_start(event.table, event.tokens))


def _turn_ended(event: ev.TurnEnded, scene: Scene) -> Sentences:
    ended = scene.state.standing.ended
    assert ended is not None
    dice = {result.player: scene.named(result.dice) for result in ended.results}
    if not event.moved and scene.state.setting.rules.tie is Tie.CANCEL:
        return (text("A tie: nobody takes tokens, and the round is played again."),)
    strongest = _strongest(event, dice[event.best], scene)
    if event.payments is not None:
        moves = _from_all(event, dice[event.worst], scene)
    elif scene.state.setting.rules.phases[ended.phase].payer is Payer.TABLE:
        moves = _from_table(event, dice[event.worst], scene)
    else:
        moves = (
            _weakest(event, dice[event.worst], scene),
            _gift(event.best, event.worst, event.moved, scene),
        )
    return (strongest, *moves, *_holding(event, scene))


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


def _from_table(event: ev.TurnEnded, shown: Field, scene: Scene) -> Sentences:
    if not event.moved:  # a penalty has emptied the table a moment ago
        return (_weakest(event, shown, scene), _on_table(event.table))
    if event.worst == scene.listener:
        taken = texts(
            "You are the weakest with {combination}, and take {count} token from the table.",
            "You are the weakest with {combination}, and take {count} tokens from the table.",
            event.moved,
            combination=shown,
        )
    else:
        taken = texts(
            "{player} is the weakest with {combination}, and takes {count} token from the table.",
            "{player} is the weakest with {combination}, and takes {count} tokens from the table.",
            event.moved,
            player=event.worst,
            combination=shown,
        )
    return (taken, _on_table(event.table))


def _from_all(event: ev.TurnEnded, shown: Field, scene: Scene) -> Sentences:
    """The weakest takes from every other player: how many in all, and who gives what."""
    paid = {one["from"]: one["amount"] for one in event.payments or ()}
    if event.worst == scene.listener:
        taken = texts(
            "You are the weakest with {combination}, and take {count} token in all.",
            "You are the weakest with {combination}, and take {count} tokens in all.",
            event.moved,
            combination=shown,
        )
    else:
        taken = texts(
            "{player} is the weakest with {combination}, and takes {count} token in all.",
            "{player} is the weakest with {combination}, and takes {count} tokens in all.",
            event.moved,
            player=event.worst,
            combination=shown,
        )
    # L10N: {payments} is a list of names with numbers of tokens: "Ana 3, Bruno 3, and you 2".
    return (taken, text("Paid: {payments}.", payments=_each(paid, scene)))


def _on_table(count: int) -> Text:
    if not count:
        return text("The table is empty.")
    return texts(
        "{count} token is left on the table.", "{count} tokens are left on the table.", count
    )


def _gift(giver: str, taker: str, moved: int, scene: Scene) -> Text:
    """Tokens that go from one player to another."""
    if taker == scene.listener:
        # L10N: "them" are the tokens: "it" with one.
        return texts(
            "{giver} gives {count} token and you take it.",
            "{giver} gives {count} tokens and you take them.",
            moved,
            giver=giver,
        )
    if giver == scene.listener:
        # L10N: "them" are the tokens: "it" with one.
        return texts(
            "You give {count} token and {taker} takes it.",
            "You give {count} tokens and {taker} takes them.",
            moved,
            taker=taker,
        )
    # L10N: "them" are the tokens: "it" with one.
    return texts(
        "{giver} gives {count} token and {taker} takes it.",
        "{giver} gives {count} tokens and {taker} takes them.",
        moved,
        giver=giver,
        taker=taker,
    )


def _holding(event: ev.TurnEnded, scene: Scene) -> Sentences:
    """What the listener holds now, if the turn has changed it."""
    listener = scene.listener
    payers = [one["from"] for one in event.payments or ()]
    if listener is None or listener not in (event.worst, event.source, *payers):
        return ()
    count = event.tokens[listener]
    if not count or not event.moved:
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
    """The loser first, if there is one, then who has won."""
    # L10N: {players} is one name or a list of names.
    winners = text("First place: {players}.", players=Listing(event.winners))
    if event.loser is None:
        if event.winners == (scene.listener,):
            return (text("You win the game!"),)
        return (text("The game is over."), winners)
    return (_loss(event.loser, scene), winners)


def _loss(loser: str, scene: Scene) -> Text:
    standing, rules = scene.state.standing, scene.state.setting.rules
    mine = loser == scene.listener
    if rules.lost_sets > 1:
        if mine:
            return text("You have lost {number} sets and lose the game.", number=rules.lost_sets)
        return text(
            "{player} has lost {number} sets and loses the game.",
            player=loser,
            number=rules.lost_sets,
        )
    if standing.tokens[loser] < standing.table + sum(standing.tokens.values()):
        if mine:
            return text("You hold the most tokens and lose the game.")
        return text("{player} holds the most tokens and loses the game.", player=loser)
    if mine:
        return text("You hold all the tokens and lose the game.")
    return text("{player} holds all the tokens and loses the game.", player=loser)


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
    if not data["value"]:  # single dice, thrown for the start
        return (
            text(
                "The best so far: {player}, {combination}.", player=data["best"], combination=shown
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


def _nobody_on(state: State) -> Text:
    if state.standing.over is not None:
        return text("The game is over.")
    return text("The round is over, the next one is about to begin.")


def _announced(data: Mapping[str, Any], scene: Scene) -> Sentences:
    return (text("You have announced it: roll {throw} is the last.", throw=data["throw"]),)


def _space(data: Mapping[str, Any], scene: Scene) -> Sentences:
    return (_selection(tuple(data["selected"]), tuple(data["kept"]), scene),)


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any], Scene], Sentences]] = {
    "d": _latest,
    "c": _best,
    "s": _all_tokens,
    "t": _whose_go,
    "space": _space,
    "a": _announced,
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
}


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
    ev.ThrowOffStarted: _throw_off_started,
    ev.LastAnnounced: _last_announced,
    ev.PenaltyPaid: _penalty_paid,
    ev.SetEnded: _set_ended,
    ev.SetStarted: _set_started,
}
