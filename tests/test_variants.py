"""What the parameters of a rules file do, each played out by keys, and the presets."""

import pytest
from playing import (
    LIBRARY,
    Room,
    assert_events,
    bundled,
    changed,
    dice,
    event,
    named,
    played,
)

from zanzibar_plugin import events as ev
from zanzibar_plugin.data import RULES
from zanzibar_plugin.document import read_file, to_data
from zanzibar_plugin.speech import sentences

THREE = ("Ana", "Bruno", "Clio")
FOUR = (*THREE, "Dario")

PLAIN = """
665 664 663 662 661 655 653 652 651 644 643 642 641 633 632 631 622 621
554 553 552 551 544 542 541 533 532 531 522 521
443 442 441 433 431 422 332 331 322
"""


def order_of(rules):
    return ["".join(map(str, one.dice)) for one in rules.combinations]


def throw_off(scope="both", order="forward", stake="same", throws=1, **more):
    parts = {"scope": scope, "order": order, "stake": stake, "throws": throws}
    return changed("421", {"ties": "throw_off", "throw_off": parts, **more})


def pot(tokens):
    """So many tokens on the table, also when nothing is chosen."""
    return {"supply": {"pot": tokens}, "options": {"tokens": {"default": tokens}}}


# Orders.


def test_triple_first():
    first = "421 111 666 611 555 511 444 411 333 311 222 211 654 543 432 321"
    assert order_of(played(bundled("421"))) == [*first.split(), *PLAIN.split(), "221"]


def test_pair_first():
    first = "421 111 611 666 511 555 411 444 311 333 211 222 654 543 432 321"
    rules = played(bundled("french-bar-21"))
    assert order_of(rules) == [*first.split(), *PLAIN.split(), "221"]
    assert len({one.strength for one in rules.combinations}) == 56


def test_pairs_above():
    first = "421 111 611 511 411 311 211 666 555 444 333 222 654 543 432 321"
    rules = played(bundled("belgian"))
    assert order_of(rules) == [*first.split(), *PLAIN.split(), "221"]


def test_three_ones_among_the_triples():
    first = "421 611 511 411 311 211 666 555 444 333 222 111 654 543 432 321"
    rules = played(bundled("cafe-pot-minus-one"))
    assert order_of(rules) == [*first.split(), *PLAIN.split(), "221"]
    assert {rules.by_dice[dice(3 * face)].value for face in "123456"} == {3}


def test_no_pairs():
    rules = played(bundled("bar-11-no-pairs"))
    first = "421 111 666 555 444 333 222 654 543 432 321"
    plain = sorted([*PLAIN.split(), "611", "511", "411", "311", "211"], reverse=True)
    assert order_of(rules) == [*first.split(), *plain, "221"]


def test_the_order_as_a_list_of_classes():
    """The shorthand expands to a list that plays the same when it is written out."""
    rules = played(bundled("421"))
    listed = [
        {"dice": [name], "kind": one.kind.value, "value": one.value}
        for name, one in zip(order_of(rules), rules.combinations, strict=True)
    ]
    again = changed("421", {"ranking": None, "values": None, "combinations": listed})
    assert played(again).combinations == rules.combinations
    assert played(again).ranking is None


def test_equal_combinations_of_a_list_are_ordered_by_their_dice():
    rest = [name for name in order_of(played(bundled("421"))) if name not in ("421", "654")]
    listed = [
        {"dice": ["421", "654"], "value": "all"},
        {"dice": rest[::-1], "value": 2},
    ]
    rules = played(changed("421", {"ranking": None, "values": None, "combinations": listed}))
    assert [one.strength for one in rules.combinations] == [2, 2] + [1] * 54
    assert order_of(rules) == ["654", "421", *sorted(rest, reverse=True)]


def test_points_and_low_triples():
    changes = {
        "ranking": {"rest": "sum", "triples": "low_first", "die_points": {"1": 100, "6": 60}}
    }
    rules = played(changed("421", changes))
    assert order_of(rules)[:12] == [
        *("421", "111", "222", "211", "333", "311", "444", "411", "555", "511", "666", "611")
    ]
    assert rules.strength(dice("631")) > rules.strength(dice("665"))
    assert rules.strength(dice("653")) == rules.strength(dice("644"))


# Throw-offs.


def started(players, about):
    return event("throw_off_started", players=list(players), about=about)


