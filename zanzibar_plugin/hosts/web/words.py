"""The words of the room's page, in a reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from babel import Locale, UnknownLocaleError

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.text import Text, text

_WORDS: Mapping[str, Text] = {
    "title": text("Game room"),
    "your_name": text("Your name"),
    "your_language": text("Your language"),
    "enter_room": text("Enter the room"),
    "tables": text("Tables"),
    "no_tables": text("There is no table yet. Open one."),
    # L10N: A label with a number: tables that are not shown in the list, which would be too long.
    "more_tables": text("Further tables"),
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
    # L10N: A label: how well the bots play that are added next, such as "expert".
    "bot_level": text("New bots play as"),
    # L10N: How well a bot plays.
    "beginner": text("beginner"),
    # L10N: How well a bot plays: neither as a beginner nor as an expert.
    "regular": text("regular player"),
    # L10N: How well a bot plays.
    "expert": text("expert"),
    # L10N: A button, after a game: it tells the decisions that have cost most.
    "look_back": text("What could I have done better?"),
    "begin": text("Begin the game"),
    "again": text("Play again"),
    "pause": text("Pause"),
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
    "all_keys": text("All keys"),
    # L10N: What is heard when the focus comes to the place of the game's keys.
    "play_here": text("Play here by keys. The key K tells them all."),
    "key_enter": text("Enter"),
    "key_space": text("Space"),
    # L10N: A key with Shift; {digit} is a number.
    "key_shift": text("Shift with {digit}"),
    "keys_back": text("Backspace puts back the die that was selected last."),
    "keys_repeat": text("R says the last message again."),
    "keys_review": text(
        "Page Up reads the message before, Page Down the one after; with Shift, the first and the "
        "latest one."
    ),
    "keys_copy": text("Control with C copies the message."),
    "keys_verbosity": text("The key V changes between normal and brief announcements."),
    "keys_all": text("The key K tells all keys."),
    # L10N: A group of buttons with which one goes through what was said.
    "review": text("Read messages again"),
    "earlier": text("Earlier message"),
    "later": text("Later message"),
    "first": text("First message"),
    "latest": text("Latest message"),
    "copy_message": text("Copy this message"),
    "copied_message": text("The message is copied."),
    "not_copied": text("The browser does not allow copying."),
    "nothing_said": text("Nothing was said yet."),
    "private": text("private"),
    "you": text("you"),
    "spectator": text("spectator"),
    "on_go": text("on turn"),
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
    "best": text("Best of this round: {player}, {combination}."),
    "latest_roll": text("The latest roll: {player}, {combination}."),
    "paused": text("The game is paused."),
    # L10N: A die that will be rolled again; {face} is its number.
    "selected": text("{face} (selected)"),
    "no_dice": text("No dice are rolled yet."),
    # L10N: The least and the greatest number that can be chosen.
    "from_to": text("From {low} to {high}."),
    "go_on": text("Go on"),
    "sure_leave": text("Leave this game? A bot plays on for you."),
    # L10N: Said of the end of a game.
    "you_win": text("You win the game!"),
    "you_lose": text("You lose the game."),
    "loses": text("{player} loses the game."),
    "winners": text("Place 1"),
    "select_first": text("No die is selected. Select those to roll again."),
    "welcome": text("Dice games with friends or bots: by keys, by ear or by touch."),
    "play_yourself": text("Play on yourself"),
    "copy_link": text("Copy the link"),
    "copied": text("The link is copied."),
    "chat_help": text("Begin with /me to tell what you do."),
    "sure_close": text("Close this table for everybody?"),
    "sure_kick": text("Send {player} away from this table for good?"),
    "cancel": text("Cancel"),
    "other_window": text("Already open in another window"),
    "here": text("Use this window"),
    # L10N: The heading of what somebody can set for himself.
    "settings": text("Sound, speech and look"),
    "verbosity": text("Announcements"),
    "normal": text("Normal"),
    # L10N: Announcements in few words.
    "brief": text("Brief"),
    "verbosity_help": text("Brief announcements tell what matters, in fewer words."),
    "is_normal": text("Normal announcements."),
    "is_brief": text("Brief announcements."),
    # L10N: Whose voice speaks; the choices are the next two.
    "speaker": text("Who reads the announcements"),
    "reader": text("Your screen reader"),
    "page": text("This page"),
    "speaker_help": text(
        "If the page speaks, it uses a voice of this device, and Control makes it silent."
    ),
    "by_reader": text("Your screen reader speaks now."),
    "by_page": text("The page speaks now."),
    "no_voice": text(
        "This device has no voice for your language. Your screen reader goes on speaking."
    ),
    "speed": text("Speed of the page's voice"),
    "slow": text("Slow"),
    # L10N: A speed of speech.
    "usual": text("Usual"),
    "fast": text("Fast"),
    "faster": text("Very fast"),
    "sounds": text("Volume of the sounds"),
    # L10N: No sounds.
    "off": text("Off"),
    "quiet": text("Quiet"),
    # L10N: How loud sounds are: between quiet and loud.
    "medium": text("Medium"),
    "loud": text("Loud"),
    "colours": text("Colours"),
    # L10N: Light or dark colours, as the device has them.
    "device": text("As this device"),
    "light": text("Light"),
    "dark": text("Dark"),
    "shake": text("Roll by shaking this device"),
    "no_shaking": text("This device does not tell the page when it is shaken."),
    "dice_fair": text(
        "Checked: the dice of this game are right, and your secret number counts in them."
    ),
    "dice_unfair": text("Attention: the dice of this game do not pass the check!"),
    "dice_left_out": text("Your secret number does not count in the dice of this game."),
    "dice_unread": text("The dice of this game cannot be checked: its record does not tell them."),
    "record": text("Save this game to a file"),
    # L10N: Said of a table whose game is about to begin.
    "starting": text("about to begin"),
    "rules_page": text("The rules on a page of their own"),
    "room_page": text("To the game room"),
    "languages": text("Languages"),
}

SETTINGS = (
    ("verbosity", "verbosity", ("normal", "brief")),
    ("speaker", "speaker", ("reader", "page")),
    ("speed", "speed", ("slow", "usual", "fast", "faster")),
    ("sounds", "sounds", ("off", "quiet", "medium", "loud")),
    ("look", "colours", ("device", "light", "dark")),
)
"""What somebody can set for himself: a name, its word, and the choices, each named by its word."""


def tag_of(language: str) -> str:
    """The tag of a language on a page: our Serbian is written in Latin letters."""
    return "sr-Latn" if language == "sr" else language.replace("_", "-")


def own_name(language: str) -> str:
    """A language in its own words."""
    try:
        locale = Locale.parse(tag_of(language), sep="-")
    except (UnknownLocaleError, ValueError):
        return language
    return locale.get_language_name() or language


def words(catalog: Catalog) -> dict[str, str]:
    """Every word of the page by its name."""
    return {name: catalog.say(said) for name, said in _WORDS.items()}
