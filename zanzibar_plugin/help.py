"""The help page of a game: paragraphs chosen by the rules of the table, in one language.

Every number and every example comes from the rules, so that page and game cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.hookspecs import HelpPage, HelpSection
from zanzibar_plugin.rules import OptionValue, Rules
from zanzibar_plugin.ruleset import Number, Option, Paragraph, Ruleset
from zanzibar_plugin.schema import dice_named, rules_of, shown, with_options
from zanzibar_plugin.text import Dice, Field, Text, text

_FIELD = re.compile(r"\{(\w+)\}")


def page_of(ruleset: Ruleset, chosen: Mapping[str, OptionValue], catalog: Catalog) -> HelpPage:
    """The help page for the options chosen; `chosen` has a value for every option."""
    rules = rules_of(ruleset, chosen)
    document = with_options(ruleset, chosen)
    facts = _facts(ruleset, rules)
    sections = [
        HelpSection(
            catalog.say(Text(section.title, {})),
            tuple(
                catalog.say(_filled(paragraph, rules, facts))
                for paragraph in section.paragraphs
                if shown(paragraph, document)
            ),
        )
        for section in ruleset.help
    ]
    table = HelpSection(catalog.say(text("This table")), _options(ruleset, chosen, catalog))
    keys = HelpSection(catalog.say(text("Keys")), _keys(ruleset, catalog))
    return HelpPage(catalog.say(Text(ruleset.name, {})), (*sections, table), keys)


def spoken_value(value: OptionValue) -> Field:
    """The value of an option as it is said."""
    if value is True:
        # L10N: The value of an option that is on, after a colon.
        return text("yes")
    if value is False:
        # L10N: The value of an option that is off, after a colon.
        return text("no")
    return value


def _options(
    ruleset: Ruleset, chosen: Mapping[str, OptionValue], catalog: Catalog
) -> tuple[str, ...]:
    return tuple(
        catalog.say(
            # L10N: An option with its value, and what it is for.
            text(
                "{option}: {value}. {help}",
                option=Text(option.label, {}),
                value=spoken_value(chosen[option.name]),
                help=Text(option.help, {}),
            )
        )
        for option in ruleset.options
    )


def _keys(ruleset: Ruleset, catalog: Catalog) -> tuple[str, ...]:
    return tuple(
        catalog.say(
            # L10N: A key, and what it does.
            text("{key}: {help}", key=Text(row.label, {}), help=Text(row.help, {}))
        )
        for row in ruleset.keys
    )


def _facts(ruleset: Ruleset, rules: Rules) -> dict[str, Field]:
    """The fields any paragraph may use, other than dice and values."""
    strongest = rules.combinations[0]
    left = max(1, strongest.value // 3)
    facts: dict[str, Field] = {
        "min_players": rules.min_players,
        "max_players": rules.max_players,
        "pot": rules.pot,
        "throws": max(phase.throws for phase in rules.phases),
        "example_left": left,
        "example_moved": min(strongest.value, left),
    }
    for option in ruleset.options:
        facts.update(_option_facts(option))
    return facts


def _option_facts(option: Option) -> Iterator[tuple[str, Field]]:
    if isinstance(option, Number):
        yield f"{option.name}_min", option.low
        yield f"{option.name}_max", option.high
        yield f"{option.name}_default", option.default


def _filled(paragraph: Paragraph, rules: Rules, facts: Mapping[str, Field]) -> Text:
    """The paragraph with the fields it names."""
    fields: dict[str, Field] = {}
    for name in _FIELD.findall(paragraph.msgid):
        if name != "count":
            fields[name] = _field(name, rules, facts)
    if not paragraph.plural:
        return Text(paragraph.msgid, fields)
    count = facts[paragraph.count]
    assert isinstance(count, int)
    return Text(paragraph.msgid, {**fields, "count": count}, paragraph.plural, count)


def _field(name: str, rules: Rules, facts: Mapping[str, Field]) -> Field:
    kind, _, digits = name.partition("_")
    dice = dice_named(digits)
    if dice is not None and kind == "dice":
        return Dice(dice)
    if dice is not None and kind == "value":
        return rules.by_dice[dice].value
    return facts[name]


def as_text(page: HelpPage) -> str:
    """The page as plain lines: titles, then one paragraph a line, an empty line between parts."""
    parts = [page.title]
    for section in (*page.sections, page.keys):
        parts.append("\n".join((section.title, *section.paragraphs)))
    return "\n\n".join(parts) + "\n"


def as_markdown(page: HelpPage) -> str:
    """The page in Markdown."""
    parts = [f"# {_escaped(page.title)}"]
    for section in (*page.sections, page.keys):
        parts.append(f"## {_escaped(section.title)}")
        parts.extend(_escaped(paragraph) for paragraph in section.paragraphs)
    return "\n\n".join(parts) + "\n"


def _escaped(paragraph: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", paragraph)


def as_html(page: HelpPage, lang: str) -> str:
    """The page as a whole HTML document; `lang` is its language tag."""
    from html import escape

    body = [f"<h1>{escape(page.title)}</h1>"]
    for section in (*page.sections, page.keys):
        body.append(f"<h2>{escape(section.title)}</h2>")
        body.extend(f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(page.title)}</title>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )
