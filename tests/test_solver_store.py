"""Solutions kept in files: trusted as numbers only, and never in anybody's way."""

import dataclasses
import threading

import numpy as np
import pytest
from playing import bundled, played

from zanzibar_plugin.rules import Next
from zanzibar_plugin.solver import duel, store
from zanzibar_plugin.solver.duel import Duel, solved
from zanzibar_plugin.solver.rounds import start_of

RULES = played(bundled("421"), tokens=3)


@pytest.fixture
def solves(monkeypatch):
    """How often something was really solved."""
    calls = []
    real = duel.solve

    def counted(*given, **more):
        calls.append(given)
        return real(*given, **more)

    monkeypatch.setattr(duel, "solve", counted)
    return calls


def kept(folder):
    (file,) = folder.glob("*.npz")
    return file


def test_solved_once(tmp_path, solves):
    first, again = (solved(RULES, folder=tmp_path / "new") for _ in range(2))
    assert len(solves) == 1
    assert first.positions == again.positions
    assert (first.values == again.values).all()
    assert first.bound == again.bound
    assert [file.suffix for file in (tmp_path / "new").iterdir()] == [".npz"]


def test_rules_that_are_played_alike_share_a_solution(tmp_path, solves):
    quebec = played(bundled("quebec"), tokens=3)
    renamed = dataclasses.replace(RULES, id="other", options={}, max_players=3)
    for rules in (RULES, quebec, renamed):
        assert isinstance(solved(rules, folder=tmp_path), Duel)
    assert len(solves) == 1


@pytest.mark.parametrize(
    "changed",
    [
        dataclasses.replace(RULES, next=Next.WINNER),
        dataclasses.replace(RULES, repeat_step=1),
        dataclasses.replace(RULES, lock_kept=True),
        dataclasses.replace(RULES, phases=RULES.phases[::-1]),
        dataclasses.replace(
            RULES, combinations=(*RULES.combinations[:-1], RULES.combinations[-1]._replace(value=3))
        ),
        played(bundled("421"), tokens=4),
    ],
)
def test_other_rules_have_another_name(changed):
    names = {store.key_of("duel", one, start_of(one, 2)) for one in (RULES, changed)}
    assert len(names) == 2
    assert store.key_of("trio", RULES, start_of(RULES, 2)) not in names


def spoilt(folder, how):
    file = kept(folder)
    whole = file.read_bytes()
    match how:
        case "empty":
            file.write_bytes(b"")
        case "truncated":
            file.write_bytes(whole[: len(whole) // 2])
        case "noise":
            file.write_bytes(b"\x93NUMPY" + whole[100:])
        case "flipped":
            file.write_bytes(bytes([*whole[:200], whole[200] ^ 255, *whole[201:]]))
        case "folder":
            file.unlink()
            file.mkdir()
        case "pickle":
            np.savez(file, key=np.array(file.stem), positions=np.array([{}], dtype=object))
        case _:
            with np.load(file) as saved:
                parts = dict(saved)
            parts.update(how)
            np.savez(file, **parts)


@pytest.mark.parametrize(
    "how",
    [
        *("empty", "truncated", "noise", "flipped", "folder", "pickle"),
        {"key": np.array("of another version")},
        {"values": np.array([0.5])},
        {"values": np.array("0.5")},
        {"bound": np.array(0.1)},
        {"bound": np.array(np.nan)},
        {"positions": np.array([[0, 0, 3, 0]])},
        {"positions": np.zeros((0, 5), dtype=int), "values": np.zeros(0)},
    ],
    ids=str,
)
def test_a_spoilt_file_is_made_anew(tmp_path, solves, how):
    good = solved(RULES, folder=tmp_path)
    spoilt(tmp_path, how)
    again = solved(RULES, folder=tmp_path)
    assert len(solves) == 2
    assert (again.values == good.values).all()
    if how != "folder":
        solved(RULES, folder=tmp_path)
        assert len(solves) == 2


def test_numbers_that_are_no_chances(tmp_path, solves):
    values = solved(RULES, folder=tmp_path).values.copy()
    for wrong in (np.nan, -0.1, 1.5):
        values[2] = wrong
        spoilt(tmp_path, {"values": values})
        assert 0 < solved(RULES, folder=tmp_path).start < 1
    assert len(solves) == 4


def test_an_older_version(tmp_path, solves, monkeypatch):
    solved(RULES, folder=tmp_path)
    monkeypatch.setattr(store, "VERSION", store.VERSION + 1)
    solved(RULES, folder=tmp_path)
    assert len(solves) == 2


def test_a_folder_that_cannot_be_written_to(tmp_path, solves):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        assert isinstance(solved(RULES, folder=folder), Duel)
    tmp_path.chmod(0o500)
    try:
        assert isinstance(solved(RULES, folder=tmp_path), Duel)
    finally:
        tmp_path.chmod(0o700)


def test_no_room_on_the_disk(tmp_path, monkeypatch):
    def full(*given, **more):
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    assert isinstance(solved(RULES, folder=tmp_path), Duel)
    assert list(tmp_path.iterdir()) == []


def test_several_at_once(tmp_path):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(solved(RULES, folder=tmp_path)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one.start for one in found}) == 1
    assert kept(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_where_solutions_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.cache_folder() == tmp_path / "zanzibar-plugin"
    for wrong in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", wrong)
        assert store.cache_folder().parent.name == ".cache"
    assert store.cache_folder().is_absolute()
