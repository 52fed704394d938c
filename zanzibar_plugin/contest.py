"""Who is the best and who the worst of a turn, and whether a throw-off must say.

A throw-off about the best comes before one about the worst; whoever ties again in one throws off
again.  The best of a turn is never its worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zanzibar_plugin.rules import Rules, Scope, Tie
from zanzibar_plugin.state import Contest, Result, State, Turn


class Decided(NamedTuple):
    """Best and worst of a turn; `cancelled` if a tie makes it void, `thrown_off` if one was."""

    best: Result
    worst: Result
    cancelled: bool
    thrown_off: bool


class Pending(NamedTuple):
    """These players must throw off, in the order of the turn."""

    players: tuple[str, ...]
    about: str


def decide(state: State) -> Decided | Pending:
    """Best and worst of a turn whose players are all done, or who must throw off first."""
    rules, turn = state.setting.rules, state.turn
    results = turn.own_results
    if rules.tie is not Tie.THROW_OFF:
        return _by_order(rules, results)
    strongest = strongest_of(rules, results)
    found = _thrown_off(turn, "best", rules)
    if not found:
        found = [result.player for result in strongest]
        if rules.throw_off.scope is Scope.WORST:
            found = found[-1:]
    if len(found) > 1:
        return Pending(tuple(found), "best")
    best = _of(results, found[0])
    found = _thrown_off(turn, "worst", rules)
    if not found:
        found = [r.player for r in weakest_of(rules, [r for r in results if r != best])]
    if len(found) > 1:
        return Pending(tuple(found), "worst")
    return Decided(best, _of(results, found[0]), False, bool(turn.earlier))


def _by_order(rules: Rules, results: Sequence[Result]) -> Decided:
    """Of equal combinations either the later or the earlier player is the stronger, all through."""
    strengths = [rules.strength(result.dice) for result in results]
    top, low = max(strengths), min(strengths)
    first, last = strengths.index, strengths[::-1].index
    if rules.tie is Tie.EARLIER_WINS:
        best, worst = first(top), len(results) - 1 - last(low)
    else:
        best, worst = len(results) - 1 - last(top), first(low)
    cancelled = rules.tie is Tie.CANCEL and (strengths.count(top) > 1 or strengths.count(low) > 1)
    return Decided(results[best], results[worst], cancelled, False)


def strongest_of(rules: Rules, results: Sequence[Result]) -> list[Result]:
    """All results that share the greatest strength, in order."""
    top = max(rules.strength(result.dice) for result in results)
    return [result for result in results if rules.strength(result.dice) == top]


def weakest_of(rules: Rules, results: Sequence[Result]) -> list[Result]:
    """All results that share the least strength, in order."""
    low = min(rules.strength(result.dice) for result in results)
    return [result for result in results if rules.strength(result.dice) == low]


def _thrown_off(turn: Turn, about: str, rules: Rules) -> list[str]:
    """Who is left of the latest throw-off about this, in the turn's order; empty without one."""
    contests = (*turn.earlier, Contest(turn.about, turn.results))
    latest = [contest for contest in contests if contest.about == about]
    if not latest:
        return []
    choose = weakest_of if about == "worst" else strongest_of
    left = {result.player for result in choose(rules, latest[-1].results)}
    # A throw-off may have had another order; the next one starts from the turn's again.
    return [result.player for result in turn.own_results if result.player in left]


def _of(results: Sequence[Result], player: str) -> Result:
    return next(result for result in results if result.player == player)
