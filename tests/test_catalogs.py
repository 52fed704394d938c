"""Sentences come out in the listener's language, and no catalog can prevent it."""

import errno
import os
from pathlib import Path

import pytest

from zanzibar_plugin import catalogs as module
from zanzibar_plugin.catalogs import Catalog, Catalogs
from zanzibar_plugin.text import Dice, Listing, text, texts

FRENCH = "nplurals=2; plural=(n > 1);"


def write_po(root: Path, language: str, body: str, plural: str = FRENCH) -> Path:
    path = root / language / "LC_MESSAGES" / "zanzibar.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        f'"Plural-Forms: {plural}\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    )
    path.write_text(header + body, encoding="utf-8")
    return path


def entry(msgid: str, *forms: str, plural: str = "", flags: str = "") -> str:
    lines = [f"#, {flags}"] if flags else []
    lines.append(f'msgid "{msgid}"')
    if plural:
        lines.append(f'msgid_plural "{plural}"')
        lines += [f'msgstr[{i}] "{form}"' for i, form in enumerate(forms)]
    else:
        lines.append(f'msgstr "{forms[0]}"')
    return "\n".join(lines) + "\n\n"


@pytest.fixture
def bundled(tmp_path, monkeypatch):
    """A folder that stands for the bundled catalogs."""
    root = tmp_path / "bundled"
    root.mkdir()
    monkeypatch.setattr(module, "LOCALES", root)
    return root


WINS = text("{who} wins.", who="Ana")


@pytest.mark.parametrize("language", ["en", "es", "fr", "it", "sr"])
def test_fields_of_every_kind(language):
    say = Catalogs().catalog(language).say
    assert say(text("<{a}|{b}|{c}>", a="{b} é", b=12345, c=Dice((4, 2, 1)))) == (
        "<{b} é|12345|4, 2, 1>"
    )
    assert say(text("<{a}>", a=text("<{b}>", b=text("<{c}>", c=-3)))) == "<<<-3>>>"


@pytest.mark.parametrize(
    ("language", "joined"),
    [
        ("en", "a, b, and c"),
        ("es", "a, b y c"),
        ("fr", "a, b et c"),
        ("it", "a, b e c"),
        ("sr", "a, b i c"),
    ],
)
def test_lists_are_joined_as_the_language_does(language, joined):
    say = Catalogs().catalog(language).say
    assert say(text("<{all}>", all=Listing(("a", text("b"), "c")))) == f"<{joined}>"
    assert say(text("<{all}>", all=Listing(("{0}",)))) == "<{0}>"
    assert say(text("<{all}>", all=Listing(()))) == "<>"


def test_translation_and_plural(bundled):
    write_po(
        bundled,
        "fr",
        entry("{who} wins.", "{who} gagne.")
        + entry("{count} token", "{count} jeton", "{count} jetons", plural="{count} tokens"),
    )
    catalog = Catalogs().catalog("fr")
    assert catalog.say(WINS) == "Ana gagne."
    said = [catalog.say(texts("{count} token", "{count} tokens", n)) for n in (0, 1, 2, 21)]
    assert said == ["0 jeton", "1 jeton", "2 jetons", "21 jetons"]
    assert catalog.knows("{who} wins.")
    assert catalog.knows("{count} token")
    assert not catalog.knows("Another sentence.")


def test_english_plural_without_a_catalog():
    say = Catalog("en").say
    assert say(texts("{count} token", "{count} tokens", 1)) == "1 token"
    assert say(texts("{count} token", "{count} tokens", 0)) == "0 tokens"


def test_the_empty_sentence_is_not_the_header(bundled):
    write_po(bundled, "fr", "")
    assert Catalogs().catalog("fr").say(text("")) == ""
    assert not Catalogs().catalog("fr").knows("")


@pytest.mark.parametrize(
    "form",
    [
        "gagne.",
        "{qui} gagne.",
        "{who} {more} gagne.",
        "{who gagne.",
        "who} gagne.",
        "{who!r} gagne.",
        "{who:>9} gagne.",
        "{who.__class__} gagne.",
        "{0.__class__} gagne.",
        "{0} gagne.",
        "{} gagne.",
        "{who[0]} gagne.",
    ],
)
def test_wrong_placeholders_give_english(bundled, form):
    write_po(bundled, "fr", entry("{who} wins.", form))
    assert Catalogs().catalog("fr").say(WINS) == "Ana wins."


