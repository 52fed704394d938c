"""Where the keys of a terminal room come from: a real keyboard, or lines that are piped in.

Both sources are used in the same way:

    with open_keys(layout, language) as keys:
        while not isinstance(pressed := keys.read(), EndOfInput):
            ...

Nothing is ever written to the terminal here.
"""

from __future__ import annotations

import codecs
import locale
import os
import signal
import sys
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, TypeAlias, Union

from zanzibar_plugin.hosts.keyboard import PUTS_BACK, RoomKey, key_named, key_of
from zanzibar_plugin.text import Text

if TYPE_CHECKING:
    from types import FrameType
    from typing import Self

    import blessed
    from blessed.keyboard import Keystroke

LINE_LIMIT = 200
SHOWN_LIMIT = 40


class NotAKey(NamedTuple):
    """Something was pressed or written that is no key.

    `shown` is what it was, safe to write to a terminal.  It is empty for what is better passed
    over in silence, such as an arrow key, which a person may press for the screen reader.
    `hint` is a sentence to say if there is a better one than that this is no key.
    """

    shown: str
    hint: Text | None = None


@dataclass(frozen=True)
class EndOfInput:
    """No key will ever come again."""


Pressed: TypeAlias = Union[str, RoomKey, NotAKey, EndOfInput, None]
"""A game key by its name, a key of the room, or why there is neither; None is that time is up."""


