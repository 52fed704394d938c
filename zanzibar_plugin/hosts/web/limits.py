"""How much one client may ask of a room, so that nobody can spoil it for the others."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class WebLimits:
    """Limits of a room server; each can be set by its operator."""

    message_bytes: int = 4096
    messages_per_second: float = 15.0
    burst: int = 40
    chats_per_minute: int = 30
    """How often one client may write to a table, or come and go: others hear each time."""
    patience: int = 200
    """How many messages over the limit, or wrong ones, are answered before the line is cut."""
    waiting_lines: int = 500
    """Messages a client may leave unread before it is cut off."""
    send_seconds: float = 20.0
    heartbeat_seconds: float = 20.0
    connections: int = 10_000
    connections_per_address: int = 60
    tables_per_minute: int = 10
    """Tables that one address may open."""


class Bucket:
    """An allowance that fills up again: `rate` a second, `burst` at most."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at = time.monotonic()

    def take(self) -> bool:
        """Use one; false if there is none left just now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def full(self) -> bool:
        """Whether nothing has been used for so long that this bucket need not be kept."""
        return self._left + (time.monotonic() - self._at) * self._rate >= self._burst


class Addresses:
    """Connections and opened tables of each address."""

    def __init__(self, limits: WebLimits) -> None:
        self._limits = limits
        self._connections: Counter[str] = Counter()
        self._opened: dict[str, Bucket] = {}

    @property
    def connections(self) -> int:
        """All connections there are."""
        return self._connections.total()

    def connect(self, address: str) -> bool:
        """Count a connection in; false, and not counted, if there are too many."""
        if (
            self._connections.total() >= self._limits.connections
            or self._connections[address] >= self._limits.connections_per_address
        ):
            return False
        self._connections[address] += 1
        return True

    def disconnect(self, address: str) -> None:
        """Count a connection out."""
        self._connections[address] -= 1
        if self._connections[address] <= 0:
            del self._connections[address]

    def may_open(self, address: str) -> bool:
        """Whether this address may open one more table now."""
        if len(self._opened) > 1000:
            self._opened = {a: bucket for a, bucket in self._opened.items() if not bucket.full}
        many = self._limits.tables_per_minute
        bucket = self._opened.setdefault(address, Bucket(many / 60, many))
        return bucket.take()
