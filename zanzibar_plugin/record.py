"""A recorded table: the rules, players, dice and keys of a game, to be played again.

The dice lie in the order they fell and a throw of k dice takes the next k; the keys are pairs of a
name and a key, a stranger's name being a spectator's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from zanzibar_plugin.dice import FACES
from zanzibar_plugin.document import DocumentError, Node, read_file
from zanzibar_plugin.shapes import Either, ListOf, Prose, Schema, Shape, Whole, refuse
from zanzibar_plugin.shapes import Record as RecordShape
from zanzibar_plugin.text import Text, text


class Record(NamedTuple):
    """What a file says; `rules` is an id or a path, `options` are not checked yet."""

    file: str
    rules: str
    options: dict[str, object]
    players: tuple[str, ...]
    dice: Sequence[Node]
    keys: Sequence[Node]
    node: Node

    def fail(self, problem: Text, *path: str) -> NoReturn:
        """Refuse the record because of the field at this path, or the nearest there is."""
        node, line = self.node, self.node.line
        for name in path:
            if not isinstance(node.value, dict) or name not in node.value:
                break
            line, node = node.key_line(name), node.value[name]
        raise DocumentError(self.file, line, problem)


def read(path: Path) -> Record:
    """The record in a file.  Raises `DocumentError` with the line of a fault.

    Dice and keys are read one by one as the game is played, so that it is heard up to a fault.
    """
    node = read_file(path)
    top = _RECORD.read(node, "")
    return Record(
        str(path),
        str(top["rules"]),
        {name: one.value for name, one in top["options"].items()},
        tuple(top["players"]),
        top["dice"],
        top["keys"],
        node,
    )


class _AsIs(Shape):
    """A list or mapping whose entries are looked at later, one by one."""

    def __init__(self, kind: type[list[Node]] | type[dict[str, Node]]) -> None:
        self._kind = kind

    def read(self, node: Node, name: str) -> Any:  # noqa: ANN401
        if not isinstance(node.value, self._kind):
            problem = text("{name} must be a list.", name=name)
            if self._kind is dict:
                problem = text("{name} must be a group of fields with values.", name=name)
            refuse(node, problem)
        return node.value

    def schema(self) -> Schema:
        return {"type": "array" if self._kind is list else "object"}


_RECORD = RecordShape(
    {
        "rules": Either(
            (Prose(), Whole(0, 10**9)),
            text("{name} must be the id of a game, or the path of a rules file."),
        ),
        "options": _AsIs(dict),
        "players": ListOf(Prose()),
        "dice": _AsIs(list),
        "keys": _AsIs(list),
    },
    {"options": {}, "dice": [], "keys": []},
)


class RecordedDice:
    """The dice of a record, handed out in order; another kind of `DiceSource`."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._next = 0

    def __call__(self, throw: int, count: int) -> tuple[int, ...]:
        """The next `count` faces.  Raises `DocumentError` if there are not enough, or no faces."""
        drawn = self._record.dice[self._next : self._next + count]
        if len(drawn) < count:
            self._record.fail(
                text("The dice run out at throw {throw} of the game.", throw=throw + 1), "dice"
            )
        self._next += count
        return tuple(self._face(node) for node in drawn)

    def _face(self, node: Node) -> int:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int) or value not in FACES:
            problem = text("dice must be whole numbers from 1 to 6.")
            raise DocumentError(self._record.file, node.line, problem)
        return value


def presses(record: Record, keys: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Who pressed which key, and on which line; `keys` are those of the game.

    Raises `DocumentError` at an entry that is no pair of a name and a key of the game.
    """
    for number, node in enumerate(record.keys, 1):
        pair = [one.value for one in node.value] if isinstance(node.value, list) else []
        if len(pair) != 2 or not isinstance(pair[0], str):
            problem = text(
                'keys, entry {number}: it must be a name and a key, like ["Ana", "enter"].',
                number=number,
            )
            raise DocumentError(record.file, node.line, problem)
        key = str(pair[1]) if isinstance(pair[1], int) else pair[1]
        if key not in keys:
            problem = text(
                "keys, entry {number}: {key} is no key of the game. Possible are: {keys}.",
                number=number,
                key=str(key)[:20],
                keys=", ".join(keys),
            )
            raise DocumentError(record.file, node.line, problem)
        yield pair[0], str(key), node.line
