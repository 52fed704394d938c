"""docs/house-rules.md is followed step by step: its file is written, its commands are run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from zanzibar_plugin.document import read_text
from zanzibar_plugin.grammar import PHASE, RULES

PAGE = (Path(__file__).parent.parent / "docs" / "house-rules.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
YAML = [body for kind, body in BLOCKS if kind == "yaml"]
COMMANDS = [
    line for kind, body in BLOCKS if kind == "console" for line in body.strip().splitlines()
]


@pytest.fixture
def bar(tmp_path):
    """A folder as the page describes it, with the page's own file in it."""
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "marcel.yaml").write_text(YAML[0], "utf-8")
    return tmp_path


def run(line, folder):
    arguments = line.split()[1:]
    return subprocess.run(
        [sys.executable, "-m", "zanzibar_plugin.cli", *arguments, "--lang", "fr"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_of_the_page_work(line, bar):
    done = run(line, bar)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_note_is_read_in_its_language(bar):
    page = run("zanzibar rules marcel --rules-dir house", bar).stdout
    assert "Chez Marcel" in page
    assert "depuis 1962" in page


def test_the_option_of_the_page_can_be_added(bar):
    file = bar / "house" / "marcel.yaml"
    option = YAML[-1].partition("\n")[2]
    file.write_text(YAML[0] + option, "utf-8")
    done = run("zanzibar rules marcel --rules-dir house --set penalty=true", bar)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("body", YAML)
def test_every_example_is_proper_yaml(body):
    if set(body.strip()) and not body.lstrip().startswith("# yaml-language-server"):
        read_text(body.encode(), "example")


def test_every_field_of_the_rules_is_on_the_page():
    named = set(re.findall(r"`([\w.]+)`", PAGE))
    top = {name.partition(".")[0] for name in named}
    assert set(RULES) <= top
    assert set(PHASE.fields) <= named
