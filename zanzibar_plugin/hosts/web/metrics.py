"""What a room tells its operator's monitoring, in the Prometheus text format."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest


class Metrics:
    """Numbers of one room: `tables`, `connections` and `listeners` are asked for when needed."""

    def __init__(
        self,
        tables: Callable[[], int],
        connections: Callable[[], int],
        listeners: Callable[[], int],
    ) -> None:
        self._registry = CollectorRegistry()
        for name, help, number in (
            ("zanzibar_tables", "Tables that are open", tables),
            ("zanzibar_connections", "Clients connected", connections),
            ("zanzibar_listeners", "Clients at a table", listeners),
        ):
            Gauge(name, help, registry=self._registry).set_function(number)
        self.entries = Counter(
            "zanzibar_entries", "Entries committed to journals", registry=self._registry
        )
        self.refused = Counter(
            "zanzibar_refused", "Messages of clients that were refused", registry=self._registry
        )

    def page(self) -> bytes:
        """All numbers as text."""
        return generate_latest(self._registry)
