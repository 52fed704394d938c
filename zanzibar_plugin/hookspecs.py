"""The hooks between a host (a game room) and its game plugins: the whole interface.

Any host can drive any game plugin through these, and needs to know nothing else of a game.  Each
hook is answered by the one plugin the game or table belongs to; all others return None.

Three habits keep hosts simple.  A table never changes: what changes it returns a `Step` with the
new table and the events, so a host may first write the events down and only then keep the table
and announce them.  Events are dicts of JSON types with their name under `event`.  What people do
wrong is an answer, not an exception.

A plugin may do without the hooks named in `OPTIONAL`: a host then does what they say instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pluggy

from zanzibar_plugin import PROJECT

INTERFACE = 1
"""The version of this interface.  A plugin states the one it was made for in a module (or object)
attribute `gameroom_interface`; a host refuses another one with a clear message."""

OPTIONAL = frozenset({"announce_briefly", "bot_levels", "cue", "review"})
"""Hooks that a plugin may lack."""

LEVELS = ("beginner", "regular", "expert")
"""How well bots may play."""

REGULAR = "regular"
"""The level that there always is."""

CUES = ("roll", "select", "accept", "your_go", "tokens", "win", "lose", "over", "refused")
"""The names of sounds that may go with events: dice fall, a die is selected or put back, a player
is content, the listener's go begins, tokens move, the listener wins or loses, the game is over, and
what the listener asked for cannot be."""

Table: TypeAlias = Any
"""A game in progress: immutable, made by `setup` or `restore`; its inside is the plugin's own."""

Event: TypeAlias = Mapping[str, Any]
"""Something that happened: JSON types only, the kind under `event`, otherwise the game's own.  It
never changes once it is given.

Two kinds a host must know: `turn_complete` asks for `on_turn_end`, and `game_over` is the end.  A
third lets it check the dice: each throw is one event `thrown`, in the order of the throws, with the
faces of that throw as they fell, as a list, under `new`."""

DiceSource: TypeAlias = Callable[[int, int], Sequence[int]]
"""`dice(throw, count)` draws the faces, from 1 to 6, of `count` dice.  `throw` numbers the throws
of the game from 0, so that a source may compute its dice instead of remembering where it was."""


class ChoiceInfo(NamedTuple):
    """One way of an option that is a choice: its value, how it is called, and a sentence or ""."""

    value: str
    label: str
    help: str


class BotLevel(NamedTuple):
    """How well a bot may play: one of `LEVELS`, and a sentence if it is not all it could be here
    (else "").
    """

    id: str
    note: str


class OptionInfo(NamedTuple):
    """An option before the game.

    `kind` is "number" (from `low` to `high`), "switch", or "choice" (one of `choices`).
    """

    name: str
    label: str
    help: str
    kind: str
    default: int | bool | str
    low: int | None = None
    high: int | None = None
    choices: tuple[ChoiceInfo, ...] = ()


class GameInfo(NamedTuple):
    """A game a plugin offers; `id` is unique in a host, the other texts are in the language asked.

    `base` is the id of the game this one is a variant of, or ""; `region` says where it is played,
    `source` who describes it, and `note` is what its author says of it; each may be "".
    """

    id: str
    name: str
    summary: str
    min_players: int
    max_players: int
    options: tuple[OptionInfo, ...]
    base: str = ""
    region: str = ""
    source: str = ""
    note: str = ""


class Step(NamedTuple):
    """The table as it is now, and what happened on the way, in order."""

    table: Table
    events: tuple[Event, ...]


class Options(NamedTuple):
    """What is chosen at a table before its game begins.

    `game` is the game now chosen and `options` its options; `listed` are all there are to choose,
    with their values as `default`, the presets (variants of the game) first as the choice named
    `preset`; `message` says what has changed.
    """

    game: str
    options: Mapping[str, Any]
    listed: tuple[OptionInfo, ...]
    message: str


class Refusal(NamedTuple):
    """Something asked for that cannot be: a sentence for the person who asked."""

    message: str


class KeyInfo(NamedTuple):
    """A key somebody can use now: its name for `on_key` and what it does, for a button or menu."""

    key: str
    label: str


class HelpSection(NamedTuple):
    """A titled part of a help page, as plain paragraphs."""

    title: str
    paragraphs: tuple[str, ...]


class HelpPage(NamedTuple):
    """The rules of a game in one language, for the options given; `keys` is its last section."""

    title: str
    sections: tuple[HelpSection, ...]
    keys: HelpSection


hookspec = pluggy.HookspecMarker(PROJECT)


@hookspec
def games(lang: str, rules_dirs: Sequence[str], locale_dirs: Sequence[str]) -> Sequence[GameInfo]:
    """Which games there are; a host asks once at its start, and again whenever it likes.

    :param lang: the language of names and labels, any tag (`fr-CA`, `sr_Latn_RS`)
    :param rules_dirs: the host's folders of house rules, to be had from now on; none is fine
    :param locale_dirs: the host's folders of catalogs, to be had from now on; none is fine
    :returns: the games of this plugin; a faulty house rule is left out, see `problems`
    """
    raise NotImplementedError


