"""The translatable texts of a rules file, for Babel's message extraction.

Only the values of a few keys are prose.  Everything else in a rules file is an id, a number or a
choice that the program understands, and is never translated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import IO, Any, TypeAlias

import yaml

from zanzibar_plugin.paragraphs import paragraphs

PROSE = frozenset({"title", "name", "summary", "note", "region", "source", "label", "help", "text"})
"""The keys whose values are said to a person."""

PLURAL = "plural"
"""The key beside `text` that holds the English plural form of it."""

Found: TypeAlias = tuple[int, str | None, str | tuple[str, str], list[str]]
"""Line number, the keyword a Python file would have used, message, comments for translators."""


def extract(
    fileobj: IO[bytes],
    keywords: Mapping[str, Any],
    comment_tags: Collection[str],
    options: Mapping[str, Any],
) -> Iterator[Found]:
    """Find the messages of one rules file, in the order of the file."""
    source = fileobj.read().decode(options.get("encoding", "utf-8"))
    root = yaml.compose(source, Loader=yaml.SafeLoader)
    if root is not None:
        tags = tuple(comment_tags)
        yield from _messages(root, source.splitlines(), tags, set())


def _messages(
    node: yaml.Node, lines: Sequence[str], tags: tuple[str, ...], seen: set[int]
) -> Iterator[Found]:
    # An alias is the same node again: its texts are known, and it may even contain itself.
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _messages(item, lines, tags, seen)
    elif isinstance(node, yaml.MappingNode):
        pairs = [(_key(key), key.start_mark.line, value) for key, value in node.value]
        plural = next((_prose(value) for key, _, value in pairs if key == PLURAL), [])
        for key, line, value in pairs:
            if not isinstance(value, yaml.ScalarNode):
                yield from _messages(value, lines, tags, seen)
            elif key == "text" and plural:
                singular = _prose(value)
                if len(singular) != 1 or len(plural) != 1:
                    raise ValueError(f"line {line + 1}: text and plural must be one paragraph each")
                comments = _comments(lines, line, tags)
                yield line + 1, "texts", (singular[0], plural[0]), comments
            elif key in PROSE:
                for paragraph in _prose(value):
                    yield line + 1, None, paragraph, _comments(lines, line, tags)


def _key(node: yaml.Node) -> str:
    return node.value if isinstance(node, yaml.ScalarNode) else ""


def _prose(node: yaml.Node) -> list[str]:
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str":
        return paragraphs(node.value)
    return []


def _comments(lines: Sequence[str], line: int, tags: tuple[str, ...]) -> list[str]:
    """The tagged comment that ends directly above a line, with the lines that continue it."""
    # YAML nodes do not carry comments, so they are read from the lines themselves.
    above: list[str] = []
    while line > 0 and (comment := lines[line - 1].strip()).startswith("#"):
        above.insert(0, comment.lstrip("#").strip())
        line -= 1
    start = next((i for i, comment in enumerate(above) if tags and comment.startswith(tags)), None)
    return [] if start is None else above[start:]
