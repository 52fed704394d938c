"""The state of a table: a fold of its events.

It is split by how often it changes, so that a key touches only a small part: the setting never,
the standing and the turn once a turn or a player, the go with every key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import Faces, without
from zanzibar_plugin.rules import Follow, Order, Phase, Rules


class Setting(NamedTuple):
    """What holds for the whole game: rules and players in seat order."""

    rules: Rules
    players: tuple[str, ...]


class Result(NamedTuple):
    """What a player accepted in a turn, and after how many throws."""

    player: str
    dice: Faces
    throws: int


class Ended(NamedTuple):
    """The turn settled last, for those who speak of it: results in order, best and worst.

    `thrown_off` is what throw-offs were about: "best", "worst", both or nothing.
    """

    turn: int
    phase: int
    results: tuple[Result, ...]
    best: str
    worst: str
    thrown_off: tuple[str, ...] = ()


class Standing(NamedTuple):
    """Where the game stands between turns.

    `places` are those who are out, and at the end all; `begun` is the number of the turn that came
    before the first of this phase; `lost` are the sets each player has lost.
    """

    phase: int
    table: int
    tokens: ev.Tokens
    places: Mapping[str, int]
    begun: int
    set: int
    lost: Mapping[str, int]
    ended: Ended | None
    over: ev.GameOver | None


class Contest(NamedTuple):
    """Who threw for what: `about` is "turn", or "best", "worst" or "start" in a throw-off."""

    about: str
    results: tuple[Result, ...]


class Turn(NamedTuple):
    """One go round the table: its players in order, and the results so far.

    In a throw-off, `about` says what is thrown for, `order` and `results` are its own, and
    `earlier` holds the turn's results and those of the throw-offs before.
    """

    number: int
    order: tuple[str, ...]
    results: tuple[Result, ...]
    about: str = "turn"
    earlier: tuple[Contest, ...] = ()

    @property
    def own_results(self) -> tuple[Result, ...]:
        """The results of the turn itself, whatever was thrown off afterwards."""
        return self.earlier[0].results if self.earlier else self.results


class Go(NamedTuple):
    """A player's go: `throws` used of at most `limit`, `dice` (none before the first throw).

    `locked` are dice that must stay kept; `last` is whether the next throw was announced as last.
    """

    player: str
    limit: int
    throws: int
    dice: Faces
    selected: Faces
    locked: Faces = ()
    last: bool = False


class Latest(NamedTuple):
    """The latest throw at the table; `number` counts the throws of the game from 1."""

    number: int
    player: str
    dice: Faces


class State(NamedTuple):
    """A whole table.  `go` is None when no player is on: between turns and after the end."""

    setting: Setting
    standing: Standing
    turn: Turn
    go: Go | None
    latest: Latest | None

    @property
    def phase(self) -> Phase:
        return self.setting.rules.phases[self.standing.phase]


def begin(rules: Rules, event: ev.GameStarted) -> State:
    """The state after the first event of a table."""
    lost = dict.fromkeys(event.players, 0)
    return State(
        Setting(rules, event.players),
        Standing(0, event.table, event.tokens, {}, 0, 1, lost, None, None),
        Turn(0, (), ()),
        None,
        None,
    )


def rebuild(rules: Rules, events: Iterable[ev.Event]) -> State:
    """The state of a table from all its events; ValueError if the first is not the beginning."""
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, ev.GameStarted):
        raise ValueError("a table begins with game_started")
    state = begin(rules, first)
    for event in rest:
        state = evolve(state, event)
    return state


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event.  An event that only tells something leaves it as it is."""
    return _STEPS[type(event)](state, event)


def order_from(starter: str, players: tuple[str, ...], out: Mapping[str, int]) -> tuple[str, ...]:
    """Seats ascending from the starter, without those who are out."""
    seat = players.index(starter)
    return tuple(p for p in players[seat:] + players[:seat] if p not in out)


def _turn_started(state: State, event: ev.TurnStarted) -> State:
    setting, standing, _, _, latest = state
    order = order_from(event.starter, setting.players, standing.places)
    go = Go(event.starter, state.phase.throws, 0, (), ())
    return State(setting, standing, Turn(event.turn, order, ()), go, latest)


def _throw_off_started(state: State, event: ev.ThrowOffStarted) -> State:
    setting, standing, turn, _, latest = state
    throw_off = setting.rules.throw_off
    order = event.players
    limit = throw_off.throws
    if event.about == "start":
        limit = 1
    elif throw_off.order is Order.REVERSE:
        order = order[::-1]
    earlier = (*turn.earlier, Contest(turn.about, turn.results)) if turn.results else turn.earlier
    turn = Turn(turn.number, order, (), event.about, earlier)
    return State(setting, standing, turn, Go(order[0], limit, 0, (), ()), latest)


