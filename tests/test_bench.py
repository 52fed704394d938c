"""What the speed is measured with: the plain loop plays the very game of the keys and events."""

import random

import pytest

from zanzibar_plugin import bench
from zanzibar_plugin import events as ev

RULES = bench.default_rules()


def loser_of_real_game(monkeypatch, source):
    """Play a game by keys and events; the loser, and how many keys it took."""
    happened = []
    evolve = bench.evolve

    def listening(state, event):
        happened.append(event)
        return evolve(state, event)

    with monkeypatch.context() as patch:
        patch.setattr(bench, "evolve", listening)
        keys = bench.play(RULES, source)
    assert isinstance(happened[-1], ev.GameOver)
    return happened[-1].loser, keys


@pytest.mark.parametrize("seed", range(40))
def test_the_plain_loop_plays_the_same_game(monkeypatch, seed):
    """With the same chance both have the same loser, and have drawn as many dice and choices."""
    real, plain = random.Random(seed), random.Random(seed)
    loser, keys = loser_of_real_game(monkeypatch, real)
    assert bench.plain_game(RULES, plain) == loser
    assert plain.getstate() == real.getstate()
    assert keys > 2 * len(bench.PLAYERS)


def test_games_differ():
    """So that the comparison above has something to compare."""
    losers = {bench.plain_game(RULES, random.Random(seed)) for seed in range(40)}
    assert losers == set(bench.PLAYERS)


def test_the_figures():
    figures = bench.measure(rounds=1, games=5)
    # One round has no spread.
    assert figures.games_per_second_spread == figures.plain_games_per_second_spread == 0
    assert all(
        value > 0 for name, value in figures._asdict().items() if not name.endswith("_spread")
    )
    assert (figures.rounds, figures.games) == (1, 5)
    assert figures.listeners == bench.LISTENERS == 12
    assert figures.languages == len(bench.LANGUAGES) == 5
    assert figures.key_to_announcements_p99_ms >= figures.key_to_announcements_ms
    both = figures.games_per_second / figures.plain_games_per_second
    assert figures.ratio == pytest.approx(both, rel=0.05)


def test_the_report_has_every_measured_figure():
    figures = bench.Figures(1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25, 8.25, 12, 5, 2, 20)
    said = [field for sentence in bench.report(figures) for field in sentence.fields.values()]
    assert {"1.25", "2.25", "3.25", "4.25", "5.25", "7.25", "8.25", 12, 5} == set(said)
