"""The paragraphs of a rules text, each of which is one message.

Whoever collects the messages and whoever says them must cut a text in the same way, or the
translation would not be found: both call this.
"""

import re

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n")


def paragraphs(text: str) -> list[str]:
    """The paragraphs between blank lines, every run of white space in them made one space."""
    collapsed = (" ".join(part.split()) for part in _BLANK_LINES.split(text))
    return [paragraph for paragraph in collapsed if paragraph]
