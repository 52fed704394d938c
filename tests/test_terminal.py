"""The terminal room, played by keys that are not real, by piped lines, and on a real terminal."""

import io
import os
import random
import re
import select
import subprocess
import sys
import time

import pytest

from zanzibar_plugin import plugin
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import Refusal
from zanzibar_plugin.hosts import terminal
from zanzibar_plugin.hosts.keyboard import RoomKey
from zanzibar_plugin.hosts.keyin import EndOfInput, LineKeys, NotAKey
from zanzibar_plugin.hosts.terminal import Manner, Seating, TerminalRoom
from zanzibar_plugin.registry import Registry
from zanzibar_plugin.room.people import BOT_NAMES
from zanzibar_plugin.text import text

HELP, REPEAT, LEAVE, PUT_BACK = RoomKey.HELP, RoomKey.REPEAT, RoomKey.LEAVE, RoomKey.PUT_BACK

READY = object()
FOR_EVER = float("inf")

HINT = (
    "Enter rolls the dice, and later accepts them. A number from 1 to 6 selects a die to roll "
    "again. The question mark tells all the keys; twice, the rules."
)
# The last line before the first key on a terminal of its own.
YOU_START = "you start."
AGAIN = "Enter begins another game. Q leaves."
GOODBYE = "Goodbye."


class Sitting:
    """A room whose keys, dice and clock are the test's; after its dice others fall.

    `heard` has the lines before the first key, then those after each key or pause.  None among
    the keys is that the time is up, and is only for a bot's pause; `READY` is that or Enter.
    """

    def __init__(
        self, monkeypatch, *people, bots=0, dice="", live=False, pace=0.0, review=False, **options
    ):
        registry = Registry()
        registry.register(plugin, "zanzibar")
        self.people = people
        self.heard = [[]]
        self.pauses = []
        self._faces = list(map(int, dice.replace(" ", "")))
        self._chance = random.Random(1)
        self._now = 0.0
        self._keys = iter(())
        monkeypatch.setattr(terminal, "time", self)
        self.room = TerminalRoom(
            registry.find("421"),
            Seating(people, BOT_NAMES[:bots], options),
            self._fall,
            Catalogs().catalog("en"),
            Manner(pace, live, review),
            lambda line: self.heard[-1].append(line),
        )

    def play(self, *keys):
        """All that is heard until the keys run out."""
        assert self.room.open() is None
        self._keys = iter(keys)
        self.room.play(self)
        assert self.heard[-1].pop() == GOODBYE
        return self.heard

    def _fall(self, throw, count):
        fallen, self._faces = self._faces[:count], self._faces[count:]
        return fallen or self._chance.choices(range(1, 7), k=count)

    # The keys, and the clock.

    def read(self, timeout=None):
        pressed = next(self._keys, EndOfInput())
        if pressed is READY:
            pressed = "enter" if timeout is None else None
        self.heard.append([])
        if pressed is None:
            assert timeout is not None, "waiting for a key that does not come"
            self._now += timeout
        return pressed

    def monotonic(self):
        return self._now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.heard.append([])


@pytest.fixture
def sit(monkeypatch):
    return lambda *people, **how: Sitting(monkeypatch, *people, **how)


# One person


def test_what_is_heard_before_the_first_key(sit):
    begin = "The game begins: Zanzibar (4, 2, 1). Players, in order: "
    table = " 21 tokens lie on the table."
    assert sit("Ana", bots=2).play() == [
        [
            "Played by the computer: Alba and Boris.",
            HINT,
            f"{begin}Ana, Alba, and Boris.{table}",
            "Round 1, loading: you start. You have up to 3 rolls.",
        ],
        [],
    ]
    assert sit("Ana", "Bruno").play() == [
        [HINT, f"{begin}Ana and Bruno.{table}", "Round 1, loading: Ana starts."],
        [],
    ]


