"""The estimate for three and more: what it is built of, and that it wins by what it says."""

import random
import time

import numpy as np
import pytest
from load.levels import compared, expert, game, simple, thrown
from playing import LIBRARY, bundled, played

from zanzibar_plugin import bots, engine, levels, settling
from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.events import Accepted, GameOver
from zanzibar_plugin.rules import Tie
from zanzibar_plugin.solver.advisor import estimating
from zanzibar_plugin.solver.estimate import Estimate
from zanzibar_plugin.solver.even import Even
from zanzibar_plugin.solver.goes import PLACE
from zanzibar_plugin.solver.moves import Classes
from zanzibar_plugin.solver.outcomes import outcomes
from zanzibar_plugin.solver.outlook import Held, Outlook
from zanzibar_plugin.solver.race import Race
from zanzibar_plugin.solver.typical import finals, followers, table_of
from zanzibar_plugin.state import evolve, rebuild

NAMES = tuple("ABCDEFGHIJKL")
RULES = ("421", "french-bar-21", "french-bar-11", "zanzibar-456")


def one_of(source, rules, players):
    """A moment of a game of regular bots: somebody has just thrown, and may throw again."""
    while True:
        state = before_a_go(source, rules, players)
        if state.go.limit > 1:
            return state._replace(go=state.go._replace(throws=1, dice=thrown((), 3, source)))


def before_a_go(source, rules, players):
    """A moment of a game of regular bots: somebody is to throw."""
    choose = simple("regular")
    while True:
        state = rebuild(rules, engine.start(rules, NAMES[:players]))
        for _ in range(source.randrange(10 + 10 * players)):
            if state.standing.over is not None:
                break
            if state.go is None:
                for event in settling.settle(state):
                    state = evolve(state, event)
                continue
            go = state.go._replace(throws=1, dice=thrown((), 3, source))
            while go.throws < go.limit and (again := choose(state._replace(go=go), go)[0]):
                kept = list(go.dice)
                for face in again:
                    kept.remove(face)
                dice = thrown(tuple(kept), len(again), source)
                go = go._replace(throws=go.throws + 1, dice=dice)
            state = evolve(state, Accepted(go.player, go.dice, go.throws))
        if state.go is not None and state.standing.over is None:
            return state


def after(state, dice):
    """What the last one of a turn leaves when he accepts such dice."""
    state = evolve(state, Accepted(state.go.player, dice, 1))
    events = settling.settle(state)
    for event in events:
        state = evolve(state, event)
    return state


@pytest.mark.parametrize("name", RULES)
def test_the_last_of_a_turn_knows_what_comes_of_it(name):
    """His chances are those of the very position the engine makes of it."""
    rules, source, seen = played(bundled(name)), random.Random(5), 0
    for players in (3, 5, 9):
        outlook, estimate = Outlook(rules, players), Estimate(rules, players)
        for _ in range(60):
            state = before_a_go(source, rules, players)
            turn, player = state.turn, state.go.player
            known = [rules.strength(result.dice) for result in turn.results]
            if turn.about != "turn" or len(turn.results) + 1 < len(turn.order):
                continue
            ending = estimate.endings(state)[0]
            for dice in COMBINATIONS[:: source.randint(3, 9)]:
                strengths = [*known, rules.strength(dice)]
                ends = strengths.count(min(strengths)), strengths.count(max(strengths))
                nenettes = [*turn.results, dice].count((2, 2, 1))
                if rules.tie is Tie.THROW_OFF and (max(ends) > 1 or nenettes):
                    continue
                if any(result.dice == (2, 2, 1) for result in turn.results) and rules.penalty:
                    continue
                then = after(state, dice)
                over = then.standing.over
                if isinstance(over, GameOver):
                    won = player != over.loser
                    if over.loser is None:
                        won = (player in over.winners) / len(over.winners)
                elif player in then.standing.places:
                    won = 1.0
                else:
                    tokens = then.standing.tokens
                    others = [tokens[one] for one in NAMES[:players]
                              if one != player and one not in then.standing.places]  # fmt: skip
                    held = Held(then.standing.table, tokens[player], tuple(sorted(others)), 0,
                                then.turn.order[0] == player)  # fmt: skip
                    won = outlook.chances([held])[0]
                assert ending.win[PLACE[dice]] == pytest.approx(float(won), abs=1e-6)
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("tie", [Tie.LATER_WINS, Tie.EARLIER_WINS])
@pytest.mark.parametrize("count, before", [(1, 0), (1, 1), (2, 1), (3, 2), (4, 0)])
def test_outcomes_by_looking_at_all_dice(tie, count, before):
    """All there is to fall for the others, one by one."""
    source = np.random.default_rng(count)
    size = 4
    worth = np.array([0, 1, 1, 0])
    classes = Classes(np.arange(size), (1, 2), worth, np.array([True, False, False, False]))
    others = source.dirichlet(np.ones(size), count)
    found = outcomes(classes, tie, others, before)
    best, worst = np.zeros((count, 2, size)), np.zeros((count, 2, size))
    for own in range(size):
        for fallen in np.ndindex(*(size,) * count):
            chance = np.prod(others[np.arange(count), fallen])
            order = [*fallen[:before], own, *fallen[before:]]
            whose = [*range(before), -1, *range(before, count)]
            sign = 1 if tie is Tie.LATER_WINS else -1
            ranks = [(one, sign * at) for at, one in enumerate(order)]
            high, low = ranks.index(max(ranks)), ranks.index(min(ranks))
            if whose[high] == -1:
                best[whose[low], int(order[low] == 0), own] += chance
            if whose[low] == -1:
                worst[whose[high], worth[order[high]], own] += chance
    assert found.best == pytest.approx(best)
    assert found.worst == pytest.approx(worst)
    spared = 1 - best.sum(axis=(0, 1)) - worst.sum(axis=(0, 1))
    assert found.between == pytest.approx(spared)


