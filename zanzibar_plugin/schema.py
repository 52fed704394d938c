"""From a document to a `Ruleset`, and with options chosen to `Rules`; every fault has its line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zanzibar_plugin.dice import COMBINATIONS, Faces
from zanzibar_plugin.document import DocumentError, Node, Scalar, merge, read_file
from zanzibar_plugin.engine import KEYS
from zanzibar_plugin.fields import Fields
from zanzibar_plugin.paragraphs import paragraphs
from zanzibar_plugin.ranking import Combination, Kind, Pairing, Ranking, Worth, expand
from zanzibar_plugin.rules import Ends, Follow, OptionValue, Payer, Phase, Rules
from zanzibar_plugin.ruleset import (
    KeyHelp,
    Number,
    Option,
    Paragraph,
    PhaseText,
    Ruleset,
    Section,
    Switch,
)
from zanzibar_plugin.text import text

MOST_PLAYERS = 12
MOST_TOKENS = 99
_FILE = (
    "help", "id", "keys", "name", "options", "phases", "players", "pot", "ranking", "summary",
    "values",
)  # fmt: skip


def load(path: Path) -> Ruleset:
    """The ruleset in a file.  Raises `DocumentError` for every fault, with its line."""
    return parse(read_file(path), str(path))


def parse(document: Node, file: str) -> Ruleset:
    """The ruleset of a document; `file` is its name for errors.

    The rules are tried with every option on its own, so that a fault in an option is found when
    the file is loaded and not when somebody chooses it.
    """
    top = Fields(document, file, "", _FILE)
    options = tuple(_option(top.fields("options", None), name) for name in _names(top, "options"))
    ruleset = Ruleset(
        id=top.string("id"),
        name=top.string("name"),
        summary=top.string("summary"),
        phases=_phase_texts(top),
        options=options,
        keys=tuple(
            _key_help(Fields(node, file, "keys", ("keys", "label", "help")))
            for node in top.items("keys")
        ),
        help=tuple(
            _section(Fields(node, file, "help", ("title", "paragraphs")))
            for node in top.items("help")
        ),
        document=document,
        file=file,
    )
    defaults = {option.name: option.default for option in options}
    rules = rules_of(ruleset, defaults)
    _check_examples(ruleset, rules, document)
    for option in options:
        for value in _ends(option):
            chosen = {**defaults, option.name: value}
            _check_examples(ruleset, rules_of(ruleset, chosen), with_options(ruleset, chosen))
    return ruleset


def with_options(ruleset: Ruleset, chosen: Mapping[str, OptionValue]) -> Node:
    """The rules file with the differences that the chosen options make."""
    document = ruleset.document
    for option in ruleset.options:
        document = merge(document, option.difference(chosen[option.name]))
    return document


def rules_of(ruleset: Ruleset, chosen: Mapping[str, OptionValue]) -> Rules:
    """The rules a table plays by: `chosen` has a right value for every option."""
    top = Fields(with_options(ruleset, chosen), ruleset.file, "", None)
    players = top.fields("players", ("min", "max"))
    least = players.whole("min", 2, MOST_PLAYERS)
    most = players.whole("max", least, MOST_PLAYERS)
    return Rules(
        id=ruleset.id,
        min_players=least,
        max_players=most,
        pot=top.whole("pot", 1, MOST_TOKENS),
        phases=_phases(top),
        combinations=_combinations(top),
        options=dict(chosen),
    )


def shown(paragraph: Paragraph, document: Node) -> bool:
    """Whether the conditions of a paragraph hold in this rules file with its options."""
    return all(_at(document, path) in values for path, values in paragraph.when.items())


def dice_named(name: str) -> Faces | None:
    """The combination written like "421", from high to low; None if it is none."""
    if len(name) != 3 or not name.isascii() or not name.isdigit():
        return None
    faces = tuple(int(digit) for digit in name)
    return faces if faces in COMBINATIONS else None


def _names(top: Fields, name: str) -> tuple[str, ...]:
    return top.fields(name, None).names() if name in top else ()


def _option(options: Fields, name: str) -> Option:
    if "sets" in options.fields(name, None):
        one = options.fields(name, ("label", "help", "min", "max", "default", "sets"))
        low = one.whole("min", 0, MOST_TOKENS)
        high = one.whole("max", low, MOST_TOKENS)
        default = one.whole("default", low, high)
        path = tuple(one.string("sets").split("."))
        return Number(name, one.string("label"), one.string("help"), low, high, default, path)
    one = options.fields(name, ("label", "help", "default", "changes"))
    changes = one.fields("changes", _FILE).node
    return Switch(name, one.string("label"), one.string("help"), one.boolean("default"), changes)


def _ends(option: Option) -> tuple[OptionValue, ...]:
    """Values of an option that between them try all it can do."""
    return (option.low, option.high) if isinstance(option, Number) else (False, True)


def _phase_texts(top: Fields) -> dict[str, PhaseText]:
    phases = top.fields("phases", None)
    found = {}
    for name in phases.names():
        phase = phases.fields(name, None)
        found[name] = PhaseText(phase.string("label"), phase.string("text", ""))
    return found


def _phases(top: Fields) -> tuple[Phase, ...]:
    phases = top.fields("phases", None)
    known = ("label", "text", "throws", "follow", "payer", "ends")
    found = []
    for name in phases.names():
        phase = phases.fields(name, known)
        found.append(
            Phase(
                name,
                phase.whole("throws", 1, 3),
                phase.choice("follow", Follow),
                phase.choice("payer", Payer),
                phase.choice("ends", Ends),
            )
        )
    if [phase.ends for phase in found] != [Ends.TABLE_EMPTY, Ends.ONE_HOLDER]:
        problem = text(
            "There must be two phases: the first ends with {first}, the second with {second}.",
            first=Ends.TABLE_EMPTY.value,
            second=Ends.ONE_HOLDER.value,
        )
        top.fail(top.node_of("phases"), problem)
    return tuple(found)


def _combinations(top: Fields) -> tuple[Combination, ...]:
    ranking = top.fields("ranking", ("top", "pairing", "sequences", "bottom"))
    lists = {name: _dice(ranking, name) for name in ("top", "sequences", "bottom")}
    short = Ranking(
        lists["top"], ranking.choice("pairing", Pairing), lists["sequences"], lists["bottom"]
    )
    values = top.fields("values", [kind.value for kind in Kind])
    words = {Kind.TRIPLE: Worth.FACE, Kind.PURE: Worth.THIRD}
    worth: dict[Kind, int | Worth] = {}
    for kind in Kind:
        word = words.get(kind)
        if word is not None and values.node_of(kind).value == word.value:
            worth[kind] = word
        else:
            worth[kind] = values.whole(kind, 1, MOST_TOKENS)
    return expand(short, worth)


def _dice(ranking: Fields, name: str) -> tuple[Faces, ...]:
    """A list of combinations, each named once in the whole ranking list."""
    found: list[Faces] = []
    for node in ranking.items(name):
        dice = dice_named(node.value) if isinstance(node.value, str) else None
        if dice is None or dice in found:
            problem = text(
                "In {name}, each entry must be a combination from high to low in quotes, like "
                '"421", and none may come twice.',
                name=ranking.path(name),
            )
            ranking.fail(node, problem)
        found.append(dice)
    return tuple(found)


def _key_help(one: Fields) -> KeyHelp:
    names = []
    for node in one.items("keys"):
        if node.value not in KEYS:
            known = ", ".join(KEYS)
            one.fail(node, text("keys must be keys of the game: {keys}.", keys=known))
        names.append(str(node.value))
    return KeyHelp(tuple(names), one.string("label"), one.string("help"))


def _section(one: Fields) -> Section:
    known = ("text", "plural", "count", "when", "beats")
    found = []
    for node in one.items("paragraphs"):
        fields = Fields(node, one.file, one.path("paragraphs"), known)
        msgids = paragraphs(fields.string("text"))
        if len(msgids) != 1:
            one.fail(node, text("text must be one paragraph, without an empty line."))
        plural = fields.string("plural", "")
        found.append(
            Paragraph(
                msgids[0],
                " ".join(plural.split()),
                fields.string("count") if plural else "",
                _conditions(fields),
                tuple(_pair(fields, pair) for pair in fields.items("beats")),
                node.line,
            )
        )
    return Section(one.string("title"), tuple(found))


def _conditions(fields: Fields) -> dict[tuple[str, ...], tuple[Scalar, ...]]:
    if "when" not in fields:
        return {}
    when = fields.fields("when", None)
    found: dict[tuple[str, ...], tuple[Scalar, ...]] = {}
    for path in when.names():
        value = when.node_of(path).value
        nodes = value if isinstance(value, list) else [when.node_of(path)]
        found[tuple(path.split("."))] = tuple(
            node.value for node in nodes if not isinstance(node.value, (dict, list))
        )
    return found


def _pair(fields: Fields, node: Node) -> tuple[str, str]:
    names = node.value.split() if isinstance(node.value, str) else []
    if len(names) != 2 or None in map(dice_named, names):
        problem = text('beats must be a list of two combinations each, like "666 611".')
        fields.fail(node, problem)
    return names[0], names[1]


def _check_examples(ruleset: Ruleset, rules: Rules, document: Node) -> None:
    """The examples of every paragraph shown must be true of the ranking."""
    for section in ruleset.help:
        for paragraph in section.paragraphs:
            if not shown(paragraph, document):
                continue
            for stronger, weaker in paragraph.beats:
                if _strength(rules, stronger) <= _strength(rules, weaker):
                    problem = text(
                        "The help says that {stronger} beats {weaker}, but the ranking does not.",
                        stronger=stronger,
                        weaker=weaker,
                    )
                    raise DocumentError(ruleset.file, paragraph.line, problem)


def _strength(rules: Rules, name: str) -> int:
    dice = dice_named(name)
    assert dice is not None
    return rules.by_dice[dice].strength


def _at(document: Node, path: tuple[str, ...]) -> Scalar:
    """The scalar at a path of a document; None where there is none."""
    for name in path:
        if not isinstance(document.value, dict) or name not in document.value:
            return None
        document = document.value[name]
    return None if isinstance(document.value, (dict, list)) else document.value
