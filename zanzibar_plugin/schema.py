"""From a document to a `Ruleset`, and with options chosen to `Rules`; every fault has its line."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, cast

from zanzibar_plugin.contradictions import check, ranking_of
from zanzibar_plugin.dice import faces_of
from zanzibar_plugin.document import DocumentError, Node, merge, node_at, read_file
from zanzibar_plugin.facts import Case, cases_of, filled, own, untrue
from zanzibar_plugin.grammar import FILE, RULES
from zanzibar_plugin.paragraphs import paragraphs
from zanzibar_plugin.ranking import (
    Combination,
    Kind,
    Ranking,
    Value,
    Worth,
    expand,
)
from zanzibar_plugin.recent import Recent
from zanzibar_plugin.rules import (
    Amount,
    Ends,
    First,
    Follow,
    Leave,
    Next,
    OptionValue,
    Order,
    Payer,
    Phase,
    PhaseStarter,
    Rules,
    Scope,
    Stake,
    Supply,
    ThrowOff,
    Tie,
)
from zanzibar_plugin.ruleset import (
    Choice,
    KeyHelp,
    Number,
    Option,
    Paragraph,
    PhaseText,
    Ruleset,
    Section,
    Switch,
    Way,
)
from zanzibar_plugin.shapes import COMBINATION_NAMES, Record, refuse, unknown
from zanzibar_plugin.text import Text, text
from zanzibar_plugin.traits import NAMES, PART_NAMES, holds

_PLAYED = Record(RULES, {name: FILE.defaults.get(name) for name in FILE.defaults if name in RULES})


def load(path: Path) -> Ruleset:
    """The ruleset in a file that has no base.  Raises `DocumentError` for every fault."""
    return parse(read_file(path), str(path))


def parse(document: Node, file: str, base: str = "") -> Ruleset:
    """The ruleset of a document, whose base (an id, or "") has been laid under it.

    The rules are tried with every value of every option, so that a fault in an option is found
    when the file is loaded and not when somebody chooses it.
    """
    top = FILE.read(document, "")
    options = tuple(_option(document, name, one) for name, one in top["options"].items())
    ruleset = Ruleset(
        id=top["id"],
        base="" if top["own_game"] else base,
        name=top["name"],
        summary=top["summary"],
        note=top["note"] or "",
        source=top["source"],
        region=top["region"],
        phases={
            name: PhaseText(phase["label"], phase["text"]) for name, phase in top["phases"].items()
        },
        options=options,
        keys=tuple(KeyHelp(tuple(k["keys"]), k["label"], k["help"]) for k in top["keys"]),
        help=tuple(_sections(document, top["help"])),
        document=document,
        file=file,
    )
    defaults = ruleset.defaults()
    _check(ruleset, defaults)
    for option in options:
        for value in option.values():
            if value != option.default:
                _check(ruleset, {**defaults, option.name: value})
    return ruleset


def with_options(ruleset: Ruleset, chosen: Mapping[str, OptionValue]) -> Node:
    """The rules file with the differences that the chosen options make."""
    document = ruleset.document
    for option in ruleset.options:
        document = merge(document, option.difference(chosen[option.name]))
    return document


def rules_of(ruleset: Ruleset, chosen: Mapping[str, OptionValue]) -> Rules:
    """The rules a table plays by: `chosen` has a right value for every option.

    Tables that play by the same rules share them.
    """
    return _RULES.of(ruleset, tuple(chosen.items()))


def _rules_of(ruleset: Ruleset, options: Hashable) -> Rules:
    chosen = dict(cast("tuple[tuple[str, OptionValue], ...]", options))
    document = with_options(ruleset, chosen)
    assert isinstance(document.value, dict)
    played = {name: node for name, node in document.value.items() if name in RULES}
    node = Node(played, document.line, document.key_lines, ruleset.document.file)
    top = _PLAYED.read(node, "")
    check(node, top)
    start = top["start"]
    ranking, combinations = _combinations(top)
    return Rules(
        id=ruleset.id,
        min_players=top["players"]["min"],
        max_players=top["players"]["max"],
        supply=_supply(top["supply"]),
        phases=tuple(_phase(name, phase) for name, phase in top["phases"].items()),
        combinations=combinations,
        ranking=ranking,
        first=First(start["first"]),
        next=Next(start["next"]),
        tie=Tie(top["ties"]),
        throw_off=_throw_off(top["throw_off"]),
        penalty=top["nenette_penalty"],
        lock_kept=top["lock_kept"],
        repeat_step=top["repeat_step"],
        lost_sets=top["lost_sets"],
        advice=top["advice"],
        options=chosen,
    )


_RULES = Recent(_rules_of)


def clash_of(ruleset: Ruleset, chosen: Mapping[str, OptionValue]) -> Text | None:
    """Why these options cannot be had together, or None; each alone was tried at loading."""
    try:
        rules_of(ruleset, chosen)
    except DocumentError as fault:
        return fault.problem
    return None


def _option(document: Node, name: str, one: Mapping[str, Any]) -> Option:
    node = node_at(document, ("options", name))
    label, help = one["label"], one["help"]
    if "sets" in one:
        low, high, default = one["min"], one["max"], one["default"]
        if not low <= default <= high:
            problem = text("{name}: min, default and max must be in this order.", name=name)
            refuse(node, problem, node.key_line("default"))
        path = tuple(one["sets"].split("."))
        current = node_at(document, path)
        if isinstance(current.value, bool) or not isinstance(current.value, int):
            problem = text("{name}: there is no number {path} to set.", name=name, path=one["sets"])
            refuse(node, problem, node.key_line("sets"))
        return Number(name, label, help, low, high, default, path, node)
    if "choices" in one:
        if one["default"] not in one["choices"]:
            problem = text("{name}: default must be one of the choices.", name=name)
            refuse(node, problem, node.key_line("default"))
        ways = {
            way: Way(words["label"], node_at(node, ("choices", way, "changes")))
            for way, words in one["choices"].items()
        }
        return Choice(name, label, help, one["default"], ways)
    return Switch(name, label, help, one["default"], node_at(node, ("changes",)))


def _supply(one: Mapping[str, Any]) -> Supply:
    pot, each, extra = one["pot"], one["each"], one["per_extra"]
    by_players = {}
    for players, other in one["by_players"].items():
        other_pot = pot if other["pot"] is None else other["pot"]
        other_each = each if other["each"] is None else other["each"]
        by_players[int(players)] = (other_pot, other_each)
    above, add = (extra["above"], extra["add"]) if extra else (0, 0)
    return Supply(pot, each, by_players, above, add)


def _phase(name: str, one: Mapping[str, Any]) -> Phase:
    ends, count, amount = one["ends"], 0, one["amount"]
    if isinstance(ends, dict):
        ends, count = next((kind, number) for kind, number in ends.items() if number)
    return Phase(
        id=name,
        throws=one["throws"],
        follow=Follow(one["follow"]),
        payer=Payer(one["payer"]),
        amount=amount if isinstance(amount, int) else Amount(amount),
        ends=Ends(ends),
        count=count,
        leave=Leave(one["leave"]),
        starter=PhaseStarter(one["starter"]),
    )


def _throw_off(one: Mapping[str, Any]) -> ThrowOff:
    return ThrowOff(one["throws"], Order(one["order"]), Stake(one["stake"]), Scope(one["scope"]))


def _combinations(top: Mapping[str, Any]) -> tuple[Ranking | None, tuple[Combination, ...]]:
    if top["combinations"] is not None:
        return None, _listed(top["combinations"])
    ranking = ranking_of(top["ranking"])
    given = {name: _value(value) for name, value in top["values"].items() if value is not None}
    kinds = {Kind(name): value for name, value in given.items() if name not in COMBINATION_NAMES}
    dice = {faces_of(name): value for name, value in given.items() if name in COMBINATION_NAMES}
    return ranking, expand(ranking, kinds, dice)


def _listed(classes: list[Mapping[str, Any]]) -> tuple[Combination, ...]:
    """The combinations of an explicit list of classes, strongest first."""
    return tuple(
        Combination(
            faces_of(name), Kind(one["kind"]), len(classes) - place, _value(one["value"]), None
        )
        for place, one in enumerate(classes)
        for name in sorted(one["dice"], reverse=True)
    )


def _value(value: int | str) -> Value:
    return value if isinstance(value, int) else Worth(value)


def _sections(document: Node, sections: list[Mapping[str, Any]]) -> list[Section]:
    nodes = node_at(document, ("help",)).value
    assert isinstance(nodes, list)
    return [
        Section(
            section["title"],
            _conditions(section["when"], node),
            tuple(
                _paragraph(paragraph, _entry(node_at(node, ("paragraphs",)), number))
                for number, paragraph in enumerate(section["paragraphs"])
            ),
        )
        for section, node in zip(sections, nodes, strict=True)
    ]


def _entry(node: Node, number: int) -> Node:
    assert isinstance(node.value, list)
    return node.value[number]


def _paragraph(one: Mapping[str, Any], node: Node) -> Paragraph:
    msgids = paragraphs(one["text"])
    if len(msgids) != 1:
        refuse(node, text("text must be one paragraph, without an empty line."))
    if one["plural"] and not one["count"]:
        refuse(node, text("The field {name} is missing.", name="count"))
    pairs = [tuple(pair.split()) for pair in one["beats"]]
    if any(len(pair) != 2 or not {*pair} <= {*COMBINATION_NAMES} for pair in pairs):
        problem = text('beats must be a list of two combinations each, like "666 611".')
        refuse(node, problem, node.key_line("beats"))
    return Paragraph(
        msgids[0],
        " ".join(one["plural"].split()),
        one["count"],
        one["for_each"],
        _conditions(one["when"], node),
        tuple((pair[0], pair[1]) for pair in pairs),
        node,
    )


def _conditions(when: Mapping[str, list[str]], node: Node) -> dict[str, tuple[str, ...]]:
    """Conditions that can hold: their traits and values are known."""
    known = {**NAMES, **PART_NAMES}
    for name, values in when.items():
        if name.startswith("option_") or name == "options":
            continue
        problem = None
        if name not in known:
            problem = unknown("when", name, known)
        elif not set(values) <= set(known[name]):
            words = ", ".join(known[name])
            problem = text("when: {name} must be one of: {words}.", name=name, words=words)
        if problem is not None:
            place = node_at(node, ("when",))
            refuse(place, problem, place.key_line(name))
    return {name: tuple(values) for name, values in when.items()}


def _check(ruleset: Ruleset, chosen: Mapping[str, OptionValue]) -> None:
    """The rules with these options must hold together, and the help must be true of them.

    Only what the file itself says is looked at: the help of a base fits every variant of it.
    """
    rules = rules_of(ruleset, chosen)
    if not any(own(p, ruleset) for section in ruleset.help for p in section.paragraphs):
        return
    cases = cases_of(ruleset, rules)
    for section in ruleset.help:
        if not holds(section.when, cases[""][0].traits):
            continue
        for paragraph in section.paragraphs:
            for case in cases[paragraph.for_each]:
                if own(paragraph, ruleset) and holds(paragraph.when, case.traits):
                    _check_paragraph(paragraph, rules, case)


def _check_paragraph(paragraph: Paragraph, rules: Rules, case: Case) -> None:
    wrong = untrue(paragraph, rules)
    if wrong is not None:
        problem = text(
            "The help says that {stronger} beats {weaker}, but the ranking does not.",
            stronger=wrong[0],
            weaker=wrong[1],
        )
        refuse(paragraph.node, problem)
    try:
        filled(paragraph, rules, case.facts)
    except LookupError as unknown:
        problem = text("There is no fact {name} for a help page.", name=str(unknown.args[0])[:40])
        refuse(paragraph.node, problem)
