"""Real pages in a real browser, and what is heard, sent and lost on them."""

import asyncio
import json
import shutil
import threading
import time
from contextlib import contextmanager

from playwright.sync_api import sync_playwright
from room_client import FAST, WIDE, MemoryStore, room_at

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
MISSING = "" if CHROMIUM else "there is no Chromium on this machine"
PATIENCE = 20_000  # ms

# What screen readers are told: every node that comes into a live region, with the language and
# direction it has there.  And whether the focus was ever lost, which for a blind player is to be
# thrown back to the top of the page.
_WATCH = """
  window.announced = [];
  window.focusLost = [];
  const watch = () => {
    const observer = new MutationObserver((changes) => {
      for (const change of changes) for (const node of change.addedNodes) {
        const region = change.target.closest?.('[aria-live]');
        if (!region) continue;
        announced.push({
          said: node.textContent.replace(/\\u00a0$/, ""),
          lang: region.closest("[lang]").lang,
          region: region.id,
          dir: node.dir,
          at: performance.now(),
        });
      }
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    let had = false;
    setInterval(() => {
      if (document.activeElement !== document.body) had = true;
      else if (had && document.hasFocus()) { focusLost.push(document.title); had = false; }
    }, 20);
  };
  document.addEventListener("DOMContentLoaded", watch);
"""


class RoomThread:
    """A room in a thread of its own, so that a test may drive pages meanwhile."""

    def __init__(self, *more, store=None, **settings):
        self._more, self._store = more, store or MemoryStore()
        self._settings = {"pace": FAST, "web_limits": WIDE, **settings}
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._fault = None
        self.room = None

    def __enter__(self):
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))
        self._thread.start()
        self._ready.wait()
        if self._fault:
            raise self._fault
        return self

    def __exit__(self, *fault):
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()
        self._loop.close()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.room.port}"

    def do(self, coroutine):
        """Have the room's own loop do something."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE / 1000)

    async def _run(self):
        self._ending = asyncio.Event()
        try:
            async with room_at(self._store, *self._more, **self._settings) as self.room:
                self._ready.set()
                await self._ending.wait()
        except Exception as fault:
            self._fault = fault
        finally:
            self._ready.set()


class Person:
    """Somebody with a page: what he does, hears and sends."""

    def __init__(self, browser, address, name, lang="en", **context):
        usual = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        self.context = browser.new_context(**{**usual, **context})
        self.context.set_default_timeout(PATIENCE)
        self.name, self.lang, self.address = name, lang, address
        self.faults = []
        self.page = self.window()

    def window(self, path=None):
        """One more window of this person; `page` stays the first."""
        page = self.context.new_page()
        page.add_init_script(_WATCH)
        page.sent, page.received = [], []
        page.on("console", lambda said: said.type == "error" and self.faults.append(said.text))
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("websocket", lambda line: _listen(page, line))
        page.goto(self.address + (path if path is not None else f"/?lang={self.lang}"))
        return page

    # What he does.

    def enters(self):
        """Give name and language at the door."""
        self.page.fill("#name", self.name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#lobby:not([hidden])")
        self.until(lambda: self.focus == "lobby-title")
        return self

    def opens(self, game="421", **options):
        """Open a table with these options."""
        page = self.page
        page.select_option("#open-game", game)
        page.click("#open-form button.main")
        self.is_at_the_table()
        for option, value in options.items():
            field = page.locator(f"#option-{option}")
            field.wait_for()
            if field.get_attribute("type") == "checkbox":
                field.set_checked(value)
            else:
                field.fill(str(value))
                field.press("Tab")
            self.until(lambda o=option, v=value: self.view["options"].get(o) == v)
        return self

    def comes(self, watch=False):
        """Join (or watch) the only table there is."""
        self.page.locator("#tables .watch" if watch else "#tables .join").click()
        self.is_at_the_table()
        return self

    def is_at_the_table(self):
        self.page.wait_for_selector("#table:not([hidden])")
        self.until(lambda: self.focus == "area")

    def rests(self):
        """Long enough for a second press or click to count as one of its own."""
        self.page.wait_for_timeout(600)

    def presses(self, *keys, on=None):
        for key in keys:
            (on or self.page).keyboard.press(key)

    def key(self, key, code, modifiers=0, kind="keyDown", **more):
        """A key as a keyboard of another country sends it: `key` and `code` as they really are."""
        line = self.context.new_cdp_session(self.page)
        text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
        sent = {"key": key, "code": code, "modifiers": modifiers, **text, **more}
        line.send("Input.dispatchKeyEvent", {"type": kind, **sent})
        if kind == "keyDown":
            line.send("Input.dispatchKeyEvent", {"type": "keyUp", **sent, "text": ""})
        line.detach()

    # What he hears and sees.

    @property
    def announced(self):
        return self.page.evaluate("announced")

    @property
    def spoken(self):
        return [one["said"] for one in self.announced]

    @property
    def told(self):
        """The lines of each entry the server told this page, as one text an entry."""
        lines = [" ".join(one["lines"]) for one in self.page.received if "heard" in one]
        return [line for line in lines if line]

    @property
    def view(self):
        return next((one["table"] for one in reversed(self.page.received) if "table" in one), {})

    @property
    def keys_sent(self):
        return [one["key"] for one in self.page.sent if one.get("do") == "key"]

    def until(self, condition):
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError((self.name, self.spoken[-5:], self.view.get("stage"), self.faults))

    def hears(self, line):
        self.until(lambda: line in self.spoken)

    def is_quiet(self):
        """Wait until all that was told has been announced."""
        self.until(lambda: set(self.told) <= set(self.spoken))
        self.page.wait_for_timeout(300)

    @property
    def throws(self):
        """How often was thrown in the go that is on; None if none is."""
        return (self.view.get("play") or {}).get("throws")

    @property
    def my_go(self):
        play = self.view.get("play") or {}
        return self.view.get("stage") == "playing" and play.get("on_go") == self.view["you"]

    @property
    def focus(self):
        """The id of the element with the focus, or of the nearest part around it."""
        return self.page.evaluate("document.activeElement.closest('[id]').id")

    def ends(self):
        """Nothing has gone wrong on the page, and the focus was never lost."""
        lost = [page.evaluate("window.focusLost") for page in self.context.pages]
        self.context.close()
        assert self.faults == []
        assert lost == [[] for _ in lost]


def _listen(page, line):
    line.on("framesent", lambda frame: page.sent.append(json.loads(frame)))
    line.on("framereceived", lambda frame: page.received.extend(json.loads(frame)))


@contextmanager
def chromium():
    """Debian's browser, without a screen."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"]
    flags += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    flags += ["--no-first-run", "--autoplay-policy=no-user-gesture-required"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def people(browser, room, *names, **context):
    """Persons in a room by name and language, who must have lost nothing at the end."""
    here = [Person(browser, room.address, name, lang, **context).enters() for name, lang in names]
    yield here
    for one in here:
        one.ends()
