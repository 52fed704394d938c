"""The bundled catalogs are complete, current and well formed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from zanzibar_plugin import catalogs as module
from zanzibar_plugin.catalog_check import PLURAL_FORMS, faults
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.data import LOCALES, RULES
from zanzibar_plugin.text import texts

ROOT = Path(__file__).parent.parent
LANGUAGES = sorted(PLURAL_FORMS)


def po_file(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "zanzibar.po"


def test_all_languages_are_there():
    assert sorted(path.name for path in LOCALES.iterdir() if path.is_dir()) == LANGUAGES


def test_no_faults():
    found = faults()
    assert not found, "\n".join(found[:40])


def test_the_catalogs_load_and_know_every_message():
    catalogs = Catalogs()
    with (LOCALES / "zanzibar.pot").open("rb") as lines:
        messages = [message.id for message in read_po(lines) if message.id]
    msgids = [msgid if isinstance(msgid, str) else msgid[0] for msgid in messages]
    assert msgids
    for language in LANGUAGES:
        catalog = catalogs.catalog(language)
        assert [msgid for msgid in msgids if not catalog.knows(msgid)] == [], language
    assert catalogs.problems == []


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_the_template_is_current(tmp_path):
    fresh = tmp_path / "zanzibar.pot"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    subprocess.run(
        [
            *("make", "--silent", "template", f"TEMPLATE={fresh}"),
            f"PYBABEL={sys.executable} -m babel.messages.frontend",
        ],
        cwd=ROOT,
        env=environment,
        check=True,
    )
    current = (LOCALES / "zanzibar.pot").read_text(encoding="utf-8")
    assert fresh.read_text(encoding="utf-8") == current, "run `make catalogs`"


@pytest.mark.skipif(not shutil.which("msgfmt"), reason="gettext (msgfmt) is not installed")
@pytest.mark.parametrize("language", LANGUAGES)
def test_gettext_accepts_the_catalog(language, tmp_path):
    command = ["msgfmt", "--check", "-o", str(tmp_path / "out.mo"), str(po_file(language))]
    done = subprocess.run(command, capture_output=True, text=True)
    # Header fields that a person would sign are left out, which is only warned about.
    assert done.returncode == 0, done.stderr


def test_no_python_files_beside_the_data():
    # An editable install with data folders that are renamed in a wheel would break.
    assert [*LOCALES.rglob("*.py"), *RULES.rglob("*.py")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_names_or_addresses(language):
    assert "@" not in po_file(language).read_text(encoding="utf-8").partition("\n\n")[0]


COUNTS = (0, 1, 2, 5, 11, 21, 22, 101, 111)

FORMS = {
    "en": (1, 0, 1, 1, 1, 1, 1, 1, 1),
    "es": (1, 0, 1, 1, 1, 1, 1, 1, 1),
    "fr": (0, 0, 1, 1, 1, 1, 1, 1, 1),
    "it": (1, 0, 1, 1, 1, 1, 1, 1, 1),
    "sr": (2, 0, 1, 2, 2, 0, 1, 0, 2),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plural_form_for_each_number(language, tmp_path, monkeypatch):
    """The header of the real catalog, with one message that says which form it is."""
    header = po_file(language).read_text(encoding="utf-8").partition("\n\n")[0]
    forms = "".join(f'msgstr[{i}] "{i} {{count}}"\n' for i in range(max(FORMS[language]) + 1))
    path = tmp_path / language / "LC_MESSAGES" / "zanzibar.po"
    path.parent.mkdir(parents=True)
    path.write_text(
        f'{header}\n\nmsgid "{{count}} one"\nmsgid_plural "{{count}} many"\n{forms}',
        encoding="utf-8",
    )
    monkeypatch.setattr(module, "LOCALES", tmp_path)
    say = Catalogs().catalog(language).say
    said = [say(texts("{count} one", "{count} many", count)) for count in COUNTS]
    expected = zip(FORMS[language], COUNTS, strict=True)
    assert said == [f"{form} {count}" for form, count in expected]