def test_a_go_with_dice_selected_and_put_back(sit):
    heard = sit("Ana", bots=1, dice="652 4 444").play(
        *["1", "enter", "6", "5", "shift+5", "space", "5", "shift+5", "enter", "enter"]
    )
    assert heard[1:11] == [
        ["You have not rolled yet. Enter rolls the three dice."],
        ["You roll 6, 5, 2. You have 2 rolls left."],
        ["To roll again: 6. Kept: 5, 2."],
        ["To roll again: 6, 5. Kept: 2."],
        ["To roll again: 6. Kept: 5, 2."],
        ["To roll again: 6. Kept: 5, 2."],
        ["To roll again: 6, 5. Kept: 2."],
        ["To roll again: 6. Kept: 5, 2."],
        ["You roll again: 4. You have 5, 4, 2. You have 1 roll left."],
        ["You accept 5, 4, 2. Alba is next, with up to 2 rolls."],
    ]


def test_putting_back_with_x(sit, monkeypatch):
    sitting = sit("Ana", bots=1, dice="652")
    lines = LineKeys(io.BytesIO(b"\n6\nx\n6\nx\nx6\n"), None, "en")
    monkeypatch.setattr(sitting, "read", lambda timeout=None: lines.read(timeout))
    (heard,) = sitting.play()
    start = "Round 1, loading: you start. You have up to 3 rolls."
    assert heard[heard.index(start) + 1 :] == [
        "You roll 6, 5, 2. You have 2 rolls left.",
        "To roll again: 6. Kept: 5, 2.",
        "Put back which die? Press its number.",
        "No die is selected. Enter accepts 6, 5, 2.",
        "Put back which die? Press its number.",
        "No selected die shows 6.",
    ]


def test_repeating(sit):
    opening, *heard = sit("Ana", bots=1, dice="652").play(
        *[REPEAT, "enter", REPEAT, "6", REPEAT, REPEAT, HELP, REPEAT, NotAKey(""), REPEAT]
    )
    assert opening[1] == HINT
    assert heard[0] == opening[2:]
    assert heard[2] == heard[1] == ["You roll 6, 5, 2. You have 2 rolls left."]
    assert heard[4] == heard[5] == heard[3] == ["To roll again: 6. Kept: 5, 2."]
    # Neither the help nor a key for the screen reader is something that was announced.
    assert heard[7] == heard[9] == heard[3]


def test_repeating_says_all_that_belongs_together(sit):
    heard = sit("Ana", bots=1, live=True, pace=1, dice="421 665", dry_charge=True).play(
        *["enter", None, None, REPEAT]
    )
    rolled, settled, repeated, _ = heard[2:]
    assert rolled == ["Alba rolls 6, 6, 5.", "Everybody has played."]
    assert settled[0].startswith("You are the strongest with 4, 2, 1, four two one")
    assert settled[1:] == ["Round 2, loading: Alba starts."]
    assert repeated == settled


def test_help(sit):
    _, keys, again, other, keys_again, _ = sit("Ana", bots=1, tokens=9).play(
        *[HELP, HELP, "t", HELP]
    )
    assert keys == keys_again
    for key in ("Enter", "1 to 6", "Shift with 1 to 6", "Space", *"DCST", "X", "R", "Q"):
        assert any(re.match(rf"{key}[:,]", line) for line in keys)
    # The rules are those of this table.
    assert again[0] == "Zanzibar (4, 2, 1)"
    assert any("9 tokens" in line for line in again)
    assert not any("21 tokens" in line for line in again)
    assert other == ["It is your turn. Rolls made: 0 of 3."]


def test_h_is_for_help_where_there_is_no_advice(sit):
    _, by_mark, _, by_letter, rules, _ = sit("Ana", bots=1).play(HELP, "t", "h", "h")
    assert by_letter == by_mark
    assert "Question mark or H: tells the keys; pressed again, the rules." in by_letter
    assert rules[0] == "Zanzibar (4, 2, 1)"


