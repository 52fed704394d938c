"""Where the bundled catalogs and rules files are."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _bundled(name: str) -> Path:
    """A data folder: inside the package once installed, beside it in a checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


LOCALES = _bundled("locales")
"""The folder of the bundled message catalogs."""

RULES = _bundled("rules")
"""The folder of the bundled rules files."""
