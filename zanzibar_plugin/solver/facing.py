"""What final dice are worth in a solved game of two, at any moment of a turn or throw-off."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, cast

import numpy as np

from zanzibar_plugin.recent import Recent
from zanzibar_plugin.rules import Ends, Rules, Tie
from zanzibar_plugin.solver.answering import Answered, answering
from zanzibar_plugin.solver.duel import Duel
from zanzibar_plugin.solver.goes import PLACE, Floats
from zanzibar_plugin.solver.rounds import After, Cell, Position, after, cells_of
from zanzibar_plugin.solver.throw_off import going, odds_of, payoff
from zanzibar_plugin.solver.weighing import Ending
from zanzibar_plugin.state import Result, State


class _Played(NamedTuple):
    """A turn under best play: what dice are worth to its first player, and his other chances.

    `payoffs` are those of any two final dice, (56, 56): to win the game, to be the strongest, not
    to be the weakest; `answers` what his own final dice bring, for each number of throws (56).
    """

    payoffs: tuple[Floats, ...]
    answers: tuple[tuple[Floats, ...], ...]


def position_of(state: State) -> Position:
    """The position before the turn that is being played."""
    results, order, standing = state.turn.own_results, state.turn.order, state.standing
    if results:
        # A throw-off has an order of its own.
        order = tuple(result.player for result in results) if state.turn.earlier else order
    turns = 0
    if state.phase.ends is Ends.TURNS:
        turns = state.turn.number - standing.begun - 1
    held = tuple(standing.tokens[player] for player in order)
    return Position(standing.phase, turns, standing.table, held)


def endings(duel: Duel, state: State) -> tuple[Ending, ...] | None:
    """What the final dice of whoever is on are worth after 1, 2, 3 throws, as far as he may.

    None if the solution does not know the position.
    """
    assert state.go is not None
    position = position_of(state)
    if duel.value(position) is None:
        return None
    played = _thrown_off(duel, state, position)
    if state.turn.about == "turn":
        played = _TURNS.of(duel, position)
    results = state.turn.results
    if results:
        win, turn, safe = (1 - one[PLACE[results[0].dice]] for one in played.payoffs)
        # Who is not the weakest of two while the other is not the strongest: the names change.
        return (Ending(win, safe, turn),) * state.go.limit
    throws = range(state.go.limit)
    return tuple(Ending(*(one[used] for one in played.answers)) for used in throws)


def _turn_of(duel: Duel, also: Hashable) -> _Played:
    rules, position = duel.rules, cast("Position", also)
    cells, table = _CELLS.of(rules)
    odds = odds_of(rules)
    worth = np.array([_worth(duel, rules, position, cell, odds[:2]) for cell in cells])
    payoffs = worth[np.array(table)]
    phase = rules.phases[position.phase]
    goes = answering(phase.throws, phase.follow, rules.lock_kept)
    tables = tuple(np.ascontiguousarray(payoffs[None, :, :, n]) for n in range(3))
    play = goes.play(tables[0])
    others = [goes.followed(play, one) for one in tables[1:]]
    return _played(tables, [play, *others])


def _played(tables: tuple[Floats, ...], plays: list[Answered]) -> _Played:
    answers = tuple(tuple(answer[0] for answer in play.answers) for play in plays)
    return _Played(tuple(table[0] for table in tables), answers)


def _worth(
    duel: Duel, rules: Rules, position: Position, cell: Cell, odds: tuple[float, float]
) -> tuple[float, float, float]:
    """The three chances of the first player when a turn ends with such dice."""
    ways = (0, 1) if cell.contested else (None,)
    won, *lost = [_value(duel, after(rules, position, cell[:2], way)) for way in ways]
    if lost:
        part = odds[0] if won >= lost[0] else odds[1]
        return lost[0] + part * (won - lost[0]), part, part
    one, other = (rules.strength(dice) for dice in cell[:2])
    if one == other:
        if rules.tie is Tie.CANCEL:
            return won, 0.0, 1.0
        stronger = rules.tie is Tie.EARLIER_WINS
    else:
        stronger = one > other
    return won, float(stronger), float(stronger)


def _value(duel: Duel, found: After) -> float:
    """The chance of the first player of the turn just ended."""
    if found.position is None:
        mine, other = found.places
        return 1.0 if mine < other else 0.0 if mine > other else 0.5
    value = duel.values[duel.place[found.position]]
    return float(value if found.starter == 0 else 1 - value)


def _thrown_off(duel: Duel, state: State, position: Position) -> _Played:
    """A throw-off, seen by whoever throws first in it."""
    rules, results = duel.rules, state.turn.own_results
    if state.turn.about == "turn":
        return _Played((), ())
    dice = tuple(result.dice for result in results)
    best, worst = (_value(duel, after(rules, position, dice, who)) for who in (0, 1))
    high, low, _ = odds_of(rules)
    part = high if best >= worst else low
    if state.turn.order[0] != results[0].player:
        best, worst, part = 1 - worst, 1 - best, 1 - part
    tied = worst + part * (best - worst)
    goes = going(rules)
    game = payoff(rules, best, worst, tied)[None]
    other = payoff(rules, 1.0, 0.0, part)[None]
    play = goes.play(game)
    follow = goes.followed(play, other)
    return _played((game, other, other), [play, follow, follow])


def _cells_of(rules: Rules, _: Hashable) -> tuple[tuple[Cell, ...], list[list[int]]]:
    return cells_of(rules)


_TURNS = Recent(_turn_of)
_CELLS = Recent(_cells_of)


def start_chance(duel: Duel, results: tuple[Result, ...]) -> float:
    """The chance to win while it is thrown who starts: for whoever is to throw now.

    `results` are those of the other, if he has thrown his die.
    """
    rules = duel.rules
    starts = 0.5
    if results:
        strengths = [rules.strength((face,)) for face in range(1, 7)]
        other = rules.strength(results[0].dice)
        starts = sum((s > other) + (s == other) / 2 for s in strengths) / 6
    return starts * duel.start + (1 - starts) * (1 - duel.start)