class Keys(Protocol):
    """A source of keys, to be used inside its `with` block.

    After `RoomKey.PUT_BACK` a digit key is given as the key that puts back; any other key does
    what it always does, and the digit after it chooses again.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...

    def read(self, timeout: float | None = None) -> Pressed:
        """The next key, or None if it does not come within `timeout` seconds."""


def open_keys(layout: str | None, language: str) -> Keys:
    """The source that fits the standard input."""
    if sys.stdin.isatty():
        return TerminalKeys(layout, language)
    return LineKeys(sys.stdin.buffer, layout, language)


class LineKeys:
    """Keys named one a line, as a script pipes them in.

    A line with anything else in it is no key, also if it holds several: nobody should see half
    of what he wrote done.  Reading waits for a whole line, whatever the timeout.
    """

    def __init__(self, stream: BinaryIO, layout: str | None, language: str) -> None:
        self._stream = stream
        self._layout = layout
        self._language = language
        self._put_back = _PutBack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def read(self, timeout: float | None = None) -> Pressed:
        """The key the next line names."""
        return self._put_back.follow(self._read())

    def _read(self) -> Pressed:
        try:
            line = self._stream.readline(LINE_LIMIT + 1)
            too_long = len(line) > LINE_LIMIT and not line.endswith(b"\n")
            rest = line
            while too_long and rest and not rest.endswith(b"\n"):
                rest = self._stream.readline(LINE_LIMIT)
        except OSError:  # a terminal or a pipe that is gone
            return EndOfInput()
        if not line:
            return EndOfInput()
        written = line.decode("utf-8", "replace")
        if too_long:
            return NotAKey(_shown(written))
        return _pressed(written, key_named(written, self._layout, self._language))


class TerminalKeys:
    """Single keys of the terminal on the standard input, without waiting for Enter.

    Within the `with` block keys are not echoed.  Ctrl+D is the end of input, Ctrl+C raises
    KeyboardInterrupt, and Ctrl+Z gives the terminal back for as long as the program is stopped.
    """

    def __init__(self, layout: str | None, language: str) -> None:
        self._layout = layout
        self._language = language
        self._put_back = _PutBack()
        self._terminal = _quiet_terminal()
        self._ahead: Keystroke | None = None
        self._leaving = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as entered:
            entered.enter_context(_resumable())
            entered.enter_context(self._terminal.cbreak())
            self._leaving = entered.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._leaving.close()

    def read(self, timeout: float | None = None) -> Pressed:
        """The next key, or None if it does not come within `timeout` seconds."""
        try:
            return self._put_back.follow(self._read(timeout))
        except (EOFError, OSError):  # the terminal is gone
            return EndOfInput()

    def _read(self, timeout: float | None) -> Pressed:
        stroke = self._ahead or self._terminal.inkey(timeout)
        self._ahead = None
        if not stroke:
            # Only a terminal that is none any more answers at once although it may wait.
            return None if timeout is not None else EndOfInput()
        if stroke == "\x04":
            return EndOfInput()
        if stroke in "\r\n" or stroke.name == "KEY_ENTER":
            return "enter"
        if stroke.startswith("\x1b"):
            self._pass_over(stroke)
            return NotAKey("")
        if stroke.is_sequence or not stroke.isprintable():
            return NotAKey("")
        return self._character(str(stroke))

    def _character(self, character: str) -> Pressed:
        key = key_of(character, self._layout, self._language)
        if not isinstance(key, (str, RoomKey)):
            # It may be a letter whose accent follows.
            while (ahead := self._terminal.inkey(0)) and unicodedata.combining(ahead[0]):
                character = (character + ahead)[:SHOWN_LIMIT]
            self._ahead = ahead or None
            key = key_of(character, self._layout, self._language)
        return _pressed(character, key)

    def _pass_over(self, stroke: Keystroke) -> None:
        # The rest of a sequence the library does not know would be taken for keys, digits above
        # all.  What comes faster after Escape than a person could press it belongs to it.
        if stroke.code is None or stroke == "\x1b":
            while self._terminal.inkey(0.05):
                pass


class _PutBack:
    """The memory that the key before was x."""

    def __init__(self) -> None:
        self._asked = False

    def follow(self, pressed: Pressed) -> Pressed:
        if pressed is None:
            return None
        asked, self._asked = self._asked, pressed is RoomKey.PUT_BACK
        if asked and isinstance(pressed, str):
            return PUTS_BACK.get(pressed, pressed)
        return pressed


def _pressed(written: str, key: str | RoomKey | Text | None) -> Pressed:
    if isinstance(key, (str, RoomKey)):
        return key
    return NotAKey(_shown(written), key)


def _shown(written: str) -> str:
    """What was written without anything that could move the cursor or turn the text round."""
    written = unicodedata.normalize("NFC", written.strip())
    cut = written[:SHOWN_LIMIT] + ("…" if len(written) > SHOWN_LIMIT else "")
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cut) or "…"


def _quiet_terminal() -> blessed.Terminal:
    """A terminal that reads keys and does nothing else."""
    import blessed

    if sys.platform == "win32":
        return blessed.Terminal(force_styling=None)

    class QuietTerminal(blessed.Terminal):
        # Styling would ask the terminal what it is, by writing to it.  Some environment
        # variables switch it on whatever the constructor is told.
        @property
        def does_styling(self) -> bool:
            return False

        # The library reads keys only where it can also write; here the output may well be
        # piped into a speech synthesizer.
        @property
        def is_a_tty(self) -> bool:
            return os.isatty(0)

        # The library's own raises on every key that follows an undecodable byte.
        def getch(self, decode_latin1: bool = False) -> str:
            byte = os.read(0, 1)
            if not byte:
                raise EOFError
            return chr(byte[0]) if decode_latin1 else decoder.decode(byte)

    encoding = locale.getpreferredencoding(False)
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    return QuietTerminal()


@contextmanager
def _resumable() -> Iterator[None]:
    """Gives the terminal back while the program is stopped by Ctrl+Z."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return

    import termios
    import tty

    outside = termios.tcgetattr(0)

    def in_front() -> bool:
        with suppress(OSError):  # the terminal is gone
            return os.tcgetpgrp(0) == os.getpgrp()
        return False

    def stop(number: int, frame: FrameType | None) -> None:
        # A real stop and not SIGSTOP: that would also stop a program nobody can continue.
        if in_front():
            termios.tcsetattr(0, termios.TCSADRAIN, outside)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, stop)
        resume(number, frame)

    def resume(number: int, frame: FrameType | None) -> None:
        # In the background the terminal is another's; going to the front calls this again.
        if in_front():
            tty.setcbreak(0, termios.TCSANOW)

    before = {
        number: signal.signal(number, handler)
        for number, handler in ((signal.SIGTSTP, stop), (signal.SIGCONT, resume))
    }
    try:
        with suppress(termios.error):  # nothing is to be restored on a terminal that is gone
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
