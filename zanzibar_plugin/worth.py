"""How many tokens a combination sets, and how many move."""

from __future__ import annotations

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.ranking import Value, Worth
from zanzibar_plugin.rules import Amount, Payer
from zanzibar_plugin.state import Result, State


def in_tokens(value: Value, available: int) -> int:
    """A value as a number, where so many tokens are there to be moved."""
    if value is Worth.ALL:
        return available
    if value is Worth.ALL_BUT_ONE:
        return max(1, available - 1)
    return int(value)


def value_of(state: State, dice: Faces, available: int) -> int:
    """The value of a combination in this turn, with what its repetition adds."""
    rules = state.setting.rules
    value = in_tokens(rules.by_dice[dice].value, available)
    if rules.repeat_step and dice == rules.combinations[0].dice:
        results = state.turn.own_results
        value += rules.repeat_step * max(0, sum(r.dice == dice for r in results) - 1)
    return value


def value_now(state: State, result: Result) -> int:
    """What a result would be worth if it stayed the best of the turn."""
    standing = state.standing
    payer = state.phase.payer
    available = standing.table
    if payer is Payer.BEST:
        available = standing.tokens[result.player]
    elif payer is Payer.EACH_OTHER:
        available = max(standing.tokens.values())
    return value_of(state, result.dice, available)


def payment(state: State, payer: str, best: Result, stake: int | None) -> int:
    """How many tokens a player gives: never more than he has.

    `stake` is the number that a throw-off has set instead of any value.
    """
    available = state.standing.tokens[payer]
    return min(available, due(state, payer, best, stake, available))


def due(state: State, payer: str | None, best: Result, stake: int | None, available: int) -> int:
    """How many tokens are asked of a payer (None: the table), whether they are there or not."""
    amount = state.phase.amount
    if stake is not None:
        return stake
    if isinstance(amount, int):
        return amount
    dice = best.dice
    if amount is Amount.PAYER_VALUE and payer is not None:
        dice = next(r.dice for r in state.turn.own_results if r.player == payer)
    return value_of(state, dice, available)
