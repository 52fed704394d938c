"""Every key in every situation, and how a go runs: exact events."""

import pytest
from strategies import ACTING, ASKING, NUMBERS, SHIFTED, SPECTATOR, Game, assert_events, event

from zanzibar_plugin import engine
from zanzibar_plugin.engine import KEYS, Command

PLAYERS = ("Ana", "Bruno", "Clio")
NOTHING = {"Ana": 0, "Bruno": 0, "Clio": 0}


def fresh():
    return Game(*PLAYERS)


def thrown():
    """Ana, who is on, has two equal dice before her."""
    game = fresh()
    game.keys("Ana", "enter:242")
    return game


def selected():
    game = thrown()
    game.keys("Ana", "2")
    return game


def rethrown():
    game = selected()
    game.keys("Ana", "enter:6")
    return game


def second_go():
    game = thrown()
    game.keys("Ana", "enter")
    return game


def complete():
    """Everybody is done and the turn waits for its end."""
    game = second_go()
    game.keys("Bruno", "enter:111")
    game.keys("Clio", "enter:221")
    return game


def over():
    """Ana has won, Bruno has lost with all of three tokens."""
    game = Game("Ana", "Bruno", tokens=3)
    game.turn("421", "322")
    assert game.over
    return game


SITUATIONS = (fresh, thrown, selected, rethrown, second_go, complete, over)


def refused(player, key, reason):
    return event("refused", player=player, key=key, reason=reason)


def name_of(case):
    return getattr(case, "__name__", None)


# Begin.


def test_begin():
    game = Game("Bruno", "Ana", tokens=7, dry_charge=True)
    tokens = {"Bruno": 0, "Ana": 0}
    assert_events(
        [engine.ev.to_data(one) for one in game.events],
        event(
            "game_started",
            rules="421",
            players=["Bruno", "Ana"],
            options={"tokens": 7, "dry_charge": True, "advice": False},
            table=7,
            tokens=tokens,
        ),
        event("turn_started", turn=1, phase="charge", starter="Bruno", table=7, tokens=tokens),
    )


def test_defaults():
    begun = Game("Ana", "Bruno").events[0]
    assert begun.table == 21
    assert begun.options == {"tokens": 21, "dry_charge": False, "advice": False}


# Each key of whoever is on.

SAID = {
    "d": [
        (fresh, {"thrower": None, "dice": None}),
        (thrown, {"thrower": "Ana", "dice": [4, 2, 2]}),
        (selected, {"thrower": "Ana", "dice": [4, 2, 2]}),
        (rethrown, {"thrower": "Ana", "dice": [6, 4, 2]}),
        (second_go, {"thrower": "Ana", "dice": [4, 2, 2]}),
        (complete, {"thrower": "Clio", "dice": [2, 2, 1]}),
        (over, {"thrower": "Bruno", "dice": [3, 2, 2]}),
    ],
    "c": [
        (fresh, {"best": None, "dice": None, "value": None}),
        # A throw that is not accepted yet does not count.
        (thrown, {"best": None, "dice": None, "value": None}),
        (second_go, {"best": "Ana", "dice": [4, 2, 2], "value": 1}),
        (complete, {"best": "Bruno", "dice": [1, 1, 1], "value": 7}),
    ],
    "s": [
        (fresh, {"tokens": NOTHING, "table": 21, "places": {}}),
        (complete, {"tokens": NOTHING, "table": 21, "places": {}}),
        (over, {"tokens": {"Ana": 0, "Bruno": 3}, "table": 0, "places": {"Ana": 1}}),
    ],
    "t": [
        (fresh, {"on_go": "Ana", "throws": 0, "limit": 3}),
        (thrown, {"on_go": "Ana", "throws": 1, "limit": 3}),
        (selected, {"on_go": "Ana", "throws": 1, "limit": 3}),
        (rethrown, {"on_go": "Ana", "throws": 2, "limit": 3}),
        (second_go, {"on_go": "Bruno", "throws": 0, "limit": 1}),
        (complete, {"on_go": None, "throws": None, "limit": None}),
        (over, {"on_go": None, "throws": None, "limit": None}),
    ],
}


