"""A small client of the room's protocol, and ways to start a room to connect it to."""

import asyncio
import base64
import json
import os
import socket
import struct
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
from aiohttp import web

from zanzibar_plugin import plugin
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hosts.web.limits import WebLimits
from zanzibar_plugin.hosts.web.server import Room, RoomSettings
from zanzibar_plugin.registry import Registry
from zanzibar_plugin.room.hall import Limits
from zanzibar_plugin.room.keeper import Pace
from zanzibar_plugin.room.store import Conflict, Entry, StoreError

ROOT = Path(__file__).parents[1]
PATIENCE = 20.0
"""Seconds after which what a test waits for counts as not happening."""

CATALOGS = Catalogs()
FAST = Pace(bot=0.002, turn=0.002, grace=60, remind=60, idle=120)
BRIEF = replace(FAST, grace=0.2)
"""For tests in which somebody stays away."""
USUAL = Limits()
WIDE = WebLimits(
    chats_per_minute=100_000, messages_per_second=1e6, burst=1_000_000, tables_per_minute=100_000
)


class MemoryStore:
    """Journals in memory; while `full` it writes nothing."""

    def __init__(self):
        self.journals = {}
        self.full = False

    async def append(self, table, expected, data):
        await asyncio.sleep(0)
        if self.full:
            raise StoreError("the disk is full")
        journal = self.journals.setdefault(table, [])
        if len(journal) != expected:
            raise Conflict(f"{len(journal)} is not {expected}")
        journal.append(json.dumps(data))
        return len(journal)

    async def read(self, table, after=0):
        await asyncio.sleep(0)
        entries = [
            Entry(n, json.loads(one)) for n, one in enumerate(self.journals.get(table, ()), 1)
        ]
        return entries[after:]

    async def tables(self):
        return list(self.journals)

    async def forget(self, table):
        self.journals.pop(table, None)

    async def close(self):
        pass


def registry(*more):
    """Our games, and those of further plugins."""
    games = Registry()
    for number, one in enumerate((plugin, *more)):
        games.register(one, f"plugin {number}")
    assert games.problems == []
    return games