@hookspec
def problems(lang: str) -> Sequence[str]:
    """What is wrong with files of the plugin or the host, for the host's operator.

    :param lang: the operator's language
    :returns: a sentence for each file that is left out, with its place
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def table_options(
    game: str,
    options: Mapping[str, Any],
    name: str,
    value: object,
    lang: str,
) -> Options | Refusal | None:
    """The options of a table before its game begins, after one of them was changed.

    Choosing another preset may change other options too; the message names each of them.

    :param game: the game chosen so far
    :param options: options by name, as chosen so far; those not given have their default
    :param name: the option to change, or "" to change none
    :param value: its new value
    :param lang: the language of names and of the message
    :returns: what is chosen now, a `Refusal`, or None if the game is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def help_page(game: str, options: Mapping[str, Any], lang: str) -> HelpPage | Refusal | None:
    """The rules of a game as it would be played with these options.

    :param game: the id of the game
    :param options: options by name; those not given have their default
    :param lang: the reader's language
    :returns: the page, a `Refusal` for a wrong option, or None if the game is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def setup(
    game: str, players: Sequence[str], options: Mapping[str, Any], dice: DiceSource, lang: str
) -> Step | Refusal | None:
    """Begin a game.  The first player given starts; the first Enter then throws.

    :param game: the id of the game
    :param players: different names in seat order
    :param options: options by name; those not given have their default
    :param dice: where the dice come from
    :param lang: the language of a refusal
    :returns: the table and its first events, a `Refusal`, or None if the game is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def on_key(table: Table, player: str, key: str) -> Step | None:
    """One key press of one person: `enter`, `space`, `1`, `shift+1`, a letter.

    One press has one effect; a refusal is an event.  If the last event is `turn_complete`, the
    host calls `on_turn_end` next, at once or after a pause.

    :param table: the table
    :param player: who pressed; any other name than a player's is a spectator
    :param key: the key's name; one that is no key of the game does nothing and has no events
    :returns: the table after it and the events, or None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def on_turn_end(table: Table) -> Step | None:
    """Settle a turn whose players are all done: tokens, phase, leavers, next starter, end.

    :param table: a table whose last event was `turn_complete`; with another nothing happens
    :returns: the table after it and the events, or None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def announce(table: Table, event: Event, listener: str | None, lang: str) -> str | None:
    """What one listener hears of one event.

    :param table: the table of the `Step` the event came in
    :param event: the event
    :param listener: a person's name, or None for somebody who hears names only
    :param lang: the listener's language
    :returns: whole sentences; "" if this event is not for this listener; None if the table is
        another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def announce_briefly(table: Table, event: Event, listener: str | None, lang: str) -> str | None:
    """The same for a listener who likes few words; optional, `announce` is heard instead.

    Each event that `announce` tells is told here too, in whole sentences.

    :param table: the table of the `Step` the event came in
    :param event: the event
    :param listener: a person's name, or None for somebody who hears names only
    :param lang: the listener's language
    :returns: whole sentences; "" if this event is not for this listener; None if the table is
        another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def cue(table: Table, event: Event, listener: str | None) -> str | None:
    """The sound that goes with an event for one listener; optional, no sound is played instead.

    A sound never stands for words: whoever hears none misses nothing.

    :param table: the table of the `Step` the event came in
    :param event: the event
    :param listener: a person's name, or None for somebody who only watches
    :returns: one of `CUES`, or "" for none; None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def heard_by(table: Table, event: Event) -> str | None:
    """Who alone hears an event.

    A host with many listeners needs it to render what all hear once for each language.

    :param table: the table
    :param event: the event
    :returns: the person's name; "" if all hear it; None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def view(table: Table, listener: str | None, lang: str) -> Mapping[str, Any] | None:
    """What a listener may see of a table, as JSON data, for pictures, buttons and lists.

    Every game has `seats` (each with `name`, `on_go`, `place`), `on_go` and `over`; more is the
    game's own.

    :param table: the table
    :param listener: a person's name, or None
    :param lang: the language of labels
    :returns: the view, or None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def usable_keys(table: Table, player: str, lang: str) -> Sequence[KeyInfo] | None:
    """The keys that do something for this person now, with labels, in a fixed order.

    :param table: the table
    :param player: a player's or spectator's name
    :param lang: the language of the labels
    :returns: the keys, or None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def bot_levels(game: str, lang: str) -> Sequence[BotLevel] | None:
    """How well bots of this game can play, the weakest first; optional, all are `REGULAR` then.

    :param game: a game's id
    :param lang: the language of what is to be said
    :returns: the levels, each one of `LEVELS`, or None if the game is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def bot_key(table: Table, player: str, level: str) -> str | None:
    """The next key of a bot that plays for this player, knowing no more than a player does.

    :param table: the table
    :param player: the player the bot plays for
    :param level: one of `LEVELS`; a plugin may do without this argument
    :returns: a key for `on_key`; "" if it is not this player's go; None if the table is another
        plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def review(
    saved: Mapping[str, Any], events: Sequence[Event], player: str, lang: str
) -> Sequence[str] | None:
    """What a player could have done better in a game that is over; optional, none is offered then.

    It may take seconds: a host with other things to do asks for it beside them.

    :param saved: what `save` returned when the game began
    :param events: all events of the game since then, in order
    :param player: the player
    :param lang: the language of the sentences
    :returns: sentences, to be heard one by one; or None if the save is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def save(table: Table) -> Mapping[str, Any] | None:
    """A table as JSON data that `restore` takes; it carries its rules and its game's id (`game`).

    :param table: the table
    :returns: the data, or None if the table is another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def restore(saved: Mapping[str, Any], dice: DiceSource, lang: str) -> Table | Refusal | None:
    """The table of `save`, to be played on by the rules it was saved with.

    :param saved: what `save` returned, perhaps years and versions ago
    :param dice: where the dice come from
    :param lang: the language of a refusal
    :returns: the table, a `Refusal` if it cannot be restored (keep the save), or None if it is
        another plugin's
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def apply(table: Table, events: Sequence[Event]) -> Table | None:
    """The table after events that happened to it before, for a host that keeps a journal.

    :param table: the table as it was before these events
    :param events: events from earlier steps, in order, none left out
    :returns: the table after them, or None if the table is another plugin's
    """
    raise NotImplementedError
