"""What holds at every table whatever is pressed and thrown, and what becomes of saves."""

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import PurePath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import (
    ACTING,
    ASKING,
    NAMES,
    SPECTATOR,
    Game,
    any_key,
    games,
    new_games,
)

from zanzibar_plugin import bots, saving
from zanzibar_plugin import events as ev
from zanzibar_plugin.saving import restored, saved
from zanzibar_plugin.state import begin, evolve, rebuild
from zanzibar_plugin.table import ZanzibarTable, end_turn, press
from zanzibar_plugin.text import Text

# Many saves are read, each with the whole rules file.
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def states_of(game):
    """The state after each event of the game; the first event is the beginning."""
    state = begin(game.state.setting.rules, game.events[0])
    yield state
    for event in game.events[1:]:
        state = evolve(state, event)
        yield state


def places_fit(places):
    """Each place is one more than the number of those before it."""
    return all(
        place == 1 + sum(other < place for other in places.values()) for place in places.values()
    )


def assert_consistent(state):
    """A state such as a game can have between two steps."""
    rules, players = state.setting
    standing, turn, go, latest = state.standing, state.turn, state.go, state.latest
    assert rules.min_players <= len(players) <= rules.max_players
    assert tuple(standing.tokens) == players
    assert all(count >= 0 for count in (standing.table, *standing.tokens.values()))
    pot, each = rules.supply.start(len(players))
    assert (pot, each) == (rules.options["tokens"], 0)
    assert standing.table + sum(standing.tokens.values()) == pot
    assert places_fit(standing.places)

    if standing.over:
        assert go is None
        assert standing.tokens[standing.over.loser] == pot
        assert standing.places == standing.over.places
        assert set(standing.places) == set(players)
        assert standing.places[standing.over.loser] == len(players)
        winners = [player for player in players if standing.places[player] == 1]
        assert standing.over.winners == tuple(winners)
        assert len(turn.results) == len(turn.order)
    else:
        if state.phase.id == "charge":
            assert standing.table > 0
            assert not standing.places
        else:
            assert standing.table == 0
            assert all(
                (count == 0) == (p in standing.places) for p, count in standing.tokens.items()
            )
        seat = players.index(turn.order[0])
        seats = (*players[seat:], *players[:seat])
        assert turn.order == tuple(p for p in seats if p not in standing.places)
        assert (go is None) == (len(turn.results) == len(turn.order))
        assert (standing.ended is None) == (turn.number == 1)

    assert turn.number >= 1
    # One set is the whole game, and nothing is ever thrown off.
    assert (standing.set, set(standing.lost.values())) == (1, {0})
    assert (turn.about, turn.earlier) == ("turn", ())
    assert 0 <= standing.begun < turn.number
    if go:
        assert (go.locked, go.last) == ((), False)
    if standing.ended:
        ended = standing.ended
        assert ended.turn == turn.number - (0 if standing.over else 1)
        by_strength = sorted(
            enumerate(ended.results), key=lambda one: (rules.by_dice[one[1].dice].strength, one[0])
        )
        assert ended.worst == by_strength[0][1].player
        assert ended.best == by_strength[-1][1].player
        assert ended.worst != ended.best
        assert ended.worst == (standing.over.loser if standing.over else turn.order[0])

    limit = rules.phases[standing.ended.phase].throws if standing.over else state.phase.throws
    assert [one.player for one in turn.results] == list(turn.order[: len(turn.results)])
    for result in turn.results:
        assert 1 <= result.throws <= limit
        limit = result.throws
    if go:
        assert go.player == turn.order[len(turn.results)]
        assert go.limit == limit
        assert 0 <= go.throws < go.limit
        assert len(go.dice) == (3 if go.throws else 0)
        assert not Counter(go.selected) - Counter(go.dice)

    assert (latest is None) == (turn.number == 1 and not turn.results and not (go and go.throws))
    if go and go.throws:
        assert latest[1:] == (go.player, go.dice)
    elif turn.results:
        assert latest[1:] == turn.results[-1][:2]
    elif standing.ended:
        assert latest[1:] == standing.ended.results[-1][:2]


# Tokens, throws and turns.


@given(games())
def test_tokens_are_conserved_at_every_event(game):
    for event, state in zip(game.events, states_of(game), strict=True):
        standing = state.standing
        assert standing.table + sum(standing.tokens.values()) == game.events[0].table
        assert min(standing.table, *standing.tokens.values()) >= 0
        if hasattr(event, "tokens"):
            assert event.table + sum(event.tokens.values()) == game.events[0].table
            assert tuple(event.tokens) == game.players


