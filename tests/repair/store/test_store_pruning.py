"""The oldest runs go where there are too many."""

import pytest
from fakes.runs import run_at

from repair.store.store import open_store, prune


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def test_the_oldest_runs_go_and_those_in_use_stay(store):
    runs = [run_at(store, second) for second in range(6)]
    runs[1].save_json("applied.json", {})
    (runs[2].path / "result.json").unlink()  # it may still be under way
    prune(store.stored_runs(), most_runs=2)
    assert [run.path.exists() for run in runs] == [False, True, True, False, True, True]
    assert len(store.list_runs().runs) == 4


def test_what_is_not_ours_is_never_deleted(store):
    others = [store.directory / "runs" / f"2024010{day}-120000-resnet" for day in range(1, 4)]
    for folder in others:
        folder.mkdir(parents=True)
        (folder / "model.bin").write_bytes(b"x" * 1000)
    run_at(store, 0)
    prune(store.stored_runs(), most_runs=1, most_bytes=100)
    assert all((folder / "model.bin").exists() for folder in others)


def test_large_runs_go_too_but_not_the_newest(store):
    runs = [run_at(store, second) for second in range(3)]
    for run in runs:
        (run.path / "large").write_bytes(b"x" * 1000)
    prune(store.stored_runs(), most_bytes=900)
    assert [run.path.exists() for run in runs] == [False, False, True]


def test_what_a_killed_process_half_deleted_goes_with_the_next_run(store, tmp_path):
    run_at(store, 0)
    left = store.directory / "runs/.gone-20250101-000000-aa"
    (left / "files").mkdir(parents=True)
    (tmp_path / "theirs").mkdir()
    (store.directory / "runs/.gone-link").symlink_to(tmp_path / "theirs")
    run_at(store, 1)
    assert not left.exists()
    assert (tmp_path / "theirs").is_dir()
