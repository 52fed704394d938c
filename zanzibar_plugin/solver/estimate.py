"""One turn looked at closely, and the rest of the game as a whole, with any number of players.

This is an estimate, and says so.  What it takes for granted:

- Whoever comes later throws for the strongest combination he can expect, and ends as that usually
  ends, with as many throws as are left to him; he does not look at what the others have.
- After this turn everybody plays alike: see `outlook` for what tokens are worth then.
- If one is neither the best nor the worst of the turn, who of the others is the best has nothing to
  do with who is the worst.  A nénette counts where it is the weakest.
- Each of those who tie comes out of a throw-off with the same chance, and ties make no turn void.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple, cast

import numpy as np

from zanzibar_plugin.ranking import Value
from zanzibar_plugin.recent import Recent
from zanzibar_plugin.rules import Amount, Follow, Next, Payer, Rules
from zanzibar_plugin.solver.even import moved
from zanzibar_plugin.solver.goes import PLACE, Floats
from zanzibar_plugin.solver.moves import Classes, classes_of, in_classes, strongest_first
from zanzibar_plugin.solver.outcomes import Outcomes, outcomes
from zanzibar_plugin.solver.outlook import Held, Outlook
from zanzibar_plugin.solver.typical import finals, followers
from zanzibar_plugin.solver.weighing import Ending
from zanzibar_plugin.state import Standing, State

THROW_OFF = -1
"""In place of the number of a phase: a throw-off."""


class _Worths(NamedTuple):
    """The chance to win after the turn, with m others in its order, by the value that is paid.

    `best` (m, 2, values): one was the best, that other the worst, without or with a nénette.
    `worst` (m, 2, values): one was the worst, without or with one, that other the best.
    `between` (m, m, values): others were the best (first) and the worst.
    """

    best: Floats
    worst: Floats
    between: Floats


class Estimate:
    """Estimates for games by the same rules with the same number of players.

    Without `tables` it is there at once, and what tokens are worth is a formula.
    """

    def __init__(self, rules: Rules, players: int, tables: bool = True) -> None:
        self._rules = rules
        self._outlook = Outlook(rules, players, tables)
        self._classes = [classes_of(rules, phase.amount) for phase in rules.phases]
        self._strongest_first = strongest_first(rules)
        self._followers: dict[tuple[int, int, int], Floats] = {}
        self._worths = Recent(self._worths_of)
        for number, phase in enumerate(rules.phases) if tables else ():
            for limit in range(1, phase.throws + 1):
                for count in range(players):
                    self._later(number, limit, count)
        self._known: Recent[Standing, dict[Hashable, Ending]] = Recent(lambda *_: {})

    def endings(self, state: State) -> tuple[Ending, ...]:
        """What the final dice of the player on are worth after 1, 2, 3 throws, as far as he may."""
        go = state.go
        assert go is not None
        turn = state.turn
        known = self._known.of(state.standing, (turn.about, turn.order, turn.results))
        found = []
        for used in range(1, go.limit + 1):
            limit = _limit_after(state, used)
            # Nobody comes after the last one, who would have a limit.
            if len(turn.results) + 1 == len(turn.order):
                limit = 1
            ending = known.get(limit)
            if ending is None:
                ending = known[limit] = self._ending(state, go.player, limit)
            found.append(ending)
        return tuple(found)

    def start_chance(self, state: State, player: str) -> float:
        """The chance to win before it is known who starts."""
        standing = state.standing
        others = tuple(held for one, held in standing.tokens.items() if one != player)
        return self._outlook.chances([Held(standing.table, standing.tokens[player], others)])[0]

    def _ending(self, state: State, player: str, limit: int) -> Ending:
        """What his final dice are worth if the next one has this limit."""
        rules, turn = self._rules, state.turn
        classes = self._classes[state.standing.phase]
        done = len(turn.results)
        phase = state.standing.phase if turn.about == "turn" else THROW_OFF
        later = self._later(phase, limit, len(turn.order) - done - 1)
        before = np.zeros((done, len(classes.value)))
        for row, result in enumerate(turn.results):
            before[row, classes.of[PLACE[result.dice]]] = 1.0
        others = np.concatenate([before, later])
        chances = outcomes(classes, rules.tie, others, done)
        best = chances.best.sum(axis=(0, 1))[classes.of]
        safe = 1 - chances.worst.sum(axis=(0, 1))[classes.of]
        if turn.about != "turn":
            return Ending(safe if turn.about == "worst" else best, best, safe)
        worths = self._worths.of(state.standing, (turn.order, player))
        own_pays = state.phase.amount is Amount.PAYER_VALUE
        win = _win(classes, chances, worths, own_pays)[classes.of]
        # Of equally good ends the stronger one: it can do no harm, and the estimate may be wrong.
        return Ending(win + self._strongest_first, best, safe)

    def _later(self, phase: int, limit: int, count: int) -> Floats:
        """The chances (count, classes) of the final dice of those who come later."""
        key, rules = (phase, limit, count), self._rules
        found = self._followers.get(key)
        if found is None:
            if phase == THROW_OFF:
                chances = finals(rules, limit, False).sum(axis=0)[None].repeat(count, axis=0)
            else:
                chances = followers(rules, rules.phases[phase], limit, count)
            # The classes are the same in all phases, whatever is paid.
            found = self._followers[key] = in_classes(self._classes[0], chances)
        return found

    def _worths_of(self, standing: Standing, also: Hashable) -> _Worths:
        """What each outcome of the turn is worth to a player."""
        order, player = cast("tuple[tuple[str, ...], str]", also)
        payer = self._rules.phases[standing.phase].payer
        worth = self._classes[standing.phase].worth
        others = [one for one in order if one != player]
        # The player himself comes first here, the others keep the order of the turn.
        held = tuple(standing.tokens[one] for one in (player, *others))
        moves = _Moves(standing.table, held, payer, self._rules.penalty, self._rules.next)
        place: dict[Held, int] = {}
        rows = np.zeros((len(held), len(held), 2, len(worth)), dtype=np.intp)
        for number, value in enumerate(worth):
            for best, worst, nenette, after in moves.all_of(value):
                rows[best, worst, nenette, number] = place.setdefault(after, len(place))
        found = np.array(self._outlook.chances(list(place)))[rows]
        return _Worths(found[0, 1:], found[1:, 0], found[1:, 1:, 0])


class _Moves(NamedTuple):
    """What may be paid at the end of a turn, to the worst; whoever asks is the first of `held`."""

    table: int
    held: tuple[int, ...]
    payer: Payer
    penalty: int
    next: Next

    def starts(self, best: int, worst: int) -> bool:
        """Whether he then starts the next turn; only a race looks at that."""
        if self.payer is not Payer.EACH_OTHER:
            return False
        return not {Next.WINNER: best, Next.LOSER: worst}.get(self.next, 1)

    def all_of(self, value: Value) -> Iterator[tuple[int | slice, int, int, Held]]:
        """All that may come of a value: the best, the worst, whether with a nénette, and then what.

        In place of the best all of them, where it does not count who it is.
        """
        give = self._by_best if self.payer is Payer.BEST else self._by_anybody
        for nenette in (0, 1) if self.penalty else (0,):
            yield from give(value, nenette)

    def _by_best(self, value: Value, nenette: int) -> Iterator[tuple[int, int, int, Held]]:
        held = self.held
        known: dict[tuple[int, int, bool, bool], Held] = {}
        for best, had in enumerate(held):
            paid = moved(value, bool(nenette), self.penalty, had)
            for worst, has in enumerate(held):
                # Equal piles change in the same way: then it is the same to him.
                key = (had, has, best == 0, worst == 0)
                after = known.get(key)
                if after is None and best != worst:
                    tokens = list(held)
                    tokens[best] -= paid
                    tokens[worst] += paid
                    after = known[key] = _sorted(self.table, tokens)
                if after is not None and best != worst:
                    yield best, worst, nenette, after

    def _by_anybody(
        self, value: Value, nenette: int
    ) -> Iterator[tuple[int | slice, int, int, Held]]:
        for worst in range(len(self.held)):
            table, tokens = self.table, list(self.held)
            if self.payer is Payer.TABLE:
                paid = moved(value, bool(nenette), self.penalty, table)
                table -= paid
            else:
                asked = moved(value, bool(nenette), self.penalty, max(tokens))
                tokens = [count - min(asked, count) for count in tokens]
                tokens[worst] = self.held[worst]
                paid = sum(self.held) - sum(tokens)
            tokens[worst] += paid
            after = _sorted(table, tokens)
            # Somebody else is the best, and then oneself.
            yield slice(None), worst, nenette, after._replace(starts=self.starts(1, worst))
            if worst:
                yield 0, worst, nenette, after._replace(starts=self.starts(0, worst))
            if self.payer is Payer.EACH_OTHER and 0 in tokens:
                # Somebody may have won, and it counts who was the best.
                for best in range(len(tokens)):
                    after = Held(table, tokens[0], tuple(tokens[1:]), best)
                    yield best, worst, nenette, after


def _sorted(table: int, tokens: list[int]) -> Held:
    """A position in which it does not count whose the others' tokens are."""
    return Held(table, tokens[0], tuple(sorted(tokens[1:])))


