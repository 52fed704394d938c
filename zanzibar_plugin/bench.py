"""How fast games are played, measured beside a plain loop in the same run.

CPU time, four players, the rules of 421 with their defaults.  Every key is a command, every
selection an event, and the state is folded from all events; each player chooses evenly among the
eight sets of dice he may throw again.  The plain loop plays the same game with nothing but local
variables, without keys, events or selections, and shows what the machine can do at most.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from zanzibar_plugin import engine, plugin, settling
from zanzibar_plugin.dice import DICE, Faces, high_to_low
from zanzibar_plugin.hookspecs import Step
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.state import evolve, rebuild
from zanzibar_plugin.text import Text, text

GAME = "421"
PLAYERS = ("Ana", "Bruno", "Clio", "Dario")
LISTENERS = 12
LANGUAGES = ("en", "es", "fr", "it", "sr")
ROUNDS = 5
_KEYS = tuple(map(str, range(7)))
GAMES = 200


class Figures(NamedTuple):
    """What was measured: medians of the rounds, with the spread (highest less lowest)."""

    games_per_second: float
    games_per_second_spread: float
    plain_games_per_second: float
    plain_games_per_second_spread: float
    ratio: float
    keys_per_game: float
    key_to_announcements_ms: float
    key_to_announcements_p99_ms: float
    listeners: int
    languages: int
    rounds: int
    games: int


def measure(rounds: int = ROUNDS, games: int = GAMES) -> Figures:
    """All figures; real and plain games take turns, so that both meet the same machine."""
    rules = default_rules()
    keys = 0
    real, plain = [], []
    for number in range(rounds):
        source = random.Random(number)
        begun = time.process_time()
        for _ in range(games):
            keys += play(rules, source)
        real.append(games / (time.process_time() - begun))
        source = random.Random(number)
        begun = time.process_time()
        for _ in range(games):
            plain_game(rules, source)
        plain.append(games / (time.process_time() - begun))
    times = key_times()
    return Figures(
        round(statistics.median(real), 1),
        round(max(real) - min(real), 1),
        round(statistics.median(plain), 1),
        round(max(plain) - min(plain), 1),
        round(statistics.median(r / p for r, p in zip(real, plain, strict=True)), 3),
        round(keys / (rounds * games), 1),
        round(statistics.median(times) * 1000, 4),
        round(sorted(times)[len(times) * 99 // 100] * 1000, 4),
        LISTENERS,
        len(LANGUAGES),
        rounds,
        games,
    )


def default_rules() -> Rules:
    """The rules every figure is measured with."""
    ruleset = plugin.library.find(GAME)
    assert ruleset is not None
    return rules_of(ruleset, {option.name: option.default for option in ruleset.options})


def play(rules: Rules, source: random.Random) -> int:
    """One game by keys and events; returns how many keys it took."""
    rnd = source.random
    state = rebuild(rules, engine.start(rules, PLAYERS))
    pressed = 0
    while state.standing.over is None:
        go = state.go
        if go is None:
            for event in settling.settle(state):
                state = evolve(state, event)
            continue
        keys = ["enter"]
        if go.dice:
            chosen = int(rnd() * 8)
            keys = [_KEYS[face] for n, face in enumerate(go.dice) if chosen >> n & 1]
            keys.append("enter")
        for key in keys:
            count = engine.dice_needed(state, go.player, key)
            faces = tuple([int(rnd() * 6) + 1 for _ in range(count)]) if count else ()
            for event in engine.decide(state, engine.Command(go.player, key, faces)):
                state = evolve(state, event)
        pressed += len(keys)
    return pressed


def plain_game(rules: Rules, source: random.Random) -> str:
    """The same game in a plain loop; returns the loser."""
    rnd = source.random
    strength = {one.dice: (one.strength, int(one.value)) for one in rules.combinations}
    table, phase, starter = rules.supply.pot, 0, 0
    tokens = [0] * len(PLAYERS)
    seats = list(range(len(PLAYERS)))
    while True:
        at = seats.index(starter)
        order = seats[at:] + seats[:at]
        limit = rules.phases[phase].throws
        best = worst = order[0]
        high, low, value = -1, 99, 0
        for seat in order:
            dice = _roll((), rnd)
            used = 1
            while used < limit:
                chosen = int(rnd() * 8)
                if not chosen:
                    break
                dice = _roll(tuple([f for n, f in enumerate(dice) if not chosen >> n & 1]), rnd)
                used += 1
            limit = used
            strong, worth = strength[dice]
            if strong >= high:
                best, high, value = seat, strong, worth
            if strong < low:
                worst, low = seat, strong
        if phase == 0:
            moved = min(value, table)
            table -= moved
        else:
            moved = min(value, tokens[best])
            tokens[best] -= moved
        tokens[worst] += moved
        starter = worst
        if table == 0:
            phase = 1
            seats = [seat for seat in seats if tokens[seat]]
            if len(seats) == 1:
                return PLAYERS[seats[0]]


def _roll(kept: Faces, rnd: Callable[[], float]) -> Faces:
    return high_to_low((*kept, *[int(rnd() * 6) + 1 for _ in range(DICE - len(kept))]))


def key_times(keys: int = 2000) -> list[float]:
    """CPU seconds from each key to the last of its announcements, for all listeners, by hooks.

    As a host does it: what all hear is rendered once for a language and point of view, that is
    for each player concerned and once for everybody else.
    """
    people = [f"Player {number}" for number in range(1, LISTENERS + 1)]
    listeners = [(name, LANGUAGES[n % len(LANGUAGES)]) for n, name in enumerate(people)]
    source = random.Random(1)
    times: list[float] = []
    step: Step | None = None
    while len(times) < keys:
        if step is None or any(event["event"] == "game_over" for event in step.events):
            begun = plugin.setup(
                game=GAME,
                players=people,
                options={},
                dice=lambda throw, count: source.choices(range(1, 7), k=count),
                lang="en",
            )
            assert isinstance(begun, Step)
            step = begun
            _announce(step, listeners)
        player = plugin.view(step.table, None, "en")["on_go"]  # type: ignore[index]
        key = plugin.bot_key(step.table, player, "regular") if player else ""
        begun_at = time.process_time()
        step = (
            plugin.on_key(step.table, player, key or "")
            if player
            else plugin.on_turn_end(step.table)
        )
        assert step is not None
        _announce(step, listeners)
        times.append(time.process_time() - begun_at)
    return times


def _announce(step: Step, listeners: Sequence[tuple[str, str]]) -> list[str]:
    """Every line every listener hears."""
    return [
        plugin.announce(step.table, event, name, language) or ""
        for event in step.events
        for name, language in listeners
    ]


def report(figures: Figures) -> tuple[Text, ...]:
    """The figures in sentences."""
    return (
        text(
            "Games per second, by keys with all events: {games} (spread {spread}).",
            games=str(figures.games_per_second),
            spread=str(figures.games_per_second_spread),
        ),
        text(
            "Games per second of a plain loop: {games} (spread {spread}). Ratio: {ratio}.",
            games=str(figures.plain_games_per_second),
            spread=str(figures.plain_games_per_second_spread),
            ratio=str(figures.ratio),
        ),
        text(
            "From a key to the announcements for {listeners} listeners in {languages} languages: "
            "{median} ms, and at most {most} ms for 99 of 100 keys.",
            listeners=figures.listeners,
            languages=figures.languages,
            median=str(figures.key_to_announcements_ms),
            most=str(figures.key_to_announcements_p99_ms),
        ),
    )
