"""A game of two solved in the plainest way, to compare with: every two final dice by the engine.

It shares nothing with the solver but the engine itself.
"""

from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import COMBINATIONS, high_to_low, throws
from zanzibar_plugin.rules import Follow
from zanzibar_plugin.settling import settle
from zanzibar_plugin.state import evolve, rebuild

PLAYERS = ("Ana", "Bruno")
SETS = sorted({high_to_low(d[:n]) for d in COMBINATIONS for n in (0, 1, 2)} | {
    high_to_low(d[1:]) for d in COMBINATIONS} | {(d[0], d[2]) for d in COMBINATIONS})  # fmt: skip


def _falls(kept):
    found = {}
    outcomes = throws(3 - len(kept))
    for faces in outcomes:
        dice = high_to_low((*kept, *faces))
        found[dice] = found.get(dice, 0) + 1 / len(outcomes)
    return tuple(found.items())


FALLS = {kept: _falls(kept) for kept in SETS}


def _inside(kept, dice):
    return all(kept.count(face) <= dice.count(face) for face in kept)


KEPT = {dice: [kept for kept in SETS if _inside(kept, dice)] for dice in COMBINATIONS}


def _table(rules, key):
    """A table before a turn of the first player."""
    phase, table, mine, other = key
    tokens = dict(zip(PLAYERS, (mine, other), strict=True))
    events = [ev.GameStarted(rules.id, PLAYERS, {}, table, tokens)]
    if phase:
        events.append(ev.PhaseStarted(rules.phases[phase].id, table, tokens))
    events.append(ev.TurnStarted(1, rules.phases[phase].id, PLAYERS[0], table, tokens))
    return rebuild(rules, events)


def _after(state):
    """What a finished turn leads to: chances of (key, whether the same one starts) or of a win."""
    events = settle(state)
    if isinstance(events[0], ev.ThrowOffStarted):
        # One throw each: even.
        found = []
        for winner in (0, 1):
            thrown = evolve(state, events[0])
            for player in thrown.turn.order:
                better = (PLAYERS.index(player) == winner) == (events[0].about == "best")
                rules = state.setting.rules
                dice = rules.combinations[0 if better else -1].dice
                thrown = evolve(thrown, ev.Accepted(player, dice, 1))
            found += [(chance / 2, to) for chance, to in _after(thrown)]
        return found
    end = events[-1]
    if isinstance(end, ev.GameOver):
        mine, other = end.places.values()
        return [(1.0, 1.0 if mine < other else 0.0 if mine > other else 0.5)]
    phases = sum(isinstance(event, ev.PhaseStarted) for event in events)
    held = [end.tokens[player] for player in PLAYERS]
    same = end.starter == PLAYERS[0]
    key = (state.standing.phase + phases, end.table, *(held if same else held[::-1]))
    return [(1.0, (key, same))]


def _ends(rules, key):
    table = _table(rules, key)
    found = {}
    for first in COMBINATIONS:
        one = evolve(table, ev.Accepted(PLAYERS[0], first, 1))
        for second in COMBINATIONS:
            found[first, second] = _after(evolve(one, ev.Accepted(PLAYERS[1], second, 1)))
    return found


def _best(worth, stop, better):
    """What dice are worth before a throw; `stop` is None where one must throw."""
    hopes = {kept: sum(c * worth[dice] for dice, c in FALLS[kept]) for kept in SETS}
    found = {}
    for dice in COMBINATIONS:
        options = [hopes[kept] for kept in KEPT[dice]]
        found[dice] = better(options if stop is None else [*options, stop[dice]])
    return found


def _expected(worth):
    return sum(c * worth[dice] for dice, c in FALLS[()])


def _turn(phase, payoff):
    """What a turn is worth to its first player, for what any two final dice are."""
    exactly = phase.follow is Follow.FIRST_EXACTLY
    answers = [{} for _ in range(phase.throws)]
    for first in COMBINATIONS:
        stop = {second: payoff[first, second] for second in COMBINATIONS}
        worth = stop
        for limit in range(phase.throws):
            if limit:
                worth = _best(worth, None if exactly else stop, min)
            answers[limit][first] = _expected(worth)
    if phase.follow is Follow.FREE:
        answers = [answers[-1]] * phase.throws
    if exactly:
        return _announced(answers)
    worth = answers[-1]
    for stop in answers[-2::-1]:
        worth = _best(worth, stop, max)
    return _expected(worth)


def _announced(answers):
    """The first player says before a throw whether it is his last; from the last one back."""

    def hope(kept, worth):
        return sum(c * worth[dice] for dice, c in FALLS[kept])

    throw = {kept: hope(kept, answers[-1]) for kept in SETS}
    for ends in answers[-2::-1]:
        undecided = {dice: max(throw[kept] for kept in KEPT[dice]) for dice in COMBINATIONS}
        throw = {kept: max(hope(kept, ends), hope(kept, undecided)) for kept in SETS}
    return throw[()]


def slow_values(rules, close=1e-12):
    """The first player's chance to win from every position that can come up."""
    pot, each = rules.supply.start(2)
    start = (0, pot, each, each)
    ends, todo = {}, [start]
    while todo:
        key = todo.pop()
        if key in ends:
            continue
        ends[key] = _ends(rules, key)
        for branches in ends[key].values():
            todo += [to[0] for _, to in branches if isinstance(to, tuple)]
    values = dict.fromkeys(ends, 0.5)

    def worth(to):
        if isinstance(to, float):
            return to
        return values[to[0]] if to[1] else 1 - values[to[0]]

    for _ in range(400):
        change = 0.0
        for key in sorted(ends, key=lambda one: (-one[0], one[1])):
            payoff = {
                dice: sum(chance * worth(to) for chance, to in branches)
                for dice, branches in ends[key].items()
            }
            new = _turn(rules.phases[key[0]], payoff)
            change = max(change, abs(new - values[key]))
            values[key] = new
        if change < close:
            return values
    raise AssertionError("it did not settle")
