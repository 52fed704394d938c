"""What each field allows by itself, but not together; found when a file is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from zanzibar_plugin.dice import COMBINATIONS, faces_of
from zanzibar_plugin.document import Node
from zanzibar_plugin.ranking import Kind, Pairing, Ranking, Rest, Triples, Worth, kind_of
from zanzibar_plugin.rules import Amount, Ends, Follow, Leave, Payer
from zanzibar_plugin.shapes import COMBINATION_NAMES, refuse
from zanzibar_plugin.text import Text, text

_STRAIGHTS = ("654", "543", "432", "321")
_ALL = (Worth.ALL, Worth.ALL_BUT_ONE)


def check(node: Node, top: Mapping[str, Any]) -> None:
    """Refuse rules that contradict themselves: `top` is what was read from `node`."""
    for path, problem in _faults(top):
        place, line = node, node.line
        for name in path:
            if not isinstance(place.value, dict) or name not in place.value:
                break
            line = place.key_line(name)
            place = place.value[name]
        if place.file != node.file:
            place, line = _own_place(node)
        refuse(place, problem, line)


def _own_place(node: Node) -> tuple[Node, int]:
    """Where a variant itself says something, when what it contradicts stands in its base."""
    assert isinstance(node.value, dict)
    said = [name for name, child in node.value.items() if child.file == node.file]
    for name in ("ranking", "values", "supply", "phases", *said):
        if name in said:
            return node.value[name], node.key_line(name)
    return node, node.line


_Fault = tuple[tuple[str, ...], Text]


def _faults(top: Mapping[str, Any]) -> Iterator[_Fault]:
    """Every contradiction: the path of the field it is told about, and the sentence."""
    yield from _players_and_supply(top)
    yield from _phases(top)
    yield from _last_throw(top)
    if top["combinations"] is None:
        yield from _ranking(top)
        yield from _values(top)
    else:
        yield from _listed(top["combinations"])
    yield from _penalty_and_sets(top)


def _players_and_supply(top: Mapping[str, Any]) -> Iterator[_Fault]:
    players, supply = top["players"], top["supply"]
    if players["min"] > players["max"]:
        yield ("players", "max"), text("players: max must not be less than min.")
    first = next(iter(top["phases"].values()), None)
    for number, other in supply["by_players"].items():
        here = ("supply", "by_players", number)
        table = any(phase["payer"] == Payer.TABLE for phase in top["phases"].values())
        if table and other["pot"] == 0:
            yield (
                (*here, "pot"),
                text("The table cannot pay: there are no tokens in the pot."),
            )
        if first and first["payer"] != Payer.TABLE and other["each"] == 0:
            yield (
                (*here, "each"),
                text("Nobody can pay: at the start no player has tokens."),
            )
        if not players["min"] <= int(number) <= players["max"]:
            yield (
                here,
                text("This game is never played by {number} players.", number=int(number)),
            )
    if not supply["pot"] and not supply["each"]:
        yield ("supply",), text("There must be tokens: in the pot, or for each player.")


def _phases(top: Mapping[str, Any]) -> Iterator[_Fault]:
    phases, supply = top["phases"], top["supply"]
    if not phases:
        yield ("phases",), text("There must be a phase.")
    names = list(phases)
    for name, phase in phases.items():
        here = ("phases", name)
        table = phase["payer"] == Payer.TABLE
        ends = phase["ends"]
        if table and not supply["pot"]:
            yield (*here, "payer"), text("The table cannot pay: there are no tokens in the pot.")
        if table and ends in (Ends.ONE_HOLDER, Ends.FIRST_EMPTY):
            yield (*here, "ends"), text("While the table pays, a phase cannot end like that.")
        if not table and ends == Ends.TABLE_EMPTY:
            yield (*here, "ends"), text("The table is only emptied where the table pays.")
        if table and phase["leave"] == Leave.TURN_END:
            yield (*here, "leave"), text("While the table pays, nobody can go out for having none.")
        if table and phase["amount"] == Amount.PAYER_VALUE:
            yield (*here, "amount"), text("The table has no combination that could set a value.")
        if not table and name == names[0] and not supply["each"]:
            yield (*here, "payer"), text("Nobody can pay: at the start no player has tokens.")
        yield from _number_of(here, ends, supply)


def _number_of(here: tuple[str, ...], ends: object, supply: Mapping[str, Any]) -> Iterator[_Fault]:
    if not isinstance(ends, dict):
        return
    if (ends["turns"] is None) == (ends["target"] is None):
        yield (*here, "ends"), text("ends must have either turns or target.")
    elif ends["target"] and ends["target"] > supply["pot"] + supply["each"] * 2:
        yield (*here, "ends"), text("The target is more than all the tokens of two players.")


def _last_throw(top: Mapping[str, Any]) -> Iterator[_Fault]:
    exact = [name for name, p in top["phases"].items() if p["follow"] == Follow.FIRST_EXACTLY]
    if exact and not top["announce_last"]:
        yield (
            ("phases", exact[0], "follow"),
            text("Where all throw exactly as often as the first, announce_last must be true."),
        )
    if top["announce_last"] and not exact:
        yield (
            ("announce_last",),
            text("The last throw is only announced where a phase follows first_exactly."),
        )


def _ranking(top: Mapping[str, Any]) -> Iterator[_Fault]:
    ranking = top["ranking"]
    if ranking is None:
        yield ("ranking",), text("There must be a ranking, or a list of combinations.")
        return
    seen: set[str] = set()
    for name in ("top", "sequences", "bottom"):
        for dice in ranking[name]:
            if dice in seen:
                yield ("ranking", name), text("ranking: {dice} comes twice.", dice=dice)
            seen.add(dice)
            if name == "sequences" and dice not in _STRAIGHTS:
                yield (
                    ("ranking", name),
                    text("ranking: {dice} is no straight. Straights: {straights}.", dice=dice,
                         straights=", ".join(_STRAIGHTS)),
                )  # fmt: skip


def ranking_of(one: Mapping[str, Any]) -> Ranking:
    """The ranking as the core knows it, from what was read of the field."""
    return Ranking(
        top=tuple(map(faces_of, one["top"])),
        pairing=Pairing(one["pairing"]),
        triples=Triples(one["triples"]),
        sequences=tuple(map(faces_of, one["sequences"])),
        rest=Rest(one["rest"]),
        die_points={int(face): points for face, points in one["die_points"].items()},
        bottom=tuple(map(faces_of, one["bottom"])),
    )


def _values(top: Mapping[str, Any]) -> Iterator[_Fault]:
    values, ranking = top["values"], top["ranking"]
    if values is None:
        yield ("values",), text("There must be values.")
        return
    if ranking is None:
        return
    short = ranking_of(ranking)
    kinds = {kind_of(dice, short) for dice in COMBINATIONS}
    for kind in Kind:
        if values[kind] is None and kind in kinds:
            missing = f"values.{kind.value}"
            yield ("values",), text("The field {name} is missing.", name=missing)
        if values[kind] is not None and kind not in kinds:
            yield (
                ("values", kind),
                text("There is a value for {kind}, but no such combination.", kind=kind.value),
            )
    for name, value in values.items():
        if value in _ALL and not top["supply"]["pot"]:
            yield (
                ("values", name),
                text("{word} needs tokens in the pot.", word=str(value)),
            )


def _listed(classes: list[Mapping[str, Any]]) -> Iterator[_Fault]:
    named = [dice for one in classes for dice in one["dice"]]
    for dice in named:
        if named.count(dice) > 1:
            yield ("combinations",), text("combinations: {dice} comes twice.", dice=dice)
    missing = [dice for dice in COMBINATION_NAMES if dice not in named]
    if missing:
        yield (
            ("combinations",),
            text(
                "combinations: there must be all {count} of them. Missing: {dice}.",
                count=len(COMBINATIONS),
                dice=", ".join(missing),
            ),
        )


def _penalty_and_sets(top: Mapping[str, Any]) -> Iterator[_Fault]:
    listed, ranking = top["combinations"], top["ranking"]
    if listed is not None:
        nenette = any(one["kind"] == Kind.NENETTE for one in listed)
    else:
        nenette = ranking is not None and "221" in ranking["bottom"]
    if top["nenette_penalty"] and not nenette:
        yield (
            ("nenette_penalty",),
            text("There is a penalty for the nénette, but the ranking has none at the bottom."),
        )
    last = list(top["phases"].values())[-1:]
    if top["lost_sets"] > 1 and (not last or last[0]["ends"] != Ends.ONE_HOLDER):
        yield (
            ("lost_sets",),
            text("Sets need a loser: the last phase must end with {word}.", word="one_holder"),
        )
