"""How a fault of a file is told: its place, and a sentence."""

from __future__ import annotations

from zanzibar_plugin.document import DocumentError
from zanzibar_plugin.text import Text, text


def told(fault: DocumentError) -> Text:
    """A fault of a file with its place."""
    if not fault.line:
        # L10N: {problem} is a whole sentence.
        return text("{file}: {problem}", file=fault.file, problem=fault.problem)
    # L10N: {problem} is a whole sentence.
    return text(
        "{file}, line {line}: {problem}", file=fault.file, line=fault.line, problem=fault.problem
    )
