"""A person who plays by what a real screen reader tells: nothing is lost, doubled or out of order.

The person, Zoe, has the page in French; another one, Otto, plays in English and needs no page.
Nobody presses before all is heard: these tests are of what is said, not of how fast.
"""

import asyncio
import random
import re
import time
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from room_client import CATALOGS, MemoryStore, clients_of, room_at
from screen_reader import PATIENCE, ScreenReader, missing

from zanzibar_plugin.hosts.web.connection import Connection
from zanzibar_plugin.hosts.web.words import words
from zanzibar_plugin.room.keeper import Keeper, Pace

pytestmark = [
    pytest.mark.page,
    pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing"),
]

SHORT = 10.0
"""Seconds for what is not expected to happen: no test should take long to fail as it must."""

SAID = words(CATALOGS.catalog("fr"))
ANSWERED = ("1", "2", "3", "4", "5", "6", "shift+1", "shift+2", "shift+3", "shift+4", "shift+5",
            "shift+6", "space", "BackSpace", "d", "c", "s", "t", "Return")  # fmt: skip
"""The keys of the game that the server is asked about, by xdotool's names."""


class Recorded(NamedTuple):
    """What the room told Zoe's page, entry by entry, and which keys it was asked about by her."""

    heard: list
    keys: list

    @property
    def lines(self):
        return [squeezed(line) for entry in self.heard for line in entry.lines]


@pytest.fixture
def zoe(monkeypatch):
    recorded = Recorded([], [])
    hear, submit = Connection.hear, Keeper.submit

    def hear_too(connection, entry):
        if connection.name == "Zoe":
            recorded.heard.append(entry)
        hear(connection, entry)

    def submit_too(keeper, request, lang):
        if request.person.name == "Zoe" and request.do == "key":
            recorded.keys.append(request.with_["key"])
        return submit(keeper, request, lang)

    monkeypatch.setattr(Connection, "hear", hear_too)
    monkeypatch.setattr(Keeper, "submit", submit_too)
    return recorded


class Aside:
    """A room in a thread of its own, as a test of a screen reader mostly waits."""

    def __init__(self, run, room, otto):
        self.run, self.room, self.otto = run, room, otto

    def listening(self, table):
        """A screen reader on the page that Otto's invitation leads to."""
        return ScreenReader(f"http://127.0.0.1:{self.room.port}/?lang=fr&table={table}")


@contextmanager
def room_aside():
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    stack = AsyncExitStack()

    def run(doing):
        return asyncio.run_coroutine_threadsafe(doing, loop).result(PATIENCE)

    try:
        pace = Pace(bot=1.0, turn=1.0)
        room = run(stack.enter_async_context(room_at(MemoryStore(), pace=pace)))
        clients = run(stack.enter_async_context(clients_of(room.port)))
        yield Aside(run, room, run(clients("Otto")))
    finally:
        run(stack.aclose())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def squeezed(text):
    """A text without differences that are not heard: French has spaces of several kinds."""
    return " ".join(text.split())


def exactly(text):
    return r"\s+".join(re.escape(word) for word in text.split())