def test_throw_off_best_first_then_worst():
    room = Room(throw_off(), *FOUR)
    assert_events(room.turn("654", "665", "654", "665"), started(["Ana", "Clio"], "best"))
    assert (room.on_go, room.order, room.state.go.limit) == ("Ana", ("Ana", "Clio"), 1)
    room.throw("322", "421")
    assert_events(room.end_turn(), started(["Bruno", "Dario"], "worst"))
    room.throw("421", "665")
    ended, begun = room.end_turn()
    # The value is that of the turn's own best, not of a dice thrown off.
    assert (ended["best"], ended["worst"], ended["value"], ended["moved"]) == (
        "Clio",
        "Dario",
        2,
        2,
    )
    assert (ended["turn"], ended["source"], ended["table"]) == (1, "table", 19)
    assert begun["starter"] == "Dario"


def test_the_keys_of_a_throw_off_are_the_usual_ones():
    room = Room(throw_off(), *THREE)
    room.turn("654", "665", "654")
    assert room.refused("Bruno", "enter") == "not_your_go"
    names = [one["event"] for one in room.press("Ana", "enter", "221")]
    assert names == ["thrown", "accepted"]
    names = [one["event"] for one in room.press("Clio", "enter", "322")]
    assert names == ["thrown", "accepted", "turn_complete"]


def test_only_a_tie_needs_a_throw_off():
    room = Room(throw_off(), *FOUR)
    assert [one["event"] for one in room.turn("421", "322", "322", "221")] == [
        "turn_ended",
        "turn_started",
    ]


def test_tying_again_throws_again_among_those_who_tie():
    room = Room(throw_off(), *FOUR)
    room.turn("654", "654", "654", "221")
    room.throw("322", "665", "665")
    assert_events(room.end_turn(), started(["Bruno", "Clio"], "best"))
    room.throw("665", "665")
    assert_events(room.end_turn(), started(["Bruno", "Clio"], "best"))
    room.throw("665", "421")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"], ended["value"]) == ("Clio", "Dario", 2)


def test_tying_again_for_the_worst():
    room = Room(throw_off(), *FOUR)
    room.turn("421", "322", "322", "322")
    room.throw("221", "654", "221")
    assert_events(room.end_turn(), started(["Bruno", "Dario"], "worst"))
    room.throw("221", "322")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"]) == ("Ana", "Bruno")


def test_everybody_equal():
    room = Room(throw_off(), *THREE)
    assert_events(room.turn("665", "665", "665"), started(THREE, "best"))
    room.throw("421", "654", "221")
    # Ana is the best; the two others are still equal, whatever they threw for the best.
    assert_events(room.end_turn(), started(["Bruno", "Clio"], "worst"))
    room.throw("543", "654")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"], ended["value"]) == ("Ana", "Bruno", 1)


def test_two_players_equal_need_one_throw_off():
    room = Room(throw_off(), "Ana", "Bruno")
    room.turn("221", "221")
    room.throw("421", "665")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"], ended["value"]) == ("Ana", "Bruno", 4)


def test_only_the_worst_is_thrown_off():
    room = Room(throw_off(scope="worst"), *FOUR)
    assert_events(room.turn("654", "665", "654", "665"), started(["Bruno", "Dario"], "worst"))
    room.throw("654", "221")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"]) == ("Clio", "Dario")


def test_everybody_equal_when_only_the_worst_is_thrown_off():
    room = Room(throw_off(scope="worst"), *THREE)
    assert_events(room.turn("665", "665", "665"), started(["Ana", "Bruno"], "worst"))
    room.throw("654", "221")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"]) == ("Clio", "Bruno")


def test_reverse_order():
    room = Room(throw_off(order="reverse"), *FOUR)
    room.turn("654", "654", "654", "221")
    assert room.order == ("Clio", "Bruno", "Ana")
    assert room.on_go == "Clio"
    room.throw("665", "221", "665")
    events = room.end_turn()
    assert_events(events, started(["Ana", "Clio"], "best"))
    assert room.order == ("Clio", "Ana")


def test_reverse_is_the_reverse_of_the_turn_not_of_the_seats():
    room = Room(throw_off(order="reverse"), *THREE)
    room.turn("421", "654", "221")
    assert room.order == ("Clio", "Ana", "Bruno")
    room.turn("654", "654", "221")
    assert room.order == ("Ana", "Clio")


def test_stake_of_one():
    room = Room(throw_off(stake="one"), *THREE)
    room.turn("421", "421", "665")
    room.throw("654", "543")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"], ended["value"], ended["moved"]) == ("Ana", "Clio", 1, 1)
    # Without a tie the value counts.
    ended = room.turn("665", "421", "654")[0]
    assert (ended["value"], ended["moved"]) == (10, 10)


