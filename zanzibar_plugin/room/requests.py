"""What people ask of a table, and what comes of it: happenings, or a reason why not.

Nothing here waits, writes or knows a connection.  A request is answered with an `Outcome` for the
journal, or with a sentence for the person who asked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zanzibar_plugin.hookspecs import REGULAR, DiceSource, Options, Refusal
from zanzibar_plugin.names import heard, wrong_name
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.chat import cleaned
from zanzibar_plugin.room.checkable import dice_of, digest_of, is_value
from zanzibar_plugin.room.party import Party, Seat, Stage, evolve, heir
from zanzibar_plugin.room.people import Person, free_bot_name
from zanzibar_plugin.room.sitting import Games, Outcome, Sitting, game_of, on_go
from zanzibar_plugin.text import Text, text

_log = logging.getLogger(__name__)

QUESTIONS = ("d", "c", "s", "t", "space")


class Request(NamedTuple):
    """Who asks for what: `do` is one of `requests()`, `with_` what it needs."""

    person: Person
    do: str
    with_: Mapping[str, Any]


class Means(NamedTuple):
    """What a request may use: the games there are, dice, and the language of refusals.

    Where dice are to be checked, `secret` makes a new one for each game (32 bytes in hex), `pages`
    are the owners whose pages give a part, and `table` names the table; otherwise the game begins
    with `dice`.
    """

    games: Games
    dice: DiceSource
    lang: str
    secret: Callable[[], str] | None = None
    pages: frozenset[str] = frozenset()
    table: str = ""


Answer = Outcome | Text | str
"""An outcome, or a refusal: a sentence of ours, or one that is in the language already."""

_Answerer = Callable[[Sitting, Request, Means], Answer]


def open_table(request: Request, means: Means) -> Answer:
    """A new table, with the one who opens it as its master."""
    game = means.games.find(str(request.with_.get("game", "")))
    if game is None:
        return text("There is no such game here.")
    wrong = wrong_name(request.person.name)
    if wrong is not None:
        return wrong
    found = game.table_options({}, "", None, means.lang)
    if isinstance(found, Refusal):
        return found.message
    private = request.with_.get("private") is True
    person = request.person
    return Outcome((hp.Opened(person.name, person.owner, found.game, found.options, private),))


def answer(sitting: Sitting, request: Request, means: Means) -> Answer:
    """What comes of a request at a table."""
    act = _REQUESTS.get(request.do)
    if act is None:
        return text("This cannot be done at a table.")
    if sitting.party.stage is Stage.CLOSED:
        return text("This table is closed.")
    if request.person.owner in sitting.party.banned:
        return text("You cannot come back to this table.")
    if act in _MASTERS and sitting.party.name_of(request.person.owner) != sitting.party.master:
        return text("Only the table master can do that.")
    return act(sitting, request, means)


def requests() -> tuple[str, ...]:
    """The names of all requests."""
    return tuple(_REQUESTS)


def _join(sitting: Sitting, request: Request, means: Means) -> Answer:
    party, person = sitting.party, request.person
    seat = party.seat_of(person.owner)
    if seat is not None:
        return Outcome(_back(party, seat))
    # Whoever watches already is known by a name here, and keeps it.
    person = person._replace(name=party.name_of(person.owner) or person.name)
    wrong = _name_here(party, person)
    if wrong is not None:
        return wrong
    if party.under_way:
        return text("The game has begun. You can watch it.")
    if len(party.seats) >= _most(party, means):
        return text("All seats are taken. You can watch.")
    events: list[hp.Happening] = [hp.Seated(person.name, person.owner)]
    if not party.master:
        events.append(hp.MasterIs(person.name))
    return Outcome(tuple(events))


def _watch(sitting: Sitting, request: Request, means: Means) -> Answer:
    party, person = sitting.party, request.person
    if party.name_of(person.owner):
        return Outcome(())
    wrong = _name_here(party, person)
    if wrong is not None:
        return wrong
    events: list[hp.Happening] = [hp.Watching(person.name, person.owner)]
    if not party.master:
        events.append(hp.MasterIs(person.name))
    return Outcome(tuple(events))


def _name_here(party: Party, person: Person) -> Text | None:
    """Why somebody cannot come to this table under his name."""
    wrong = wrong_name(person.name)
    if wrong is not None:
        return wrong
    others = {heard(name) for name in party.names if name != party.name_of(person.owner)}
    if heard(person.name) in others:
        return text(
            "There is a {name} at this table already. Choose another name.", name=person.name
        )
    return None


def _back(party: Party, seat: Seat) -> tuple[hp.Happening, ...]:
    """Somebody plays himself again, if a bot stood in for him."""
    if not seat.away:
        return ()
    returned = hp.Returned(seat.name)
    return (returned,) if party.master else (returned, hp.MasterIs(seat.name))


def _most(party: Party, means: Means) -> int:
    return game_of(party.game, means.games).info("en").max_players


def _leave(sitting: Sitting, request: Request, means: Means) -> Answer:
    party = sitting.party
    name = party.name_of(request.person.owner)
    if not name:
        return text("You are not at this table.")
    seat = party.seat(name)
    events: list[hp.Happening] = []
    if seat is not None and party.stage is Stage.PLAYING:
        if not seat.away:
            events.append(hp.StoodIn(name, "left"))
    else:
        events += [*_interrupted(party, name), hp.Gone(name)]
    return Outcome((*events, *_new_master(party, name)))


def _new_master(party: Party, leaver: str) -> tuple[hp.Happening, ...]:
    if party.master != leaver:
        return ()
    return (hp.MasterIs(heir(party, leaver)),)


def _add_bot(sitting: Sitting, request: Request, means: Means) -> Answer:
    party = sitting.party
    if party.under_way:
        return text("The game has begun.")
    if len(party.seats) >= _most(party, means):
        return text("All seats are taken.")
    level = request.with_.get("level", REGULAR)
    if level not in [one.id for one in game_of(party.game, means.games).bot_levels(means.lang)]:
        return text("Bots of this game do not play like that.")
    return Outcome((hp.BotSeated(free_bot_name(party.names), str(level)),))


def _remove_bot(sitting: Sitting, request: Request, means: Means) -> Answer:
    party = sitting.party
    if party.under_way:
        return text("The game has begun.")
    bots = [seat.name for seat in party.seats if not seat.owner]
    name = str(request.with_.get("name", bots[-1] if bots else ""))
    if name not in bots:
        return text("There is no such bot at this table.")
    return Outcome((hp.BotGone(name),))


def _choose(sitting: Sitting, request: Request, means: Means) -> Answer:
    party = sitting.party
    if party.under_way:
        return text("The game has begun.")
    option, value = str(request.with_.get("option", "")), request.with_.get("value")
    if not option:
        return Outcome(())
    game = game_of(party.game, means.games)
    found = game.table_options(party.options, option, value, means.lang)
    if isinstance(found, Refusal):
        return found.message
    assert isinstance(found, Options)
    return Outcome((hp.Chosen(option, value, found.game, found.options),))


def _set_private(sitting: Sitting, request: Request, means: Means) -> Answer:
    return Outcome((hp.MadePrivate(request.with_.get("private") is True),))


def _begin(sitting: Sitting, request: Request, means: Means) -> Answer:
    """The game, or after it the next one with the same seats."""
    party = sitting.party
    if party.under_way:
        return text("The game has begun.")
    game = game_of(party.game, means.games)
    # Whoever left the game before keeps no seat in the next one.
    left = [seat.name for seat in party.seats if seat.away in ("left", "kicked")]
    names = [seat.name for seat in party.seats if seat.name not in left]
    step = game.setup(names, party.options, means.dice, means.lang)
    if isinstance(step, Refusal):
        return step.message
    gone = tuple(map(hp.Gone, left))
    if means.secret is None:
        begun = hp.Begun(game.save(step.table))
        return Outcome((*gone, begun, *step.events), step.table)
    asked = tuple(
        seat.name
        for seat in party.seats
        if seat.owner in means.pages and not seat.away and seat.owner not in party.without
    )
    promised = hp.Promised(f"{means.table} {party.starts + 1}", means.secret(), asked)
    return _after((*gone, promised), sitting, means)


def _after(happened: tuple[hp.Happening, ...], sitting: Sitting, means: Means) -> Outcome:
    """What happens about the dice; and if nobody's part is missing any more, the game begins."""
    party = sitting.party
    for one in happened:
        party = evolve(party, one)
    start = party.start
    if start is None or start.missing or not start.showing:
        return Outcome(happened)
    game = game_of(party.game, means.games)
    names = [seat.name for seat in party.seats]
    without = tuple(s.name for s in party.seats if s.owner and s.name not in start.names)
    try:
        step = game.setup(names, party.options, dice_of(start.draw), means.lang)
        if isinstance(step, Refusal):
            raise ValueError(step.message)  # it was asked before, and nothing has changed since
        begun = hp.Begun(game.save(step.table), without)
    except Exception:
        # Whoever gave his part last has done nothing wrong.
        _log.exception("table %s: the game does not begin", means.table)
        return Outcome((*happened, hp.StartCancelled((), "fault")))
    return Outcome((*happened, begun, *step.events), step.table)


