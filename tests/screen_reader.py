"""A real screen reader, listened to: Orca reads a page in Chromium, without a screen or sound.

    with ScreenReader("http://127.0.0.1:8421/") as reader:
        reader.until("Game room")
        reader.key("Tab")
        print(reader.speech, reader.bus)

What it speaks goes to a voice of ours (`speech_module`); what reaches it of live regions is seen on
the accessibility bus (`bus_tap`).  Both are needed: a screen reader says nothing of languages, and
leaves out a text equal to the one before, so that what is announced twice may be spoken once.

On Debian these packages are needed: xvfb dbus at-spi2-core openbox speech-dispatcher orca
gir1.2-wnck-3.0 python3-pyatspi xdotool chromium.
"""

import json
import re
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from own_processes import OwnProcesses

PATIENCE = 60.0
"""Seconds after which what one waits for counts as not happening; computers may be busy."""

HERE = Path(__file__).parent
PYTHON = "/usr/bin/python3"
"""The system's, as the bindings to the accessibility bus are not to be had from a registry."""

BUS_LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
PROGRAMS = (PYTHON, BUS_LAUNCHER, "Xvfb", "dbus-daemon", "openbox", "speech-dispatcher", "orca",
            "xdotool", "chromium")  # fmt: skip

NO_SAY_ALL = {
    "sayAllOnLoad": False,
    "pageSummaryOnLoad": False,
    "enableKeyEcho": False,
    "enableBraille": False,
    "enableSound": False,
    "enableSpeech": True,
}
"""Orca's settings: it speaks what happens and what has the focus, and reads no page by itself."""

CHROMIUM = (
    "chromium",
    "--force-renderer-accessibility",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-features=MediaRouter,OptimizationHints",
    "--password-store=basic",
    "--test-type",
    "--ozone-platform=x11",
    "--window-position=0,0",
    "--window-size=1280,900",
    "--remote-debugging-port=0",
)


class Utterance(NamedTuple):
    """Something spoken; `cut` if it was interrupted before its end."""

    time: float
    text: str
    language: str
    cut: bool


class Insertion(NamedTuple):
    """Something put into a live region, with the language it is marked as."""

    time: float
    text: str
    language: str


@cache
def missing() -> str:
    """Why this computer cannot listen to a screen reader; "" if it can."""
    absent = [one for one in PROGRAMS if not shutil.which(one, path=PATH)]
    if absent:
        return f"not installed: {', '.join(absent)}"
    bindings = "import gi, pyatspi; gi.require_version('Atspi', '2.0')"
    if subprocess.run((PYTHON, "-c", bindings), capture_output=True).returncode:
        return f"{PYTHON} has no pyatspi"
    return ""


