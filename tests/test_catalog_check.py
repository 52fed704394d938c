"""The check of the catalogs finds each kind of fault, and none in a good catalog."""

from pathlib import Path

import pytest

from zanzibar_plugin import catalog_check
from zanzibar_plugin.catalog_check import PLURAL_FORMS, catalog_faults, faults

TEMPLATE = """\
#, fuzzy
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

#, python-brace-format
msgid "{who} rolls **4, 2, 1**; press `t`."
msgstr ""

msgid "Wins."
msgstr ""

#, python-brace-format
msgid "{who} takes {count} token."
msgid_plural "{who} takes {count} tokens."
msgstr[0] ""
msgstr[1] ""
"""

GOOD = f"""\
# Comment.
msgid ""
msgstr ""
"Language: sr\\n"
"Plural-Forms: {PLURAL_FORMS["sr"]}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

#, python-brace-format
msgid "{{who}} rolls **4, 2, 1**; press `t`."
msgstr "{{who}} baca **4, 2, 1**; pritisni `t`."

msgid "Wins."
msgstr "Pobeđuje „žeton“, 1.º."
"""
GOOD = (
    GOOD.replace(", 1.º", "")
    + """
#, python-brace-format
msgid "{who} takes {count} token."
msgid_plural "{who} takes {count} tokens."
msgstr[0] "{who} uzima {count} žeton."
msgstr[1] "{who} uzima {count} žetona."
msgstr[2] "{who} uzima {count} žetona!"
"""
)


def check(tmp_path: Path, source: str | bytes, language: str = "sr") -> list[str]:
    pot = tmp_path / "zanzibar.pot"
    pot.write_text(TEMPLATE, encoding="utf-8")
    po = tmp_path / language / "LC_MESSAGES" / "zanzibar.po"
    po.parent.mkdir(parents=True, exist_ok=True)
    po.write_bytes(source if isinstance(source, bytes) else source.encode())
    found = catalog_faults(po, pot)
    assert all(fault.startswith(f"{po}: ") for fault in found)
    return [fault.removeprefix(f"{po}: ") for fault in found]


def test_a_good_catalog_has_no_faults(tmp_path):
    assert check(tmp_path, GOOD) == []
    assert check(tmp_path, GOOD.replace("charset=utf-8", "charset=UTF-8")) == []


ROLLS = '"{who} rolls **4, 2, 1**; press `t`.": '
TAKES = '"{who} takes {count} token.": '


