"""A table as JSON data and back.

A save carries the rules file it is played by, options worked in at reading, so neither an edited
file nor a newer version changes a game that has begun.  A digest finds out whatever has happened to
a save; beyond that, what comes back is checked so far that no key can fail on it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import COMBINATIONS, DICE, FACES, Faces, without
from zanzibar_plugin.document import DocumentError, from_data, to_data
from zanzibar_plugin.hookspecs import DiceSource
from zanzibar_plugin.names import wrong_names
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import parse, rules_of
from zanzibar_plugin.state import (
    Contest,
    Ended,
    Go,
    Latest,
    Result,
    Setting,
    Standing,
    State,
    Turn,
    order_from,
)
from zanzibar_plugin.table import ZanzibarTable
from zanzibar_plugin.text import Text, text

PLUGIN = "zanzibar"
"""Marks our saves among those of other plugins."""
FORMAT = 1

T = TypeVar("T")


def saved(table: ZanzibarTable) -> dict[str, Any]:
    """The table as JSON data, with a digest of all of it."""
    data = _data(table)
    return {**data, "digest": _digest(data)}


def _digest(data: Mapping[str, Any]) -> str:
    """What tells a save from a damaged one: any change of the data changes it."""
    plain = {name: value for name, value in data.items() if name != "digest"}
    text_ = json.dumps(plain, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text_.encode("utf-8", "surrogatepass")).hexdigest()


def _data(table: ZanzibarTable) -> dict[str, Any]:
    setting, standing, turn, go, latest = table.state
    return {
        "plugin": PLUGIN,
        "format": FORMAT,
        "game": table.ruleset.id,
        "base": table.ruleset.base,
        "rules": to_data(table.ruleset.document),
        "options": dict(setting.rules.options),
        "players": list(setting.players),
        "standing": {
            "phase": table.state.phase.id,
            "table": standing.table,
            "tokens": dict(standing.tokens),
            "places": dict(standing.places),
            "begun": standing.begun,
            "set": standing.set,
            "lost": dict(standing.lost),
            "ended": standing.ended and _ended_data(standing.ended, setting),
            "over": standing.over and ev.to_data(standing.over),
        },
        "turn": {
            "number": turn.number,
            "order": list(turn.order),
            "results": [_plain(result) for result in turn.results],
            "about": turn.about,
            "earlier": [
                {"about": contest.about, "results": [_plain(result) for result in contest.results]}
                for contest in turn.earlier
            ],
        },
        "go": go and _plain(go),
        "latest": latest and _plain(latest),
    }


def _ended_data(ended: Ended, setting: Setting) -> dict[str, Any]:
    return {
        "turn": ended.turn,
        "phase": setting.rules.phases[ended.phase].id,
        "results": [_plain(result) for result in ended.results],
        "best": ended.best,
        "worst": ended.worst,
        "thrown_off": list(ended.thrown_off),
    }


def _plain(value: Result | Go | Latest) -> dict[str, Any]:
    fields: Mapping[str, Any] = value._asdict()
    return {
        name: list(field) if isinstance(field, tuple) else field for name, field in fields.items()
    }


@lru_cache(maxsize=64)
def _ruleset(rules: str, base: str) -> Ruleset:
    """The rules of a save; the many tables of a room that is started again share them."""
    return parse(from_data(json.loads(rules)), "", base)


class _WrongError(Exception):
    """Some part of a save is not as `saved` makes it."""


def restored(data: Mapping[str, Any], dice: DiceSource) -> ZanzibarTable | Text:
    """The table of a save, or what is wrong with it; a wrong save raises nothing."""
    if data.get("format") != FORMAT:
        return text(
            "This table was saved by another version of the game, in format {found}. "
            "This version reads format {format}. The save is kept.",
            found=str(data.get("format"))[:20],
            format=FORMAT,
        )
    try:
        _must(data.get("digest") == _digest(data))
        base = data.get("base")
        _must(isinstance(base, str))
        ruleset = _ruleset(json.dumps(data.get("rules")), str(base))
        _must(data.get("game") == ruleset.id)
        chosen = ruleset.choose(_mapping(data.get("options")))
        if isinstance(chosen, Text):
            raise _WrongError
        rules, players = rules_of(ruleset, chosen), _names(data.get("players"))
        _must(wrong_names(players, rules.min_players, rules.max_players) is None)
        setting = Setting(rules, players)
        state = _state(setting, data)
    except (_WrongError, DocumentError, RecursionError, TypeError, ValueError):
        return text("This saved table is damaged and cannot be restored. The save is kept.")
    return ZanzibarTable(ruleset, state, dice)


def _state(setting: Setting, data: Mapping[str, Any]) -> State:
    standing = _standing(setting, _mapping(data.get("standing")))
    turn = _turn(setting, standing, _mapping(data.get("turn")))
    go = _maybe(lambda found: _go(found, turn), data.get("go"))
    latest = _maybe(lambda found: _latest(found, setting), data.get("latest"))
    waits = standing.over is None and len(turn.results) < len(turn.order)
    _must((go is not None) == waits)
    return State(setting, standing, turn, go, latest)


def _standing(setting: Setting, data: Mapping[str, Any]) -> Standing:
    table = _count(data.get("table"))
    tokens = _counts(data.get("tokens"))
    places = _counts(data.get("places"))
    lost = _counts(data.get("lost"))
    players, rules = setting.players, setting.rules
    pot, each = rules.supply.start(len(players))
    _must(tuple(tokens) == tuple(lost) == players and set(places) <= set(players))
    _must(table + sum(tokens.values()) == pot + each * len(players))
    over = _maybe(_game_over, data.get("over"))
    if over is not None:
        _must({*over.winners, over.loser} <= {*players, None} and tuple(over.places) == players)
    else:
        _must(len(places) < len(players) - 1)
        _must(not any(tokens[name] for name in places))
    return Standing(
        _phase(setting, data.get("phase")),
        table,
        tokens,
        places,
        _count(data.get("begun")),
        _count(data.get("set")),
        lost,
        _maybe(lambda found: _ended(found, setting), data.get("ended")),
        over,
    )


def _turn(setting: Setting, standing: Standing, data: Mapping[str, Any]) -> Turn:
    order = _names(data.get("order"))
    _must(bool(order) and order[0] in setting.players)
    about = _name(data.get("about"))
    earlier = tuple(_contest(entry) for entry in _list(data.get("earlier")))
    _must(about in ("turn", *_ABOUT) and set(order) <= set(setting.players))
    if standing.over is None and about == "turn":
        _must(order == order_from(order[0], setting.players, standing.places))
    results = _results(data.get("results"))
    _must(tuple(result.player for result in results) == order[: len(results)])
    _must(bool(earlier) or about in ("turn", "start"))
    _must({r.player for c in earlier for r in c.results} <= set(setting.players))
    _fits(about, results)
    return Turn(_count(data.get("number")), order, results, about, earlier)


_ABOUT = ("start", "best", "worst")


def _contest(value: object) -> Contest:
    data = _mapping(value)
    about, results = _name(data.get("about")), _results(data.get("results"))
    _must(about in ("turn", *_ABOUT) and bool(results))
    _fits(about, results)
    return Contest(about, results)


def _fits(about: str, results: tuple[Result, ...]) -> None:
    """For the start a single die is thrown, for all else three."""
    _must(all(len(result.dice) == (1 if about == "start" else DICE) for result in results))


def _go(data: Mapping[str, Any], turn: Turn) -> Go:
    go = Go(
        _name(data.get("player")),
        _count(data.get("limit")),
        _count(data.get("throws")),
        _faces(data.get("dice")),
        _faces(data.get("selected")),
        _faces(data.get("locked")),
        _flag(data.get("last")),
    )
    _must(len(turn.results) < len(turn.order) and go.player == turn.order[len(turn.results)])
    _must(1 <= go.limit <= DICE and go.throws < go.limit)
    _must(go.dice in COMBINATIONS if go.throws else go.dice == ())
    try:
        without(go.dice, (*go.selected, *go.locked))
    except ValueError as missing:
        raise _WrongError from missing
    return go


def _latest(data: Mapping[str, Any], setting: Setting) -> Latest:
    player, dice = _name(data.get("player")), _faces(data.get("dice"))
    _must(player in setting.players and _is_thrown(dice))
    return Latest(_count(data.get("number")), player, dice)


def _ended(data: Mapping[str, Any], setting: Setting) -> Ended:
    results = _results(data.get("results"))
    best, worst = _name(data.get("best")), _name(data.get("worst"))
    _must({best, worst} <= {result.player for result in results} <= set(setting.players))
    thrown_off = tuple(_list(data.get("thrown_off")))
    _must(set(thrown_off) <= {"best", "worst"})
    turn, phase = _count(data.get("turn")), _phase(setting, data.get("phase"))
    return Ended(turn, phase, results, best, worst, thrown_off)


def _game_over(data: Mapping[str, Any]) -> ev.GameOver:
    places = _counts(data.get("places"))
    loser = data.get("loser")
    return ev.GameOver(_names(data.get("winners")), None if loser is None else _name(loser), places)


def _results(value: object) -> tuple[Result, ...]:
    found = []
    for entry in _list(value):
        data = _mapping(entry)
        dice = _faces(data.get("dice"))
        _must(_is_thrown(dice))
        found.append(Result(_name(data.get("player")), dice, _count(data.get("throws"))))
    return tuple(found)


def _is_thrown(dice: Faces) -> bool:
    """Three dice from high to low, or a single one thrown for the start."""
    return dice in COMBINATIONS or len(dice) == 1


def _phase(setting: Setting, value: object) -> int:
    ids: list[object] = [phase.id for phase in setting.rules.phases]
    _must(value in ids)
    return ids.index(value)


def _maybe(read: Callable[[Mapping[str, Any]], T], value: object) -> T | None:
    return None if value is None else read(_mapping(value))


def _must(holds: bool) -> None:
    if not holds:
        raise _WrongError


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise _WrongError
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise _WrongError
    return list(value)


def _name(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongError
    return value


def _names(value: object) -> tuple[str, ...]:
    names = tuple(_name(entry) for entry in _list(value))
    _must(len(set(names)) == len(names))
    return names


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1_000_000_000:
        raise _WrongError
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _WrongError
    return value


def _counts(value: object) -> dict[str, int]:
    return {name: _count(count) for name, count in _mapping(value).items()}


def _faces(value: object) -> Faces:
    faces = tuple(_list(value))
    _must(len(faces) <= DICE and all(type(face) is int and face in FACES for face in faces))
    return faces
