"""Three in the last phase: nobody gains by playing otherwise, and it is as the dice fall."""

import random
from math import sqrt

import numpy as np
import pytest
from playing import bundled, changed, played
from solver_tables import advised, game, regular, stop_at_once

from zanzibar_plugin import events as ev
from zanzibar_plugin.bots import again
from zanzibar_plugin.dice import COMBINATIONS, without
from zanzibar_plugin.solver import trio as module
from zanzibar_plugin.solver.advisor import Grounds, make_advisor
from zanzibar_plugin.solver.duel import solve as solve_duel
from zanzibar_plugin.solver.goes import KEPT, STOP
from zanzibar_plugin.solver.rounds import Position
from zanzibar_plugin.solver.three_ends import ends_of, flow_of, strongest
from zanzibar_plugin.solver.three_goes import Chosen, ThreeGoes
from zanzibar_plugin.solver.trio import Trio, solve, solved
from zanzibar_plugin.state import rebuild

TOKENS = 4
NAMES = ("A", "B", "C")


def others(tokens):
    return tuple(Position(1, 0, 0, (held, tokens - held)) for held in range(2, tokens))


def solved_of(rules, tokens=TOKENS):
    duel = solve_duel(rules, Position(1, 0, 0, (1, tokens - 1)), also=others(tokens))
    trio = solve(rules, tokens, duel)
    assert isinstance(trio, Trio), trio
    return trio, duel


def keeps(habit, left):
    found = []
    for dice in COMBINATIONS:
        chosen = habit(dice, left)
        found.append(KEPT.index(without(dice, chosen)) if chosen else STOP)
    return np.array(found)


def deviated(goes, whole, habit, role):
    """The play of a turn, but one player has a habit."""

    def steps(old, lefts):
        return tuple(
            Chosen(np.broadcast_to(keeps(habit, left), one.keeps.shape))
            for one, left in zip(old, lefts, strict=True)
        )

    if role == 0:
        first = whole.first._replace(steps=steps(whole.first.steps, range(goes.throws - 1, 0, -1)))
        return whole._replace(first=first)
    if role == 1:
        second = tuple(
            led._replace(steps=steps(led.steps, range(limit - 1, 0, -1)))
            for limit, led in zip(goes.limits, whole.second, strict=True)
        )
        return whole._replace(second=second)
    lefts = range(1, goes.throws)
    return whole._replace(third=whole.third._replace(steps=steps(whole.third.steps, lefts)))


def chances_with(trio, duel, habit):
    """The chances, (positions, 3), of somebody in each role, who plays by a habit all the time."""
    phase = trio.rules.phases[-1]
    goes, ends = ThreeGoes(phase.throws, phase.follow), ends_of(trio.rules)
    flow = flow_of(trio.rules, ends, list(trio.positions), trio.place, duel)
    worth, count = flow.worth(trio.values), len(trio.positions)
    matrix, known = np.eye(3 * count), np.zeros(3 * count)
    for at in range(count):
        whole = goes.play(np.ascontiguousarray(worth[at].T)[:, ends.number], (0, 1, 2))
        for role in range(3):
            other = deviated(goes, whole, habit, role) if habit else whole
            reach = goes.reach(other)
            assert reach.sum() == pytest.approx(1)
            by_end = np.bincount(ends.number.ravel(), reach.ravel(), minlength=len(ends.dice))
            known[3 * at + role] = by_end @ flow.known[at, :, role]
            after = 3 * flow.next[at] + (role - flow.starter[at]) % 3
            np.subtract.at(matrix[3 * at + role], after, by_end[:, None] * flow.part[at])
    return np.linalg.solve(matrix, known).reshape(count, 3)


def odd(number):
    """A habit without sense."""
    source = random.Random(number)
    table = {
        (dice, left): tuple(face for face in dice if source.random() < 0.5)
        for dice in COMBINATIONS
        for left in (1, 2)
    }
    return lambda dice, left: table[dice, left]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("421", {}),
        ("421", {"ties": "throw_off", "start": {"next": "winner"}}),
        ("french-bar-11", {"phases": {"discharge": {"follow": "free"}}}),
    ],
)
def test_nobody_gains_by_a_habit(name, changes):
    rules = played(changed(name, changes), tokens=TOKENS)
    trio, duel = solved_of(rules)
    assert 0 <= trio.gain < 1e-9
    assert trio.values.sum(axis=1) == pytest.approx(2)
    assert chances_with(trio, duel, None) == pytest.approx(trio.values, abs=1e-9)
    tried = [lambda dice, left: (), lambda dice, left: dice, odd(1)]
    tried.append(lambda dice, left: again(rules, dice, left))
    for habit in tried:
        assert (chances_with(trio, duel, habit) <= trio.values + 1e-9).all()


