"""Games of two, solved: the same as published, as worked out slowly, and as the dice fall."""

import csv
from pathlib import Path

import numpy as np
import pytest
from playing import LIBRARY, bundled, changed, played
from solver_slow import slow_values

from zanzibar_plugin.dice import COMBINATIONS, faces_of
from zanzibar_plugin.rules import Follow
from zanzibar_plugin.shapes import COMBINATION_NAMES
from zanzibar_plugin.solver.answering import answering
from zanzibar_plugin.solver.chances import best_play
from zanzibar_plugin.solver.duel import BOUND, Duel, solve
from zanzibar_plugin.solver.goes import KEPT, PLACE
from zanzibar_plugin.solver.rounds import Position
from zanzibar_plugin.text import Text

PUBLISHED = Path(__file__).with_name("solver_published.csv")
SMALL = {"supply": {"pot": 2}}


def found(rules, **more):
    duel = solve(rules, **more)
    assert isinstance(duel, Duel), duel
    assert 0 < duel.bound < BOUND
    assert ((duel.values >= 0) & (duel.values <= 1)).all()
    return duel


def same(rules):
    duel = found(rules)
    slow = slow_values(rules)
    assert len(slow) == len(duel.positions)
    for (phase, table, *held), value in slow.items():
        position = Position(phase, 0, table, tuple(held))
        assert duel.value(position) == pytest.approx(value, abs=1e-10)


def one_round():
    """One round decides: a single token, and the first player's number of throws is the limit."""
    pair_first = changed("421", {"ranking": {"pairing": "pair_first"}, "supply": {"pot": 1}})
    first = changed("421", {"phases": {"charge": {"follow": "first"}}, "supply": {"pot": 1},
                            "ranking": {"pairing": "pair_first"}})  # fmt: skip
    assert found(played(pair_first, tokens=1), ties_shared=True).start == pytest.approx(
        found(played(first, tokens=1), ties_shared=True).start, abs=1e-12
    )
    return played(first, tokens=1)


def test_as_published():
    """The other solver lets the second player win a tie of two 221, which hardly ever happens."""
    rules = one_round()
    duel = found(rules, ties_shared=True)
    assert duel.start == pytest.approx(0.600044373496605, abs=5e-8)
    assert f"{duel.start:.4%}" == "60.0044%"
    strength = np.array([rules.strength(dice) for dice in COMBINATIONS])
    first, second = strength[:, None], strength[None, :]
    payoff = np.where(first > second, 1.0, np.where(first < second, 0.0, 0.5))
    play = answering(3, Follow.FIRST, False).play(payoff[None])
    rows = [line for line in PUBLISHED.read_text("utf-8").splitlines() if line[0] != "#"]
    published = list(csv.DictReader(rows))
    assert len(published) == 56
    for row in published:
        place = PLACE[faces_of(row["combination"])]
        for used in (1, 2, 3):
            stop = play.answers[used - 1][0, place]
            kept = faces_of(row[f"keep{used}"].replace("_", ""))
            worth = best = stop
            if used < 3:
                hopes = play.first[used - 1].hopes[0]
                options = [hopes[KEPT.index(one)] for one in KEPT if set_in(one, place)]
                best = max(stop, *options)
                worth = stop if len(kept) == 3 else hopes[KEPT.index(kept)]
            assert worth == pytest.approx(best, abs=1e-9), row
            assert 100 * best == pytest.approx(float(row[f"chance{used}"]), abs=0.00501), row


def set_in(kept, place):
    dice = COMBINATIONS[place]
    return all(kept.count(face) <= dice.count(face) for face in kept)


def variant(**changes):
    return played(changed("421", SMALL, changes), tokens=2, dry_charge=True)


@pytest.mark.parametrize("ties", ["later_wins", "earlier_wins", "throw_off", "cancel"])
@pytest.mark.parametrize("next_", ["loser", "winner", "rotate"])
def test_ties_and_starters(ties, next_):
    same(variant(ties=ties, start={"next": next_}))


@pytest.mark.parametrize("follow", ["previous", "first", "free", "first_exactly"])
def test_followers(follow):
    phases = {"charge": {"follow": follow}, "discharge": {"follow": follow}}
    exactly = follow == "first_exactly"
    ruleset = changed("421", SMALL, {"phases": phases, "announce_last": exactly})
    same(played(ruleset, tokens=2))