@given(games())
def test_the_limit_never_rises_within_a_turn(game):
    limit = used = 0
    for event in game.events:
        if isinstance(event, ev.TurnStarted):
            limit = 1 if event.phase == "charge" and game.events[0].options["dry_charge"] else 3
        elif isinstance(event, ev.Thrown):
            assert event.limit == limit
            assert event.throw == used + 1 <= limit
            used += 1
        elif isinstance(event, ev.Accepted):
            assert event.throws == used
            limit, used = used, 0


@given(games())
def test_best_and_worst(game):
    for event in game.events:
        if isinstance(event, ev.TurnEnded):
            assert event.best != event.worst
            assert 0 < event.moved <= event.value
            assert event.source in ("table", event.best)


@given(games())
def test_a_place_is_left_once_and_the_game_ends_once(game):
    kinds = Counter(type(event) for event in game.events)
    leavers = [event.player for event in game.events if isinstance(event, ev.Left)]
    assert len(leavers) == len(set(leavers)) < len(game.players)
    assert kinds[ev.GameOver] <= 1
    assert kinds[ev.PhaseStarted] <= 1
    assert game.over == (len(leavers) == len(game.players) - 1)


@given(games())
def test_consistent_after_every_step(game):
    for _, state in game.history:
        assert_consistent(state)


@given(new_games, st.lists(st.integers(1, 6), min_size=1))
def test_the_charge_ends_within_as_many_turns_as_there_are_tokens(game, faces):
    for _ in range(game.events[0].table):
        if game.state.phase.id == "charge" and not game.over:
            game.finish_turn(faces)
    assert game.over or game.state.phase.id == "discharge"


@given(games())
def test_some_dice_end_the_game_from_anywhere(game):
    game.finish_turn([3])
    bound = game.events[0].table + len(game.players)
    for _ in range(bound):
        if game.over:
            break
        # The loser throws 221 and starts again; whoever is last throws the newest 421.
        game.turn("221", *["421"] * (len(game.state.turn.order) - 1))
    assert game.over


# Keys.


@given(games(), st.sampled_from((*NAMES, SPECTATOR, "")), any_key | st.text(max_size=3))
def test_no_key_of_anybody_raises(game, player, key):
    before = game.state.standing
    events = game.random_key(player, key, random.Random(0))
    assert game.state.standing == before
    # Each key of the game has an effect, which is told; of any other nothing comes.
    assert bool(events) == (key in ACTING or key in ASKING)


@given(games())
def test_questions_and_refusals_change_nothing(game):
    for event, (before, after) in zip(game.events[1:], pairwise(states_of(game)), strict=True):
        if isinstance(event, (ev.Answered, ev.Refused)):
            assert before == after


@given(games())
def test_events_are_plain_data_and_come_back(game):
    for event in game.events:
        data = ev.to_data(event)
        assert next(iter(data)) == "event"
        assert json.loads(json.dumps(data)) == data
        assert ev.from_data(json.loads(json.dumps(data))) == event


@slow
@given(games())
def test_the_state_can_be_rebuilt_from_the_events_at_every_point(game):
    texts = [json.dumps(ev.to_data(event)) for event in game.events]
    for count, state in game.history:
        events = [ev.from_data(json.loads(text)) for text in texts[:count]]
        assert rebuild(state.setting.rules, events) == state


@pytest.mark.parametrize(
    "data", [{}, {"event": "moved"}, {"event": None}, {"event": "left"}, {"event": "turn_complete"}]
)
def test_what_is_no_event_is_refused(data):
    with pytest.raises(ValueError):
        ev.from_data(data)


def test_a_table_begins_with_its_beginning():
    game = Game("Ana", "Bruno")
    for events in ([], game.events[1:]):
        with pytest.raises(ValueError):
            rebuild(game.state.setting.rules, events)


# Whole games with fair dice.

TURNS = 10_000
TABLES = [
    (2, {"tokens": 1}),
    (2, {"tokens": 99}),
    (3, {}),
    (5, {"dry_charge": True}),
    (12, {}),
    (12, {"tokens": 99, "dry_charge": True}),
]


def played(game, next_key, seed):
    """The game with keys from `next_key(player)` and fair dice, until its end."""
    source = random.Random(seed)
    while not game.over and game.state.turn.number <= TURNS:
        if game.waits_for_end:
            game.end_turn()
        else:
            game.random_key(game.on_go, next_key(game.on_go), source)
    return game


