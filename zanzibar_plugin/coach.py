"""What the coach tells whoever asks: the best choice and the present one, as plain data.

It compares what the player would do by pressing Enter now with the best he can do, each with its
chances; all of it rests on what he sees himself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.answers import Data
from zanzibar_plugin.solver.advisor import Advice, Grounds
from zanzibar_plugin.state import Go, State

if TYPE_CHECKING:
    from zanzibar_plugin.solver.weighing import Choice

DIGITS = 4
"""Decimal places of a chance that is told; what differs by less is equally good."""


def told(advisors: Advisors, state: State, player: str) -> Data | None:
    """What is best for whoever is on, from the best there is to know now; None without numpy."""
    advice = advisors.advise(state, player)
    return None if advice is None or state.go is None else data_of(advice, state.go)


def data_of(advice: Advice, go: Go) -> Data:
    """The answer to H.

    `dice` are the player's (none before his first throw) and `selected` those selected; `best` are
    those he should throw again (none: accept), with `announce` if he should announce that as his
    last throw.  `win`, `turn` and `safe` are the chances to win the game (with several sets, the
    set), to be the strongest and not to be the weakest; `now` has the same three for the present
    selection, null where the rules do not allow it.  `exact` is false for an estimate.
    """
    now = advice.choice(go.selected, go.last)
    best = advice.best
    if now is not None and _rounded(now.win) == _rounded(best.win):
        # Nobody should change his mind for nothing.
        best = now
    return {
        "dice": list(go.dice),
        "selected": list(go.selected),
        "best": list(best.again),
        "announce": best.last and not go.last,
        **_chances(best),
        "now": None if now is None else _chances(now),
        "exact": advice.grounds is not Grounds.ESTIMATE,
    }


def _chances(choice: Choice) -> dict[str, float]:
    return {
        "win": _rounded(choice.win),
        "turn": _rounded(choice.turn),
        "safe": _rounded(choice.safe),
    }


def _rounded(chance: float) -> float:
    return round(chance, DIGITS)
