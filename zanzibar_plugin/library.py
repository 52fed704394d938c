"""The rules files at hand, each laid over its base; a faulty one hides no other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zanzibar_plugin.data import RULES
from zanzibar_plugin.document import DocumentError, Node, merge, node_at, read_file
from zanzibar_plugin.grammar import VARIANT
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import parse
from zanzibar_plugin.shapes import refuse
from zanzibar_plugin.text import text


class Library:
    """All rulesets of the bundled folder and of `folders`, loaded when first asked for.

    `problems` holds the fault of each file that could not be loaded.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = [RULES, *folders]
        self._loaded: dict[str, Ruleset] | None = None
        self._early: dict[str, Ruleset] = {}
        self.problems: list[DocumentError] = []

    def rulesets(self) -> tuple[Ruleset, ...]:
        """All rulesets: each game that has no base, followed by its variants."""
        every = self._all().values()
        roots = [ruleset for ruleset in every if not ruleset.base]
        ordered: list[Ruleset] = []
        for root in roots:
            ordered += [root, *(r for r in every if r.base and self._root(r) is root)]
        return tuple(ordered)

    def find(self, name: str) -> Ruleset | None:
        """The ruleset with this id, or None."""
        if self._loaded is None and len(self._folders) == 1:
            return self._bundled(name) or self._all().get(name)
        return self._all().get(name)

    def _bundled(self, name: str) -> Ruleset | None:
        """One of our own files, which are named like their ids, loaded without all the others."""
        if name not in self._early and name in {file.stem for file in RULES.glob("*.yaml")}:
            try:
                self._early[name] = self.load(RULES / f"{name}.yaml")
            except DocumentError:
                return None  # told when all are loaded
        return self._early.get(name)

    def variants(self, name: str) -> tuple[Ruleset, ...]:
        """A game and all that are variants of the same one, the game without a base first."""
        ruleset = self._all().get(name)
        if ruleset is None:
            return ()
        root = self._root(ruleset)
        return tuple(other for other in self.rulesets() if self._root(other) is root)

    def load(self, file: Path) -> Ruleset:
        """The ruleset of a file that need not be in a folder.  Raises `DocumentError`."""
        return self._parsed(read_file(file), str(file))

    def add_folder(self, folder: Path) -> None:
        """Have the rulesets of one more folder, such as a host's house rules; twice is as once."""
        if folder in self._folders:
            return
        self._folders.append(folder)
        if self._loaded is not None:
            self._load(folder, self._loaded)

    def add(self, ruleset: Ruleset) -> None:
        """Have one more ruleset, in place of another with its id."""
        self._all()[ruleset.id] = ruleset

    def _all(self) -> dict[str, Ruleset]:
        if self._loaded is None:
            self._loaded = {}
            for folder in self._folders:
                self._load(folder, self._loaded)
        return self._loaded

    def _load(self, folder: Path, loaded: dict[str, Ruleset]) -> None:
        """Load a folder's files, those without a base first, then as bases become known."""
        waiting: list[tuple[Path, Node]] = []
        if not folder.is_dir():
            problem = text("There is no such folder.")
            self.problems.append(DocumentError(str(folder), 0, problem))
        for file in sorted((*folder.glob("*.yaml"), *folder.glob("*.yml"))):
            try:
                waiting.append((file, read_file(file)))
            except DocumentError as fault:
                self.problems.append(fault)
        while waiting:
            ready = [one for one in waiting if _base_of(one[1]) in ("", *loaded)]
            for file, document in ready or waiting:
                try:
                    ruleset = self._parsed(document, str(file))
                    _not_twice(ruleset, loaded)
                except DocumentError as fault:
                    self.problems.append(fault)
                else:
                    loaded[ruleset.id] = ruleset
            waiting = [one for one in waiting if ready and one not in ready]

    def _parsed(self, document: Node, file: str) -> Ruleset:
        if not _is_variant(document):
            return parse(document, file)
        VARIANT.read(document, "")
        assert isinstance(document.value, dict)
        base = _base_of(document)
        # A file is never its own base, not even in a circle of several.
        own_id = document.value.get("id")
        found = None if own_id is not None and own_id.value == base else self.find(base)
        if found is None:
            problem = text(
                "There is no game {name} to be the base, or it has a fault itself.", name=base[:40]
            )
            refuse(document.value["base"], problem)
        own = {name: node for name, node in document.value.items() if name != "base"}
        changes = Node(own, document.line, document.key_lines, document.file)
        merged = merge(_inherited(found.document), changes)
        return parse(_followed(merged, changes), file, base)

    def _root(self, ruleset: Ruleset) -> Ruleset:
        seen: set[str] = set()
        # A ruleset put in place of another one may close a circle.
        while ruleset.base and ruleset.id not in seen:
            seen.add(ruleset.id)
            ruleset = self._all()[ruleset.base]
        return ruleset


def _followed(document: Node, changes: Node) -> Node:
    """The document with the default of each number option as a variant sets its field.

    Otherwise the option of the base would silently undo what the variant says.
    """
    options = node_at(document, ("options",)).value
    for name in options if isinstance(options, dict) else ():
        path = node_at(document, ("options", name, "sets")).value
        field = node_at(changes, tuple(path.split("."))) if isinstance(path, str) else None
        said = node_at(changes, ("options", name, "default")).value
        if field is not None and isinstance(field.value, int) and said == {}:
            line, place = field.line, field.file
            option = Node({"default": field}, line, {"default": line}, place)
            options_ = Node({name: option}, line, {name: line}, place)
            document = merge(document, Node({"options": options_}, line, {"options": line}, place))
    return document


def _is_variant(document: Node) -> bool:
    base = document.value.get("base") if isinstance(document.value, dict) else None
    return base is not None and base.value is not None


def _base_of(document: Node) -> str:
    """The id of the base a file names; "" if it has none or something wrong (told later)."""
    base = document.value.get("base") if isinstance(document.value, dict) else None
    return base.value.strip() if base is not None and isinstance(base.value, str) else ""


def _inherited(document: Node) -> Node:
    """What a variant takes over from its base: not what is said of the base alone."""
    assert isinstance(document.value, dict)
    own = ("note", "own_game", "region", "source", "summary")
    kept = {name: node for name, node in document.value.items() if name not in own}
    return Node(kept, document.line, document.key_lines, document.file)


def _not_twice(ruleset: Ruleset, loaded: dict[str, Ruleset]) -> None:
    other = loaded.get(ruleset.id)
    if other is not None:
        problem = text(
            "The id {id} belongs to another file already: {file}.", id=ruleset.id, file=other.file
        )
        assert isinstance(ruleset.document.value, dict)
        refuse(ruleset.document.value["id"], problem)