def test_h_is_for_advice_where_there_is(sit):
    sitting = sit("Ana", bots=1, dice="642", tokens=2, advice=True)
    _, early, keys, _, advice, _ = sitting.play("h", HELP, "enter", "h")
    assert early == ["You have not rolled yet: there is nothing to decide."]
    assert any(line.startswith("H: ") for line in keys)
    assert "Question mark: tells the keys; pressed again, the rules." in keys
    assert len(advice) == 1
    assert advice[0].startswith("It is best to ")


def test_advice_for_several_at_one_keyboard(sit):
    sitting = sit("Ana", "Bruno", dice="642 665", tokens=2, advice=True)
    heard = sitting.play("enter", "h", "enter", "h")
    assert heard[2][0].startswith("It is best to ")
    assert heard[4] == ["With a single roll there is nothing to decide."]


def test_advice_while_a_bot_thinks(sit):
    sitting = sit("Ana", bots=1, dice="421 665", live=True, pace=1, dry_charge=True, advice=True)
    assert sitting.play("enter", "h")[2] == ["It is not your turn. On turn: Alba."]


def test_the_review(sit):
    one = sit("Ana", bots=1, dice="331 421", tokens=1, live=True, review=True)
    heard = one.play("enter", "enter", READY, READY, READY)
    after = next(lines for lines in heard if "The game is looked through. One moment." in lines)
    at = after.index("The game is looked through. One moment.")
    assert after[at - 1].startswith("You hold all the tokens and lose the game.")
    assert after[at + 1].startswith("Round 1: you accept 3, 3, 1. It is better to ")
    assert after[-1] == AGAIN
    two = sit("Ana", "Bruno", dice="642 421", tokens=1, review=True).play(*["enter"] * 4)
    after = next(lines for lines in two if "The game is looked through. One moment." in lines)
    at = after.index("The game is looked through. One moment.")
    assert after[at + 1] == "For: Ana."
    assert "For: Bruno." in after[at + 3 :]
    without = sit("Ana", bots=1, dice="331 421", tokens=1).play("enter", "enter")
    assert not any("looked through" in line for lines in without for line in lines)


def test_a_second_game_is_reviewed_by_itself(sit):
    sitting = sit("Ana", "Bruno", dice="642 421 642 421", tokens=1, live=True, review=True)
    heard = sitting.play(*["enter"] * 7)
    found = [lines for lines in heard if "The game is looked through. One moment." in lines]
    assert len(found) == 2
    assert len(found[0]) == len(found[1])


def test_leaving(sit):
    sure = ["Press Q again to leave."]
    assert sit("Ana", bots=1).play(LEAVE, LEAVE, "t")[1:] == [sure, []]
    # Anything in between, and it has to be pressed twice again.
    heard = sit("Ana", bots=1).play(LEAVE, "t", LEAVE, NotAKey(""), LEAVE, "t")
    assert [heard[1], heard[3], heard[5]] == [sure] * 3
    assert heard[6] == ["It is your turn. Rolls made: 0 of 3."]


def test_what_is_no_key(sit):
    hint = text("This is a hint.")
    heard = sit("Ana", bots=1).play(NotAKey("foo"), NotAKey(""), NotAKey("&", hint), "shift+7")
    # A key that is for the screen reader is passed over; any other is answered.
    assert heard[1:] == [
        ["foo is no key. The question mark tells all the keys."],
        *[[], ["This is a hint."], ["This key does nothing in this game."], []],
    ]


def test_a_refusal_before_the_game(sit):
    assert sit("Ana").room.open() == Refusal("This game is for 2 to 12 players; there is 1 here.")
    assert isinstance(sit("Ana", "ana").room.open(), Refusal)
    assert isinstance(sit("Ana", bots=1, tokens=0).room.open(), Refusal)


# Several people at one keyboard