@pytest.mark.parametrize("who", ["Ana", "Bruno", SPECTATOR])
@pytest.mark.parametrize(
    ("key", "situation", "answer"),
    [(key, *case) for key, cases in SAID.items() for case in cases],
    ids=name_of,
)
def test_questions_are_answered_to_everybody_at_any_time(key, situation, answer, who):
    game = situation()
    state = game.state
    assert_events(game.press(who, key), event("answered", player=who, key=key, **answer))
    assert game.state == state


def test_the_best_so_far_is_forgotten_with_the_turn():
    game = complete()
    game.end_turn()
    assert_events(
        game.press("Ana", "c"),
        event("answered", player="Ana", key="c", best=None, dice=None, value=None),
    )


def test_of_equal_combinations_the_later_is_best_so_far():
    game = fresh()
    game.go("421")
    game.go("421")
    assert game.press("Ana", "c")[0]["best"] == "Bruno"


def test_the_latest_throw_outlives_the_turn():
    game = complete()
    game.end_turn()
    assert game.press("Ana", "d")[0]["thrower"] == "Clio"


def test_tokens_in_seat_order_whoever_starts_and_who_has_left():
    game = Game(*PLAYERS, tokens=8)
    game.turn("665", "221", "111")
    assert game.on_go == "Bruno"
    tokens = {"Ana": 0, "Bruno": 7, "Clio": 0}
    answer = event("answered", player="Ana", key="s", tokens=tokens, table=1, places={})
    assert_events(game.press("Ana", "s"), answer)
    # Bruno, Clio, Ana: Ana takes the last one, and Clio is out.
    game.turn("665", "654", "322")
    tokens = {"Ana": 1, "Bruno": 7, "Clio": 0}
    answer |= {"tokens": tokens, "table": 0, "places": {"Clio": 1}}
    assert_events(game.press("Ana", "s"), answer)


def thrown_event(throw, limit, dice, new, player="Ana"):
    return event("thrown", player=player, throw=throw, limit=limit, dice=dice, new=new)


def selected_event(selected, kept):
    return event("selected", player="Ana", selected=selected, kept=kept)


def space_event(selected, kept):
    return event("answered", player="Ana", key="space", selected=selected, kept=kept)


@pytest.mark.parametrize(
    ("situation", "press", "expected"),
    [
        # Enter throws, throws again what is selected, and with nothing selected accepts.
        (fresh, "enter:132", [thrown_event(1, 3, [3, 2, 1], [1, 3, 2])]),
        (thrown, "enter", [event("accepted", player="Ana", dice=[4, 2, 2], throws=1)]),
        (selected, "enter:6", [thrown_event(2, 3, [6, 4, 2], [6])]),
        (rethrown, "enter", [event("accepted", player="Ana", dice=[6, 4, 2], throws=2)]),
        # Space tells what is selected and kept.
        (fresh, "space", [refused("Ana", "space", "not_thrown")]),
        (thrown, "space", [space_event([], [4, 2, 2])]),
        (selected, "space", [space_event([2], [4, 2])]),
        (rethrown, "space", [space_event([], [6, 4, 2])]),
        # A number selects one more die that shows it.
        *((fresh, key, [refused("Ana", key, "not_thrown")]) for key in NUMBERS),
        *((thrown, key, [refused("Ana", key, "no_such_die")]) for key in "1356"),
        (thrown, "2", [selected_event([2], [4, 2])]),
        (thrown, "4", [selected_event([4], [2, 2])]),
        *((selected, key, [refused("Ana", key, "no_such_die")]) for key in "1356"),
        (selected, "2", [selected_event([2, 2], [4])]),
        (selected, "4", [selected_event([4, 2], [2])]),
        # Shift with a number puts one back.
        *((fresh, key, [refused("Ana", key, "not_thrown")]) for key in SHIFTED),
        *((thrown, key, [refused("Ana", key, "none_selected")]) for key in SHIFTED),
        (selected, "shift+2", [selected_event([], [4, 2, 2])]),
        *(
            (selected, f"shift+{face}", [refused("Ana", f"shift+{face}", "none_selected")])
            for face in "13456"
        ),
        *((rethrown, key, [refused("Ana", key, "none_selected")]) for key in SHIFTED),
    ],
    ids=name_of,
)
def test_own_keys(situation, press, expected):
    game = situation()
    assert game.on_go == "Ana"
    assert_events(game.keys("Ana", press), *expected)


