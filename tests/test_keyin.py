import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zanzibar_plugin.hosts.keyboard import LAYOUTS, RoomKey
from zanzibar_plugin.hosts.keyin import (
    LINE_LIMIT,
    SHOWN_LIMIT,
    EndOfInput,
    LineKeys,
    NotAKey,
    open_keys,
)
from zanzibar_plugin.text import Text


def lines(written, layout=None, language="en"):
    read = []
    with LineKeys(io.BytesIO(written), layout, language) as keys:
        while not isinstance(pressed := keys.read(), EndOfInput):
            read.append(pressed)
        assert keys.read() == EndOfInput()
    return read


def test_one_key_a_line():
    written = b"\nspace\r\n1\nshift+2\nx 4\n  D \n?\nr\nq\n6"
    assert lines(written) == [
        *["enter", "space", "1", "shift+2", "shift+4", "d"],
        *[RoomKey.HELP, RoomKey.REPEAT, RoomKey.LEAVE, "6"],
    ]


@pytest.mark.parametrize("layout", [None, *LAYOUTS])
def test_putting_back_without_shift(layout):
    for digit in "123456":
        put_back = f"shift+{digit}"
        assert lines(f"x\n{digit}\n{digit}".encode(), layout) == [
            *[RoomKey.PUT_BACK, put_back, digit]
        ]
        assert lines(f"x\nshift+{digit}".encode(), layout) == [RoomKey.PUT_BACK, put_back]


def test_anything_else_ends_putting_back():
    assert lines(b"x\nd\n1\nx\n7\n1\nx\n?\n1\nx\nx\n1")[1:] == [
        *["d", "1", RoomKey.PUT_BACK, NotAKey("7"), "1"],
        *[RoomKey.PUT_BACK, RoomKey.HELP, "1"],
        *[RoomKey.PUT_BACK, RoomKey.PUT_BACK, "shift+1"],
    ]


@pytest.mark.parametrize("line", ['&é"', "1 3", "１", "²", "é1"])
@pytest.mark.parametrize("layout", [None, "us", "fr"])
def test_a_line_that_is_no_key_says_what_it_was(line, layout):
    assert lines(line.encode(), layout, "fr") == [NotAKey(line)]


@pytest.mark.parametrize("e_acute", ["é", "e\u0301"])
def test_a_character_of_a_french_keyboard(e_acute):
    assert lines(e_acute.encode(), "fr") == lines(e_acute.encode(), "be") == ["2"]
    [answer] = lines(e_acute.encode())
    assert answer.shown == "é"
    assert isinstance(answer.hint, Text)


def test_a_byte_that_is_no_character():
    assert lines(b"\xe9\n1\n") == [NotAKey("\N{REPLACEMENT CHARACTER}"), "1"]


@pytest.mark.parametrize("end", [b"", b"\n1"])
def test_a_line_too_long_is_one_line_and_shown_in_part(end):
    [answer, *rest] = lines(b"1" * 100_000 + end)
    assert answer == NotAKey("1" * SHOWN_LIMIT + "…")
    assert rest == (["1"] if end else [])
    [answer] = lines(b" " * (LINE_LIMIT + 1))
    assert answer == NotAKey("…")
    assert lines(b"1".ljust(LINE_LIMIT) + b"\n") == ["1"]


def test_a_long_line_is_not_held_in_memory():
    class Endless(io.RawIOBase):
        asked = 0

        def readline(self, limit=-1):
            assert 0 < limit <= LINE_LIMIT + 1
            self.asked += 1
            return b"z" * limit if self.asked < 5_000 else b"\n"

    assert LineKeys(Endless(), None, "en").read() == NotAKey("z" * SHOWN_LIMIT + "…")


def test_what_is_shown_moves_nothing():
    [answer] = lines("\x1b[2Jab\u202ec\x07".encode())
    assert answer.shown.isprintable()
    assert "ab" in answer.shown


def test_a_source_that_breaks_is_at_its_end():
    class Gone(io.BytesIO):
        def readline(self, limit=-1):
            raise OSError("gone")

    assert LineKeys(Gone(), None, "en").read() == EndOfInput()


