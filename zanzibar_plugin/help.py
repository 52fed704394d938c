"""The help page of a game: paragraphs chosen by the rules of the table, in one language.

Every number and every example comes from the rules, so that page and game cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby, product

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.choosing import spoken_value
from zanzibar_plugin.engine import keys
from zanzibar_plugin.facts import cases_of, filled
from zanzibar_plugin.hookspecs import HelpPage, HelpSection
from zanzibar_plugin.rules import OptionValue
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.speech import spoken
from zanzibar_plugin.text import Field, Text, text
from zanzibar_plugin.traits import holds


def page_of(ruleset: Ruleset, chosen: Mapping[str, OptionValue], catalog: Catalog) -> HelpPage:
    """The help page for the options chosen; `chosen` has a value for every option."""
    rules = rules_of(ruleset, chosen)
    cases = cases_of(ruleset, rules)
    say = catalog.say
    sections = [
        HelpSection(
            say(Text(section.title, {})),
            tuple(
                say(filled(paragraph, rules, case.facts))
                for word, run in groupby(section.paragraphs, lambda paragraph: paragraph.for_each)
                for case, paragraph in product(cases[word], tuple(run))
                if holds(paragraph.when, case.traits)
            ),
        )
        for section in ruleset.help
        if holds(section.when, cases[""][0].traits)
    ]
    table = HelpSection(say(text("This table")), _about(ruleset, chosen, catalog))
    used = keys(rules)
    key_lines = tuple(
        # L10N: A key, and what it does.
        say(text("{key}: {help}", key=Text(row.label, {}), help=Text(row.help, {})))
        for row in ruleset.keys
        if set(row.keys) <= set(used)
    )
    return HelpPage(
        say(spoken(ruleset.name)), (*sections, table), HelpSection(say(text("Keys")), key_lines)
    )


def _about(
    ruleset: Ruleset, chosen: Mapping[str, OptionValue], catalog: Catalog
) -> tuple[str, ...]:
    """What is special about this table: the variant, and its options."""
    said: list[Field] = [Text(ruleset.summary, {})] if ruleset.summary else []
    if ruleset.note:
        said.append(spoken(ruleset.note))
    if ruleset.region:
        # L10N: {region} is the name of a region or country, or of several.
        said.append(text("Played in: {region}.", region=Text(ruleset.region, {})))
    if ruleset.source:
        said.append(text("Described by: {source}.", source=Text(ruleset.source, {})))
    said += [
        # L10N: An option with its value, and what it is for.
        text(
            "{option}: {value}. {help}",
            option=Text(option.label, {}),
            value=spoken_value(option, chosen[option.name]),
            help=Text(option.help, {}),
        )
        for option in ruleset.options
    ]
    return tuple(map(catalog.say, said))


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
