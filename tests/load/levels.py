"""`python -m tests.load.levels`: how much better an expert bot does than the bots around it.

Whole games by the engine with fair dice from a seed: one expert, or as many as `--experts` says,
among bots of another level, on seats drawn for each game.  Where there is a loser it is stated how
often the expert loses, as a part of a fair share: less than 1 is better.  Where there is only a
winner it is stated how often he wins, where more than 1 is better.

Nobody presses keys here: the dice chosen are thrown at once, which is what those keys would do.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from tests.playing import bundled, played
from zanzibar_plugin import bots, engine, levels, settling
from zanzibar_plugin.dice import Faces, high_to_low, without
from zanzibar_plugin.events import Accepted, GameOver
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver.advisor import Advisor, estimating, make_advisor
from zanzibar_plugin.state import Go, State, evolve, rebuild

Chooser = Callable[[State, Go], tuple[Faces, bool]]
"""The dice to throw again, none to accept, and whether that is announced as the last throw."""


def simple(level: str) -> Chooser:
    """A bot that looks at its own dice alone; what it does is remembered."""
    wanted = {"regular": bots._wanted, "beginner": levels._hopeful}[level]
    known: dict[tuple[object, ...], Faces] = {}

    def choose(state: State, go: Go) -> tuple[Faces, bool]:
        key = (
            go.dice,
            go.locked,
            go.last,
            go.throws,
            go.limit,
            engine.must_throw(state),
            state.turn.about,
        )
        found = known.get(key)
        if found is None:
            found = known[key] = wanted(state, go)
        return found, False

    return choose


def expert(advisor: Advisor) -> Chooser:
    """Whoever does what the advisor calls the best."""

    def choose(state: State, go: Go) -> tuple[Faces, bool]:
        best = advisor.advise(state, go.player).best
        return () if best.stop else best.again, best.last

    return choose


def gone(state: State, chooser: Chooser, source: random.Random) -> State:
    """The state after the go of whoever is on, by his choices."""
    go = state.go
    locks, last = state.setting.rules.lock_kept, False
    if engine.may_announce(state, go):
        last = chooser(state, go)[1]
    count = 1 if state.turn.about == "start" else 3
    go = go._replace(throws=1, dice=thrown((), count, source))
    while go.throws < go.limit and not last:
        now = state._replace(go=go)
        again, last = chooser(now, go)
        if not again:
            break
        last = last and engine.may_announce(now, go)
        kept = without(go.dice, again)
        dice = thrown(kept, len(again), source)
        go = go._replace(throws=go.throws + 1, dice=dice, locked=kept if locks else ())
    return evolve(state, Accepted(go.player, go.dice, go.throws))


def thrown(kept: Faces, count: int, source: random.Random) -> Faces:
    """These dice and so many thrown ones, from high to low."""
    return high_to_low((*kept, *(int(source.random() * 6) + 1 for _ in range(count))))


def game(rules: Rules, choosers: Sequence[Chooser], source: random.Random) -> GameOver:
    """The end of a game in which each seat plays by its chooser."""
    names = tuple(f"Player {number}" for number in range(len(choosers)))
    by_name = dict(zip(names, choosers, strict=True))
    state = rebuild(rules, engine.start(rules, names))
    while state.standing.over is None:
        if state.go is None:
            for event in settling.settle(state):
                state = evolve(state, event)
        else:
            state = gone(state, by_name[state.go.player], source)
    return state.standing.over


class Share(NamedTuple):
    """Losses, or else wins, as a part of a fair share, and half the width of the 95 % interval."""

    share: float
    within: float
    wins: bool


def compared(
    rules: Rules, players: int, other: str, games: int, *, advisor: Advisor, experts: int = 1,
    seed: int = 1,
) -> Share:  # fmt: skip
    """What experts lose or win among others, with these seeds; per expert, relative to fair."""
    best, simply = expert(advisor), simple(other)
    found, wins = [], False
    for number in range(games):
        source = random.Random(f"{seed} {players} {number}")
        seats = source.sample(range(players), experts)
        over = game(rules, [best if seat in seats else simply for seat in range(players)], source)
        wins = over.loser is None
        names = [f"Player {seat}" for seat in seats]
        counted = over.winners if wins else (over.loser,)
        found.append(sum(name in counted for name in names) / len(counted) / experts * players)
    mean = sum(found) / games
    spread = sqrt(sum((one - mean) ** 2 for one in found) / max(1, games - 1) / games)
    return Share(mean, 1.96 * spread, wins)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["421", "french-bar-21", "french-bar-11",
                                                       "zanzibar-456"])  # fmt: skip
    parser.add_argument("--players", nargs="+", type=int, default=list(range(3, 13)))
    parser.add_argument("--others", nargs="+", default=["regular", "beginner"])
    parser.add_argument("--games", type=int, default=300, help="for each player at the table")
    parser.add_argument("--experts", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--estimate", action="store_true", help="nothing solved, estimates alone")
    parser.add_argument("--three", action="store_true", help="solve the last three too: a minute")
    parser.add_argument("--folder", type=Path, default=None, help="where solutions are kept")
    given = parser.parse_args()
    for name in given.rules:
        rules = played(bundled(name))
        print(f"| {name}, players | games | {' | '.join(given.others)} |")
        print("|---" * (2 + len(given.others)) + "|")
        for players in given.players:
            advisor = estimating(rules, players, tables=True)
            if not given.estimate:
                found = make_advisor(rules, players, folder=given.folder, three=given.three)
                assert isinstance(found, Advisor)
                advisor = found
            games = given.games * players
            shares = [
                compared(rules, players, other, games, advisor=advisor, experts=given.experts,
                         seed=given.seed)
                for other in given.others
            ]  # fmt: skip
            row = [f"{share.share:.2f} ± {share.within:.2f}" for share in shares]
            print(f"| {players} | {games} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