def test_several_throws():
    room = Room(throw_off(throws=2), *THREE)
    room.turn("421", "421", "665")
    assert (room.on_go, room.state.go.limit) == ("Ana", 2)
    room.keys("Ana", "enter:665", "enter")
    # The limit of a throw-off does not follow anybody.
    assert (room.on_go, room.state.go.limit) == ("Bruno", 2)
    room.keys("Bruno", "enter:665", "5", "enter:6")
    ended = room.end_turn()[0]
    assert (ended["best"], ended["worst"]) == ("Bruno", "Clio")


def test_a_throw_off_in_the_discharge_and_its_loser_starts():
    room = Room(throw_off(**pot(4)), *THREE)
    room.turn("654", "322", "543")
    room.turn("654", "322", "543")
    assert room.tokens == {"Ana": 0, "Bruno": 2, "Clio": 2}
    assert room.order == ("Clio", "Bruno")
    assert_events(room.turn("665", "665"), started(["Clio", "Bruno"], "best"))
    room.throw("421", "654")
    ended, begun = room.end_turn()
    assert (ended["source"], ended["moved"], ended["worst"]) == ("Clio", 1, "Bruno")
    assert begun["starter"] == "Bruno"


# Cancelled turns.


@pytest.mark.parametrize("thrown", [("654", "654", "221"), ("421", "322", "322"), ("554",) * 3])
def test_cancel(thrown):
    room = Room(changed("421", {"ties": "cancel"}), *THREE)
    room.turn("421", "221", "654")
    assert room.order[0] == "Bruno"
    ended, begun = room.turn(*thrown)
    assert (ended["moved"], ended["table"], ended["source"]) == (0, 11, "table")
    assert ended["tokens"] == {"Ana": 0, "Bruno": 10, "Clio": 0}
    assert (begun["turn"], begun["starter"]) == (3, "Bruno")
    assert ended["best"] != ended["worst"]


def test_a_tie_in_the_middle_cancels_nothing():
    room = Room(changed("421", {"ties": "cancel"}), *FOUR)
    assert room.turn("421", "322", "322", "221")[0]["moved"] == 10


def test_nothing_to_pay_is_not_called_a_tie():
    room = Room(changed("421", {"ties": "cancel", "nenette_penalty": 2, **pot(2)}), *THREE)
    ended = named(room.turn("421", "221", "665"), "turn_ended")[0]
    assert ended["moved"] == 0
    said = [
        one.msgid for one in sentences(room.table.ruleset, room.state, ev.from_data(ended), None)
    ]
    assert not any("tie" in one for one in said)


def test_earlier_wins():
    room = Room(changed("421", {"ties": "earlier_wins"}), *THREE)
    ended = room.turn("421", "421", "421")[0]
    assert (ended["best"], ended["worst"]) == ("Ana", "Clio")


# The penalty for a nénette.


def penalty(**more):
    return changed("421", {"nenette_penalty": 2, **more})


def test_penalty_from_the_pot():
    room = Room(penalty(), *THREE)
    events = room.turn("421", "221", "221")
    first = {"Ana": 0, "Bruno": 2, "Clio": 0}
    second = {"Ana": 0, "Bruno": 2, "Clio": 2}
    assert_events(
        events[:2],
        event("penalty_paid", player="Bruno", moved=2, source="table", table=19, tokens=first),
        event("penalty_paid", player="Clio", moved=2, source="table", table=17, tokens=second),
    )
    assert [one["event"] for one in events[2:]] == ["turn_ended", "turn_started"]
    assert (events[2]["worst"], events[2]["moved"], events[2]["table"]) == ("Bruno", 10, 7)


def test_penalty_is_no_more_than_there_is():
    room = Room(penalty(**pot(3)), *THREE)
    events = room.turn("421", "221", "221")
    paid = named(events, "penalty_paid")
    assert [one["moved"] for one in paid] == [2, 1]
    assert [one["source"] for one in paid] == ["table", "table"]
    ended = named(events, "turn_ended")[0]
    assert (ended["moved"], ended["table"]) == (0, 0)
    assert ended["tokens"] == {"Ana": 0, "Bruno": 2, "Clio": 1}
    assert [one["player"] for one in named(events, "left")] == ["Ana"]


def in_discharge():
    """Ana and Bruno have four each, Clio has left, and Bruno starts; the table is empty."""
    room = Room(penalty(**pot(8)), *THREE)
    room.turn("322", "444", "331")
    room.turn("444", "655", "655")
    assert room.tokens == {"Ana": 4, "Bruno": 4, "Clio": 0}
    assert room.order == ("Bruno", "Ana")
    return room


