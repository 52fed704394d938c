"""Choosing how a table plays before its game begins: presets first, then single options."""

from __future__ import annotations

from collections.abc import Mapping

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.hookspecs import ChoiceInfo, OptionInfo, Options, Refusal
from zanzibar_plugin.library import Library
from zanzibar_plugin.rules import OptionValue
from zanzibar_plugin.ruleset import Choice, Number, Option, Ruleset
from zanzibar_plugin.schema import clash_of
from zanzibar_plugin.speech import spoken
from zanzibar_plugin.text import Field, Text, text

PRESET = "preset"
"""The name of the option that chooses among a game and its variants."""


def change(
    library: Library,
    ruleset: Ruleset,
    options: Mapping[str, object],
    wish: tuple[str, object],
    catalog: Catalog,
) -> Options | Refusal:
    """The choices of a table after one of them was changed (none if the name is empty)."""
    name, value = wish
    before = ruleset.choose(options)
    if isinstance(before, Text):
        return Refusal(catalog.say(before))
    if name == PRESET:
        return _preset(library, (ruleset, before), value, catalog)
    after = ruleset.choose({**options, name: value} if name else options)
    if isinstance(after, Text):
        return Refusal(catalog.say(after))
    clash = clash_of(ruleset, after) if name else None
    if clash is not None:
        return Refusal(catalog.say(clash))
    return _result(library, ruleset, after, _changed(ruleset, before, after), catalog)


def _preset(
    library: Library,
    old: tuple[Ruleset, Mapping[str, OptionValue]],
    value: object,
    catalog: Catalog,
) -> Options | Refusal:
    """Another variant, with the options as it has them; what thereby changes is named."""
    before, chosen = old
    variants = {variant.id: variant for variant in library.variants(before.id)}
    ruleset = variants.get(str(value))
    if ruleset is None:
        # L10N: {presets} are names for a command, not to be translated.
        problem = text("preset must be one of: {presets}.", presets=", ".join(variants))
        return Refusal(catalog.say(problem))
    changes: list[Field] = []
    if ruleset.id != before.id:
        changes.append(spoken(ruleset.name))
    changes += _changed(ruleset, chosen, ruleset.defaults())
    return _result(library, ruleset, ruleset.defaults(), changes, catalog)


def _changed(
    ruleset: Ruleset, before: Mapping[str, OptionValue], after: Mapping[str, OptionValue]
) -> list[Field]:
    """Each option that is not as it was."""
    return [
        # L10N: An option with its value, named because it has changed.
        text(
            "{option}: {value}",
            option=Text(option.label, {}),
            value=spoken_value(option, after[option.name]),
        )
        for option in ruleset.options
        if before.get(option.name, option.default) != after[option.name]
    ]


def _result(
    library: Library,
    ruleset: Ruleset,
    chosen: Mapping[str, OptionValue],
    changes: list[Field],
    catalog: Catalog,
) -> Options:
    listed = [option_info(option, chosen[option.name], catalog) for option in ruleset.options]
    presets = tuple(
        ChoiceInfo(
            variant.id,
            catalog.say(spoken(variant.name)),
            catalog.say(Text(variant.summary, {})) if variant.summary else "",
        )
        for variant in library.variants(ruleset.id)
    )
    if len(presets) > 1:
        # L10N: The option that chooses one of the ready-made variants of a game.
        label = catalog.say(text("Variant"))
        help = catalog.say(text("A ready-made way to play, as in a region or a book."))
        listed.insert(0, OptionInfo(PRESET, label, help, "choice", ruleset.id, choices=presets))
    message = ". ".join(catalog.say(changed) for changed in changes)
    return Options(ruleset.id, dict(chosen), tuple(listed), f"{message}." if message else "")


def option_info(option: Option, value: OptionValue, catalog: Catalog) -> OptionInfo:
    """An option for a host, with this value as the one it has."""
    say = catalog.say
    label, help = say(Text(option.label, {})), say(Text(option.help, {}))
    if isinstance(option, Number):
        return OptionInfo(option.name, label, help, "number", value, option.low, option.high)
    if isinstance(option, Choice):
        ways = tuple(
            ChoiceInfo(way, say(Text(words.label, {})), "") for way, words in option.choices.items()
        )
        return OptionInfo(option.name, label, help, "choice", value, choices=ways)
    return OptionInfo(option.name, label, help, "switch", value)


def spoken_value(option: Option, value: OptionValue) -> Field:
    """The value of an option as it is said."""
    if isinstance(option, Choice):
        return Text(option.choices[str(value)].label, {})
    if value is True:
        # L10N: The value of an option that is on, after a colon.
        return text("yes")
    if value is False:
        # L10N: The value of an option that is off, after a colon.
        return text("no")
    return value
