"""Two goes, one after the other: the second player's best answer, and the first one's best play.

The first player wants a number high that both dice settle, the second wants it low.  Many such
tables of 56 x 56 numbers are looked at together: in all shapes here, m counts them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zanzibar_plugin.rules import Follow
from zanzibar_plugin.solver.goes import STOP, Bools, Floats, Goes, Ints, best_keep, goes, most


class Step(NamedTuple):
    """The choices after a throw that is not the last one.

    `keeps` has for each place the number of the set to keep, or STOP; `hopes` what each of the 28
    sets is worth.  `last` says for each set whether the next throw is announced as the last one.
    For the first player the shapes are (m, n) and (m, 28); for the second, who knows the first
    one's dice, (m, 56, n) and (m, 56, 28).
    """

    keeps: Ints
    hopes: Floats
    last: Ints | None = None


class Answered(NamedTuple):
    """The best play of both.

    `value` (m) is what the first player gets; `answers` what his final dice are worth to him, (m,
    56) for each number of throws from 1 on; `first` his choices after each number of throws, and
    `second` the other one's with 1, 2 throws left.  `last` (m): the very first throw is announced
    as the last one.
    """

    value: Floats
    answers: tuple[Floats, ...]
    first: tuple[Step, ...]
    second: tuple[Step, ...]
    last: Ints


class Answering(NamedTuple):
    """How two goes hang together: the most throws, how the second follows, what can be held."""

    throws: int
    follow: Follow
    goes: Goes

    @property
    def exactly(self) -> bool:
        """Whether both must throw equally often."""
        return self.follow is Follow.FIRST_EXACTLY

    def value(self, payoff: Floats) -> Floats:
        """What the first player gets, (m), of what any two final dice are worth, (m, 56, 56)."""
        go, first = self.goes, self.goes.odds[0]
        stop = -payoff[:, :, go.shows]
        later, answers = stop, [-(stop @ first)]
        for _ in range(1, self.throws):
            later = most(go, later)
            if not self.exactly:
                np.maximum(later, stop, out=later)
            answers.append(-(later @ first))
        if self.exactly:
            return self._announced(answers)[0]
        answers = self._limited(answers)
        value = answers[-1][:, go.shows]
        for final in answers[-2::-1]:
            value = np.maximum(most(go, value), final[:, go.shows])
        found: Floats = value @ first
        return found

    def _limited(self, answers: list[Floats]) -> list[Floats]:
        """The answers with as many throws as follow the first player's 1, 2, 3."""
        return [answers[-1]] * self.throws if self.follow is Follow.FREE else answers

    def play(self, payoff: Floats) -> Answered:
        """The best play of both, for what any two final dice are worth to him, (m, 56, 56)."""
        go, first = self.goes, self.goes.odds[0]
        stop = -payoff[:, :, go.shows]
        later, answers, second = stop, [-(stop @ first)], []
        for _ in range(1, self.throws):
            hopes = later @ go.odds.T
            later, keeps = self._chosen(later, stop)
            second.append(Step(keeps, -hopes))
            answers.append(-(later @ first))
        if self.exactly:
            value, steps, last = self._announced(answers)
            return Answered(value, tuple(answers), steps, tuple(second), last)
        answers = self._limited(answers)
        later = answers[-1][:, go.shows]
        steps_back = []
        for final in answers[-2::-1]:
            hopes = later @ go.odds.T
            later, keeps = self._chosen(later, final[:, go.shows])
            steps_back.append(Step(keeps, hopes))
        none = np.zeros(len(payoff), dtype=np.intp)
        value = later @ first
        return Answered(value, tuple(answers), tuple(steps_back[::-1]), tuple(second), none)

    def _chosen(self, later: Floats, stop: Floats) -> tuple[Floats, Ints]:
        """What each place is worth before a throw, and the set to keep; equally good: stop."""
        value, chosen = best_keep(self.goes, later)
        keeps = self.goes.options[np.arange(len(self.goes.options)), chosen]
        if self.exactly:
            return value, keeps
        stops = stop >= value
        return np.where(stops, stop, value), np.where(stops, STOP, keeps)

    def _announced(self, answers: list[Floats]) -> tuple[Floats, tuple[Step, ...], Ints]:
        """The first player's play where he says before a throw whether it is his last."""
        go = self.goes
        hopes = answers[-1][:, go.shows] @ go.odds.T
        last = np.ones(hopes.shape, dtype=np.intp)
        steps = []
        for final in answers[-2::-1]:
            options = hopes[:, go.options]
            chosen = options.argmax(axis=-1)
            later = np.take_along_axis(options, chosen[..., None], -1)[..., 0]
            steps.append(Step(go.options[np.arange(len(go.options)), chosen], hopes, last))
            ends, goes_on = final[:, go.shows] @ go.odds.T, later @ go.odds.T
            last = (ends >= goes_on).astype(np.intp)
            hopes = np.maximum(ends, goes_on)
        return hopes[:, 0], tuple(steps[::-1]), last[:, 0]

    def followed(self, play: Answered, payoff: Floats) -> Answered:
        """What any two final dice bring the first player if both play like this, for other payoffs.

        The choices stay; the numbers are those of `payoff` (m, 56, 56).
        """
        go = self.goes
        stop = payoff[:, :, go.shows]
        later, answers, second = stop, [stop @ go.odds[0]], []
        for step in play.second:
            hopes = later @ go.odds.T
            later = _taken(step.keeps, hopes, stop)
            second.append(Step(step.keeps, hopes))
            answers.append(later @ go.odds[0])
        answers = self._limited(answers)
        later = answers[-1][:, go.shows]
        first: list[Step] = []
        for used in range(self.throws - 1, 0, -1):
            step, final = play.first[used - 1], answers[used - 1]
            ends = answers[used][:, go.shows] @ go.odds.T
            hopes = later @ go.odds.T
            if step.last is not None:
                hopes = np.where(step.last == 1, ends, hopes)
            later = _taken(step.keeps, hopes, final[:, go.shows])
            first.append(Step(step.keeps, hopes, step.last))
        ends = answers[0][:, go.shows] @ go.odds[0]
        value = np.where(play.last == 1, ends, later @ go.odds[0])
        return Answered(value, tuple(answers), tuple(first[::-1]), tuple(second), play.last)

    def reach(self, play: Answered) -> Floats:
        """The chance of each two final dice, (m, 56, 56), when both play like this."""
        return self.replies(self.finals(play), play)

    def finals(self, play: Answered) -> Floats:
        """The chance that the first player ends with dice after so many throws: (m, throws, 56)."""
        go, count = self.goes, len(play.last)
        found = np.zeros((count, self.throws, 56))
        at = np.broadcast_to(go.odds[0], (count, len(go.shows)))
        if self.exactly and self.throws > 1:
            _gather(found[:, 0], at * play.last[:, None], go.shows)
            at = at * (1 - play.last)[:, None]
        for used, step in enumerate(play.first, 1):
            stops = step.keeps == STOP
            _gather(found[:, used - 1], at * stops, go.shows)
            kept = _by_set(at, step.keeps, stops)
            if step.last is not None:
                _gather(found[:, used], (kept * step.last) @ go.odds, go.shows)
                kept = kept * (1 - step.last)
            at = kept @ go.odds
        _gather(found[:, -1], at, go.shows)
        return found

    def replies(self, finals: Floats, play: Answered) -> Floats:
        """The chance of each two final dice, from those of the first player's (see `finals`)."""
        go, count = self.goes, len(finals)
        found = np.zeros((count, 56, 56))
        if self.follow is Follow.FREE:
            finals = finals.copy()
            finals[:, -1] = finals.sum(axis=1)
            finals[:, :-1] = 0
        at = np.zeros((count, 56, len(go.shows)))
        for left in range(self.throws - 1, -1, -1):
            at = at + finals[:, left][..., None] * go.odds[0]
            if left == 0:
                break
            step = play.second[left - 1]
            stops = step.keeps == STOP
            _gather(found, at * stops, go.shows)
            at = _by_set(at, step.keeps, stops) @ go.odds
        _gather(found, at, go.shows)
        return found


