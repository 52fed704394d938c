"""The game plugins of a host, each kept at arm's length from the others.

A host may of course use a bare pluggy manager with these hooks.  This is what a host wants beyond
that: one broken plugin never stops it or another plugin, and a call about a game goes to the one
plugin the game belongs to.
"""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple, cast

import pluggy

from zanzibar_plugin import PROJECT, hookspecs
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.hookspecs import (
    CUES,
    INTERFACE,
    LEVELS,
    OPTIONAL,
    REGULAR,
    BotLevel,
    DiceSource,
    Event,
    GameInfo,
    HelpPage,
    KeyInfo,
    Options,
    Refusal,
    Step,
    Table,
)
from zanzibar_plugin.names import shown
from zanzibar_plugin.text import Text, text

_log = logging.getLogger(__name__)
_Hook = Callable[..., Any]


class Problem(NamedTuple):
    """A plugin that is not used: its name, and why, as a sentence."""

    plugin: str
    reason: Text


class Game:
    """One game: the hooks of the plugin it belongs to, see `hookspecs` for each."""

    def __init__(self, game: str, hooks: Mapping[str, _Hook]) -> None:
        self.id = game
        self._hooks = hooks

    def info(self, lang: str) -> GameInfo:
        offered: Iterable[GameInfo] = self._call("games", lang=lang, rules_dirs=(), locale_dirs=())
        return _sound(next(info for info in offered if info.id == self.id))

    def table_options(
        self, options: Mapping[str, Any], name: str, value: object, lang: str
    ) -> Options | Refusal:
        found: Options | Refusal = self._call(
            "table_options", game=self.id, options=options, name=name, value=value, lang=lang
        )
        return found

    def help_page(self, options: Mapping[str, Any], lang: str) -> HelpPage | Refusal:
        page: HelpPage | Refusal = self._call("help_page", game=self.id, options=options, lang=lang)
        return page

    def setup(
        self, players: Sequence[str], options: Mapping[str, Any], dice: DiceSource, lang: str
    ) -> Step | Refusal:
        step: Step | Refusal = self._call(
            "setup", game=self.id, players=players, options=options, dice=dice, lang=lang
        )
        return step

    def on_key(self, table: Table, player: str, key: str) -> Step:
        return cast(Step, self._call("on_key", table=table, player=player, key=key))

    def on_turn_end(self, table: Table) -> Step:
        return cast(Step, self._call("on_turn_end", table=table))

    def announce(self, table: Table, event: Event, listener: str | None, lang: str) -> str:
        said: str = self._call("announce", table=table, event=event, listener=listener, lang=lang)
        return said

    def announce_briefly(self, table: Table, event: Event, listener: str | None, lang: str) -> str:
        """In few words; as usual if the plugin has none, or fails to find them."""
        if "announce_briefly" in self._hooks:
            try:
                said = self._call(
                    "announce_briefly", table=table, event=event, listener=listener, lang=lang
                )
            except Exception:
                _log.exception("%s finds no few words", self.id)
            else:
                if isinstance(said, str):
                    return said
        return self.announce(table, event, listener, lang)

    def cue(self, table: Table, event: Event, listener: str | None) -> str:
        """A sound's name; none if the plugin has none, or something goes wrong with it."""
        if "cue" not in self._hooks:
            return ""
        try:
            found = self._hooks["cue"](table=table, event=event, listener=listener)
        except Exception:
            _log.exception("%s finds no sound", self.id)
            return ""
        return found if found in CUES else ""

    def heard_by(self, table: Table, event: Event) -> str:
        return cast(str, self._call("heard_by", table=table, event=event))

    def view(self, table: Table, listener: str | None, lang: str) -> Mapping[str, Any]:
        seen: Mapping[str, Any] = self._call("view", table=table, listener=listener, lang=lang)
        return seen

    def usable_keys(self, table: Table, player: str, lang: str) -> Sequence[KeyInfo]:
        keys: Sequence[KeyInfo] = self._call("usable_keys", table=table, player=player, lang=lang)
        return keys

    def bot_levels(self, lang: str) -> Sequence[BotLevel]:
        """The levels its bots can play; only the regular one if the plugin does not tell any."""
        if "bot_levels" in self._hooks:
            try:
                levels: Sequence[BotLevel] = self._call("bot_levels", game=self.id, lang=lang)
                found = tuple(BotLevel(str(one.id), str(one.note)) for one in levels)
            except Exception:
                _log.exception("%s does not tell the levels of its bots", self.id)
            else:
                known = tuple(one for one in found if one.id in LEVELS)
                if any(one.id == REGULAR for one in known):
                    return known
        return (BotLevel(REGULAR, ""),)

    def bot_key(self, table: Table, player: str, level: str = REGULAR) -> str:
        return cast(str, self._call("bot_key", table=table, player=player, level=level))

    @property
    def reviews(self) -> bool:
        """Whether a game that is over can be looked through."""
        return "review" in self._hooks

    def review(
        self, saved: Mapping[str, Any], events: Sequence[Event], player: str, lang: str
    ) -> Sequence[str]:
        """What a player could have done better; may take seconds."""
        said: Sequence[str] = self._call(
            "review", saved=saved, events=events, player=player, lang=lang
        )
        return said

    def save(self, table: Table) -> Mapping[str, Any]:
        data: Mapping[str, Any] = self._call("save", table=table)
        return data

    def restore(self, saved: Mapping[str, Any], dice: DiceSource, lang: str) -> Table | Refusal:
        try:
            return self._call("restore", saved=saved, dice=dice, lang=lang)
        except LookupError:
            # Its own plugin does not know it as a save any more.
            damaged = text("This saved table is damaged and cannot be restored. The save is kept.")
            return Refusal(Catalogs().catalog(lang).say(damaged))

    def apply(self, table: Table, events: Sequence[Event]) -> Table:
        return self._call("apply", table=table, events=events)

    def _call(self, hook: str, **arguments: object) -> Any:  # noqa: ANN401 - any hook's result
        result = self._hooks[hook](**arguments)
        if result is None:
            raise LookupError(f"the plugin of {self.id} does not answer {hook} for its own game")
        return result