def test_people_who_share_a_keyboard_hear_names(sit):
    heard = sit("Ana", "Bruno", dice="652 3 421", tokens=5).play(
        *["enter", "6", "space", "enter", "enter", "c", "t", "s", "enter", "enter"]
    )
    assert heard[1:] == [
        ["Ana rolls 6, 5, 2."],
        # What is for one of them alone is said to that one.
        ["To roll again: 6. Kept: 5, 2."],
        ["To roll again: 6. Kept: 5, 2."],
        ["Ana rolls again: 3. The result is 5, 3, 2."],
        ["Ana accepts 5, 3, 2. Bruno is next, with up to 2 rolls."],
        ["The best so far: Ana, 5, 3, 2, worth 1 token."],
        ["It is your turn. Rolls made: 0 of 2."],
        ["Tokens: Ana 0 and you 0. On the table: 5."],
        ["Bruno rolls 4, 2, 1, four two one."],
        ["Bruno accepts 4, 2, 1, four two one."],
        [
            "Bruno is the strongest with 4, 2, 1, four two one, worth 10 tokens. "
            "Ana is the weakest with 5, 3, 2, and takes 5 tokens from the table. "
            "The table is empty.",
            "Bruno has no token and goes out of the game, place 1.",
            "Ana holds all the tokens and loses the game. Place 1: Bruno.",
        ],
    ]


def test_people_who_share_a_keyboard_ask_together_while_a_bot_thinks(sit):
    """None of them is "you" then."""
    heard = sit("Ana", "Bruno", bots=1, dice="421 665", live=True, pace=1, dry_charge=True).play(
        *["enter", "enter", "s", "c", "1"]
    )
    assert heard[3:6] == [
        ["Tokens: Ana 0, Bruno 0, and Alba 0. On the table: 21."],
        ["The best so far: Ana, 4, 2, 1, four two one, worth 10 tokens."],
        ["It is not your turn. On turn: Alba."],
    ]


# Bots


def test_a_game_that_is_piped_ends_by_itself(sit):
    *_, heard = sit("Ana", bots=2).play(*[READY] * 2000)
    assert re.search(r"\w+ holds? all the tokens and loses? the game\. Place 1: ", heard[-1])


@pytest.mark.parametrize("live", [False, True])
def test_bots_pause_only_before_something_is_heard(sit, live):
    sitting = sit("Ana", bots=3, live=live, pace=2)
    heard = sitting.play(*[READY] * 60)
    assert all(heard[1:-1])
    assert set(sitting.pauses) == (set() if live else {2})


def test_bots_without_a_pause(sit):
    heard = sit("Ana", bots=1, dice="421 665 421", live=True, dry_charge=True).play("enter")
    assert "Alba rolls 6, 6, 5." in heard[1]
    assert "Alba rolls 4, 2, 1, four two one." in heard[1]


def test_asking_while_bots_think(sit):
    heard = sit("Ana", bots=1, dice="421 665", live=True, pace=1, dry_charge=True).play(
        *["enter", "s", "shift+1", "1", "space", HELP, REPEAT, None, "t", "1", None]
    )
    assert heard[1] == ["You roll 4, 2, 1, four two one.", "Alba is next, with 1 roll."]
    assert heard[2] == ["Tokens: you 0 and Alba 0. On the table: 21."]
    assert heard[3] == heard[4] == heard[5] == ["It is not your turn. On turn: Alba."]
    assert heard[7] == heard[5]
    assert heard[8] == ["Alba rolls 6, 6, 5.", "Everybody has played."]
    assert heard[9] == heard[10] == ["The round is over, the next one is about to begin."]
    assert heard[11][0].startswith("You are the strongest with 4, 2, 1, four two one")


def test_enter_goes_on_at_once_while_bots_think(sit):
    sitting = sit("Ana", bots=1, dice="421 665 652", live=True, pace=60, dry_charge=True)
    heard = sitting.play("enter", "enter", "enter", "enter")
    assert heard[2] == ["Alba rolls 6, 6, 5.", "Everybody has played."]
    assert heard[3][0].startswith("You are the strongest with 4, 2, 1, four two one")
    assert heard[4][0].startswith("Alba rolls 6, 5, 2")
    assert sitting.monotonic() == 0