def test_two_equal_dice_one_by_one():
    game = thrown()
    assert_events(
        game.keys("Ana", "2", "2", "2", "shift+2", "shift+2", "shift+2"),
        selected_event([2], [4, 2]),
        selected_event([2, 2], [4]),
        refused("Ana", "2", "no_such_die"),
        selected_event([2], [4, 2]),
        selected_event([], [4, 2, 2]),
        refused("Ana", "shift+2", "none_selected"),
    )


def test_all_three_dice_can_be_selected_in_any_order():
    game = thrown()
    assert_events(
        game.keys("Ana", "2", "4", "2", "space", "4", "enter:531"),
        selected_event([2], [4, 2]),
        selected_event([4, 2], [2]),
        selected_event([4, 2, 2], []),
        space_event([4, 2, 2], []),
        refused("Ana", "4", "no_such_die"),
        thrown_event(2, 3, [5, 3, 1], [5, 3, 1]),
    )


def test_dice_put_back_are_not_thrown():
    game = thrown()
    game.keys("Ana", "2", "4", "shift+2")
    assert_events(game.keys("Ana", "enter:1"), thrown_event(2, 3, [2, 2, 1], [1]))


def test_new_faces_as_they_fell_and_dice_from_high_to_low():
    game = fresh()
    game.keys("Ana", "enter:631", "6", "1")
    assert_events(game.keys("Ana", "enter:25"), thrown_event(2, 3, [5, 3, 2], [2, 5]))


@pytest.mark.parametrize("key", ACTING)
@pytest.mark.parametrize("situation", SITUATIONS, ids=name_of)
@pytest.mark.parametrize("who", [*PLAYERS, SPECTATOR])
def test_keys_of_others_are_refused_with_the_reason(situation, key, who):
    game = situation()
    if who == game.on_go:
        return
    reason = "not_your_go" if who in PLAYERS else "spectator"
    if situation is over:
        reason = "game_over"
    state = game.state
    assert_events(game.press(who, key), refused(who, key, reason))
    assert game.state == state


@pytest.mark.parametrize("key", ["a", "h", "7", "0", "shift+7", "D", "", "shift+enter", "Enter"])
@pytest.mark.parametrize("situation", SITUATIONS, ids=name_of)
@pytest.mark.parametrize("who", ["Ana", SPECTATOR])
def test_other_keys_are_not_for_the_game(situation, key, who):
    game = situation()
    state = game.state
    assert game.press(who, key) == []
    assert game.state == state


def test_the_keys_are_frozen():
    # `a` announces the last throw, `h` asks for advice, where the rules have that.
    assert sorted(KEYS) == sorted((*ACTING, *ASKING, "a", "h"))
    assert sorted(engine.keys(fresh().state.setting.rules)) == sorted((*ACTING, *ASKING))


@pytest.mark.parametrize("situation", SITUATIONS, ids=name_of)
@pytest.mark.parametrize("key", KEYS)
def test_no_key_moves_tokens(situation, key):
    game = situation()
    before = game.state.standing
    for who in (*game.players, SPECTATOR):
        faces = "4" * engine.dice_needed(game.state, who, key)
        game.press(who, key, faces)
    assert game.state.standing == before


@pytest.mark.parametrize("situation", [s for s in SITUATIONS if s is not complete], ids=name_of)
def test_a_turn_that_is_not_complete_is_not_ended(situation):
    game = situation()
    state = game.state
    assert game.end_turn() == []
    assert game.state == state


def test_a_key_that_throws_needs_as_many_faces():
    state = thrown().state
    with pytest.raises(ValueError):
        engine.decide(fresh().state, Command("Ana", "enter", (4, 2)))
    with pytest.raises(ValueError):
        engine.decide(selected().state, Command("Ana", "enter", (4, 2)))
    assert engine.dice_needed(state, "Ana", "enter") == 0
    assert engine.dice_needed(state, "Bruno", "enter") == 0
    assert engine.dice_needed(fresh().state, "Ana", "enter") == 3
    assert engine.dice_needed(fresh().state, "Ana", "d") == 0
    assert engine.dice_needed(selected().state, "Ana", "enter") == 1


# The course of a go.


