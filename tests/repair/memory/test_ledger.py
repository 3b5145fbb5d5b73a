"""The ledger counts by signature, believes nobody else's rows, follows people's words, and can be emptied."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from repair.memory.ledger import FILE, LAYOUT, NOTHING, LedgerEntry, RunLedger
from repair.memory.signature import FailureSignature
from repair.store.database import transaction

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
LIKE = FailureSignature("logic", "wrong_value", "off_by_one", "AssertionError", "short loop")
TODAY = 20_000


def attempt(number: int = 1, outcome: str = "certified", **more: object) -> LedgerEntry:
    made = LedgerEntry(f"20260101-00000{number}-aaaaaa", 1, TODAY, LIKE, "search", "literal", outcome, 5, 1.5)
    return replace(made, **more)  # type: ignore[arg-type]  # its own fields


def ledger(folder: Path, key: bytes = KEY, project: str = "/home/one/shop") -> RunLedger:
    return RunLedger(folder / FILE, key, project)


def test_attempts_are_counted_under_each_key(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    kept.add([attempt(1), attempt(2, "unrepaired", proposer="", family="")])
    found = kept.tallies(replace(LIKE, exception="KeyError"), TODAY, of_all=False)
    assert [(each.tried, each.mended) for each in found] == [(2, 1), (2, 1), (2, 1), (2, 1), (0, 0), (0, 0)]
    assert kept.tallies(LIKE, TODAY, of_all=False)[-1].families == {"literal": 1, "": 0}


def test_what_is_only_plausible_is_no_fix_until_a_person_takes_it(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    kept.add([attempt(1, "plausible")])
    assert kept.tallies(LIKE, TODAY, of_all=False)[0].mended == 0
    kept.decide(attempt(1).run, 1, "applied")
    assert kept.tallies(LIKE, TODAY, of_all=False)[0].mended == 1
    kept.decide(attempt(1).run, 1, "undone")
    assert kept.tallies(LIKE, TODAY, of_all=False)[0].mended == 0
    assert [each.outcome for each in kept.attempts()] == ["undone"]


def test_the_same_run_counts_once(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    kept.add([attempt()])
    kept.add([attempt(outcome="unrepaired")])
    first = kept.tallies(LIKE, TODAY, of_all=False)[0]
    assert (first.tried, first.mended) == (1, 0)


def test_rows_of_another_key_are_not_found(tmp_path: Path) -> None:
    ledger(tmp_path, OTHER_KEY).add([attempt(number) for number in range(1, 9)])
    mine = ledger(tmp_path)
    assert mine.tallies(LIKE, TODAY, of_all=True)[0].tried == 0
    assert mine.known(of_all=True) == ()
    assert mine.forget(everything=True) == 0


def test_other_projects_count_where_all_are_asked_for_and_less_with_age(tmp_path: Path) -> None:
    ledger(tmp_path, project="/home/one/other").add([attempt(day=TODAY - TODAY % 90)])
    mine = ledger(tmp_path)
    now = TODAY - TODAY % 90
    assert mine.tallies(LIKE, now, of_all=False)[0].tried == 0
    assert mine.tallies(LIKE, now, of_all=True)[0].tried == 1
    assert mine.tallies(LIKE, now + 180, of_all=True)[0].tried == pytest.approx(0.5)


def test_forgetting_takes_out_the_counts_too(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    kept.add([attempt(1), attempt(2, day=TODAY - 100)])
    assert kept.forget(before=TODAY - 50) == 1
    assert kept.known()[0].tried == 1
    assert kept.forget() == 1
    assert kept.known() == ()


def test_the_file_holds_no_path_of_the_project(tmp_path: Path) -> None:
    ledger(tmp_path, project="/home/one/zebrafish").add([attempt()])
    assert b"zebrafish" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1000)
    kept = ledger(tmp_path)
    kept.add([attempt()])
    assert kept.known()[0].tried == 1
    assert (tmp_path / f"{FILE}.corrupt-1").exists()


def test_a_folder_in_its_place_raises(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(sqlite3.Error):
        ledger(tmp_path).known()


def test_what_stands_beside_a_failure_counts_for_its_way_alone(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    beside = attempt(1, NOTHING, proposer="model", family="", beside=True)
    kept.add([attempt(1), beside])
    assert kept.tallies(LIKE, TODAY, of_all=False)[0].tried == 1
    assert kept.ways("logic", TODAY, of_all=False) == {"by search": (1, 1), "by model": (1, 0)}
    assert kept.ways("contract", TODAY, of_all=False) == {}
    assert kept.forget() == 2
    assert kept.ways("logic", TODAY, of_all=True) == {}


def test_a_persons_word_counts_for_the_way_and_its_model(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    mended = attempt(1, proposer="model", family="model", kind="patch")
    kept.add([mended, replace(mended, proposer=f"model/{kept.mark('small')}", beside=True)])
    kept.decide(mended.run, 1, "rejected")
    found = kept.ways("logic", TODAY, of_all=False)
    assert found == {"by model": (1, 0), f"by model/{kept.mark('small')}": (1, 0), "kind patch": (1, 0)}


def test_a_models_name_is_not_in_the_file(tmp_path: Path) -> None:
    kept = ledger(tmp_path)
    kept.add([attempt(1, proposer=f"model/{kept.mark('secret-project-model')}", beside=True)])
    assert b"secret-project" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert kept.mark("a") != ledger(tmp_path, OTHER_KEY).mark("a")


def test_a_file_of_the_version_before_keeps_what_it_has(tmp_path: Path) -> None:
    kept, old = ledger(tmp_path), replace(LAYOUT, migrations=())
    row = (*kept._row(attempt())[:-2],)
    with transaction(tmp_path / FILE, old) as database:
        database.execute(f"INSERT INTO attempts VALUES ({', '.join('?' * 17)})", row)
    assert kept.attempts() == (attempt(),)
    assert kept.ways("logic", TODAY, of_all=False) == {"by search": (1, 1)}
    assert kept.forget() == 1
    assert kept.ways("logic", TODAY, of_all=False) == {}
