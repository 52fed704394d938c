"""What is heard of a round: who starts, who was best and worst, and the tokens that move."""

from __future__ import annotations

from zanzibar_plugin import events as ev
from zanzibar_plugin.contest import strongest_of, weakest_of
from zanzibar_plugin.rules import Amount, Payer, Tie
from zanzibar_plugin.speech.scene import Scene, Sentences, each, tokens
from zanzibar_plugin.state import Ended
from zanzibar_plugin.text import Field, Text, text, texts


def turn_started(event: ev.TurnStarted, scene: Scene) -> Sentences:
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


def penalty_paid(event: ev.PenaltyPaid, scene: Scene) -> Sentences:
    concerned = scene.listener in (event.player, event.source)
    held = event.tokens.get(scene.listener or "", 0) if concerned else 0
    return (_penalty(event, scene), *((_now_hold(held),) if held else ()))


def _penalty(event: ev.PenaltyPaid, scene: Scene) -> Text:
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
        return taken
    if event.player == scene.listener:
        return texts(
            "Nénette: {giver} gives {count} token and you take it.",
            "Nénette: {giver} gives {count} tokens and you take them.",
            event.moved,
            giver=event.source,
        )
    if event.source == scene.listener:
        return texts(
            "Nénette: you give {count} token and {taker} takes it.",
            "Nénette: you give {count} tokens and {taker} takes them.",
            event.moved,
            taker=event.player,
        )
    return texts(
        "Nénette: {giver} gives {count} token and {taker} takes it.",
        "Nénette: {giver} gives {count} tokens and {taker} takes them.",
        event.moved,
        giver=event.source,
        taker=event.player,
    )


def turn_ended(event: ev.TurnEnded, scene: Scene) -> Sentences:
    ended = scene.state.standing.ended
    assert ended is not None
    dice = {result.player: scene.named(result.dice) for result in ended.results}
    if cancelled(event, scene):
        return (VOID,)
    strongest = _strongest(event, dice[event.best], scene)
    if event.payments is not None:
        moves = _from_all(event, dice[event.worst], scene)
    elif scene.state.setting.rules.phases[ended.phase].payer is Payer.TABLE:
        moves = _from_table(event, dice[event.worst], scene)
    else:
        moves = (
            weakest(event, dice[event.worst], scene),
            gift(event.best, event.worst, event.moved, scene),
        )
    return (*thrown_off(ended, scene), strongest, *moves, *_holding(event, scene))


def thrown_off(ended: Ended, scene: Scene) -> Sentences:
    """Who has won or lost a throw-off: the combinations heard afterwards are those before it."""
    said = []
    if "best" in ended.thrown_off:
        if ended.best == scene.listener:
            said.append(text("You win the throw-off."))
        else:
            said.append(text("{player} wins the throw-off.", player=ended.best))
    if "worst" in ended.thrown_off:
        if ended.worst == scene.listener:
            said.append(text("You lose the throw-off."))
        else:
            said.append(text("{player} loses the throw-off.", player=ended.worst))
    return tuple(said)


VOID = text("A tie: nobody takes tokens, and the round is played again.")


def cancelled(event: ev.TurnEnded, scene: Scene) -> bool:
    """Whether a tie has made the turn void; with nothing to pay, none need be the reason."""
    ended, rules = scene.state.standing.ended, scene.state.setting.rules
    assert ended is not None
    ties = (strongest_of(rules, ended.results), weakest_of(rules, ended.results))
    return not event.moved and rules.tie is Tie.CANCEL and any(len(tie) > 1 for tie in ties)


def _strongest(event: ev.TurnEnded, shown: Field, scene: Scene) -> Text:
    ended = scene.state.standing.ended
    assert ended is not None
    amount = scene.state.setting.rules.phases[ended.phase].amount
    if amount is not Amount.BEST_VALUE:  # the value of the strongest decides nothing
        if event.best == scene.listener:
            return text("You are the strongest with {combination}.", combination=shown)
        return text(
            "{player} is the strongest with {combination}.", player=event.best, combination=shown
        )
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


def weakest(event: ev.TurnEnded, shown: Field, scene: Scene) -> Text:
    if event.worst == scene.listener:
        return text("You are the weakest with {combination}.", combination=shown)
    return text(
        "{player} is the weakest with {combination}.", player=event.worst, combination=shown
    )


def _from_table(event: ev.TurnEnded, shown: Field, scene: Scene) -> Sentences:
    if not event.moved:  # a penalty has emptied the table a moment ago
        return (weakest(event, shown, scene), on_table(event.table))
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
    return (taken, on_table(event.table))


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
    return (taken, text("Paid: {payments}.", payments=each(paid, scene)))


def on_table(count: int) -> Text:
    if not count:
        return text("The table is empty.")
    return texts(
        "{count} token is left on the table.", "{count} tokens are left on the table.", count
    )


def gift(giver: str, taker: str, moved: int, scene: Scene) -> Text:
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
    return (_now_hold(count),)


def _now_hold(count: int) -> Text:
    return texts("You now hold {count} token.", "You now hold {count} tokens.", count)


def left(event: ev.Left, scene: Scene) -> Sentences:
    if scene.state.setting.rules.lost_sets > 1:
        if event.player == scene.listener:
            return (
                text(
                    "You have no token and are out of this set, place {place}.", place=event.place
                ),
            )
        return (
            text(
                "{player} has no token and is out of this set, place {place}.",
                player=event.player,
                place=event.place,
            ),
        )
    if event.player == scene.listener:
        return (
            text(
                "You have no token and go out of the game, place {place}: you win!",
                place=event.place,
            ),
        )
    return (
        text(
            "{player} has no token and goes out of the game, place {place}.",
            player=event.player,
            place=event.place,
        ),
    )


def phase_started(event: ev.PhaseStarted, scene: Scene) -> Sentences:
    holders = {player: count for player, count in event.tokens.items() if count}
    words = scene.ruleset.phases[event.phase].text
    begins = (Text(words, {}),) if words else ()
    return (*begins, tokens(holders, scene))
