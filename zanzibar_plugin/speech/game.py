"""What is heard of the beginning and the end of a game, and of its sets."""

from __future__ import annotations

from zanzibar_plugin import events as ev
from zanzibar_plugin.ruleset import Choice, Switch
from zanzibar_plugin.speech.scene import Scene, Sentences, each, named, spoken
from zanzibar_plugin.text import Listing, Text, text, texts


def game_started(event: ev.GameStarted, scene: Scene) -> Sentences:
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
            said.append(
                text("{option}: {value}.", option=Text(option.label, {}), value=text("yes"))
            )
    return tuple(said)


def set_ended(event: ev.SetEnded, scene: Scene) -> Sentences:
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
    return (said, text("Sets lost: {sets}.", sets=each(lost, scene)))


def set_started(event: ev.SetStarted, scene: Scene) -> Sentences:
    return (text("Set {set} begins.", set=event.set), *_at_the_start(event.table, event.tokens))


def game_over(event: ev.GameOver, scene: Scene) -> Sentences:
    """The loser first, if there is one, then who has won."""
    # L10N: {players} is one name or a list of names.
    winners = text("Place 1: {players}.", players=named(event.winners, scene))
    if event.loser is None:
        if event.winners == (scene.listener,):
            return (text("You win the game!"),)
        if len(event.winners) == 1:
            return (text("{player} wins the game.", player=event.winners[0]),)
        return (text("The game is over."), winners)
    lost = _loss(event.loser, scene)
    if scene.state.setting.rules.lost_sets > 1 and event.winners == (scene.listener,):
        return (lost, text("You win the game!"))
    return (lost, winners)


def _loss(loser: str, scene: Scene) -> Text:
    standing, rules = scene.state.standing, scene.state.setting.rules
    mine = loser == scene.listener
    if rules.lost_sets > 1:
        if mine:
            return texts(
                "You have lost {count} set and lose the game.",
                "You have lost {count} sets and lose the game.",
                rules.lost_sets,
            )
        return texts(
            "{player} has lost {count} set and loses the game.",
            "{player} has lost {count} sets and loses the game.",
            rules.lost_sets,
            player=loser,
        )
    if standing.tokens[loser] < standing.table + sum(standing.tokens.values()):
        if mine:
            return text("You hold the most tokens and lose the game.")
        return text("{player} holds the most tokens and loses the game.", player=loser)
    if mine:
        return text("You hold all the tokens and lose the game.")
    return text("{player} holds all the tokens and loses the game.", player=loser)