def _commit(sitting: Sitting, request: Request, means: Means) -> Answer:
    """Somebody's page is bound to its part of the dice."""
    party, commitment = sitting.party, request.with_.get("commitment")
    name, start = party.name_of(request.person.owner), party.start
    if party.stage is not Stage.STARTING or start is None or start.showing:
        return text("The room waits for nothing from this page now.")
    if name not in start.missing:
        return text("The room waits for nothing from this page now.")
    # Two that are the same would be one number, which its second giver has only copied.
    if not is_value(commitment) or commitment in start.commitments.values():
        return text("This is no proper secret number.")
    return Outcome((hp.Committed(name, str(commitment)),))


def _reveal(sitting: Sitting, request: Request, means: Means) -> Answer:
    """Somebody's page shows its part; if that is not what it was bound to, nothing begins."""
    party, value = sitting.party, request.with_.get("value")
    name, start = party.name_of(request.person.owner), party.start
    if party.stage is not Stage.STARTING or start is None or not start.showing:
        return text("The room waits for nothing from this page now.")
    if name not in start.missing:
        return text("The room waits for nothing from this page now.")
    if not is_value(value) or digest_of(str(value)) != start.commitments[name]:
        return Outcome((hp.StartCancelled((name,), "wrong"),))
    return _after((hp.Revealed(name, str(value)),), sitting, means)