def test_penalty_from_the_best():
    room = in_discharge()
    assert_events(
        room.turn("221", "665")[:1],
        event(
            "penalty_paid",
            player="Bruno",
            moved=2,
            source="Ana",
            table=0,
            tokens={"Ana": 2, "Bruno": 6, "Clio": 0},
        ),
    )
    assert room.tokens == {"Ana": 1, "Bruno": 7, "Clio": 0}
    # The best has one only: the penalty takes it, and nothing is left for the turn.
    events = room.turn("221", "665")
    assert [one["event"] for one in events] == ["penalty_paid", "turn_ended", "left", "game_over"]
    assert (events[0]["moved"], events[0]["source"]) == (1, "Ana")
    assert (events[1]["value"], events[1]["moved"]) == (1, 0)


def test_no_penalty_from_the_best_to_himself():
    # Both have a nénette and the table is empty: the later is the best and pays the other.
    events = in_discharge().turn("221", "221")
    paid = named(events, "penalty_paid")
    assert [(one["player"], one["source"], one["moved"]) for one in paid] == [("Bruno", "Ana", 2)]


# Exactly as many throws as the first, and the last one announced.


def test_first_exactly():
    room = Room(bundled("lyon-vache"), *THREE, dry_charge=False)
    assert room.press("Ana", "enter", "665")[0]["event"] == "thrown"
    assert room.refused("Ana", "enter") == "not_announced"
    assert_events(room.press("Ana", "a"), event("last_announced", player="Ana", throw=2))
    # Saying it again changes nothing.
    before = room.state
    assert room.press("Ana", "a")[0]["event"] == "answered"
    assert room.state == before
    assert room.refused("Ana", "enter") == "not_announced"
    events = room.keys("Ana", "5", "enter:1")
    assert [one["event"] for one in events] == ["selected", "thrown", "accepted"]
    assert (events[-1]["throws"], room.on_go, room.state.go.limit) == (2, "Bruno", 2)
    assert room.refused("Bruno", "a") == "not_starter"
    room.press("Bruno", "enter", "421")
    assert room.refused("Bruno", "enter") == "must_throw"
    events = room.keys("Bruno", "4", "2", "1", "enter:665")
    assert events[-1]["event"] == "accepted"
    assert room.state.go.limit == 2
    assert room.refused("Ana", "a") == "not_your_go"
    assert room.refused("Zoe", "a") == "spectator"


def test_the_first_throw_may_be_announced_as_the_last():
    room = Room(bundled("lyon-vache"), *THREE, dry_charge=False)
    assert_events(room.press("Ana", "a"), event("last_announced", player="Ana", throw=1))
    assert [one["event"] for one in room.press("Ana", "enter", "421")] == ["thrown", "accepted"]
    assert (room.on_go, room.state.go.limit) == ("Bruno", 1)


def test_without_announcing_the_starter_throws_to_the_end():
    room = Room(bundled("lyon-vache"), *THREE, dry_charge=False)
    room.keys("Ana", "enter:421", "1", "enter:1", "1", "enter:1")
    assert (room.on_go, room.state.go.limit) == ("Bruno", 3)


def test_a_is_no_key_where_nothing_is_announced():
    for name in ("421", "french-bar-21", "zanzibar-456"):
        assert Room(bundled(name), *THREE).press("Ana", "a") == []


def test_a_throw_off_has_nothing_to_announce():
    room = Room(bundled("lyon-vache"), *THREE)
    room.turn("421", "421", "665")
    assert room.state.turn.about == "best"
    assert room.refused("Ana", "a") == "not_starter"


# Dice that stay kept.


def test_lock_kept():
    room = Room(changed("421", {"lock_kept": True}), "Ana", "Bruno")
    room.keys("Ana", "enter:664", "4", "enter:6")
    assert room.state.go.dice == (6, 6, 6)
    # Two sixes were kept, the third was thrown: one of them may still be selected.
    room.press("Ana", "6")
    assert room.refused("Ana", "6") == "locked"
    room.press("Ana", "enter", "1")
    assert room.on_go == "Bruno"


def test_a_locked_die_is_refused_even_as_the_first():
    room = Room(changed("421", {"lock_kept": True}), "Ana", "Bruno")
    room.keys("Ana", "enter:642", "2", "enter:1")
    assert room.refused("Ana", "6") == "locked"
    assert room.refused("Ana", "4") == "locked"
    assert room.refused("Ana", "5") == "no_such_die"
    assert room.press("Ana", "1")[0]["selected"] == [1]
    assert room.refused("Ana", "1") == "no_such_die"