def _selected(state: State, event: ev.Selected) -> State:
    setting, standing, turn, go, latest = state
    assert go is not None
    player, limit, throws, dice, _, locked, last = go
    go = Go(player, limit, throws, dice, event.selected, locked, last)
    return State(setting, standing, turn, go, latest)


def _last_announced(state: State, event: ev.LastAnnounced) -> State:
    assert state.go is not None
    return state._replace(go=state.go._replace(last=True))


def _thrown(state: State, event: ev.Thrown) -> State:
    setting, standing, turn, before, latest = state
    player, throw, limit, dice, _ = event
    number = 1 if latest is None else latest.number + 1
    go = Go(player, limit, throw, dice, ())
    if setting.rules.lock_kept and before is not None:
        go = go._replace(locked=without(before.dice, before.selected))
    return State(setting, standing, turn, go, Latest(number, player, dice))


def _accepted(state: State, event: ev.Accepted) -> State:
    setting, standing, (number, order, results, about, earlier), _, latest = state
    results = (*results, Result(*event))
    turn = Turn(number, order, results, about, earlier)
    go = None
    if len(results) < len(order):
        go = Go(order[len(results)], next_limit(state, results), 0, (), ())
    return State(setting, standing, turn, go, latest)


def next_limit(state: State, results: tuple[Result, ...]) -> int:
    """How many throws the player after these results has."""
    if state.turn.about == "start":
        return 1
    if state.turn.about != "turn":
        return state.setting.rules.throw_off.throws
    phase = state.phase
    if not results or phase.follow is Follow.FREE:
        return phase.throws
    return results[-1 if phase.follow is Follow.PREVIOUS else 0].throws


def _turn_ended(state: State, event: ev.TurnEnded) -> State:
    setting, standing, turn, go, latest = state
    thrown_off: tuple[str, ...] = ()
    if turn.earlier:
        abouts = (turn.about, *(contest.about for contest in turn.earlier))
        thrown_off = tuple(about for about in ("best", "worst") if about in abouts)
    ended = Ended(event.turn, standing.phase, turn.own_results, event.best, event.worst, thrown_off)
    standing = standing._replace(table=event.table, tokens=event.tokens, ended=ended)
    return State(setting, standing, turn, go, latest)


def _penalty_paid(state: State, event: ev.PenaltyPaid) -> State:
    standing = state.standing._replace(table=event.table, tokens=event.tokens)
    return state._replace(standing=standing)


def _left(state: State, event: ev.Left) -> State:
    places = {**state.standing.places, event.player: event.place}
    return state._replace(standing=state.standing._replace(places=places))


def _phase_started(state: State, event: ev.PhaseStarted) -> State:
    ids = [phase.id for phase in state.setting.rules.phases]
    phase = ids.index(event.phase)
    return state._replace(
        standing=state.standing._replace(phase=phase, begun=state.turn.number),
    )


def _set_ended(state: State, event: ev.SetEnded) -> State:
    return state._replace(standing=state.standing._replace(lost=event.lost))


def _set_started(state: State, event: ev.SetStarted) -> State:
    standing = state.standing._replace(
        phase=0,
        begun=state.turn.number,
        set=event.set,
        table=event.table,
        tokens=event.tokens,
        places={},
    )
    return state._replace(standing=standing)


def _game_over(state: State, event: ev.GameOver) -> State:
    standing = state.standing._replace(places=event.places, over=event)
    return state._replace(standing=standing, go=None)


def _told(state: State, event: ev.Event) -> State:
    return state


_STEPS: Mapping[type[ev.Event], Callable[[State, Any], State]] = {
    ev.TurnStarted: _turn_started,
    ev.Selected: _selected,
    ev.Thrown: _thrown,
    ev.Accepted: _accepted,
    ev.TurnEnded: _turn_ended,
    ev.Left: _left,
    ev.PhaseStarted: _phase_started,
    ev.GameOver: _game_over,
    ev.ThrowOffStarted: _throw_off_started,
    ev.LastAnnounced: _last_announced,
    ev.PenaltyPaid: _penalty_paid,
    ev.SetEnded: _set_ended,
    ev.SetStarted: _set_started,
    ev.TurnComplete: _told,
    ev.Answered: _told,
    ev.Refused: _told,
}
