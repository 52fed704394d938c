"""How well a bot plays, each in a style of its own.

The beginner soon has enough: of whatever has a name or two dice alike, and of any dice after a
second throw; otherwise he hopes for the strongest combination of all.
The regular one, in `bots`, plays for a strong combination and looks at nothing else.  The expert
looks at the tokens, at who has still to throw and at how often, and knows what is best.
"""

from __future__ import annotations

from zanzibar_plugin import bots
from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.dice import DICE, Faces, without
from zanzibar_plugin.engine import may_announce, must_throw
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.state import Go, State
from zanzibar_plugin.text import text

NO_EXPERT = text(
    "Exact play needs numpy, which is not installed here. The expert plays like the regular bot."
)


def next_key(state: State, player: str, level: str, advisors: Advisors) -> str:
    """The next key of a bot of this level for this player; "" if it is not his go."""
    go = state.go
    if go is not None and go.player == player:
        if level == "beginner":
            return bots.toward(go, _hopeful(state, go)) if go.dice else "enter"
        if level == "expert":
            key = _best(state, go, advisors)
            if key:
                return key
    return bots.next_key(state, player)


def _hopeful(state: State, go: Go) -> Faces:
    """The dice a beginner throws again."""
    rules = state.setting.rules
    if not (go.last or go.throws < go.limit) or state.turn.about == "start":
        return ()
    named = rules.by_dice[go.dice].kind not in (Kind.PLAIN, Kind.NENETTE)
    content = named or len(set(go.dice)) < DICE or go.throws > 1
    if content and not must_throw(state):
        return ()
    free = without(go.dice, go.locked)
    kept = list(rules.combinations[0].dice)
    again = []
    for face in free:
        if face in kept:
            kept.remove(face)
        else:
            again.append(face)
    # Whoever must throw throws something.
    return tuple(again) if again or not must_throw(state) else free[-1:]


def _best(state: State, go: Go, advisors: Advisors) -> str:
    """The key that leads to the best there is to do; "" if nobody knows."""
    advice = advisors.advise(state, go.player)
    if advice is None:
        return ""
    best = advice.best
    if best.last and not go.last and may_announce(state, go):
        return "a"
    return bots.toward(go, () if best.stop else best.again) if go.dice else "enter"
