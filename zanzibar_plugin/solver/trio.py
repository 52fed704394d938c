"""The last phase of a game of three, solved: nobody can do better against the others' play.

Each player wants not to be the last, and so does everybody play in the game of two that is left
when one is out.  Where choices are alike to a player, he throws the fewest dice.  The play found is
the same whenever the same position comes back.

`gain` says how much anybody could gain by playing otherwise.  One turn's gain is at most twice what
the numbers change when all play their best once more; a game's is that in each of its turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zanzibar_plugin.rules import Ends, Leave, Payer, Rules
from zanzibar_plugin.solver import store
from zanzibar_plugin.solver.duel import Duel
from zanzibar_plugin.solver.goes import Floats, Ints
from zanzibar_plugin.solver.graph import Progress
from zanzibar_plugin.solver.refusal import not_sure, not_three
from zanzibar_plugin.solver.rounds import Position, open_tie
from zanzibar_plugin.solver.three_ends import Flow, ends_of, flow_of, strongest
from zanzibar_plugin.solver.three_goes import ThreeGoes
from zanzibar_plugin.text import Text

MOST_TOKENS = 21
"""Tokens beyond which three are not solved: it would take too long."""

GAIN = 1e-4
"""What nobody may be able to gain for a game to count as solved."""

_ROUNDS = 16
"""How often the best play is looked for again, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Trio:
    """The chances of three not to be the last, (positions, 3), the starter's first.

    `answers` (positions, throws, 3, 56) are the starter's chances by his final dice, after each
    number of throws: not to be the last, to be the strongest of the turn, not to be the weakest.
    """

    rules: Rules
    positions: tuple[Position, ...]
    values: Floats
    answers: Floats
    gain: float
    place: dict[Position, int]


def solve(
    rules: Rules, tokens: int, duel: Duel, *, progress: Progress | None = None
) -> Trio | Text:
    """The solution for so many tokens; `duel` is what two who are left have."""
    refused = not_solved(rules, tokens)
    if refused is not None:
        return refused
    phase = rules.phases[-1]
    positions = _positions(rules, tokens)
    place = {position: number for number, position in enumerate(positions)}
    ends = ends_of(rules)
    try:
        flow = flow_of(rules, ends, positions, place, duel)
    except KeyError:
        return not_three()
    found = _Search(ThreeGoes(phase.throws, phase.follow), flow, ends.number)
    # If all turns were even, it would be like this.
    values = np.array([[1 - held / tokens for held in one.tokens] for one in positions])
    values, gain = found.found(values, progress)
    if gain >= GAIN:
        return not_sure()
    answers = np.clip(found.answers(values, strongest(rules, 0)), 0.0, 1.0)
    values = np.clip(values, 0.0, 1.0)
    return Trio(rules, tuple(positions), values, answers, float(gain), place)


def not_solved(rules: Rules, tokens: int) -> Text | None:
    """Why the last phase of three is not solved by these rules, or None."""
    phase = rules.phases[-1]
    usual = phase.ends is Ends.ONE_HOLDER and phase.leave is Leave.TURN_END
    many_throws = open_tie(rules) and rules.throw_off.throws > 1
    if not usual or phase.payer is not Payer.BEST or rules.lock_kept or many_throws:
        return not_three()
    return not_three() if not 3 <= tokens <= MOST_TOKENS else None


def _positions(rules: Rules, tokens: int) -> list[Position]:
    """All ways three can hold so many tokens, in the last phase."""
    last = len(rules.phases) - 1
    return [
        Position(last, 0, 0, (one, other, tokens - one - other))
        for one in range(1, tokens - 1)
        for other in range(1, tokens - one)
    ]