def test_a_key_restarts_the_pause(sit):
    """Whoever asks has the whole pause again; the bot does not speak over the answer."""
    asked = sit("Ana", bots=1, dice="421 665", live=True, pace=3, dry_charge=True)
    timeouts = []
    read = asked.read

    def slow(timeout=None):
        timeouts.append(timeout)
        if timeout is not None:
            asked._now += min(2, timeout)  # every key comes two seconds later
        return read(timeout)

    asked.read = slow
    heard = asked.play("enter", "s", NotAKey(""), "c", "s", None)
    assert timeouts[1:6] == [3, 3, 3, 3, 3]
    assert heard[6][0] == "Alba rolls 6, 6, 5."


def test_bots_wait_while_help_is_read(sit):
    """Nobody can listen to help and to bots at once: they wait for the next key, for ever."""
    sitting = sit("Ana", bots=1, dice="421 665", live=True, pace=1, dry_charge=True)
    timeouts = []
    read = sitting.read

    def watched(timeout=None):
        timeouts.append(timeout)
        return read(timeout)

    sitting.read = watched
    heard = sitting.play("enter", HELP, HELP, "s", None)
    assert timeouts[1:] == [1, FOR_EVER, FOR_EVER, 1, 1]
    assert heard[4] == ["Tokens: you 0 and Alba 0. On the table: 21."]
    assert heard[5][0] == "Alba rolls 6, 6, 5."
    # Enter ends the wait as well.
    sitting = sit("Ana", bots=1, dice="421 665", live=True, pace=1, dry_charge=True)
    assert sitting.play("enter", HELP, "enter")[3][0] == "Alba rolls 6, 6, 5."


@pytest.mark.parametrize("thrown", [0, 1])
def test_leaving_while_bots_think(sit, thrown):
    """They do not go on before one is gone: neither with a throw nor with the round's end."""
    heard = sit("Ana", bots=1, dice="421 665", live=True, pace=1, dry_charge=True).play(
        *["enter", *[None] * thrown, LEAVE, LEAVE]
    )
    assert heard[-1] == []
    heard = sit("Ana", bots=1, dice="421 665", live=True, pace=1, dry_charge=True).play(
        *["enter", *[None] * thrown]
    )
    assert heard[-1] == []  # the end of input


# The end


def test_another_game(sit):
    sitting = sit("Ana", "Bruno", dice="421 665 111", live=True, tokens=1, dry_charge=True)
    heard = sitting.play(*["enter", "enter", "s", "1", REPEAT, "enter", "enter"])
    over = heard[2]
    assert over[-2:] == [
        "Bruno holds all the tokens and loses the game. Place 1: Ana.",
        AGAIN,
    ]
    # The offer is made once; it can be heard again with the end of the game.
    assert heard[3] == ["Tokens: Bruno 1. Out of the game: Ana, place 1."]
    assert heard[4] == ["The game is over."]
    assert heard[6][0].startswith("The game begins")
    assert heard[6][1:] == ["Round 1, loading: Ana starts."]
    assert heard[7][0] == "Ana rolls 1, 1, 1, three ones."


@pytest.mark.parametrize("keys", [[LEAVE, LEAVE], []])
def test_no_other_game(sit, keys):
    sitting = sit("Ana", "Bruno", dice="421 665", live=True, tokens=1, dry_charge=True)
    heard = sitting.play("enter", "enter", *keys)
    assert heard[2][-1] == AGAIN
    assert heard[-1] == []


# Processes


def command(*arguments):
    program = "import sys; from zanzibar_plugin.cli import main; sys.exit(main())"
    return [sys.executable, "-c", program, "play", "--lang", "en", *arguments]


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_whole_game_of_piped_lines(seed):
    """Somebody rolls again what is not a 6, and so on, until the game is over."""
    lines = b"\n1\n2\n3\nfoo\n\n\ns\n" * 400
    played = subprocess.run(
        command("--seed", seed, "--players", "Ana"), input=lines, capture_output=True, timeout=60
    )
    assert (played.returncode, played.stderr) == (0, b"")
    *game, result, goodbye = played.stdout.decode().splitlines()
    assert goodbye == GOODBYE
    assert re.fullmatch(r".* the tokens and loses? the game\. Place 1: .*\.", result)
    assert "foo is no key. The question mark tells all the keys." in game
    # Lines that are read aloud have no holes and no ornaments.
    assert all(line.strip() == line != "" and line.isprintable() for line in game)


