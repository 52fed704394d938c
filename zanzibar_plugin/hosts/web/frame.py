"""Messages as they go over the line: JSON texts, read and written."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any, TypeAlias

import orjson

_log = logging.getLogger(__name__)

Message: TypeAlias = dict[str, Any]


def frame(messages: Sequence[Message], to: str) -> bytes:
    """Messages as one frame, in their order: what happens at once costs one delivery.

    A message that is no JSON is left out, and told to the log with the address it is `to`; of a
    table at least its people are shown.
    """
    try:
        return orjson.dumps(messages)
    except TypeError:
        return b"[%b]" % b",".join(filter(None, (_alone(one, to) for one in messages)))


def read(line: str) -> Any:  # noqa: ANN401 - whatever a client has sent
    """What a text means; None if it is no JSON."""
    try:
        # Not the quicker one: it makes other numbers of very long ones.
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _alone(message: Message, to: str) -> bytes:
    """One message; empty if it is no JSON."""
    try:
        # Half characters have no form but the escaped one.
        return json.dumps(message, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError):
        _log.exception("a message to %s is no JSON", to)
    view = message.get("table")
    if view is None or view["play"] is None:
        return b""
    return _alone({"table": {**view, "play": None, "keys": []}}, to)
