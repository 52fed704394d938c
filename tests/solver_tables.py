"""Tables for tests of the solver: players that choose by a rule of their own, dice by a seed."""

from zanzibar_plugin import bots, engine, settling
from zanzibar_plugin.bots import again, choices
from zanzibar_plugin.dice import FACES, without
from zanzibar_plugin.engine import Command, may_announce, must_throw
from zanzibar_plugin.events import Refused
from zanzibar_plugin.state import evolve, rebuild


def stop_at_once(state, source):
    """A beginner: as few throws as he may."""
    return (), True


def blind_throws(state, source):
    """Another one: always throws all he may, keeping what is equal to another die."""
    go = state.go
    odd = tuple(face for face in go.dice if go.dice.count(face) == 1)
    return (odd if len(odd) < 3 else go.dice), False


def regular(state, source):
    """The bot of the package: for the strongest combination it can expect."""
    go = state.go
    if not must_throw(state):
        return again(state.setting.rules, go.dice, go.limit - go.throws), False
    left = 1 if go.last else go.limit - go.throws
    return bots._best(state.setting.rules, go.dice, choices(go.dice)[1:], left), False


def random_choice(state, source):
    allowed = choices(without(state.go.dice, state.go.locked))
    return source.choice(allowed), source.random() < 0.5


def advised(advisor):
    """Does what the advisor says is the best."""

    def choose(state, source):
        advice = advisor.advise(state, state.go.player)
        assert advice is not None
        best = advice.best
        return best.again, best.last

    return choose


def keys(state, choice):
    """The keys of a choice: dice to throw again, and whether that is announced as the last."""
    again_, last = choice
    go = state.go
    if last and may_announce(state, go):
        yield "a"
    if not go.dice:
        yield "enter"
        return
    if must_throw(state) and not again_:
        again_ = without(go.dice, go.locked)[:1]
    for face in again_:
        yield str(face)
    yield "enter"


def step(state, player, key, source):
    """The state after a key; nothing may be refused."""
    count = engine.dice_needed(state, player, key)
    faces = tuple(source.choice(FACES) for _ in range(count))
    for event in engine.decide(state, Command(player, key, faces)):
        assert not isinstance(event, Refused), event
        state = evolve(state, event)
    return state


def game(rules, players, source, watch=None, state=None):
    """The state after a game of these players: a mapping from names to what they choose by."""
    if state is None:
        state = rebuild(rules, engine.start(rules, tuple(players)))
    while state.standing.over is None:
        if state.go is None:
            for event in settling.settle(state):
                state = evolve(state, event)
            continue
        player = state.go.player
        if watch is not None:
            watch(state, player)
        for key in keys(state, players[player](state, source) if state.go.dice or must_throw(state)
                        else ((), False)):  # fmt: skip
            state = step(state, player, key, source)
    return state
