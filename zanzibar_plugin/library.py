"""The rules files at hand, each loaded when it is first asked for; a faulty one hides no other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zanzibar_plugin.data import RULES
from zanzibar_plugin.document import DocumentError
from zanzibar_plugin.ruleset import Ruleset
from zanzibar_plugin.schema import load


class Library:
    """All rulesets of some folders, by default the bundled one.

    `problems` holds the fault of each file that could not be loaded.
    """

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        self._folders = [RULES] if folders is None else list(folders)
        self._loaded: dict[str, Ruleset] | None = None
        self.problems: list[DocumentError] = []

    def rulesets(self) -> tuple[Ruleset, ...]:
        """All rulesets, in the order of their files' names."""
        return tuple(self._all().values())

    def find(self, name: str) -> Ruleset | None:
        """The ruleset with this id, or None."""
        return self._all().get(name)

    def add(self, ruleset: Ruleset) -> None:
        """Have one more ruleset, in place of another with its id."""
        self._all()[ruleset.id] = ruleset

    def _all(self) -> dict[str, Ruleset]:
        if self._loaded is None:
            self._loaded = {}
            for place in self._folders:
                for file in sorted(place.glob("*.yaml")):
                    try:
                        ruleset = load(file)
                    except DocumentError as fault:
                        self.problems.append(fault)
                    else:
                        self._loaded.setdefault(ruleset.id, ruleset)
        return self._loaded
