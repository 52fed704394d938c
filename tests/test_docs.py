"""What the documentation says is run: its commands, its programs, its links."""

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from zanzibar_plugin import cli, hookspecs

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def fenced(kind):
    """Every fenced block of a kind: the page and the text."""
    return [
        pytest.param(body, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (found, body) in enumerate(FENCE.findall(page.read_text("utf-8")))
        if found == kind
    ]


@pytest.mark.parametrize("block", fenced("python"))
def test_programs_run(block):
    heard = io.StringIO()
    with redirect_stdout(heard):
        exec(compile(block, "documentation", "exec"), {"__name__": "documentation"})
    if "print(" in block:
        assert heard.getvalue().strip()


@pytest.mark.parametrize("block", fenced("sh"))
def test_commands_run(block, tmp_path):
    for line in block.strip().splitlines():
        run_command(line.strip(), tmp_path)


def run_command(line, folder):
    """One command of a page; those that make environments or folders are tried in small."""
    if line.startswith("make "):
        subprocess.run(["make", "-n", *line.split()[1:]], cwd=ROOT, check=True, capture_output=True)
        return
    if line.startswith(("mkdir", "msginit")):
        if "msginit" in line and not has("msginit"):
            pytest.skip("gettext is not installed")
        (folder / "locales").mkdir(exist_ok=True)
        template = folder / "locales" / "zanzibar.pot"
        template.write_bytes((ROOT / "locales" / "zanzibar.pot").read_bytes())
        subprocess.run(shlex.split(line), cwd=folder, check=True, capture_output=True)
        return
    if line == "python -m tests.transcripts":
        return  # it would write over what test_transcripts compares with, in the same way
    # The others are ours; the shell is for the pipes in them.
    python = shlex.quote(sys.executable)
    ours = re.sub(r"^zanzibar |(?<=\| )zanzibar ", "python -m zanzibar_plugin.cli ", line)
    ours = re.sub(r"^python |(?<=\| )python ", lambda _: f"{python} ", ours)
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {ours}"],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


SERVING = [
    line.strip()
    for page in PAGES
    for kind, body in FENCE.findall(page.read_text("utf-8"))
    for line in body.splitlines()
    if "zanzibar serve" in line and kind != "text"
]


@pytest.mark.parametrize("line", SERVING)
def test_the_server_knows_the_options_of_its_commands(line, capsys):
    """A server would not end by itself, so its command line is only read."""
    arguments = shlex.split(line.partition("zanzibar serve")[2])
    assert cli.main(["serve", *arguments, "--help", "--lang", "en"]) == 0
    page = capsys.readouterr().out
    assert all(word in page for word in arguments if word.startswith("--"))


def test_every_limit_is_on_the_page_of_those_who_run_a_room():
    from zanzibar_plugin.hosts.web.settings import names

    page = (ROOT / "docs" / "running-a-room.md").read_text("utf-8")
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)))
    assert sorted(listed) == sorted(names())


def has(program):
    from shutil import which

    return which(program) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_every_hook_is_in_the_table_of_hooks_with_its_arguments():
    page = (ROOT / "docs" / "hooks.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    specs = {
        name: value.__code__.co_varnames[: value.__code__.co_argcount]
        for name, value in vars(hookspecs).items()
        if hasattr(value, "gameroom_spec")
    }
    assert {name: tuple(re.findall(r"`(\w+)`", row)) for name, row in rows.items()} == specs


def test_every_command_is_in_the_readme():
    page = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^\| `zanzibar (\w+)", page, re.MULTILINE)
    assert sorted(commands) == sorted(cli.zanzibar.commands)


def test_every_dependency_has_its_reason():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (ROOT / "README.md").read_text("utf-8").lower()
    for requirement in project["dependencies"]:
        name = re.split(r"[><=]", requirement)[0]
        assert re.search(rf"^\| {name} \|", page, re.MULTILINE), name
