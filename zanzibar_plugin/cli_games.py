"""What commands about a game share: which rules, with which options, and how faults are told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from zanzibar_plugin import plugin
from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.cli_language import UsageFault
from zanzibar_plugin.faults import told
from zanzibar_plugin.names import shown
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.text import Text, text

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_RULES = "421"

_TOLD = "zanzibar.told"
"""Where a command remembers how many faulty files it has told of."""


class Fault(Exception):
    """An input cannot be used; told in a sentence, with exit code 1."""

    def __init__(self, problem: Text) -> None:
        super().__init__(problem)
        self.problem = problem


def complain(line: str) -> None:
    """Say what is wrong, on a line of its own."""
    # It may hold what somebody typed, or the name of a file.
    print(shown(line), file=sys.stderr)


def setting(function: F) -> F:
    """The option that chooses options of the game: `settings`, see `options_of`."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help=text("Chooses an option of the game, such as tokens=11.").msgid,
    )(function)


def rules_dirs(function: F) -> F:
    """The option that adds folders of house rules to the library."""

    def have(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> None:
        for folder in value:
            if not Path(folder).is_dir():
                raise UsageFault(text("There is no folder {folder}.", folder=folder))
            plugin.library.add_folder(Path(folder))
        if value:
            library_of_games()  # tells what is wrong with the files

    return click.option(
        "--rules-dir",
        multiple=True,
        metavar="FOLDER",
        expose_value=False,
        callback=have,
        help=text("A folder of house rules, to be had besides ours.").msgid,
    )(function)


def rules_argument(function: F) -> F:
    """The argument RULES, see `ruleset_of`."""
    return click.argument("rules", metavar="[RULES]", default=DEFAULT_RULES)(function)


def players_option(function: F) -> F:
    """The option for how many play: `players`, 2 if nobody says."""
    return click.option(
        "--players",
        type=click.IntRange(2, 12),
        default=2,
        metavar="NUMBER",
        help=text("How many play: 2 if nothing is said.").msgid,
    )(function)


def tokens_option(function: F) -> F:
    """The option `tokens` of the game, said shortly: its value as it was typed, or None."""
    return click.option(
        "--tokens",
        metavar="NUMBER",
        help=text("How many tokens the game has; the same as --set tokens=NUMBER.").msgid,
    )(function)


def options_of(settings: Sequence[str], option: str = "--set") -> Mapping[str, object]:
    """The options given as NAME=VALUE; a preset is chosen by its id as RULES instead."""
    found: dict[str, object] = {}
    for one in settings:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise UsageFault(
                text(
                    "{option} needs a name and a value, like tokens=11, not {given}.",
                    option=option,
                    given=one,
                )
            )
        found[name.strip()] = value.strip()
    return found


def ruleset_of(name: str) -> Ruleset:
    """The rules with this id, or in this file."""
    if name.endswith((".yaml", ".yml")):
        ruleset = plugin.library.load(Path(name))
        plugin.library.add(ruleset)
        return ruleset
    found = plugin.library.find(name)
    if found is None:
        known = ", ".join(ruleset.id for ruleset in library_of_games())
        raise UsageFault(
            text("There is no game {name}. Games here: {games}.", name=name[:40], games=known)
        )
    return found


def played_rules(
    ruleset: Ruleset, options: Mapping[str, object], players: int | None = None
) -> Rules:
    """What is played with these options, by so many if that is said.

    A wrong option, or a wrong number of players, is told as a wrong use.
    """
    chosen = ruleset.choose(options)
    if isinstance(chosen, Text):
        raise UsageFault(chosen)
    rules = rules_of(ruleset, chosen)
    if players is not None and not rules.min_players <= players <= rules.max_players:
        raise UsageFault(
            text(
                "{option} must be a whole number from {low} to {high}.",
                option="--players",
                low=rules.min_players,
                high=rules.max_players,
            )
        )
    return rules


def library_of_games() -> Sequence[Ruleset]:
    """All games; what is wrong with other files is told once, and hides none of these."""
    rulesets, problems = plugin.library.rulesets(), plugin.library.problems
    context = click.get_current_context()
    catalog: Catalog = context.obj
    for fault in problems[context.meta.get(_TOLD, 0) :]:
        complain(catalog.say(told(fault)))
    context.meta[_TOLD] = len(problems)
    return rulesets
