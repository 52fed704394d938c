"""The door to the solver: what whoever is on the go had best do, and how good each choice is.

It sees what the player himself sees: the rules, the tokens, the dice on the table.  It can be
imported without numpy; `make_advisor` says then that it is not available.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver import refusal
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Text

if TYPE_CHECKING:
    from zanzibar_plugin.solver.solutions import Solutions
    from zanzibar_plugin.solver.weighing import Choice


class Grounds(StrEnum):
    """What advice rests on."""

    EXACT = "exact"
    """The solution of the game of two."""
    EQUILIBRIUM = "equilibrium"
    """The solution of the last phase of three, where each plays his best against the others'."""
    SET = "set"
    """The solution of this set alone, in a game of several sets."""
    ESTIMATE = "estimate"
    """A close look at this one turn, and one at what tokens are worth after it."""


class Advice(NamedTuple):
    """All a player may do, the best first, and what its numbers rest on."""

    choices: tuple[Choice, ...]
    grounds: Grounds

    @property
    def best(self) -> Choice:
        return self.choices[0]

    def choice(self, again: Faces, last: bool) -> Choice | None:
        """That of throwing these dice again, none to accept; None if the rules forbid it.

        Before the first throw there are no dice to name.
        """
        for one in self.choices:
            if sorted(one.again) == sorted(again) and one.last == last:
                return one
        return None


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether numpy is there, which all of this needs."""
    return find_spec("numpy") is not None


def make_advisor(
    rules: Rules,
    players: int,
    *,
    folder: Path | None = None,
    progress: Callable[[float], None] | None = None,
    three: bool = True,
) -> Advisor | Text:
    """An advisor for a game by these rules; may take some time, unless it has been solved before.

    A game that is not solved is advised by an estimate.  `folder` is where solutions are kept, if
    not in the user's cache; `progress` is called now and then with how much is done, from 0 to 1.
    Without `three` the last phase of three is estimated too; to solve it takes about a minute with
    21 tokens.  A `Text` says why there is no advisor: without numpy.
    """
    if not available():
        return refusal.no_numpy()
    from zanzibar_plugin.solver.solutions import solutions

    return Advisor(rules, solutions(rules, players, folder, progress, three))


def estimating(rules: Rules, players: int, *, tables: bool = False) -> Advisor:
    """An advisor that has solved nothing, and is there at once; it needs numpy too.

    With `tables` it takes up to a second, and estimates better.
    """
    from zanzibar_plugin.solver.estimate import Estimate
    from zanzibar_plugin.solver.solutions import Solutions

    return Advisor(rules, Solutions(Estimate(rules, players, tables), None, None, None))


class Advisor:
    """Advises players of games by the same rules with the same number of players."""

    def __init__(self, rules: Rules, solutions: Solutions) -> None:
        self.rules = rules
        self._solutions = solutions

    @property
    def refused(self) -> Text | None:
        """Why the game is not solved, or None; it is advised nevertheless."""
        return self._solutions.refused

    def advise(self, state: State, player: str) -> Advice | None:
        """What the player may do now; None if he is not on the go."""
        from zanzibar_plugin.solver.weighing import weigh

        go = state.go
        if go is None or go.player != player:
            return None
        found, grounds = self._solutions.endings(state)
        return Advice(weigh(state, found), Grounds(grounds))
