"""Three goes, one after the other, each player doing the best for himself.

Several numbers are looked at for each end of a turn, in the first axis of every array: what it is
worth to one player or another.  Each go is led by one of them.  Kept dice may be thrown again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zanzibar_plugin.rules import Follow
from zanzibar_plugin.solver.goes import STOP, Bools, Floats, Goes, Ints, goes

_COUNT = 56
_WORSE = 1e-13 * np.arange(7)
"""Of options alike to within this, the one that throws fewer dice is taken."""


class Chosen(NamedTuple):
    """A player's choices after a throw: the set to keep or STOP, (rows, 56).

    `last` (rows, 28) says for each set whether the next throw is announced as the last one.
    """

    keeps: Ints
    last: Bools | None = None


class Led(NamedTuple):
    """A go under best play: what is to be expected before its first throw, (numbers, rows).

    `steps` are the choices after 1, 2 throws; `last` (rows): the first throw is the last one.
    """

    value: Floats
    steps: tuple[Chosen, ...]
    last: Bools


class Third(NamedTuple):
    """The last go: what to expect (numbers, rows) by limit, and choices with 1, 2 throws left."""

    values: tuple[Floats, ...]
    steps: tuple[Chosen, ...]


class Whole(NamedTuple):
    """A turn of three: `first` is the starter's go, `second` those for each limit."""

    first: Led
    finals: tuple[Floats, ...]
    second: tuple[Led, ...]
    third: Third


class ThreeGoes(NamedTuple):
    """How three goes hang together: the most throws, and how those who follow are bound."""

    throws: int
    follow: Follow

    @property
    def exactly(self) -> bool:
        """Whether all throw equally often."""
        return self.follow is Follow.FIRST_EXACTLY

    def limit(self, before: int, limit: int) -> int:
        """Throws of the third player, after the second has used so many of a limit."""
        if self.follow is Follow.FREE:
            return self.throws
        return before if self.follow is Follow.PREVIOUS else limit

    def second_limit(self, used: int) -> int:
        """Throws of the second player after the first has used so many."""
        return self.throws if self.follow is Follow.FREE else used

    def play(self, finals: Floats, leads: tuple[int, int, int]) -> Whole:
        """The best play of all, for what three final dice are worth, (numbers, 56, 56, 56).

        `leads` are the places of the numbers that the first, second and third player go by.
        """
        numbers = len(finals)
        third = self.third(finals.reshape(numbers, _COUNT * _COUNT, _COUNT), leads[2])
        second = tuple(self.second(third.values, limit, leads[1]) for limit in self.limits)
        ends = tuple(second[self.second_limit(used) - 1].value[:, None] for used in self.limits)
        first = led(ends, leads[0], self.exactly, self.exactly)
        return Whole(first, tuple(end[:, 0] for end in ends), second, third)

    @property
    def limits(self) -> range:
        """All limits a go may have."""
        return range(1, self.throws + 1)

    def third(self, finals: Floats, lead: int) -> Third:
        """The last go, for what its final dice are worth, (numbers, rows, 56)."""
        tables, later, values, steps = goes(), finals, [finals @ goes().odds[0]], []
        for _ in range(1, self.throws):
            later, keeps = _best(tables, later @ tables.odds.T, finals, lead, self.exactly)
            steps.append(Chosen(keeps))
            values.append(later @ tables.odds[0])
        return Third(tuple(values), tuple(steps))

    def second(self, answers: Sequence[Floats], limit: int, lead: int) -> Led:
        """The second go, for what the third one's are worth by limit, (numbers, 56 x 56) each."""
        ends = []
        for used in range(1, limit + 1):
            after = answers[self.limit(used, limit) - 1]
            ends.append(after.reshape(len(after), -1, _COUNT))
        return led(ends, lead, self.exactly, False)

    def reach(self, whole: Whole) -> Floats:
        """The chance of each three final dice, (56, 56, 56), when all play like this."""
        third = [np.zeros((_COUNT, _COUNT)) for _ in self.limits]
        starts = [np.zeros(_COUNT) for _ in self.limits]
        for used, chance in enumerate(reached(whole.first, np.ones(1)), 1):
            starts[self.second_limit(used) - 1] += chance[0]
        for limit, start in enumerate(starts, 1):
            if not start.any():
                continue
            for used, chance in enumerate(reached(whole.second[limit - 1], start), 1):
                third[self.limit(used, limit) - 1] += chance
        found = np.zeros((_COUNT * _COUNT, _COUNT))
        tables, at = goes(), np.zeros((_COUNT * _COUNT, _COUNT))
        for left in range(self.throws - 1, -1, -1):
            at = at + third[left].reshape(-1, 1) * tables.odds[0]
            if left:
                keeps = whole.third.steps[left - 1].keeps
                stops = keeps == STOP
                found += at * stops
                at = _by_set(at, keeps, stops) @ tables.odds
        return (found + at).reshape(_COUNT, _COUNT, _COUNT)


