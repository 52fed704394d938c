"""From one turn to the next, as the engine settles them: positions between turns.

A position is seen from its starter: players are numbered from him in the order of the seats.  Who
has left is not in it any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from zanzibar_plugin.dice import COMBINATIONS, Faces
from zanzibar_plugin.events import (
    GameOver,
    Left,
    PhaseStarted,
    SetEnded,
    ThrowOffStarted,
    TurnStarted,
)
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Ends, Order, Rules, Scope, Stake, ThrowOff, Tie
from zanzibar_plugin.settling import settle
from zanzibar_plugin.state import Contest, Result, Setting, Standing, State, Turn, evolve


class Position(NamedTuple):
    """Before a turn: the phase's number, turns played in it (where it matters, else 0), tokens."""

    phase: int
    turns: int
    table: int
    tokens: tuple[int, ...]


class After(NamedTuple):
    """What a turn leads to.

    `position` is the next one, None at the end of the game or set; its player 0 is the one who was
    number `starter`, and `still_in` are the old numbers of its players.  `places` are, at the end,
    those of all players; before, the place of those who have left just now, else 0.
    """

    position: Position | None
    starter: int
    still_in: tuple[int, ...]
    places: tuple[int, ...]


class Cell(NamedTuple):
    """Two final dice of a turn of two, and whether a throw-off must say who is the stronger."""

    first: Faces
    second: Faces
    contested: bool


@lru_cache(maxsize=16)
def names(count: int) -> tuple[str, ...]:
    """Names for so many players, in the order of their seats."""
    return tuple(map(str, range(count)))


def start_of(rules: Rules, players: int) -> Position:
    """The position at the beginning of a game."""
    pot, each = rules.supply.start(players)
    return Position(0, 0, pot, (each,) * players)


def after(
    rules: Rules, position: Position, dice: tuple[Faces, ...], stronger: int | None = None
) -> After:
    """What the engine makes of a turn that ended with these dice, in order.

    `stronger` is who was the stronger in a throw-off between two, where one was needed.
    """
    state = _ended(rules, position, dice)
    players, turn = state.setting.players, state.turn
    if stronger is not None:
        best, low = rules.combinations[0].dice, rules.combinations[-1].dice
        off = tuple(Result(p, best if n == stronger else low, 1) for n, p in enumerate(players))
        thrown = Turn(turn.number, players, off, "best", (Contest("turn", turn.results),))
        state = state._replace(turn=thrown)
    return _read(rules, position, players, settle(state))


def _ended(rules: Rules, position: Position, dice: tuple[Faces, ...]) -> State:
    """A table at the end of a turn with these dice."""
    players = names(len(dice))
    results = tuple(map(Result, players, dice, (1,) * len(dice)))
    turn = Turn(position.turns + 1, players, results)
    tokens = dict(zip(players, position.tokens, strict=True))
    lost = dict.fromkeys(players, 0)
    standing = Standing(position.phase, position.table, tokens, {}, 0, 1, lost, None, None)
    return State(Setting(rules, players), standing, turn, None, None)


def outcomes(
    rules: Rules, position: Position, dice: tuple[Faces, ...]
) -> tuple[tuple[float, After], ...]:
    """What a turn that ended with these dice may lead to, with the chance of each.

    In a throw-off everybody has the same chance: with one throw each that is true.
    """
    return tuple(_branches(rules, position, _ended(rules, position, dice), 1.0))


def _branches(
    rules: Rules, position: Position, state: State, chance: float
) -> Iterator[tuple[float, After]]:
    events = settle(state)
    begun = events[0]
    if not isinstance(begun, ThrowOffStarted):
        yield chance, _read(rules, position, state.setting.players, events)
        return
    best, low = rules.combinations[0].dice, rules.combinations[-1].dice
    if begun.about == "worst":
        best, low = low, best
    for chosen in begun.players:
        results = tuple(Result(p, best if p == chosen else low, 1) for p in begun.players)
        after_it = evolve(state, begun)
        turn = after_it.turn._replace(results=results)
        thrown = after_it._replace(turn=turn, go=None)
        yield from _branches(rules, position, thrown, chance / len(begun.players))


def _read(
    rules: Rules, position: Position, players: tuple[str, ...], events: tuple[object, ...]
) -> After:
    phase, turns = position.phase, position.turns + 1
    out: dict[str, int] = {}
    for event in events:
        if isinstance(event, Left):
            out[event.player] = event.place
        elif isinstance(event, PhaseStarted):
            phase, turns = phase + 1, 0
    end = events[-1]
    if isinstance(end, GameOver):
        return After(None, 0, (), tuple(end.places[player] for player in players))
    if any(isinstance(event, SetEnded) for event in events):
        raise ValueError("a set has ended, not the game")
    if not isinstance(end, TurnStarted):
        raise ValueError(f"the turn is not over: {end!r:.80}")
    starter = int(end.starter)
    order = (*range(starter, len(players)), *range(starter))
    still_in = tuple(number for number in order if players[number] not in out)
    if rules.phases[phase].ends is not Ends.TURNS:
        turns = 0
    held = tuple(end.tokens[players[number]] for number in still_in)
    places = tuple(out.get(player, 0) for player in players)
    return After(Position(phase, turns, end.table, held), starter, still_in, places)


def cells_of(rules: Rules) -> tuple[tuple[Cell, ...], list[list[int]]]:
    """All ends of a turn of two that can have different consequences, and which of them it is.

    The second result has for each two places (of the first and the second player's dice among the
    56) the number of a cell in the first.
    """
    found: dict[tuple[object, ...], int] = {}
    cells: list[Cell] = []
    table = []
    for first in COMBINATIONS:
        row = []
        for second in COMBINATIONS:
            key = _consequence(rules, first, second)
            if key not in found:
                found[key] = len(cells)
                cells.append(Cell(first, second, key[0] is None))
            row.append(found[key])
        table.append(row)
    return tuple(cells), table


def _consequence(rules: Rules, first: Faces, second: Faces) -> tuple[object, ...]:
    """What the rules look at in two final dice: who is the stronger, values, nénettes, repeats."""
    one, other = rules.by_dice[first], rules.by_dice[second]
    nenettes: tuple[object, ...] = ()
    if rules.penalty:
        nenettes = (one.kind is Kind.NENETTE, other.kind is Kind.NENETTE)
    top = rules.combinations[0].dice
    repeated = bool(rules.repeat_step) and first == second == top
    if one.strength != other.strength:
        stronger = int(other.strength > one.strength)
        return (stronger, (one, other)[stronger].value, nenettes, False)
    if open_tie(rules):
        return (None, one.value, other.value, nenettes, repeated)
    if rules.tie is Tie.CANCEL:
        return ("cancelled", nenettes)
    stronger = int(rules.tie is not Tie.EARLIER_WINS)
    return (stronger, (one, other)[stronger].value, nenettes, repeated)


def open_tie(rules: Rules) -> bool:
    """Whether a tie between two leads to a throw-off."""
    return rules.tie is Tie.THROW_OFF and rules.throw_off.scope is Scope.BOTH


def with_ties_shared(rules: Rules) -> Rules:
    """The rules, but a tie counts half a win for each: no game is played so, but odds are given so.

    A throw-off with one throw each is just that, since it is even.
    """
    even = ThrowOff(1, Order.FORWARD, Stake.SAME, Scope.BOTH)
    return replace(rules, tie=Tie.THROW_OFF, throw_off=even)
