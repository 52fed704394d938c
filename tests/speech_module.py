"""A voice for Speech Dispatcher that makes no sound: it writes down what it is told to say.

Speech Dispatcher runs it with the system's Python and speaks to it by its own protocol, a line a
command.  Into the file $SPEECH_LOG goes one JSON object a line: `{"id", "time", "text",
"language"}` when it begins to speak, and `{"id", "time", "cut"}` when it has ended.
"""

import html
import json
import os
import re
import select
import sys
import time
from pathlib import Path

SECONDS_PER_CHARACTER = 0.004
"""Far faster than a voice, but not at once: an interruption must show."""

LANGUAGES = ("en", "es", "fr", "it", "sr")


class Lines:
    """Lines from the standard input, waited for no longer than one likes."""

    def __init__(self):
        self._read = b""

    def next(self, seconds=None):
        """The next line, or None if there is none in time."""
        while b"\n" not in self._read:
            if not select.select([0], [], [], seconds)[0]:
                return None
            more = os.read(0, 65536)
            if not more:
                sys.exit(0)
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def block(self):
        """Lines up to one that is a full stop."""
        lines = []
        while (line := self.next()) != ".":
            lines.append(line[1:] if line.startswith("..") else line)
        return lines


class Voice:
    """What is being said, and until when."""

    def __init__(self, log):
        self._log = log
        self._number = 0
        self._end = None
        self.settings = {}

    @property
    def left(self):
        """Seconds until it has said what it says; None if it says nothing."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def begin(self, ssml):
        text = html.unescape(re.sub(r"<[^>]*>", "", ssml)).strip()
        self._number += 1
        self._end = time.monotonic() + SECONDS_PER_CHARACTER * len(text)
        self._write(text=text, language=self.settings.get("language", ""))

    def end(self, cut):
        self._end = None
        self._write(cut=cut)

    def _write(self, **what):
        line = json.dumps({"id": self._number, "time": time.time(), **what}, ensure_ascii=False)
        self._log.write(line + "\n")


def answer(*lines):
    print(*lines, sep="\n", flush=True)


def obey(command, lines, voice):
    if command in ("SPEAK", "CHAR", "KEY", "SOUND_ICON"):
        answer("202 OK RECEIVING MESSAGE")
        said = "\n".join(lines.block())
        answer("200 OK SPEAKING")
        voice.begin(said)
        answer("701 BEGIN")
    elif command in ("STOP", "PAUSE"):
        if voice.left is not None:
            voice.end(cut=True)
            answer("703 STOP" if command == "STOP" else "704 PAUSE")
    elif command == "SET":
        answer("203 OK RECEIVING SETTINGS")
        voice.settings.update(line.partition("=")[::2] for line in lines.block())
        answer("203 OK SETTINGS RECEIVED")
    elif command == "INIT":
        answer("299-It makes no sound.", "299 OK LOADED SUCCESSFULLY")
    elif command == "AUDIO":
        answer("207 OK RECEIVING AUDIO SETTINGS")
        lines.block()
        answer("203 OK AUDIO INITIALIZED")
    elif command == "LOGLEVEL":
        answer("207 OK RECEIVING LOGLEVEL SETTINGS")
        lines.block()
        answer("203 OK LOG LEVEL SET")
    elif command == "LIST VOICES":
        answer(*(f"200-silent-{one}\t{one}\tnone" for one in LANGUAGES), "200 OK VOICE LIST SENT")
    elif command.startswith("DEBUG"):
        answer("200 OK DEBUGGING ON")
    elif command == "QUIT":
        answer("210 OK QUIT")
        sys.exit(0)
    else:
        answer("300 ERR UNKNOWN COMMAND")


def main():
    lines = Lines()
    with Path(os.environ["SPEECH_LOG"]).open("a", buffering=1, encoding="utf-8") as log:
        voice = Voice(log)
        while True:
            command = lines.next(voice.left)
            if command is not None:
                obey(command.strip(), lines, voice)
            elif voice.left == 0:
                voice.end(cut=False)
                answer("702 END")


if __name__ == "__main__":
    main()
