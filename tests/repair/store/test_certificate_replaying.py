"""A certificate is proved against the same bytes, and never promises more than is written in it."""

import hashlib
import re

import pytest

from analysis.errors import ConflictError, UsageError
from repair.records.result import Status
from repair.store.certificate import (
    certified_change,
    compare_verdicts,
    layer_of,
    seed_of,
)
from repair.store.certificate import tests_of as mended_by


def sha(content):
    return hashlib.sha256(content).hexdigest() if content is not None else ""


CHANGED = {"a.py": (b"old", b"new"), "added.py": (None, b"here"), "gone.py": (b"was", None)}
STORE = {sha(text): text for pair in CHANGED.values() for text in pair if text is not None}
WRITTEN = {
    "schema": "repair.certificate/1",
    "status": "certified",
    "seed": 7,
    "tests": {"fail_to_pass": ["t.py::a", "t.py::b"]},
    "files": [{"path": path, "before": sha(old), "after": sha(new)} for path, (old, new) in CHANGED.items()],
}


def change_in(project, written=WRITTEN, *, is_foreign=False):
    return certified_change(written, project.get, STORE.__getitem__, is_foreign=is_foreign)


@pytest.mark.parametrize(
    "project",
    [
        {"a.py": b"old", "gone.py": b"was"},
        {"a.py": b"new", "added.py": b"here"},
        {"a.py": b"new", "added.py": b"here", "gone.py": b"was"},
    ],
)
def test_the_change_is_the_same_whether_it_was_applied_or_not(project):
    change = change_in(project)
    assert dict(change.before) == {"a.py": b"old", "gone.py": b"was"}
    assert dict(change.after) == {"a.py": b"new", "added.py": b"here"}


@pytest.mark.parametrize(
    "project",
    [
        {"a.py": b"edited", "gone.py": b"was"},
        {"gone.py": b"was"},
        {"a.py": b"old", "gone.py": b"edited"},
        {"a.py": b"old", "gone.py": b"was", "added.py": b"another"},
    ],
)
def test_another_state_of_the_project_is_a_conflict(project):
    with pytest.raises(ConflictError, match="no longer what"):
        change_in(project)


@pytest.mark.parametrize(
    ("found", "where"),
    [
        (b"olt", "which differs at byte 3 (line 1, column 3): 't', and it was 'd'"),
        (b"new\n", r"which differs at byte 4 (line 1, column 4): '\n', and it was the end"),
        (None, "which is gone"),
    ],
)
def test_a_conflict_names_the_place_in_the_text_that_is_nearest(found, where):
    with pytest.raises(ConflictError, match=re.escape(where)):
        change_in({"a.py": found, "gone.py": b"was"})


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"schema": "repair.certificate/9"}, "of this version"),
        ({"files": 3}, "cannot be read"),
        ({"files": [{"path": "a.py"}]}, "cannot be read"),
        ({"files": None}, "cannot be read"),
    ],
)
def test_a_damaged_certificate_is_refused(changed, found):
    with pytest.raises(UsageError, match=found):
        change_in({"a.py": b"old"}, {**WRITTEN, **changed})


def test_tests_and_seed_are_those_that_were_written():
    assert mended_by(WRITTEN) == ("t.py::a", "t.py::b")
    assert seed_of(WRITTEN) == 7


@pytest.mark.parametrize("read", [mended_by, seed_of])
@pytest.mark.parametrize("written", [{}, {"tests": [], "seed": "x"}])
def test_what_is_missing_is_said(read, written):
    with pytest.raises(UsageError, match="cannot be read"):
        read(written)


@pytest.mark.parametrize(
    ("written", "now", "status", "word"),
    [
        ("certified", Status.CERTIFIED, Status.CERTIFIED, "as before"),
        ("certified", Status.PLAUSIBLE, Status.PLAUSIBLE, "now it is plausible"),
        ("certified", Status.REJECTED, Status.REJECTED, "now it is rejected"),
        ("plausible", Status.CERTIFIED, Status.PLAUSIBLE, "stays plausible"),
        ("rejected", Status.CERTIFIED, Status.REJECTED, "stays rejected"),
        ("rejected", Status.PLAUSIBLE, Status.REJECTED, "stays rejected"),
        ("certified", Status.ENVIRONMENT, Status.ENVIRONMENT, "now it is environment"),
    ],
)
def test_a_replay_never_says_more_than_is_written(written, now, status, word):
    found, message = compare_verdicts({"status": written}, now)
    assert found is status
    assert word in message


@pytest.mark.parametrize("written", ["", "superb", None])
def test_an_unknown_word_proves_nothing(written):
    with pytest.raises(UsageError, match="cannot be read"):
        compare_verdicts({"status": written}, Status.CERTIFIED)


LAYER = {
    "schema": "repair.certificate/1",
    "layer": [{"path": "shop.py", "digest": sha(b"new")}],
    "states": [sha(b"old")],
}


def layer_in(project, written, *, is_foreign=False):
    return layer_of(written, project.get, STORE.__getitem__, is_foreign=is_foreign)


@pytest.mark.parametrize("now", [b"new", b"old"])
def test_a_layer_is_laid_over_a_state_that_the_run_knew(now):
    assert layer_in({"shop.py": now}, LAYER) == (("shop.py", b"new"),)


def test_a_layer_is_not_laid_over_an_edit():
    with pytest.raises(ConflictError, match="no longer what"):
        layer_in({"shop.py": b"edited"}, LAYER)


@pytest.mark.parametrize("now", [b"new", b"old"])
def test_a_foreign_record_brings_no_program_of_its_own(now):
    with pytest.raises(UsageError, match="program of its own"):
        layer_in({"shop.py": now}, LAYER, is_foreign=True)
    assert layer_in({}, WRITTEN, is_foreign=True) == ()


@pytest.mark.parametrize("path", ["conftest.py", "tests/helper.py", "test_shop.py", "pytest.ini", "added.py"])
def test_a_layer_holds_sources_of_the_program_alone(path):
    project = dict.fromkeys(("conftest.py", "tests/helper.py", "test_shop.py", "pytest.ini"), b"new")
    with pytest.raises(UsageError, match=f"on {path}, which is no source file"):
        layer_in(project, {"layer": [{"path": path, "digest": sha(b"new")}]})


def test_states_of_a_foreign_record_count_for_nothing():
    project, written = {"a.py": b"edited", "gone.py": b"was"}, {**WRITTEN, "states": [sha(b"edited")]}
    assert dict(change_in(project, written).after)["a.py"] == b"new"
    with pytest.raises(ConflictError, match="no longer what"):
        change_in(project, written, is_foreign=True)
