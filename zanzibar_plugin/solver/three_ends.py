"""All ends of a turn of three that differ in their consequences, and where each of them leads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS, Faces
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Rules, Tie
from zanzibar_plugin.solver.duel import Duel
from zanzibar_plugin.solver.goes import Floats, Ints
from zanzibar_plugin.solver.rounds import After, Position, open_tie, outcomes

_COUNT = len(COMBINATIONS)


class Ends(NamedTuple):
    """Examples of the different ends, and which of them each three dice are, (56, 56, 56)."""

    dice: tuple[tuple[Faces, ...], ...]
    number: Ints


class Flow(NamedTuple):
    """What the ends lead to from some positions, as numbers of one linear map.

    For each position and end, `known` (m, ends, 3) is what is certain for each of the three; and
    in each of some branches, with the chance `part` (m, ends, branches), the position `next` is
    played by all three, its starter having been number `starter`.
    """

    known: Floats
    part: Floats
    next: Ints
    starter: Ints

    def worth(self, values: Floats) -> Floats:
        """What each end is worth to each of the three, (m, ends, 3)."""
        found = self.known.copy()
        for player in range(3):
            role = (player - self.starter) % 3
            found[..., player] += (self.part * values[self.next, role]).sum(axis=-1)
        return found


def ends_of(rules: Rules) -> Ends:
    """The ends of a turn of three by these rules.

    What counts is how the three compare, who may be the best with what value, and nénettes.
    """
    strength = np.array([rules.by_dice[dice].strength for dice in COMBINATIONS])
    named = {str(one.value): number for number, one in enumerate(rules.combinations)}
    value = np.array([named[str(rules.by_dice[dice].value)] for dice in COMBINATIONS])
    axes = np.meshgrid(*[np.arange(_COUNT)] * 3, indexing="ij")
    dice = np.stack([axis.ravel() for axis in axes])
    strong = strength[dice]
    best = strong == strong.max(axis=0)
    columns = [np.sign(strong[a] - strong[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    columns += [np.where(best[player], value[dice[player]], -1) for player in range(3)]
    if rules.penalty:
        nenette = [rules.by_dice[one].kind is Kind.NENETTE for one in COMBINATIONS]
        columns += list(np.array(nenette)[dice].astype(np.intp))
    if rules.repeat_step:
        top = COMBINATIONS.index(rules.combinations[0].dice)
        columns += list((dice == top).astype(np.intp))
    keys = np.zeros(dice.shape[1], dtype=np.int64)
    for column in columns:
        keys = keys * 64 + (column + 1)
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    examples = tuple(tuple(COMBINATIONS[dice[player, one]] for player in range(3)) for one in first)
    return Ends(examples, number.reshape(_COUNT, _COUNT, _COUNT).astype(np.intp))


def flow_of(
    rules: Rules, ends: Ends, positions: list[Position], place: dict[Position, int], duel: Duel
) -> Flow:
    """Where all ends lead from each of these positions; what two are left with is known.

    Raises KeyError if a position of three or of two is not known.
    """
    table = [[outcomes(rules, position, dice) for dice in ends.dice] for position in positions]
    most = max(len(branches) for row in table for branches in row)
    shape = (len(positions), len(ends.dice), most)
    flow = Flow(
        np.zeros((*shape[:2], 3)), np.zeros(shape),
        np.zeros(shape, dtype=np.intp), np.zeros(shape, dtype=np.intp),
    )  # fmt: skip
    for at, row in enumerate(table):
        for end, branches in enumerate(row):
            for branch, (chance, found) in enumerate(branches):
                if found.position is not None and len(found.still_in) == 3:
                    flow.part[at, end, branch] = chance
                    flow.next[at, end, branch] = place[found.position]
                    flow.starter[at, end, branch] = found.starter
                else:
                    flow.known[at, end] += chance * np.array(_not_losing(found, duel))
    return flow


def _not_losing(found: After, duel: Duel) -> tuple[float, ...]:
    """For each of three, the chance not to be the last one, when a turn has brought one out."""
    if found.position is None:
        last = max(found.places)
        shared = found.places.count(last)
        return tuple(1 - (place == last) / shared for place in found.places)
    chances = [1.0] * 3
    value = duel.values[duel.place[found.position]]
    chances[found.still_in[0]] = float(value)
    chances[found.still_in[1]] = 1 - float(value)
    return tuple(chances)


def strongest(rules: Rules, player: int) -> tuple[Floats, Floats]:
    """For any three final dice, (56, 56, 56), how one player comes out of the turn.

    The chances to be the strongest, and not to be the weakest.
    """
    strength = np.array([rules.by_dice[dice].strength for dice in COMBINATIONS])
    axes = np.meshgrid(*[strength] * 3, indexing="ij")
    strong = np.stack(axes).astype(np.float64)
    # Of equal ones the later or the earlier is ahead by less than a strength.
    later = strong + (np.arange(3) / 4)[:, None, None, None]
    earlier = strong - (np.arange(3) / 4)[:, None, None, None]
    order = earlier if rules.tie is Tie.EARLIER_WINS else later
    if open_tie(rules):
        order = strong
    best = _share(order, order.max(axis=0), player)
    low = order
    if rules.tie is Tie.THROW_OFF:
        low = strong
        if not open_tie(rules):
            # The later one is the best, and not thrown off about the weakest.
            low = np.where(later == later.max(axis=0), np.inf, strong)
    worst = _share(low, low.min(axis=0), player)
    if rules.tie is Tie.CANCEL:
        void = (strong == strong.max(axis=0)).sum(axis=0) > 1
        void |= (strong == strong.min(axis=0)).sum(axis=0) > 1
        best, worst = np.where(void, 0.0, best), np.where(void, 0.0, worst)
    return best, 1 - worst


def _share(order: Floats, extreme: Floats, player: int) -> Floats:
    """The part of one player in being the extreme one."""
    among = order == extreme
    found: Floats = among[player] / among.sum(axis=0)
    return found
