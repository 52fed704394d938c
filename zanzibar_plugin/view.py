"""What one listener may see of a table, as plain data, and the keys that do something now."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from zanzibar_plugin.answers import best_result
from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.dice import FACES, Faces, without
from zanzibar_plugin.engine import advice_needed, may_announce, must_throw
from zanzibar_plugin.hookspecs import KeyInfo
from zanzibar_plugin.naming import combination
from zanzibar_plugin.recent import Recent
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.speech import spoken
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Dice, Text, text


def view_of(
    ruleset: Ruleset, state: State, listener: str | None, catalog: Catalog
) -> dict[str, Any]:
    """The table as data: seats, tokens, phase, turn, dice, the best so far, and the end.

    `dice` are from high to low, each with `face` and `selected`; `combination`, `best` and
    `latest` (the latest throw at the table, whoever made it) are null while there is none.
    """
    setting, standing, turn, go, _ = state
    over = standing.over
    phase = state.phase
    best, latest = best_result(state), state.latest
    said = _SAID.of(state, catalog)
    return {
        "game": ruleset.id,
        "name": catalog.say(spoken(ruleset.name)),
        "options": dict(setting.rules.options),
        "you": listener,
        "seats": [
            {
                "name": player,
                "tokens": standing.tokens[player],
                "place": standing.places.get(player),
                "starter": bool(turn.order) and turn.order[0] == player,
                "on_go": go is not None and go.player == player,
            }
            for player in setting.players
        ],
        "table": standing.table,
        "set": standing.set,
        "lost": dict(standing.lost),
        "throw_off": None if turn.about == "turn" else turn.about,
        "phase": {"id": phase.id, "label": catalog.say(Text(ruleset.phases[phase.id].label, {}))},
        "turn": turn.number,
        "on_go": None if go is None else go.player,
        "throws": None if go is None else go.throws,
        "limit": None if go is None else go.limit,
        "dice": [] if go is None else _marked(go.dice, go.selected),
        "combination": None if go is None or not go.dice else _named(go.dice, said.go, state),
        "best": best and {"player": best.player, **_named(best.dice, said.best, state)},
        "latest": latest and {"player": latest.player, **_named(latest.dice, said.latest, state)},
        "over": over is not None,
        "winners": [] if over is None else list(over.winners),
        "loser": None if over is None else over.loser,
    }


def _marked(dice: Faces, selected: Faces) -> list[dict[str, Any]]:
    left = list(selected)
    marked = []
    for face in dice:
        chosen = face in left
        if chosen:
            left.remove(face)
        marked.append({"face": face, "selected": chosen})
    return marked


class _Said(NamedTuple):
    """The combinations of a table in one language: in the go that is on, the best, the latest."""

    go: str
    best: str
    latest: str


def _said(state: State, catalog: Hashable) -> _Said:
    say = cast(Catalog, catalog).say
    shown = (state.go, best_result(state), state.latest)
    rules = state.setting.rules
    return _Said(*(say(combination(one.dice, rules)) if one and one.dice else "" for one in shown))


_SAID = Recent(_said)
"""All who hear the same language are shown the same words."""


def _named(dice: Faces, said: str, state: State) -> dict[str, Any]:
    found = state.setting.rules.by_dice.get(dice)
    if found is None:  # a single die, thrown for the start
        return {"dice": list(dice), "kind": None, "value": None, "spoken": said}
    return {
        "dice": list(dice),
        "kind": found.kind.value,
        "value": found.value if isinstance(found.value, int) else found.value.value,
        "spoken": said,
    }


def keys_of(
    state: State, player: str, catalog: Catalog, coached: bool = True
) -> tuple[KeyInfo, ...]:
    """The keys that do something for this person now: those of his go first, then the questions.

    `coached` is whether anybody knows what is best.
    """
    labels = [*_go_keys(state, player), *_announcing(state, player)]
    if coached and advice_needed(state, player, "h"):
        # L10N: A button that says what the best choice is.
        labels.append(("h", text("Advice")))
    return (*(KeyInfo(key, catalog.say(label)) for key, label in labels), *_questions(catalog))


@lru_cache
def _questions(catalog: Catalog) -> tuple[KeyInfo, ...]:
    return tuple(KeyInfo(key, catalog.say(label)) for key, label in _QUESTIONS)


def _go_keys(state: State, player: str) -> list[tuple[str, Text]]:
    go = state.go
    if go is None or go.player != player:
        return []
    if not go.dice:
        one = state.turn.about == "start"
        return [("enter", text("Roll one die") if one else text("Roll the three dice"))]
    named = combination(go.dice, state.setting.rules)
    enter = []
    if go.selected:
        # L10N: A button; {dice} are the dice that will be rolled again.
        enter = [("enter", text("Roll again: {dice}", dice=Dice(go.selected)))]
    elif not must_throw(state):
        # L10N: A button; {combination} is such as "5, 1, 1, pure of five".
        enter = [("enter", text("Accept {combination}", combination=named))]
    free = without(without(go.dice, go.selected), go.locked)
    return [
        *enter,
        # L10N: A button that selects one die, by its number.
        *((str(f), text("Select a {face}", face=f)) for f in reversed(FACES) if f in free),
        *(
            # L10N: A button that puts back one selected die, so that it is kept.
            (f"shift+{f}", text("Put back a {face}", face=f))
            for f in reversed(FACES)
            if f in go.selected
        ),
        # L10N: A button; it says which dice are selected and which are kept.
        ("space", text("What is selected")),
    ]


def _announcing(state: State, player: str) -> list[tuple[str, Text]]:
    go = state.go
    if go is None or go.player != player or not may_announce(state, go):
        return []
    # L10N: A button: the player says that the next roll is the last one.
    return [("a", text("Announce the last roll"))]


_QUESTIONS: tuple[tuple[str, Text], ...] = (
    # L10N: A button that says something.
    ("d", text("Latest roll")),
    # L10N: A button that says something.
    ("c", text("Best combination of this round")),
    # L10N: A button that says something.
    ("s", text("Tokens")),
    # L10N: A button that says something.
    ("t", text("Whose turn it is")),
)