class ScreenReader:
    """Orca and Chromium on a page, as a context manager; nothing of it is left afterwards."""

    def __init__(self, url: str, *, lang: str = "C.UTF-8"):
        self._url = url
        self._lang = lang
        self._heard = 0

    def __enter__(self) -> Self:
        self._began = time.time()
        self._processes = OwnProcesses("screen-reader-")
        self.home = self._processes.directory
        try:
            self._prepare()
            self._start_desktop()
            self._start_voice()
            self._start_reader()
            self._start_browser()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self._processes.end()

    # What a user does.

    def key(self, *names: str) -> None:
        """Press keys one after the other, by the names that xdotool has for them."""
        self._processes.run("xdotool", "key", "--delay", "120", *names)

    def type(self, text: str) -> None:
        """Type a text of letters that an American keyboard has."""
        self._processes.run("xdotool", "type", "--delay", "60", text)

    # What a user hears.

    @property
    def speech(self) -> list[Utterance]:
        return [
            Utterance(one["time"], one["text"], one["language"], one.get("cut", False))
            for one in self._spoken()
        ]

    @property
    def bus(self) -> list[Insertion]:
        """What was put into live regions, in the order it came in."""
        said = _read(self.home / "bus.jsonl")
        return [Insertion(**one) for one in said if "text" in one]

    def until(self, pattern: str, seconds: float = PATIENCE) -> Utterance:
        """Wait for an utterance that matches, after the one waited for before."""
        end = time.monotonic() + seconds
        while True:
            # What is spoken while one looks is looked at the next time.
            late = time.monotonic() > end
            for number, one in enumerate(self.speech[self._heard :], self._heard + 1):
                if re.search(pattern, one.text):
                    self._heard = number
                    return one
            if late:
                raise AssertionError(f"not spoken: {pattern}\n{self.account()}")
            time.sleep(0.05)

    def quiet(self, seconds: float) -> None:
        """Wait until nothing has been spoken for so long."""
        since, end = time.time(), time.monotonic() + PATIENCE
        while time.time() < since + seconds:
            if time.monotonic() > end:
                raise AssertionError(f"never quiet\n{self.account()}")
            time.sleep(0.05)
            for one in self._spoken()[-1:]:
                since = max(since, one.get("end", time.time()))

    def account(self) -> str:
        """All that was spoken and all that was in live regions, for a reader of failed tests."""
        spoken = [(one.time, f"{'cut' if one.cut else '':3} {one.text}") for one in self.speech]
        shown = [(one.time, f"    bus {one.language}: {one.text}") for one in self.bus]
        return "\n".join(f"{at - self._began:7.2f} {what}" for at, what in sorted(spoken + shown))

    @property
    def devtools(self) -> str:
        """Where a debugger of the browser may connect."""
        port = self.home / "profile" / "DevToolsActivePort"
        told = self._processes.until(lambda: port.exists() and port.read_text(), "the browser")
        return f"http://127.0.0.1:{str(told).split()[0]}"

    # How it is started, each thing as the next one needs it.

    def _prepare(self) -> None:
        home = self.home
        for name in ("bin", "run", "tmp", "speech"):
            (home / name).mkdir(mode=0o700)
        self._processes.environment |= {
            "PATH": f"{home}/bin:{PATH}",
            "LANG": self._lang,
            "LC_ALL": self._lang,
            "TMPDIR": str(home / "tmp"),
            "XDG_RUNTIME_DIR": str(home / "run"),
            "GSETTINGS_BACKEND": "memory",
            "ACCESSIBILITY_ENABLED": "1",
            "GNOME_ACCESSIBILITY": "1",
            "NO_AT_BRIDGE": "0",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "SPEECHD_ADDRESS": f"unix_socket:{home}/run/speech",
            "SPEECH_LOG": str(home / "speech.jsonl"),
            "BUS_LOG": str(home / "bus.jsonl"),
        }

    def _start_desktop(self) -> None:
        """A screen, the two buses, and a window manager: without one no window is ever active."""
        start, environment = self._processes.start_telling, self._processes.environment
        screen = ("-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset")
        environment["DISPLAY"] = ":" + start("screen", "Xvfb", *screen, "-displayfd", "")
        bus = ("--session", "--nofork", "--nopidfile", f"--address=unix:dir={self.home}/run")
        address = start("bus", "dbus-daemon", *bus, "--print-address=")
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        flags = ("--launch-immediately", "--a11y=1", "--screen-reader=1")
        self._processes.start("accessibility bus", BUS_LAUNCHER, *flags)
        self._processes.start("window manager", "openbox")

    def _start_voice(self) -> None:
        home = self.home
        # By a script, as the file of ours may not be executable where it lies.
        module = self._script("speech_module", f"exec {PYTHON} '{HERE}/speech_module.py'")
        (home / "speech" / "speechd.conf").write_text(
            f'LogLevel 3\nLogDir "{home}/speech"\nCommunicationMethod "unix_socket"\n'
            f'AddModule "silent" "{module}" ""\nDefaultModule silent\nDisableAutoSpawn\n'
            'DefaultRate 0\nDefaultLanguage "en"\nDefaultPunctuationMode "none"\n'
        )
        where = ("-C", f"{home}/speech", "-L", f"{home}/speech", "-P", f"{home}/speech/pid")
        line = ("-c", "unix_socket", "-S", f"{home}/run/speech")
        self._processes.start(
            "voice", "speech-dispatcher", "--run-single", "-t", "0", *where, *line
        )
        self._processes.until((home / "run" / "speech").exists, "the voice")

    def _start_reader(self) -> None:
        profile: dict[str, Any] = {"profile": ["Default", "default"], **NO_SAY_ALL}
        empty: dict[str, Any] = {"pronunciations": {}, "keybindings": {}}
        general = {"startingProfile": profile["profile"], **NO_SAY_ALL}
        settings = {"general": general, "profiles": {"default": {**profile, **empty}}, **empty}
        (self.home / "user-settings.conf").write_text(json.dumps(settings))
        self._processes.start("tap", PYTHON, str(HERE / "bus_tap.py"))
        # Orca looks for others of this user and does not start beside them, or kills them: but they
        # are those of other tests, or the one by which somebody works here.
        self._script("pgrep", "exit 1")
        self._processes.start("orca", "orca", "--user-prefs", str(self.home))
        self._processes.until(lambda: _read(self.home / "bus.jsonl"), "the tap")
        self._processes.until(self._spoken, "Orca")

    def _start_browser(self) -> None:
        spoken = len(self._spoken())
        profile = self.home / "profile"
        (profile / "Default").mkdir(parents=True)
        # A page in another language is not to be asked about.
        (profile / "Default" / "Preferences").write_text('{"translate": {"enabled": false}}')
        flags = (f"--user-data-dir={profile}", f"--app={self._url}")
        self._processes.start("browser", *CHROMIUM, *flags)
        self._processes.until(lambda: len(self._spoken()) > spoken, "the browser")

    def _script(self, name: str, line: str) -> Path:
        """A program that our programs find before all others of its name."""
        script = self.home / "bin" / name
        script.write_text(f"#!/bin/sh\n{line}\n")
        script.chmod(0o700)
        return script

    def _spoken(self) -> list[dict[str, Any]]:
        """Utterances, with their `end` and whether they were `cut` once they are over."""
        said: dict[int, dict[str, Any]] = {}
        for one in _read(self.home / "speech.jsonl"):
            if "text" in one:
                said[one["id"]] = one
            else:
                said[one["id"]].update(end=one["time"], cut=one["cut"])
        return list(said.values())


def _read(log: Path) -> list[dict[str, Any]]:
    """The lines of a log that are whole."""
    if not log.exists():
        return []
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]
