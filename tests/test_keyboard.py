import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zanzibar_plugin.hosts.keyboard import (
    DIGITS,
    LANGUAGE_LAYOUT,
    LAYOUTS,
    PUTS_BACK,
    RoomKey,
    key_named,
    key_of,
)
from zanzibar_plugin.text import Text

XKB = Path("/usr/share/X11/xkb/symbols")

XKB_LAYOUTS = {
    "us": "us(basic)",
    "uk": "gb(basic)",
    "fr": "fr(basic)",
    "be": "be(basic)",
    "it": "it(basic)",
    "es": "es(basic)",
    "sr": "rs(latin)",
}

KEYSYMS = {
    "ampersand": "&",
    "apostrophe": "'",
    "asciicircum": "^",
    "at": "@",
    "dollar": "$",
    "eacute": "é",
    "exclam": "!",
    "minus": "-",
    "numbersign": "#",
    "parenleft": "(",
    "percent": "%",
    "periodcentered": "·",
    "quotedbl": '"',
    "section": "§",
    "sterling": "£",
    **{digit: digit for digit in DIGITS},
}

LANGUAGES = ["en", "fr", "it", "es", "sr", "de"]
GAME_KEYS = {"enter", "space", "d", "c", "s", "t", "a", "h", *DIGITS, *PUTS_BACK.values()}


def xkb_digit_keys(symbols):
    """The first two levels of the keys AE01 to AE06: a later line of a map wins."""
    file, _, variant = symbols.rstrip(")").partition("(")
    written = re.sub(r"//[^\n]*", "", (XKB / file).read_text(encoding="utf-8"))
    wanted = re.escape(variant) if variant else '[^"]+'
    if not variant:  # an include of a file alone means its default map
        written = written[re.search(r"^\s*default\b", written, re.MULTILINE).start() :]
    body = re.search(rf'xkb_symbols\s+"{wanted}"\s*\{{(.*?)^\s*\}};', written, re.M | re.S)[1]
    keys = {}
    for line in re.finditer(r'include\s+"([^"]+)"|key\s*<AE0([1-6])>\s*\{[^[]*\[([^]]*)\]', body):
        include, key, levels = line.groups()
        if include:
            keys |= xkb_digit_keys(include)
        else:
            keys[key] = [level.strip() for level in levels.split(",")][:2]
    return keys


@pytest.mark.skipif(not XKB.is_dir(), reason="the keyboard tables of xkb-data are not installed")
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_table_is_that_of_xkb(name):
    keys = xkb_digit_keys(XKB_LAYOUTS[name])
    levels = [[KEYSYMS[keys[digit][level]] for digit in DIGITS] for level in (0, 1)]
    assert ["".join(level) for level in levels] == list(LAYOUTS[name])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LAYOUTS)
def test_with_a_keyboard_named_a_key_is_the_physical_key(name, language):
    for digit, alone, shifted in zip(DIGITS, *LAYOUTS[name], strict=True):
        assert key_of(alone, name, language) == digit
        assert key_of(shifted, name, language) == f"shift+{digit}"


@pytest.mark.parametrize("language", [*LANGUAGES, "fr_CA", "sr_Latn", "EN", ""])
def test_without_a_keyboard_a_digit_always_chooses(language):
    assert [key_of(digit, None, language) for digit in DIGITS] == list(DIGITS)


@pytest.mark.parametrize(
    ("language", "shifted"),
    [
        ("en", "!@#$%^"),
        ("it", '!"£$%&'),
        ("es", '!"·$%&'),
        ("sr", '!"#$%&'),
        ("sr_Latn", '!"#$%&'),
        ("de", "!@#$%^"),
    ],
)
def test_without_a_keyboard_the_language_gives_what_puts_back(language, shifted):
    assert [key_of(c, None, language) for c in shifted] == [f"shift+{d}" for d in DIGITS]


