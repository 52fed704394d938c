"""The end of a turn: who takes how many tokens, who is out, what comes next."""

from __future__ import annotations

from zanzibar_plugin import events as ev
from zanzibar_plugin.contest import Decided, Pending, decide, strongest_of
from zanzibar_plugin.final import final
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Ends, Leave, Next, Payer, PhaseStarter, Stake
from zanzibar_plugin.state import State, evolve
from zanzibar_plugin.worth import due, payment


class _Flow:
    """The events so far, and the state after them.

    The last event of all needs no state after it: it is only told.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[ev.Event] = []

    def add(self, event: ev.Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def tell(self, event: ev.Event) -> None:
        self.events.append(event)


def settle(state: State) -> tuple[ev.Event, ...]:
    """The events that end a turn whose players are all done; none while one is still to come.

    If a tie must be thrown off, that is all that happens.  Otherwise: penalties, the turn's end,
    those who leave in seat order, then the end of the game or set, or the next phase if this one
    is over, and the next turn.
    """
    if state.go is not None or state.standing.over is not None:
        return ()
    if state.turn.about == "start":
        return (_first_turn(state),)
    outcome = decide(state)
    if isinstance(outcome, Pending):
        return (ev.ThrowOffStarted(outcome.players, outcome.about),)
    flow = _Flow(state)
    if state.setting.rules.penalty:
        _penalties(flow, outcome)
    flow.add(_turn_ended(flow.state, outcome))
    over = _phase_over(flow.state)
    _leave(flow, over)
    end = final(flow.state, outcome, over)
    if isinstance(end, ev.GameOver):
        flow.tell(end)
    elif end is not None:
        _next_set(flow, end)
    else:
        _next_turn(flow, outcome, over)
    return tuple(flow.events)


def _first_turn(state: State) -> ev.Event:
    """After everybody has thrown a die for the start: who starts, or who throws again."""
    players = tuple(r.player for r in strongest_of(state.setting.rules, state.turn.results))
    if len(players) > 1:
        return ev.ThrowOffStarted(players, "start")
    standing = state.standing
    return ev.TurnStarted(1, state.phase.id, players[0], standing.table, standing.tokens)


def _penalties(flow: _Flow, outcome: Decided) -> None:
    """Whoever has a nénette takes tokens at once: from the table, else from the best."""
    rules = flow.state.setting.rules
    for result in flow.state.turn.own_results:
        if rules.by_dice[result.dice].kind is not Kind.NENETTE:
            continue
        table, tokens = flow.state.standing.table, dict(flow.state.standing.tokens)
        best = outcome.best.player
        if table:
            source, moved = "table", min(rules.penalty, table)
            table -= moved
        elif best != result.player and tokens[best]:
            source, moved = best, min(rules.penalty, tokens[best])
            tokens[best] -= moved
        else:
            continue
        tokens[result.player] += moved
        flow.add(ev.PenaltyPaid(result.player, moved, source, table, tokens))


def _turn_ended(state: State, outcome: Decided) -> ev.TurnEnded:
    """The move of tokens to the worst: from the table, from the best or from every other player."""
    best, worst = outcome.best, outcome.worst.player
    stake = None
    if outcome.thrown_off and state.setting.rules.throw_off.stake is Stake.ONE:
        stake = 1
    table, tokens = state.standing.table, dict(state.standing.tokens)
    payer = state.phase.payer
    if payer is Payer.EACH_OTHER:
        return _all_pay(state, outcome, stake)
    giver = None if payer is Payer.TABLE else best.player
    available = table if giver is None else tokens[giver]
    value = due(state, giver, best, stake, available)
    moved = 0 if outcome.cancelled else min(value, available)
    if giver is None:
        table -= moved
    else:
        tokens[giver] -= moved
    tokens[worst] += moved
    number, source = state.turn.number, "table" if giver is None else giver
    return ev.TurnEnded(number, best.player, worst, value, moved, source, table, tokens)


def _all_pay(state: State, outcome: Decided, stake: int | None) -> ev.TurnEnded:
    best, worst = outcome.best, outcome.worst.player
    tokens = dict(state.standing.tokens)
    playing = {result.player for result in state.turn.own_results}
    paid = {}
    for player in state.setting.players:
        if player != worst and player in playing:
            amount = 0 if outcome.cancelled else payment(state, player, best, stake)
            tokens[player] -= amount
            paid[player] = amount
    moved = sum(paid.values())
    tokens[worst] += moved
    most = max(state.standing.tokens.values())
    value = due(state, None, best, stake, most)
    return ev.TurnEnded(
        state.turn.number,
        best.player,
        worst,
        value,
        moved,
        None,
        state.standing.table,
        tokens,
        tuple({"from": player, "amount": amount} for player, amount in paid.items()),
    )


def _phase_over(state: State) -> bool:
    phase, standing = state.phase, state.standing
    held = [standing.tokens[p] for p in state.setting.players if p not in standing.places]
    match phase.ends:
        case Ends.TABLE_EMPTY:
            return standing.table == 0
        case Ends.ONE_HOLDER:
            return sum(count > 0 for count in held) <= 1
        case Ends.FIRST_EMPTY:
            return 0 in held
        case Ends.TURNS:
            return state.turn.number - standing.begun >= phase.count
        case Ends.TARGET:
            # With the table empty nobody can come nearer to it.
            stuck = phase.payer is Payer.TABLE and standing.table == 0
            return stuck or max(held) >= phase.count


def _leave(flow: _Flow, phase_over: bool) -> None:
    """Players without tokens go out, all at the same place."""
    state, leave = flow.state, flow.state.phase.leave
    if leave is Leave.NEVER or (leave is Leave.PHASE_END and not phase_over):
        return
    place = 1 + len(state.standing.places)
    for player in state.setting.players:
        if state.standing.tokens[player] == 0 and player not in state.standing.places:
            flow.add(ev.Left(player, place))


def _next_turn(flow: _Flow, outcome: Decided, phase_over: bool) -> None:
    state = flow.state
    starter = _next_starter(state, outcome)
    if phase_over:
        phase = state.setting.rules.phases[state.standing.phase + 1]
        flow.add(ev.PhaseStarted(phase.id, state.standing.table, state.standing.tokens))
        if phase.starter is PhaseStarter.MOST_TOKENS:
            starter = _most_tokens(state, starter)
    state = flow.state
    table, tokens = state.standing.table, state.standing.tokens
    flow.tell(ev.TurnStarted(state.turn.number + 1, state.phase.id, starter, table, tokens))


def _next_starter(state: State, outcome: Decided) -> str:
    """Who starts the next turn; if he has just left, the next one in the order of the seats."""
    players = state.setting.players
    last = state.turn.own_results[0].player
    rule = state.setting.rules.next
    if outcome.cancelled:
        chosen = last
    elif rule is Next.ROTATE:
        chosen = players[(players.index(last) + 1) % len(players)]
    else:
        chosen = (outcome.worst if rule is Next.LOSER else outcome.best).player
    return _still_in(state, chosen)[0]


def _still_in(state: State, first: str) -> list[str]:
    """Who is still in the game, in the order of the seats from `first` on."""
    players = state.setting.players
    seat = players.index(first)
    return [p for p in players[seat:] + players[:seat] if p not in state.standing.places]


def _most_tokens(state: State, otherwise: str) -> str:
    """Who holds the most tokens; of several the first from the usual starter on."""
    return max(_still_in(state, otherwise), key=lambda player: state.standing.tokens[player])


def _next_set(flow: _Flow, ended: ev.SetEnded) -> None:
    state = flow.state
    rules, players = state.setting.rules, state.setting.players
    pot, each = rules.supply.start(len(players))
    tokens = dict.fromkeys(players, each)
    first = rules.phases[0].id
    flow.add(ended)
    flow.add(ev.SetStarted(ended.set + 1, first, pot, tokens))
    flow.tell(ev.TurnStarted(state.turn.number + 1, first, ended.loser, pot, tokens))