def wait_until(condition, reader, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, reader.account()
        time.sleep(0.02)


def tab_to(reader, name):
    """Press Tab until something of this name has the focus."""
    for _ in range(60):
        before = len(reader.speech)
        reader.key("Tab")
        end = time.monotonic() + SHORT
        # Nothing is said if the page moves the focus elsewhere at the same time.
        while len(reader.speech) == before and time.monotonic() < end:
            time.sleep(0.02)
        reader.quiet(0.4)
        if any(re.search(exactly(name), one.text) for one in reader.speech[before:]):
            return
    raise AssertionError(f"nothing is called {name}\n{reader.account()}")


def join(reader, zoe):
    """Come through the door and join the table; what is said of that is heard."""
    reader.until(exactly(SAID["title"]))
    reader.quiet(0.5)
    tab_to(reader, SAID["your_name"])
    reader.type("Zoe")
    reader.key("Return")
    tab_to(reader, SAID["join"])
    reader.key("Return")
    reader.until(exactly(SAID["play_area"]))
    wait_until(lambda: zoe.lines, reader)
    reader.until(exactly(zoe.lines[-1]))
    reader.quiet(0.5)


def come_by_tab(reader):
    reader.key("Tab")
    reader.quiet(0.5)
    reader.key("shift+Tab")
    reader.until(exactly(SAID["play_area"]))
    reader.quiet(0.5)


def bus_text(reader):
    return squeezed(" ".join(one.text for one in reader.bus))


def assert_spoken_in_order(reader, lines):
    spoken, place = squeezed(" ".join(one.text for one in reader.speech)), 0
    for line in lines:
        found = spoken.find(line, place)
        assert found >= 0, f"not spoken in its place: {line}\n{reader.account()}"
        place = found + len(line)


# A game.

FIRST_GO = ("Return", "d", "c", "s", "t", "space", "Return")
"""What Zoe presses first: the answers to her questions are for her alone."""


def test_a_whole_game_is_heard_once_and_in_order_and_in_ones_language(zoe, monkeypatch):
    # Dice by which both parts of the game are short.
    chance = random.Random(29)
    monkeypatch.setattr(
        "zanzibar_plugin.room.requests.dice_of",
        lambda draw: lambda throw, count: chance.choices(range(1, 7), k=count),
    )
    with room_aside() as aside:
        table = aside.run(aside.otto.opens(tokens=3))
        with aside.listening(table) as reader:
            join(reader, zoe)
            aside.run(aside.otto.does("begin"))
            play(aside, reader, zoe)
            assert phases(aside.otto) == {"charge", "discharge"}

            # At the end the page tells what it has found of the dice, which were made up here.
            # (Perhaps in one breath with the end of the game.)
            found = squeezed(SAID["dice_unfair"])
            wait_until(lambda: any(found in squeezed(one.text) for one in reader.speech), reader)
            reader.quiet(0.5)
            lines = [*zoe.lines, SAID["dice_unfair"]]
            assert bus_text(reader) == squeezed(" ".join(lines)), reader.account()
            assert {one.language for one in reader.bus} == {"fr"}
            assert_spoken_in_order(reader, [squeezed(line) for line in lines])

            # The last message is spoken again, although it is the same.
            reader.key("r")
            reader.until(exactly(lines[-1]))
            assert bus_text(reader).count(squeezed(lines[-1])) == 2


def phases(client):
    """The parts of the game that a client has seen."""
    tables = [message["table"] for message in client.all if "table" in message]
    return {table["play"]["phase"]["id"] for table in tables if table.get("play")}


def play(aside, reader, zoe):
    """Play a game to its end: whoever is on presses a key once Zoe has heard all there is."""
    otto, first_go = aside.otto, iter(FIRST_GO)
    while True:
        wait_until(lambda: otto.view["number"] == zoe.heard[-1].number, reader)
        heard = len(zoe.heard)
        if zoe.heard[-1].lines:
            reader.until(exactly(squeezed(zoe.heard[-1].lines[-1])))
        reader.quiet(0.3)
        if len(zoe.heard) > heard:
            continue
        if otto.view["stage"] == "over":
            return
        if otto.my_go:
            aside.run(otto.does("key", key="enter"))
        elif otto.view["play"]["on_go"] == "Zoe":
            reader.key(next(first_go, "Return"))
        wait_until(lambda heard=heard: len(zoe.heard) > heard, reader)


# Keys.


@pytest.mark.parametrize(
    "come",
    [
        pytest.param(come_by_tab, id="by Tab"),
        pytest.param(lambda reader: None, id="by joining"),
    ],
)
def test_every_key_arrives(come, zoe):
    with room_aside() as aside:
        table = aside.run(aside.otto.opens())
        with aside.listening(table) as reader:
            join(reader, zoe)
            come(reader)
            for number, key in enumerate(ANSWERED, 1):
                reader.key(key)
                wait_until(lambda number=number: len(zoe.keys) == number, reader, SHORT)
            named = {"Return": "enter", "BackSpace": "space"}  # nothing is there to be put back
            assert zoe.keys == [named.get(key, key) for key in ANSWERED]

            reader.quiet(1.0)
            aside.run(aside.otto.does("say", text="Hello, Zoe"))
            reader.until("Otto: Hello, Zoe")
            reader.quiet(0.5)
            reader.key("r")
            reader.until("Otto: Hello, Zoe")
            reader.quiet(0.5)
            reader.key("v")
            reader.until(exactly(SAID["is_brief"]))
            reader.quiet(0.5)
            reader.key("shift+Prior")
            reader.until(exactly(zoe.lines[0]))
            reader.quiet(0.5)
            reader.key("k")
            reader.until(exactly(SAID["keys_all"]))


# Questions of the page.


def test_what_happens_while_a_question_is_asked_is_heard_once(zoe):
    with room_aside() as aside:
        table = aside.run(aside.otto.opens())
        with aside.listening(table) as reader:
            join(reader, zoe)
            aside.run(aside.otto.does("hand_over", name="Zoe"))
            wait_until(lambda: len(zoe.heard) == 2, reader)
            reader.until(exactly(zoe.lines[-1]))
            reader.quiet(0.5)
            tab_to(reader, SAID["kick"])
            reader.key("Return")
            reader.until(exactly(SAID["sure_kick"].format(player="Otto")), SHORT)
            reader.quiet(0.5)
            aside.run(aside.otto.does("say", text="Stay"))
            reader.until("Otto: Stay", SHORT)
            reader.quiet(0.5)
            reader.key("Escape")
            reader.until(exactly(SAID["kick"]))
            # The silence after it is broken by nothing that was said before.
            aside.run(aside.otto.does("say", text="Thank you"))
            reader.until("Otto: Thank you")
            assert bus_text(reader) == " ".join(zoe.lines), reader.account()


# The screen reader itself.


def test_nothing_of_a_screen_reader_is_left_over():
    def left(home):
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if home.encode() in (process / "cmdline").read_bytes():
                    yield process

    with (
        pytest.raises(AssertionError, match="not spoken: Farewell"),
        ScreenReader("data:text/html,<h1>Hello</h1>") as reader,
    ):
        home = str(reader.home)
        assert [*left(home)]
        reader.until("Hello")
        reader.until("Farewell", 0.5)
    assert not Path(home).exists()
    assert not [*left(home)]
