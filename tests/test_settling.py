"""The end of a turn: who takes how many tokens from where, who is out, and what comes next."""

import pytest
from strategies import Game, assert_events, event

FOUR = ("Ana", "Bruno", "Clio", "Dario")


def ended(turn, best, worst, value, moved, source, table, tokens):
    return event(
        "turn_ended",
        turn=turn,
        best=best,
        worst=worst,
        value=value,
        moved=moved,
        source=source,
        table=table,
        tokens=tokens,
    )


def begun(turn, phase, starter, table, tokens):
    return event(
        "turn_started", turn=turn, phase=phase, starter=starter, table=table, tokens=tokens
    )


def phase_begun(tokens):
    return event("phase_started", phase="discharge", table=0, tokens=tokens)


def left(player, place=1):
    return event("left", player=player, place=place)


def in_discharge():
    """Ana has 1 token and starts, Bruno has 7; Clio and Dario have left."""
    game = Game(*FOUR, tokens=8)
    game.turn("665", "221", "111", "654")
    game.turn("665", "654", "543", "322")
    return game


def test_charge():
    game = Game(*FOUR)
    tokens = {"Ana": 0, "Bruno": 6, "Clio": 0, "Dario": 0}
    assert_events(
        game.turn("543", "221", "611", "665"),
        ended(1, "Clio", "Bruno", 6, 6, "table", 15, tokens),
        begun(2, "charge", "Bruno", 15, tokens),
    )
    assert game.state.turn.order == ("Bruno", "Clio", "Dario", "Ana")


@pytest.mark.parametrize(
    ("best", "value"),
    [
        ("421", 10),
        ("111", 7),
        ("666", 6),
        ("511", 5),
        ("444", 4),
        ("311", 3),
        ("222", 2),
        ("211", 2),
        ("654", 2),
        ("321", 2),
        ("665", 1),
        ("322", 1),
    ],
)
def test_the_best_says_how_many(best, value):
    told = Game("Ana", "Bruno").turn("221", best)[0]
    assert (told["value"], told["moved"], told["table"]) == (value, value, 21 - value)


def test_four_for_221_when_everybody_has_it():
    tokens = {"Ana": 4, "Bruno": 0, "Clio": 0}
    assert_events(
        Game("Ana", "Bruno", "Clio").turn("221", "221", "221"),
        ended(1, "Clio", "Ana", 4, 4, "table", 17, tokens),
        begun(2, "charge", "Ana", 17, tokens),
    )


@pytest.mark.parametrize(
    ("thrown", "best", "worst"),
    [
        (("421", "654", "421", "665"), "Clio", "Dario"),
        (("421", "421", "421", "421"), "Dario", "Ana"),
        (("654", "221", "221", "321"), "Ana", "Bruno"),
        (("221", "221", "221", "221"), "Dario", "Ana"),
        (("654", "665", "654", "665"), "Clio", "Bruno"),
        (("666", "611", "666", "611"), "Clio", "Bruno"),
    ],
)
def test_of_equal_combinations_the_later_is_the_stronger(thrown, best, worst):
    told = Game(*FOUR).turn(*thrown)[0]
    assert (told["best"], told["worst"]) == (best, worst)


def test_later_means_in_the_order_of_the_turn():
    game = Game("Ana", "Bruno", "Clio")
    game.turn("421", "654", "221")
    assert game.on_go == "Clio"
    # Clio, Ana, Bruno: Clio has the same as Bruno but was earlier.
    told = game.turn("221", "654", "221")[0]
    assert (told["best"], told["worst"]) == ("Ana", "Clio")
    told = game.turn("654", "221", "654")[0]
    assert (told["best"], told["worst"]) == ("Bruno", "Ana")


def test_throws_do_not_count_only_dice():
    game = Game("Ana", "Bruno")
    game.go("654", throws=3)
    game.go("654", throws=1)
    assert game.end_turn()[0]["best"] == "Bruno"


def test_no_more_than_the_table_has_and_several_leave_together():
    game = Game(*FOUR, tokens=12)
    game.turn("421", "665", "654", "655")
    assert game.on_go == "Dario"
    tokens = {"Ana": 0, "Bruno": 0, "Clio": 2, "Dario": 10}
    # Dario, Ana, Bruno, Clio: of ten only two are left.
    assert_events(
        game.turn("543", "654", "421", "655"),
        ended(2, "Bruno", "Clio", 10, 2, "table", 0, tokens),
        left("Ana"),
        left("Bruno"),
        phase_begun(tokens),
        begun(3, "discharge", "Clio", 0, tokens),
    )
    assert game.state.turn.order == ("Clio", "Dario")