def test_lines_that_end_early_or_hold_anything():
    for lines in (b"", b"\n", b"\xff\xfe\n\x00\n\x1b[A\n" + b"z" * 10_000, b"q\nq\n" * 9):
        played = subprocess.run(
            command("--seed", "1"), input=lines, capture_output=True, timeout=60
        )
        assert (played.returncode, played.stderr) == (0, b"")
        assert played.stdout.decode().endswith(f"{GOODBYE}\n")


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, *arguments):
        import pty

        self.screen, inside = pty.openpty()
        take = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{take}os.execv(sys.argv[1], sys.argv[1:])",
             *command("--seed", "1", "--players", "Ana", "--bots", "1", *arguments)],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
        )  # fmt: skip
        os.close(inside)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.process.kill()
        self.process.wait()
        os.close(self.screen)

    def press(self, keys):
        os.write(self.screen, keys.encode())

    def until(self, awaited):
        """What comes up to the end of the line with `awaited`."""
        shown, deadline = "", time.monotonic() + 30
        while not re.search(f"{re.escape(awaited)}.*\r\n", shown):
            assert select.select([self.screen], [], [], deadline - time.monotonic())[0], shown
            try:
                # One by one, so that the next line is left for the next time.
                shown += os.read(self.screen, 1).decode("utf-8", "replace")
            except OSError:  # the program is gone
                raise AssertionError(shown) from None
        return shown


@pytest.mark.skipif(os.name == "nt", reason="has no pseudo terminals")
class TestOnARealTerminal:
    def test_single_keys_work_without_enter(self):
        with Terminal("--pace", "0") as room:
            room.until(YOU_START)
            room.press("t")
            assert room.until("Rolls made") == "It is your turn. Rolls made: 0 of 3.\r\n"
            room.press("\r")
            dice = re.search(r"You roll (\d)", room.until("You roll"))[1]
            room.press(dice)
            assert room.until("To roll again").startswith(f"To roll again: {dice}. Kept: ")
            room.press(f"x{dice}")
            assert "Put back which die?" in room.until("No die is selected.")
            room.press("?")
            room.until("Q, twice: leaves.")
            room.press("qq")
            assert room.until(GOODBYE).endswith(f"leave.\r\n{GOODBYE}\r\n")
            assert room.process.wait(10) == 0

    @pytest.mark.parametrize("keys", ["\x03", "\x04", "\r\x03", "\r\x04"])
    def test_control_c_and_control_d_end_politely(self, keys):
        """On one's own go, and, with one roll each, while a bot thinks."""
        with Terminal("--pace", "60", "--set", "dry_charge=true") as room:
            room.until(YOU_START)
            if keys[:-1]:
                room.press(keys[:-1])
                room.until("Alba is next")
            room.press(keys[-1])
            assert room.until(GOODBYE).strip() == GOODBYE
            assert room.process.wait(10) == 0

    def test_asking_while_a_bot_thinks(self):
        with Terminal("--pace", "60", "--set", "dry_charge=true") as room:
            room.until(YOU_START)
            room.press("\r")
            room.until("Alba is next")
            room.press("s")
            answer = "Tokens: Ana 0 and Alba 0. On the table: 21.\r\n"
            assert room.until("Tokens:") == answer.replace("Ana", "you")

    def test_another_game(self):
        with Terminal("--pace", "0", "--set", "dry_charge=true", "--set", "tokens=1") as room:
            room.until(YOU_START)
            room.press("\r")
            room.until(AGAIN)
            room.press("\r")
            room.until("The game begins")
            room.until("Round 1, loading: you start.")
