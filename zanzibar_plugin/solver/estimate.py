"""One turn looked at by itself: how good final dice are, with any number of players.

This is an estimate, and says so.  What it takes for granted:

- Whoever comes later throws for the strongest combination he can expect, and ends as that usually
  ends; he does not look at what the others have.
- Tokens are worth the same to everybody at any time.  In a game that ends with a loser, his chance
  to lose is the part he holds of all tokens, each player's part of those on the table among them:
  just so it would be if every turn were even.
- A tie that is thrown off, or makes a turn void, counts half.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Amount, Ends, Follow, Payer, Rules, Tie
from zanzibar_plugin.solver.goes import Floats, goes, most
from zanzibar_plugin.solver.weighing import Ending
from zanzibar_plugin.state import Result, State
from zanzibar_plugin.worth import in_tokens


def endings(state: State, player: str) -> tuple[Ending, ...]:
    """What the final dice of the player on are worth after 1, 2, 3 throws, as far as he may."""
    assert state.go is not None
    return tuple(_ending(state, player, used) for used in range(1, state.go.limit + 1))


def _ending(state: State, player: str, used: int) -> Ending:
    """What the final dice of the player on are worth after so many throws; only an estimate."""
    rules, results = state.setting.rules, state.turn.results
    strengths = _strengths(rules)
    later = len(state.turn.order) - len(results) - 1
    typical = _typical(strengths, _limit_after(state, used), _must_use_all(state), rules.lock_kept)
    beaten, unbeaten = _odds(rules, strengths, results, later, typical)
    safe, turn = 1 - beaten, unbeaten
    if state.turn.about != "turn":
        return Ending(turn, turn, safe)
    gain = _tokens_taken(state, player, strengths, typical, beaten, unbeaten, later)
    # Of equally good ends the stronger one: it can do no harm, and the estimate may be wrong.
    win = _win(state, player, gain) + 1e-9 * np.array(strengths)
    return Ending(win, turn, safe)


def _must_use_all(state: State) -> bool:
    """Whether everybody in this turn throws as often as its starter."""
    return state.phase.follow is Follow.FIRST_EXACTLY and state.turn.about == "turn"


def _limit_after(state: State, used: int) -> int:
    """How many throws those have who come after a go with `used` throws."""
    rules, phase, results = state.setting.rules, state.phase, state.turn.results
    if state.turn.about == "start":
        return 1
    if state.turn.about != "turn":
        return rules.throw_off.throws
    if phase.follow is Follow.FREE:
        return phase.throws
    if phase.follow is Follow.PREVIOUS or not results:
        return used
    return results[0].throws


def _strengths(rules: Rules) -> tuple[int, ...]:
    return tuple(rules.by_dice[dice].strength for dice in COMBINATIONS)


@lru_cache(maxsize=64)
def _typical(strengths: tuple[int, ...], limit: int, exactly: bool, lock_kept: bool) -> Floats:
    """The chances (56) of somebody's final dice who throws for the strongest combination."""
    go = goes(lock_kept)
    order = np.array(strengths)
    first = goes().odds[0]
    rank = np.array([first[order < one].sum() + first[order == one].sum() / 2 for one in order])
    worth = [rank[go.shows]]
    for _ in range(1, limit):
        value = most(go, worth[-1])
        worth.append(value if exactly else np.maximum(value, rank[go.shows]))
    at, final = go.odds[0].copy(), np.zeros(len(order))
    for left in range(limit - 1, 0, -1):
        hopes = worth[left - 1] @ go.odds.T
        options = hopes[go.options]
        stops = rank[go.shows] >= options.max(axis=1)
        stops &= not exactly
        np.add.at(final, go.shows[stops], at[stops])
        kept = np.zeros(len(go.odds))
        chosen = go.options[np.arange(len(at)), options.argmax(axis=1)]
        np.add.at(kept, chosen[~stops], at[~stops])
        at = kept @ go.odds
    np.add.at(final, go.shows, at)
    return final


def _tie_weights(rules: Rules) -> tuple[float, float]:
    """How far somebody earlier, and somebody later, with equal dice counts as the stronger."""
    if rules.tie is Tie.LATER_WINS:
        return 0.0, 1.0
    return (1.0, 0.0) if rules.tie is Tie.EARLIER_WINS else (0.5, 0.5)


