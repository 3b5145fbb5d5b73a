"""Answers of earlier runs are laid under a run that meets their function, and told where they are old."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from repair.front.earlier_answers import (
    add_earlier_answers,
    add_rejections,
    keep_given_answers,
    rejected_before,
    warn_of_rejected,
)
from repair.memory.kept_answers import KeptRejection
from repair.records.change import Change
from repair.records.config import Options
from repair.records.events import Event
from repair.records.result import FailureView, PatchView, Result, Status, SuspectView
from repair.store.store import open_store

SOURCE = b"def postage(total):\n    return 5\n"
TEST = "tests/test_post.py::test_free"


def place(root: Path, source: bytes = SOURCE) -> Any:
    files = {"post.py": source, "tests/test_post.py": b"def test_free():\n    pass\n"}
    snapshot = SimpleNamespace(read=lambda names: {name: files[name] for name in names if name in files})
    sandbox = SimpleNamespace(snapshot=snapshot, sources=lambda: tuple(files.items()))
    return SimpleNamespace(target=SimpleNamespace(root=str(root)), sandbox=sandbox)


@pytest.fixture
def options(tmp_path: Path) -> Options:
    (tmp_path / "project").mkdir()
    given = ("post.postage(49) == 5",)
    told = Options(root=str(tmp_path / "project"), state_dir=str(tmp_path / "state"), answers=given)
    result = Result(
        Status.PLAUSIBLE,
        run="20260101-000000-aaaaaa",
        failures=(FailureView(TEST, "logic"),),
        suspects=(SuspectView("post.py", "postage", 1, 1.0),),
    )
    assert keep_given_answers(told, result, place(Path(told.root))) == ""
    return Options(root=told.root, state_dir=told.state_dir)


def laid(options: Options, *tests: str, source: bytes = SOURCE, change: Change | None = None) -> tuple[Any, list[str]]:
    heard: list[Event] = []
    found = add_earlier_answers(options, tests, place(Path(options.root), source), heard.append, change)
    return found.answers, [str(dict(each.fields)["message"]) for each in heard]


def test_an_answer_is_laid_under_the_next_run_and_said(options: Options) -> None:
    answers, said = laid(options, TEST)
    assert answers == ("post.postage(49) == 5",)
    assert "--no-answers" in said[0]


def test_another_test_does_not_meet_it(options: Options) -> None:
    assert laid(options, "tests/test_other.py::test_a") == ((), [])


def test_where_the_function_has_changed_it_is_asked_again(options: Options) -> None:
    answers, said = laid(options, TEST, source=SOURCE.replace(b"5", b"6"))
    assert answers == ()
    assert "if that holds still, give it with --answer" in said[0]


def test_a_change_of_another_file_does_not_meet_it(options: Options) -> None:
    own, other = (Change(((name, SOURCE),), ((name, SOURCE + b"#\n"),)) for name in ("post.py", "other.py"))
    assert laid(options, change=own)[0] == ("post.postage(49) == 5",)
    assert laid(options, change=other)[0] == ()


def test_what_is_given_now_counts_instead(options: Options) -> None:
    now = Options(root=options.root, state_dir=options.state_dir, answers=("post.postage(49) == 0",))
    assert laid(now, TEST) == (("post.postage(49) == 0",), [])


def test_it_can_be_left_out(options: Options) -> None:
    assert laid(Options(root=options.root, state_dir=options.state_dir, old_answers=False), TEST) == ((), [])


def test_one_that_names_what_is_gone_does_not_end_the_run(options: Options, tmp_path: Path) -> None:
    gone = Options(root=options.root, state_dir=options.state_dir, answers=("gone.postage(1) == 5",))
    result = Result(Status.PLAUSIBLE, run="r", suspects=(SuspectView("post.py", "postage", 1, 1.0),))
    assert keep_given_answers(gone, result, place(Path(options.root))) == ""
    assert laid(options)[0] == ("post.postage(49) == 5",)


def test_a_result_without_a_function_keeps_nothing(tmp_path: Path, options: Options) -> None:
    assert keep_given_answers(options, Result(Status.NOTHING_FAILS), place(Path(options.root))) == ""


REJECTED = KeptRejection("run-1", "post.py", "postage", "d1", "return 0", "nobody ships for nothing", "ann", (TEST,))


def test_a_patch_that_a_person_rejected_before_is_told_when_it_comes_again() -> None:
    patches = (PatchView(1, Status.CERTIFIED, "post.py", "postage", "diff", "d1"),)
    (said,) = warn_of_rejected(Result(Status.CERTIFIED, patches=patches), (REJECTED,))
    assert said == "postage: this very patch was rejected by ann in run run-1: nobody ships for nothing"
    other = (replace(patches[0], digest="d2"),)
    assert warn_of_rejected(Result(Status.CERTIFIED, patches=other), (REJECTED,)) == ()


def test_models_are_told_of_rejections_behind_what_was_tried() -> None:
    told = add_rejections({TEST: ("a line",), "test_b": ("another",)}, (REJECTED,))
    assert told["test_b"] == ("another",)
    assert told[TEST][0] == "a line"
    assert "nobody ships for nothing; it puts in: return 0" in told[TEST][1]


def test_rejections_are_left_out_where_the_memory_is_off(options: Options) -> None:
    store = open_store(options.root, options.state_dir)
    assert rejected_before(replace(options, memory="off"), store, is_asked=True) == ()
    assert rejected_before(options, store, is_asked=False) == ()
    assert rejected_before(options, store, is_asked=True) == ()
