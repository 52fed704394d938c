"""A bare echo by the same web library as the room: what a key costs at the very least.

`python -m tests.load.echo PORT` answers every message with itself.
"""

from __future__ import annotations

import sys

from aiohttp import web


async def _socket(request: web.Request) -> web.StreamResponse:
    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    async for message in socket:
        await socket.send_str(message.data)
    return socket


def main() -> None:
    app = web.Application()
    app.router.add_get("/socket", _socket)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None)


if __name__ == "__main__":
    main()