class Registry:
    """The games of a host, with its folders of house rules and of catalogs.

    `problems` says which plugins are not used, and why; what is wrong with a file is told by the
    hook of the same name.
    """

    def __init__(self, rules_dirs: Sequence[str] = (), locale_dirs: Sequence[str] = ()) -> None:
        self.problems: list[Problem] = []
        self._dirs = {"rules_dirs": tuple(rules_dirs), "locale_dirs": tuple(locale_dirs)}
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(hookspecs)
        self._games: dict[str, Game] = {}
        self._hooks: list[Mapping[str, _Hook]] = []

    def load_entry_points(self, points: Iterable[EntryPoint] | None = None) -> None:
        """Register every installed plugin; a broken one becomes a problem and nothing more."""
        for point in entry_points(group=PROJECT) if points is None else points:
            try:
                plugin = point.load()
                if callable(plugin) and (inspect.isclass(plugin) or not _has_hooks(plugin)):
                    # An entry point may also name a function or class that makes the plugin.
                    plugin = plugin()
            except (Exception, SystemExit) as fault:
                reason = text("The plugin cannot be loaded: {fault}", fault=_short(fault))
                self.problems.append(Problem(point.name, reason))
            else:
                self.register(plugin, point.name)

    def register(self, plugin: object, name: str) -> None:
        """Use a plugin (a module or object with hook implementations); the second time is a no-op.

        What is wrong with it is added to `problems`.
        """
        if self._manager.is_registered(plugin):
            return
        reason = self._register(plugin, name)
        if reason is not None:
            if self._manager.is_registered(plugin):
                self._manager.unregister(plugin)
            self.problems.append(Problem(name, reason))

    def games(self, lang: str) -> tuple[GameInfo, ...]:
        """All games there are, in the order of registration.

        A game that cannot be told becomes a problem and is left out.
        """
        found = []
        for game in self._games.values():
            try:
                found.append(game.info(lang))
            except (Exception, SystemExit) as fault:
                reason = text("The plugin cannot be used: {fault}", fault=_short(fault))
                problem = Problem(game.id, reason)
                if problem not in self.problems:
                    self.problems.append(problem)
        return tuple(found)

    def file_problems(self, lang: str) -> tuple[str, ...]:
        """What the plugins say of files that are left out, theirs and the host's."""
        said: list[str] = []
        for hooks in self._hooks:
            try:
                said += hooks["problems"](lang=lang)
            except Exception as fault:
                said.append(_short(fault))
        return tuple(dict.fromkeys(said))

    def __len__(self) -> int:
        return len(self._games)

    def find(self, game: str) -> Game | None:
        """The game with this id, or None."""
        return self._games.get(game)

    def _register(self, plugin: object, name: str) -> Text | None:
        """Why the plugin cannot be used, or None if all went well."""
        version = getattr(plugin, "gameroom_interface", None)
        if version != INTERFACE:
            return text(
                "The plugin is made for version {found} of the interface between rooms and games; "
                "this room has version {version}.",
                found=str(version)[:20],
                version=INTERFACE,
            )
        try:
            self._manager.register(plugin, name)
            self._manager.check_pending()
            hooks = self._hooks_of(plugin)
            missing = [hook for hook in _HOOKS if hook not in hooks and hook not in OPTIONAL]
            if missing:
                return text("The plugin lacks these hooks: {hooks}.", hooks=", ".join(missing))
            offered = [info.id for info in hooks["games"](lang="en", **self._dirs)]
            taken = [game for game in offered if game in self._games]
        except (Exception, SystemExit) as fault:
            return text("The plugin cannot be used: {fault}", fault=_short(fault))
        if taken:
            return text(
                "The plugin offers games that another plugin offers already: {games}.",
                games=", ".join(taken),
            )
        for game in offered:
            self._games[game] = Game(game, hooks)
        self._hooks.append(hooks)
        return None

    def _hooks_of(self, plugin: object) -> Mapping[str, _Hook]:
        """The hooks this plugin implements, each calling this plugin alone."""
        found: dict[str, _Hook] = {}
        for caller in self._manager.get_hookcallers(plugin) or ():
            implementation = next(i for i in caller.get_hookimpls() if i.plugin is plugin)
            assert caller.spec is not None
            found[caller.name] = _only(implementation, caller.spec.argnames)
        return found


