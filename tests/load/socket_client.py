"""A WebSocket client as lean as can be: thousands of them must leave the processor to the room."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Callable
from typing import Any

_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class LeanSocket(asyncio.Protocol):
    """One line to a room; `received` is called with the bytes of each message."""

    def __init__(self, received: Callable[[bytes], None]) -> None:
        self._received = received
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(
        cls, host: str, port: int, path: str, received: Callable[[bytes], None], local: str
    ) -> LeanSocket:
        """A line that is open; `local` is the address it comes from."""
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(
            lambda: cls(received), host, port, local_addr=(local, 0)
        )
        key = base64.b64encode(os.urandom(16)).decode()
        request = _HANDSHAKE.format(path=path, host=host, port=port, key=key)
        assert line._transport is not None
        line._transport.write(request.encode())
        await line.opened
        return line

    def send(self, message: dict[str, Any]) -> None:
        """Send one message, as JSON."""
        self._frame(0x81, json.dumps(message).encode())

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _frame(self, first: int, payload: bytes) -> None:
        # A client must mask what it sends; a mask of zeros changes nothing.
        size = len(payload)
        head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 254)) + size.to_bytes(2)
        assert self._transport is not None
        self._transport.write(head + b"\0\0\0\0" + payload)

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, fault: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(fault))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self._buffer[:end]:
                self.opened.set_exception(ConnectionError(bytes(self._buffer[:200])))
                return
            del self._buffer[: end + 4]
            self._open = True
            self.opened.set_result(None)
        self._take()

    def _take(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            size, head = buffer[at + 1] & 0x7F, 2
            if size == 126:
                size, head = int.from_bytes(buffer[at + 2 : at + 4]), 4
            elif size == 127:
                size, head = int.from_bytes(buffer[at + 2 : at + 10]), 10
            if len(buffer) - at < head + size:
                break
            payload = bytes(buffer[at + head : at + head + size])
            kind = buffer[at] & 0x0F
            at += head + size
            if kind == 1:
                self._received(payload)
            elif kind == 9:
                self._frame(0x8A, payload)
        del buffer[:at]
