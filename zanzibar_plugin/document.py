"""Files written by people: a YAML or JSON text becomes a tree of nodes that remember their line.

Plain YAML surprises its authors: `no` is false, `4:2:1` is 14521, of two equal keys one is lost.
Everything of that kind is refused here with the line and the remedy, and nothing but
`DocumentError` is ever raised, so that a bad file can never stop a server.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, Union

import yaml

from zanzibar_plugin.text import Field, Text, text

MAX_BYTES = 1_000_000
"""The largest file read; the sentence about it names the number too."""
MAX_DEPTH = 20
"""The deepest nesting of lists and mappings; the sentence about it names the number too."""

Scalar: TypeAlias = str | int | float | bool | None
Value: TypeAlias = Union["dict[str, Node]", "list[Node]", Scalar]


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a document: a mapping or list of nodes, or a scalar.

    `line` counts from 1; it is 0 where no line is known (plain data, some JSON).  `file` is kept
    because a variant and its base are merged into one document.
    """

    value: Value
    line: int = 0
    key_lines: dict[str, int] | None = field(default=None, repr=False)
    file: str = field(default="", repr=False, compare=False)

    def key_line(self, name: str) -> int:
        """The line of a key of this mapping; the line of the mapping if it has no such key."""
        return (self.key_lines or {}).get(name, self.line)


class Fault(NamedTuple):
    """What is wrong on a line (0: in the whole file), as a whole sentence."""

    line: int
    problem: Text


class DocumentError(ValueError):
    """A document cannot be used: `problem` says why and what was expected.

    `line` is 0 if the whole file is meant; `file` is empty for plain data.
    """

    def __init__(self, file: str, line: int, problem: Text) -> None:
        super().__init__(file, line, problem)
        self.file = file
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        """The English sentence with its place, for logs and for those who have no catalog."""
        places = [self.file, f"line {self.line}" if self.line else ""]
        place = ", ".join(filter(None, places))
        return f"{place}: {_english(self.problem)}" if place else _english(self.problem)


class _SyntaxFault(Exception):
    """The text is not YAML; it may still be JSON."""

    def __init__(self, line: int, problem: Text) -> None:
        super().__init__(line, problem)
        self.fault = Fault(line, problem)


# The C parser reads 1 MB in half a second and looks ahead little; without it all is only slower.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER: Any = yaml.resolver.Resolver()
_BREAK = re.compile(r"\r\n|\r|\n")
# What YAML forbids, and what it takes for a line break or for nothing where no editor shows it.
_FORBIDDEN = re.compile(
    "[^\t\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_DIRECTIVE = re.compile(r"(?:^|[\r\n])%")
_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,14})\.[0-9]{1,20}")
# Text for PyYAML, but a number or a truth value for other readers, or for JSON.
_ODD = re.compile(
    r"y|n|yes|no|on|off|true|false|null|nan|[-+]?infinity|[-+]?0[0-9_]+|[-+]?0[box][0-9a-f_]+"
    r"|[-+]?[0-9][0-9_]*\.?[0-9_]*e[-+]?[0-9]+",
    re.IGNORECASE,
)
_NUMBER_START = re.compile(r"[-+.]?[0-9]|[-+.](inf|nan)|nan|inf", re.IGNORECASE)


def read_text(data: bytes, file: str) -> Node:
    """The document in `data`; `file` is its name for the error.

    Raises:
        DocumentError: for every fault, also those of the encoding and the syntax.
    """
    source = _decode(data, file)
    try:
        return _tree(source, file)
    except _SyntaxFault as broken:
        # YAML first, because it knows the lines.  But a little of JSON is not YAML: emoji as two
        # \u escapes, keys over 1024 characters, a raw DEL, and tabs for the parser without C.
        node = _json(source, file) if source.lstrip()[:1] in ("{", "[", '"') else None
        if node is None:
            raise DocumentError(file, *broken.fault) from None
        return node


def read_file(path: Path) -> Node:
    """The document in a file, of which at most 1 MB and a byte is read.

    Raises:
        DocumentError: also if there is no such file, or it is a folder, a pipe or a device.
    """
    file = str(path).encode("utf-8", "backslashreplace").decode()
    try:
        with open(path, "rb", opener=_open_at_once) as stream:
            if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return read_text(stream.read(MAX_BYTES + 1), file)
            problem = text("This is a pipe or a device, not a file.")
    except FileNotFoundError:
        problem = text("There is no such file.")
    except IsADirectoryError:
        problem = text("This is a folder, not a file.")
    except DocumentError:
        raise
    except (OSError, ValueError):  # a ValueError is a NUL in the name
        problem = text("This file cannot be opened. Check its name and who may read it.")
    raise DocumentError(file, 0, problem)