def _sound(info: GameInfo) -> GameInfo:
    """A game's own description, if it is what it should be.  Raises TypeError or ValueError."""
    texts = (info.id, info.name, info.summary, info.base, info.region, info.source, info.note)
    if not all(isinstance(said, str) for said in texts):
        raise TypeError("a text of a game is no str")
    if not all(type(number) is int for number in (info.min_players, info.max_players)):
        raise TypeError("the number of players is no int")
    json.dumps(info)  # whatever else it holds goes to pages
    return info


def _only(implementation: pluggy.HookImpl, all_names: Sequence[str]) -> _Hook:
    """A call to one implementation with those of the arguments that it takes."""
    function, names = implementation.function, implementation.argnames
    takes_all = set(names) == set(all_names)

    def call(**arguments: object) -> object:
        try:
            if takes_all:
                return function(**arguments)
            return function(*[arguments[name] for name in names])
        except SystemExit as end:
            # A game must not be able to end its host.
            raise RuntimeError(f"SystemExit: {end}") from end

    return call


_HOOKS = tuple(name for name, value in vars(hookspecs).items() if hasattr(value, f"{PROJECT}_spec"))


def _has_hooks(plugin: object) -> bool:
    return any(hasattr(value, f"{PROJECT}_impl") for _, value in inspect.getmembers_static(plugin))


def _short(fault: BaseException) -> str:
    """What an exception says, on one short line."""
    said = shown(" ".join(str(fault).split())) or type(fault).__name__
    return f"{type(fault).__name__}: {said}"[:200]
