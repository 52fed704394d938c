"""Playing a recorded table again: the same keys and dice give the same events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from zanzibar_plugin import events as ev
from zanzibar_plugin.answers import Data
from zanzibar_plugin.coach import data_of
from zanzibar_plugin.engine import keys
from zanzibar_plugin.library import Library
from zanzibar_plugin.names import wrong_names
from zanzibar_plugin.record import Record, RecordedDice, presses
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.solver.advisor import Advisor, make_advisor
from zanzibar_plugin.state import State
from zanzibar_plugin.table import Coach, ZanzibarTable, end_turn, open_table, press
from zanzibar_plugin.text import Text, text


class Happened(NamedTuple):
    """An event, and the table after the step it came in."""

    event: ev.Event
    table: ZanzibarTable


def play(record: Record, library: Library) -> Iterator[Happened]:
    """Everything that happens at the recorded table, in order.

    Raises `DocumentError` at the first fault of the record; what happened before it has come by
    then.
    """
    ruleset = _ruleset(record, library)
    chosen = ruleset.choose(record.options)
    if isinstance(chosen, Text):
        wrong_one = (name for name, value in record.options.items() if _wrong(ruleset, name, value))
        record.fail(chosen, "options", *wrong_one)
    rules = rules_of(ruleset, chosen)
    wrong = wrong_names(record.players, rules.min_players, rules.max_players)
    if wrong is not None:
        record.fail(wrong, "players")
    table, events = open_table(ruleset, rules, record.players, RecordedDice(record))
    yield from (Happened(event, table) for event in events)
    coach = _coach(rules, len(record.players))
    for player, key, _ in presses(record, keys(rules)):
        table, events = press(table, player, key, coach)
        yield from (Happened(event, table) for event in events)
        if events and isinstance(events[-1], ev.TurnComplete):
            table, events = end_turn(table)
            yield from (Happened(event, table) for event in events)


def _coach(rules: Rules, players: int) -> Coach:
    """A coach who knows always the same, and is asked for nothing before somebody asks him.

    What takes long to solve he estimates.
    """
    advisors: list[Advisor | Text] = []

    def coach(state: State, player: str) -> Data | None:
        if not advisors:
            advisors.append(make_advisor(rules, players, three=False))
        advisor = advisors[0]
        advice = advisor.advise(state, player) if isinstance(advisor, Advisor) else None
        return None if advice is None or state.go is None else data_of(advice, state.go)

    return coach


def _wrong(ruleset: Ruleset, name: str, value: object) -> bool:
    return isinstance(ruleset.choose({name: value}), Text)


def _ruleset(record: Record, library: Library) -> Ruleset:
    if record.rules.endswith(".yaml"):
        # A path is meant from where the record lies, so that both can be moved together.
        beside = Path(record.file).parent / record.rules
        return library.load(beside if beside.exists() else Path(record.rules))
    ruleset = library.find(record.rules)
    if ruleset is None:
        known = ", ".join(ruleset.id for ruleset in library.rulesets())
        problem = text(
            "There is no game {name}. Games here: {games}.", name=record.rules[:40], games=known
        )
        record.fail(problem, "rules")
    return ruleset