@pytest.mark.parametrize(
    "body",
    [
        entry("{who} wins.", ""),
        entry("{who} wins.", "{who} perd.", flags="fuzzy"),
        "".join(f"#~ {line}\n" for line in entry("{who} wins.", "{who} perd.").split("\n") if line),
    ],
)
def test_what_is_not_translated_is_english(bundled, body):
    write_po(bundled, "fr", body)
    assert Catalogs().catalog("fr").say(WINS) == "Ana wins."


def test_half_a_plural_is_english_for_every_number(bundled):
    write_po(bundled, "fr", entry("{count} token", "{count} jeton", plural="{count} tokens"))
    catalog = Catalogs().catalog("fr")
    said = [catalog.say(texts("{count} token", "{count} tokens", n)) for n in (1, 2)]
    assert said == ["1 token", "2 tokens"]


def test_percent_signs_and_doubled_braces_are_literal(bundled):
    write_po(bundled, "fr", entry("100% {who} {{x}}", "{who} : 100 % {{x}} %(a)s"))
    assert Catalogs().catalog("fr").say(text("100% {who} {{x}}", who="Ana")) == (
        "Ana : 100 % {x} %(a)s"
    )


def test_a_source_that_cannot_be_cut_is_said_as_it_is():
    assert Catalog("en").say(text("{broken", broken=1)) == "{broken"
    assert Catalog("en").say(text("No {such} field.")) == "No {such} field."


# Languages


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("sr", "sr"),
        ("sr_RS", "sr"),
        ("sr-Latn-RS", "sr"),
        ("sr_Latn_RS", "sr"),
        ("sr@latin", "sr"),
        ("sr_RS.UTF-8@latin", "sr"),
        ("sr_Cyrl", "sr"),
        ("sr-Cyrl-RS", "sr"),
        ("sr_RS@cyrillic", "sr"),
        ("sr_ME", "sr"),
        ("SR", "sr"),
        ("sh", "sr"),
        ("sh_BA.utf8", "sr"),
        ("fr", "fr"),
        ("fr_CA", "fr"),
        ("fr-CA", "fr"),
        ("FR_ca", "fr"),
        ("fr_FR.UTF-8", "fr"),
        ("fr_BE.ISO-8859-15@euro", "fr"),
        ("fr-CA-u-nu-latn", "fr"),
        ("it_CH", "it"),
        ("es-419", "es"),
        ("en_GB", "en"),
        ("de_DE", "en"),
        ("frx", "en"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("", "en"),
        (None, "en"),
        (421, "en"),
        ("x" * 10_000, "en"),
        ("fr" + "_FR" * 3_000, "en"),
        ("fr\0", "en"),
        ("fr\n", "en"),
        ("../fr", "en"),
        ("fr/../it", "en"),
        ("_", "en"),
        ("ſr", "en"),
        ("💥", "en"),
    ],
)
def test_negotiation(tag, language):
    catalogs = Catalogs()
    assert catalogs.negotiate(tag) == language
    assert catalogs.catalog(tag).language == language


def test_languages_and_their_lists():
    catalogs = Catalogs()
    assert catalogs.languages == ("en", "es", "fr", "it", "sr")
    assert catalogs.catalog("sr_RS").locale == "sr_Latn"
    assert catalogs.catalog("sr") is catalogs.catalog("sh")
    assert catalogs.problems == []


def test_folders_that_are_no_languages_are_ignored(bundled):
    write_po(bundled, "fr", "")
    for name in ("README", "not a tag", "..fr", "fr.bak", "x"):
        write_po(bundled, name, "")
    (bundled / "de").mkdir()
    (bundled / "zanzibar.pot").write_text("")
    catalogs = Catalogs()
    assert catalogs.languages == ("en", "fr")
    assert catalogs.problems == []


# The catalogs of a host


def test_a_host_adds_a_language_and_overrides_a_message(bundled, tmp_path):
    write_po(bundled, "fr", entry("{who} wins.", "{who} gagne.") + entry("Draw.", "Égalité."))
    host = tmp_path / "host"
    write_po(host, "fr", entry("{who} wins.", "{who} remporte la partie."))
    write_po(host, "pt_BR", entry("Draw.", "Empate."))
    catalogs = Catalogs([host])
    assert catalogs.languages == ("en", "fr", "pt_BR")
    french = catalogs.catalog("fr")
    assert french.say(WINS) == "Ana remporte la partie."
    assert french.say(text("Draw.")) == "Égalité."
    assert catalogs.negotiate("pt-br") == "pt_BR"
    assert catalogs.catalog("pt-br").say(text("Draw.")) == "Empate."
    assert catalogs.catalog("pt-br").say(WINS) == "Ana wins."
    assert catalogs.catalog("pt-br").say(text("{a}", a=Listing(("a", "b")))) == "a e b"