@pytest.mark.parametrize(("count", "chosen"), TABLES)
def test_a_fair_game_of_bots_ends(count, chosen):
    game = Game(*NAMES[:count], **chosen)
    assert played(game, lambda player: bots.next_key(game.state, player), count).over


@pytest.mark.parametrize(("count", "chosen"), TABLES)
def test_a_fair_game_with_random_keys_ends(count, chosen):
    source = random.Random(count)
    game = Game(*NAMES[:count], **chosen)
    assert played(game, lambda player: source.choice((*ACTING, *ASKING)), count).over


# Saves.


def no_dice(throw, count):
    return (4, 2, 1)[:count]


def through_json(table):
    return json.loads(json.dumps(saved(table)))


@slow
@given(games(moves=12))
def test_a_save_gives_an_equal_table_at_every_moment(game):
    for _, state in game.history[-4:]:
        table = ZanzibarTable(game.table.ruleset, state, no_dice)
        back = restored(through_json(table), no_dice)
        assert isinstance(back, ZanzibarTable), back
        assert back.state == state
        assert back.dice is no_dice
        # The file has another name and lines; what it says is the same.
        assert saved(back) == saved(table)


def nearly_over():
    """Ana and Bruno with four tokens in the discharge, Clio has left; Ana is in her go."""
    game = Game("Ana", "Bruno", "Clio", tokens=4)
    game.turn("654", "665", "221")
    game.turn("221", "665", "654")
    return game


def in_a_go():
    """Seven tokens are left; Ana has thrown, Bruno has thrown twice and selected a die."""
    game = Game("Ana", "Bruno", "Clio", tokens=9)
    game.turn("654", "543", "221")
    game.go("654", throws=3)
    game.keys(game.on_go, "enter:641", "1", "enter:2", "2")
    return game


def in_discharge():
    """Clio has left with place 1; Bruno starts, and has thrown twice."""
    game = Game("Ana", "Bruno", "Clio", tokens=8)
    game.turn("665", "221", "111")
    game.turn("665", "654", "322")
    game.keys(game.on_go, "enter:641", "1", "enter:2")
    return game


def over():
    game = Game("Ana", "Bruno", "Clio", tokens=1)
    game.turn("654", "543", "221")
    return game


def at(data, path):
    for name in PurePath(path).parts[:-1]:
        data = data[int(name) if isinstance(data, list) else name]
    return data, PurePath(path).name


