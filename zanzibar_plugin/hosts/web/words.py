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
    "master": text("Table master"),
    "bot": text("bot"),
    "away": text("away"),
    "options": text("Options"),
    "add_bot": text("Add a bot"),
    "remove_bot": text("Remove a bot"),
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
    "waiting": text("waiting for players"),
    "playing": text("playing"),
    "over": text("game over"),
    "yes": text("yes"),
    "no": text("no"),
    "lost": text("The connection is lost. Trying again."),
    "found": text("Connected again."),
    "say_again": text("Say it again"),
}


def words(catalog: Catalog) -> dict[str, str]:
    """Every word of the page by its name."""
    return {name: catalog.say(said) for name, said in _WORDS.items()}
