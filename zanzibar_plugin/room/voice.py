"""What is heard of what happens at a table, in each listener's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.hookspecs import Options
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.sitting import Games, Happened, Sitting, game_of
from zanzibar_plugin.text import Listing, Text, text

_Speaker: TypeAlias = Callable[[Any, str], Text | None]


def heard(
    happened: Happened,
    sitting: Sitting,
    listener: str,
    catalog: Catalog,
    games: Games,
    brief: bool = False,
) -> str:
    """What `listener` (a name at the table) hears of something; "" if it is not for him.

    `sitting` is the table after the entry this belongs to; `brief` is for one who likes few words.
    """
    if not isinstance(happened, tuple):
        game = game_of(sitting.party.game, games)
        announce = game.announce_briefly if brief else game.announce
        return announce(sitting.table, happened, listener, catalog.language)
    if isinstance(happened, hp.Said):
        # People's own words are the same for all.
        return f"{happened.name}{' ' if happened.me else ': '}{happened.text}"
    if isinstance(happened, hp.Chosen):
        return _chosen(happened, sitting, catalog, games)
    if isinstance(happened, hp.BotSeated):
        note = _note(happened.level, sitting, catalog, games)
        return " ".join(filter(None, (catalog.say(_bot_seated(happened)), note)))
    said = _SPEAKERS[type(happened)](happened, listener)
    return "" if said is None else catalog.say(said)


def cue(happened: Happened, sitting: Sitting, listener: str, games: Games) -> str:
    """The sound that goes with something: one of a game's `CUES`, or of the room's own."""
    if isinstance(happened, tuple):
        return CUES.get(type(happened), "")
    return game_of(sitting.party.game, games).cue(sitting.table, happened, listener)


CUES: Mapping[type[hp.Happening], str] = {
    hp.Said: "chat",
    hp.Seated: "come",
    hp.BotSeated: "come",
    hp.Watching: "come",
    hp.Returned: "come",
    hp.Gone: "go",
    hp.BotGone: "go",
    hp.Kicked: "go",
    hp.StoodIn: "go",
    hp.Reminded: "your_go",
}


def for_whom(happened: Happened, sitting: Sitting, games: Games) -> str:
    """The only one who hears this; "" if all do."""
    if isinstance(happened, tuple):
        return happened.name if isinstance(happened, hp.Reminded) else ""
    return game_of(sitting.party.game, games).heard_by(sitting.table, happened)


def names_in(happened: Happened) -> frozenset[str]:
    """Whoever may hear something else of this than all the others: those it speaks of."""
    found: set[str] = set()
    if isinstance(happened, hp.Begun):
        return frozenset(happened.without)  # all else in it is the game's own, and long
    waiting: list[Any] = [happened]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, Mapping):
            waiting += [*value, *value.values()]
        elif isinstance(value, (list, tuple)):
            waiting += value
    return frozenset(found)


def _chosen(happened: hp.Chosen, sitting: Sitting, catalog: Catalog, games: Games) -> str:
    game = game_of(happened.game, games)
    found = game.table_options(happened.options, "", None, catalog.language)
    assert isinstance(found, Options)
    for option in found.listed:
        if option.name == happened.option:
            ways = {way.value: way.label for way in option.choices}
            value = ways.get(str(option.default), str(option.default))
            if option.kind == "switch":
                value = catalog.say(text("yes") if option.default else text("no"))
            return catalog.say(text("{option}: {value}.", option=option.label, value=value))
    return ""


def _opened(event: hp.Opened, listener: str) -> Text:
    if event.name == listener:
        return text("You open a table and are its master. Invite people or add bots, then begin.")
    return text("{player} opens a table.", player=event.name)


def _seated(event: hp.Seated, listener: str) -> Text:
    if event.name == listener:
        return text("You sit down at the table.")
    return text("{player} sits down at the table.", player=event.name)


def _watching(event: hp.Watching, listener: str) -> Text:
    if event.name == listener:
        return text("You are watching this table.")
    return text("{player} is watching.", player=event.name)


def _gone(event: hp.Gone, listener: str) -> Text:
    if event.name == listener:
        return text("You leave the table.")
    return text("{player} leaves the table.", player=event.name)


def _bot_seated(event: hp.BotSeated) -> Text:
    if event.level == "beginner":
        return text("The bot {player} sits down at the table, a beginner.", player=event.name)
    if event.level == "expert":
        return text("The bot {player} sits down at the table, an expert.", player=event.name)
    return text("The bot {player} sits down at the table.", player=event.name)


def _note(level: str, sitting: Sitting, catalog: Catalog, games: Games) -> str:
    """A sentence if bots of this level are not all they could be here, or ""."""
    levels = game_of(sitting.party.game, games).bot_levels(catalog.language)
    return next((one.note for one in levels if one.id == level), "")


def _bot_gone(event: hp.BotGone, listener: str) -> Text:
    return text("The bot {player} leaves the table.", player=event.name)


def _made_private(event: hp.MadePrivate, listener: str) -> Text:
    if event.private:
        return text("The table is now private: only those who are invited find it.")
    return text("The table is now public: everybody finds it in the list.")


def _master_is(event: hp.MasterIs, listener: str) -> Text | None:
    if not event.name:
        return None
    if event.name == listener:
        return text("You are now the table master.")
    return text("{player} is now the table master.", player=event.name)


def _kicked(event: hp.Kicked, listener: str) -> Text:
    if event.name == listener:
        return text("The table master sends you away from the table.")
    return text("The table master sends somebody away: {player}.", player=event.name)


def _stood_in(event: hp.StoodIn, listener: str) -> Text:
    if event.name == listener:
        return text("A bot plays for you now. Press any key of the game to play on yourself.")
    if event.why == "idle":
        return text("{player} does nothing. A bot plays on.", player=event.name)
    return text("{player} is away. A bot plays on.", player=event.name)


def _returned(event: hp.Returned, listener: str) -> Text:
    if event.name == listener:
        return text("You play on yourself.")
    return text("{player} is back.", player=event.name)


def _reminded(event: hp.Reminded, listener: str) -> Text:
    return text("Everybody is waiting for you.")


def _paused(event: hp.Paused, listener: str) -> Text:
    if event.name == listener:
        return text("You pause the game.")
    return text("{player} pauses the game.", player=event.name)


def _resumed(event: hp.Resumed, listener: str) -> Text:
    return text("The game goes on.")


def _begun(event: hp.Begun, listener: str) -> Text | None:
    """The game itself tells that it begins; this, on whom its dice do not depend."""
    if not event.without:
        return None
    return text(
        "The game begins without a secret number for the dice from: {players}.",
        players=_listed(event.without, listener),
    )


def _silent(event: hp.Promised | hp.Committed | hp.Revealed, listener: str) -> None:
    """What pages agree upon among themselves; it can be seen, and checked after the game."""


def _listed(names: tuple[str, ...], listener: str) -> Listing:
    # L10N: The listener, in a list of names: "Ana, Bruno, and you".
    return Listing(tuple(text("you") if name == listener else name for name in names))


def _start_cancelled(event: hp.StartCancelled, listener: str) -> Text:
    names = _listed(event.names, listener)
    if event.why == "fault":
        return text("The game has a fault and did not do this.")
    if event.why == "left":
        return text("The game does not begin, because somebody leaves: {players}.", players=names)
    if event.why == "wrong":
        return text(
            "The game does not begin: a secret number for the dice is not the one that was "
            "promised. It should come from: {players}. The next start does without it.",
            players=names,
        )
    return text(
        "The game does not begin: a secret number for the dice is missing. It should come from: "
        "{players}. The next start does without it.",
        players=names,
    )


def _closed(event: hp.Closed, listener: str) -> Text:
    return text("This table is closed.")


_SPEAKERS: Mapping[type[hp.Happening], _Speaker] = {
    hp.Opened: _opened,
    hp.Seated: _seated,
    hp.Watching: _watching,
    hp.Gone: _gone,
    hp.BotGone: _bot_gone,
    hp.MadePrivate: _made_private,
    hp.MasterIs: _master_is,
    hp.Kicked: _kicked,
    hp.StoodIn: _stood_in,
    hp.Returned: _returned,
    hp.Reminded: _reminded,
    hp.Paused: _paused,
    hp.Resumed: _resumed,
    hp.Begun: _begun,
    hp.Promised: _silent,
    hp.Committed: _silent,
    hp.Revealed: _silent,
    hp.StartCancelled: _start_cancelled,
    hp.Closed: _closed,
}
