"""A moment of a game that somebody describes, as the state that play itself would have led to.

The events of a game are folded from its beginning, and the dice fall by keys the engine takes.
What cannot come up by the rules is refused in a sentence that says what could.
"""

from __future__ import annotations

from typing import NamedTuple

from zanzibar_plugin import engine
from zanzibar_plugin import events as ev
from zanzibar_plugin.dice import Faces, high_to_low, without
from zanzibar_plugin.engine import may_announce
from zanzibar_plugin.rules import Ends, Follow, Leave, Payer, Rules
from zanzibar_plugin.state import State, evolve, order_from, rebuild
from zanzibar_plugin.text import Text, text, texts

ME = "me"
"""The name of the player who asks."""


class Held(NamedTuple):
    """Where the tokens are: mine, the others' in the order of the round, those on the table."""

    mine: int
    theirs: tuple[int, ...]
    table: int


class Described(NamedTuple):
    """The player's own dice after `roll` rolls of at most `limit`, and what he is up against.

    `limit` None is as many as there can be.  `to_beat` are the final dice of those who had their
    turn before him, in order; `phase` is the id of a phase, or None for the one the tokens say.
    """

    dice: Faces
    roll: int = 1
    limit: int | None = None
    to_beat: tuple[Faces, ...] = ()
    locked: Faces = ()
    held: Held | None = None
    phase: str | None = None


def beginning(rules: Rules, players: int) -> Held:
    """The tokens at the beginning of a game."""
    pot, each = rules.supply.start(players)
    return Held(each, (each,) * (players - 1), pot)


def shared(
    rules: Rules,
    players: int,
    mine: int | None = None,
    theirs: tuple[int, ...] = (),
    table: int | None = None,
) -> Held | Text:
    """Where the tokens are, from what is known of it; or what does not fit.

    What is left out is counted: all are as at the beginning if nothing is known, nothing is on
    the table if somebody's are missing, and otherwise the rest is there.
    """
    first = beginning(rules, players)
    total = first.table + first.mine + sum(first.theirs)
    if mine is None and not theirs and table is None:
        return first
    others = players - 1
    if len(theirs) != others and (theirs or others > 1):
        return text("--theirs is needed once for each of the other players.")
    if mine is None and not theirs:
        return text("--mine is needed: how many tokens you hold.")
    if mine is None:
        mine = total - sum(theirs) - (table or 0)
    elif not theirs:
        theirs = (total - mine - (table or 0),)
    if table is None:
        table = total - mine - sum(theirs)
    if min(mine, *theirs, table) < 0 or mine + sum(theirs) + table != total:
        return texts(
            "This game has {count} token: the numbers given must sum to that.",
            "This game has {count} tokens: the numbers given must sum to that.",
            total,
        )
    return Held(mine, theirs, table)


def last_phase(rules: Rules, players: int) -> Held | None:
    """The tokens of a last phase that is as even as can be; None if it is the first one too."""
    if len(rules.phases) == 1:
        return None
    first = beginning(rules, players)
    total = first.table + first.mine + sum(first.theirs)
    share, more = divmod(total, players)
    held = tuple(share + (number < more) for number in range(players))
    return Held(held[0], held[1:], 0) if min(held) else None


def state_of(rules: Rules, described: Described) -> State | Text:
    """The table with the player about to choose, or why it cannot come to that."""
    held = described.held or beginning(rules, rules.min_players)
    phase = _phase(rules, held, described.phase)
    if isinstance(phase, Text):
        return phase
    names = _names(rules, held, phase, len(described.to_beat))
    state = _before_turn(rules, held, phase, names)
    if isinstance(state, Text):
        return state
    wrong = _wrong(state, described)
    if wrong is not None:
        return wrong
    limit = described.limit
    for dice in described.to_beat:
        assert state.go is not None
        state = _played(state, dice, state.go.limit if limit is None else limit)
    assert state.go is not None
    if described.roll > state.go.limit:
        return _too_many(state.go.limit)
    if described.roll == state.go.limit:
        return text("After your last roll there is nothing to choose any more.")
    return _rolled(state, described.dice, described.roll, described.locked)


def _too_many(limit: int) -> Text:
    return texts(
        "You may roll {count} time at most here.",
        "You may roll {count} times at most here.",
        limit,
    )


def _phase(rules: Rules, held: Held, wanted: str | None) -> int | Text:
    """The number of the phase."""
    ids = [phase.id for phase in rules.phases]
    if wanted is not None and wanted not in ids:
        return text("{option} must be one of: {choices}.", option="--phase",
                    choices=", ".join(ids))  # fmt: skip
    fitting = [number for number in range(len(ids)) if _fits(rules, number, held)]
    if wanted is None:
        return fitting[0] if fitting else 0
    number = ids.index(wanted)
    if number in fitting:
        return number
    if rules.phases[number].payer is Payer.TABLE:
        return text("In this phase there must be tokens on the table.")
    return text("In this phase there are no tokens on the table.")


