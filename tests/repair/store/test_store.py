"""All runs of a project: listed, and found by their names."""

import shutil

import pytest
from fakes.runs import run_at

from analysis.errors import UsageError
from repair.records.result import PatchView, Result, Status
from repair.store.store import open_store


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def test_runs_are_listed_newest_first(store):
    run_at(store, 1, result=None)
    run_at(store, 2)
    rows = store.list_runs().runs
    assert [(row.id[-5:], row.status, row.function) for row in rows] == [
        ("02-aa", "certified", "f"),
        ("01-aa", "interrupted", ""),
    ]
    assert rows[0].started == "2025-01-02 12:00:02"


def test_runs_are_found_by_id_prefix_and_latest(store):
    first, second = run_at(store, 1, "aa"), run_at(store, 1, "ab")
    assert store.load_run("latest") == second
    assert store.load_run(first.id) == first
    with pytest.raises(UsageError, match="may mean 2 runs"):
        store.load_run("20250102-120001-a")
    with pytest.raises(UsageError, match=r"No run '2024'.*newest is 20250102-120001-ab"):
        store.load_run("2024")


def test_a_run_that_was_not_asked_for_rightly_is_not_the_latest(store):
    first = run_at(store, 1)
    wrong = run_at(store, 2, result=Result(Status.USAGE, "r2"))
    assert store.load_run("latest") == first
    assert store.load_run(wrong.id) == wrong


def patched(status=Status.CERTIFIED, proposer="search"):
    return Result(status, patches=(PatchView(1, status, "m.py", "f", "", "", proposer=proposer),))


def test_the_latest_fix_is_the_newest_run_with_a_patch_of_its_own(store):
    with pytest.raises(UsageError, match="No run has a patch"):
        store.latest_fix()
    run_at(store, 1, result=patched())
    wanted = run_at(store, 2, result=patched(Status.PLAUSIBLE, "model"))
    run_at(store, 3, result=patched(proposer="foreign"))  # a change that was only judged
    run_at(store, 4, result=patched(Status.REJECTED))
    run_at(store, 5, result=Result(Status.DIAGNOSED))
    run_at(store, 6, result=None)
    (run_at(store, 7).path / "result.json").write_text("[]")
    assert store.latest_fix() == wanted


def test_where_no_other_run_is_there_the_latest_may_be_a_wrong_one(store):
    wrong = run_at(store, 1, result=Result(Status.USAGE, "r1"))
    assert store.load_run("latest") == wrong


@pytest.mark.parametrize("name", ["../../etc", "", "/", ".."])
def test_no_name_leads_out_of_the_store(store, name):
    run_at(store, 1)
    with pytest.raises(UsageError):
        store.load_run(name)


def test_an_exact_id_beats_a_longer_one(store):
    short = run_at(store, 1, "a")
    run_at(store, 1, "ab")
    assert store.load_run(short.id) == short


def test_deleted_runs_leave_the_list_and_found_ones_enter_it(store):
    run_at(store, 1)
    gone = run_at(store, 2)
    store.list_runs()
    shutil.rmtree(gone.path)
    run_at(store, 3)
    (store.directory / "index.sqlite").unlink()
    assert [row.id[13:15] for row in store.list_runs().runs] == ["03", "01"]


def test_a_damaged_result_is_listed_and_named(store):
    run = run_at(store, 1)
    (run.path / "result.json").write_text("{")
    (store.directory / "index.sqlite").unlink()
    assert [row.status for row in store.list_runs().runs] == ["damaged"]
    with pytest.raises(UsageError, match=r"damaged.*result\.json"):
        run.result()