# Each is one change of a save that no game could have made.
TAMPERED = [
    (in_a_go, "format", 2),
    (in_a_go, "format", None),
    (in_a_go, "game", "another"),
    (in_a_go, "rules", None),
    (in_a_go, "rules", []),
    (in_a_go, "rules/supply/pot", "21"),
    (in_a_go, "rules/supply/pot", 22),
    (in_a_go, "rules/values/plain", 2),
    (in_a_go, "rules/help", []),
    (in_a_go, "base", "421"),
    (in_a_go, "plugin", "another"),
    (in_a_go, "options", {}),
    (in_a_go, "options", {"tokens": 9}),
    (in_a_go, "options", {"tokens": 100, "dry_charge": False}),
    (in_a_go, "options", {"tokens": 10, "dry_charge": False}),
    (in_a_go, "options", {"tokens": 9, "dry_charge": False, "wild": True}),
    (in_a_go, "options", {"tokens": True, "dry_charge": False}),
    (in_a_go, "players", ["Ana", "Bruno"]),
    (in_a_go, "players", ["Ana", "Bruno", "Ana"]),
    (in_a_go, "players", ["Bruno", "Ana", "Clio"]),
    (in_a_go, "players", "Ana"),
    (in_a_go, "standing", None),
    (in_a_go, "standing/phase", "play"),
    (in_a_go, "standing/phase", 0),
    # There are tokens on the table, so this is no discharge.
    (in_a_go, "standing/phase", "discharge"),
    (in_discharge, "standing/phase", "charge"),
    (in_a_go, "standing/table", 8),
    (in_a_go, "standing/table", 7.0),
    (in_a_go, "standing/table", -7),
    (in_a_go, "standing/tokens", {"Ana": 0, "Bruno": 0}),
    (in_a_go, "standing/tokens", {"Ana": -1, "Bruno": 0, "Clio": 3}),
    (in_a_go, "standing/tokens", {"Ana": "0", "Bruno": 0, "Clio": 2}),
    (in_a_go, "standing/tokens", [0, 0, 2]),
    (in_a_go, "standing/places", {"Ana": 1}),
    (in_a_go, "standing/places", {"Zoe": 1}),
    (in_discharge, "standing/places", {}),
    (in_discharge, "standing/places", {"Clio": 2}),
    (in_discharge, "standing/places", {"Clio": 0}),
    # Nobody can be without tokens in the discharge and still in.
    (in_discharge, "standing/tokens", {"Ana": 8, "Bruno": 0, "Clio": 0}),
    (in_a_go, "standing/over", {}),
    (in_a_go, "standing/over", False),
    (in_a_go, "standing/begun", 1),
    (in_a_go, "standing/begun", "0"),
    (in_a_go, "standing/set", 2),
    (in_a_go, "standing/set", None),
    (in_a_go, "standing/lost", {"Ana": 0, "Bruno": 1, "Clio": 0}),
    (in_a_go, "standing/lost", {"Ana": 0, "Bruno": 0}),
    (in_a_go, "standing/lost", 0),
    (in_a_go, "standing/ended", None),
    (in_a_go, "standing/ended/turn", 7),
    (in_a_go, "standing/ended/best", "Clio"),
    (in_a_go, "standing/ended/worst", "Ana"),
    (in_a_go, "standing/ended/best", "Zoe"),
    (in_a_go, "standing/ended/results", []),
    (in_a_go, "standing/ended/results/0/dice", [4, 5, 6]),
    (in_a_go, "turn", None),
    (in_a_go, "turn/number", 0),
    (in_a_go, "turn/number", 1),
    (in_a_go, "turn/number", "2"),
    (in_a_go, "turn/order", []),
    (in_a_go, "turn/order", ["Clio", "Bruno", "Ana"]),
    # The loser starts.
    (in_a_go, "turn/order", ["Ana", "Bruno", "Clio"]),
    (in_a_go, "turn/results", []),
    (in_a_go, "turn/results/0/player", "Ana"),
    (in_a_go, "turn/results/0/throws", 4),
    (in_a_go, "turn/results/0/throws", 0),
    (in_a_go, "turn/results/0/throws", 1),
    (in_a_go, "turn/results/0/dice", [6, 5]),
    (in_a_go, "turn/results/0/dice", [6, 5, 7]),
    (in_a_go, "turn/results/0/dice", [4, 5, 6]),
    (in_a_go, "turn/about", "best"),
    (in_a_go, "turn/about", "set"),
    (in_a_go, "turn/about", None),
    (in_a_go, "turn/earlier", [{"about": "start", "results": []}]),
    (in_a_go, "turn/earlier", [{"about": "turn", "results": [1]}]),
    (in_a_go, "turn/earlier", {}),
    (in_a_go, "go", None),
    (in_a_go, "go/player", "Bruno"),
    (in_a_go, "go/limit", 4),
    (in_a_go, "go/limit", 2),
    (in_a_go, "go/throws", 3),
    (in_a_go, "go/throws", 0),
    (in_a_go, "go/dice", []),
    (in_a_go, "go/dice", [2, 4, 6]),
    (in_a_go, "go/dice", [6, 4, True]),
    (in_a_go, "go/dice", [6, 6, 6]),
    (in_a_go, "go/selected", [3]),
    (in_a_go, "go/selected", [2, 2]),
    (in_a_go, "go/selected", None),
    (in_a_go, "go/locked", [6]),
    (in_a_go, "go/locked", [2]),
    (in_a_go, "go/locked", 6),
    (in_a_go, "go/last", True),
    (in_a_go, "go/last", 0),
    (in_a_go, "latest", None),
    (in_a_go, "latest/player", "Zoe"),
    (in_a_go, "latest/player", "Clio"),
    (in_a_go, "latest/dice", [6, 6, 6]),
    (in_a_go, "latest/number", -1),
    (over, "standing/over", None),
    (over, "standing/over/loser", "Ana"),
    (over, "standing/over/winners", ["Clio"]),
    (over, "standing/over/winners", []),
    (over, "standing/over/places", {"Ana": 1, "Bruno": 1, "Clio": 2}),
    (over, "standing/places", {}),
    (over, "standing/tokens", {"Ana": 1, "Bruno": 0, "Clio": 0}),
    (over, "turn/results", []),
]


