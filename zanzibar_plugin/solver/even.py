"""The chance to lose a game for tokens if everybody played alike from now on.

In every turn any two players are the best and the worst with the same chance, and as many tokens
move as usually do.  Then only the tokens count, not whose they are: a position is a number on the
table and the piles the players hold.  There are few enough of them to be worked out beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from zanzibar_plugin.ranking import Value
from zanzibar_plugin.rules import Ends, Leave, Payer, Rules
from zanzibar_plugin.solver.moves import amounts
from zanzibar_plugin.worth import in_tokens

Piles: TypeAlias = tuple[int, ...]
"""The tokens of those still in, from many to few."""

Losses: TypeAlias = Mapping[int, float]
"""The chance to be the last holder, for whoever has a pile of this size."""

MOST_TOKENS = 24
"""Tokens beyond which positions are too many."""

_Moves: TypeAlias = Mapping[tuple[Value, bool], float]


def fits(rules: Rules, tokens: int) -> bool:
    """Whether these rules lead to a last holder in the usual way, with not too many tokens."""
    *before, last = rules.phases
    usual = last.ends is Ends.ONE_HOLDER and last.leave is Leave.TURN_END
    loading = all(
        phase.payer is Payer.TABLE
        and phase.ends is Ends.TABLE_EMPTY
        and phase.leave is Leave.PHASE_END
        for phase in before
    )
    small = 2 <= tokens <= MOST_TOKENS and len(before) <= 1
    return usual and loading and small and last.payer is Payer.BEST


def moved(value: Value, nenette: bool, penalty: int, available: int) -> int:
    """How many tokens the worst takes in all, where so many are there."""
    taken = min(penalty, available) if nenette else 0
    left = available - taken
    return taken + (min(in_tokens(value, left), left) if left else 0)


def changed(piles: Piles, *changes: tuple[int, int]) -> Piles:
    """The piles after some have become others: (before, after), in the same order from many."""
    found = list(piles)
    for before, after in changes:
        found.remove(before)
        found.append(after)
    return tuple(sorted(found, reverse=True))


class Even:
    """The chances to lose from every position of a game for so many tokens."""

    def __init__(self, rules: Rules, players: int, tokens: int) -> None:
        self._penalty = rules.penalty
        self._table: dict[tuple[int, Piles], Losses] = {}
        last = len(rules.phases) - 1
        self._table[0, (tokens,)] = {tokens: 1.0}
        for count in range(2, min(players, tokens) + 1):
            self._unload(count, tokens, amounts(rules, last, count))
        self._loading = amounts(rules, 0, players) if last else {}
        self._players = players

    def losses(self, table: int, piles: Piles) -> Losses:
        """The chance to lose for each pile; with an empty table whoever has none is out."""
        if not table:
            piles = tuple(pile for pile in piles if pile)
        found = self._table.get((table, piles))
        if found is None:
            found = self._table[table, piles] = self._load(table, piles)
        return found

    def _load(self, table: int, piles: Piles) -> Losses:
        found = dict.fromkeys(piles, 0.0)
        share = 1 / len(piles)
        for (value, nenette), chance in self._loading.items():
            count = moved(value, nenette, self._penalty, table)
            for taker in set(piles):
                after = self.losses(table - count, changed(piles, (taker, taker + count)))
                taken = share * chance * after.get(taker + count, 0.0)
                for pile in found:
                    times = piles.count(taker) - (pile == taker)
                    found[pile] += share * chance * times * after.get(pile, 0.0)
                found[taker] += taken
        return found

    def _unload(self, count: int, tokens: int, moves: _Moves) -> None:
        """All positions of so many who hold something: the solution of linear equations."""
        positions = list(_partitions(tokens, count, tokens))
        place: dict[tuple[Piles, int], int] = {}
        for piles in positions:
            for pile in sorted(set(piles)):
                place[piles, pile] = len(place)
        matrix, known = np.eye(len(place)), np.zeros(len(place))
        even = 1 / (count * (count - 1))
        for piles in positions:
            sizes = sorted(set(piles))
            for giver in sizes:
                for given, chance in self._given(moves, giver).items():
                    for taker in sizes:
                        pairs = piles.count(giver) * (piles.count(taker) - (giver == taker))
                        if not pairs:
                            continue
                        left, more = giver - given, taker + given
                        after = changed(piles, (giver, left), (taker, more))
                        if not left:
                            after = after[:-1]
                        for pile in sizes:
                            row, each = place[piles, pile], even * chance
                            own = piles.count(pile)
                            gives, takes = pile == giver, pile == taker
                            ways = [(left, pairs / own if gives else 0.0)]
                            ways.append((more, pairs / own if takes else 0.0))
                            ways.append((pile, pairs - sum(one for _, one in ways)))
                            for size, times in ways:
                                if times <= 0 or not size:
                                    continue
                                weight = each * times
                                if left:
                                    matrix[row, place[after, size]] -= weight
                                else:
                                    known[row] += weight * self._table[0, after][size]
        found = np.linalg.solve(matrix, known)
        for piles in positions:
            self._table[0, piles] = {
                pile: float(found[place[piles, pile]]) for pile in sorted(set(piles))
            }

    def _given(self, moves: _Moves, pile: int) -> Mapping[int, float]:
        found: dict[int, float] = {}
        for (value, nenette), chance in moves.items():
            count = moved(value, nenette, self._penalty, pile)
            found[count] = found.get(count, 0.0) + chance
        return found


def _partitions(tokens: int, count: int, most: int) -> Iterable[Piles]:
    """All ways to hold so many tokens in so many piles of at most this size."""
    if count == 1:
        if 1 <= tokens <= most:
            yield (tokens,)
        return
    for pile in range(min(most, tokens - count + 1), 0, -1):
        for rest in _partitions(tokens - pile, count - 1, pile):
            yield (pile, *rest)
