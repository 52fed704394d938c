"""Sentences in the language of each listener.

A translation is data from elsewhere: a host may bring its own, and any of them may be damaged.
Nothing in a catalog can make `Catalog.say` fail; whatever cannot be used is replaced by the next
best, which in the end is the English source sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

from zanzibar_plugin.data import LOCALES
from zanzibar_plugin.text import Dice, Field, Listing, Text, Words

if TYPE_CHECKING:
    # Babel takes longer to import than all of the rest: it is imported where it is first needed.
    from babel import Locale

DOMAIN = "zanzibar"
"""The name of our catalogs, without `.po` or `.mo`."""

SOURCE_LANGUAGE = "en"

_CLDR_LOCALES = {"sr": "sr_Latn"}
_SCRIPTS_OF_MODIFIERS = {"latin": "Latn", "cyrillic": "Cyrl"}
_REPLACED_LANGUAGES = {"sh": "sr"}
_LONGEST_TAG = 80
_REMEMBERED = 16384  # sentences: several times those of all bundled catalogs
_SOUNDS_LIKE_I = re.compile(r"h?[iíy](?![aeoáéó])", re.IGNORECASE)
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?P<rest>([_-][a-z0-9]{1,8})*)"
    r"(\.(?P<charset>[a-z0-9_-]+))?(@(?P<modifier>[a-z0-9]+))?",
    re.ASCII | re.IGNORECASE,
)


class Template(NamedTuple):
    """A sentence cut at its placeholders: a literal part and the name that follows, if any."""

    parts: tuple[tuple[str, str], ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the placeholders."""
        return frozenset(name for _, name in self.parts if name)


@lru_cache(maxsize=_REMEMBERED)
def template(sentence: str) -> Template | None:
    """Cut a sentence, or None if its braces hold anything but plain names."""
    parts = []
    try:
        for literal, name, spec, conversion in Formatter().parse(sentence):
            if name is not None and (spec or conversion or not name.isidentifier()):
                return None
            parts.append((literal, name or ""))
    except ValueError:
        return None
    return Template(tuple(parts))


class _Absent(NullTranslations):
    """Ends the search in one catalog, so that a missing message can be told from one that is
    translated by the same words.
    """

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""


class Catalog:
    """The words of one language.

    `language` is the name we know it by, and `locale` the one CLDR knows it by.  `layers` are the
    loaded catalogs in which a sentence is looked for, one after the other.
    """

    def __init__(self, language: str, layers: Sequence[GNUTranslations] = ()) -> None:
        self.language = language
        # Without words of its own it speaks English, and should then join lists in English too.
        self.locale = _CLDR_LOCALES.get(language, language) if layers else SOURCE_LANGUAGE
        self._layers = tuple(layers)
        for layer in self._layers:
            layer.add_fallback(_Absent())
        self._template = lru_cache(maxsize=_REMEMBERED)(self._find_template)

    def say(self, value: Field) -> str:
        """Turn a sentence, or whatever else may stand in one, into words."""
        if isinstance(value, Text):
            return self._sentence(value)
        if isinstance(value, str):
            return value
        if isinstance(value, Words):
            return self._own(value.by_language)
        if isinstance(value, Dice):
            return _one_by_one(value.faces)
        if isinstance(value, Listing):
            return self._join([self.say(item) for item in value.items])
        return str(value)

    def _own(self, words: Mapping[str, str]) -> str:
        """Somebody's own words: in this language, else in English, else in the first there is."""
        for name in (*_shorter(_key(self.language)), SOURCE_LANGUAGE):
            for language, said in words.items():
                if _key(language) == name:
                    return said
        return next(iter(words.values()), "")

    def _sentence(self, text: Text) -> str:
        fields = text.fields
        said = []
        count = text.count if text.plural else 0
        for literal, name in self._template(text.msgid, text.plural, count).parts:
            said.append(literal)
            if name:
                value = fields.get(name, f"{{{name}}}")
                said.append(value if isinstance(value, str) else self.say(value))
        return "".join(said)

    def knows(self, msgid: str) -> bool:
        """Whether there are words for this sentence other than the English source."""
        return any(self._look_up(layer, msgid) for layer in self._layers)

    def _find_template(self, msgid: str, plural: str, count: int) -> Template:
        for layer in self._layers:
            if (form := self._look_up(layer, msgid, plural, count)) and (
                usable := _usable(msgid, plural, form)
            ):
                return usable
        source = plural if plural and count != 1 else msgid
        return template(source) or Template(((source, ""),))

    @staticmethod
    def _look_up(layer: GNUTranslations, msgid: str, plural: str = "", count: int = 0) -> str:
        if not msgid:  # the key of the header
            return ""
        try:
            return layer.ngettext(msgid, plural, count) if plural else layer.gettext(msgid)
        except (ArithmeticError, ValueError):  # a plural rule may divide by zero
            return ""

    def _join(self, items: list[str]) -> str:
        from babel.lists import format_list

        joined = format_list(items, locale=self._cldr)
        if self.language.startswith("es") and len(items) > 1 and _SOUNDS_LIKE_I.match(items[-1]):
            # Spanish says "Ana e Inés"; list patterns know only "y".
            joined = f"{joined.removesuffix(f'y {items[-1]}')}e {items[-1]}"
        return joined

    @cached_property
    def _cldr(self) -> Locale:
        from babel import Locale, UnknownLocaleError

        for name in _shorter(_key(self.locale)):
            with suppress(UnknownLocaleError, ValueError):
                return Locale.parse(name)
        return Locale.parse("root")


