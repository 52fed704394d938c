"""What final dice are worth in the solved last phase of three."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

import numpy as np

from zanzibar_plugin.recent import Recent
from zanzibar_plugin.solver.duel import Duel
from zanzibar_plugin.solver.facing import position_of
from zanzibar_plugin.solver.goes import PLACE, Floats, Ints
from zanzibar_plugin.solver.rounds import Position
from zanzibar_plugin.solver.three_ends import Ends, ends_of, flow_of, strongest
from zanzibar_plugin.solver.three_goes import ThreeGoes
from zanzibar_plugin.solver.trio import Trio
from zanzibar_plugin.solver.weighing import Ending
from zanzibar_plugin.state import State


class Three:
    """The solution of three, with that of the two who are left, asked at any moment of a turn."""

    def __init__(self, trio: Trio, duel: Duel) -> None:
        self.trio, self.duel = trio, duel
        phase = trio.rules.phases[-1]
        self.goes = ThreeGoes(phase.throws, phase.follow)
        self.ends = ends_of(trio.rules)
        self.comes_out = [strongest(trio.rules, player) for player in range(3)]


def endings(three: Three, state: State) -> tuple[Ending, ...] | None:
    """What the final dice of whoever is on are worth after 1, 2, 3 throws, as far as he may.

    None in a throw-off, and in a position that is not solved.
    """
    go, turn = state.go, state.turn
    assert go is not None
    position = position_of(state)
    place = three.trio.place.get(position)
    if turn.about != "turn" or place is None:
        return None
    if not turn.results:
        return tuple(Ending(*three.trio.answers[place, used]) for used in range(go.limit))
    thrown = tuple(PLACE[result.dice] for result in turn.results)
    if len(thrown) == 2:
        return (_THIRD.of(three, (position, thrown)),) * go.limit
    values = _SECOND.of(three, (position, thrown[0]))
    limits = [three.goes.limit(used, go.limit) for used in range(1, go.limit + 1)]
    return tuple(Ending(*values[limit - 1]) for limit in limits)


def _third(three: Three, also: Hashable) -> Ending:
    """The third player's final dice."""
    position, (first, second) = cast("tuple[Position, tuple[int, int]]", also)
    win = _worth(three, position, three.ends.number[first, second])[2]
    turn, safe = (one[first, second] for one in three.comes_out[2])
    return Ending(win, turn, safe)


def _second(three: Three, also: Hashable) -> tuple[Floats, ...]:
    """The second player's three chances by his final dice, (3, 56), for each limit of the third."""
    position, first = cast("tuple[Position, int]", also)
    _, own, other = _worth(three, position, three.ends.number[first])
    turn, safe = (one[first] for one in three.comes_out[1])
    third = three.goes.third(np.stack([other, own, turn, safe]), 0)
    return tuple(value[1:] for value in third.values)


def _worth(three: Three, position: Position, number: Ints) -> list[Floats]:
    """For each of the three, what these ends are worth: the shape of `number`."""
    needed, place = np.unique(number, return_inverse=True)
    some = Ends(tuple(three.ends.dice[int(one)] for one in needed), three.ends.number)
    trio = three.trio
    flow = flow_of(trio.rules, some, [position], trio.place, three.duel)
    worth = flow.worth(trio.values)[0]
    return [worth[:, player][place].reshape(number.shape) for player in range(3)]


_THIRD = Recent(_third)
_SECOND = Recent(_second)
