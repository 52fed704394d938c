"""The review of a game: which decisions of a player have cost most, and what was better.

Each time a player accepted his dice or threw again, the coach is asked as if the player had asked
him then: nothing is known that the player did not see.  What costs less than one game in a
thousand is not spoken of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from zanzibar_plugin import events as ev
from zanzibar_plugin.advisors import Advisors
from zanzibar_plugin.dice import DICE, Faces
from zanzibar_plugin.engine import may_announce, must_throw
from zanzibar_plugin.naming import combination
from zanzibar_plugin.solver.advisor import Grounds, available
from zanzibar_plugin.speech.advice import in_cases, wins
from zanzibar_plugin.speech.scene import Sentences
from zanzibar_plugin.state import State, evolve
from zanzibar_plugin.text import Dice, Text, text

if TYPE_CHECKING:
    from zanzibar_plugin.solver.weighing import Choice

TOLD = 3
"""Decisions that are told, at most."""

LEAST = 0.001
"""A chance to win the game that is worth a word."""

PATIENCE = 10.0
"""Seconds the solution of a game is waited for."""

NO_NUMPY = text("A review needs numpy, which is not installed here.")


class Made(NamedTuple):
    """A decision: the table before it, the dice thrown again (none: accepted), `last` if announced.

    The table is as it was before an announcement.
    """

    state: State
    again: Faces
    last: bool


class Weighed(NamedTuple):
    """A decision, the choice that it was, and the best one; `exact` is false for an estimate."""

    made: Made
    done: Choice
    best: Choice
    exact: bool

    @property
    def cost(self) -> float:
        """By how much it has lowered the chance to win the game."""
        return self.best.win - self.done.win


def decisions(state: State, events: Iterable[ev.Event], player: str) -> list[Made]:
    """What a player has decided, in order, in a game that went on from this state by these events.

    What the rules decide is left out, and so is the first throw, unless it could be announced.
    """
    found = []
    for event in events:
        go = state.go
        if go is not None and go.player == player:
            before = state._replace(go=go._replace(last=False))
            if isinstance(event, ev.Thrown) and _could_choose(before):
                found.append(Made(before, go.selected, go.last))
            elif isinstance(event, ev.Accepted) and go.throws < go.limit and not must_throw(state):
                found.append(Made(before, (), False))
        if not isinstance(event, ev.GameStarted):
            state = evolve(state, event)
    return found


def _could_choose(state: State) -> bool:
    """Whether there is more than one way to throw now."""
    go = state.go
    assert go is not None
    return bool(go.dice) or (go.limit > 1 and may_announce(state, go))


def weighed(advisors: Advisors, made: Iterable[Made]) -> list[Weighed]:
    """These decisions, as good as can be known now; needs numpy."""
    found = []
    for one in made:
        go = one.state.go
        advice = None if go is None else advisors.advise(one.state, go.player)
        done = None if advice is None else advice.choice(one.again, one.last)
        if advice is not None and done is not None:
            exact = advice.grounds is not Grounds.ESTIMATE
            found.append(Weighed(one, done, advice.best, exact))
    return found


def sentences(
    advisors: Advisors, state: State, events: Iterable[ev.Event], player: str
) -> tuple[Sentences, ...]:
    """What is said to a player of a game that went on from this state; nothing to a stranger.

    What belongs together is one entry: a decision, what was better, and what it has cost.
    """
    if player not in state.setting.players:
        return ()
    if not available():
        return ((NO_NUMPY,),)
    made = decisions(state, events, player)
    if not made:
        return ((text("There is nothing to review: the dice have decided everything."),),)
    advisors.wait(state, PATIENCE)
    found = weighed(advisors, made)
    worst = sorted(found, key=lambda one: one.cost, reverse=True)[:TOLD]
    costly = [_told(one) for one in worst if one.cost >= LEAST]
    if not costly:
        costly.append((text("You play well: there is nothing to speak of to improve."),))
    estimated = sum(not one.exact for one in found)
    if estimated == len(found):
        costly.append((text("All of this is an estimate: the game is not worked out exactly."),))
    elif estimated:
        costly.append(
            (text("Part of this is an estimate: not all of the game is worked out exactly."),)
        )
    return tuple(costly)


def _told(one: Weighed) -> Sentences:
    return (_done(one.made, one.done), _better(one.best), _cost(one))


def _done(made: Made, done: Choice) -> Text:
    state, turn = made.state, made.state.turn.number
    assert state.go is not None
    if not state.go.dice:
        if done.last:
            return text("Round {turn}: you announce that your first roll is the last.", turn=turn)
        return text("Round {turn}: you roll without announcing.", turn=turn)
    shown = combination(state.go.dice, state.setting.rules)
    if done.stop:
        # L10N: {combination} is such as "5, 1, 1, pure of five".
        return text("Round {turn}: you accept {combination}.", turn=turn, combination=shown)
    again = Dice(done.again)
    if done.last:
        if len(done.again) == DICE:
            # L10N: {combination} is what the player has, such as "5, 1, 1, pure of five".
            return text(
                "Round {turn}: with {combination} you announce the last roll and roll all three "
                "again.",
                turn=turn,
                combination=shown,
            )
        # L10N: {combination} is what the player has; {dice} are some of its dice, one by one.
        return text(
            "Round {turn}: with {combination} you announce the last roll and roll again: {dice}.",
            turn=turn,
            combination=shown,
            dice=again,
        )
    if len(done.again) == DICE:
        # L10N: {combination} is what the player has, such as "5, 1, 1, pure of five".
        return text(
            "Round {turn}: with {combination} you roll all three again.",
            turn=turn,
            combination=shown,
        )
    # L10N: {combination} is what the player has; {dice} are some of its dice, one by one.
    return text(
        "Round {turn}: with {combination} you roll again: {dice}.",
        turn=turn,
        combination=shown,
        dice=again,
    )


def _better(best: Choice) -> Text:
    again = best.again
    if best.stop:
        return text("It is better to accept.")
    if best.last:
        if not again:
            return text("It is better to announce that the first roll is the last.")
        if len(again) == DICE:
            return text("It is better to announce the last roll and roll all three again.")
        # L10N: {dice} are the dice one by one, such as "4, 2".
        return text(
            "It is better to announce the last roll and roll again: {dice}.", dice=Dice(again)
        )
    if not again:
        return text("It is better to roll without announcing.")
    if len(again) == DICE:
        return text("It is better to roll all three again.")
    # L10N: {dice} are the dice one by one, such as "4, 2".
    return text("It is better to roll again: {dice}.", dice=Dice(again))


def _cost(one: Weighed) -> Text:
    """How many of so many games are won or, where several can win, are lost."""
    cases, best, done = in_cases(one.best.win, one.done.win)
    if wins(one.made.state):
        return _won(one, cases, done, best)
    return _lost(one, cases, cases - done, cases - best)


def _won(one: Weighed, cases: int, done: int, best: int) -> Text:
    if one.made.state.setting.rules.lost_sets > 1:
        # L10N: {done} sets are won after what the player did, {best} after the best choice.
        return text(
            "Of {cases} such sets you win {done} instead of {best}.",
            cases=cases,
            done=done,
            best=best,
        )
    # L10N: {done} games are won after what the player did, {best} after the best choice.
    return text(
        "Of {cases} such games you win {done} instead of {best}.",
        cases=cases,
        done=done,
        best=best,
    )


def _lost(one: Weighed, cases: int, done: int, best: int) -> Text:
    if one.made.state.setting.rules.lost_sets > 1:
        # L10N: {done} sets are lost after what the player did, {best} after the best choice.
        return text(
            "Of {cases} such sets you lose {done} instead of {best}.",
            cases=cases,
            done=done,
            best=best,
        )
    # L10N: {done} games are lost after what the player did, {best} after the best choice.
    return text(
        "Of {cases} such games you lose {done} instead of {best}.",
        cases=cases,
        done=done,
        best=best,
    )