@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        ('msgid "Wins."\nmsgstr "Pobeđuje „žeton“."\n', "", '"Wins.": missing'),
        ('"Pobeđuje „žeton“."', '""', '"Wins.": missing'),
        ('msgid "Wins."', '#, fuzzy\nmsgid "Wins."', '"Wins.": fuzzy'),
        ("# Comment.", "#, fuzzy", "header: fuzzy"),
        (
            'msgid "Wins."',
            'msgid "Lost."\nmsgstr "x"\n\nmsgid "Wins."',
            '"Lost.": stale, not in the',
        ),
        ('msgid "Wins."', '#~ msgid "Old."\n#~ msgstr "x"\n\nmsgid "Wins."', '"Old.": obsolete'),
        ("{who} baca", "baca", ROLLS + "placeholders none instead of {who}"),
        ("{who} baca", "{ko} baca", ROLLS + "placeholders {ko} instead of {who}"),
        ("{who} baca", "{who} {x} baca", ROLLS + "placeholders {who} {x} instead of {who}"),
        ("{who} baca", "{0.__class__} baca", ROLLS + "broken placeholder"),
        ("{who} baca", "{who!r} baca", ROLLS + "broken placeholder"),
        ("{who} baca", "{who baca", ROLLS + "broken placeholder"),
        ("baca **4, 2, 1**", "baca **4, 1, 1**", ROLLS + "other numbers than the source"),
        ("baca **4, 2, 1**", "baca **421**", ROLLS + "other numbers than the source"),
        ("baca **4, 2, 1**", "baca 4, 2, 1", ROLLS + "other use of ** than in the source"),
        ("pritisni `t`", "pritisni t", ROLLS + "other use of ` than in the source"),
        ("pritisni", "притисни", ROLLS + "not Latin script: притисни"),
        ("pritisni", "pritisnи", ROLLS + "mixed scripts in pritisnи"),
        ("uzima {count} žeton.", "uzima žeton.", TAKES + "form 0: placeholders {who} instead of"),
        ("{count} žetona!", "{count} žetona 3!", TAKES + "form 2: other numbers"),
        ('"{who} uzima {count} žetona!"', '""', TAKES + "form 2: missing"),
        ('msgstr[2] "{who} uzima {count} žetona!"\n', "", TAKES + "form 2: missing"),
        (
            'msgid_plural "{who} takes {count} tokens."',
            'msgid_plural "{who} takes tokens."',
            TAKES + "not the plural of the template",
        ),
        ("nplurals=3", "nplurals=4", "header: the plural forms are not nplurals=3"),
        ("nplurals=3", "nplurals=2", "cannot be read: msg has more translations"),
        ("n%100<10", "n%100<12", "header: the plural forms are not nplurals=3"),
        ("Plural-Forms", "Plural-Form", "header: the plural forms are not nplurals=3"),
        ("charset=utf-8", "charset=iso-8859-2", "header: the charset is not UTF-8"),
        ("charset=utf-8", "charset=CHARSET", "header: the charset is not UTF-8"),
        ("charset=utf-8", "charset=uft8", "cannot be read: unknown encoding: uft8"),
        ("Language: sr", "Language: hr", "header: the language is not sr"),
        ("„žeton“.", "„žeton“.\\", "line 13: not a quoted string"),
        ('„žeton“."', "„žeton“.", "line 13: not a quoted string"),
        ('msgid "Wins."', 'Msgid "Wins."', "cannot be read: Unknown or misformatted keyword"),
    ],
)
def test_each_fault_is_reported(tmp_path, good, bad, fault):
    assert good in GOOD
    found = check(tmp_path, GOOD.replace(good, bad))
    assert any(line.startswith(fault) for line in found), found


def test_bytes_that_are_not_utf_8(tmp_path):
    found = check(tmp_path, GOOD.encode().replace("žetona!".encode(), b"\x9eetona!"))
    assert found == ["line 20: not UTF-8"]


def test_a_plural_without_its_number(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.TEMPLATE", TEMPLATE.replace("{count} token", "some token"))
    found = check(tmp_path, GOOD.replace("{count} token", "some token").replace("{count} ", ""))
    assert [line.rpartition(": ")[2] for line in found] == ["no placeholder {count}"] * 3


@pytest.mark.parametrize("language", ["fr", "es", "it", "en"])
def test_a_tool_that_changes_the_number_of_forms_is_noticed(tmp_path, language):
    header = GOOD.partition("\n\n")[0].replace("Language: sr", f"Language: {language}")
    pinned = header.replace(PLURAL_FORMS["sr"], PLURAL_FORMS[language])
    newer = header.replace(
        PLURAL_FORMS["sr"],
        "nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;",
    )
    assert not [line for line in check(tmp_path, pinned, language) if "header" in line]
    assert any("header: the plural" in line for line in check(tmp_path, newer, language))


def test_whole_folders_and_the_command(tmp_path, monkeypatch, capsys):
    assert faults(tmp_path) == [f"{tmp_path}: no catalogs"]
    check(tmp_path, GOOD)
    monkeypatch.setattr(catalog_check.faults, "__defaults__", (tmp_path,))
    assert catalog_check.main() == 0
    assert capsys.readouterr().out == "No faults in the catalogs.\n"
    check(tmp_path, GOOD.replace("Wins", "Draws"))
    assert catalog_check.main() == 1
    assert '"Wins.": missing' in capsys.readouterr().out


def test_a_missing_template(tmp_path):
    check(tmp_path, GOOD)
    (tmp_path / "zanzibar.pot").unlink()
    (fault,) = faults(tmp_path)
    assert "cannot be read" in fault
