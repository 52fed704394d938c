"""An installed package finds its catalogs and rules, however it was installed."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
PARTS = ("zanzibar_plugin", "locales", "rules", "tests", "docs")
FILES = ("pyproject.toml", ".gitignore", "README.md", "CHANGELOG.md", "LICENSE", "Makefile")
DEPENDENCIES = sysconfig.get_path("purelib")

LOOK = """
import json, sys
import zanzibar_plugin
from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.data import LOCALES, RULES
from zanzibar_plugin.text import text

catalogs = Catalogs()
print(json.dumps({
    "package": zanzibar_plugin.__file__,
    "said": catalogs.catalog("sr").say(text(sys.argv[1])),
    "languages": catalogs.languages,
    "problems": catalogs.problems,
    "locales": sorted(path.suffix for path in LOCALES.rglob("*") if path.is_file()),
    "rules": sorted(path.name for path in RULES.glob("*.yaml")),
}))
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_"))}
    done = subprocess.run(
        command, cwd=cwd, env={**clean, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build(source: Path, target: str, out: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", out, cwd=source)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    copy = tmp_path_factory.mktemp("source") / "zanzibar"
    copy.mkdir()
    for part in PARTS:
        if (ROOT / part).exists():
            shutil.copytree(
                ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.mo")
            )
    for file in FILES:
        if (ROOT / file).exists():
            shutil.copy(ROOT / file, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory) -> Path:
    return build(project, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(project, tmp_path_factory) -> Path:
    return build(project, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def sentence() -> tuple[str, str]:
    """A sentence of the Serbian catalog that is not the same in English."""
    with (ROOT / "locales/sr/LC_MESSAGES/zanzibar.po").open("rb") as lines:
        for message in read_po(lines):
            msgid, said = message.id, message.string
            if message.fuzzy:
                continue  # it waits for its translator, and is not said
            if isinstance(msgid, str) and msgid and said and said != msgid and "{" not in msgid:
                return msgid, said
    return pytest.skip("the Serbian catalog has no sentence without placeholders")


def install(folder: Path, *what: str | Path) -> Path:
    """A fresh environment that has the package and sees the dependencies of this one."""
    import venv

    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet"),
        *("--disable-pip-version-check", "--no-index", "--no-deps", "--ignore-installed"),
        *("--no-build-isolation", *what),
        cwd=folder,
        PYTHONPATH=DEPENDENCIES,
    )
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    (Path(site.strip()) / "dependencies.pth").write_text(f"{DEPENDENCIES}\n")
    return Path(site.strip())


def look(site: Path, cwd: Path, sentence: tuple[str, str]) -> dict:
    python = site.parents[2] / "bin" / "python"
    found = json.loads(run(python, "-I", "-c", LOOK, sentence[0], cwd=cwd))
    assert found["said"] == sentence[1]
    assert found["languages"] == ["en", "es", "fr", "it", "sr"]
    assert found["problems"] == []
    assert "421.yaml" in found["rules"]
    assert found["rules"] == sorted(path.name for path in (ROOT / "rules").glob("*.yaml"))
    return found


def assert_wheel_holds_what_it_should(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    package = [name for name in names if ".dist-info/" not in name]
    assert {name.partition("/")[0] for name in package} == {"zanzibar_plugin"}
    for language in ("en", "es", "fr", "it", "sr"):
        assert f"zanzibar_plugin/locales/{language}/LC_MESSAGES/zanzibar.mo" in names
    assert "zanzibar_plugin/py.typed" in names
    assert "zanzibar_plugin/rules/421.yaml" in names
    for file in (ROOT / "zanzibar_plugin/hosts/web/static/sounds").iterdir():
        assert f"zanzibar_plugin/hosts/web/static/sounds/{file.name}" in names
    assert not [name for name in names if name.endswith((".po", ".pot"))]
    assert "zanzibar_plugin/compile_catalogs.py" not in names


def test_wheel(wheel, project, tmp_path, sentence):
    assert_wheel_holds_what_it_should(wheel)
    assert list(project.rglob("*.mo")) == [], "the build left files in the source"
    site = install(tmp_path / "venv", wheel)
    found = look(site, tmp_path, sentence)
    assert found["package"].startswith(str(site))
    assert set(found["locales"]) == {".mo"}


def test_wheel_from_sdist(sdist, tmp_path, sentence):
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
        archive.extractall(tmp_path, filter="data")
    assert "locales/sr/LC_MESSAGES/zanzibar.po" in names
    assert "locales/zanzibar.pot" in names
    assert "LICENSE" in names
    assert not [name for name in names if name.endswith(".mo")]
    (source,) = tmp_path.iterdir()
    wheel = build(source, "wheel", tmp_path / "dist")
    assert_wheel_holds_what_it_should(wheel)
    look(install(tmp_path / "venv", wheel), tmp_path, sentence)


def test_editable(project, tmp_path, sentence):
    site = install(tmp_path / "venv", "-e", project)
    found = look(site, tmp_path, sentence)
    assert found["package"].startswith(str(project))
    assert set(found["locales"]) == {".po", ".pot"}
    assert not (site / "zanzibar_plugin").exists(), "copies that would go stale"
    assert not [*site.rglob("*.yaml"), *site.rglob("zanzibar.*o")]


def test_a_wheel_is_not_built_from_a_broken_catalog(project, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(project, copy)
    catalog = copy / "locales/sr/LC_MESSAGES/zanzibar.po"
    catalog.write_text(catalog.read_text(encoding="utf-8") + "\nmsgwhat?\n", encoding="utf-8")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert done.returncode != 0
    assert "misformatted keyword" in done.stdout + done.stderr
