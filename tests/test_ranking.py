"""The order of 421: all 56 combinations with what they are and what they are worth."""

from itertools import combinations, permutations

import pytest
from strategies import dice, rules_421

from zanzibar_plugin.dice import COMBINATIONS, high_to_low, throws

# Strongest first, as the rules tell it: kind, dice, value.
ORDER = """
four_two_one 421:10
three_ones   111:7
triple 666:6
pure   611:6
triple 555:5
pure   511:5
triple 444:4
pure   411:4
triple 333:3
pure   311:3
triple 222:2
pure   211:2
sequence 654:2 543:2 432:2 321:2
plain 665:1 664:1 663:1 662:1 661:1 655:1 653:1 652:1 651:1
plain 644:1 643:1 642:1 641:1 633:1 632:1 631:1 622:1 621:1
plain 554:1 553:1 552:1 551:1 544:1 542:1 541:1 533:1 532:1 531:1 522:1 521:1
plain 443:1 442:1 441:1 433:1 431:1 422:1 332:1 331:1 322:1
nenette 221:4
"""
EXPECTED = [
    (dice(one[:3]), kind, int(one[4:]))
    for kind, *ones in map(str.split, ORDER.split("\n")[1:-1])
    for one in ones
]
RULES = rules_421()


def test_the_list_of_this_test_is_complete():
    assert sorted(expected for expected, _, _ in EXPECTED) == sorted(COMBINATIONS)


def test_order_kinds_and_values():
    found = [(one.dice, str(one.kind), one.value) for one in RULES.combinations]
    assert found == EXPECTED


def test_the_order_is_total():
    strengths = [one.strength for one in RULES.combinations]
    assert all(left > right for left, right in combinations(strengths, 2))


def test_every_throw_has_its_combination():
    for fallen in throws(3):
        one = RULES.by_dice[high_to_low(fallen)]
        assert one in RULES.combinations
        assert one.dice in permutations(fallen)


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("421", "111"),
        ("111", "666"),
        # At equal value the triple is stronger, but a pure beats every smaller triple.
        ("666", "611"),
        ("611", "555"),
        ("411", "333"),
        ("211", "654"),
        ("654", "543"),
        ("321", "665"),
        ("621", "554"),
        ("521", "433"),
        ("322", "221"),
    ],
)
def test_examples(stronger, weaker):
    by_dice = RULES.by_dice
    assert by_dice[dice(stronger)].strength > by_dice[dice(weaker)].strength


def test_options_do_not_touch_the_order():
    assert rules_421(tokens=99, dry_charge=True).combinations == RULES.combinations