@lru_cache(maxsize=_REMEMBERED)
def _one_by_one(faces: tuple[int, ...]) -> str:
    return ", ".join(map(str, faces))


@lru_cache(maxsize=_REMEMBERED)
def _usable(msgid: str, plural: str, form: str) -> Template | None:
    """The template of a translation, if it has just the placeholders of the source."""
    source = [template(sentence) for sentence in (msgid, plural) if sentence]
    names = frozenset[str]().union(*(found.names for found in source if found))
    translated = template(form)
    return translated if translated and translated.names == names else None


class _Known(NamedTuple):
    """One language that has a folder: its spelling and its folders, the preferred one first."""

    spelling: str
    folders: list[Path]


class Catalogs:
    """The bundled catalogs and those of the host.

    Each of `folders` is laid out like ours, `<language>/LC_MESSAGES/zanzibar.po` or `.mo`.  It
    can add languages, and for a language we have, its sentences come before ours; the last folder
    comes before the others.  A catalog is loaded when it is first asked for; `problems` then says
    which file could not be used, and why.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.problems: list[str] = []
        self._known: dict[str, _Known] = {}
        self._catalogs: dict[str, Catalog] = {}
        self._layers: dict[Path, GNUTranslations | None] = {}
        for root in (LOCALES, *folders):
            self.add_folder(root)
        if SOURCE_LANGUAGE not in self._known:
            self._known[SOURCE_LANGUAGE] = _Known(SOURCE_LANGUAGE, [])

    def add_folder(self, root: Path) -> None:
        """Have the catalogs of one more folder, before those there are; twice is as once."""
        for folder in self._language_folders(root):
            # Ours comes first and so decides the spelling; it stays behind the others.
            known = self._known.setdefault(_key(folder.name), _Known(folder.name, []))
            if folder not in known.folders:
                known.folders.insert(0, folder)
        self._catalogs.clear()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are."""
        return tuple(sorted(known.spelling for known in self._known.values()))

    def negotiate(self, tag: str | None) -> str:
        """The language we have that is nearest to a tag such as `fr-CA` or `sr_RS.UTF-8@latin`.

        Parts are dropped from the right until there is such a language, so a Serbian tag of
        either script is `sr` until there is an `sr_Cyrl`.  What we cannot serve is English.
        """
        for key in _shorter(_key(tag)):
            if key in self._known:
                return self._known[key].spelling
        return SOURCE_LANGUAGE

    def catalog(self, tag: str | None) -> Catalog:
        """The catalog of the nearest language."""
        if tag is not None and tag in self._catalogs:  # the language's own spelling
            return self._catalogs[tag]
        language = self.negotiate(tag)
        if language not in self._catalogs:
            layers = [
                layer
                for folder in self._folders(language)
                if (layer := self._layer(folder)) is not None
            ]
            self._catalogs[language] = Catalog(language, layers)
        return self._catalogs[language]

    def _language_folders(self, root: Path) -> list[Path]:
        try:
            return sorted(
                folder
                for folder in root.iterdir()
                if _key(folder.name) and any(_exists(path) for path in _files(folder))
            )
        except OSError as error:
            self.problems.append(f"{root}: {error.strerror or error}")
            return []

    def _folders(self, language: str) -> Iterable[Path]:
        """The folders to look in, also those of the wider language where the script is the same:
        what `fr_CA` does not say, `fr` does.
        """
        first = _key(language)
        for key in _shorter(first):
            if _script(key) == _script(first) and key in self._known:
                yield from self._known[key].folders

    def _layer(self, folder: Path) -> GNUTranslations | None:
        if folder not in self._layers:
            path = next(path for path in _files(folder) if _exists(path))
            try:
                self._layers[folder] = _load(path)
            # Whatever is wrong with a file from elsewhere, the game must go on.
            except Exception as error:
                self.problems.append(f"{path}: {_reason(error, path)}")
                self._layers[folder] = None
        return self._layers[folder]


