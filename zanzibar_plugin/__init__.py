"""Zanzibar, the dice game 421, as a plugin for online game rooms.

A plugin author needs one thing from here: the marker that goes before each hook.

    from zanzibar_plugin import hookimpl

    @hookimpl
    def games(): ...

The hooks themselves are described in `zanzibar_plugin.hookspecs`.
"""

import pluggy

__version__ = "0.1.0"

PROJECT = "gameroom"
"""The pluggy project name and the entry-point group of game plugins."""

hookimpl = pluggy.HookimplMarker(PROJECT)