def test_what_is_no_terminal_gives_lines(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1\n")))
    with open_keys(None, "en") as keys:
        assert [keys.read(), keys.read()] == ["1", EndOfInput()]


@given(
    st.one_of(
        st.binary(), st.lists(st.sampled_from([b"x", b"1", b"\n", b"\xe9", b" "])).map(b"".join)
    ),
    st.sampled_from([None, *LAYOUTS]),
)
def test_any_bytes_are_read_to_their_end(written, layout):
    for answer in lines(written, layout):
        if isinstance(answer, NotAKey):
            assert answer.shown.isprintable()
            assert 0 < len(answer.shown) <= SHOWN_LIMIT + 1
        else:
            assert isinstance(answer, (str, RoomKey))


# A real terminal.  Its program writes what it reads to a pipe, so that all that comes out of the
# terminal itself would be drawn on the person's screen.

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
termios = pytest.importorskip("termios", reason="no pseudo-terminals here")

READS = """
    import sys
    from zanzibar_plugin.hosts.keyin import EndOfInput, open_keys
    report = lambda what: print(repr(what), file=open({report}, "w", closefd=False), flush=True)
    with open_keys({layout!r}, "en") as keys:
        report("ready")
        while True:
            pressed = keys.read({timeout})
            report(pressed)
            if pressed in {until}:
                {then}
    report("left")
"""

TAKES_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
exec(sys.argv[1])
"""

# What a shell does when its foreground job stops, but for setting the terminal right itself.
IS_A_SHELL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
before = termios.tcgetattr(0)
if not (job := os.fork()):
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    exec(sys.argv[1])
    sys.exit()
stopped = os.WIFSTOPPED(os.waitpid(job, os.WUNTRACED)[1])
os.tcsetpgrp(0, os.getpgrp())
os.kill(-job, signal.SIGCONT)
restored = termios.tcgetattr(0) == before
os.tcsetpgrp(0, job)
os.kill(-job, signal.SIGCONT)
os.write(int(sys.argv[2]), f"stopped {stopped}, restored {restored}\\n".encode())
os.waitpid(job, 0)
"""


class Session:
    """A program that reads single keys from a terminal of its own."""

    def __init__(
        self, layout=None, timeout=None, then="break", until="(EndOfInput(),)", start=TAKES_TERMINAL
    ):
        self.terminal, inner = pty.openpty()
        self.before = termios.tcgetattr(inner)
        self.reports, report = os.pipe()
        program = READS.format(
            report=report, layout=layout, timeout=timeout, then=then, until=until
        )
        self.inner = inner
        self.process = subprocess.Popen(
            [sys.executable, "-c", start, textwrap.dedent(program), str(report)],
            stdin=inner,
            stdout=inner,
            stderr=subprocess.PIPE,
            pass_fds=[report],
            start_new_session=True,
            # The variables that make terminal libraries draw.
            env={**os.environ, "TERM": "xterm", "FORCE_COLOR": "1", "PYTHONUTF8": "1"},
        )
        os.close(report)
        # A program that answers nothing fails the test instead of holding it up.
        self.limit = threading.Timer(30, self.process.kill)
        self.limit.start()
        self._lines = os.fdopen(self.reports, encoding="utf-8")

    def __enter__(self):
        assert self.next() == "'ready'"
        return self

    def __exit__(self, *raised):
        self.limit.cancel()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self._lines.close()
        os.close(self.terminal)
        os.close(self.inner)

    def press(self, *keys):
        for key in keys:
            os.write(self.terminal, key)

    def next(self):
        return self._lines.readline().rstrip("\n")

    def answers(self, *keys):
        self.press(*keys)
        return self.next()

    def restored(self):
        return termios.tcgetattr(self.inner) == self.before

    def drawn(self):
        os.set_blocking(self.terminal, False)
        try:
            return os.read(self.terminal, 1000)
        except BlockingIOError:
            return b""


def no_key(shown):
    return repr(NotAKey(shown))


def test_single_keys_without_enter_and_without_a_trace():
    with Session() as session:
        for key, answer in [
            (b"1", "'1'"),
            (b"!", "'shift+1'"),
            (b"D", "'d'"),
            (b" ", "'space'"),
            (b"\r", "'enter'"),
            (b"\n", "'enter'"),
            (b"\x1bOM", "'enter'"),
            (b"?", repr(RoomKey.HELP)),
            (b"x", repr(RoomKey.PUT_BACK)),
            (b"4", "'shift+4'"),
            (b"4", "'4'"),
            ("²".encode(), no_key("²")),
            ("１".encode(), no_key("１")),
        ]:
            assert session.answers(key) == answer
        assert not session.restored()
        assert session.answers(b"\x04") == repr(EndOfInput())
        assert session.next() == "'left'"
        assert session.process.wait(10) == 0
        assert session.restored()
        assert session.drawn() == b""


def test_a_french_keyboard():
    with Session("fr") as session:
        assert session.answers(b"&") == "'1'"
        assert session.answers("é".encode()) == "'2'"
        assert session.answers("e\u0301".encode()) == "'2'"
        assert session.answers(b"2") == "'shift+2'"
        assert session.answers(b"x") == repr(RoomKey.PUT_BACK)
        assert session.answers(b"'") == "'shift+4'"


def test_letters_and_accents_before_other_keys_lose_nothing():
    with Session() as session:
        session.press("ee\u0301z1".encode())
        answers = [session.next() for _ in range(4)]
        assert answers[0] == no_key("e")
        assert answers[1].startswith("NotAKey(shown='é', hint=Text(")
        assert answers[2:] == [no_key("z"), "'1'"]


@pytest.mark.parametrize(
    "sequence",
    [
        *[b"\x1b[A", b"\x1bOB", b"\x1b[1;2C", b"\x1b[15;2~", b"\x1b[3~"],
        *[b"\x1ba", b"\x1b1", b"\x1b", b"\x1b[", b"\x1b[99;1X", b"\x1b[?1;2c", b"\x1b]11;1\x07"],
        *[b"\t", b"\x7f", b"\x01", b"\x00"],
    ],
)
def test_keys_that_are_for_something_else_are_passed_over(sequence):
    with Session() as session:
        assert session.answers(sequence) == no_key("")
        assert session.answers(b"1") == "'1'"


def test_an_undecodable_byte_ends_nothing():
    with Session() as session:
        session.press(b"\xe9", b"1", b"\xff", b"\xe9\xe9", b"2")
        answers = [session.next() for _ in range(6)]
        damage = no_key("\N{REPLACEMENT CHARACTER}")
        assert answers == [damage, "'1'", damage, damage, damage, "'2'"]


def test_time_is_up():
    with Session(timeout=0.05) as session:
        assert session.next() == "None"
        session.press(b"3")
        assert "'3'" in [session.next() for _ in range(20)]


@pytest.mark.parametrize("then", ["raise ValueError", "raise SystemExit(1)"])
def test_the_terminal_is_restored_after_an_exception(then):
    with Session(then=then, until="('1',)") as session:
        assert session.answers(b"1") == "'1'"
        assert session.process.wait(10) == 1
        assert session.restored()


def test_control_c_interrupts_and_the_terminal_is_restored():
    with Session() as session:
        session.press(b"\x03")
        assert session.next() == ""
        assert session.process.wait(10) == -signal.SIGINT
        assert b"KeyboardInterrupt" in session.process.stderr.read()
        assert session.restored()


def test_a_terminal_that_is_gone_is_the_end():
    with Session() as session:
        devnull = os.open(os.devnull, os.O_RDWR)
        os.dup2(devnull, session.terminal)
        os.close(devnull)
        # Hanging up kills a program, as it should; nothing else may come of it.
        assert session.process.wait(10) in (-signal.SIGHUP, 0)
        assert session.process.stderr.read() == b""


def test_nothing_stops_a_program_nobody_can_continue():
    with Session() as session:
        assert session.answers(b"\x1a", b"1") == "'1'"


def test_stopping_gives_the_terminal_back_and_going_on_takes_it():
    with Session(start=IS_A_SHELL) as session:
        assert session.answers(b"1") == "'1'"
        assert session.answers(b"\x1a") == "stopped True, restored True"
        # Until the program has heard that it goes on:
        while session.restored() and session.process.poll() is None:
            time.sleep(0.01)
        assert session.answers(b"2") == "'2'"
        assert session.answers(b"\x04") == repr(EndOfInput())
        assert session.next() == "'left'"
        assert session.process.wait(10) == 0
        assert session.restored()
        assert session.drawn() == b""