# Those that have the types and the shape of a save; only the digest finds them out.
WELL_FORMED = [
    (in_a_go, "rules/supply/pot", 22),
    (in_a_go, "rules/values/plain", 2),
    (in_a_go, "rules/help", []),
    (in_a_go, "base", "421"),
    (in_a_go, "plugin", "another"),
    (in_a_go, "options", {"tokens": 9}),
    (in_a_go, "standing/phase", "discharge"),
    (in_discharge, "standing/phase", "charge"),
    (in_discharge, "standing/places", {"Clio": 2}),
    (in_discharge, "standing/places", {"Clio": 0}),
    (in_discharge, "standing/tokens", {"Ana": 8, "Bruno": 0, "Clio": 0}),
    (in_a_go, "standing/begun", 1),
    (in_a_go, "standing/set", 2),
    (in_a_go, "standing/lost", {"Ana": 0, "Bruno": 1, "Clio": 0}),
    (in_a_go, "standing/ended", None),
    (in_a_go, "standing/ended/turn", 7),
    (in_a_go, "standing/ended/best", "Clio"),
    (in_a_go, "standing/ended/worst", "Ana"),
    (in_a_go, "turn/number", 0),
    (in_a_go, "turn/number", 1),
    (in_a_go, "turn/results/0/throws", 4),
    (in_a_go, "turn/results/0/throws", 0),
    (in_a_go, "turn/results/0/throws", 1),
    (in_a_go, "go/locked", [6]),
    (in_a_go, "go/last", True),
    (in_a_go, "latest", None),
    (in_a_go, "latest/player", "Clio"),
    (in_a_go, "latest/dice", [6, 6, 6]),
    (over, "standing/over/loser", "Ana"),
    (over, "standing/over/winners", ["Clio"]),
    (over, "standing/over/winners", []),
    (over, "standing/over/places", {"Ana": 1, "Bruno": 1, "Clio": 2}),
    (over, "standing/places", {}),
    (over, "standing/tokens", {"Ana": 1, "Bruno": 0, "Clio": 0}),
    (over, "turn/results", []),
]


def tampered(game, path, value):
    data = through_json(game().table)
    place, name = at(data, path)
    name = int(name) if isinstance(place, list) else name
    assert place[name] != value or type(place[name]) is not type(value)
    place[name] = value
    return data


def signed(data):
    """The save with the digest that its data has now, as somebody could make who knows how."""
    return {**data, "digest": saving._digest(data)}


def assert_can_be_played_on(table):
    """Every key of everybody works, and bots can go on for a while."""
    players = table.state.setting.players
    for player in (*players, SPECTATOR):
        for key in (*ACTING, *ASKING, "a"):
            told = press(table, player, key)
            assert all(ev.to_data(event) for event in told[1])
    for _ in range(12):
        go = table.state.go
        table, _ = (
            press(table, go.player, bots.next_key(table.state, go.player))
            if go
            else (end_turn(table))
        )
        assert restored(through_json(table), no_dice).state == table.state


tamperings = pytest.mark.parametrize(
    ("game", "path", "value"),
    TAMPERED,
    ids=[f"{game.__name__}-{path}-{json.dumps(value)}" for game, path, value in TAMPERED],
)


@tamperings
def test_a_save_that_was_tampered_with_is_refused(game, path, value):
    assert isinstance(restored(tampered(game, path, value), no_dice), Text)


@tamperings
def test_a_save_that_was_tampered_with_and_signed_is_refused_or_can_be_played(game, path, value):
    table = restored(signed(tampered(game, path, value)), no_dice)
    if (game, path, value) in WELL_FORMED:
        assert_can_be_played_on(table)
    else:
        assert isinstance(table, Text)


@pytest.mark.parametrize("digest", [None, "", "0" * 64, 0, [], {}, True])
def test_a_save_with_a_wrong_digest_is_refused(digest):
    data = through_json(in_a_go().table)
    assert restored(data, no_dice) == restored({**data, "digest": data["digest"]}, no_dice)
    assert isinstance(restored({**data, "digest": digest}, no_dice), Text)
    assert isinstance(restored({**data, "digest": data["digest"].upper()}, no_dice), Text)