def from_data(value: object) -> Node:
    """Plain JSON data as nodes of line 0: whatever is accepted can also be read from JSON text.

    Raises:
        DocumentError: for another type, a key that is no string, too deep nesting or a number
            that `read_text` would refuse; `file` is empty.
    """
    return _from_data(value, "", 0)


def to_data(node: Node) -> object:
    """The plain data of a node, without the lines."""
    if isinstance(node.value, dict):
        return {key: to_data(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [to_data(child) for child in node.value]
    return node.value


def merge(base: Node, changes: Node) -> Node:
    """`base` with `changes` laid over it: mappings are merged deeply, all else is replaced.

    A null takes a key of the base away, as in a JSON merge patch.
    Every node and every key keeps the line of the side it came from; a merged mapping and a key
    that is on both sides have the line of `changes`.
    """
    if not (isinstance(base.value, dict) and isinstance(changes.value, dict)):
        return changes
    if not changes.value:
        return base
    merged = dict(base.value)
    for key, child in changes.value.items():
        if child.value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged[key], child) if key in merged else child
    lines = {**(base.key_lines or {}), **{key: changes.key_line(key) for key in changes.value}}
    return Node(merged, changes.line, lines, changes.file)


def node_at(document: Node, path: tuple[str, ...]) -> Node:
    """The node at a path of a document; an empty group where there is none."""
    for name in path:
        if not isinstance(document.value, dict) or name not in document.value:
            return Node({}, document.line, {}, document.file)
        document = document.value[name]
    return document


def _open_at_once(path: str, flags: int) -> int:
    # Without O_NONBLOCK, opening a pipe would wait for a writer for ever.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _decode(data: bytes, file: str) -> str:
    if len(data) > MAX_BYTES:
        raise DocumentError(file, 0, text("This file is too large: at most 1 MB can be read."))
    # Without its mark, UTF-16 shows by a zero in every other byte; all zeros are a lost file.
    halves = (data[:4:2] == b"\0\0", data[1:4:2] == b"\0\0")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or halves[0] != halves[1]:
        problem = text("This file is saved as UTF-16. Save it again as UTF-8 text.")
        raise DocumentError(file, 0, problem)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = _line_at(data[: error.start].decode("utf-8"))
        problem = text("There is a letter here that is not UTF-8. Save the file as UTF-8 text.")
        raise DocumentError(file, line, problem) from None


class _Parent:
    """A list or mapping that is still being filled, and the key that waits for its value."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.key: str | None = None
        self.wants_key = isinstance(node.value, dict)

    def take_key(self, key: str, line: int) -> Text | None:
        """Keep a key for the next node; what is wrong with it, if anything."""
        lines = self.node.key_lines
        assert lines is not None, "a mapping being filled has lines"
        if key in lines:
            return text(
                "The key {key} is already on line {first}. Keep one of the two.",
                key=_shown(key),
                first=lines[key],
            )
        lines[key] = line
        self.key, self.wants_key = key, False
        return None

    def add(self, node: Node) -> None:
        if isinstance(self.node.value, list):
            self.node.value.append(node)
        elif isinstance(self.node.value, dict) and self.key is not None:
            self.node.value[self.key] = node
            self.key, self.wants_key = None, True


def _tree(source: str, file: str) -> Node:
    """The nodes of a YAML text, built from the parser's events as they come.

    There is no recursion and no alias is followed, so hostile nesting costs nothing.
    """
    if bad := _FORBIDDEN.search(source):
        code = f"U+{ord(bad[0]):04X}"
        # L10N: {code} is the number of a character, such as U+0007.
        problem = text("The invisible character {code} is not allowed. Delete it.", code=code)
        raise _SyntaxFault(_line_at(source[: bad.start()]), problem)
    if bad := _DIRECTIVE.search(source):  # 50,000 %TAG lines would take seconds
        problem = text("A line must not begin with a percent sign. Delete or indent it.")
        raise DocumentError(file, _line_at(source[: bad.end()]), problem)
    root: Node | None = None
    documents = 0
    parents: list[_Parent] = []
    for event in _events(source):
        line = _mark_line(event.start_mark)
        if isinstance(event, yaml.CollectionEndEvent):
            parents.pop()
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                problem = text("A second document begins here. Keep only one in a file.")
                raise DocumentError(file, line, problem)
        elif isinstance(event, yaml.NodeEvent):
            parent = parents[-1] if parents else None
            value = _value(event, parent is not None and parent.wants_key, len(parents))
            if isinstance(value, Text):
                raise DocumentError(file, line, value)
            if isinstance(value, str) and _SURROGATE.search(value):
                raise _SyntaxFault(line, _half_letter())  # in JSON two of them can be a letter
            if parent and parent.wants_key and isinstance(value, str):
                if duplicate := parent.take_key(value, line):
                    raise DocumentError(file, line, duplicate)
                continue
            node = Node(value, line, {} if isinstance(value, dict) else None, file)
            if parent:
                parent.add(node)
            else:  # a file of nothing but --- is empty, too
                blank = isinstance(event, yaml.ScalarEvent) and not event.value and value is None
                root = None if blank else node
            if isinstance(value, dict | list):
                parents.append(_Parent(node))
    if root is None:
        raise DocumentError(file, 0, text("This file is empty."))
    return root


def _value(event: yaml.NodeEvent, as_key: bool, depth: int) -> Value | Text:
    """What a node holds, lists and mappings still empty, or what is wrong with it."""
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        return text(
            "References (& or *) are not supported. Write the value out, or put it in quotes."
        )
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
        return text("Types (!) are not supported. Delete it, or put the value in quotes.")
    if not isinstance(event, yaml.ScalarEvent):
        if as_key:
            return text("A key must be a text, not a list or a group of keys.")
        if depth >= MAX_DEPTH:
            return _too_deep()
        return {} if isinstance(event, yaml.MappingStartEvent) else []
    word = str(event.value)
    if not event.implicit[0]:  # in quotes
        return word
    if not as_key:
        return _plain(word)
    if word == "<<":
        return text("Merging (<<) is not supported. Write the keys out.")
    if not word:
        return text("There is no key before the colon.")
    if not isinstance(_plain(word), str):
        # L10N: {key} is what the author wrote before a colon, such as 421 or yes.
        return text("The key {key} is not a text for YAML. Put it in quotes.", key=_shown(word))
    return word


def _plain(word: str) -> Scalar | Text:
    """What a scalar without quotes means, or why that is not plain to everybody."""
    if word in _WORDS:
        return _WORDS[word]
    if _WHOLE.fullmatch(word):
        return int(word)
    if _DECIMAL.fullmatch(word):
        return float(word)
    tag = _RESOLVER.resolve(yaml.ScalarNode, word, (True, False))
    if tag == "tag:yaml.org,2002:str" and not _ODD.fullmatch(word):
        return word
    if _NUMBER_START.match(word):
        return text(
            "{value} is not a plain number. Put it in quotes, or write a number such as 10 or 0.5"
            " with at most 15 digits.",
            value=_shown(word),
        )
    return text(
        "{value} is not plain: YAML would read it as something else. Put it in quotes, or write"
        " true or false.",
        value=_shown(word),
    )


def _events(source: str) -> Iterator[yaml.Event]:
    """The parser's events; whatever it raises comes out as a `_SyntaxFault`."""
    line = 0
    try:
        for event in yaml.parse(source, Loader=_LOADER):
            line = _mark_line(event.start_mark)
            yield event
    except yaml.MarkedYAMLError as error:
        raise _syntax_fault(error, source) from None
    except Exception:  # the parser without C lets ValueError and others out
        problem = text("This cannot be read as YAML, here or just below.")
        raise _SyntaxFault(line, problem) from None


def _syntax_fault(error: yaml.MarkedYAMLError, source: str) -> _SyntaxFault:
    """The parser's complaint in words for somebody who does not know its grammar."""
    lines = _BREAK.split(source)
    # The end of the text may be marked on a line after the last one.
    last = max(1, len(lines) - (not lines[-1]))
    line = min(_mark_line(error.problem_mark), last)
    opened = min(_mark_line(error.context_mark), last)
    what, context = error.problem or "", error.context or ""
    if "nesting depth" in what:
        return _SyntaxFault(line, _too_deep())
    if line and re.match(r" *\t", lines[line - 1]):
        return _SyntaxFault(line, text("A tab begins this line. Indent with spaces only."))
    if "quoted scalar" in context and "unexpected end" in what:
        return _SyntaxFault(opened, text("The quotation mark on this line is never closed."))
    if "while parsing a flow" in context and opened:
        # L10N: {opened} is the number of a line.
        problem = text(
            "A comma or a closing bracket is missing: the bracket is opened on line {opened}.",
            opened=opened,
        )
        return _SyntaxFault(line, problem)
    if "mapping values" in what:
        problem = text("This colon is one too many. Put a text that has a colon in quotes.")
        return _SyntaxFault(line, problem)
    problem = text(
        "This line cannot be read as YAML. Look here and just above for a wrong indentation, a"
        " missing colon, or a text that needs quotes."
    )
    return _SyntaxFault(line, problem)


def _json(source: str, file: str) -> Node | None:
    """The nodes of a JSON text, all of line 0; None if it is not JSON."""

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, value in items:
            if name in found:
                problem = text("The key {key} is there twice. Keep one.", key=_shown(name))
                raise DocumentError(file, 0, problem)
            found[name] = value
        return found

    def number(word: str) -> Scalar:
        value = _plain(word)
        if isinstance(value, Text):
            raise DocumentError(file, 0, value)
        return value

    try:
        data = json.loads(
            source,
            object_pairs_hook=pairs,
            parse_int=number,
            parse_float=number,
            parse_constant=number,
        )
    except DocumentError:
        raise
    except (ValueError, RecursionError):
        return None
    return _from_data(data, file, 0)


def _from_data(value: object, file: str, depth: int) -> Node:
    """The nodes of plain data, `depth` levels down; it calls itself, but `MAX_DEPTH` at most."""
    if isinstance(value, dict | list) and depth >= MAX_DEPTH:
        raise DocumentError(file, 0, _too_deep())
    if isinstance(value, list):
        return Node([_from_data(child, file, depth + 1) for child in value], file=file)
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                problem = text("The key {key} is not a text.", key=_shown(str(key)))
                raise DocumentError(file, 0, problem)
            _from_data(key, file, depth)
        children = {key: _from_data(child, file, depth + 1) for key, child in value.items()}
        return Node(children, 0, {}, file)
    if isinstance(value, str):
        if _SURROGATE.search(value):
            raise DocumentError(file, 0, _half_letter())
        return Node(value, file=file)
    if isinstance(value, int | float) and not isinstance(value, bool):
        # The numbers a text may have, no others.  Too many digits would not even have a repr.
        problem_or_number = _large() if abs(value) >= 10**15 else _plain(repr(value))
        if isinstance(problem_or_number, Text):
            raise DocumentError(file, 0, problem_or_number)
        return Node(value, file=file)
    if value is None or isinstance(value, bool):
        return Node(value, file=file)
    # L10N: {kind} is the English name of a type in the program, such as set.
    problem = text("A value of the type {kind} cannot be kept.", kind=type(value).__name__)
    raise DocumentError(file, 0, problem)


def _too_deep() -> Text:
    return text("Lists and groups of keys are nested too deep: 20 levels are allowed.")


def _large() -> Text:
    return text("A number is too large: at most 15 digits are allowed.")


def _half_letter() -> Text:
    # L10N: "half a letter" is a lone surrogate, written as \ud83d; it cannot be shown or saved.
    return text("There is half a letter here, from a wrong escape with a backslash. Delete it.")


def _mark_line(mark: Any) -> int:  # noqa: ANN401 - PyYAML has two classes without a common base
    return mark.line + 1 if mark else 0


def _line_at(before: str) -> int:
    """The line that begins or goes on after the text `before`."""
    return len(_BREAK.findall(before)) + 1


def _shown(words: str) -> str:
    """The author's own words, at most 40 characters, none of them invisible or a control."""
    safe = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in words[:41]
    )
    return safe if len(safe) <= 40 else safe[:39] + "…"


def _english(field: Field) -> str:
    """A problem in English; the fields here are only words, numbers and other sentences."""
    if not isinstance(field, Text):
        return str(field)
    values = {name: _english(value) for name, value in field.fields.items()}
    return (field.plural if field.plural and field.count != 1 else field.msgid).format(**values)
