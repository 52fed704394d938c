"""Build hook: makes the binary catalogs that go into a wheel.

It runs outside the package, in an environment that has only the build requirements.
"""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogs(BuildHookInterface[BuilderConfig]):
    """Compiles every catalog for the time of the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write a `.mo` beside each `.po`; an editable install reads the `.po` itself."""
        self._made: list[Path] = []
        if version == "editable":
            return
        for source in sorted(Path(self.root, "locales").glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as lines:
                # Otherwise a syntax error would silently drop the rest of its message.
                catalog = read_po(lines, abort_invalid=True)
            for message in catalog:
                if message.pluralizable and not all(message.string or ()):
                    message.string = ""  # half a plural is not a translation
            target = source.with_suffix(".mo")
            self._made.append(target)
            with target.open("wb") as binary:
                write_mo(binary, catalog)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave no binary catalog in the source tree."""
        for made in self._made:
            made.unlink(missing_ok=True)