@asynccontextmanager
async def room_at(store, *more, pace=FAST, limits=USUAL, web_limits=WIDE, small=False, **given):
    """A room in this process; `small` gives its connections small buffers for what is unread."""
    settings = RoomSettings(pace=pace, limits=limits, web=web_limits, **given)
    room = Room(store, registry(*more), CATALOGS, settings)
    line = socket.socket()
    if small:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    line.bind(("127.0.0.1", 0))
    room.port = line.getsockname()[1]
    runner = web.AppRunner(room.application(), access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        await web.SockSite(runner, line).start()
        yield room
    finally:
        await runner.cleanup()


def free_port():
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return line.getsockname()[1]


class Process:
    """A room in a process of its own, which may be killed and started again."""

    def __init__(self, data, *limits, port=None, module="zanzibar_plugin.cli", **more):
        self.port = port or free_port()
        limit = [word for one in limits for word in ("--limit", one)]
        self._words = [sys.executable, "-m", module, "--lang", "en", "serve"]
        self._words += ["--data", str(data), "--port", str(self.port), *limit]
        self._more = more
        self._process = None

    async def start(self):
        self._process = subprocess.Popen(
            self._words,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **self._more,
        )
        said = await asyncio.to_thread(self._process.stdout.readline)
        if f":{self.port}/" not in said:
            raise RuntimeError(said + self.kill())

    def kill(self):
        """End it at once, in the midst of whatever it does; returns what it said."""
        if self._process.stdout.closed:
            return ""  # it has been killed before
        self._process.kill()
        said, _ = self._process.communicate()
        return said

    @property
    def pid(self):
        return self._process.pid

    def signal(self, number):
        self._process.send_signal(number)

    async def says(self, words):
        """The next line with these words in it."""
        while True:
            line = await asyncio.to_thread(self._process.stdout.readline)
            if words in line or not line:
                return line.strip()

    def terminate(self):
        """Ask it to stop."""
        self._process.terminate()

    def wait(self):
        """What it still said until it stopped."""
        said, _ = self._process.communicate(timeout=PATIENCE)
        return said


def secret_of(name):
    return f"{name} keeps this for himself alone, in no address."


class Client:
    """One person's line to a room.

    `heard` has the lines of each entry by its number, for the table this client is at; `numbers`
    has the numbers in the order they came in.
    """

    def __init__(self, line, name, lang="en", secret=None):
        self.name, self.lang, self.secret = name, lang, secret or secret_of(name)
        self.all = []
        self.hello, self.tables, self.at, self.view = {}, None, "", {}
        self.numbers, self.heard = [], {}
        self.answers = {}
        self.ended = False
        self._line = line
        self._asked = 0
        self._news = asyncio.Event()
        self._reader = asyncio.get_running_loop().create_task(self._read())

    # What comes.

    async def _read(self):
        async for message in self._line:
            if message.type is not aiohttp.WSMsgType.TEXT:
                break
            for one in json.loads(message.data):
                self._take(one)
            self._news.set()
        self.ended = True
        self._news.set()

    def _take(self, message):
        self.all.append(message)
        if "heard" in message:
            self.numbers.append(message["heard"])
            self.heard[message["heard"]] = message["lines"]
        elif "table" in message:
            self.view = message["table"]
        elif "looked" not in message and "at" in message:
            if message["at"] != self.at:
                self.numbers, self.heard = [], {}
            self.at = message["at"]
        elif "tables" in message:
            self.tables = message["tables"]
        elif "hello" in message:
            self.hello = message
        elif "left" in message:
            self.at, self.view = "", {}
        elif "done" in message:
            self.answers[message["done"]] = ""
        elif message.get("id") is not None:
            self.answers[message["id"]] = message["refused"]

    def latest(self, kind):
        return next(message[kind] for message in reversed(self.all) if kind in message)

    @property
    def lines(self):
        return [line for number in self.numbers for line in self.heard[number]]

    @property
    def seats(self):
        return {seat["name"]: seat for seat in self.view.get("seats", ())}

    @property
    def my_go(self):
        play = self.view.get("play") or {}
        return self.view.get("stage") == "playing" and play.get("on_go") == self.view["you"]

    async def until(self, condition, seconds=PATIENCE):
        """Wait until something is so."""
        async with asyncio.timeout(seconds):
            while not condition():
                assert not self.ended, (self.name, self.all[-3:])
                self._news.clear()
                await self._news.wait()

    async def hears(self, line):
        await self.until(lambda: line in self.lines)

    async def until_stage(self, stage):
        await self.until(lambda: self.view.get("stage") == stage)

    async def until_ended(self, seconds=PATIENCE):
        async with asyncio.timeout(seconds):
            await asyncio.shield(self._reader)

    # What goes.

    async def send(self, text):
        await self._line.send_str(text)

    async def tell(self, do, **with_):
        await self.send(json.dumps({"do": do, **with_}))

    async def ask(self, do, **with_):
        """Ask for something; "" when it is done, or the sentence why not."""
        self._asked += 1
        asked = self._asked
        await self.tell(do, id=asked, **with_)
        await self.until(lambda: asked in self.answers)
        return self.answers[asked]

    async def does(self, do, **with_):
        """Ask for something that is to be done."""
        problem = await self.ask(do, **with_)
        assert problem == "", (self.name, do, with_, problem)

    async def says_hello(self):
        await self.does("hello", name=self.name, secret=self.secret, lang=self.lang)
        return self

    async def opens(self, game="421", **options):
        """Open a table; returns its id."""
        await self.does("open", game=game)
        for option, value in options.items():
            await self.does("choose", option=option, value=value)
        return self.at

    async def comes(self, table, **with_):
        await self.does("come", table=table, **with_)
        await self.until(lambda: bool(self.view))

    async def plays(self, while_=lambda: True, rest=0.0):
        """Press Enter whenever it is one's go, until the game is over; `rest` after each time."""
        while True:
            await self.until(
                lambda: self.my_go or self.view.get("stage") != "playing" or not while_()
            )
            if self.view.get("stage") != "playing" or not while_():
                return
            await self.ask("key", key="enter")
            await asyncio.sleep(rest)

    async def closes(self):
        await self._line.close()
        await self._reader

    def breaks(self):
        """Let the line break without a farewell."""
        self._line._response.connection.transport.abort()


class Clients:
    """Makes clients, and takes them away at the end."""

    def __init__(self, session, port):
        self.session = session
        self.port = port
        self._made = []

    async def connect(self, name="Ana", lang="en", secret=None, **with_):
        """A client that has not said hello."""
        line = await self.session.ws_connect(f"http://127.0.0.1:{self.port}/socket", **with_)
        client = Client(line, name, lang, secret)
        self._made.append(client)
        return client

    async def __call__(self, name, lang="en", secret=None):
        """A client that has said hello."""
        return await (await self.connect(name, lang, secret)).says_hello()

    async def get(self, path, **with_):
        async with self.session.get(f"http://127.0.0.1:{self.port}{path}", **with_) as answer:
            return answer.status, await answer.text()

    async def end(self):
        for client in self._made:
            await client.closes()


@asynccontextmanager
async def clients_of(port):
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        clients = Clients(session, port)
        try:
            yield clients
        finally:
            await clients.end()


def in_room(test, *more, store=None, **settings):
    """Run `test(clients, room)` with a room in this process."""

    async def run():
        async with (
            room_at(store or MemoryStore(), *more, **settings) as room,
            clients_of(room.port) as clients,
        ):
            await test(clients, room)

    asyncio.run(run())


class RawClient:
    """A client that speaks to its socket itself, so that it can leave undone what it likes."""

    def __init__(self, port):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setblocking(False)

    async def greets(self, port):
        """Open a WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        await self.sends(
            f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        got = b""
        while b"\r\n\r\n" not in got:
            got += await asyncio.get_running_loop().sock_recv(self.socket, 1)
        assert b" 101 " in got, got

    async def sends(self, data):
        await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def tells(self, do, **with_):
        await self.frames(json.dumps({"do": do, **with_}).encode())

    async def frames(self, payload, first=0x81):
        size = len(payload)
        head = bytes([first, 0x80 | size]) if size < 126 else struct.pack(">BBH", first, 254, size)
        await self.sends(head + bytes(4) + payload)

    async def until_ended(self, seconds=PATIENCE):
        """Read, and throw away, all there is until the server hangs up."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(seconds):
            try:
                while await loop.sock_recv(self.socket, 65536):
                    pass
            except ConnectionError:
                pass

    def close(self):
        self.socket.close()
