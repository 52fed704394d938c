"""What tokens are worth between two turns, to each of any number of players.

Where the rules allow it the chances come from tables: all positions of an even game, or of a race.
Otherwise, and as long as there are no tables, a formula must do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zanzibar_plugin.rules import Ends, Rules
from zanzibar_plugin.solver import even, race
from zanzibar_plugin.solver.even import Even
from zanzibar_plugin.solver.moves import amounts
from zanzibar_plugin.solver.race import Race
from zanzibar_plugin.worth import in_tokens


class Held(NamedTuple):
    """A position between turns: tokens on the table, one's own, and those of all others still in.

    `strongest` is the best of the turn just ended, 0 for oneself, else a place among the others
    from 1: some games end by that.
    """

    table: int
    mine: int
    others: tuple[int, ...]
    strongest: int = 0


class Outlook:
    """Chances to win, which is not to lose where there is a loser, by rules for so many players.

    With `tables` they are worked out now, which takes up to a second.
    """

    def __init__(self, rules: Rules, players: int, tables: bool = True) -> None:
        self._first_empty = rules.phases[-1].ends is Ends.FIRST_EMPTY
        pot, each = rules.supply.start(players)
        tokens = self._tokens = pot + each * players
        self._even: Even | None = None
        self._race: Race | None = None
        if tables and even.fits(rules, tokens):
            self._even = Even(rules, players, tokens)
            self._even.losses(pot, (each,) * players)
        elif tables and race.fits(rules):
            self._race = Race(rules, players, min(tokens, max(100, 3 * each)))
        moves = amounts(rules, len(rules.phases) - 1, min(players, 4))
        # Those who hold little lose more often than their part says: they give less than they take.
        paid = sum(chance * in_tokens(value, tokens) for (value, _), chance in moves.items())
        self._more = 0.55 * paid
        self._paid = max(1.0, paid)

    def chances(self, positions: Sequence[Held]) -> list[float]:
        """The chance to win in each of these positions of the same number of players."""
        if not self._first_empty:
            return [self._last(one) for one in positions]
        found = [_first(one) for one in positions]
        if self._race is None:
            return [
                self._near(one) if known is None else known
                for one, known in zip(positions, found, strict=True)
            ]
        open_ones = [one for one, known in zip(positions, found, strict=True) if known is None]
        if open_ones:
            held = np.array([(one.mine, *one.others) for one in open_ones])
            rest = iter(self._race.chances(held).tolist())
            found = [next(rest) if known is None else known for known in found]
        return [0.0 if known is None else known for known in found]

    def _last(self, held: Held) -> float:
        """The chance not to be the last holder."""
        table, mine, others, _ = held
        if not mine and not table:
            return 1.0
        if self._even is not None and table + mine + sum(others) == self._tokens:
            piles = tuple(sorted((mine, *others), reverse=True))
            return 1 - self._even.losses(table, piles)[mine]
        total = table + mine + sum(others)
        count = 1 + len(others)
        # Who has nothing yet may stay so, if there are not many turns till the table is empty.
        spared = (1 - 1 / count) ** (table / self._paid)
        weights = [one + table / count + self._more * (1.0 if one else 1 - spared)
                   for one in (mine, *others) if one or table]  # fmt: skip
        return 1 - weights[0] / sum(weights) if total else 0.5

    def _near(self, held: Held) -> float:
        """The chance to be the first without tokens, by how many there are."""
        part = max(1.0, sum((held.mine, *held.others)) / (1 + len(held.others)) / 4)
        others = np.exp((held.mine - np.array(held.others)) / part).sum()
        return float(1 / (1 + others))


def _first(held: Held) -> float | None:
    """The chance to have won a race that is over; None if it goes on."""
    _, mine, others, strongest = held
    empty = others.count(0) + (mine == 0)
    if not empty:
        return None
    if mine:
        return 0.0
    if strongest == 0:
        return 1.0
    return 1 / empty if others[strongest - 1] else 0.0