def test_what_is_kept_may_be_thrown_without_a_lock():
    room = Room(bundled("421"), "Ana", "Bruno")
    room.keys("Ana", "enter:642", "2", "enter:1")
    assert room.press("Ana", "6")[0]["event"] == "selected"


def test_a_lock_holds_for_one_go():
    room = Room(changed("421", {"lock_kept": True}), "Ana", "Bruno")
    room.keys("Ana", "enter:642", "2", "enter:1", "enter")
    room.press("Bruno", "enter", "642")
    assert room.press("Bruno", "6")[0]["event"] == "selected"


# Repeated highest combinations.


@pytest.mark.parametrize(
    ("thrown", "value"),
    [
        (("421", "665", "654"), 8),
        (("421", "421", "654"), 10),
        (("421", "421", "421"), 12),
        (("111", "111", "654"), 7),
    ],
)
def test_repeat_step(thrown, value):
    game = changed("421", {"repeat_step": 2, "values": {"four_two_one": 8}})
    assert Room(game, *THREE).turn(*thrown)[0]["value"] == value


# Several sets.


def sets_game(number=2, **more):
    return changed("421", {"lost_sets": number, **pot(2), **more})


def test_sets():
    room = Room(sets_game(), *THREE)
    events = room.turn("421", "221", "665")
    tokens = dict.fromkeys(THREE, 0)
    assert_events(
        events[1:],
        event("left", player="Ana", place=1),
        event("left", player="Clio", place=1),
        event(
            "set_ended",
            set=1,
            winners=["Ana", "Clio"],
            loser="Bruno",
            lost={"Ana": 0, "Bruno": 1, "Clio": 0},
        ),
        event("set_started", set=2, phase="charge", table=2, tokens=tokens),
        event("turn_started", turn=2, phase="charge", starter="Bruno", table=2, tokens=tokens),
    )
    assert room.order == ("Bruno", "Clio", "Ana")
    # Clio loses the second set.
    events = room.turn("421", "221", "665")
    assert named(events, "set_ended")[0]["lost"] == {"Ana": 0, "Bruno": 1, "Clio": 1}
    assert room.order[0] == "Clio"
    # And Clio the third too: Ana has lost none, Bruno one.
    events = room.turn("221", "421", "665")
    places = {"Ana": 1, "Bruno": 2, "Clio": 3}
    assert_events(events[-1:], event("game_over", winners=["Ana"], loser="Clio", places=places))


def test_winners_of_several_sets_share():
    room = Room(sets_game(3), *THREE)
    for _ in range(3):
        events = room.turn(*("221" if name == "Ana" else "421" for name in room.order))
    assert_events(
        events[-1:],
        event(
            "game_over",
            winners=["Bruno", "Clio"],
            loser="Ana",
            places={"Ana": 3, "Bruno": 1, "Clio": 1},
        ),
    )


# Starting.


def test_the_highest_die_starts():
    game = changed("421", {"start": {"first": "die_high"}})
    room = Room(game, *FOUR)
    assert [one["event"] for one in room.events] == ["game_started", "throw_off_started"]
    assert_events(room.events[1:], started(FOUR, "start"))
    assert room.on_go == "Ana"
    assert room.state.go.limit == 1
    events = room.press("Ana", "enter", "3")
    assert (events[0]["dice"], events[0]["new"], events[0]["limit"]) == ([3], [3], 1)
    room.throw("6", "6", "1")
    assert_events(room.end_turn(), started(["Bruno", "Clio"], "start"))
    room.throw("2", "5")
    tokens = dict.fromkeys(FOUR, 0)
    begun = event("turn_started", turn=1, phase="charge", starter="Clio", table=21, tokens=tokens)
    assert_events(room.end_turn(), begun)
    assert room.order == ("Clio", "Dario", "Ana", "Bruno")
    assert room.state.go.limit == 3


def test_the_lowest_die_starts():
    game = changed("421", {"start": {"first": "die_low"}})
    room = Room(game, *THREE)
    room.throw("1", "6", "1")
    assert_events(room.end_turn(), started(["Ana", "Clio"], "start"))
    room.throw("4", "4")
    assert_events(room.end_turn(), started(["Ana", "Clio"], "start"))
    room.throw("4", "3")
    assert room.end_turn()[0]["starter"] == "Clio"


def test_the_winner_starts():
    game = changed("421", {"start": {"next": "winner"}})
    room = Room(game, *THREE)
    room.turn("665", "421", "221")
    assert room.order[0] == "Bruno"