def test_places_after_several_who_share_the_first():
    game = Game("Ana", "Bruno", "Clio", "Dario", "Eva", tokens=11)
    game.turn("665", "421", "654", "221", "543")
    events = game.turn("421", "665", "654", "543", "221")
    # Dario, Eva, Ana, Bruno, Clio: Clio takes the last one.
    assert [one["player"] for one in events if one["event"] == "left"] == ["Ana", "Bruno", "Eva"]
    assert all(one["place"] == 1 for one in events if one["event"] == "left")
    tokens = {"Ana": 0, "Bruno": 0, "Clio": 0, "Dario": 11, "Eva": 0}
    places = {"Ana": 1, "Bruno": 1, "Clio": 4, "Dario": 5, "Eva": 1}
    assert_events(
        game.turn("665", "221"),
        ended(3, "Clio", "Dario", 1, 1, "Clio", 0, tokens),
        left("Clio", 4),
        event("game_over", winners=["Ana", "Bruno", "Eva"], loser="Dario", places=places),
    )


def test_nobody_leaves_when_everybody_has_tokens():
    game = Game("Ana", "Bruno", tokens=2)
    game.turn("665", "221")
    tokens = {"Ana": 1, "Bruno": 1}
    assert_events(
        game.turn("665", "221"),
        ended(2, "Bruno", "Ana", 1, 1, "table", 0, tokens),
        phase_begun(tokens),
        begun(3, "discharge", "Ana", 0, tokens),
    )


def test_the_first_who_leaves_in_the_discharge_has_place_one():
    game = Game("Ana", "Bruno", "Clio", tokens=3)
    game.turn("221", "665", "665")
    game.turn("665", "221", "665")
    game.turn("665", "221", "665")
    assert game.state.standing.tokens == {"Ana": 1, "Bruno": 1, "Clio": 1}
    assert game.state.standing.places == {}
    # Clio, Ana, Bruno.
    tokens = {"Ana": 0, "Bruno": 1, "Clio": 2}
    assert_events(
        game.turn("221", "654", "665"),
        ended(4, "Ana", "Clio", 2, 1, "Ana", 0, tokens),
        left("Ana"),
        begun(5, "discharge", "Clio", 0, tokens),
    )
    assert game.turn("665", "221")[0]["best"] == "Clio"
    # Bruno, Clio: the second who leaves.
    assert game.turn("221", "666")[1:] == [
        left("Clio", 2),
        event(
            "game_over", winners=["Ana"], loser="Bruno", places={"Ana": 1, "Bruno": 3, "Clio": 2}
        ),
    ]


def test_discharge():
    game = in_discharge()
    tokens = {"Ana": 3, "Bruno": 5, "Clio": 0, "Dario": 0}
    assert game.state.standing.tokens == {"Ana": 1, "Bruno": 7, "Clio": 0, "Dario": 0}
    assert_events(
        game.turn("221", "654"),
        ended(3, "Bruno", "Ana", 2, 2, "Bruno", 0, tokens),
        begun(4, "discharge", "Ana", 0, tokens),
    )


def test_no_more_than_the_best_holds():
    game = in_discharge()
    tokens = {"Ana": 0, "Bruno": 8, "Clio": 0, "Dario": 0}
    places = {"Ana": 3, "Bruno": 4, "Clio": 1, "Dario": 1}
    assert_events(
        game.turn("421", "665"),
        ended(3, "Ana", "Bruno", 10, 1, "Ana", 0, tokens),
        left("Ana", 3),
        event("game_over", winners=["Clio", "Dario"], loser="Bruno", places=places),
    )


def test_one_who_takes_everything_in_the_charge_has_lost_at_once():
    tokens = {"Ana": 0, "Bruno": 5, "Clio": 0}
    assert_events(
        Game("Ana", "Bruno", "Clio", tokens=5).turn("421", "221", "665"),
        ended(1, "Ana", "Bruno", 10, 5, "table", 0, tokens),
        left("Ana"),
        left("Clio"),
        event(
            "game_over",
            winners=["Ana", "Clio"],
            loser="Bruno",
            places={"Ana": 1, "Bruno": 3, "Clio": 1},
        ),
    )


def test_no_turn_after_the_end():
    game = Game("Ana", "Bruno", tokens=1)
    game.turn("421", "221")
    state = game.state
    assert game.over
    assert game.on_go is None
    assert game.end_turn() == []
    assert game.state == state


def test_a_turn_is_settled_once():
    game = Game("Ana", "Bruno")
    game.turn("421", "221")
    assert game.end_turn() == []


def test_who_has_left_is_skipped():
    game = Game("Ana", "Bruno", "Clio", tokens=2)
    game.turn("665", "664", "221")
    game.turn("654", "221", "543")
    # Clio, Ana, Bruno: Ana has taken the other one, so Bruno is out.
    assert game.state.standing.places == {"Bruno": 1}
    assert game.state.turn.order == ("Ana", "Clio")


def test_the_loser_starts_also_after_the_change_of_phase():
    game = in_discharge()
    assert game.events[-1].phase == "discharge"
    assert game.events[-1].starter == game.state.standing.ended.worst


def test_turns_are_counted_across_the_phases():
    game = in_discharge()
    game.turn("221", "654")
    told = [(type(one).__name__, one.turn) for one in game.events if hasattr(one, "turn")]
    per_turn = ("TurnStarted", "TurnComplete", "TurnEnded")
    expected = [(name, turn) for turn in (1, 2, 3) for name in per_turn]
    assert told == [*expected, ("TurnStarted", 4)]
