"""Bots: always legal, soon done, and sensible."""

import random
from itertools import product

import pytest
from hypothesis import given
from strategies import ACTING, NAMES, SPECTATOR, Game, dice, games, rules_421

from zanzibar_plugin.bots import again, choices, next_key
from zanzibar_plugin.dice import COMBINATIONS

RULES = rules_421()
# Six keys at most put back and select before each of three throws or the acceptance.
MOST_KEYS = 3 * (6 + 1)


def finish_go(game, player, source):
    """The keys with which the bot ends this go."""
    keys = []
    turn = game.state.turn
    while game.on_go == player and game.state.turn == turn:
        keys.append(next_key(game.state, player))
        events = game.random_key(player, keys[-1], source)
        assert keys[-1] in ACTING
        assert events
        assert all(one["event"] != "refused" for one in events), keys
        assert len(keys) <= MOST_KEYS
    return keys


@given(games())
def test_always_legal_and_soon_done(game):
    """From any state, also when a bot takes over with dice selected, to the end of the turn."""
    source = random.Random(1)
    while game.on_go:
        finish_go(game, game.on_go, source)


@given(games())
def test_only_when_it_is_on(game):
    for player in (*game.players, SPECTATOR):
        assert bool(next_key(game.state, player)) == (player == game.on_go)


@given(games())
def test_it_looks_and_changes_nothing(game):
    before = game.state
    assert len({next_key(game.state, game.on_go or "Ana") for _ in range(3)}) == 1
    assert game.state == before


@pytest.mark.parametrize("left", [1, 2])
@pytest.mark.parametrize("thrown", ["421", "111", "666", "611"])
def test_good_dice_are_kept(thrown, left):
    assert again(RULES, dice(thrown), left) == ()


@pytest.mark.parametrize("left", [1, 2])
@pytest.mark.parametrize("thrown", ["221", "322", "332"])
def test_bad_dice_are_thrown_again(thrown, left):
    assert again(RULES, dice(thrown), left)


@pytest.mark.parametrize("thrown", COMBINATIONS)
def test_without_throws_left_everything_is_kept(thrown):
    assert again(RULES, thrown, 0) == ()


@pytest.mark.parametrize(("thrown", "left"), list(product(COMBINATIONS, (1, 2))))
def test_only_dice_that_are_there_are_thrown(thrown, left):
    assert again(RULES, thrown, left) in choices(thrown)


@pytest.mark.parametrize("thrown", ["421", "666", "111"])
def test_a_good_throw_is_accepted_at_once(thrown):
    game = Game("Ana", "Bruno")
    assert next_key(game.state, "Ana") == "enter"
    game.press("Ana", "enter", thrown)
    assert next_key(game.state, "Ana") == "enter"
    assert game.press("Ana", "enter")[0]["event"] == "accepted"


def test_221_is_selected_key_by_key_and_thrown_again():
    game = Game("Ana", "Bruno")
    game.press("Ana", "enter", "221")
    wanted = again(RULES, dice("221"), 2)
    pressed = []
    while (key := next_key(game.state, "Ana")) != "enter":
        assert [one["event"] for one in game.press("Ana", key)] == ["selected"]
        pressed.append(int(key))
    assert sorted(pressed) == sorted(wanted)
    assert game.press("Ana", "enter", "6" * len(wanted))[0]["throw"] == 2


def test_dice_wrongly_selected_are_put_back():
    """A person selected two dice of 4, 2, 1 and left; the bot goes on from there."""
    game = Game("Ana", "Bruno")
    game.keys("Ana", "enter:421", "4", "1")
    pressed = finish_go(game, "Ana", random.Random(0))
    assert sorted(pressed) == ["enter", "shift+1", "shift+4"]
    assert game.state.turn.results[0].dice == (4, 2, 1)


@pytest.mark.parametrize("chosen", [{}, {"dry_charge": True}])
@pytest.mark.parametrize("used", [1, 2])
def test_the_limit_is_respected(used, chosen):
    """With 5, 4, 1 the bot would go on, but it may not throw more often than the one before."""
    game = Game("Ana", "Bruno", **chosen)
    limit = 1 if chosen else used
    game.go("541", throws=limit)
    game.press("Bruno", "enter", "541")
    finish_go(game, "Bruno", random.Random(0))
    assert 1 <= game.state.turn.results[1].throws <= limit


def random_key(game, player, source):
    """One of the player's useful keys, all with the same chance."""
    go = game.state.go
    kept = list(go.dice)
    for face in go.selected:
        kept.remove(face)
    keys = {"enter", *map(str, kept), *(f"shift+{face}" for face in go.selected)}
    return source.choice(sorted(keys))


def bot_loses(seed):
    """One of two loses; the bot sits first in every other game."""
    source = random.Random(seed)
    bot = NAMES[seed % 2]
    game = Game(*NAMES[:2])
    while not game.over:
        player = game.on_go
        if game.waits_for_end:
            game.end_turn()
        elif player == bot:
            game.random_key(bot, next_key(game.state, bot), source)
        else:
            game.random_key(player, random_key(game, player, source), source)
    return game.state.standing.over.loser == bot


def test_it_is_clearly_better_than_chance():
    lost = sum(map(bot_loses, range(200)))
    # A player of the same strength would lose 100; 50 is three games won of four.
    assert lost <= 50
