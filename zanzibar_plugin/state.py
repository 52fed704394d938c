"""The state of a table: a fold of its events.

It is split by how often it changes, so that a key touches only a small part: the setting never,
the standing and the turn once a turn or a player, the go with every key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import Faces
from zanzibar_plugin.rules import Phase, Rules


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
    """The turn settled last, for those who speak of it: results in order, best and worst."""

    turn: int
    phase: int
    results: tuple[Result, ...]
    best: str
    worst: str


class Standing(NamedTuple):
    """Where the game stands between turns: `places` are those who are out, and at the end all."""

    phase: int
    table: int
    tokens: ev.Tokens
    places: Mapping[str, int]
    ended: Ended | None
    over: ev.GameOver | None


class Turn(NamedTuple):
    """One go round the table: its players in order, and the results so far."""

    number: int
    order: tuple[str, ...]
    results: tuple[Result, ...]


class Go(NamedTuple):
    """A player's go: `throws` used of at most `limit`, `dice` (none before the first throw)."""

    player: str
    limit: int
    throws: int
    dice: Faces
    selected: Faces


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
    return State(
        Setting(rules, event.players),
        Standing(0, event.table, event.tokens, {}, None, None),
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


def _selected(state: State, event: ev.Selected) -> State:
    setting, standing, turn, go, latest = state
    assert go is not None
    player, limit, throws, dice, _ = go
    return State(setting, standing, turn, Go(player, limit, throws, dice, event.selected), latest)


def _thrown(state: State, event: ev.Thrown) -> State:
    setting, standing, turn, _, latest = state
    player, throw, limit, dice, _ = event
    number = 1 if latest is None else latest.number + 1
    go = Go(player, limit, throw, dice, ())
    return State(setting, standing, turn, go, Latest(number, player, dice))


def _accepted(state: State, event: ev.Accepted) -> State:
    setting, standing, (number, order, results), _, latest = state
    results = (*results, Result(*event))
    go = None
    if len(results) < len(order):
        # The limit of the next player is what the one before him really used.
        go = Go(order[len(results)], event.throws, 0, (), ())
    return State(setting, standing, Turn(number, order, results), go, latest)


def _turn_ended(state: State, event: ev.TurnEnded) -> State:
    ended = Ended(event.turn, state.standing.phase, state.turn.results, event.best, event.worst)
    standing = state.standing._replace(table=event.table, tokens=event.tokens, ended=ended)
    return state._replace(standing=standing)


def _left(state: State, event: ev.Left) -> State:
    places = {**state.standing.places, event.player: event.place}
    return state._replace(standing=state.standing._replace(places=places))


def _phase_started(state: State, event: ev.PhaseStarted) -> State:
    ids = [phase.id for phase in state.setting.rules.phases]
    return state._replace(standing=state.standing._replace(phase=ids.index(event.phase)))


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
    ev.TurnComplete: _told,
    ev.Answered: _told,
    ev.Refused: _told,
}
