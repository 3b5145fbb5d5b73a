"""What people did with the answers of a project's runs, counted word by word."""

import datetime

import pytest

from analysis.errors import UsageError
from repair.records.result import FileChange, PatchView, Result, Status
from repair.show.recorded_text import stats_text
from repair.store.apply import apply_run, undo_run
from repair.store.atomic import sha256
from repair.store.decisions import ANOTHER, APPROVED, EDITED, HANDED_ON, REJECTED, PersonsDecision, decide
from repair.store.run_stats import count_runs, stats_json
from repair.store.store import open_store

OLD, NEW = b"x = 1\n", b"x = 2\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "a.py").write_bytes(OLD)
    return tmp_path


def stored_run(root, suffix, status=Status.CERTIFIED, **given):
    patch = PatchView(1, status, "a.py", "f", "diff", "d1", files=(FileChange("a.py", sha256(OLD), sha256(NEW)),))
    record = open_store(root).new_run(datetime.datetime(2025, 1, 2), suffix, lambda: 0.0)
    record.save_candidate("d1", "diff", (("a.py", NEW),))
    record.save_result(Result(status, patches=(patch,), **given))
    record.close()
    return record.run


def review_run(run, said, note=""):
    return decide(open_store(run.read_json("run.json")["root"]), run, PersonsDecision(said, ("d1",), note))


def counted(root):
    stats = count_runs(open_store(root).stored_runs())
    return stats, {each.word: each for each in stats.words}


def test_without_runs_nothing_is_known(root):
    stats, words = counted(root)
    assert list(words) == ["certified", "plausible", "rejected"]
    assert all(each.precision is None and not each.runs for each in stats.words)
    assert "unknown" not in stats_text(stats)


def test_what_was_applied_and_undone_is_counted(root):
    store, kept, undone = open_store(root), stored_run(root, "aa"), stored_run(root, "bb")
    apply_run(store, undone, root)
    undo_run(store, undone, root)
    apply_run(store, kept, root)
    stored_run(root, "cc", Status.PLAUSIBLE, answers=("a.f() == 1",))
    _, words = counted(root)
    certified = words["certified"]
    assert (certified.runs, certified.applied, certified.undone) == (2, 2, 1)
    assert (certified.right, certified.wrong, certified.precision) == (1, 1, 0.5)
    assert (words["plausible"].runs, words["plausible"].answered, words["plausible"].precision) == (1, 1, None)


def test_a_patch_that_is_applied_again_counts_as_kept(root):
    store, run = open_store(root), stored_run(root, "aa")
    for deed in (apply_run, undo_run, apply_run):
        deed(store, run, root)
    certified = counted(root)[1]["certified"]
    assert (certified.applied, certified.undone, certified.right, certified.wrong) == (1, 1, 1, 0)


def test_a_patch_that_was_taken_out_by_other_means_is_undone(root):
    store, run = open_store(root), stored_run(root, "aa")
    apply_run(store, run, root)
    (root / "a.py").write_bytes(OLD)
    undo_run(store, run, root)
    assert counted(root)[1]["certified"].undone == 1


def test_what_a_person_says_counts_before_what_was_done(root):
    store, run = open_store(root), stored_run(root, "aa")
    apply_run(store, run, root)
    review_run(run, REJECTED, "it must raise")
    certified = counted(root)[1]["certified"]
    assert (certified.applied, certified.refused, certified.right, certified.wrong) == (1, 1, 0, 1)
    review_run(run, APPROVED)
    certified = counted(root)[1]["certified"]
    assert (certified.approved, certified.refused, certified.precision) == (1, 0, 1.0)


def test_who_rejects_what_we_rejected_agrees(root):
    review_run(stored_run(root, "aa", Status.REJECTED), REJECTED)
    review_run(stored_run(root, "bb", Status.REJECTED), APPROVED)
    rejected = counted(root)[1]["rejected"]
    assert (rejected.right, rejected.wrong) == (1, 1)


def test_broken_foreign_and_other_records_are_passed_over_and_told_apart(root):
    stored_run(root, "aa", Status.UNREPAIRED)
    damaged, torn = stored_run(root, "bb"), stored_run(root, "cc")
    (damaged.path / "result.json").write_text("{")
    review_run(torn, APPROVED)
    (torn.path / "review.json").write_text('{"said": "rejected"}')
    foreign = stored_run(root, "dd")
    (foreign.path / "seals" / "run.json").write_text("0")
    stats, words = counted(root)
    assert (stats.others, stats.damaged, stats.foreign, words["certified"].runs) == (1, 2, 1, 0)
    assert "not counted: 1 run without such a word, 2 damaged records, 1 foreign run" in stats_text(stats)


def test_what_has_no_patch_cannot_be_reviewed(root):
    with pytest.raises(UsageError, match="ended as unrepaired: there is no patch to review"):
        review_run(stored_run(root, "aa", Status.UNREPAIRED), APPROVED)
    foreign = stored_run(root, "bb")
    (foreign.path / "seals" / "run.json").write_text("0")
    with pytest.raises(UsageError, match="is foreign"):
        review_run(foreign, APPROVED)


def test_the_table_and_the_json_say_the_same(root):
    review_run(stored_run(root, "aa"), APPROVED)
    stored_run(root, "bb", Status.PLAUSIBLE)
    stats, _ = counted(root)
    rows = [line.split() for line in stats_text(stats).splitlines()]
    assert rows[1] == ["certified", "1", "0", "0", "0", "1", "0", "100", "%", "of", "1"]
    assert rows[2][-1] == "unknown"
    assert "repair review" in stats_text(stats)
    values = stats_json(stats)
    assert values["schema"] == "repair.stats/1"
    assert values["words"][0] == {
        "word": "certified", "runs": 1, "applied": 0, "undone": 0, "answered": 0, "approved": 1, "edited": 0,
        "another": 0, "handed_on": 0, "rejected": 0, "right": 1, "wrong": 0, "precision": 1.0,
    }  # fmt: skip


def test_what_was_done_in_review_is_counted_and_changes_no_precision(root):
    run = stored_run(root, "aa")
    for said in (EDITED, ANOTHER, HANDED_ON, EDITED):
        review_run(run, said)
    stats, words = counted(root)
    certified = words["certified"]
    assert (certified.edited, certified.another, certified.handed_on, certified.precision) == (1, 1, 1, None)
    assert "in review: 1 patch edited, 1 patch sent back for another, 1 patch handed on" in stats_text(stats)
