"""The command `zanzibar advise`: what is best with some dice, and what all else brings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.cli_games import (
    Fault,
    options_of,
    played_rules,
    rules_argument,
    rules_dirs,
    ruleset_of,
    setting,
    tokens_option,
)
from zanzibar_plugin.cli_language import UsageFault
from zanzibar_plugin.cli_waiting import waiting
from zanzibar_plugin.dice import DICE, Faces, high_to_low, without
from zanzibar_plugin.naming import combination
from zanzibar_plugin.percent import percent
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.situation import ME, Described, shared, state_of
from zanzibar_plugin.solver import advisor, refusal
from zanzibar_plugin.solver.advisor import Advice, Advisor, Grounds
from zanzibar_plugin.speech import spoken
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Dice, Text, text

if TYPE_CHECKING:
    from zanzibar_plugin.solver.weighing import Choice

_TOKENS = click.IntRange(0, 9999)
_ROLLS = click.IntRange(1, 3)


@click.command(help=text("Advises what to do with your dice.").msgid)
@rules_argument
@click.option("--dice", required=True, metavar="4,2,1", help=text("Your three dice.").msgid)
@click.option(
    "--roll",
    type=_ROLLS,
    default=1,
    metavar="NUMBER",
    help=text("How many rolls you have made: 1 if nothing is said.").msgid,
)
@click.option(
    "--limit",
    type=_ROLLS,
    metavar="NUMBER",
    help=text("How many rolls you may make, if those before you made fewer.").msgid,
)
@click.option(
    "--to-beat",
    multiple=True,
    metavar="5,1,1",
    help=text("The dice of somebody who rolled before you in this round; first the first.").msgid,
)
@click.option(
    "--locked",
    metavar="4,2",
    help=text("Dice you kept before and may not roll again, where the rules say so.").msgid,
)
@click.option(
    "--players",
    type=click.IntRange(2, 12),
    metavar="NUMBER",
    help=text("How many play: 2 if nothing is said.").msgid,
)
@click.option("--mine", type=_TOKENS, metavar="NUMBER", help=text("Your tokens.").msgid)
@click.option(
    "--theirs",
    type=_TOKENS,
    multiple=True,
    metavar="NUMBER",
    help=text("The tokens of another player, in the order of the round; once for each.").msgid,
)
@click.option(
    "--table", type=_TOKENS, metavar="NUMBER", help=text("The tokens on the table.").msgid
)
@click.option(
    "--phase",
    metavar="ID",
    help=text("The phase of the game, where the tokens do not tell it.").msgid,
)
@tokens_option
@setting
@rules_dirs
@click.option("--json", "as_json", is_flag=True, help=text("Writes JSON.").msgid)
@click.pass_obj
def advise_command(catalog: Catalog, /, rules: str, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - the options above
    ruleset = ruleset_of(rules)
    state = _situation(ruleset, given)
    if not advisor.available():
        raise Fault(refusal.no_numpy())
    advice = _advice(state, catalog)
    if as_json:
        click.echo(json.dumps(as_data(state, advice)))
    else:
        for sentence in report(ruleset, state, advice, catalog):
            click.echo(catalog.say(sentence))


def _situation(ruleset: Ruleset, given: dict[str, Any]) -> State:
    """What the options describe; what cannot be is told as a wrong use."""
    tokens = {} if given["tokens"] is None else {"tokens": given["tokens"]}
    theirs, to_beat = given["theirs"], given["to_beat"]
    players = given["players"] or max(2, len(theirs) + 1, len(to_beat) + 1)
    rules = played_rules(ruleset, {**options_of(given["settings"]), **tokens}, players)
    held = shared(rules, players, given["mine"], theirs, given["table"])
    if isinstance(held, Text):
        raise UsageFault(held)
    described = Described(
        _faces("--dice", given["dice"]),
        given["roll"],
        given["limit"],
        tuple(_faces("--to-beat", one) for one in to_beat),
        () if given["locked"] is None else _faces("--locked", given["locked"], 1),
        held,
        given["phase"],
    )
    state = state_of(rules, described)
    if isinstance(state, Text):
        raise UsageFault(state)
    return state


def _faces(option: str, typed: str, least: int = DICE) -> Faces:
    """Dice as they are typed: 4,2,1 or 421 or "4 2 1"."""
    digits = typed.replace(",", "").replace(" ", "")
    if not least <= len(digits) <= DICE or any(digit not in "123456" for digit in digits):
        if least == DICE:
            wanted = text(
                "{option} needs three dice from 1 to 6, like 4,2,1, not {given}.",
                option=option, given=typed[:40],
            )  # fmt: skip
        else:
            wanted = text(
                "{option} needs one or two dice from 1 to 6, like 4,2, not {given}.",
                option=option, given=typed[:40],
            )  # fmt: skip
        raise UsageFault(wanted)
    return high_to_low(tuple(map(int, digits)))


def _advice(state: State, catalog: Catalog) -> Advice:
    rules, players = state.setting.rules, len(state.setting.players)
    last = state.standing.phase == len(rules.phases) - 1
    three = len(state.turn.order) == 3 and last
    made = advisor.make_advisor(rules, players, progress=waiting(catalog), three=three)
    assert isinstance(made, Advisor)
    advice = made.advise(state, ME)
    assert advice is not None
    return advice


def report(ruleset: Ruleset, state: State, advice: Advice, catalog: Catalog) -> Iterator[Text]:
    """The sentences: where the player is, what is best and why, and all he may do."""
    go, standing = state.go, state.standing
    assert go is not None
    yield text(
        "{game}, {phase}: you have {combination} after roll {roll} of {limit}.",
        game=spoken(ruleset.name),
        phase=spoken(ruleset.phases[state.phase.id].label),
        combination=combination(go.dice, state.setting.rules),
        roll=go.throws,
        limit=go.limit,
    )
    if state.turn.results:
        best = max(state.turn.results, key=lambda one: state.setting.rules.strength(one.dice))
        yield text(
            "The best before you: {combination}.",
            combination=combination(best.dice, state.setting.rules),
        )
    theirs = [str(standing.tokens[one]) for one in state.setting.players if one != ME]
    yield text(
        "Tokens: you {mine}, the others {theirs}, the table {table}.",
        mine=standing.tokens[ME],
        theirs=", ".join(theirs),
        table=standing.table,
    )
    yield text("Best: {choice}.", choice=_choice(state, advice.best))
    yield from _why(advice, catalog)
    yield _GROUNDS[advice.grounds]
    yield text("All you may do, the best first:")
    for one in advice.choices:
        yield text("{choice}: {chances}", choice=_choice(state, one),
                   chances=_chances(one, advice.grounds, catalog))  # fmt: skip


_GROUNDS = {
    Grounds.EXACT: text("This is exact if both play their best from here on."),
    Grounds.EQUILIBRIUM: text(
        "This holds if all three play so that nobody gains by playing otherwise."
    ),
    Grounds.SET: text("This is exact for this set alone."),
    Grounds.ESTIMATE: text("This is an estimate, which looks at one round only."),
}


def _choice(state: State, choice: Choice) -> Text:
    """What is done, as part of a sentence."""
    go = state.go
    assert go is not None
    if choice.stop:
        return text("accept {combination}", combination=combination(go.dice, state.setting.rules))
    kept = without(go.dice, choice.again)
    again = Dice(choice.again)
    if choice.last and not go.last:
        if kept:
            return text(
                "announce the last roll, roll {again} again and keep {kept}",
                again=again, kept=Dice(kept),
            )  # fmt: skip
        return text("announce the last roll and roll all the dice again")
    if kept:
        return text("roll {again} again and keep {kept}", again=again, kept=Dice(kept))
    return text("roll all the dice again")


def _chances(choice: Choice, grounds: Grounds, catalog: Catalog) -> Text:
    """The chances of a choice, as the end of a sentence."""
    turn = percent(choice.turn, catalog.locale)
    if grounds is Grounds.ESTIMATE:
        return text(
            "{turn} to be the strongest of the round, {safe} not to be the weakest",
            turn=turn,
            safe=percent(choice.safe, catalog.locale),
        )
    win = percent(choice.win, catalog.locale)
    if grounds is Grounds.SET:
        return text(
            "{win} to win the set, {turn} to be the strongest of the round", win=win, turn=turn
        )
    return text(
        "{win} to win the game, {turn} to be the strongest of the round", win=win, turn=turn
    )


def _why(advice: Advice, catalog: Catalog) -> Iterator[Text]:
    """The chances of the best, beside those of accepting, or of the best roll."""
    best = advice.best
    chances = _chances(best, advice.grounds, catalog)
    other = next((one for one in advice.choices if one.stop != best.stop), None)
    if other is None:
        yield text("Your chances with it: {chances}.", chances=chances)
        return
    others = _chances(other, advice.grounds, catalog)
    if other.stop:
        yield text(
            "Your chances with it: {chances}. If you accept now: {others}.",
            chances=chances, others=others,
        )  # fmt: skip
    else:
        yield text(
            "Your chances with it: {chances}. With the best way to roll again: {others}.",
            chances=chances, others=others,
        )  # fmt: skip


def as_data(state: State, advice: Advice) -> dict[str, Any]:
    """The advice as plain data; chances are numbers from 0 to 1."""
    go, standing = state.go, state.standing
    assert go is not None
    return {
        "rules": state.setting.rules.id,
        "options": dict(state.setting.rules.options),
        "players": len(state.setting.players),
        "phase": state.phase.id,
        "dice": list(go.dice),
        "roll": go.throws,
        "limit": go.limit,
        "to_beat": [list(result.dice) for result in state.turn.results],
        "mine": standing.tokens[ME],
        "theirs": [standing.tokens[one] for one in state.setting.players if one != ME],
        "table": standing.table,
        "grounds": advice.grounds.value,
        "choices": [
            {
                "stop": one.stop,
                "keep": list(go.dice if one.stop else without(go.dice, one.again)),
                "again": list(one.again),
                "last": one.last,
                "win": one.win,
                "turn": one.turn,
                "safe": one.safe,
            }
            for one in advice.choices
        ],
    }