@pytest.mark.parametrize(
    "path",
    [
        *("digest", "plugin", "game", "base"),
        *("format", "rules", "options", "players", "standing", "turn", "go", "latest"),
        *("standing/phase", "standing/table", "standing/tokens", "standing/places"),
        *("standing/ended", "standing/over", "turn/number", "turn/order", "turn/results"),
        *("standing/begun", "standing/set", "standing/lost", "turn/about", "turn/earlier"),
        *("go/player", "go/limit", "go/throws", "go/dice", "go/selected"),
        *("go/locked", "go/last"),
        *("latest/number", "latest/player", "latest/dice"),
    ],
)
@pytest.mark.parametrize("game", [in_a_go, over])
def test_a_save_that_lacks_something_is_refused(game, path):
    data = through_json(game().table)
    place, name = at(data, path)
    if place is None:
        return
    empty = place[name] is None
    del place[name]
    assert isinstance(restored(data, no_dice), Text)
    if path in ("digest", "plugin"):
        return  # the digest of one that lacks it is none; the mark is looked at before
    table = restored(signed(data), no_dice)
    if empty or path in ("latest", "standing/ended"):
        # What may be null may also be absent, as far as anything but the digest knows.
        assert_can_be_played_on(table)
    else:
        assert isinstance(table, Text)


def renamed(data, names):
    """The save with these names in place of the players'."""
    source = json.dumps(data)
    for old, new in names.items():
        source = source.replace(json.dumps(old), json.dumps(new))
    return json.loads(source)


@pytest.mark.parametrize("name", ["", " ", "Ana ", "A\nna", "A\u202ena", "x" * 41, "bruno"])
def test_a_save_has_the_names_a_table_may_have(name):
    data = renamed(through_json(in_a_go().table), {"Ana": name})
    assert isinstance(restored(data, no_dice), Text)
    assert isinstance(restored(signed(data), no_dice), Text)


def test_a_save_has_no_more_players_than_the_game():
    data = through_json(Game(*NAMES).table)
    data["players"].append("Max")
    data["standing"]["tokens"]["Max"] = 0
    data["standing"]["lost"]["Max"] = 0
    data["turn"]["order"].append("Max")
    assert isinstance(restored(data, no_dice), Text)
    assert isinstance(restored(signed(data), no_dice), Text)


def test_the_sentence_of_a_refusal_says_that_the_save_is_kept():
    for change in ({"format": 2}, {"players": None}):
        problem = restored(through_json(over().table) | change, no_dice)
        assert "The save is kept." in problem.msgid


def test_a_save_is_no_part_of_the_table():
    game = in_a_go()
    data = saved(game.table)
    before = json.dumps(data)
    data["standing"]["tokens"]["Ana"] = 9
    data["turn"]["results"].clear()
    data["options"]["tokens"] = 3
    assert json.dumps(saved(game.table)) == before


scalars = st.sampled_from(
    (None, True, False, 0, 1, 2, 3, 4, 7, -1, 1.5, 10**9, 10**20, "", "1", "Ana", "Bruno", "charge")
)
garbage = (
    scalars
    | st.lists(scalars, max_size=3)
    | st.dictionaries(st.sampled_from(("Ana", "player", "event")), scalars, max_size=2)
)


def mutated(draw, data):
    """One thing in the data, anywhere, is dropped, doubled, changed or taken from elsewhere."""
    place = data
    while True:
        names = sorted(place) if isinstance(place, dict) else range(len(place))
        if not names:
            return
        name = draw(st.sampled_from(names))
        if not isinstance(place[name], (dict, list)) or not draw(st.integers(0, 3)):
            break
        place = place[name]
    kind = draw(st.sampled_from(("drop", "double", "change", "change")))
    if kind == "drop":
        del place[name]
    elif kind == "double" and isinstance(place, list):
        place.append(place[name])
    else:
        place[name] = draw(garbage)


@slow
@given(st.data(), games(moves=12))
def test_any_garbage_is_refused(data, game):
    save = through_json(game.table)
    before = json.dumps(save)
    for _ in range(data.draw(st.integers(1, 3))):
        mutated(data.draw, save)
    if json.dumps(save) == before:
        assert restored(save, no_dice).state == game.state
        return
    assert isinstance(restored(save, no_dice), Text)
    # Even with the right digest it is refused, or can be played on and saved again.
    table = restored(signed(save), no_dice)
    if not isinstance(table, Text):
        assert_can_be_played_on(table)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)


@slow
@given(st.dictionaries(st.sampled_from(sorted(through_json(Game("A", "B").table))), json_values))
def test_any_other_data_is_refused(data):
    assert isinstance(restored({"format": 1} | data, no_dice), Text)
    assert isinstance(restored(signed({"format": 1} | data), no_dice), Text)