@pytest.mark.parametrize("name", RULES)
def test_chances_sum_up(name):
    rules = played(bundled(name))
    for limit in (1, 2, 3):
        assert finals(rules, limit, False).sum() == pytest.approx(1)
        phase = rules.phases[-1]
        assert followers(rules, phase, limit, 5).sum(axis=1) == pytest.approx(np.ones(5))
    assert table_of(rules, rules.phases[-1], 6).sum(axis=1) == pytest.approx(np.ones(6))


def test_an_even_game_has_one_loser():
    rules = played(bundled("french-bar-11"))
    even = Even(rules, 5, 11)
    for table, piles in ((0, (5, 3, 2, 1)), (4, (3, 2, 1, 1, 0)), (11, (0,) * 5), (0, (10, 1))):
        losses = even.losses(table, piles)
        assert sum(losses.get(pile, 0.0) for pile in piles) == pytest.approx(1)
        held = sorted(set(piles))
        chances = [losses[pile] for pile in held]
        assert chances == sorted(chances)
    # Not simply the part of the tokens: who has few gives less than he takes.
    assert even.losses(0, (10, 1))[1] > 1 / 11


def test_an_even_race():
    rules = played(bundled("zanzibar-456"))
    race = Race(rules, 4, 80)
    rows = np.array([[20] * 4, [20] * 4, [8, 16, 16, 40], [16, 16, 8, 40], [40, 8, 16, 16]])
    starts = np.array([True, False, False, False, False])
    first, other, ahead, level, behind = race.chances(rows, starts)
    # To start is an advantage; all together have one win.
    assert first > other
    assert first + 3 * other == pytest.approx(1, abs=0.03)
    assert ahead > level > behind


def test_without_tables_the_formula_is_near():
    for name, positions in {
        "421": (Held(0, 4, (9, 8)), Held(0, 1, (20,)), Held(12, 0, (3, 6)), Held(0, 9, (4, 4, 4))),
        "zanzibar-456": (Held(0, 14, (22, 24, 20)), Held(0, 24, (22, 20, 14))),
    }.items():
        rules = played(bundled(name))
        exact = Outlook(rules, 4).chances(positions)
        near = Outlook(rules, 4, tables=False).chances(positions)
        assert near == pytest.approx(exact, abs=0.12)


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_nothing_illegal_nothing_dominated(ruleset):
    """At no table an illegal choice, and none that another one beats in all three chances."""
    rules, source = played(ruleset), random.Random(3)
    for players in (3, 7, rules.max_players):
        advisor = estimating(rules, players, tables=players == 3)
        for _ in range(12):
            state = one_of(source, rules, players)
            go, best = state.go, advisor.advise(state, state.go.player).best
            if not best.stop:
                assert not set(best.again) - set(go.dice)
                assert go.throws < go.limit
            assert best.stop <= (not engine.must_throw(state))
            for other in advisor.advise(state, go.player).choices:
                assert not all(one > own + 1e-9 for one, own in zip(other[3:], best[3:],
                                                                    strict=True))  # fmt: skip


def test_the_bots_of_the_benchmark_press_the_same_keys():
    """What a simple bot is said to throw again is what its keys throw."""
    for name in RULES:
        rules, source = played(bundled(name)), random.Random(2)
        for level in ("regular", "beginner"):
            choose = simple(level)
            for _ in range(40):
                state = one_of(source, rules, 4)
                again, last = choose(state, state.go)
                key = levels.next_key(state, state.go.player, level, None)
                assert key == bots.toward(state.go, again)
                assert not last


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("players", [4, 8])
def test_a_decision_takes_little(name, players):
    """99 of 100 take less than 5 ms; a busy machine is given ten times that."""
    rules = played(bundled(name))
    advisor, times = estimating(rules, players, tables=True), []

    def timed(state, go):
        begun = time.process_time()
        best = advisor.advise(state, go.player).best
        times.append(time.process_time() - begun)
        return () if best.stop else best.again, best.last

    for seed in range(3):
        game(rules, [timed] * players, random.Random(seed))
    assert sorted(times)[len(times) * 99 // 100] < 0.05


@pytest.mark.parametrize("other", ["regular", "beginner"])
@pytest.mark.parametrize("name", RULES)
def test_the_expert_does_better(name, other):
    """At tables of 4 and 9 together, over fixed seeds; the table of all is in the documentation."""
    rules, found = played(bundled(name)), []
    for players in (4, 9):
        advisor = estimating(rules, players, tables=True)
        share = compared(rules, players, other, 120, advisor=advisor)
        assert share.wins == (rules.phases[-1].ends == "first_empty")
        found.append(1 / share.share if share.wins else share.share)
    assert sum(found) / len(found) < 0.95


def test_estimates_are_the_same_every_time():
    rules = played(bundled("421"))
    state = one_of(random.Random(1), rules, 6)
    one, other = (estimating(rules, 6, tables=True) for _ in range(2))
    assert one.advise(state, state.go.player) == other.advise(state, state.go.player)
    assert expert(one)(state, state.go) == expert(other)(state, state.go)