@pytest.mark.parametrize(
    "changes",
    [
        {"phases": {"discharge": {"amount": 2}}},
        {"phases": {"discharge": {"payer": "each_other", "amount": "payer_value"}}},
        {"phases": {"charge": {"amount": 1}}, "supply": {"pot": 1, "each": 1}},
        {"nenette_penalty": 1, "ties": "cancel"},
        {"nenette_penalty": 2, "ties": "throw_off", "throw_off": {"stake": "one"}},
        {"repeat_step": 1, "values": {"four_two_one": 1}},
        {"ties": "throw_off", "throw_off": {"scope": "worst", "order": "reverse"}},
        {"values": {"four_two_one": "all", "three_ones": "all_but_one"}},
        {"phases": {"discharge": {"starter": "most_tokens", "throws": 2}}},
    ],
)
def test_amounts_and_the_rest(changes):
    same(variant(**changes))


def few_tokens(ruleset):
    """Its rules with few tokens."""
    if "tokens" in ruleset.defaults():
        return played(ruleset, tokens=2)
    few = changed(ruleset.id, {"supply": {"by_players": {"2": {"each": 3}}}})
    return played(few)


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_every_bundled_game(ruleset):
    rules = few_tokens(ruleset)
    refused = solve(rules)
    if isinstance(refused, Text):
        assert rules.lost_sets > 1
        assert "several sets" in refused.msgid
    else:
        same(rules)
        found(played(ruleset))


def test_more_throws_in_a_throw_off():
    """Whoever throws second knows what to beat: an advantage, in either order."""
    starts = []
    for order in ("forward", "reverse"):
        rules = variant(ties="throw_off", throw_off={"throws": 3, "order": order})
        starts.append(found(rules).start)
    assert starts[0] < 0.5 < starts[1]


def test_kept_dice_stay():
    free, locked = (found(variant(lock_kept=lock)).start for lock in (False, True))
    assert free != pytest.approx(locked, abs=1e-7)


@pytest.mark.parametrize("lock_kept", [False, True])
@pytest.mark.parametrize("exactly", [False, True])
def test_one_go_is_the_same_as_by_itself(lock_kept, exactly):
    """Where the second player's dice do not count, and where the first one's do not."""
    worth = np.random.default_rng(7).random(56)
    follow = Follow.FIRST_EXACTLY if exactly else Follow.FREE
    goes = answering(3, follow, lock_kept)
    alone = best_play(lambda dice, used: float(worth[PLACE[dice]]), 3, lock_kept=lock_kept)
    first = goes.value(np.broadcast_to(worth[:, None], (1, 56, 56)))
    second = 1 - goes.value(np.broadcast_to(1 - worth, (1, 56, 56)))
    if not exactly:
        assert first[0] == pytest.approx(alone.value, abs=1e-12)
        assert second[0] == pytest.approx(alone.value, abs=1e-12)
    else:
        bound = best_play(
            lambda dice, used: float(worth[PLACE[dice]]), 3, exactly=True, lock_kept=lock_kept
        )
        # He who announces may stop early; the other must follow him, and suffers from it.
        assert bound.value - 1e-12 <= first[0] <= alone.value
        assert second[0] == pytest.approx(worth @ answering(1, follow, False).goes.odds[0])


def test_even_games():
    """With one throw each and a throw-off, it does not matter who starts."""
    discharge = {"throws": 1}
    rules = variant(ties="throw_off", phases={"discharge": discharge}, start={"next": "rotate"})
    assert found(rules).start == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("tokens", [1, 2, 5, 21])
def test_any_number_of_tokens(tokens):
    said = []
    found(played(bundled("421"), tokens=tokens), progress=said.append)
    assert said[-1] == 1.0
    assert said == sorted(said)


def test_the_same_from_any_start():
    rules = played(bundled("french-bar-11"), tokens=6)
    whole = found(rules)
    last = found(rules, start=Position(1, 0, 0, (2, 4)))
    for position in last.positions:
        assert last.value(position) == pytest.approx(whole.value(position), abs=1e-10)


def test_what_is_refused():
    big = played(changed("421", {"supply": {"pot": 60, "each": 30}}, {"options": None}))
    assert "more than" in solve(big).msgid
    assert "two players" in solve(played(bundled("421")), Position(0, 0, 1, (0, 0, 0))).msgid


def test_what_may_never_end():
    """All but the nénette are equal, and equal ones make the turn void."""
    rest = [dice for dice in COMBINATION_NAMES if dice != "221"]
    classes = [
        {"dice": rest, "value": 1, "kind": "plain"},
        {"dice": ["221"], "value": 1, "kind": "nenette"},
    ]
    listed = {"ranking": None, "values": None, "combinations": classes, "ties": "cancel"}
    rules = played(changed("421", {"help": [], **listed}), tokens=2)
    assert "for ever" in solve(rules).msgid
