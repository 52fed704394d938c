"""Dependencies point one way: the contracts of pyproject.toml, and that they leave nothing out."""

import tomllib
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

import zanzibar_plugin

ROOT = Path(__file__).parent.parent
PACKAGE = Path(zanzibar_plugin.__file__).parent
CONFIGURATION = ROOT / "pyproject.toml"
SETTINGS = tomllib.loads(CONFIGURATION.read_text("utf-8"))["tool"]["importlinter"]
LAYERS, CORE, HOST = SETTINGS["contracts"]

# What no key and no turn may depend on: input and output, the clock, chance, and language.
IMPURE = {
    *("asyncio", "babel", "gettext", "io", "locale", "logging", "os", "pathlib", "pluggy"),
    *("random", "secrets", "socket", "sys", "time", "yaml"),
    *("zanzibar_plugin.catalogs", "zanzibar_plugin.speech", "zanzibar_plugin.text"),
}
PURE = {
    *("answers", "contest", "dice", "engine", "events", "final", "ranking", "rules", "settling"),
    *("state", "worth"),
}


def modules():
    """The names of all modules and packages right below ours."""
    files = {file.stem for file in PACKAGE.glob("*.py")}
    packages = {file.parent.name for file in PACKAGE.glob("*/__init__.py")}
    return (files | packages) - {"__init__"}


def linted(configuration, monkeypatch, capsys):
    """The exit code of import-linter with this configuration, and what it says."""
    monkeypatch.chdir(ROOT)
    code = lint_imports(config_filename=str(configuration), no_cache=True)
    return code, "".join(capsys.readouterr())


def test_the_contracts_are_kept(monkeypatch, capsys):
    code, said = linted(CONFIGURATION, monkeypatch, capsys)
    assert code == 0, said
    assert f"Contracts: {len(SETTINGS['contracts'])} kept, 0 broken." in said


def test_every_module_has_a_layer():
    named = [name.strip() for layer in LAYERS["layers"] for name in layer.split("|")]
    assert LAYERS["containers"] == ["zanzibar_plugin"]
    assert sorted(named) == sorted(modules())
    assert LAYERS["exhaustive"] is True


def test_the_core_is_pure():
    assert {f"zanzibar_plugin.{name}" for name in PURE} <= set(CORE["source_modules"])
    assert set(CORE["forbidden_modules"]) >= IMPURE
    # Nor by way of anything else.
    assert not CORE.get("allow_indirect_imports")
    assert not any(contract.get("ignore_imports") for contract in SETTINGS["contracts"])


def test_a_host_knows_the_hooks_alone():
    assert HOST["source_modules"] == ["zanzibar_plugin.hosts", "zanzibar_plugin.room"]
    names = {name.removeprefix("zanzibar_plugin.") for name in HOST["forbidden_modules"]}
    game = {"engine", "settling", "schema", "library", "plugin", "table", "speech", "saving"}
    assert game <= names <= modules()


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        ('"rules",\n    "ranking"', '"ranking",\n    "rules"', "Dependencies point one way BROKEN"),
        ('"worth",\n', "", "Dependencies point one way BROKEN"),
        ('"zanzibar_plugin.worth",\n]', '"zanzibar_plugin.plugin",\n]', "language BROKEN"),
    ],
)
def test_a_broken_contract_is_found(tmp_path, monkeypatch, capsys, old, new, broken):
    source = CONFIGURATION.read_text("utf-8")
    assert old in source
    changed = tmp_path / "pyproject.toml"
    changed.write_text(source.replace(old, new, 1), encoding="utf-8")
    code, said = linted(changed, monkeypatch, capsys)
    assert code != 0
    assert broken in said