def _win(classes: Classes, chances: Outcomes, worths: _Worths, own_pays: bool) -> Floats:
    """The chance to win for each own class."""
    best = np.einsum("jnc,jnc->c", chances.best, worths.best[:, :, classes.value])
    own = classes.nenette.astype(np.intp)
    worst = np.einsum("hvc,hcv->c", chances.worst, worths.worst[:, own])
    if len(worths.best) == 1:
        return np.asarray(best + worst, dtype=np.float64)
    high, low = chances.others_best, chances.others_worst
    both = 1 - np.eye(len(worths.best))
    between = worths.between * both[:, :, None]
    if own_pays:
        summed = high.sum(axis=2)
        value = between[:, :, classes.value]
        rest = np.einsum("ci,cj,ijc->c", summed, low, value, optimize=True)
    else:
        rest = np.einsum("civ,civ->c", high, np.tensordot(low, between, axes=(1, 1)))
    total = np.einsum("ci,ci->c", high.sum(axis=2), low @ both)
    mean = rest / np.where(total > 0, total, 1.0)
    return np.asarray(best + worst + chances.between * mean, dtype=np.float64)


def _limit_after(state: State, used: int) -> int:
    """How many throws the next player has after a go with `used` throws."""
    rules, phase, results = state.setting.rules, state.phase, state.turn.results
    if state.turn.about != "turn":
        return rules.throw_off.throws
    if phase.follow is Follow.FREE:
        return phase.throws
    if phase.follow is Follow.PREVIOUS or not results:
        return used
    return results[0].throws
