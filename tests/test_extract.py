"""The texts of a rules file are found, and nothing else in it."""

from io import BytesIO

import pytest
from babel.messages.extract import extract as babel_extract

from zanzibar_plugin.extract import PROSE, extract
from zanzibar_plugin.paragraphs import paragraphs

RULES = """\
# L10N: The name of the game,
# as in a list.
name: Zanzibar
id: "421"
summary: 421
title:
  - text: Nested é.
    label: 'A: label'
options:
  tokens:
    # Not for translators.
    label: Tokens

    # L10N: Spoken.
    help: |
      One
      paragraph.

      Another   one.
    default: medium
    text: ""
  yes: {help: "Flow.", name: [a, {text: b}]}
help:
  - when: rules
    # An internal note.
    # L10N: A count.
    text: "{count} token is
      taken."
    plural: |
      {count} tokens are
      taken.
"""


def found(source: str, tags: tuple[str, ...] = ("L10N:",)) -> list[tuple]:
    return list(extract(BytesIO(source.encode()), {}, tags, {}))


def test_values_of_prose_keys_only():
    assert [(line, message) for line, _, message, _ in found(RULES)] == [
        (3, "Zanzibar"),
        (7, "Nested é."),
        (8, "A: label"),
        (12, "Tokens"),
        (15, "One paragraph."),
        (15, "Another one."),
        (22, "Flow."),
        (22, "b"),
        (27, ("{count} token is taken.", "{count} tokens are taken.")),
    ]
    assert [keyword for _, keyword, _, _ in found(RULES)] == [None] * 8 + ["texts"]


def test_comments_for_translators():
    comments = {line: comment for line, _, _, comment in found(RULES)}
    assert {line: comment for line, comment in comments.items() if comment} == {
        3: ["L10N: The name of the game,", "as in a list."],
        15: ["L10N: Spoken."],
        27: ["L10N: A count."],
    }
    assert all(not comment for *_, comment in found(RULES, ()))


def test_babel_accepts_what_is_found():
    method = "zanzibar_plugin.extract:extract"
    keywords = {"text": None, "texts": (1, 2)}
    messages = babel_extract(method, BytesIO(RULES.encode()), keywords, ["L10N:"])
    assert [message for _, message, _, _ in messages] == [m for _, _, m, _ in found(RULES)]


def test_a_plural_of_several_paragraphs_is_refused():
    with pytest.raises(ValueError, match="line 1: text and plural must be one paragraph each"):
        found('text: "a\n\n\n  b"\nplural: c\n')


def test_every_prose_key():
    source = "".join(f"{key}: The {key}.\n" for key in sorted(PROSE))
    assert [message for _, _, message, _ in found(source)] == [f"The {k}." for k in sorted(PROSE)]


@pytest.mark.parametrize("source", ["", "# only\n", "- a\n- 1\n", "plain\n", "? [a, b]\n: c\n"])
def test_files_without_texts(source):
    assert found(source) == []


def test_an_alias_is_found_once_and_may_contain_itself():
    assert [m for _, _, m, _ in found("a: &x {text: b, help: *x}\nc: *x\n")] == ["b"]


def test_paragraphs():
    assert paragraphs(" a\n b\t c \n \t\n\n\nd\n") == ["a b c", "d"]
    assert paragraphs(" \n\n ") == []
    assert paragraphs("a\r\n\r\nb") == ["a", "b"]