def led(ends: Sequence[Floats], lead: int, exactly: bool, announces: bool) -> Led:
    """A go, for what its final dice are worth after 1, 2, 3 throws, (numbers, rows, 56) each."""
    tables, limit = goes(), len(ends)
    rows = ends[0].shape[1]
    later, steps = ends[-1], []
    hopes = later @ tables.odds.T
    last = np.ones(hopes.shape[1:], dtype=np.bool_)
    for used in range(limit - 1, 0, -1):
        later, keeps = _best(tables, hopes, ends[used - 1], lead, exactly)
        steps.append(Chosen(keeps, last if announces else None))
        hopes = later @ tables.odds.T
        if announces:
            early = ends[used - 1] @ tables.odds.T
            last = early[lead] >= hopes[lead] - _WORSE[1]
            hopes = np.where(last, early, hopes)
    first_last = last[:, 0] if announces else np.zeros(rows, dtype=np.bool_)
    return Led(hopes[..., 0], tuple(steps[::-1]), first_last)


def reached(go: Led, weights: Floats) -> list[Floats]:
    """The chance of each final dice after 1, 2, 3 throws, (rows, 56), from those of the rows."""
    tables, found = goes(), []
    at = weights[:, None] * tables.odds[0]
    early = at * go.last[:, None]
    at = at * ~go.last[:, None]
    for step in go.steps:
        stops = step.keeps == STOP
        found.append(at * stops + early)
        kept = _by_set(at, step.keeps, stops)
        early = np.zeros_like(at)
        if step.last is not None:
            early = (kept * step.last) @ tables.odds
            kept = kept * ~step.last
        at = kept @ tables.odds
    found.append(at + early)
    return found


def _best(
    tables: Goes, hopes: Floats, stop: Floats, lead: int, exactly: bool
) -> tuple[Floats, Ints]:
    """The numbers at each of 56 places, (numbers, rows, 56), and the set to keep there."""
    options = hopes[lead][:, tables.options]
    options -= _WORSE
    chosen = options.argmax(axis=-1)
    keeps = tables.options[np.arange(_COUNT), chosen]
    value = np.stack([np.take_along_axis(one, keeps, -1) for one in hopes])
    if exactly:
        return value, keeps
    stops = stop[lead] >= value[lead] - _WORSE[1]
    return np.where(stops, stop, value), np.where(stops, STOP, keeps)


def _by_set(at: Floats, keeps: Ints, stops: Bools) -> Floats:
    """The chance of each kept set, (rows, 28)."""
    rows = len(at)
    number = np.where(stops, 0, keeps) + 28 * np.arange(rows)[:, None]
    summed = np.bincount(number.ravel(), np.where(stops, 0.0, at).ravel(), minlength=28 * rows)
    return summed.astype(np.float64).reshape(rows, 28)