def test_a_wrong_message_of_the_host_does_not_hide_ours(bundled, tmp_path):
    write_po(bundled, "fr", entry("{who} wins.", "{who} gagne."))
    write_po(tmp_path / "host", "FR", entry("{who} wins.", "{qui} gagne."))
    catalogs = Catalogs([tmp_path / "host"])
    assert catalogs.languages == ("en", "fr")
    assert catalogs.catalog("fr").say(WINS) == "Ana gagne."


def test_the_last_folder_comes_first(bundled, tmp_path):
    write_po(tmp_path / "a", "fr", entry("{who} wins.", "{who} gagne."))
    write_po(tmp_path / "b", "fr", entry("{who} wins.", "{who} a gagné."))
    catalogs = Catalogs([tmp_path / "a", tmp_path / "b"])
    assert catalogs.catalog("fr").say(WINS) == "Ana a gagné."


def test_a_region_is_completed_by_its_language_but_not_by_another_script(bundled, tmp_path):
    write_po(bundled, "fr", entry("Draw.", "Égalité."))
    write_po(bundled, "sr", entry("Draw.", "Izjednačeno."))
    host = tmp_path / "host"
    write_po(host, "fr_CA", entry("{who} wins.", "{who} gagne !"))
    write_po(host, "sr_Cyrl", entry("{who} wins.", "{who} побеђује."))
    write_po(host, "sr@latin", entry("{who} wins.", "{who} pobeđuje."))
    catalogs = Catalogs([host])
    assert catalogs.catalog("fr_CA").say(text("Draw.")) == "Égalité."
    assert catalogs.catalog("sr-Cyrl-RS").say(WINS) == "Ana побеђује."
    assert catalogs.catalog("sr_RS@cyrillic").say(text("Draw.")) == "Draw."
    assert catalogs.catalog("sr-Latn").say(WINS) == "Ana pobeđuje."
    assert catalogs.catalog("sr-Latn").say(text("Draw.")) == "Izjednačeno."
    assert catalogs.catalog("sr-Latn").say(text("{a}", a=Listing(("a", "b")))) == "a i b"
    assert catalogs.catalog("sr_RS").say(text("Draw.")) == "Izjednačeno."


def test_a_language_unknown_to_babel(bundled):
    write_po(bundled, "xq", entry("Draw.", "Xq."))
    catalog = Catalogs().catalog("xq")
    assert catalog.say(text("Draw.")) == "Xq."
    assert catalog.say(text("{a}", a=Listing(("a", "b", "c")))) == "a, b, c"


# Broken catalogs


def good_po() -> bytes:
    return (
        b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        b'"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'
        b'msgid "{who} wins."\nmsgstr "{who} gagne."\n'
    )


BROKEN_PO = {
    "placeholder charset": good_po().replace(b"utf-8", b"uft8"),
    "Latin-1 bytes": good_po().replace(b"gagne", b"gagn\xe9"),
    "syntax": good_po() + b"\nmsgwhat?\n",
    "not a catalog": b"<!DOCTYPE html>\n<title>404</title>\n",
    "binary": bytes(range(256)) * 40,
    "plural syntax": good_po().replace(b"(n > 1)", b"(n >"),
    "plural of python": good_po().replace(b"(n > 1)", b"__import__('os')"),
    "more forms than the header says": good_po()
    + b'\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "d"\nmsgstr[2] "e"\n',
    "number of plurals": good_po().replace(b"nplurals=2", b"nplurals=two"),
    "conflict": good_po() + b"#-#-#-#-#  a.po  #-#-#-#-#\n",
}


def assert_broken(catalogs: Catalogs, path: Path) -> None:
    catalog = catalogs.catalog("fr")
    assert catalog.say(WINS) == "Ana wins."
    assert catalog.say(text("{a}", a=Listing(("a", "b")))) == "a and b"
    assert catalog.language == "fr"
    (problem,) = catalogs.problems
    assert problem.startswith(f"{path}: ")
    assert len(problem) > len(f"{path}: ")
    assert "\n" not in problem
    assert catalogs.catalog("en").say(WINS) == "Ana wins."


