"""The throws of one go as tables of numbers, for whoever looks at very many goes at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zanzibar_plugin.dice import COMBINATIONS, Faces
from zanzibar_plugin.solver.chances import falls, keepable

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.intp]
Bools: TypeAlias = npt.NDArray[np.bool_]

STOP = -1
"""In place of the number of a kept set: to stop."""

KEPT: tuple[Faces, ...] = tuple(
    sorted(
        {kept for dice in COMBINATIONS for kept in keepable(dice)[1:]},
        key=lambda kept: (len(kept), kept),
    )
)
"""The 28 sets of dice that can be kept while at least one is thrown; the first one is none."""

PLACE: Mapping[Faces, int] = {dice: place for place, dice in enumerate(COMBINATIONS)}
"""The place of each combination among the 56."""


class Goes(NamedTuple):
    """What can be held within a go, and where one can get from there.

    A place is a combination, with `lock_kept` together with what is locked.  `held` names the n
    places; `shows` (n) has the combination of each; `odds` (28, n) the chance of each place when a
    set is kept; `options` (n, 7) the sets one may keep, those with most dice first, padded with the
    last of them.
    """

    held: tuple[tuple[Faces, Faces], ...]
    place: Mapping[tuple[Faces, Faces], int]
    shows: Ints
    odds: Floats
    options: Ints


@lru_cache(maxsize=2)
def goes(lock_kept: bool = False) -> Goes:
    """The tables of a go, for rules by which kept dice stay or may be thrown again."""
    held: list[tuple[Faces, Faces]] = [(dice, ()) for dice in COMBINATIONS]
    if lock_kept:
        held += [(dice, kept) for dice in COMBINATIONS for kept in keepable(dice)[1:-1]]
    place = {one: number for number, one in enumerate(held)}
    odds = np.zeros((len(KEPT), len(held)))
    for row, kept in enumerate(KEPT):
        for dice, chance in falls(kept):
            odds[row, place[dice, kept if lock_kept else ()]] = float(chance)
    number = {kept: row for row, kept in enumerate(KEPT)}
    options = []
    for dice, locked in held:
        found = [number[kept] for kept in keepable(dice, locked)[1:]]
        options.append([*found, *[found[-1]] * (7 - len(found))])
    shows = np.array([PLACE[dice] for dice, _ in held], dtype=np.intp)
    return Goes(tuple(held), place, shows, odds, np.array(options, dtype=np.intp))


def best_keep(goes: Goes, later: Floats) -> tuple[Floats, Ints]:
    """For each place the most that a throw can bring, and the option (0 to 6) that brings it.

    `later` (..., n) is what each place is worth after that throw; of equal ones the option with
    most dice kept is taken.
    """
    hopes = later @ goes.odds.T
    options = hopes[..., goes.options]
    chosen = options.argmax(axis=-1)
    return np.take_along_axis(options, chosen[..., None], -1)[..., 0], chosen


def most(goes: Goes, later: Floats) -> Floats:
    """Like `best_keep`, without the choice: faster."""
    hopes = later @ goes.odds.T
    found = hopes[..., goes.options[:, 0]]
    for column in range(1, goes.options.shape[1]):
        np.maximum(found, hopes[..., goes.options[:, column]], out=found)
    return found
