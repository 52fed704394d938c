"""Bots of each level: always legal, soon done, each in a style of its own."""

import random

import pytest
from hypothesis import given, settings
from strategies import ACTING, SPECTATOR, Game, games
from test_bots import MOST_KEYS

from zanzibar_plugin import levels, plugin
from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.dice import COMBINATIONS
from zanzibar_plugin.hookspecs import LEVELS
from zanzibar_plugin.solver import advisor

ADVISORS = Advisors()


@pytest.fixture(autouse=True)
def unsolved(monkeypatch):
    """Random rules are estimated only: to solve each of them would take long."""
    monkeypatch.setattr(Advisors, "_solve", lambda self: None)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=25, deadline=None)
@given(game=games())
def test_always_legal_and_soon_done(level, game):
    source = random.Random(1)
    while game.on_go:
        player, turn, keys = game.on_go, game.state.turn, []
        assert levels.next_key(game.state, SPECTATOR, level, ADVISORS) == ""
        while game.on_go == player and game.state.turn == turn:
            keys.append(levels.next_key(game.state, player, level, ADVISORS))
            events = game.random_key(player, keys[-1], source)
            assert keys[-1] in (*ACTING, "a") and events
            assert all(one["event"] != "refused" for one in events), keys
            assert len(keys) <= MOST_KEYS + 3


def key_after(thrown, level):
    """The first key of Ana, who starts and has thrown these dice."""
    game = Game("Ana", "Bruno")
    game.press("Ana", "enter", thrown)
    return levels.next_key(game.state, "Ana", level, ADVISORS)


def test_a_beginner_soon_has_enough_and_else_hopes_for_the_best():
    for thrown in ("222", "432", "221", "665"):
        assert key_after(thrown, "beginner") == "enter"
    assert key_after("641", "beginner") == "6"
    assert key_after("653", "beginner") == "6"
    game = Game("Ana", "Bruno")
    game.press("Ana", "enter", "653")
    for face in "653":
        game.press("Ana", face)
    game.press("Ana", "enter", "652")
    assert levels.next_key(game.state, "Ana", "beginner", ADVISORS) == "enter"


def test_styles_differ():
    shown = ["".join(map(str, thrown)) for thrown in COMBINATIONS]
    styles = {tuple(key_after(thrown, level) for thrown in shown) for level in LEVELS}
    assert len(styles) == len(LEVELS)


def test_without_numpy_the_expert_plays_like_the_regular_one(monkeypatch):
    monkeypatch.setattr("zanzibar_plugin.advisors.available", lambda: False)
    monkeypatch.setattr(advisor, "available", lambda: False)
    for thrown in ("221", "654", "611", "552"):
        assert key_after(thrown, "expert") == key_after(thrown, "regular")
    notes = {one.id: one.note for one in plugin.bot_levels("421", "en")}
    assert list(notes) == list(LEVELS)
    assert "numpy" in notes["expert"] and not notes["regular"] and not notes["beginner"]


def test_with_numpy_there_is_nothing_to_note():
    assert [tuple(one) for one in plugin.bot_levels("421", "sr")] == [(one, "") for one in LEVELS]
    assert plugin.bot_levels("chess", "en") is None