def _interrupted(party: Party, name: str) -> tuple[hp.Happening, ...]:
    """A game that is about to begin does not, when somebody goes who has a part in it."""
    seated = party.seat(name) is not None
    if party.stage is not Stage.STARTING or not seated:
        return ()
    return (hp.StartCancelled((name,), "left"),)


def _hand_over(sitting: Sitting, request: Request, means: Means) -> Answer:
    party, name = sitting.party, str(request.with_.get("name", ""))
    seat = party.seat(name)
    if name not in party.names or (seat is not None and seat.by_bot):
        return text("There is nobody with this name at the table.")
    return Outcome((hp.MasterIs(name),))


def _kick(sitting: Sitting, request: Request, means: Means) -> Answer:
    party, name = sitting.party, str(request.with_.get("name", ""))
    if name not in party.names or name == party.master:
        return text("There is nobody with this name at the table.")
    seat = party.seat(name)
    if seat is not None and not seat.owner:
        return _remove_bot(sitting, request, means)
    events: list[hp.Happening] = [*_interrupted(party, name), hp.Kicked(name)]
    if seat is not None and party.stage is Stage.PLAYING:
        events.append(hp.StoodIn(name, "kicked"))
    return Outcome(tuple(events))


def _pause(sitting: Sitting, request: Request, means: Means) -> Answer:
    party = sitting.party
    if party.stage is not Stage.PLAYING:
        return text("No game is being played.")
    name = party.name_of(request.person.owner)
    return Outcome((hp.Resumed(name) if party.paused else hp.Paused(name),))


def _close(sitting: Sitting, request: Request, means: Means) -> Answer:
    return Outcome((hp.Closed(sitting.party.name_of(request.person.owner)),))