def _taken(keeps: Ints, hopes: Floats, stop: Floats) -> Floats:
    """What each place is worth with a set kept there, or by stopping."""
    kept = np.take_along_axis(hopes, np.where(keeps == STOP, 0, keeps), -1)
    return np.where(keeps == STOP, stop, kept)


def _gather(found: Floats, at: Floats, shows: Ints) -> None:
    """Add what is at each place (..., n) to its combination (..., 56)."""
    if len(shows) == 56:
        found += at
    else:
        found += at @ np.eye(56)[shows]


def _by_set(at: Floats, keeps: Ints, stops: Bools) -> Floats:
    """The chance of each kept set (..., 28), from those of the places and what is kept there."""
    rows = int(np.prod(at.shape[:-1]))
    number = np.where(stops, 0, keeps) + 28 * np.arange(rows).reshape(*at.shape[:-1], 1)
    weights = np.where(stops, 0.0, at)
    summed = np.bincount(number.ravel(), weights.ravel(), minlength=28 * rows)
    found: Floats = summed.astype(np.float64).reshape(*at.shape[:-1], 28)
    return found


def answering(throws: int, follow: Follow, lock_kept: bool) -> Answering:
    """How two goes hang together by these rules."""
    return Answering(throws, follow, goes(lock_kept))