def test_every_language_of_a_layout_names_a_layout():
    assert set(LANGUAGE_LAYOUT.values()) <= set(LAYOUTS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("character", "é(-")
def test_the_digit_keys_of_a_french_keyboard_are_answered_with_its_name(character, language):
    hint = key_of(character, None, language)
    assert isinstance(hint, Text)
    assert "--keyboard {keyboard}" in hint.msgid
    assert hint.fields == {"keyboard": "fr"}


@pytest.mark.parametrize("character", "&é\"'(-")
def test_without_a_keyboard_none_of_them_is_a_key_in_french(character):
    assert key_of(character, None, "fr_FR").fields == {"keyboard": "fr"}


@pytest.mark.parametrize(
    ("character", "layout", "language", "keyboard"),
    [
        ("£", None, "en", "uk"),
        ('"', None, "en", "uk"),
        ("&", None, "en", "fr"),
        ("§", None, "fr", "be"),
        ("§", "fr", "fr", "be"),
        ("·", None, "it", "es"),
        ("é", "us", "fr", "fr"),
    ],
)
def test_a_hint_names_a_keyboard_that_has_the_character(character, layout, language, keyboard):
    assert key_of(character, layout, language).fields == {"keyboard": keyboard}


@pytest.mark.parametrize("layout", [None, *LAYOUTS])
@pytest.mark.parametrize(
    "character", ["１", "²", "①", "१", "٢", "0", "7", "9", "b", "y", "ſ", "", "12", "&é", "\ufffd"]
)
def test_other_characters_are_no_keys(character, layout):
    assert key_of(character, layout, "fr") is None


@pytest.mark.parametrize("layout", [None, *LAYOUTS])
def test_keys_that_are_the_same_on_every_keyboard(layout):
    for letter in "dcstah":
        assert key_of(letter, layout, "it") == key_of(letter.upper(), layout, "it") == letter
    assert key_of("\r", layout, "it") == key_of("\n", layout, "it") == "enter"
    assert key_of(" ", layout, "it") == "space"
    assert key_of("?", layout, "it") is RoomKey.HELP
    assert key_of("R", layout, "it") is RoomKey.REPEAT
    assert key_of("q", layout, "it") is RoomKey.LEAVE
    assert key_of("x", layout, "it") is RoomKey.PUT_BACK


@pytest.mark.parametrize("e_acute", ["é", "e\u0301", "É", "E\u0301"])
def test_a_composed_and_a_decomposed_character_are_the_same(e_acute):
    assert key_of(e_acute, "fr", "fr") == key_named(e_acute, "fr", "fr") == "2"


@pytest.mark.parametrize("layout", [None, *LAYOUTS])
@pytest.mark.parametrize("digit", DIGITS)
def test_a_line_names_a_key_whatever_the_keyboard(digit, layout):
    assert key_named(digit, layout, "fr") == digit
    for line in (f"shift+{digit}", f"Shift + {digit}", f"x{digit}", f" X {digit}\r"):
        assert key_named(line, layout, "fr") == f"shift+{digit}"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_line_may_hold_the_character_of_the_named_keyboard(layout):
    for digit, alone, shifted in zip(DIGITS, *LAYOUTS[layout], strict=True):
        assert key_named(alone, layout, "en") == digit
        assert key_named(shifted, layout, "en") == (digit if shifted == digit else f"shift+{digit}")
        assert key_named(f"x{alone}", layout, "en") == f"shift+{digit}"
        assert key_named(f"x {shifted}", layout, "en") == f"shift+{digit}"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("", "enter"),
        ("\r", "enter"),
        ("   ", "enter"),
        ("\ufeff1", "1"),
        ("Enter", "enter"),
        (" SPACE ", "space"),
        ("D", "d"),
        ("h", "h"),
        ("?", RoomKey.HELP),
        ("x", RoomKey.PUT_BACK),
    ],
)
def test_names_in_lines(line, key):
    assert key_named(line, None, "en") == key


@pytest.mark.parametrize("layout", [None, "us", "fr"])
@pytest.mark.parametrize(
    "line",
    ['&é"', "1 3", "13", "１", "²", "x²", "xx", "xd", "x7", "shift+7", "shift", "shift+", "\x1c"],
)
def test_lines_that_are_no_key(line, layout):
    assert key_named(line, layout, "fr") is None


@given(
    st.text(max_size=3),
    st.sampled_from([None, *LAYOUTS]),
    st.one_of(st.sampled_from(LANGUAGES), st.text(max_size=3)),
)
def test_any_text_is_a_key_or_a_hint_or_nothing(written, layout, language):
    for key in (key_of(written, layout, language), key_named(written, layout, language)):
        assert key is None or isinstance(key, (RoomKey, Text)) or key in GAME_KEYS
    decomposed = unicodedata.normalize("NFD", written)
    assert key_of(decomposed, layout, language) == key_of(written, layout, language)
