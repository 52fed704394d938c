"""The words of the room's page, in a reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.text import Text, text

_WORDS: Mapping[str, Text] = {
    "title": text("Game room"),
    "your_name": text("Your name"),
    "your_language": text("Your language"),
    "enter_room": text("Enter the room"),
    "tables": text("Tables"),
    "no_tables": text("There is no table yet. Open one."),
    "game": text("Game"),
    "open_table": text("Open a table"),
    "private_table": text("Private table"),
    "join": text("Join"),
    "watch": text("Watch"),
    "look": text("Look at this table"),
    "come_back": text("Back to this table"),
    "leave": text("Leave the table"),
    "back": text("Back to the list of tables"),
    "players": text("Players"),
    "spectators": text("Spectators"),
    "master": text("table master"),
    "bot": text("bot"),
    "away": text("away"),
    "options": text("Options"),
    "add_bot": text("Add a bot"),
    "remove_bot": text("Remove this bot"),
    "begin": text("Begin the game"),
    "again": text("Play again"),
    "pause": text("Pause or go on"),
    "hand_over": text("Make table master"),
    "kick": text("Send away"),
    "close": text("Close the table"),
    "invite": text("Invitation link"),
    "rules": text("Rules"),
    "play_area": text("Game keys"),
    "history": text("What was said"),
    "chat": text("Write to the table"),
    "send": text("Send"),
    "dice": text("Dice"),
    "tokens": text("Tokens"),
    # L10N: An option with its value, named because it has changed.
    "labelled": text("{option}: {value}"),
    "waiting": text("waiting for players"),
    "playing": text("playing"),
    "over": text("game over"),
    # L10N: Said of a table that is no more.
    "closed": text("closed"),
    "yes": text("yes"),
    "no": text("no"),
    "lost": text("The connection is lost. Trying again."),
    "found": text("Connected again."),
    "say_again": text("Say it again"),
    "change_name": text("Change name or language"),
    "connecting": text("Connecting to the room."),
    "needs_script": text("This page needs JavaScript."),
    "look_title": text("A table before joining it"),
    "actions": text("Actions"),
    "this_table": text("This table"),
    "to_area": text("Play by keys"),
    "keys_help": text(
        "While the game keys have the focus: digits from 1 to 6 select dice, Shift with a digit "
        "puts one back, Backspace puts back the one selected last, R says the last message again."
    ),
    "private": text("private"),
    "you": text("you"),
    "spectator": text("spectator"),
    "on_go": text("on turn"),
    "name": text("Name"),
    "role": text("Role"),
    # L10N: {place} is a number: who was first to be out of the game, second …
    "place": text("place {place}"),
    # L10N: Said of a table; {player} is its master.
    "master_is": text("table master: {player}"),
    "your_go": text("It is your turn."),
    "turn_of": text("It is {player}'s turn."),
    # L10N: {count} is how many rolls are done, {limit} how many there may be.
    "throws": text("Rolls: {count} of {limit}."),
    # L10N: {phase} is the name of a part of the game.
    "phase": text("Part of the game: {phase}."),
    "on_table": text("Tokens on the table: {count}."),
    "best": text("Best of this round: {combination}, {player}."),
    "paused": text("The game is paused."),
    # L10N: A die that will be rolled again; {face} is its number.
    "selected": text("{face}, selected"),
    "no_dice": text("No dice are rolled yet."),
    # L10N: The least and the greatest number that can be chosen.
    "from_to": text("From {low} to {high}."),
    "play_yourself": text("Play on yourself"),
    "copy_link": text("Copy the link"),
    "copied": text("The link is copied."),
    "chat_help": text("Begin with /me to tell what you do."),
    "sure_close": text("Close this table for everybody?"),
    "sure_kick": text("Send {player} away from this table for good?"),
    "cancel": text("Cancel"),
    "other_window": text("Already open in another window"),
    "here": text("Use this window"),
}


def words(catalog: Catalog) -> dict[str, str]:
    """Every word of the page by its name."""
    return {name: catalog.say(said) for name, said in _WORDS.items()}
