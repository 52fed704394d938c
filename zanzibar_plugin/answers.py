"""What D, C, S and T tell: pure questions to a state, answered as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zanzibar_plugin.state import Result, State

Data: TypeAlias = dict[str, Any]


def latest_throw(state: State) -> Data:
    """D: `thrower` and `dice` of the latest throw at the table; null before any."""
    latest = state.latest
    if latest is None:
        return {"thrower": None, "dice": None}
    return {"thrower": latest.player, "dice": list(latest.dice)}


def best_result(state: State) -> Result | None:
    """The best combination of this turn so far; of equal ones the later is the stronger."""
    best = None
    strength = 0
    by_dice = state.setting.rules.by_dice
    for result in state.turn.results:
        if by_dice[result.dice].strength >= strength:
            best, strength = result, by_dice[result.dice].strength
    return best


def best_so_far(state: State) -> Data:
    """C: `best` (the player), `dice` and `value`; null before anyone has finished his go."""
    best = best_result(state)
    if best is None:
        return {"best": None, "dice": None, "value": None}
    value = state.setting.rules.by_dice[best.dice].value
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
