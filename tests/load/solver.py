"""`python -m tests.load.solver`: how long solving takes, and a decision; medians and spread.

Processor time of this process alone, nothing read from files.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.playing import bundled, played
from tests.solver_tables import game, regular
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.solver.advisor import Advisor, make_advisor
from zanzibar_plugin.solver.duel import Duel, solve

GAMES = ("421", "french-bar-21")


def figure(what: str, times: list[float]) -> None:
    """Say a median, and the highest less the lowest."""
    spread = max(times) - min(times)
    print(f"{what}: {statistics.median(times):.4f} s (spread {spread:.4f}, {len(times)} times)")


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def solving(name: str, tokens: int, rounds: int) -> None:
    """Solve a game of two again and again."""
    rules = played(bundled(name), tokens=tokens)
    found: list[object] = []
    times = [timed(lambda: found.append(solve(rules))) for _ in range(rounds)]
    figure(f"{name}, two players, {tokens} tokens", times)
    assert isinstance(found[-1], Duel)
    print(f"  first player {found[-1].start:.10f}, error below {found[-1].bound:.1e}")


def deciding(name: str, players: int, folder: Path, three: bool) -> None:
    """Every decision of some games, from an advisor just made."""
    rules: Rules = played(bundled(name))
    made: list[object] = []
    seconds = timed(lambda: made.append(make_advisor(rules, players, folder=folder, three=three)))
    figure(f"{name}, {players} players, an advisor made", [seconds])
    advisor = made[0]
    assert isinstance(advisor, Advisor)
    times: list[float] = []

    def watch(state, player):
        begun = time.perf_counter()
        advisor.advise(state, player)
        times.append(time.perf_counter() - begun)

    names = [f"Player {number}" for number in range(players)]
    for seed in range(10):
        game(rules, dict.fromkeys(names, regular), random.Random(seed), watch)
    figure("  a decision", times)
    print(f"  at most {sorted(times)[len(times) * 99 // 100]:.4f} s for 99 of 100 decisions")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=99, help="tokens of the biggest game solved")
    parser.add_argument("--three", action="store_true", help="solve three players too: minutes")
    given = parser.parse_args()
    for name in GAMES:
        for tokens in sorted({21, given.most}):
            solving(name, tokens, given.rounds)
    with tempfile.TemporaryDirectory() as folder:
        for name in GAMES:
            for players in (2, 3, 6, 12):
                deciding(name, players, Path(folder), given.three)


if __name__ == "__main__":
    main()