def _say(sitting: Sitting, request: Request, means: Means) -> Answer:
    name = sitting.party.name_of(request.person.owner)
    if not name:
        return text("You are not at this table.")
    said = cleaned(request.with_.get("text"))
    if not said:
        return text("The message is empty.")
    me = said.startswith("/me ")
    return Outcome((hp.Said(name, said.removeprefix("/me ").strip() if me else said, me),))


def _key(sitting: Sitting, request: Request, means: Means) -> Answer:
    party, person = sitting.party, request.person
    name, key = party.name_of(person.owner), str(request.with_.get("key", ""))
    if not name:
        return text("You are not at this table.")
    # Only the first game begins by Enter: after it, a second press that comes late would begin
    # another one unasked.
    if party.stage is Stage.WAITING and key == "enter" and name == party.master:
        return _begin(sitting, request, means)
    # While the next game is about to begin, the last one can still be asked about.
    if sitting.table is None or (party.stage is Stage.STARTING and key not in QUESTIONS):
        return text("The game has not begun yet.")
    if party.paused and key not in QUESTIONS:
        return text("The game is paused.")
    step = game_of(party.game, means.games).on_key(sitting.table, name, key)
    if not step.events:
        return text("This key does nothing in this game.")
    seat = party.seat(name)
    # Whoever plays himself again takes his seat back from the bot.
    back = () if seat is None else _back(party, seat)
    return Outcome((*back, *step.events), step.table)


_REQUESTS: Mapping[str, _Answerer] = {
    "join": _join,
    "watch": _watch,
    "leave": _leave,
    "add_bot": _add_bot,
    "remove_bot": _remove_bot,
    "choose": _choose,
    "set_private": _set_private,
    "begin": _begin,
    "commit": _commit,
    "reveal": _reveal,
    "hand_over": _hand_over,
    "kick": _kick,
    "pause": _pause,
    "close": _close,
    "say": _say,
    "key": _key,
}

_MASTERS = frozenset(
    {_add_bot, _remove_bot, _choose, _set_private, _begin, _hand_over, _kick, _pause, _close}
)


# What the room itself does, when nobody presses.


def bot_moves(sitting: Sitting, means: Means) -> Outcome | None:
    """The next key of whoever a bot plays for, or the settling of a turn; None if it is a person's.

    A bot's keys up to the one that others hear are one outcome, so that a bot acts at once.
    """
    party = sitting.party
    if sitting.table is None or party.stage is not Stage.PLAYING or party.paused:
        return None
    game = game_of(party.game, means.games)
    name = on_go(sitting, game)
    if not name:
        step = game.on_turn_end(sitting.table)
        return Outcome(step.events, step.table) if step.events else None
    seat = party.seat(name)
    if seat is None or not seat.by_bot:
        return None
    key = game.bot_key(sitting.table, name, seat.level)
    step = game.on_key(sitting.table, name, key)
    return Outcome(step.events, step.table)


def stand_in(sitting: Sitting, name: str, why: str) -> Outcome | None:
    """A bot for somebody who has dropped out or does nothing; None if that makes no difference."""
    party = sitting.party
    seat = party.seat(name)
    if seat is None or seat.by_bot or party.stage is not Stage.PLAYING:
        return None
    return Outcome((hp.StoodIn(name, why), *_new_master(party, name)))


def gone(sitting: Sitting, name: str) -> Outcome | None:
    """A dropped spectator, or somebody dropped before or after the game, is no longer here."""
    party = sitting.party
    if name not in party.names or (party.stage is Stage.PLAYING and party.seat(name) is not None):
        return None
    return Outcome((*_interrupted(party, name), hp.Gone(name), *_new_master(party, name)))


def give_up_waiting(sitting: Sitting) -> Outcome | None:
    """A game does not begin for which some page has given no part in time; None if none waits."""
    party = sitting.party
    if party.stage is not Stage.STARTING or party.start is None:
        return None
    return Outcome((hp.StartCancelled(party.start.missing, "missing"),))


def remind(sitting: Sitting, name: str) -> Outcome:
    """Somebody is reminded that it is his go."""
    return Outcome((hp.Reminded(name),))
