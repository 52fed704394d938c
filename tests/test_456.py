"""Zanzibar 4-5-6, line by line as its rules say it."""

import pytest
from playing import Room, assert_events, bundled, dice, event, named, played

GAME = bundled("zanzibar-456")
RULES = played(GAME)

# Strongest first; equal ones are joined.
ORDER = """
654 111 222 333 444 555 666 321
611 661 511 411 311 211 651 641 631 621 665 664 663 662 551 541 531=441 521=431 421=331 221
655 653=644 652=643 642=633 632 622 554 553=544 552=543 542=533=443 532=442=433 522=432 422=332 322
"""


def order_of(rules):
    classes = {}
    for one in rules.combinations:
        classes.setdefault(one.strength, []).append("".join(map(str, one.dice)))
    assert list(classes) == sorted(classes, reverse=True)
    return ["=".join(equal) for equal in classes.values()]


def test_order():
    assert order_of(RULES) == ORDER.split()
    assert len(order_of(RULES)) == 42
    assert len(RULES.combinations) == len({one.dice for one in RULES.combinations}) == 56


@pytest.mark.parametrize(
    ("thrown", "points"),
    [("651", 165), ("622", 64), ("511", 205), ("664", 124), ("542", 11), ("332", 8)],
)
def test_points(thrown, points):
    assert RULES.by_dice[dice(thrown)].points == points


def simple_order():
    """The order with simple points, worked out from the sentences of the rules."""
    special = ["654", "111", "222", "333", "444", "555", "666", "321"]
    every = ["".join(map(str, one.dice)) for one in RULES.combinations]
    sums = {}
    for one in sorted(every, reverse=True):
        if one not in special:
            sums.setdefault(sum(map(int, one)), []).append(one)
    return special + ["=".join(sums[total]) for total in sorted(sums, reverse=True)]


def test_simple_scoring():
    rules = played(GAME, scoring="simple")
    assert order_of(rules) == simple_order()
    assert len(order_of(rules)) == 22
    assert rules.by_dice[dice("651")].points == 12
    assert [one.value for one in rules.combinations[:8]] == [4, 3, 3, 3, 3, 3, 3, 2]


def test_classes_and_their_payment():
    by_value = {}
    for one in RULES.combinations:
        by_value.setdefault(one.value, []).append("".join(map(str, one.dice)))
    assert by_value[4] == ["654"]
    assert by_value[3] == ["111", "222", "333", "444", "555", "666"]
    assert by_value[2] == ["321"]
    assert len(by_value[1]) == 48
    assert set(by_value) == {1, 2, 3, 4}


@pytest.mark.parametrize(("players", "each"), [(2, 15), (3, 20), (4, 20), (12, 20)])
def test_supply(players, each):
    names = [f"P{n}" for n in range(players)]
    begun = Room(GAME, *names).events
    tokens = dict.fromkeys(names, each)
    options = {"advice": False, "scoring": "standard", "payment": "best"}
    assert_events(
        begun,
        event(
            "game_started",
            rules="zanzibar-456",
            players=names,
            options=options,
            table=0,
            tokens=tokens,
        ),
        event("turn_started", turn=1, phase="play", starter="P0", table=0, tokens=tokens),
    )


def test_the_first_throwers_number_holds_for_all():
    room = Room(GAME, "Ana", "Bruno", "Clio", "Dario")
    room.keys("Ana", "enter:665", "6", "enter:2", "enter")
    assert room.state.go.limit == 2
    room.keys("Bruno", "enter:443", "enter")
    # No falling limit: Bruno stopped after one throw, Clio still has two.
    assert room.state.go.limit == 2
    room.keys("Clio", "enter:443", "4", "enter:4")
    assert room.on_go == "Dario"
    assert room.state.go.limit == 2


def test_the_starter_may_use_three_throws():
    room = Room(GAME, "Ana", "Bruno")
    assert room.state.go.limit == 3
    room.keys("Ana", "enter:665", "6", "enter:2", "6", "enter:2")
    assert (room.on_go, room.state.go.limit) == ("Bruno", 3)


@pytest.mark.parametrize(
    ("best", "pays"),
    [("654", 4), ("111", 3), ("444", 3), ("666", 3), ("321", 2), ("611", 1), ("332", 1)],
)
def test_payment_by_the_class_of_the_best(best, pays):
    room = Room(GAME, "Ana", "Bruno", "Clio")
    tokens = {"Ana": 20 - pays, "Bruno": 20 + 2 * pays, "Clio": 20 - pays}
    assert_events(
        room.turn(best, "322", "422"),
        event(
            "turn_ended",
            turn=1,
            best="Ana",
            worst="Bruno",
            value=pays,
            moved=2 * pays,
            source=None,
            table=0,
            tokens=tokens,
            payments=[{"from": "Ana", "amount": pays}, {"from": "Clio", "amount": pays}],
        ),
        event("turn_started", turn=2, phase="play", starter="Ana", table=0, tokens=tokens),
    )


def test_payments_are_in_seat_order_whoever_starts():
    room = Room(GAME, "Ana", "Bruno", "Clio", "Dario")
    room.turn("322", "422", "654", "554")
    assert room.order == ("Clio", "Dario", "Ana", "Bruno")
    ended = room.turn("554", "322", "422", "651")[0]
    assert [one["from"] for one in ended["payments"]] == ["Ana", "Bruno", "Clio"]
    assert list(ended["tokens"]) == ["Ana", "Bruno", "Clio", "Dario"]