def test_rotate():
    game = changed("421", {"start": {"next": "rotate"}})
    room = Room(game, *THREE)
    starters = []
    for _ in range(4):
        starters.append(room.order[0])
        room.turn("665", "322", "654")
    assert starters == ["Ana", "Bruno", "Clio", "Ana"]


def test_a_starter_who_has_left_is_followed_by_the_next_seat():
    room = Room(changed("421", {**pot(8), "start": {"next": "rotate"}}), *FOUR)
    room.turn("322", "444", "654", "654")
    room.turn("444", "322", "654", "654")
    # Bruno started and took none, so Clio is next; Bruno and Dario have left.
    assert room.tokens == {"Ana": 4, "Bruno": 0, "Clio": 4, "Dario": 0}
    assert room.order == ("Clio", "Ana")
    room.turn("665", "322")
    # Dario has left, so the seat after his is next.
    assert room.order == ("Ana", "Clio")


def test_a_winner_who_has_left_is_followed_by_the_next_seat():
    room = Room(changed("421", {**pot(6), "start": {"next": "winner"}}), *THREE)
    room.turn("654", "322", "331")
    room.turn("322", "331", "444")
    assert room.tokens == {"Ana": 4, "Bruno": 2, "Clio": 0}
    # Clio was the best of the last turn and has left.
    assert room.order == ("Ana", "Bruno")


def test_most_tokens_start_a_phase():
    changes = {"phases": {"discharge": {"starter": "most_tokens"}}, **pot(11)}
    room = Room(changed("421", changes), *THREE)
    room.turn("421", "322", "654")
    assert room.tokens["Bruno"] == 10
    room.turn("665", "322", "654")
    # The order was Bruno, Clio, Ana: Clio took the last one, but Bruno holds the most.
    assert room.tokens == {"Ana": 0, "Bruno": 10, "Clio": 1}
    assert room.order == ("Bruno", "Clio")
    assert Room(bundled("421"), *THREE).order[0] == "Ana"


def test_of_several_with_the_most_the_usual_starter_is_first():
    changes = {"phases": {"discharge": {"starter": "most_tokens"}}, **pot(4)}
    room = Room(changed("421", changes), *THREE)
    room.turn("654", "322", "543")
    room.turn("654", "322", "543")
    assert room.tokens == {"Ana": 0, "Bruno": 2, "Clio": 2}
    assert room.order == ("Clio", "Bruno")


# Ends of phases.

ONE = {"charge": None, "discharge": None}


def one_phase(payer="each_other", amount=2, ends="first_empty", leave="never", **more):
    phase = {
        "label": "play",
        "throws": 3,
        "follow": "free",
        "payer": payer,
        "amount": amount,
        "ends": ends,
        "leave": leave,
    }
    return {
        "supply": {"pot": 0, "each": 5},
        "phases": {**ONE, "play": phase},
        "options": {"tokens": None, "dry_charge": None},
        **more,
    }


def test_a_fixed_amount():
    room = Room(changed("421", one_phase()), *THREE)
    ended = room.turn("421", "322", "654")[0]
    assert (ended["value"], ended["moved"], ended["source"]) == (2, 4, None)
    assert ended["tokens"] == {"Ana": 3, "Bruno": 9, "Clio": 3}


def test_follow_free():
    room = Room(changed("421", one_phase()), *THREE)
    room.keys("Ana", "enter:421", "enter")
    assert room.state.go.limit == 3


def test_after_so_many_turns():
    room = Room(changed("421", one_phase(ends={"turns": 2})), *THREE)
    assert room.turn("421", "322", "654")[1]["event"] == "turn_started"
    events = room.turn("421", "322", "654")
    assert room.tokens == {"Ana": 1, "Bruno": 7, "Clio": 7}
    places = {"Ana": 1, "Bruno": 2, "Clio": 2}
    assert_events(events[1:], event("game_over", winners=["Ana"], loser=None, places=places))


def test_when_somebody_has_so_many():
    room = Room(changed("421", one_phase(ends={"target": 9})), *THREE)
    events = room.turn("421", "322", "654")
    places = {"Ana": 1, "Bruno": 3, "Clio": 1}
    game_over = event("game_over", winners=["Ana", "Clio"], loser="Bruno", places=places)
    assert_events(events[1:], game_over)


def test_first_empty_with_the_best_paying():
    room = Room(changed("421", one_phase(payer="best", amount="best_value")), *THREE)
    events = room.turn("421", "322", "654")
    assert (events[0]["source"], events[0]["value"], events[0]["moved"]) == ("Ana", 10, 5)
    places = {"Ana": 1, "Bruno": 3, "Clio": 2}
    assert_events(events[1:], event("game_over", winners=["Ana"], loser=None, places=places))


