"""The hook implementations: the game as any host meets it.

Everything here is a thin layer: the host's plain data becomes the core's values, and sentences
are made only at the very end, in the language asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from zanzibar_plugin import choosing, coach, help, hookimpl, levels, saving
from zanzibar_plugin import events as ev
from zanzibar_plugin import review as reviews
from zanzibar_plugin import view as views
from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.answers import Data
from zanzibar_plugin.catalogs import Catalog, Catalogs
from zanzibar_plugin.cue import cue_of
from zanzibar_plugin.faults import told
from zanzibar_plugin.hookspecs import (
    INTERFACE,
    LEVELS,
    BotLevel,
    DiceSource,
    Event,
    GameInfo,
    HelpPage,
    KeyInfo,
    Options,
    Refusal,
    Step,
)
from zanzibar_plugin.library import Library
from zanzibar_plugin.names import wrong_names
from zanzibar_plugin.recent import Recent
from zanzibar_plugin.rules import OptionValue
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import clash_of, rules_of
from zanzibar_plugin.solver import advisor
from zanzibar_plugin.speech import heard_only_by, sentences, spoken
from zanzibar_plugin.state import State
from zanzibar_plugin.table import Moved, ZanzibarTable, end_turn, moved, open_table, press
from zanzibar_plugin.text import Text

gameroom_interface = INTERFACE

catalogs = Catalogs()
library = Library()
advisors = Advisors()


@hookimpl
def games(lang: str, rules_dirs: Sequence[str], locale_dirs: Sequence[str]) -> Sequence[GameInfo]:
    for folder in rules_dirs:
        library.add_folder(Path(folder))
    for folder in locale_dirs:
        catalogs.add_folder(Path(folder))
    return tuple(_info(ruleset, lang) for ruleset in library.rulesets())


@hookimpl
def problems(lang: str) -> Sequence[str]:
    library.rulesets()
    for language in catalogs.languages:
        catalogs.catalog(language)
    say = catalogs.catalog(lang).say
    return (*(say(told(fault)) for fault in library.problems), *catalogs.problems)


@hookimpl
def table_options(
    game: str, options: Mapping[str, Any], name: str, value: object, lang: str
) -> Options | Refusal | None:
    ruleset = library.find(game)
    if ruleset is None:
        return None
    return choosing.change(library, ruleset, options, (name, value), catalogs.catalog(lang))


@hookimpl
def help_page(game: str, options: Mapping[str, Any], lang: str) -> HelpPage | Refusal | None:
    ruleset = library.find(game)
    if ruleset is None:
        return None
    chosen = _chosen(ruleset, options)
    if isinstance(chosen, Text):
        return _refusal(chosen, lang)
    return help.page_of(ruleset, chosen, catalogs.catalog(lang))


@hookimpl
def setup(
    game: str, players: Sequence[str], options: Mapping[str, Any], dice: DiceSource, lang: str
) -> Step | Refusal | None:
    ruleset = library.find(game)
    if ruleset is None:
        return None
    chosen = _chosen(ruleset, options)
    if isinstance(chosen, Text):
        return _refusal(chosen, lang)
    rules = rules_of(ruleset, chosen)
    wrong = wrong_names(players, rules.min_players, rules.max_players)
    if wrong is not None:
        return _refusal(wrong, lang)
    step = open_table(ruleset, rules, tuple(players), dice)
    _prepare(step[0])
    return _step(step)


@hookimpl
def on_key(table: object, player: str, key: str) -> Step | None:
    return _step(press(table, player, key, _coach)) if isinstance(table, ZanzibarTable) else None


@hookimpl
def on_turn_end(table: object) -> Step | None:
    return _step(end_turn(table)) if isinstance(table, ZanzibarTable) else None


@hookimpl
def announce(table: object, event: Event, listener: str | None, lang: str) -> str | None:
    return _announced(table, event, listener, lang) if isinstance(table, ZanzibarTable) else None


@hookimpl
def announce_briefly(table: object, event: Event, listener: str | None, lang: str) -> str | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return _announced(table, event, listener, lang, few=True)


@hookimpl
def cue(table: object, event: Event, listener: str | None) -> str | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return cue_of(_EVENTS.of(event), table.state, listener)


@hookimpl
def heard_by(table: object, event: Event) -> str | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return heard_only_by(_EVENTS.of(event)) or ""


@hookimpl
def view(table: object, listener: str | None, lang: str) -> Mapping[str, Any] | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return {**_VIEWS.of(table, catalogs.catalog(lang)), "you": listener}


@hookimpl
def usable_keys(table: object, player: str, lang: str) -> Sequence[KeyInfo] | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return views.keys_of(table.state, player, catalogs.catalog(lang), advisor.available())


@hookimpl
def bot_levels(game: str, lang: str) -> Sequence[BotLevel] | None:
    if library.find(game) is None:
        return None
    note = "" if advisor.available() else catalogs.catalog(lang).say(levels.NO_EXPERT)
    return tuple(BotLevel(level, note if level == "expert" else "") for level in LEVELS)


@hookimpl
def bot_key(table: object, player: str, level: str) -> str | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return levels.next_key(table.state, player, level, advisors)


@hookimpl
def review(
    saved: Mapping[str, Any], events: Sequence[Event], player: str, lang: str
) -> Sequence[str] | None:
    if not isinstance(saved, Mapping) or saved.get("plugin") != saving.PLUGIN:
        return None
    say = catalogs.catalog(lang).say
    table = saving.restored(saved, _no_dice)
    if isinstance(table, Text):
        return (say(table),)
    found = reviews.sentences(advisors, table.state, map(ev.from_data, events), player)
    return tuple(" ".join(map(say, said)) for said in found)


@hookimpl
def save(table: object) -> Mapping[str, Any] | None:
    return saving.saved(table) if isinstance(table, ZanzibarTable) else None


@hookimpl
def restore(
    saved: Mapping[str, Any], dice: DiceSource, lang: str
) -> ZanzibarTable | Refusal | None:
    if not isinstance(saved, Mapping) or saved.get("plugin") != saving.PLUGIN:
        return None
    table = saving.restored(saved, dice)
    if isinstance(table, Text):
        return _refusal(table, lang)
    _prepare(table)
    return table


@hookimpl
def apply(table: object, events: Sequence[Event]) -> ZanzibarTable | None:
    if not isinstance(table, ZanzibarTable):
        return None
    return moved(table, map(ev.from_data, events))[0]


def _no_dice(throw: int, count: int) -> Sequence[int]:
    raise ValueError("a game that is looked through has been thrown already")


def _coach(state: State, player: str) -> Data | None:
    return coach.told(advisors, state, player)


def _prepare(table: ZanzibarTable) -> None:
    """Have a game solved, if players may ask what is best in it."""
    if table.state.setting.rules.advice and table.state.standing.over is None:
        advisors.prepare(table.state)


def _viewed(table: ZanzibarTable, catalog: Hashable) -> Mapping[str, Any]:
    return views.view_of(table.ruleset, table.state, None, cast(Catalog, catalog))


_EVENTS: Recent[Event, ev.Event] = Recent(lambda event, _: ev.from_data(event))
"""An event is told to many listeners, and never changes."""

_VIEWS = Recent(_viewed)
"""Nobody's dice are hidden: all see the same, but for who they are."""


