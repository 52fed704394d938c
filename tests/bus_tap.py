"""Writes down what is put into live regions of web pages, as it reaches the accessibility bus.

Run with the system's Python, which has the bindings.  Into the file $BUS_LOG goes one JSON object
a line: first `{"ready": true}`, then `{"time", "text", "language"}` for each insertion.  A screen
reader may leave out what it has just said; here everything is seen, and in which language it is.
"""

import json
import os
import time
from pathlib import Path

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

EMBEDDED = "\ufffc"
"""What the bus has in place of an element amid text: its own text comes by itself."""

EVENT = "object:text-changed:insert"


def is_live(element):
    """Whether an element is in a live region; not if it was taken away meanwhile."""
    try:
        return "container-live" in (element.get_attributes() or {})
    except GLib.Error:
        return False


def language_of(element, offset):
    try:
        attributes, _, _ = Atspi.Text.get_attribute_run(element, offset, True)
    except GLib.Error as gone:
        return f"unknown: {gone}"
    return (attributes or {}).get("language", "")


def main():
    with Path(os.environ["BUS_LOG"]).open("a", buffering=1, encoding="utf-8") as log:

        def write(**what):
            log.write(json.dumps(what, ensure_ascii=False) + "\n")

        def heard(event):
            now, text = time.time(), event.any_data
            if text and EMBEDDED not in text and is_live(event.source):
                write(time=now, text=text, language=language_of(event.source, event.detail1))

        listener = Atspi.EventListener.new(heard)
        listener.register(EVENT)
        write(ready=True)
        Atspi.event_main()


if __name__ == "__main__":
    main()