def test_one_holder_with_all_paying():
    game = changed("421", one_phase(amount=3, ends="one_holder", leave="turn_end"))
    room = Room(game, *THREE)
    room.turn("421", "322", "654")
    assert room.tokens == {"Ana": 2, "Bruno": 11, "Clio": 2}
    # Bruno is on; now Clio takes from both.
    events = room.turn("421", "322", "654")
    assert room.tokens == {"Ana": 0, "Bruno": 8, "Clio": 7}
    assert [one["event"] for one in events] == ["turn_ended", "left", "turn_started"]
    assert room.order == ("Clio", "Bruno")
    for _ in range(9):
        if room.over:
            break
        room.turn(*("421" if name == "Bruno" else "322" for name in room.order))
    assert room.state.standing.over.loser == "Clio"


def test_each_other_in_a_game_with_a_pot():
    """Tokens first go from the table, then all pay the weakest; those who leave pay no more."""
    phase = {"payer": "each_other", "amount": "best_value", "ends": "one_holder"}
    room = Room(changed("421", {"phases": {"discharge": phase}, **pot(6)}), *FOUR)
    room.turn("222", "322", "654", "654")
    room.turn("444", "322", "654", "543")
    assert room.tokens == {"Ana": 0, "Bruno": 2, "Clio": 4, "Dario": 0}
    assert room.order == ("Clio", "Bruno")
    ended = room.turn("665", "322")[0]
    assert ended["payments"] == [{"from": "Clio", "amount": 1}]
    assert (ended["source"], ended["tokens"]["Bruno"]) == (None, 3)


def test_fixed_amount_from_the_table():
    room = Room(changed("421", {"phases": {"charge": {"amount": 3}}}), *THREE)
    ended = room.turn("421", "322", "654")[0]
    assert (ended["value"], ended["moved"], ended["table"]) == (3, 3, 18)


# Supply.


@pytest.mark.parametrize(("players", "pot"), [(2, 11), (4, 11), (5, 13), (6, 15), (12, 27)])
def test_per_extra(players, pot):
    names = [f"P{n}" for n in range(players)]
    assert Room(bundled("belgian"), *names).events[0]["table"] == pot


@pytest.mark.parametrize(("players", "pot", "each"), [(2, 11, 0), (3, 21, 0), (4, 21, 2)])
def test_by_players(players, pot, each):
    game = changed("421", {"supply": {"by_players": {"2": {"pot": 11}, "4": {"each": 2}}}})
    begun = Room(game, *FOUR[:players]).events[0]
    assert (begun["table"], set(begun["tokens"].values())) == (pot, {each})


# Values that depend on how many there are.


def test_all():
    game = changed("421", {"values": {"four_two_one": "all"}})
    room = Room(game, *THREE)
    ended = room.turn("421", "322", "654")[0]
    assert (ended["value"], ended["moved"], ended["table"]) == (21, 21, 0)


def test_all_but_one():
    room = Room(bundled("cafe-pot-minus-one"), *THREE)
    ended = room.turn("421", "322", "654")[0]
    assert (ended["value"], ended["moved"], ended["table"]) == (10, 10, 1)
    # The last one moves too, so that every turn moves something.
    ended = room.turn("421", "322", "654")[0]
    assert (ended["value"], ended["moved"], ended["table"]) == (1, 1, 0)
    # In the discharge: all the giver has but one.
    assert room.tokens == {"Ana": 0, "Bruno": 10, "Clio": 1}
    assert room.order == ("Clio", "Bruno")
    ended = room.turn("322", "421")[0]
    assert (ended["value"], ended["moved"], ended["tokens"]["Bruno"]) == (9, 9, 1)


def test_a_value_of_one_combination():
    game = changed("421", {"values": {"211": 5}})
    assert Room(game, *THREE).turn("211", "322", "654")[0]["value"] == 5


# The presets.

