"""What D, C, S and T tell: pure questions to a state, answered as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zanzibar_plugin.dice import DICE
from zanzibar_plugin.rules import Tie
from zanzibar_plugin.state import Result, State
from zanzibar_plugin.worth import value_now

Data: TypeAlias = dict[str, Any]


def latest_throw(state: State) -> Data:
    """D: `thrower` and `dice` of the latest throw at the table; null before any."""
    latest = state.latest
    if latest is None:
        return {"thrower": None, "dice": None}
    return {"thrower": latest.player, "dice": list(latest.dice)}


def best_result(state: State) -> Result | None:
    """The best result of this turn (or throw-off) so far; None before there is one."""
    results, rules = state.turn.results, state.setting.rules
    if not results:
        return None
    top = max(rules.strength(result.dice) for result in results)
    equal = [result for result in results if rules.strength(result.dice) == top]
    return equal[0 if rules.tie is Tie.EARLIER_WINS else -1]


def best_so_far(state: State) -> Data:
    """C: `best` (the player), `dice` and `value`; null before anyone has finished his go."""
    best = best_result(state)
    if best is None:
        return {"best": None, "dice": None, "value": None}
    # A single die thrown for the start is worth nothing.
    value = value_now(state, best) if len(best.dice) == DICE else 0
    return {"best": best.player, "dice": list(best.dice), "value": value}


def tokens(state: State) -> Data:
    """S: everybody's `tokens` in seat order, those on the `table`, `places` of those who left."""
    standing = state.standing
    held = dict(standing.tokens)
    # After the end the loser has a place too, but he never left.
    places = {player: place for player, place in standing.places.items() if not held[player]}
    return {"tokens": held, "table": standing.table, "places": places}


def whose_go(state: State) -> Data:
    """T: `on_go` (null between turns and after the end), `throws` used and the `limit`."""
    go = state.go
    if go is None:
        return {"on_go": None, "throws": None, "limit": None}
    return {"on_go": go.player, "throws": go.throws, "limit": go.limit}


ANSWERS: Mapping[str, Callable[[State], Data]] = {
    "d": latest_throw,
    "c": best_so_far,
    "s": tokens,
    "t": whose_go,
}