def test_after_the_last_throw_the_go_ends_by_itself():
    game = rethrown()
    assert_events(
        game.keys("Ana", "4", "2", "enter:21"),
        selected_event([4], [6, 2]),
        selected_event([4, 2], [6]),
        thrown_event(3, 3, [6, 2, 1], [2, 1]),
        event("accepted", player="Ana", dice=[6, 2, 1], throws=3),
    )
    assert game.on_go == "Bruno"


def test_a_die_kept_once_may_be_thrown_later():
    game = fresh()
    game.keys("Ana", "enter:654", "6", "enter:1")
    assert_events(
        game.keys("Ana", "5", "4", "enter:11")[2:],
        thrown_event(3, 3, [1, 1, 1], [1, 1]),
        event("accepted", player="Ana", dice=[1, 1, 1], throws=3),
    )


def test_after_another_throw_nothing_is_selected():
    game = selected()
    # The die falls on the same number again, and still it is a kept one.
    game.keys("Ana", "enter:2")
    assert_events(game.press("Ana", "space"), space_event([], [4, 2, 2]))
    assert_events(
        game.press("Ana", "enter"), event("accepted", player="Ana", dice=[4, 2, 2], throws=2)
    )


def test_the_last_one_completes_the_turn():
    game = second_go()
    game.keys("Bruno", "enter:111")
    assert_events(
        game.keys("Clio", "enter:221"),
        thrown_event(1, 1, [2, 2, 1], [2, 2, 1], "Clio"),
        event("accepted", player="Clio", dice=[2, 2, 1], throws=1),
        event("turn_complete", turn=1),
    )
    assert game.on_go is None


def test_completing_the_turn_by_accepting():
    game = Game("Ana", "Bruno")
    game.go("421", throws=2)
    assert_events(
        game.keys("Bruno", "enter:321", "enter")[1:],
        event("accepted", player="Bruno", dice=[3, 2, 1], throws=1),
        event("turn_complete", turn=1),
    )


# How many throws: each has at most as many as the one just before him used.


def limits(game, throws):
    """The limit each player meets when they use these numbers of throws."""
    found = []
    for used in throws:
        found.append(game.state.go.limit)
        game.go("654", used)
    return found


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ((3, 3, 3), [3, 3, 3]),
        # The first of three stops after two: two at most; the next after one: one only.
        ((2, 1, 1), [3, 2, 1]),
        ((2, 2, 1), [3, 2, 2]),
        ((3, 1, 1), [3, 3, 1]),
        ((1, 1, 1), [3, 1, 1]),
        ((3, 2, 2), [3, 3, 2]),
        # It is the one just before who counts, and it never goes up again.
        ((3, 2, 1), [3, 3, 2]),
    ],
)
def test_the_limit_falls(used, expected):
    assert limits(fresh(), used) == expected


def test_the_limit_of_the_example_is_told():
    game = fresh()
    game.go("654", 2)
    told = [one for one in game.keys("Bruno", "enter:654") if one["event"] == "thrown"]
    assert (told[0]["throw"], told[0]["limit"]) == (1, 2)
    assert game.press("Clio", "t")[0]["limit"] == 2
    game.keys("Bruno", "6")
    assert [one["event"] for one in game.keys("Bruno", "enter:6")] == ["thrown", "accepted"]


def test_each_turn_begins_with_all_throws():
    game = fresh()
    game.turn("654", "543", "432")
    assert limits(game, (3, 1, 1)) == [3, 3, 1]


def test_dry_charge():
    game = Game(*PLAYERS, dry_charge=True)
    assert_events(
        game.keys("Ana", "enter:466"),
        thrown_event(1, 1, [6, 6, 4], [4, 6, 6]),
        event("accepted", player="Ana", dice=[6, 6, 4], throws=1),
    )
    assert limits(game, (1, 1)) == [1, 1]
    game.end_turn()
    assert limits(game, (1, 1, 1)) == [1, 1, 1]


def test_the_discharge_after_a_dry_charge_has_all_throws():
    game = Game("Ana", "Bruno", dry_charge=True, tokens=11)
    game.turn("421", "655")
    game.turn("421", "655")
    assert game.state.phase.id == "discharge"
    assert limits(game, (3, 2)) == [3, 3]
