"""The command `zanzibar odds`: how likely what is, and what had best be kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from zanzibar_plugin import odds
from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.cli_games import (
    Fault,
    options_of,
    played_rules,
    players_option,
    rules_argument,
    rules_dirs,
    ruleset_of,
    setting,
    tokens_option,
)
from zanzibar_plugin.cli_waiting import waiting
from zanzibar_plugin.columns import aligned
from zanzibar_plugin.dice import without
from zanzibar_plugin.naming import combination
from zanzibar_plugin.odds import KeepTable, Row, Solved
from zanzibar_plugin.percent import percent
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.situation import beginning
from zanzibar_plugin.solver import advisor, refusal
from zanzibar_plugin.speech import spoken
from zanzibar_plugin.text import Dice, Text, text, texts
from zanzibar_plugin.win_chart import chart


@click.command(help=text("Tells the chances in a game, and which dice to keep.").msgid)
@rules_argument
@players_option
@tokens_option
@setting
@rules_dirs
@click.option("--json", "as_json", is_flag=True, help=text("Writes JSON.").msgid)
@click.option(
    "--svg",
    metavar="FILE",
    help=text("Draws the chance to win by the tokens held into this file.").msgid,
)
@click.pass_obj
def odds_command(
    catalog: Catalog,
    rules: str,
    players: int,
    tokens: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    svg: str | None,
) -> None:
    ruleset = ruleset_of(rules)
    given = {**options_of(settings), **({} if tokens is None else {"tokens": tokens})}
    played = played_rules(ruleset, given, players)
    solved = None
    if advisor.available():
        solved = odds.solve(played, players, progress=waiting(catalog))
    refused = refusal.no_numpy() if solved is None else solved.refused
    if as_json:
        click.echo(json.dumps(as_data(played, players, solved, refused, catalog)))
    else:
        for line in report(ruleset, played, players, solved, catalog):
            click.echo(line)
    if svg is not None:
        _draw(svg, ruleset, played, solved, refused, catalog)


def _draw(
    file: str,
    ruleset: Ruleset,
    rules: Rules,
    solved: Solved | None,
    refused: Text | None,
    catalog: Catalog,
) -> None:
    points = () if solved is None else solved.points
    if len(points) < 2:
        if refused is not None:
            raise Fault(text("There is no picture. {reason}", reason=refused))
        raise Fault(text("There is no picture: the tokens alone do not tell the chance to win."))
    picture = chart(points, _total(rules), spoken(ruleset.name), catalog)
    try:
        Path(file).write_text(picture, encoding="utf-8")
    except OSError as fault:
        problem = fault.strerror or str(fault)
        raise Fault(text("{file}: {problem}", file=file, problem=problem)) from fault


def _total(rules: Rules) -> int:
    held = beginning(rules, 2)
    return held.mine + sum(held.theirs) + held.table


def report(
    ruleset: Ruleset, rules: Rules, players: int, solved: Solved | None, catalog: Catalog
) -> Iterator[str]:
    """The lines for people; without a solution only what can be said without numpy."""
    say = catalog.say
    title = texts(
        "{game}, {count} player", "{game}, {count} players", players, game=spoken(ruleset.name)
    )
    yield say(title)
    if solved is None:
        yield say(refusal.no_numpy())
    else:
        yield from map(say, game_sentences(solved, catalog))
    yield ""
    yield say(text("The chance to get a combination, if you go for it alone:"))
    yield from aligned(list(_chance_rows(rules, catalog)))
    for table in solved.tables if solved is not None else ():
        yield ""
        yield say(_heading(ruleset, rules, table))
        if table.rows:
            yield from map(say, _grounds_of(table))
            yield from aligned(list(_keep_rows(rules, table, catalog)))
        else:
            yield say(text("There is one roll only: nothing can be chosen."))


def game_sentences(solved: Solved, catalog: Catalog) -> Iterator[Text]:
    """Who is better off, and how sure that is; or why nobody knows."""
    if solved.refused is not None:
        yield solved.refused
    chance = solved.wins_set if solved.wins is None else solved.wins
    if chance is None or solved.bound is None:
        return
    shown = percent(chance, catalog.locale)
    if solved.wins is None:
        yield text("The starter wins {chance} of the sets, if both play their best.", chance=shown)
    else:
        yield text("The starter wins {chance} of the games, if both play their best.", chance=shown)
    yield text("This is proven to be right in all the digits shown.")


def _chance_rows(rules: Rules, catalog: Catalog) -> Iterator[list[str]]:
    rolls = range(1, odds.most_rolls(rules) + 1)
    # L10N: The heading of a column in a table of dice.
    heading = text("dice")
    within = [texts("within {count} roll", "within {count} rolls", roll) for roll in rolls]
    yield [catalog.say(one) for one in (heading, *within)]
    for one in rules.combinations:
        if one.kind is Kind.PLAIN:
            continue
        chances = [odds.chance(one.dice, roll, rules) for roll in rolls]
        shown = [percent(float(chance), catalog.locale) for chance in chances]
        yield [catalog.say(combination(one.dice, rules)), *shown]


def _heading(ruleset: Ruleset, rules: Rules, table: KeepTable) -> Text:
    held = table.held
    if table.phase != rules.phases[0].id:
        label = spoken(ruleset.phases[table.phase].label)
        return texts(
            "{phase}: what the first player of a round had best do with {count} token "
            "against {theirs}:",
            "{phase}: what the first player of a round had best do with {count} tokens "
            "against {theirs}:",
            held.mine,
            phase=label,
            theirs=", ".join(map(str, held.theirs)),
        )
    return text("What the first player of a round had best do at the beginning of the game:")


def _grounds_of(table: KeepTable) -> Iterator[Text]:
    if table.grounds is advisor.Grounds.ESTIMATE:
        yield text("This is an estimate, which looks at one round only.")


def _keep_rows(rules: Rules, table: KeepTable, catalog: Catalog) -> Iterator[list[str]]:
    rolls = sorted({row.roll for row in table.rows})
    best = {(row.roll, row.dice): row for row in table.rows}
    heading = [text("dice"), *(text("after roll {roll}", roll=roll) for roll in rolls)]
    yield [catalog.say(one) for one in heading]
    for one in rules.combinations:
        cells = [catalog.say(_cell(best[roll, one.dice])) for roll in rolls]
        yield [catalog.say(combination(one.dice, rules)), *cells]


def _cell(row: Row) -> Text:
    best = row.best
    kept = without(row.dice, best.again)
    if best.stop:
        # L10N: In a table: what to do with dice. Short, in small letters.
        return text("accept")
    if best.last:
        if not kept:
            return text("announce the last roll, keep none")
        return text("announce the last roll, keep {dice}", dice=Dice(kept))
    return text("keep {dice}", dice=Dice(kept)) if kept else text("keep none")


def as_data(
    rules: Rules, players: int, solved: Solved | None, refused: Text | None, catalog: Catalog
) -> dict[str, Any]:
    """All there is to tell as plain data; chances are numbers from 0 to 1."""
    rolls = range(1, odds.most_rolls(rules) + 1)
    return {
        "rules": rules.id,
        "options": dict(rules.options),
        "players": players,
        "starter_wins": None if solved is None else solved.wins,
        "set_starter_wins": None if solved is None else solved.wins_set,
        "bound": None if solved is None else solved.bound,
        "refused": None if refused is None else catalog.say(refused),
        "combinations": [
            {
                "dice": list(dice),
                "kind": rules.by_dice[dice].kind.value,
                "within": [_within(rules, dice, roll) for roll in rolls],
            }
            for dice in (one.dice for one in rules.combinations)
        ],
        "keep": [] if solved is None else [_table_data(table) for table in solved.tables],
        "last_phase": [] if solved is None else [one._asdict() for one in solved.points],
    }


def _within(rules: Rules, dice: tuple[int, ...], roll: int) -> dict[str, Any]:
    chance = odds.chance(dice, roll, rules)
    return {"rolls": roll, "fraction": str(chance), "chance": float(chance)}


def _table_data(table: KeepTable) -> dict[str, Any]:
    return {
        "phase": table.phase,
        "table": table.held.table,
        "mine": table.held.mine,
        "theirs": list(table.held.theirs),
        "grounds": None if table.grounds is None else table.grounds.value,
        "rows": [
            {
                "roll": row.roll,
                "dice": list(row.dice),
                "stop": row.best.stop,
                "keep": list(without(row.dice, row.best.again)),
                "again": list(row.best.again),
                "last": row.best.last,
                "win": row.best.win,
                "turn": row.best.turn,
                "safe": row.best.safe,
            }
            for row in table.rows
        ],
    }
