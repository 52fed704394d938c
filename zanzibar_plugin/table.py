"""One table: the rules, the state and where its dice come from; immutable, moved on by steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from zanzibar_plugin import engine, settling
from zanzibar_plugin import events as ev
from zanzibar_plugin.answers import Data
from zanzibar_plugin.dice import FACES
from zanzibar_plugin.hookspecs import DiceSource
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.state import State, evolve, rebuild


class ZanzibarTable(NamedTuple):
    """A game in progress.  The ruleset is the one the table began with, whatever became of it."""

    ruleset: Ruleset
    state: State
    dice: DiceSource


Moved = tuple[ZanzibarTable, tuple[ev.Event, ...]]
"""The table after a step, and the events of the step."""

Coach: TypeAlias = Callable[[State, str], Data | None]
"""What is best for whoever is on, as plain data, or None if nobody knows."""


def open_table(ruleset: Ruleset, rules: Rules, players: tuple[str, ...], dice: DiceSource) -> Moved:
    """A new table and the events it begins with."""
    events = engine.start(rules, players)
    return ZanzibarTable(ruleset, rebuild(rules, events), dice), events


def press(table: ZanzibarTable, player: str, key: str, coach: Coach | None = None) -> Moved:
    """One key of one person; without a coach nobody knows what is best.

    Raises ValueError if the source gives no proper dice.
    """
    state = table.state
    faces: tuple[int, ...] = ()
    count = engine.dice_needed(state, player, key)
    if count:
        number = 0 if state.latest is None else state.latest.number
        faces = _checked(table.dice(number, count), count)
    advice = None
    if coach is not None and engine.advice_needed(state, player, key):
        advice = coach(state, player)
    return moved(table, engine.decide(state, engine.Command(player, key, faces, advice)))


def end_turn(table: ZanzibarTable) -> Moved:
    """Settle a turn whose players are all done; otherwise nothing happens."""
    return moved(table, settling.settle(table.state))


def moved(table: ZanzibarTable, events: Iterable[ev.Event]) -> Moved:
    """The table after these events, and the events."""
    events = tuple(events)
    state = table.state
    for event in events:
        state = evolve(state, event)
    return ZanzibarTable(table.ruleset, state, table.dice), events


def _checked(faces: Sequence[int], count: int) -> tuple[int, ...]:
    drawn = tuple(faces)
    if len(drawn) != count or any(face not in FACES for face in drawn):
        raise ValueError(f"the dice source must give {count} faces from 1 to 6, not {drawn!r}")
    return drawn
