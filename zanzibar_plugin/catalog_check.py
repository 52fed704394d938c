"""Faults in the message catalogs, found before a player hears them.

`python -m zanzibar_plugin.catalog_check` prints those of the bundled catalogs.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, unescape

from zanzibar_plugin.catalogs import DOMAIN, template
from zanzibar_plugin.data import LOCALES

_TWO_FORMS = "nplurals=2; plural=(n != 1);"

# Tools disagree on the forms of French, Spanish and Italian: newer ones add one for millions,
# which no count here reaches.  A tool that changes the header would make every plural wrong.
PLURAL_FORMS = {
    "en": _TWO_FORMS,
    "es": _TWO_FORMS,
    "fr": "nplurals=2; plural=(n > 1);",
    "it": _TWO_FORMS,
    "sr": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
        "n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
    ),
}
"""The bundled languages, all in Latin script, and the rule for the plural of each."""

_STRING_LINE = re.compile(r'(?:#~ )?(?:msg\w+(?:\[\d+\])? )?"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
_MARKUP = ("**", "`")


def faults(locales: Path = LOCALES) -> list[str]:
    """The faults of every catalog in a folder, against the template in it."""
    pot = locales / f"{DOMAIN}.pot"
    catalogs = sorted(locales.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    if not catalogs:
        return [f"{locales}: no catalogs"]
    return [fault for po in catalogs for fault in catalog_faults(po, pot)]


def catalog_faults(po: Path, pot: Path) -> list[str]:
    """The faults of one catalog, each with the name of the file and the message."""
    language = po.parent.parent.name
    try:
        wanted = _read(pot)
        source = po.read_bytes().decode()
        found = _read(po)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return [f"{po}: line {line}: not UTF-8"]
    except (OSError, ValueError, LookupError, PoFileError) as error:
        return [f"{po}: cannot be read: {error}"]
    about = [*_header_faults(source, found, language), *_syntax_faults(source)]
    for message in wanted:
        if message.id:
            name = f'"{_msgid(message)}"'
            match = found.get(_msgid(message), message.context)
            about += [f"{name}: {fault}" for fault in _message_faults(message, match, language)]
    for message in found:
        if message.id and wanted.get(_msgid(message), message.context) is None:
            about.append(f'"{_msgid(message)}": stale, not in the template')
    about += [f'"{_msgid(message)}": obsolete' for message in found.obsolete.values()]
    return [f"{po}: {fault}" for fault in about]


def _read(path: Path) -> Catalog:
    with path.open("rb") as lines:
        return read_po(lines, abort_invalid=True)


def _msgid(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _header_faults(source: str, found: Catalog, language: str) -> Iterator[str]:
    # Babel fills in what a header lacks, so it is read from the file itself.
    block = source.lstrip().partition("\n\n")[0].splitlines()
    header = "".join(unescape(line.strip()) for line in block if line.startswith('"'))
    values = dict(line.split(": ", 1) for line in header.splitlines() if ": " in line)
    if found.fuzzy:
        yield "header: fuzzy"
    if values.get("Content-Type", "").lower() != "text/plain; charset=utf-8":
        yield "header: the charset is not UTF-8"
    if values.get("Language") != language:
        yield f"header: the language is not {language}"
    forms = PLURAL_FORMS.get(language)
    if forms and values.get("Plural-Forms") != forms:
        yield f"header: the plural forms are not {forms}"


def _syntax_faults(source: str) -> Iterator[str]:
    # Babel takes the last character of a string for its closing quote, whatever it is.
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() and not line.startswith("#") and not _STRING_LINE.fullmatch(line.strip()):
            yield f"line {number}: not a quoted string"


def _message_faults(wanted: Message, found: Message | None, language: str) -> Iterator[str]:
    forms = _strings(found.string) if found else ()
    if found is None or not any(forms):
        yield "missing"
        return
    if found.fuzzy:
        yield "fuzzy"
    if found.pluralizable != wanted.pluralizable or (wanted.pluralizable and found.id != wanted.id):
        yield "not the plural of the template"
        return
    for number, form in enumerate(forms):
        where = f"form {number}: " if wanted.pluralizable else ""
        reports = _form_faults(wanted, form, language) if form else ["missing"]
        for fault in reports:
            yield where + fault


def _form_faults(wanted: Message, form: str, language: str) -> Iterator[str]:
    sources = _strings(wanted.id)
    names = frozenset[str]().union(*(_names(source) for source in sources))
    translated = template(form)
    if translated is None:
        yield "broken placeholder"
    elif translated.names != names:
        yield f"placeholders {_listed(translated.names)} instead of {_listed(names)}"
    elif wanted.pluralizable and "count" not in names:
        yield "no placeholder {count}"
    if _digits(form) not in [_digits(source) for source in sources]:
        yield "other numbers than the source"
    for mark in _MARKUP:
        if form.count(mark) not in [source.count(mark) for source in sources]:
            yield f"other use of {mark} than in the source"
    yield from _script_faults(form, language)


def _strings(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, tuple) else ()


def _names(sentence: str) -> frozenset[str]:
    cut = template(sentence)
    return cut.names if cut else frozenset()


def _listed(names: frozenset[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "none"


def _digits(sentence: str) -> Counter[str]:
    cut = template(sentence)
    literal = " ".join(part for part, _ in cut.parts) if cut else sentence
    return Counter(re.findall(r"\d+", literal))


def _script_faults(form: str, language: str) -> Iterator[str]:
    for word in _WORD.findall(form):
        names = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        scripts = names.intersection(_SCRIPTS)
        if len(scripts) > 1:
            yield f"mixed scripts in {word}"
        elif language in PLURAL_FORMS and scripts - {"LATIN"}:
            yield f"not Latin script: {word}"


def main() -> int:
    """Print the faults of the bundled catalogs; 1 if there are any."""
    found = faults()
    print("\n".join(found) or "No faults in the catalogs.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
