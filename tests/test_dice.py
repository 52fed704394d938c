"""Dice: the 56 combinations, the 216 throws, and taking dice away."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import faces

from zanzibar_plugin.dice import COMBINATIONS, high_to_low, throws, without


def test_there_are_56_combinations_each_from_high_to_low():
    assert len(COMBINATIONS) == len(set(COMBINATIONS)) == 56
    assert all(6 >= a >= b >= c >= 1 for a, b, c in COMBINATIONS)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_all_throws_are_there_once(count):
    found = throws(count)
    assert len(found) == len(set(found)) == 6**count
    assert all(len(fallen) == count and set(fallen) <= set(range(1, 7)) for fallen in found)


def test_all_216_throws_are_combinations():
    found = Counter(map(high_to_low, throws(3)))
    assert set(found) == set(COMBINATIONS)
    # Three equal dice fall in one way, a pair in three, three different dice in six.
    assert all(found[dice] == (0, 1, 3, 6)[len(set(dice))] for dice in COMBINATIONS)


@given(st.lists(faces, max_size=3))
def test_high_to_low(fallen):
    found = high_to_low(tuple(fallen))
    assert Counter(found) == Counter(fallen)
    assert all(left >= right for left, right in pairwise(found))


@pytest.mark.parametrize(
    ("dice", "taken", "left"),
    [
        ((4, 2, 1), (), (4, 2, 1)),
        ((4, 2, 1), (2,), (4, 1)),
        ((4, 4, 1), (4,), (4, 1)),
        ((4, 4, 1), (1, 4), (4,)),
        ((4, 4, 1), (4, 4, 1), ()),
        ((), (), ()),
    ],
)
def test_without(dice, taken, left):
    assert without(dice, taken) == left


@pytest.mark.parametrize(("dice", "taken"), [((4, 2, 1), (3,)), ((4, 2, 1), (2, 2)), ((), (1,))])
def test_only_dice_that_are_there_can_be_taken(dice, taken):
    with pytest.raises(ValueError):
        without(dice, taken)