@pytest.mark.parametrize("kind", BROKEN_PO)
def test_a_broken_source_catalog_is_recorded(bundled, kind):
    path = write_po(bundled, "fr", "")
    path.write_bytes(BROKEN_PO[kind])
    assert_broken(Catalogs(), path)


def test_the_line_of_the_fault_is_told(bundled):
    path = write_po(bundled, "fr", "")
    path.write_bytes(BROKEN_PO["Latin-1 bytes"])
    catalogs = Catalogs()
    catalogs.catalog("fr")
    assert catalogs.problems == [f"{path}: line 7: not utf-8 text"]
    path.write_bytes(BROKEN_PO["syntax"])
    catalogs = Catalogs()
    catalogs.catalog("fr")
    assert catalogs.problems == [f"{path}: line 9: Unknown or misformatted keyword"]


def compiled(source: bytes) -> bytes:
    from io import BytesIO

    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    out = BytesIO()
    write_mo(out, read_po(BytesIO(source)))
    return out.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:3],
        lambda data: data[:40],
        lambda data: data[:-30],
        lambda data: b"\0" * 400,
        lambda data: data.replace(b"utf-8", b"uft-8"),
        lambda data: data.replace(b"gagne", b"gagn\xe9"),
        lambda data: data.replace(b"(n > 1)", b"(n > x)"),
    ],
)
def test_a_broken_binary_catalog_is_recorded(bundled, damage):
    path = write_po(bundled, "fr", "")
    path.unlink()
    path = path.with_suffix(".mo")
    path.write_bytes(damage(compiled(good_po())))
    assert_broken(Catalogs(), path)


def test_a_binary_catalog_is_read_and_the_source_is_preferred(bundled):
    path = write_po(bundled, "fr", "")
    path.unlink()
    path.with_suffix(".mo").write_bytes(compiled(good_po()))
    assert Catalogs().catalog("fr").say(WINS) == "Ana gagne."
    path.write_bytes(good_po().replace(b"gagne", b"a gagn\xc3\xa9"))
    assert Catalogs().catalog("fr").say(WINS) == "Ana a gagné."


def test_a_folder_instead_of_a_file(bundled):
    path = write_po(bundled, "fr", "")
    path.unlink()
    path.mkdir()
    assert_broken(Catalogs(), path)


def test_an_unreadable_file(bundled, monkeypatch):
    path = write_po(bundled, "fr", "")
    opened = Path.open

    def refused(self, *how, **more):
        # As the system refuses; it would let the administrator read the file all the same.
        if self == path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))
        return opened(self, *how, **more)

    monkeypatch.setattr(Path, "open", refused)
    assert_broken(Catalogs(), path)


@pytest.mark.parametrize("rule", ["n/0", "n%(n-5)", "7"])
def test_a_plural_rule_that_fails_only_when_it_is_asked(bundled, rule):
    body = entry("{count} token", "{count} jeton", "{count} jetons", plural="{count} tokens")
    write_po(bundled, "fr", body + entry("Draw.", "Égalité."), f"nplurals=2; plural=({rule});")
    catalog = Catalogs().catalog("fr")
    assert catalog.say(texts("{count} token", "{count} tokens", 5)) == "5 tokens"
    assert catalog.say(text("Draw.")) == "Égalité."
    catalog.say(text("Missing."))


def test_a_broken_catalog_of_the_host_leaves_ours(bundled, tmp_path):
    write_po(bundled, "fr", entry("{who} wins.", "{who} gagne."))
    path = write_po(tmp_path / "host", "fr", "")
    path.write_bytes(b"\xff\xfe")
    catalogs = Catalogs([tmp_path / "host", tmp_path / "nowhere"])
    assert catalogs.catalog("fr").say(WINS) == "Ana gagne."
    assert [problem.partition(": ")[0] for problem in catalogs.problems] == [
        str(tmp_path / "nowhere"),
        str(path),
    ]


def test_without_any_catalogs_the_game_speaks_english(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LOCALES", tmp_path / "gone")
    catalogs = Catalogs()
    assert catalogs.languages == ("en",)
    assert catalogs.catalog("fr").say(WINS) == "Ana wins."
    assert len(catalogs.problems) == 1


def test_a_pipe_in_place_of_a_catalog_stops_nobody(tmp_path):
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "zanzibar.po")
    catalogs = Catalogs([tmp_path])
    assert catalogs.catalog("de").say(text("Tokens")) == "Tokens"
    assert "not a file" in catalogs.problems[0]
