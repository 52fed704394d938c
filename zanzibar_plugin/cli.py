"""The command `zanzibar`: its commands, and how their faults are told.

Exit codes: 0 all went well; 1 a file or an input has a fault; 2 the command was used wrongly.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from zanzibar_plugin import __version__, plugin
from zanzibar_plugin.catalogs import Catalog, Catalogs
from zanzibar_plugin.cli_advise import advise_command
from zanzibar_plugin.cli_games import (
    Fault,
    complain,
    library_of_games,
    options_of,
    played_rules,
    rules_argument,
    rules_dirs,
    ruleset_of,
    setting,
)
from zanzibar_plugin.cli_language import UsageFault, localized, sentence_of, wanted
from zanzibar_plugin.cli_odds import odds_command
from zanzibar_plugin.document import DocumentError
from zanzibar_plugin.faults import told
from zanzibar_plugin.hookspecs import LEVELS, REGULAR, DiceSource, Refusal
from zanzibar_plugin.hosts.keyboard import LAYOUTS
from zanzibar_plugin.names import shown
from zanzibar_plugin.ranking import Value, Worth
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.speech import sentences, spoken
from zanzibar_plugin.text import Field, Listing, Text, text, texts

if TYPE_CHECKING:
    from zanzibar_plugin.registry import Game
    from zanzibar_plugin.room.export import Checked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # A program may be started with some of these closed.
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter must not end the game.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    catalog = wanted(given, os.environ, Catalogs())
    command = localized(zanzibar, catalog)
    try:
        # Not `command.main`, which has an exit code of its own for a reader that is gone.
        with command.make_context("zanzibar", given, obj=catalog) as context:
            command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as fault:
        complain(catalog.say(sentence_of(fault)))
        complain(catalog.say(text("Help: {command}", command=_help_of(fault))))
        return 2
    except Fault as fault:
        complain(catalog.say(fault.problem))
        return 1
    except DocumentError as fault:
        complain(catalog.say(told(fault)))
        return 1
    except KeyboardInterrupt:
        complain("")
        complain(catalog.say(text("Goodbye.")))
        return 0
    except BrokenPipeError:
        # Whoever was reading has had enough, as with `| head`.
        _write_no_more()
        return 0
    except OSError as fault:
        # The disk is full, above all.
        _write_no_more()
        place = str(fault.filename or "stdout")
        problem = fault.strerror or str(fault)
        complain(catalog.say(text("{file}: {problem}", file=place, problem=problem)))
        return 1
    return 0


def _write_no_more() -> None:
    # What is still waiting to be written would fail again when the program ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _help_of(fault: click.ClickException) -> str:
    context = getattr(fault, "ctx", None)
    return f"{context.command_path if context else 'zanzibar'} --help"


@click.group(
    help=text("The dice game Zanzibar, also called 421, in your language.").msgid,
    invoke_without_command=True,
)
@click.version_option(__version__, help=text("Shows the version.").msgid, message="%(version)s")
@click.pass_context
def zanzibar(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


@zanzibar.command(help=text("Plays a game in the terminal, against bots or with friends.").msgid)
@rules_argument
@click.option("--players", metavar="ANA,BRUNO", help=text("Names of the people who play.").msgid)
@click.option("--bots", type=int, help=text("How many bots play: 2 if you play alone.").msgid)
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    default=REGULAR,
    help=text("How well the bots play.").msgid,
)
@setting
@rules_dirs
@click.option(
    "--seed",
    type=int,
    help=text("A number that makes the dice fall the same way every time.").msgid,
)
@click.option(
    "--pace",
    type=float,
    help=text("The pace of bots: how many seconds one takes to think; 0 for none.").msgid,
)
@click.option(
    "--keyboard",
    type=click.Choice(list(LAYOUTS)),
    help=text("Your keyboard, for Shift with the digits.").msgid,
)
@click.option(
    "--review",
    is_flag=True,
    help=text("Says after the game what you could have done better.").msgid,
)
@click.pass_obj
def play(
    catalog: Catalog,
    rules: str,
    players: str | None,
    bots: int | None,
    level: str,
    settings: tuple[str, ...],
    seed: int | None,
    pace: float | None,
    keyboard: str | None,
    review: bool,
) -> None:
    from zanzibar_plugin.hosts.keyin import open_keys
    from zanzibar_plugin.hosts.terminal import Manner, Seating, TerminalRoom
    from zanzibar_plugin.room.people import BOT_NAMES

    game = _game(rules)
    # L10N: The name of a person who did not give one; it must do for everybody.
    default = catalog.say(text("Player"))
    people = (default,) if players is None else tuple(map(str.strip, players.split(",")))
    count = (2 if len(people) == 1 else 0) if bots is None else bots
    free = [name for name in BOT_NAMES if name.casefold() not in map(str.casefold, people)]
    if not 0 <= count < len(BOT_NAMES):
        raise UsageFault(text("--bots must be from 0 to {most}.", most=11))
    if pace is not None and not 0 <= pace <= 60:
        raise UsageFault(text("--pace must be from 0 to 60 seconds."))
    live = sys.stdin.isatty()
    seating = Seating(people, tuple(free[:count]), options_of(settings), level)
    manner = Manner((2.5 if live else 0.0) if pace is None else pace, live, review)
    room = TerminalRoom(game, seating, _dice(seed), catalog, manner, _write)
    # The keys first: one that is pressed as soon as something is heard must not be lost.
    with open_keys(keyboard, catalog.language) as keys:
        refusal = room.open()
        if refusal is not None:
            _refuse(refusal)
        room.play(keys)


@zanzibar.command(
    help=text("Shows the rules of a game; without RULES, which games there are.").msgid
)
@click.argument("rules", metavar="[RULES]", default="")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    help=text("How the page is written.").msgid,
)
@setting
@rules_dirs
@click.pass_obj
def rules(catalog: Catalog, rules: str, form: str, settings: tuple[str, ...]) -> None:
    from zanzibar_plugin import help

    if not rules:
        for ruleset in library_of_games():
            # L10N: A game in a list: its id for commands, its name, and a sentence about it.
            line = text(
                "{id}: {name}. {summary}",
                id=ruleset.id,
                name=spoken(ruleset.name),
                summary=Text(ruleset.summary, {}),
            )
            click.echo(catalog.say(line).rstrip())
        return
    ruleset = ruleset_of(rules)
    page = plugin.help_page(game=ruleset.id, options=options_of(settings), lang=catalog.language)
    if isinstance(page, Refusal):
        _refuse(page)
    assert page is not None
    if form == "html":
        click.echo(help.as_html(page, catalog.language), nl=False)
    else:
        click.echo(help.as_markdown(page) if form == "markdown" else help.as_text(page), nl=False)


@zanzibar.command(help=text("Lists what can be chosen before a game begins.").msgid)
@rules_argument
@setting
@rules_dirs
@click.pass_obj
def options(catalog: Catalog, rules: str, settings: tuple[str, ...]) -> None:
    found = _game(rules).table_options(options_of(settings), "", None, catalog.language)
    if isinstance(found, Refusal):
        _refuse(found)
    for option in found.listed:
        value = str(option.default).lower() if option.kind == "switch" else str(option.default)
        # L10N: An option: its name for commands, its label, its value there, and a sentence.
        line = text(
            "{name} ({label}): {value}. {help}",
            name=option.name,
            label=option.label,
            value=value,
            help=option.help,
        )
        click.echo(catalog.say(line))
        for way in option.choices:
            click.echo(f"  {way.value}: {way.label}. {way.help}".rstrip())


@zanzibar.command(help=text("Lists all combinations, the strongest first.").msgid)
@rules_argument
@setting
@rules_dirs
@click.option("--json", "as_json", is_flag=True, help=text("Writes JSON.").msgid)
@click.pass_obj
def combinations(catalog: Catalog, rules: str, settings: tuple[str, ...], as_json: bool) -> None:
    from zanzibar_plugin.naming import combination

    ruleset = ruleset_of(rules)
    played = played_rules(ruleset, options_of(settings))
    if as_json:
        rows = [
            {"dice": list(one.dice), "tokens": one.value, "kind": one.kind.value}
            for one in played.combinations
        ]
        click.echo(json.dumps(rows))
        return
    for one in played.combinations:
        click.echo(catalog.say(_valued(combination(one.dice, played), one.value)))


def _valued(combination: Field, value: Value) -> Text:
    if value is Worth.ALL:
        return text("{combination}: all the tokens there are", combination=combination)
    if value is Worth.ALL_BUT_ONE:
        return text("{combination}: all the tokens there are but one", combination=combination)
    return texts(
        "{combination}: {count} token",
        "{combination}: {count} tokens",
        int(value),
        combination=combination,
    )


zanzibar.add_command(odds_command, "odds")
zanzibar.add_command(advise_command, "advise")


@zanzibar.command(help=text("Checks rules files.").msgid)
@rules_dirs
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.pass_obj
@click.pass_context
def check(context: click.Context, catalog: Catalog, files: tuple[str, ...]) -> None:
    loaded: dict[str, Ruleset | DocumentError] = {}
    waiting = list(files)
    while waiting:
        # A file may have another one of these as its base, whichever is named first.
        for file in waiting:
            loaded[file] = _checked(file)
        good = [file for file in waiting if isinstance(loaded[file], Ruleset)]
        waiting = [file for file in waiting if file not in good] if good else []
    for file in files:
        found = loaded[file]
        if isinstance(found, DocumentError):
            complain(catalog.say(told(found)))
        else:
            name = spoken(found.name)
            good_file = text("{file}: good, the rules of {name}.", file=file, name=name)
            click.echo(shown(catalog.say(good_file)))
    if any(isinstance(found, DocumentError) for found in loaded.values()):
        raise Fault(text("Not all files are good."))


def _checked(file: str) -> Ruleset | DocumentError:
    """The ruleset of a file, to be a base of others from now on, or its fault."""
    try:
        ruleset = plugin.library.load(Path(file))
    except DocumentError as fault:
        return fault
    if plugin.library.find(ruleset.id) is None:
        plugin.library.add(ruleset)
    return ruleset


@zanzibar.command(help=text("Plays a recorded table again.").msgid)
@click.argument("file")
@rules_dirs
@click.option(
    "--listener",
    metavar="NAME",
    help=text("The player who listens; without it, a spectator.").msgid,
)
@click.option("--json", "as_json", is_flag=True, help=text("Writes each event as JSON.").msgid)
@click.pass_obj
def replay(catalog: Catalog, file: str, listener: str | None, as_json: bool) -> None:
    from zanzibar_plugin import record, replay
    from zanzibar_plugin.events import to_data

    recorded = record.read(Path(file))
    if listener is not None and listener not in recorded.players:
        names = ", ".join(recorded.players)
        raise UsageFault(
            text(
                "{name} is no player of this table. Players: {players}.",
                name=listener,
                players=names,
            )
        )
    for event, table in replay.play(recorded, plugin.library):
        if as_json:
            click.echo(json.dumps(to_data(event), ensure_ascii=False))
            continue
        said = sentences(table.ruleset, table.state, event, listener)
        if said:
            click.echo(" ".join(map(catalog.say, said)))


@zanzibar.command(help=text("Checks the dice of a saved game by computing them again.").msgid)
@click.argument("file")
@click.pass_obj
@click.pass_context
def verify(context: click.Context, catalog: Catalog, file: str) -> None:
    from zanzibar_plugin.room.export import checked

    found = checked(_json_file(file))
    # Whatever stands in a file from elsewhere must not move anything on the screen.
    click.echo(f"{shown(file)}: {catalog.say(_first_found(found))}")
    if isinstance(found, Text):
        context.exit(1)
    for sentence in _also_found(found):
        click.echo(catalog.say(sentence))


def _first_found(found: Checked | Text) -> Text:
    if isinstance(found, Text):
        return found
    return texts(
        "{count} throw checked: all is right.",
        "{count} throws checked: all is right.",
        found.throws,
    )


def _also_found(found: Checked) -> Iterator[Text]:
    """What somebody should know of dice that are right."""
    if found.names:
        yield text(
            "Secret numbers in these dice, beside the room's: {players}.",
            players=Listing(tuple(map(shown, found.names))),
        )
    else:
        yield text("No player has a secret number in these dice: the room alone could choose them.")
    if not found.finished:
        yield text("This game was not played to its end.")
    if found.cancelled:
        yield text("Starts that were broken off before this game: {count}.", count=found.cancelled)


BIGGEST_RECORD = 64 * 2**20
"""Bytes of a file that is read as a record."""


def _json_file(file: str) -> Any:  # noqa: ANN401 - whatever somebody has put there
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(BIGGEST_RECORD + 1)
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or str(fault)
        problem = text("{file} cannot be read: {problem}", file=shown(file), problem=why)
        raise UsageFault(problem) from fault
    if len(data) > BIGGEST_RECORD:
        raise Fault(text("{file} is too big to be a record.", file=shown(file)))
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


@zanzibar.command(help=text("Measures how fast games are played.").msgid)
@click.option("--json", "as_json", is_flag=True, help=text("Writes JSON.").msgid)
@click.pass_obj
def bench(catalog: Catalog, as_json: bool) -> None:
    from zanzibar_plugin import bench

    figures = bench.measure()
    if as_json:
        click.echo(json.dumps(figures._asdict()))
    else:
        for line in bench.report(figures):
            click.echo(catalog.say(line))


@zanzibar.command(help=text("Runs a game room on this machine.").msgid)
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help=text("The address to listen at.").msgid
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8421, help=text("The port to listen at.").msgid
)
@click.option(
    "--data",
    default="room-data",
    metavar="FOLDER",
    help=text("Where the journals of the tables are kept.").msgid,
)
@click.option(
    "--synchronous",
    type=click.Choice(["FULL", "NORMAL"]),
    default="FULL",
    help=text("FULL survives a loss of power, NORMAL only a crash of the server.").msgid,
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help=text("A further page that may connect, such as https://example.org.").msgid,
)
@click.option(
    "--trust-proxy",
    is_flag=True,
    help=text("Takes a visitor's address from the proxy before this server.").msgid,
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help=text("Sets a limit or a time of the room, such as grace=60.").msgid,
)
@click.option(
    "--locale-dir",
    "locale_dirs",
    multiple=True,
    metavar="FOLDER",
    help=text("A folder of catalogs, to be had besides ours.").msgid,
)
@rules_dirs
@click.pass_obj
def serve(catalog: Catalog, /, **given: Any) -> None:  # noqa: ANN401 - the options above
    try:
        from zanzibar_plugin.hosts.web.serve import Place, run
        from zanzibar_plugin.hosts.web.settings import settings_of
    except ImportError as missing:
        raise Fault(
            text(
                "The room needs more packages, such as {name}: pip install 'zanzibar-plugin[room]'",
                name=str(missing.name),
            )
        ) from missing
    for folder in given["locale_dirs"]:
        if not Path(folder).is_dir():
            raise UsageFault(text("There is no folder {folder}.", folder=folder))
    settings = settings_of(
        options_of(given["limits"], "--limit"),
        origins=given["origins"],
        trust_proxy=given["trust_proxy"],
    )
    if isinstance(settings, Text):
        raise UsageFault(settings)
    place = Place(given["host"], given["port"], Path(given["data"]), given["synchronous"])
    problem = run(
        place,
        settings,
        given["locale_dirs"],
        catalog.language,
        lambda said: _write(shown(catalog.say(said))),
    )
    if problem is not None:
        raise Fault(problem)


def _write(line: str) -> None:
    # Every line is heard at once, also through a pipe.
    print(line, flush=True)


def _dice(seed: int | None) -> DiceSource:
    source = random.SystemRandom() if seed is None else random.Random(seed)
    return lambda throw, count: source.choices(range(1, 7), k=count)


def _game(name: str) -> Game:
    """The game as a host meets it, through the hooks."""
    from zanzibar_plugin.registry import Registry

    ruleset = ruleset_of(name)
    registry = Registry()
    registry.register(plugin, "zanzibar")
    game = registry.find(ruleset.id)
    assert game is not None
    return game


def _refuse(refusal: Refusal) -> NoReturn:
    # The plugin has said it in the user's language already.
    raise UsageFault(Text("{message}", {"message": refusal.message}))


if __name__ == "__main__":
    sys.exit(main())