@pytest.mark.parametrize(
    ("thrown", "best", "worst"),
    [
        # Followers must throw higher, so the earlier is the stronger.
        (("654", "654", "322"), "Ana", "Clio"),
        (("322", "322", "654"), "Clio", "Bruno"),
        (("322", "322", "322"), "Ana", "Clio"),
        # Different dice with the same points are equal too.
        (("531", "441", "322"), "Ana", "Clio"),
        (("654", "531", "441"), "Ana", "Clio"),
        (("654", "441", "531"), "Ana", "Clio"),
        # Low triples are the stronger ones.
        (("666", "111", "555"), "Bruno", "Ana"),
        (("321", "666", "611"), "Bruno", "Clio"),
    ],
)
def test_equal_combinations(thrown, best, worst):
    ended = Room(GAME, "Ana", "Bruno", "Clio").turn(*thrown)[0]
    assert (ended["best"], ended["worst"]) == (best, worst)


def test_equal_goes_by_the_order_of_the_turn():
    room = Room(GAME, "Ana", "Bruno", "Clio")
    room.turn("422", "322", "654")
    ended = room.turn("554", "554", "332")[0]
    assert (ended["best"], ended["worst"]) == ("Clio", "Bruno")
    ended = room.turn("554", "322", "322")[0]
    assert (ended["best"], ended["worst"]) == ("Clio", "Bruno")


def test_the_best_starts_the_next_turn():
    room = Room(GAME, "Ana", "Bruno", "Clio")
    room.turn("422", "654", "322")
    assert room.order == ("Bruno", "Clio", "Ana")
    room.turn("422", "654", "322")
    assert room.order == ("Clio", "Ana", "Bruno")


def test_own_hand():
    room = Room(GAME, "Ana", "Bruno", "Clio", "Dario", payment="own_hand")
    ended, begun = room.turn("321", "111", "665", "322")
    assert ended["payments"] == [
        {"from": "Ana", "amount": 2},
        {"from": "Bruno", "amount": 3},
        {"from": "Clio", "amount": 1},
    ]
    assert (ended["value"], ended["moved"], ended["source"]) == (3, 6, None)
    assert ended["tokens"] == {"Ana": 18, "Bruno": 17, "Clio": 19, "Dario": 26}
    assert begun["starter"] == "Bruno"


def near_the_end():
    """Ana 3, Bruno 3, Clio 54; Ana starts the next turn."""
    room = Room(GAME, "Ana", "Bruno", "Clio")
    for _ in range(4):
        room.turn("654", "332", "322")
    room.turn("421", "332", "322")
    assert room.tokens == {"Ana": 3, "Bruno": 3, "Clio": 54}
    assert room.order[0] == "Ana"
    return room


def test_a_payer_short_of_chips_pays_what_he_has():
    room = near_the_end()
    room.turn("421", "322", "332")
    assert room.tokens == {"Ana": 2, "Bruno": 5, "Clio": 53}
    events = room.turn("654", "422", "322")
    assert events[0]["value"] == 4
    assert events[0]["payments"] == [{"from": "Ana", "amount": 2}, {"from": "Bruno", "amount": 4}]
    assert (events[0]["moved"], events[0]["tokens"]) == (6, {"Ana": 0, "Bruno": 1, "Clio": 59})
    assert_events(
        events[1:],
        event("game_over", winners=["Ana"], loser=None, places={"Ana": 1, "Bruno": 2, "Clio": 3}),
    )


def test_several_at_once_the_best_among_them_wins():
    events = near_the_end().turn("332", "654", "322")
    assert events[0]["tokens"] == {"Ana": 0, "Bruno": 0, "Clio": 60}
    assert_events(
        events[1:],
        event("game_over", winners=["Bruno"], loser=None, places={"Ana": 2, "Bruno": 1, "Clio": 3}),
    )


def test_several_at_once_without_the_best_share():
    room = Room(GAME, "Ana", "Bruno", "Clio", "Dario")
    for _ in range(6):
        # Ana, Bruno and Dario pay three each time, Clio takes.
        room.turn("111", "332", "322", "422")
    assert room.tokens == {"Ana": 2, "Bruno": 2, "Clio": 74, "Dario": 2}
    events = room.turn("332", "422", "111", "322")
    # Clio is the best and has many left; Ana and Bruno have none, Dario takes.
    assert events[0]["tokens"] == {"Ana": 0, "Bruno": 0, "Clio": 71, "Dario": 9}
    places = {"Ana": 1, "Bruno": 1, "Clio": 4, "Dario": 3}
    assert_events(
        events[1:], event("game_over", winners=["Ana", "Bruno"], loser=None, places=places)
    )


def test_nobody_leaves_and_there_is_one_phase():
    room = near_the_end()
    room.turn("654", "332", "322")
    assert room.over
    assert not named(room.events, "left")
    assert not named(room.events, "phase_started")
    assert all(one["table"] == 0 for one in named(room.events, "turn_ended"))
    assert {sum(one["tokens"].values()) for one in named(room.events, "turn_ended")} == {60}


def test_keys_after_the_end():
    room = near_the_end()
    room.turn("654", "332", "322")
    for key in ("enter", "space", "1", "shift+1"):
        assert room.refused("Ana", key) == "game_over"
    for key in "dcst":
        assert [one["event"] for one in room.press("Ana", key)] == ["answered"]
    assert room.press("Ana", "a") == []


@pytest.mark.parametrize(
    ("variant", "option"),
    [
        ("zanzibar-456-simple", ("scoring", "simple")),
        ("zanzibar-456-own-hand", ("payment", "own_hand")),
    ],
)
def test_the_variants_play_as_the_options_do(variant, option):
    alone, chosen = played(bundled(variant)), played(GAME, **dict([option]))
    for field in ("combinations", "phases", "supply", "tie", "next", "first", "ranking"):
        assert getattr(alone, field) == getattr(chosen, field)
    assert alone.options == chosen.options
    assert alone.id == variant
