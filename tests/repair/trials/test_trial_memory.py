"""Outcomes that outlive a process: what is kept, what is dropped, and what a broken file may do (nothing)."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.facts import Digest, TestId
from analysis.trials import TrialOutcome, TrialState
from repair.trials import trial_memory
from repair.trials.trial_memory import LAYOUT, TrialMemory

FAILED = TrialOutcome(Digest(""), TrialState.FAILED, TestId("t.py::test_it"), "assert 1 == 2")
PASSED = TrialOutcome(Digest(""), TrialState.PASSED)


def filled(path: Path, world: bytes = b"w", count: int = 3) -> None:
    memory = TrialMemory(path)
    for number in range(count):
        memory.keep(world, b"%d" % number, FAILED if number else PASSED)
    memory.close()


def page(path: Path, world: bytes = b"w") -> dict[bytes, TrialOutcome]:
    memory = TrialMemory(path)
    try:
        return dict(memory.page(world))
    finally:
        memory.close()


def test_what_was_kept_is_there_for_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path)
    assert page(path) == {b"0": PASSED, b"1": FAILED, b"2": FAILED}
    assert page(path, b"another world") == {}


@pytest.mark.parametrize("state", [TrialState.TIMEOUT, TrialState.CRASHED])
def test_what_may_end_differently_is_not_kept(tmp_path: Path, state: TrialState) -> None:
    memory = TrialMemory(tmp_path / "trials.sqlite")
    memory.keep(b"w", b"1", TrialOutcome(Digest(""), state, TestId("t.py::test_it")))
    assert memory.page(b"w") == {}


def test_a_forgotten_page_is_gone_from_disk_too(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path)
    filled(path, b"kept")
    memory = TrialMemory(path)
    memory.keep(b"w", b"9", FAILED)
    memory.forget(b"w")
    memory.close()
    assert page(path) == {}
    assert len(page(path, b"kept")) == 3


def test_two_processes_write_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    one, other = TrialMemory(path), TrialMemory(path)
    one.keep(b"w", b"1", FAILED)
    other.keep(b"w", b"2", PASSED)
    one.close()
    other.close()
    assert page(path) == {b"1": FAILED, b"2": PASSED}
    assert one.warnings == other.warnings == []


def test_a_file_that_is_locked_for_long_costs_the_memory_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path)
    monkeypatch.setattr(trial_memory, "LAYOUT", replace(LAYOUT, patience=0.01))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    memory = TrialMemory(path)
    memory.keep(b"w", b"1", PASSED)
    memory.close()
    assert memory.warnings == []
    holder.execute("ROLLBACK")
    holder.close()
    assert page(path)[b"1"] == FAILED


@pytest.mark.parametrize("damage", [b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_put_aside_with_a_warning(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "trials.sqlite"
    path.write_bytes(damage)
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    memory.keep(b"w", b"1", FAILED)
    memory.close()
    assert [w for w in memory.warnings if "trials.sqlite.corrupt-1" in w]
    assert (tmp_path / "trials.sqlite.corrupt-1").read_bytes() == damage
    assert page(path) == {b"1": FAILED}


def test_pages_in_the_middle_that_are_damaged_are_found_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path, count=4000)
    whole = bytearray(path.read_bytes())
    whole[8192:-4096] = b"\xff" * (len(whole) - 12288)
    path.write_bytes(whole)
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    memory.close()
    assert len(memory.warnings) == 1


def test_a_row_that_we_would_not_write_counts_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE trials SET state = 'certified'")
    database.close()
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    memory.close()
    assert len(memory.warnings) == 1


def test_a_file_of_a_newer_version_is_left_alone_and_nothing_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    assert page(path) == {}
    filled(path)
    assert page(path) == {}
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (99,)
        assert database.execute("SELECT count(*) FROM trials").fetchone() == (3,)
    database.close()
    assert not list(tmp_path.glob("*corrupt*"))


def test_a_file_of_an_unknown_version_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    filled(path)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = -1")
    database.close()
    assert page(path) == {}
    filled(path)
    assert len(page(path)) == 3


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.sqlite"
    filled(elsewhere)
    before = elsewhere.read_bytes()
    (tmp_path / "trials.sqlite").symlink_to(elsewhere)
    filled(tmp_path / "trials.sqlite", b"new")
    assert page(tmp_path / "trials.sqlite") == {}
    assert elsewhere.read_bytes() == before


def test_a_folder_that_is_not_there_costs_nothing(tmp_path: Path) -> None:
    memory = TrialMemory(tmp_path / "gone" / "trials.sqlite")
    memory.keep(b"w", b"1", FAILED)
    assert memory.page(b"w") == {b"1": FAILED}
    memory.close()
    assert memory.warnings == []
    assert not (tmp_path / "gone").exists()


def test_the_pages_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trials.sqlite"
    for world in (b"first", b"second", b"third"):
        filled(path, world)
    page(path, b"first")
    monkeypatch.setattr(trial_memory, "MOST_ROWS", 7)
    filled(path, b"third")
    assert [len(page(path, world)) for world in (b"first", b"second", b"third")] == [3, 0, 3]
