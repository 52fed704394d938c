"""One go by itself, in exact fractions."""

from fractions import Fraction
from itertools import product

import pytest
from playing import bundled, played

from zanzibar_plugin.dice import COMBINATIONS, high_to_low, throws
from zanzibar_plugin.solver.chances import Held, best_play, chance_within, falls, keepable

RULES = played(bundled("421"))


@pytest.mark.parametrize(
    ("limit", "chance"), [(1, (1, 36)), (2, (299, 2592)), (3, (42571, 186624))]
)
def test_421_within_so_many_throws(limit, chance):
    assert chance_within((4, 2, 1), limit) == Fraction(*chance)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_triple_is_as_likely_as_any_other(limit):
    assert len({chance_within((face,) * 3, limit) for face in range(1, 7)}) == 1


def test_one_throw_is_what_falls():
    for dice in COMBINATIONS:
        fallen = sum(high_to_low(faces) == dice for faces in throws(3))
        assert chance_within(dice, 1) == Fraction(fallen, 216)


def test_more_throws_are_never_worse_and_locking_never_better():
    for dice in COMBINATIONS[::7]:
        one, two, three = (chance_within(dice, limit) for limit in (1, 2, 3))
        assert one < two < three
        # For a single aim, what is kept once is never thrown again anyhow.
        assert chance_within(dice, 3, lock_kept=True) == three


def test_chances_sum_to_one():
    for kept in ((), (3,), (6, 1), (4, 2, 1)):
        assert sum(chance for _, chance in falls(kept)) == 1
    for exactly, locked in product((False, True), repeat=2):
        plan = best_play(
            lambda dice, used: Fraction(RULES.strength(dice)), 3, exactly=exactly, lock_kept=locked
        )
        assert sum(plan.finals.values()) == 1
        expected = sum(RULES.strength(dice) * c for (dice, _), c in plan.finals.items())
        assert expected == plan.value


def test_what_may_be_kept():
    assert keepable((4, 4, 1)) == ((4, 4, 1), (4, 4), (4, 1), (4,), (1,), ())
    assert keepable((4, 4, 1), (4,)) == ((4, 4, 1), (4, 4), (4, 1), (4,))


def slow(dice, left, worth):
    """The best to be expected, without remembering anything that is not needed."""
    if not left:
        return worth(dice)
    found = worth(dice)
    for again in product((False, True), repeat=3):
        kept = [face for face, thrown in zip(dice, again, strict=True) if not thrown]
        outcomes = throws(sum(again))
        total = sum(slow(high_to_low((*kept, *new)), left - 1, worth) for new in outcomes)
        found = max(found, total / len(outcomes))
    return found


def test_the_same_as_trying_all_selections():
    plan = best_play(lambda dice, used: Fraction(RULES.strength(dice)), 2)
    for dice in COMBINATIONS[::5]:
        found = slow(dice, 1, lambda one: Fraction(RULES.strength(one)))
        kept = plan.keeps[Held(1, dice)]
        outcomes = falls(kept)
        assert sum(RULES.strength(after) * chance for after, chance in outcomes) == found


def test_equal_choices_throw_the_fewest_dice():
    plan = best_play(lambda dice, used: Fraction(1), 3)
    assert all(len(kept) == 3 for kept in plan.keeps.values())
    assert set(plan.finals) == {(dice, 1) for dice in COMBINATIONS}


def test_exactly_so_many_throws():
    plan = best_play(lambda dice, used: Fraction(dice == (4, 2, 1)), 3, exactly=True)
    assert {used for _, used in plan.finals} == {3}
    assert all(len(kept) < 3 for kept in plan.keeps.values())
    assert plan.value < chance_within((4, 2, 1), 3)