def _announced(
    table: ZanzibarTable, event: Event, listener: str | None, lang: str, few: bool = False
) -> str:
    said = sentences(table.ruleset, table.state, _EVENTS.of(event), listener, few)
    return " ".join(map(catalogs.catalog(lang).say, said))


def _chosen(ruleset: Ruleset, options: Mapping[str, Any]) -> Mapping[str, OptionValue] | Text:
    """All options with their values, or why they cannot be."""
    chosen = ruleset.choose(options)
    if isinstance(chosen, Text):
        return chosen
    return clash_of(ruleset, chosen) or chosen


def _step(step: Moved) -> Step:
    table, events = step
    return Step(table, tuple(map(ev.to_data, events)))


def _refusal(problem: Text, lang: str) -> Refusal:
    return Refusal(catalogs.catalog(lang).say(problem))


def _info(ruleset: Ruleset, lang: str) -> GameInfo:
    catalog = catalogs.catalog(lang)
    rules = rules_of(ruleset, ruleset.defaults())
    return GameInfo(
        ruleset.id,
        catalog.say(spoken(ruleset.name)),
        catalog.say(Text(ruleset.summary, {})) if ruleset.summary else "",
        rules.min_players,
        rules.max_players,
        tuple(choosing.option_info(option, option.default, catalog) for option in ruleset.options),
        ruleset.base,
        catalog.say(Text(ruleset.region, {})) if ruleset.region else "",
        catalog.say(Text(ruleset.source, {})) if ruleset.source else "",
        catalog.say(spoken(ruleset.note)) if ruleset.note else "",
    )