def _key(tag: str | None) -> str:
    """A tag in the form in which tags are compared, or "" if it is none."""
    if not isinstance(tag, str) or len(tag) > _LONGEST_TAG or not (match := _TAG.fullmatch(tag)):
        return ""
    language = match["language"].lower()
    parts = match["rest"].replace("-", "_").split("_")[1:]
    if script := _SCRIPTS_OF_MODIFIERS.get((match["modifier"] or "").lower()):
        parts.insert(0, script)
    return "_".join([_REPLACED_LANGUAGES.get(language, language), *parts]).lower()


def _shorter(key: str) -> Iterable[str]:
    """The key, and what is left of it while parts are dropped from the right."""
    while key:
        yield key
        key = key.rpartition("_")[0]


def _script(key: str) -> str:
    """The script a key stands for, or "" for the only or usual one of the language."""
    language, _, rest = key.partition("_")
    first = rest.partition("_")[0]
    if len(first) == 4 and first.isalpha():
        return first
    return _CLDR_LOCALES.get(language, "").partition("_")[2].lower()


def _files(folder: Path) -> tuple[Path, Path]:
    # Only a checkout or a translator has the `.po`, and then it is what was edited last.
    messages = folder / "LC_MESSAGES"
    return messages / f"{DOMAIN}.po", messages / f"{DOMAIN}.mo"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True  # there is something, and loading it will tell what is wrong with it


def _load(path: Path) -> GNUTranslations:
    if path.exists() and not path.is_file():
        # Opening a pipe would wait for ever.
        raise OSError("not a file")
    with path.open("rb") as file:
        if path.suffix == ".mo":
            return GNUTranslations(file)

        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        catalog = read_po(file, abort_invalid=True)
    for message in catalog:
        if message.pluralizable and not all(message.string or ()):
            message.string = ""  # half a plural is not a translation
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)


def _reason(error: Exception, path: Path) -> str:
    if isinstance(error, UnicodeDecodeError) and path.suffix == ".po":
        line = path.read_bytes().partition(error.object)[0].count(b"\n") + 1
        return f"line {line}: not {error.encoding} text"
    if (number := getattr(error, "lineno", None)) is not None:  # counted from 0
        return f"line {number + 1}: {str(error).removesuffix(f' on {number}')}"
    if isinstance(error, OSError):
        return str(error.strerror or error)
    return f"{type(error).__name__}: {error}"
