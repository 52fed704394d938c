"""One client's connection: its messages in, what it hears and sees out.

`docs/protocol.md` describes the messages.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from zanzibar_plugin.hookspecs import Refusal
from zanzibar_plugin.hosts.web.frame import Message, frame, read
from zanzibar_plugin.hosts.web.limits import Bucket
from zanzibar_plugin.names import wrong_name
from zanzibar_plugin.room.directory import Listed
from zanzibar_plugin.room.keeper import Heard, Keeper
from zanzibar_plugin.room.people import Person, owner_of
from zanzibar_plugin.room.requests import Request, requests
from zanzibar_plugin.room.shown import page_of
from zanzibar_plugin.text import Field, Text, text

if TYPE_CHECKING:
    from zanzibar_plugin.hosts.web.server import Room

_log = logging.getLogger(__name__)

FAREWELL = 2.0
"""Seconds in which a client may read the last of what it was told."""

SHORT = 16_384
"""Bytes that a line takes at once if nothing else is on its way."""

_LEAST_SECRET, _MOST_SECRET = 32, 200


class Connection:
    """One client, which listens to at most one table at a time: an `Ear` of its keeper."""

    def __init__(
        self, room: Room, request: web.Request, socket: web.WebSocketResponse, address: str
    ) -> None:
        self.owner = ""
        self.lang = "en"
        self.brief = False
        self.checks = False
        self.name = ""
        self._room = room
        self._request = request
        self._socket = socket
        self._address = address
        self._keeper: Keeper | None = None
        self._out: deque[Message] = deque()
        self._view: Message | None = None
        self._shown_tables: Listed | None = None
        self._looking_back: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._held = b""
        self._slow = False
        """Whether this line's own task is what sends, with patience."""
        self._ending = False
        self._bucket = Bucket(room.limits.messages_per_second, room.limits.burst)
        many = room.limits.chats_per_minute
        self._loud = Bucket(many / 60, many)
        self._patience = room.limits.patience

    # What a keeper calls.

    async def sent(self) -> bool:
        """Wait until all that was to be sent is on its way; false if the line is dead."""
        self._sent.clear()
        while self._out and not self._ending:
            await self._sent.wait()
            self._sent.clear()
        return not self._ending

    def hear(self, heard: Heard) -> None:
        self._send({"heard": heard.number, "lines": list(heard.lines), "cues": list(heard.cues)})

    def warn(self, sentence: str) -> None:
        self._refuse(None, sentence)

    def see(self, view: Mapping[str, Any]) -> None:
        # Only the newest view counts: a client that reads slowly is not shown the old ones.
        self._view = {"table": view}
        self._room.postman.call(self)

    def end(self) -> None:
        self._keeper = None
        if self._view is not None:
            # What is shown last is of the table that is left: it has the secret of its dice.
            view, self._view = self._view, None
            self._send(view)
        self._send({"left": True})

    # The line itself.

    async def run(self) -> None:
        """Serve this client until either side hangs up."""
        writer = asyncio.create_task(self._write())
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT or self._ending:
                    break
                done = await self._receive(message.data)
                if self._patience <= 0 or self._ending:
                    break
                if not done:
                    # Whoever asks for too much waits for his turn like all others.
                    await asyncio.sleep(0)
        finally:
            self._leave_table()
            self._room.forget(self)
            # What is on its way, such as why the line is cut, is still told.
            self._ending = True
            self._wake.set()
            await asyncio.wait((writer,), timeout=self._room.limits.send_seconds + 2 * FAREWELL)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    def take_over(self) -> None:
        """Another window of the same person has come: this one is told so, and closed."""
        self._leave_table()
        self._send({"taken_over": self.say(text("This table is now open in another window."))})
        self._ending = True
        self._wake.set()

    async def go_away(self) -> None:
        """The server is about to stop: its clients are told, and will come back."""
        self._leave_table()
        self._send({"stopping": self.say(text("The room is closing. It will be back soon."))})
        self._ending = True
        self._wake.set()

    def lobby(self) -> None:
        """Show the list of tables, if this client is looking at it and it has changed."""
        if self.owner and self._keeper is None:
            listed = self._room.hall.listed(self.owner)
            if listed != self._shown_tables:
                self._show(listed)

    def _show(self, listed: Listed) -> None:
        self._shown_tables = listed
        self._send({"tables": listed.tables, "more": listed.more})

    def say(self, sentence: Field) -> str:
        return self._room.catalogs.catalog(self.lang).say(sentence)

    def _send(self, message: Message) -> None:
        if len(self._out) >= self._room.limits.waiting_lines:
            # It reads nothing: cut off, and free to come back and hear what it missed.
            self._ending = True
            self._out.clear()
            self._leave_table()
        else:
            self._out.append(message)
        self._room.postman.call(self)

    async def deliver(self) -> None:
        """Send what waits if the line takes it at once; else leave it to this line's own task."""
        if not self._slow:
            sent = self._next()
            if not sent:
                return
            if len(sent) <= SHORT and self._clear():
                await self._put(sent)
                self._sent.set()
                return
            self._held, self._slow = sent, True
        self._wake.set()

    def _clear(self) -> bool:
        """Whether this line has taken all it was given, and so takes a short frame at once."""
        transport = self._request.transport
        return transport is not None and not transport.get_write_buffer_size()

    async def _put(self, sent: bytes) -> None:
        """Send a frame; a line that does not take it in time is at its end."""
        try:
            if self._slow:
                async with asyncio.timeout(self._room.limits.send_seconds):
                    await self._socket.send_frame(sent, WSMsgType.TEXT)
            else:
                await self._socket.send_frame(sent, WSMsgType.TEXT)
        except (TimeoutError, ConnectionError):
            self._ending = True
            self._out.clear()
            self._view = None
            self._wake.set()

    async def _write(self) -> None:
        """Send what needs patience, and hang up at the end."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._slow = True
            while sent := self._next():
                await self._put(sent)
            self._slow = False
            self._sent.set()
            if self._ending:
                await self._hang_up()
                return

    def _next(self) -> bytes:
        """The next frame; empty if nothing is to be sent now."""
        sent, self._held = self._held, b""
        if not sent and (waiting := self._waiting()):
            sent = frame(waiting, self._address)
        return sent

    def _waiting(self) -> list[Message]:
        """All that is to be sent now, the view last."""
        waiting = list(self._out)
        self._out.clear()
        if self._view is not None:
            waiting.append(self._view)
            self._view = None
        return waiting

    async def _hang_up(self) -> None:
        """Close the line; a client that does not even read that is cut off."""
        transport = self._request.transport
        if transport is not None:
            # A transport that is merely closed waits for ever to be rid of what is unread.
            asyncio.get_running_loop().call_later(FAREWELL, transport.abort)
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self._socket.close()

    async def _receive(self, line: str) -> bool:
        """Do what a message asks, and answer it; whether it is done."""
        message = read(line)
        number = message.get("id") if isinstance(message, dict) else None
        reference = number if isinstance(number, int) else None
        problem = ""
        if not self._bucket.take():
            self._patience -= 1
            problem = self.say(text("Not so fast, please."))
        elif not isinstance(message, dict) or not isinstance(message.get("do"), str):
            self._patience -= 10
            problem = self.say(text("The room does not understand this message."))
        else:
            try:
                problem = await self._do(message["do"], message)
            except Exception:
                _log.exception("a message of %s fails: %s", self._address, message["do"][:40])
                problem = self.say(text("The room could not do this."))
        if problem:
            self._refuse(reference, problem)
        elif reference is not None:
            self._send({"done": reference})
        return not problem

    def _refuse(self, reference: int | None, problem: str) -> None:
        self._room.metrics.refused.inc()
        self._send({"refused": problem, "id": reference})

    async def _do(self, do: str, message: Message) -> str:
        """Do what a message asks; "" or a sentence why not."""
        if do == "hello":
            return self._hello(message)
        if not self.owner:
            return self.say(text("Give your name first."))
        if do in _LOUD and not self._known_at(message) and not self._loud.take():
            return self.say(text("Not so fast, please."))
        act = _DOINGS.get(do)
        if act is not None:
            return await act(self, message)
        if do not in requests():
            return self.say(text("The room does not understand this message."))
        if self._keeper is None:
            return self.say(text("You are not at a table."))
        keeper = self._keeper
        problem = await keeper.submit(self._asked(do, message), self.lang)
        if not problem and do == "leave":
            keeper.leave(self)
            self.end()
        return problem

    def _known_at(self, message: Message) -> bool:
        """Whether this is coming back to a table: nobody else hears of that."""
        keeper = self._room.hall.find(str(message.get("table", "")))
        return message["do"] == "come" and keeper is not None and keeper.party.holds(self.owner)

    def _asked(self, do: str, message: Message) -> Request:
        return Request(Person(self.name, self.owner), do, message)

    def _hello(self, message: Message) -> str:
        lang, secret, name = message.get("lang"), message.get("secret"), message.get("name")
        self.lang = self._room.catalogs.negotiate(lang if isinstance(lang, str) else "")
        if not isinstance(secret, str) or not _LEAST_SECRET <= len(secret) <= _MOST_SECRET:
            return self.say(text("The page has no proper secret. Please load it anew."))
        wrong = wrong_name(name)
        if wrong is not None:
            return self.say(wrong)
        owner = owner_of(secret)
        if self.owner and owner != self.owner:
            return self.say(text("The page has no proper secret. Please load it anew."))
        self.name = str(name)
        self.owner = owner
        self.brief = message.get("brief") is True
        self.checks = message.get("checks") is True
        self._room.arrive(self)
        self._send(
            {
                "hello": self.name,
                "lang": self.lang,
                "games": self._room.offered(self.lang),
                "yours": self._room.hall.of_owner(owner),
            }
        )
        self._shown_tables = None
        self.lobby()
        return ""

    async def _brief(self, message: Message) -> str:
        """Hear things in few words from now on, or as usual."""
        self.brief = message.get("brief") is True
        return ""

    async def _alive(self, message: Message) -> str:
        """Whether the line still lives: the answer is all that is asked for."""
        return ""

    async def _tables(self, message: Message) -> str:
        self._show(self._room.hall.listed(self.owner))
        return ""

    async def _look(self, message: Message) -> str:
        """A table before joining: its rules, options, players and score."""
        keeper = self._room.hall.find(str(message.get("table", "")))
        if keeper is None:
            return self._no_table()
        self._send({"looked": keeper.look(self.lang), "at": keeper.table})
        return ""

    async def _open(self, message: Message) -> str:
        if self._keeper is not None:
            return self.say(text("You are at a table. Leave it first."))
        if not self._room.addresses.may_open(self._address):
            return self.say(text("Too many tables were opened from your network. Wait a little."))
        keeper = await self._room.hall.open(self._asked("open", message), self.lang)
        if isinstance(keeper, str):
            return keeper
        await self._sit_at(keeper, 0)
        return ""

    async def _come(self, message: Message) -> str:
        """To a table: to join or watch it, or back to one's place there."""
        keeper = self._room.hall.find(str(message.get("table", "")))
        if keeper is None:
            return self._no_table()
        if self._keeper is keeper:
            return ""
        known = keeper.party.holds(self.owner)
        after = message.get("after")
        after = after if isinstance(after, int) and known and after >= 0 else keeper.number
        if not known:
            do = "watch" if message.get("watch") is True else "join"
            problem = await keeper.submit(self._asked(do, message), self.lang)
            if problem:
                return problem
        self._leave_table()
        await self._sit_at(keeper, after)
        return ""

    async def _sit_at(self, keeper: Keeper, after: int) -> None:
        self._keeper = keeper
        self._shown_tables = None
        self._send({"at": keeper.table})
        try:
            await keeper.listen(self, after)
        except Exception:
            self._leave_table()
            self._send({"left": True})
            raise
        if self._keeper is not keeper:
            keeper.leave(self)  # it was taken over or cut off meanwhile

    async def _away(self, message: Message) -> str:
        """Back to the list of tables; the seat is kept for a time of grace."""
        self._leave_table()
        self._send({"left": True})
        self.lobby()
        return ""

    async def _look_back(self, message: Message) -> str:
        """What one could have done better in the game that is over; told as soon as it is known."""
        if self._keeper is None:
            return self.say(text("You are not at a table."))
        if self._looking_back is None or self._looking_back.done():
            self._looking_back = asyncio.create_task(self._review(self._keeper))
        return ""

    async def _review(self, keeper: Keeper) -> None:
        try:
            said = await keeper.review(self.owner, self.lang)
        except Exception:
            _log.exception("table %s: the game cannot be looked through", keeper.table)
            said = text("The game has a fault and did not do this.")
        if isinstance(said, Text):
            self._refuse(None, self.say(said))
        else:
            self._send({"review": list(said)})

    async def _rules(self, message: Message) -> str:
        game = self._room.games.find(str(message.get("game", "")))
        options = message.get("options")
        if game is None:
            return self.say(text("There is no such game here."))
        page = game.help_page(options if isinstance(options, dict) else {}, self.lang)
        if isinstance(page, Refusal):
            return page.message
        self._send({"rules": page_of(page)})
        return ""

    async def _options(self, message: Message) -> str:
        """What can be chosen at this table, presets first."""
        if self._keeper is None:
            return self.say(text("You are not at a table."))
        self._send({"options": self._keeper.choices(self.lang)})
        return ""

    def _no_table(self) -> str:
        return self.say(text("There is no such table, or it is closed."))

    def _leave_table(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.leave(self)


_LOUD = ("say", "come", "leave")
"""What everybody at a table hears, and so must be borne by them."""

_Doing = Callable[[Connection, Message], Awaitable[str]]

_DOINGS: Mapping[str, _Doing] = {
    "alive": Connection._alive,
    "brief": Connection._brief,
    "tables": Connection._tables,
    "look": Connection._look,
    "open": Connection._open,
    "come": Connection._come,
    "away": Connection._away,
    "rules": Connection._rules,
    "options": Connection._options,
    "review": Connection._look_back,
}
