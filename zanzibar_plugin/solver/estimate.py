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

from collections.abc import Hashable
from typing import NamedTuple, cast

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.recent import Recent
from zanzibar_plugin.rules import Amount, Follow, Payer, Rules
from zanzibar_plugin.solver.even import moved
from zanzibar_plugin.solver.goes import PLACE, Floats
from zanzibar_plugin.solver.moves import Classes, classes_of, in_classes, strongest_first
from zanzibar_plugin.solver.outcomes import Outcomes, outcomes
from zanzibar_plugin.solver.outlook import Held, Outlook
from zanzibar_plugin.solver.typical import finals, followers
from zanzibar_plugin.solver.weighing import Ending
from zanzibar_plugin.state import Standing, State


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
        self._worths = Recent(self._worths_of)

    def endings(self, state: State) -> tuple[Ending, ...]:
        """What the final dice of the player on are worth after 1, 2, 3 throws, as far as he may."""
        go = state.go
        assert go is not None
        known: dict[int, Ending] = {}
        found = []
        for used in range(1, go.limit + 1):
            limit = _limit_after(state, used)
            if limit not in known:
                known[limit] = self._ending(state, go.player, limit)
            found.append(known[limit])
        return tuple(found)

    def start_chance(self, state: State, player: str) -> float:
        """The chance to win before it is known who starts."""
        standing = state.standing
        others = tuple(held for one, held in standing.tokens.items() if one != player)
        return self._outlook.chances([Held(standing.table, standing.tokens[player], others)])[0]

    def _ending(self, state: State, player: str, limit: int) -> Ending:
        """What his final dice are worth if the next one has this limit."""
        rules, turn = self._rules, state.turn
        classes = classes_of(rules, state.phase.amount)
        done = len(turn.results)
        later = followers(rules, state.phase, limit, len(turn.order) - done - 1)
        if turn.about != "turn":
            off = finals(rules, rules.throw_off.throws, False).sum(axis=0)
            later = np.repeat(off[None], len(later), axis=0)
        before = np.zeros((done, len(COMBINATIONS)))
        for row, result in enumerate(turn.results):
            before[row, PLACE[result.dice]] = 1.0
        others = in_classes(classes, np.concatenate([before, later]))
        chances = outcomes(classes, rules.tie, others, done)
        best = chances.best.sum(axis=(0, 1))[classes.of]
        safe = 1 - chances.worst.sum(axis=(0, 1))[classes.of]
        if turn.about != "turn":
            return Ending(safe if turn.about == "worst" else best, best, safe)
        worths = self._worths.of(state.standing, (turn.order, player))
        own_pays = state.phase.amount is Amount.PAYER_VALUE
        win = _win(classes, chances, worths, own_pays)[classes.of]
        # Of equally good ends the stronger one: it can do no harm, and the estimate may be wrong.
        return Ending(win + strongest_first(rules), best, safe)

    def _worths_of(self, standing: Standing, also: Hashable) -> _Worths:
        """What each outcome of the turn is worth to a player."""
        order, player = cast("tuple[tuple[str, ...], str]", also)
        payer = self._rules.phases[standing.phase].payer
        worth = classes_of(self._rules, self._rules.phases[standing.phase].amount).worth
        others = [one for one in order if one != player]
        # The player himself comes first here, the others keep the order of the turn.
        held = tuple(standing.tokens[one] for one in (player, *others))
        count, penalty = len(held), self._rules.penalty
        place: dict[Held, int] = {}
        known: dict[Hashable, int] = {}
        rows = np.zeros((count, count, 2, len(worth)), dtype=np.intp)
        for best in range(count):
            for worst in range(count):
                if best == worst:
                    continue
                for nenette in (False, True) if penalty and 0 in (best, worst) else (False,):
                    for number, value in enumerate(worth):
                        available = standing.table if payer is Payer.TABLE else held[best]
                        if payer is Payer.EACH_OTHER:
                            available = max(held)
                        paid = moved(value, nenette, penalty, available)
                        # The same piles change in the same way: then it is the same to him.
                        key: Hashable = (payer is Payer.TABLE or (held[best], best == 0),
                                         held[worst], worst == 0, paid)  # fmt: skip
                        if payer is Payer.EACH_OTHER:
                            key = (best, worst, paid)
                        row = known.get(key)
                        if row is None:
                            after = _after(standing.table, held, payer, best, worst, paid)
                            row = known[key] = place.setdefault(after, len(place))
                        rows[best, worst, int(nenette), number] = row
        found = np.array(self._outlook.chances(list(place)))[rows]
        return _Worths(found[0, 1:], found[1:, 0], found[1:, 1:, 0])


def _after(
    table: int, held: tuple[int, ...], payer: Payer, best: int, worst: int, paid: int
) -> Held:
    """The position after so much was paid to the worst; by the table, the best or each other."""
    tokens = list(held)
    strongest = 0
    if payer is Payer.TABLE:
        table -= paid
        tokens[worst] += paid
    elif payer is Payer.BEST:
        tokens[best] -= paid
        tokens[worst] += paid
    else:
        gives = [0 if one == worst else min(paid, count) for one, count in enumerate(tokens)]
        tokens = [count - given for count, given in zip(tokens, gives, strict=True)]
        tokens[worst] += sum(gives)
        strongest = best if 0 in tokens else 0
    if strongest:
        return Held(table, tokens[0], tuple(tokens[1:]), strongest)
    # Whose the others' tokens are does not count.
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
