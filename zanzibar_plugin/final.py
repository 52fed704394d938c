"""The end of a game or set: who has won, who has lost, and everybody's place."""

from __future__ import annotations

from zanzibar_plugin import events as ev
from zanzibar_plugin.contest import Decided
from zanzibar_plugin.rules import Ends
from zanzibar_plugin.state import State


def final(state: State, outcome: Decided, phase_over: bool) -> ev.GameOver | ev.SetEnded | None:
    """The end of the game or of a set after the turn just ended, or None if it goes on.

    The game ends when all but one have left, or with its last phase.
    """
    players, standing = state.setting.players, state.standing
    still_in = [player for player in players if player not in standing.places]
    last_phase = standing.phase == len(state.setting.rules.phases) - 1
    if len(still_in) > 1 and not (phase_over and last_phase):
        return None
    over = _ranked(state, outcome, still_in)
    needed = state.setting.rules.lost_sets
    if needed == 1 or over.loser is None:
        return over
    lost = {**standing.lost, over.loser: standing.lost[over.loser] + 1}
    if lost[over.loser] < needed:
        return ev.SetEnded(standing.set, over.winners, over.loser, lost)
    return _match_over(over.loser, lost)


def _ranked(state: State, outcome: Decided, still_in: list[str]) -> ev.GameOver:
    """Places of those still in by their tokens, the fewest first, after those who have left."""
    tokens, out = state.standing.tokens, state.standing.places
    first_empty = state.phase.ends is Ends.FIRST_EMPTY
    held = sorted(tokens[player] for player in still_in)
    places = {player: 1 + len(out) + held.index(tokens[player]) for player in still_in}
    best = outcome.best.player
    if first_empty and tokens[best] == 0:
        # Several may have none at once: then the best of the turn alone has won.
        places = {p: 2 if place == 1 and p != best else place for p, place in places.items()}
    most = [player for player in still_in if tokens[player] == held[-1]]
    loser = None
    if not first_empty and len(most) == 1:
        loser = most[0]
    every = {**out, **places}
    if loser is not None:
        every[loser] = len(state.setting.players)
    return _game_over({player: every[player] for player in state.setting.players}, loser)


def _match_over(loser: str, lost: ev.Tokens) -> ev.GameOver:
    """Places by the number of lost sets."""
    counts = sorted(lost.values())
    places = {player: 1 + counts.index(count) for player, count in lost.items()}
    places[loser] = len(places)
    return _game_over(places, loser)


def _game_over(places: dict[str, int], loser: str | None) -> ev.GameOver:
    winners = tuple(player for player, place in places.items() if place == 1)
    return ev.GameOver(winners, loser, places)
