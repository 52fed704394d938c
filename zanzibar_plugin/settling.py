"""The end of a turn: who takes how many tokens, who is out, what comes next."""

from __future__ import annotations

from zanzibar_plugin import events as ev
from zanzibar_plugin.rules import Ends, Payer
from zanzibar_plugin.state import State, evolve


def settle(state: State) -> tuple[ev.Event, ...]:
    """The events that end a turn whose players are all done; none while one is still to come.

    Order: the turn's end, those who leave in seat order, then the end of the game, or the next
    phase if this one is over, and the next turn.
    """
    if state.go is not None or state.standing.over is not None:
        return ()
    ended = _turn_ended(state)
    events: list[ev.Event] = [ended]
    state = evolve(state, ended)
    phase_over = _phase_over(state)
    leavers = _leavers(state, phase_over)
    place = 1 + len(state.standing.places)
    for player in leavers:
        events.append(ev.Left(player, place))
        state = evolve(state, events[-1])
    left_in = [p for p in state.setting.players if p not in state.standing.places]
    if len(left_in) == 1:
        places = {**state.standing.places, left_in[0]: len(state.setting.players)}
        seated = {player: places[player] for player in state.setting.players}
        winners = tuple(player for player, place in seated.items() if place == 1)
        return (*events, ev.GameOver(winners, left_in[0], seated))
    table, tokens = state.standing.table, state.standing.tokens
    phase = state.phase
    if phase_over:
        phase = state.setting.rules.phases[state.standing.phase + 1]
        events.append(ev.PhaseStarted(phase.id, table, tokens))
    # The loser starts the next turn, also across the change of phase.
    events.append(ev.TurnStarted(ended.turn + 1, phase.id, ended.worst, table, tokens))
    return tuple(events)


def _turn_ended(state: State) -> ev.TurnEnded:
    """Best and worst, and the move of tokens from the table or the best to the worst.

    Of equal combinations the later is the stronger, so best and worst are never the same player.
    """
    rules = state.setting.rules
    ranked = sorted(
        range(len(state.turn.results)),
        key=lambda seat: (rules.by_dice[state.turn.results[seat].dice].strength, seat),
    )
    worst, best = state.turn.results[ranked[0]], state.turn.results[ranked[-1]]
    value = rules.by_dice[best.dice].value
    table, tokens = state.standing.table, dict(state.standing.tokens)
    if state.phase.payer is Payer.TABLE:
        source, moved = "table", min(value, table)
        table -= moved
    else:
        source, moved = best.player, min(value, tokens[best.player])
        tokens[best.player] -= moved
    tokens[worst.player] += moved
    return ev.TurnEnded(
        state.turn.number, best.player, worst.player, value, moved, source, table, tokens
    )


def _phase_over(state: State) -> bool:
    return state.phase.ends is Ends.TABLE_EMPTY and state.standing.table == 0


def _leavers(state: State, phase_over: bool) -> list[str]:
    """Players without tokens who go out now: when the table is empty, and in the discharge."""
    if state.phase.ends is Ends.TABLE_EMPTY and not phase_over:
        return []
    tokens, places = state.standing.tokens, state.standing.places
    return [p for p in state.setting.players if tokens[p] == 0 and p not in places]