def unloading(rules, tokens):
    """A table of three at the beginning of the unloading, with A to start."""
    held = dict(zip(NAMES, tokens, strict=True))
    phase = rules.phases[1].id
    return rebuild(
        rules,
        (
            ev.GameStarted(rules.id, NAMES, rules.options, 0, held),
            ev.PhaseStarted(phase, 0, held),
            ev.TurnStarted(1, phase, "A", 0, held),
        ),
    )


@pytest.mark.parametrize("name", ["421", "lyon-vache"])
def test_as_the_dice_fall(tmp_path, name):
    """Advised players lose as often as was worked out, and one with a habit loses more often."""
    rules = played(bundled(name), tokens=TOKENS)
    advisor = make_advisor(rules, 3, folder=tmp_path)
    duel = solve_duel(rules, Position(1, 0, 0, (1, TOKENS - 1)), also=others(TOKENS))
    trio = solved(rules, TOKENS, duel, folder=tmp_path)
    start = unloading(rules, (1, 2, 1))
    assert advisor.advise(start, "A").grounds is Grounds.EQUILIBRIUM
    best = advised(advisor)
    expected = trio.values[trio.place[Position(1, 0, 0, (1, 2, 1))]]
    assert advisor.advise(start, "A").best.win == pytest.approx(expected[0], abs=1e-9)
    games = 250
    lost = dict.fromkeys(NAMES, 0)
    for seed in range(games):
        over = game(rules, dict.fromkeys(NAMES, best), random.Random(seed), None, start)
        lost[over.standing.over.loser] += 1
    for name_, chance in zip(NAMES, expected, strict=True):
        error = sqrt(chance * (1 - chance) / games)
        assert abs(1 - lost[name_] / games - chance) < 4 * error


def test_kept_like_any_solution(tmp_path, monkeypatch):
    rules = played(bundled("421"), tokens=3)
    duel = solve_duel(rules, Position(1, 0, 0, (1, 2)), also=others(3))
    first = solved(rules, 3, duel, folder=tmp_path)
    monkeypatch.setattr(module, "solve", None)
    again_ = solved(rules, 3, duel, folder=tmp_path)
    assert (first.values == again_.values).all()
    assert (first.answers == again_.answers).all()
    assert first.place == again_.place


@pytest.mark.parametrize(
    "changes",
    [
        {"lock_kept": True},
        {"ties": "throw_off", "throw_off": {"throws": 2}},
        {"phases": {"discharge": {"ends": {"turns": 3}}}},
        {"phases": {"discharge": {"payer": "each_other"}}},
    ],
)
def test_what_is_refused(changes):
    rules = played(changed("421", changes), tokens=TOKENS)
    assert "three players" in solve(rules, TOKENS, None).msgid
    assert "three players" in solve(played(bundled("421")), 60, None).msgid


@pytest.mark.parametrize("ties", ["later_wins", "earlier_wins", "throw_off", "cancel"])
def test_who_comes_out_of_a_turn(ties):
    rules = played(changed("421", {"ties": ties}))
    found = [strongest(rules, player) for player in range(3)]
    best = sum(one for one, _ in found)
    worst = sum(1 - safe for _, safe in found)
    assert np.isin(best.round(9), (0, 1) if ties == "cancel" else (1,)).all()
    assert (best.round(9) == worst.round(9)).all()


def test_the_estimate_does_better_than_simple_players(tmp_path):
    """At tables of 3 to 12 together it loses at most five sixths as often as would be fair."""
    rules = played(bundled("421"))
    for other in (regular, stop_at_once):
        fair = lost = 0
        for players in range(3, 13):
            advisor = make_advisor(rules, players, folder=tmp_path, three=False)
            names = [f"P{number}" for number in range(players)]
            for seed in range(20):
                seat = names[seed % players]
                table = dict.fromkeys(names, other) | {seat: advised(advisor)}
                over = game(rules, table, random.Random(seed)).standing.over
                fair += 1 / players
                lost += over.loser == seat
        assert lost < fair * 5 / 6
