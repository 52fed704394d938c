"""Programs that a test starts, and that are gone when it ends, with all that they started.

Run as a program this is their warden.  It reads which ones there are up to the end of its input,
which comes when the test closes it or is no more, be it killed; then it ends them all and takes
their directory away.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

GENTLY, FOR_SURE = 3.0, 10.0
"""Seconds for the programs to end when they are asked, and when they are killed."""

Given = TypeVar("Given")


class OwnProcesses:
    """Starts programs in a new directory of theirs, which is their home and has their logs.

    Each leads a session of its own, and is given the directory as a part of its environment.  What
    they start in turn is told by one or the other: some begin sessions, and some, as Chromium,
    write over their environment.
    """

    def __init__(self, prefix: str):
        self.directory = Path(tempfile.mkdtemp(prefix=prefix))
        self.environment = {"HOME": str(self.directory)}
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._warden = subprocess.Popen(
            (sys.executable, __file__, str(self.directory)),
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def start(self, name: str, *command: str, pass_fds: tuple[int, ...] = ()) -> None:
        with (self.directory / f"{name}.log").open("wb") as log:
            self._started[name] = started = subprocess.Popen(
                command,
                cwd=self.directory,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=pass_fds,
                start_new_session=True,
            )
        assert self._warden.stdin is not None
        self._warden.stdin.write(f"{started.pid}\n".encode())
        self._warden.stdin.flush()

    def start_telling(self, name: str, *command: str) -> str:
        """Start a program that writes a line to a file descriptor; returns the line.

        The number of the descriptor is added to the last word.
        """
        reading, writing = os.pipe()
        try:
            self.start(name, *command[:-1], command[-1] + str(writing), pass_fds=(writing,))
        finally:
            os.close(writing)
        with os.fdopen(reading) as line:
            told = line.readline().strip()
        if not told:
            raise RuntimeError(f"{name} does not start.\n{self._logs()}")
        return told

    def run(self, *command: str) -> None:
        """Run a program to its end."""
        subprocess.run(command, cwd=self.directory, env=self.environment, check=True, timeout=60)

    def until(self, happened: Callable[[], Given], what: str, seconds: float = 60.0) -> Given:
        """Wait until `happened()`, and return what it gives."""
        end = time.monotonic() + seconds
        while not (given := happened()):
            if time.monotonic() > end:
                raise RuntimeError(f"{what} is not there after {seconds} s.\n{self._logs()}")
            time.sleep(0.05)
        return given

    def end(self) -> None:
        self._warden.communicate()
        for one in self._started.values():
            one.wait()

    def _logs(self) -> str:
        return "\n".join(
            f"{name}: {(self.directory / f'{name}.log').read_text(errors='replace')[-1000:]}"
            for name in self._started
        )


def _ours(sessions: set[int], directory: str) -> Iterator[int]:
    """Processes that are alive and in one of the sessions, or know the directory."""
    for entry in Path("/proc").iterdir():
        # It may end, or be somebody else's, while one looks at it.
        with suppress(OSError, ValueError):
            number = int(entry.name)
            # The name of the program, in brackets, may have spaces and brackets itself.
            status = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            state, _, _, session = status[:4]
            environment = (entry / "environ").read_bytes().split(b"\0")
            known = f"HOME={directory}".encode() in environment
            if state != "Z" and (known or int(session) in sessions):
                yield number


def _end_all(sessions: set[int], directory: str) -> None:
    """End all; first politely, as some have files elsewhere to take away."""
    for how, seconds in ((signal.SIGTERM, GENTLY), (signal.SIGKILL, FOR_SURE)):
        end = time.monotonic() + seconds
        for number in _ours(sessions, directory):
            with suppress(ProcessLookupError):
                os.kill(number, how)
        while [*_ours(sessions, directory)] and time.monotonic() < end:
            time.sleep(0.02)


if __name__ == "__main__":
    _end_all({int(line) for line in sys.stdin}, sys.argv[1])
    shutil.rmtree(sys.argv[1], ignore_errors=True)
