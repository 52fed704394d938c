"""The web application: pages, the socket, and what an operator's tools ask for."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import jinja2
from aiohttp import web

from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import HelpPage, Refusal
from zanzibar_plugin.hosts.web.connection import Connection
from zanzibar_plugin.hosts.web.limits import Addresses, WebLimits
from zanzibar_plugin.hosts.web.metrics import Metrics
from zanzibar_plugin.hosts.web.postman import Postman
from zanzibar_plugin.hosts.web.words import SETTINGS, own_name, tag_of, words
from zanzibar_plugin.registry import Registry
from zanzibar_plugin.room.hall import Hall, Limits
from zanzibar_plugin.room.keeper import Pace, Surroundings
from zanzibar_plugin.room.store import Store, StoreError
from zanzibar_plugin.text import text

_log = logging.getLogger(__name__)
_HERE = Path(__file__).parent

_SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True)
class RoomSettings:
    """What an operator sets: `origins` are further pages that may connect (a proxy's names)."""

    origins: Sequence[str] = ()
    trust_proxy: bool = False
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    web: WebLimits = field(default_factory=WebLimits)


class Room:
    """A room server: its games, tables and clients."""

    def __init__(
        self, store: Store, games: Registry, catalogs: Catalogs, settings: RoomSettings
    ) -> None:
        source = random.SystemRandom()
        self.games = games
        self.catalogs = catalogs
        self.settings = settings
        self.limits = settings.web
        self.store = store
        self.addresses = Addresses(settings.web)
        around = Surroundings(
            store,
            games,
            catalogs,
            lambda throw, count: source.choices(range(1, 7), k=count),
            settings.pace,
        )
        self.hall = Hall(around, settings.limits)
        self.hall.changed = lambda: self.metrics.entries.inc()
        self.hall.relisted = self._relisted
        self.metrics = Metrics(
            lambda: len(self.hall),
            lambda: self.addresses.connections,
            lambda: sum(keeper.ears for keeper in self.hall.keepers()),
        )
        self.postman = Postman()
        self._clients: dict[str, Connection] = {}
        self._offered: dict[str, Sequence[Mapping[str, Any]]] = {}
        self._showing: asyncio.TimerHandle | None = None
        self._pages = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
        )
        self._pages.filters["tag"] = tag_of

    def application(self) -> web.Application:
        """The application to be run by aiohttp."""
        app = web.Application(middlewares=[_headers], client_max_size=16_384)
        app.router.add_get("/", self._page)
        app.router.add_get("/rules/{game}", self._rules)
        app.router.add_get("/tables/{table}/record", self._record)
        app.router.add_get("/socket", self._socket)
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/metrics", self._metrics)
        app.router.add_static("/static", _HERE / "static")
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._shut_down)
        app.on_cleanup.append(self._clean_up)
        return app

    def offered(self, lang: str) -> Sequence[Mapping[str, Any]]:
        """The games there are, in one of the languages there are; plugins are asked once."""
        if lang in self._offered:
            return self._offered[lang]
        offered = [
            {**info._asdict(), **self._beyond(info.id, lang)} for info in self.games.games(lang)
        ]
        if len(offered) == len(self.games):  # a game that could not be told now may be told later
            self._offered[lang] = offered
        return offered

    def _beyond(self, game: str, lang: str) -> Mapping[str, Any]:
        """What a room offers with a game besides the game itself."""
        found = self.games.find(game)
        assert found is not None
        levels = [level._asdict() for level in found.bot_levels(lang)]
        return {"levels": levels, "reviews": found.reviews}

    def arrive(self, client: Connection) -> None:
        """Somebody has said hello; an older window of the same person is closed."""
        older = self._clients.get(client.owner)
        if older is not None and older is not client:
            older.take_over()
        self._clients[client.owner] = client

    def forget(self, client: Connection) -> None:
        """A connection has ended."""
        if self._clients.get(client.owner) is client:
            del self._clients[client.owner]

    def _relisted(self) -> None:
        """Show the list of tables anew, but not more than once in a while."""
        if self._showing is None:
            self._showing = asyncio.get_running_loop().call_later(1.0, self._show)

    def _show(self) -> None:
        self._showing = None
        for client in tuple(self._clients.values()):
            client.lobby()

    async def _start(self, app: web.Application) -> None:
        await self.hall.start()
        self.postman.start()

    async def _shut_down(self, app: web.Application) -> None:
        for client in tuple(self._clients.values()):
            await client.go_away()
        # The farewells are written by the clients' own tasks.
        await asyncio.sleep(0.1)

    async def _clean_up(self, app: web.Application) -> None:
        self.postman.stop()
        await self.hall.stop()
        await self.store.close()

    def _address(self, request: web.Request) -> str:
        if self.settings.trust_proxy:
            forwarded = request.headers.get("X-Forwarded-For", "").split(",")[-1].strip()
            if forwarded:
                return forwarded
        return request.remote or "?"

    def _allowed(self, request: web.Request) -> bool:
        """Whether the page that opens a socket is ours: a page of another site is not."""
        origin = request.headers.get("Origin")
        if origin is None:
            return True  # no browser
        if origin in self.settings.origins:
            return True
        try:
            return urlsplit(origin).netloc == request.host
        except ValueError:
            return False

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if not self._allowed(request):
            raise web.HTTPForbidden(text="This room is not open to pages of other sites.")
        address = self._address(request)
        if not self.addresses.connect(address):
            raise web.HTTPServiceUnavailable(text="There are too many connections.")
        try:
            socket = web.WebSocketResponse(
                max_msg_size=self.limits.message_bytes,
                heartbeat=self.limits.heartbeat_seconds,
                compress=False,
            )
            await socket.prepare(request)
            await Connection(self, request, socket, address).run()
        finally:
            self.addresses.disconnect(address)
        return socket

    def _language(self, request: web.Request) -> str:
        asked = request.query.get("lang")
        if asked:
            return self.catalogs.negotiate(asked)
        for part in request.headers.get("Accept-Language", "").split(","):
            tag = part.partition(";")[0].strip()
            found = self.catalogs.negotiate(tag)
            if tag.lower().startswith(found.lower()[:2]):
                return found
        return self.catalogs.negotiate("en")

    async def _page(self, request: web.Request) -> web.Response:
        language = self._language(request)
        said = words(self.catalogs.catalog(language))
        page = self._pages.get_template("room.html").render(
            lang=language,
            languages=[(one, own_name(one)) for one in self.catalogs.languages],
            words=said,
            settings=SETTINGS,
            words_json=json.dumps(said, ensure_ascii=False),
        )
        return web.Response(text=page, content_type="text/html")

    async def _rules(self, request: web.Request) -> web.Response:
        language = self._language(request)
        game = self.games.find(request.match_info["game"])
        if game is None:
            wrong = self.catalogs.catalog(language).say(text("There is no such game here."))
            return self._rules_page(request, language, wrong, status=404)
        options: dict[str, Any] = {
            name.removeprefix("o."): value
            for name, value in request.query.items()
            if name.startswith("o.")
        }
        try:
            page = game.help_page(options, language)
        except Exception:
            _log.exception("the game %s does not tell its rules", game.id)
            fault = text("The game has a fault and did not do this.")
            wrong = self.catalogs.catalog(language).say(fault)
            return self._rules_page(request, language, wrong, status=500)
        if isinstance(page, Refusal):
            return self._rules_page(request, language, page.message, status=400)
        return self._rules_page(request, language, page.title, page)

    def _rules_page(
        self,
        request: web.Request,
        language: str,
        title: str,
        page: HelpPage | None = None,
        status: int = 200,
    ) -> web.Response:
        """The rules, or a sentence why there are none, with the same in all other languages."""
        asked = [(name, value) for name, value in request.query.items() if name != "lang"]
        others = [
            (other, f"{request.rel_url.raw_path}?{urlencode([('lang', other), *asked])}")
            for other in self.catalogs.languages
            if other != language
        ]
        body = self._pages.get_template("rules.html").render(
            lang=language,
            title=title,
            page=page,
            others=others,
            names={other: own_name(other) for other, _ in others},
            words=words(self.catalogs.catalog(language)),
            beside=request.query.get("beside") == "room",
        )
        return web.Response(text=body, content_type="text/html", status=status)

    async def _record(self, request: web.Request) -> web.Response:
        """The record of a table's last game, or of one named, for whoever knows the table."""
        table, game = request.match_info["table"], request.query.get("game", "")
        record = await self.hall.record(table, game)
        if not record:
            raise web.HTTPNotFound()
        return web.json_response(
            text=record, headers={"Content-Disposition": 'attachment; filename="record.json"'}
        )

    async def _healthz(self, request: web.Request) -> web.Response:
        try:
            await self.store.read("", 0)
        except StoreError as fault:
            return web.json_response({"ok": False, "problem": str(fault)}, status=503)
        return web.json_response(
            {"ok": True, "tables": len(self.hall), "left_out": sorted(self.hall.problems)}
        )

    async def _metrics(self, request: web.Request) -> web.Response:
        return web.Response(body=self.metrics.page(), content_type="text/plain", charset="utf-8")


@web.middleware
async def _headers(request: web.Request, handler: Any) -> web.StreamResponse:  # noqa: ANN401
    try:
        response: web.StreamResponse = await handler(request)
    except web.HTTPException as refusal:
        refusal.headers.update(_SAFE_HEADERS)
        raise
    except Exception:
        _log.exception("%s fails", request.path)
        return web.Response(status=500, text="The room has a fault.", headers=_SAFE_HEADERS)
    if not response.prepared:
        response.headers.update(_SAFE_HEADERS)
        # After an update no browser may mix old scripts with new ones.
        response.headers.setdefault("Cache-Control", "no-cache")
    return response