def _odds(
    rules: Rules, strengths: tuple[int, ...], results: tuple[Result, ...], later: int,
    typical: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """The chances (56) that all others are stronger, and that none is."""
    order = np.array(strengths)
    before, behind = _tie_weights(rules)
    above = np.array([typical[order > one].sum() for one in order])
    equal = np.array([typical[order == one].sum() for one in order])
    stronger = above + behind * equal
    beaten, unbeaten = stronger**later, (1 - stronger) ** later
    for result in results:
        other = rules.by_dice[result.dice].strength
        ahead = np.where(other == order, before, other > order)
        beaten, unbeaten = beaten * ahead, unbeaten * (1 - ahead)
    return beaten, unbeaten


def _tokens_taken(
    state: State, player: str, strengths: tuple[int, ...], typical: Floats, beaten: Floats,
    unbeaten: Floats, later: int,
) -> Floats:  # fmt: skip
    """The tokens (56) the player is to take in this turn, less those he gives; may be negative."""
    rules, standing, phase = state.setting.rules, state.standing, state.phase
    mine = standing.tokens[player]
    others = [standing.tokens[one] for one in state.turn.order if one != player]
    own = _values(rules, phase.amount, mine)
    count = len(others) + 1
    if phase.payer is Payer.TABLE:
        value = _values(rules, phase.amount, standing.table)
        best = _best_value(rules, strengths, value, state.turn.results, typical, later)
        # What others take is gone from the table, where a part of it would have come to him.
        taken = beaten * _beaten_value(rules, strengths, value, state, typical, later)
        taken = taken - best / count
    elif phase.payer is Payer.BEST:
        value = _values(rules, phase.amount, max(others))
        taken = beaten * _beaten_value(rules, strengths, value, state, typical, later)
        taken = taken - unbeaten * own
    else:
        value = _values(rules, phase.amount, max(others))
        best = _best_value(rules, strengths, value, state.turn.results, typical, later)
        pays = own if phase.amount is Amount.PAYER_VALUE else np.minimum(best, mine)
        taken = beaten * (count - 1) * best - (1 - beaten) * pays
    nenette = [rules.by_dice[dice].kind is Kind.NENETTE for dice in COMBINATIONS]
    return taken + rules.penalty * np.array(nenette, dtype=np.float64)


def _values(rules: Rules, amount: Amount | int, available: int) -> Floats:
    """How many tokens each of the 56 combinations moves where so many are there."""
    if isinstance(amount, int):
        return np.full(len(COMBINATIONS), float(min(amount, available)))
    found = [in_tokens(rules.by_dice[dice].value, available) for dice in COMBINATIONS]
    return np.minimum(np.array(found, dtype=np.float64), available)


def _by_class(strengths: tuple[int, ...], value: Floats) -> tuple[Floats, Floats]:
    """The strengths there are, from low to high, and the value of each."""
    order = np.array(strengths)
    classes = np.unique(order)
    return classes, np.array([value[order == one].mean() for one in classes])


def _best_value(
    rules: Rules, strengths: tuple[int, ...], value: Floats, results: tuple[Result, ...],
    typical: Floats, later: int,
) -> Floats:  # fmt: skip
    """The value (56) of the best of the whole turn to be expected, for each own final dice."""
    order = np.array(strengths)
    classes, worth = _by_class(strengths, value)
    least = max((rules.by_dice[result.dice].strength for result in results), default=0)
    within = np.array([typical[order <= one].sum() for one in classes]) ** later
    most_so_far = np.maximum(order, least)
    below = np.where(classes[None, :] >= most_so_far[:, None], within[None, :], 0.0)
    return np.diff(below, axis=1, prepend=0.0) @ worth


def _beaten_value(
    rules: Rules, strengths: tuple[int, ...], value: Floats, state: State, typical: Floats,
    later: int,
) -> Floats:  # fmt: skip
    """The value (56) of the best that is to be expected when all others are stronger."""
    order = np.array(strengths)
    classes, worth = _by_class(strengths, value)
    _, behind = _tie_weights(rules)
    within = np.array([typical[order <= one].sum() for one in classes])
    at = np.searchsorted(classes, order)
    equal = np.array([typical[order == one].sum() for one in order])
    ahead = within[None, :] - within[at][:, None] + behind * equal[:, None]
    ahead = np.where(classes[None, :] >= order[:, None], np.maximum(ahead, 0.0), 0.0) ** later
    results = state.turn.results
    least = max((rules.by_dice[result.dice].strength for result in results), default=0)
    ahead = np.where(classes[None, :] >= least, ahead, 0.0)
    total = ahead[:, -1]
    return np.diff(ahead, axis=1, prepend=0.0) @ worth / np.where(total > 0, total, 1.0)


def _win(state: State, player: str, gain: Floats) -> Floats:
    """The chance (56) to win, from the tokens to be taken in this turn."""
    standing = state.standing
    still_in = [one for one in state.setting.players if one not in standing.places]
    mine = standing.tokens[player]
    total = standing.table + sum(standing.tokens.values())
    if state.setting.rules.phases[-1].ends is Ends.FIRST_EMPTY:
        part = total / len(still_in) / 4
        held = np.array([standing.tokens[one] for one in still_in if one != player])
        others = np.exp(-held / part).sum()
        me = np.exp(-np.maximum(mine + gain, 0.0) / part)
        chance = me / (me + others)
    else:
        chance = 1 - (mine + standing.table / len(still_in) + gain) / total
    return np.asarray(np.clip(chance, 0.0, 1.0), dtype=np.float64)


def start_chance(state: State, player: str) -> float:
    """The chance to win before it is known who starts."""
    return float(_win(state, player, np.zeros(1))[0])