def _fits(rules: Rules, number: int, held: Held) -> bool:
    """Whether tokens can be so in a phase."""
    if rules.phases[number].payer is Payer.TABLE:
        return held.table > 0
    emptied = any(phase.ends is Ends.TABLE_EMPTY for phase in rules.phases[:number])
    return not (emptied and held.table)


def _out(rules: Rules, number: int) -> bool:
    """Whether those without tokens are out of the game in a phase."""
    leaving = [phase.leave for phase in rules.phases[:number]]
    if not number:
        return False
    at_once = rules.phases[number].leave is Leave.TURN_END
    return at_once or Leave.PHASE_END in leaving or Leave.TURN_END in leaving


def _names(rules: Rules, held: Held, number: int, before: int) -> tuple[str, ...]:
    """All players in the order of the round: so many who are in the game, then me, then others."""
    names: list[str] = []
    for place, tokens in enumerate(held.theirs, 1):
        if not before and ME not in names:
            names.append(ME)
        names.append(str(place))
        before -= bool(tokens) or not _out(rules, number)
    return tuple(names if ME in names else [*names, ME])


def _before_turn(rules: Rules, held: Held, number: int, names: tuple[str, ...]) -> State | Text:
    """The table as a round begins."""
    phase = rules.phases[number]
    theirs = dict(zip((name for name in names if name != ME), held.theirs, strict=True))
    tokens = {name: held.mine if name == ME else theirs[name] for name in names}
    begun = ev.GameStarted(rules.id, names, rules.options, held.table, tokens)
    events: list[ev.Event] = [begun]
    if _out(rules, number):
        events += [ev.Left(name, 1) for name in names if not tokens[name]]
    if number:
        events.append(ev.PhaseStarted(phase.id, held.table, tokens))
    state = rebuild(rules, events)
    out = state.standing.places
    if ME in out:
        return text("Whoever holds no token is out of the game in this phase.")
    if len(names) - len(out) < 2:
        return text("Whoever holds all the tokens has lost: the game is over.")
    starter = order_from(names[0], names, out)[0]
    return evolve(state, ev.TurnStarted(1, phase.id, starter, held.table, tokens))


def _wrong(state: State, described: Described) -> Text | None:
    """What cannot be in the player's turn, or None."""
    rules, phase = state.setting.rules, state.phase
    before, limit = described.to_beat, described.limit
    if len(before) >= len(state.turn.order):
        return text("--to-beat can be given once for each of the other players at most.")
    given = not before or phase.follow is Follow.FREE
    if limit is not None and given and limit != phase.throws:
        return text(
            "--limit must be {limit} here: by the rules you may roll that often.",
            limit=phase.throws,
        )
    if limit is not None and limit > phase.throws:
        return _too_many(phase.throws)
    locked = described.locked
    if locked and not rules.lock_kept:
        return text("By these rules any die may be rolled again: --locked is not needed.")
    left = list(described.dice)
    for face in locked:
        if face not in left:
            return text("--locked must name some of your own dice.")
        left.remove(face)
    if locked and (described.roll == 1 or not left):
        return text("--locked must name dice you kept before your latest roll, at most two.")
    return None


def _key(state: State, key: str, faces: Faces = ()) -> State:
    assert state.go is not None
    for event in engine.decide(state, engine.Command(state.go.player, key, faces)):
        assert not isinstance(event, ev.Refused), event
        state = evolve(state, event)
    return state


def _rolled(
    state: State, dice: Faces, rolls: int, locked: Faces = (), announced: bool = False
) -> State:
    """The table after so many rolls of the player on, the last of which gave these dice.

    With `announced` that roll is said before to be his last one, where that is a choice.
    """
    dice = high_to_low(dice)
    for roll in range(1, rolls + 1):
        assert state.go is not None
        last = roll == rolls
        if last and announced and roll < state.go.limit and may_announce(state, state.go):
            state = _key(state, "a")
        thrown = without(dice, locked) if last and roll > 1 else dice
        for face in thrown if roll > 1 else ():
            state = _key(state, str(face))
        state = _key(state, "enter", thrown)
    return state


def _played(state: State, dice: Faces, rolls: int) -> State:
    """The table after somebody's whole turn."""
    assert state.go is not None
    player = state.go.player
    state = _rolled(state, dice, rolls, announced=True)
    if state.go is not None and state.go.player == player:
        state = _key(state, "enter")
    return state