PRESETS = {
    "421": {},
    "421-dry": {"phases": {"charge": {"throws": 1}}},
    "quebec": {},
    "french-bar-21": {
        "phases": {"charge": {"throws": 1, "follow": "first"}, "discharge": {"follow": "first"}},
        "ranking": {"pairing": "pair_first"},
        "values": {"nenette": 1},
        "nenette_penalty": 2,
        "ties": "throw_off",
    },
}
PRESETS["french-bar-11"] = {
    **PRESETS["french-bar-21"],
    "supply": {"pot": 11},
    "values": {"nenette": 1, "four_two_one": 8},
}
PRESETS["bar-11-no-pairs"] = {
    **PRESETS["french-bar-11"],
    "ranking": {"pairing": "no_pairs"},
    "values": {"nenette": 1, "four_two_one": 8, "pure": None},
    "nenette_penalty": 0,
}
PRESETS["veryphone"] = {
    "players": {"max": 4},
    "phases": {"charge": {"throws": 1, "follow": "first"}, "discharge": {"follow": "first"}},
    "values": {"nenette": 1},
    "ties": "throw_off",
}
PRESETS["cafe-pot-minus-one"] = {
    "supply": {"pot": 11},
    "phases": {"charge": {"follow": "first"}, "discharge": {"follow": "first"}},
    "ranking": {"top": ["421"], "pairing": "pairs_above"},
    "values": {"four_two_one": "all_but_one", "three_ones": None, "triple": 3, "nenette": 1},
    "ties": "throw_off",
}
PRESETS["belgian"] = {
    **PRESETS["french-bar-11"],
    "supply": {"pot": 11, "per_extra": {"above": 4, "add": 2}},
    "ranking": {"pairing": "pairs_above"},
    "lost_sets": 3,
}
PRESETS["lyon-vache"] = {
    **PRESETS["french-bar-21"],
    "phases": {
        "charge": {"throws": 1, "follow": "first_exactly"},
        "discharge": {"follow": "first_exactly"},
    },
    "announce_last": True,
}
PRESETS["rampo-one"] = {
    **PRESETS["french-bar-21"],
    "supply": {"pot": 15},
    "throw_off": {"stake": "one"},
    "values": {"nenette": 2},
    "nenette_penalty": 0,
}
PLAYED = (
    "min_players",
    "max_players",
    "supply",
    "phases",
    "combinations",
    "ranking",
    "first",
    "next",
    "tie",
    "throw_off",
    "penalty",
    "lock_kept",
    "repeat_step",
    "lost_sets",
    "announced",
)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_their_differences_and_no_others(name):
    """Each is compared with 421 changed as the table of variants says."""
    changes = PRESETS[name]
    options = {"options": {"tokens": None, "dry_charge": None}}
    helpless = {"help": []}
    expected = played(changed("421", changes, options, helpless))
    found = played(bundled(name))
    for field in PLAYED:
        assert getattr(found, field) == getattr(expected, field), field


@pytest.mark.parametrize("ruleset", LIBRARY.rulesets(), ids=lambda one: one.id)
def test_every_file_says_what_it_is(ruleset):
    assert ruleset.summary.endswith(".")
    if ruleset.id != "421":
        assert ruleset.region
    if ruleset.base:
        assert ruleset.source


def test_all_presets_are_there():
    ids = [ruleset.id for ruleset in LIBRARY.rulesets()]
    expected = {*PRESETS, "zanzibar-456", "zanzibar-456-simple", "zanzibar-456-own-hand"}
    assert set(ids) == expected
    assert len(ids) == len(expected)
    assert not LIBRARY.problems


def test_what_is_a_variant_of_what():
    roots = {ruleset.id: bool(ruleset.base) for ruleset in LIBRARY.rulesets()}
    assert [name for name, variant in roots.items() if not variant] == ["421", "zanzibar-456"]
    family = [ruleset.id for ruleset in LIBRARY.variants("belgian")]
    assert family[0] == "421"
    assert set(family) == set(PRESETS)
    assert [one.id for one in LIBRARY.variants("zanzibar-456-simple")] == [
        "zanzibar-456",
        "zanzibar-456-own-hand",
        "zanzibar-456-simple",
    ]


def test_dry_plays_as_the_option_does():
    dry, option = played(bundled("421-dry")), played(bundled("421"), dry_charge=True)
    for field in (*PLAYED, "options"):
        assert getattr(dry, field) == getattr(option, field)


@pytest.mark.parametrize("name", [one.id for one in LIBRARY.rulesets() if one.base])
def test_a_preset_file_states_only_differences(name):
    """Nothing in a preset's own file is as its base has it already."""
    own = to_data(read_file(RULES / f"{name}.yaml"))
    base = to_data(bundled(own.pop("base")).document)
    for field in ("region", "source"):  # said of each file anew
        base.pop(field, None)
    assert same(own, base) == []


def same(change, there):
    """The fields of a change that are the same without it."""
    found = []
    for name, value in change.items():
        if name in there:
            if isinstance(value, dict):
                found += same(value, there[name])
            elif value == there[name]:
                found.append(name)
    return found
