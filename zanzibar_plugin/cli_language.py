"""The command line in the user's language: its help pages, and the faults of its use."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

import click

from zanzibar_plugin.catalogs import SOURCE_LANGUAGE, Catalog, Catalogs
from zanzibar_plugin.text import Text, text

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class UsageFault(click.UsageError):
    """The command was used wrongly, said in a sentence of ours; exit code 2."""

    def __init__(self, problem: Text) -> None:
        super().__init__(problem.msgid)
        self.problem = problem


def wanted(arguments: Sequence[str], environment: Mapping[str, str], catalogs: Catalogs) -> Catalog:
    """The catalog asked for by `--lang`, else by the environment, else the English one.

    It is looked for before anything else is read, so that even a fault of the command line is
    told in it.
    """
    for place, argument in enumerate(arguments):
        if argument.startswith("--lang="):
            return catalogs.catalog(argument.partition("=")[2])
        if argument == "--lang" and place + 1 < len(arguments):
            return catalogs.catalog(arguments[place + 1])
    given = next(filter(None, map(environment.get, _VARIABLES)), "")
    # LANGUAGE may be a list, of which the first that we have is meant; C and POSIX are no
    # languages.
    for tag in given.split(":"):
        language = catalogs.negotiate(tag)
        if language != SOURCE_LANGUAGE or tag.lower().startswith(language):
            return catalogs.catalog(language)
    return catalogs.catalog(SOURCE_LANGUAGE)


def localized(command: click.Command, catalog: Catalog) -> click.Command:
    """A copy of a command, and of those below it, whose help pages speak the catalog's language."""
    made = copy.copy(command)
    made.context_class = _context_of(catalog)
    made.help = catalog.say(Text(command.help or "", {}))
    # In a list of commands too it is said to its end.
    made.short_help = made.help
    made.add_help_option = False
    made.params = [_translated(parameter, catalog) for parameter in command.params]
    made.params.append(_language_option(catalog))
    made.params.append(_help_option(catalog))
    if isinstance(made, click.Group):
        # L10N: The placeholders of a command line, in capitals; COMMAND and ARGS.
        made.subcommand_metavar = catalog.say(text("COMMAND …"))
        made.commands = {name: localized(c, catalog) for name, c in made.commands.items()}
    # L10N: The placeholder for options of a command line.
    made.options_metavar = catalog.say(text("[OPTIONS]"))
    return made


def sentence_of(fault: click.ClickException) -> Text:
    """What was wrong in the use of a command."""
    if isinstance(fault, UsageFault):
        return fault.problem
    if isinstance(fault, click.NoSuchOption):
        return text("There is no option {option}.", option=fault.option_name[:40])
    if isinstance(fault, click.MissingParameter):
        parameter = fault.param
        name = parameter.human_readable_name if parameter is not None else "?"
        if isinstance(parameter, click.Option):
            name = parameter.opts[0]
        return text("{name} is missing.", name=name)
    if isinstance(fault, click.BadOptionUsage):
        if "not take" in fault.message:  # the library has no other mark for this
            return text("There is no option {option}.", option=f"{fault.option_name}=…")
        return text("The option {option} needs a value.", option=fault.option_name)
    if isinstance(fault, click.BadParameter) and fault.param is not None:
        return _bad_value(fault.param)
    context = getattr(fault, "ctx", None)
    if context is not None and isinstance(context.command, click.Group):
        commands = ", ".join(context.command.commands)
        return text("There is no such command. Commands: {commands}.", commands=commands)
    return text("There are too many arguments.")


def _bad_value(parameter: click.Parameter) -> Text:
    name = parameter.opts[0]
    if isinstance(parameter.type, click.Choice):
        choices = ", ".join(map(str, parameter.type.choices))
        return text("{option} must be one of: {choices}.", option=name, choices=choices)
    if isinstance(parameter.type, click.IntRange):
        low, high = str(parameter.type.min), str(parameter.type.max)
        return text(
            "{option} must be a whole number from {low} to {high}.",
            option=name,
            low=low,
            high=high,
        )
    return text("{option} must be a number.", option=name)


def _context_of(catalog: Catalog) -> type[click.Context]:
    headings = {"Options": text("Options"), "Commands": text("Commands")}

    class Formatter(click.HelpFormatter):
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            # L10N: Before the pattern of a command line; with a space at its end.
            super().write_usage(prog, args, catalog.say(text("Usage: ")))

        def write_heading(self, heading: str) -> None:
            known = headings.get(heading)
            super().write_heading(heading if known is None else catalog.say(known))

    class Context(click.Context):
        formatter_class = Formatter

    return Context


def _translated(parameter: click.Parameter, catalog: Catalog) -> click.Parameter:
    made = copy.copy(parameter)
    if isinstance(made, click.Option) and made.help:
        made.help = catalog.say(Text(made.help, {}))
    return made


def _language_option(catalog: Catalog) -> click.Option:
    said = text("Your language, such as fr, it, es, sr or en.")
    return click.Option(["--lang"], expose_value=False, metavar="LANG", help=catalog.say(said))


def _help_option(catalog: Catalog) -> click.Option:
    def show(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            click.echo(context.get_help())
            context.exit()

    return click.Option(
        ["--help"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help=catalog.say(text("Shows this page.")),
    )