class _Search:
    """The turn of three from every position, with what follows it."""

    def __init__(self, goes: ThreeGoes, flow: Flow, number: Ints) -> None:
        self.goes, self.flow, self.number = goes, flow, number
        self.count, self.ends = flow.known.shape[:2]

    def found(self, values: Floats, progress: Progress | None) -> tuple[Floats, float]:
        """Values that change least when all play their best by them, and what is to be gained.

        Each time the values of that best play are taken.  It may go round in a circle, where one
        player's best depends on another's and the other way round: then the middle is tried.
        """
        best, gain, stuck = values, np.inf, 0
        for number in range(_ROUNDS):
            reached, change, turns = self.improved(values)
            # Both what the others do and one's own answer may be off by the change of each turn.
            stuck = stuck + 1 if 2 * change * turns > gain / 2 else 0
            if 2 * change * turns < gain:
                best, gain = values, 2 * change * turns
            if progress is not None:
                progress(min(0.95, 0.1 * (number + 1)))
            if gain < 1e-11 or (stuck > 4 and gain < GAIN):
                break
            after = self.settled(reached)
            values = after if stuck < 2 else (values + after) / 2
        return best, float(gain)

    def improved(self, values: Floats) -> tuple[Floats, float, float]:
        """The chance of each end (m, ends) if all play their best by these values.

        Also the greatest change of a value by one turn of such play, and the greatest number of
        turns to be expected.
        """
        worth = self.flow.worth(values)
        reached = np.zeros((self.count, self.ends))
        for at in range(self.count):
            finals = np.ascontiguousarray(worth[at].T)[:, self.number]
            whole = self.goes.play(finals, (0, 1, 2))
            chances = self.goes.reach(whole).ravel()
            reached[at] = np.bincount(self.number.ravel(), chances, minlength=self.ends)
        ahead = (reached[..., None] * worth).sum(axis=1)
        stays = self._stays(reached).sum(axis=2)
        turns = np.linalg.solve(np.eye(self.count) - stays, np.ones(self.count)).max()
        return reached, float(np.abs(ahead - values).max()), float(turns)

    def _stays(self, reached: Floats) -> Floats:
        """The chance of each next position and its starter, (m, m, 3)."""
        found = np.zeros((self.count, self.count, 3))
        share = reached[..., None] * self.flow.part
        line = np.broadcast_to(np.arange(self.count)[:, None, None], share.shape)
        np.add.at(found, (line, self.flow.next, self.flow.starter), share)
        return found

    def settled(self, reached: Floats) -> Floats:
        """The values if all play for ever as they do now: the solution of linear equations."""
        stays, count = self._stays(reached), self.count
        matrix = np.zeros((count, 3, count, 3))
        for player in range(3):
            for starter in range(3):
                matrix[:, player, :, (player - starter) % 3] += stays[:, :, starter]
        known = (reached[..., None] * self.flow.known).sum(axis=1)
        flat = np.eye(3 * count) - matrix.reshape(3 * count, 3 * count)
        found = np.linalg.solve(flat, known.ravel()).astype(np.float64)
        return found.reshape(count, 3)

    def answers(self, values: Floats, turn: tuple[Floats, Floats]) -> Floats:
        """The starter's three chances by his final dice, (m, throws, 3, 56)."""
        worth = self.flow.worth(values)
        found = np.zeros((self.count, self.goes.throws, 3, 56))
        for at in range(self.count):
            finals = np.ascontiguousarray(worth[at].T)[:, self.number]
            whole = self.goes.play(np.stack([*finals, *turn]), (0, 1, 2))
            for used, final in enumerate(whole.finals):
                found[at, used] = final[[0, 3, 4]]
        return found


def solved(
    rules: Rules,
    tokens: int,
    duel: Duel,
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Trio | Text:
    """Like `solve`, but kept in a folder: the user's cache, if none is named."""
    folder = store.cache_folder() if folder is None else folder
    throws = rules.phases[-1].throws
    start = Position(len(rules.phases) - 1, 0, 0, (tokens, 0, 0))
    key = store.key_of("trio", rules, start)
    known = store.load(folder, key, 3)
    if known is not None:
        positions, rows, gain = known
        if list(positions) == _positions(rules, tokens) and rows.shape[1:] == (3 + throws * 168,):
            answers = rows[:, 3:].reshape(-1, throws, 3, 56)
            place = {position: number for number, position in enumerate(positions)}
            return Trio(rules, positions, rows[:, :3], answers, gain, place)
    found = solve(rules, tokens, duel, progress=progress)
    if isinstance(found, Trio):
        flat = found.answers.reshape(len(found.positions), -1)
        store.save(folder, key, found.positions, np.hstack([found.values, flat]), found.gain)
    return found
