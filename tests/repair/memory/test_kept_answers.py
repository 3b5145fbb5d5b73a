"""An answer holds until the function's text changes, for runs that meet the function, where the user sealed it."""

from __future__ import annotations

import json
import os
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from repair.memory.kept_answers import (
    FILE,
    REJECTIONS,
    SET_ASIDE,
    KeptAnswer,
    find_answers,
    fingerprint_of,
    forget_answers,
    forget_rejections,
    keep_answers,
    keep_rejections,
    known_rejections,
    read_answers,
    read_rejections,
)
from repair.records.json_records import to_plain
from repair.records.result import FailureView, PatchView, Result, Status
from repair.store.decisions import PersonsDecision
from repair.store.stored_run import REVIEW, Seals, StoredRun

KEY = b"k" * 32
SOURCE = b"def other():\n    pass\n\n\ndef postage(total):\n    return 5\n"
ANSWER = KeptAnswer(
    "post.postage(49)",
    "post.postage(49) == 5",
    "post.py",
    "postage",
    fingerprint_of(SOURCE, "postage"),
    ("tests/test_post.py::test_free",),
)


def read(path: str, source: bytes = SOURCE) -> bytes | None:
    return source if path == "post.py" else None


def test_an_answer_comes_back_from_the_file(tmp_path: Path) -> None:
    keep_answers(tmp_path, KEY, [ANSWER])
    assert read_answers(tmp_path, KEY) == (ANSWER,)
    assert forget_answers(tmp_path, KEY) == 1
    assert read_answers(tmp_path, KEY) == ()


def test_a_later_answer_on_the_same_call_replaces_the_earlier(tmp_path: Path) -> None:
    later = replace(ANSWER, text="post.postage(49) == 0")
    keep_answers(tmp_path, KEY, [ANSWER])
    keep_answers(tmp_path, KEY, [later])
    assert read_answers(tmp_path, KEY) == (later,)


def test_what_another_key_sealed_or_somebody_edited_is_nothing(tmp_path: Path) -> None:
    keep_answers(tmp_path, b"o" * 32, [ANSWER])
    assert read_answers(tmp_path, KEY) == ()
    keep_answers(tmp_path, KEY, [ANSWER])
    held = json.loads((tmp_path / FILE).read_bytes())
    held["held"][0]["text"] = "post.postage(49) == 6"
    (tmp_path / FILE).write_text(json.dumps(held))
    assert read_answers(tmp_path, KEY) == ()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"seal": 1, "held": {}}', b"\xff" * 40, b"[" * 100_000])
def test_a_damaged_file_holds_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert read_answers(tmp_path, KEY) == ()


def test_a_pipe_in_its_place_holds_nothing_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    assert read_answers(tmp_path, KEY) == ()
    keep_answers(tmp_path, KEY, [ANSWER])
    assert read_answers(tmp_path, KEY) == (ANSWER,)


def test_two_engines_at_once_lose_no_answer(tmp_path: Path) -> None:
    many = [replace(ANSWER, call=f"post.postage({n})") for n in range(12)]
    threads = [threading.Thread(target=keep_answers, args=(tmp_path, KEY, [each])) for each in many]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(each.call for each in read_answers(tmp_path, KEY)) == sorted(each.call for each in many)


def test_it_holds_until_the_text_changes() -> None:
    assert find_answers([ANSWER], read, ()).holding == (ANSWER,)
    elsewhere = SOURCE.replace(b"pass", b"return None")
    assert find_answers([ANSWER], lambda path: read(path, elsewhere), ()).holding == (ANSWER,)
    changed = SOURCE.replace(b"return 5", b"return 6")
    found = find_answers([ANSWER], lambda path: read(path, changed), ())
    assert (found.holding, found.outdated) == ((), (ANSWER,))
    assert find_answers([ANSWER], lambda path: None, ()).outdated == (ANSWER,)


@pytest.mark.parametrize(
    ("tests", "function", "is_met"),
    [
        ((), "", True),
        (("tests/test_post.py::test_free",), "", True),
        (("tests/test_post.py",), "", True),
        (("tests",), "", True),
        (("tests/test_post.py::test_fr",), "", False),
        (("tests/test_other.py::test_a",), "", False),
        (("tests/test_other.py::test_a",), "post.py:postage", True),
        ((), "other", False),
    ],
)
def test_a_run_meets_it_by_its_tests_or_its_function(tests: tuple[str, ...], function: str, is_met: bool) -> None:
    assert bool(find_answers([ANSWER], read, tests, function).holding) is is_met


def test_a_file_that_another_key_sealed_is_set_aside_and_not_written_over(tmp_path: Path) -> None:
    keep_answers(tmp_path, b"another key", [ANSWER])
    before = (tmp_path / FILE).read_bytes()
    keep_answers(tmp_path, KEY, [ANSWER])
    assert read_answers(tmp_path, KEY) == (ANSWER,)
    assert (tmp_path / SET_ASIDE).read_bytes() == before


def test_the_fingerprint_is_of_all_functions_of_that_name() -> None:
    """The last one is what calls meet; overloads and a getter stand before it."""
    one = b"def f(n):\n    return 1\n\n\ndef f(n):\n    return 2\n"
    assert fingerprint_of(one, "f") != fingerprint_of(one.replace(b"return 2", b"return 3"), "f")
    assert fingerprint_of(one, "g") == ""


def rejected_run(folder: Path, name: str, *said: PersonsDecision, key: bytes = KEY) -> StoredRun:
    run = StoredRun(name, folder / name, Seals(key))
    run.path.mkdir()
    run.save_json("run.json", {"id": name, "root": "/shop"})
    diff = "--- a/shop.py\n+++ b/shop.py\n-    return a\n+    return a + 1\n"
    patch = PatchView(1, Status.CERTIFIED, "shop.py", "total", diff, "d1")
    failures = (FailureView("test_a.py::test_a", "logic"),)
    run.save_json("result.json", Result(Status.CERTIFIED, run=name, patches=(patch,), failures=failures).to_json())
    run.save_json(REVIEW, {"decisions": [to_plain(each) for each in said]})
    return run


NO = PersonsDecision("rejected", ("d1",), "it hides\nthe fault", "ann")


def test_a_rejection_outlives_its_run_with_its_reason(tmp_path: Path) -> None:
    run = rejected_run(tmp_path, "20260101-000000-aaaaaa", NO)
    (kept,) = keep_rejections(tmp_path, KEY, [run])
    assert (kept.change, kept.note, kept.by) == ("return a + 1", "it hides the fault", "ann")
    assert kept.tests == ("test_a.py::test_a",)
    shutil.rmtree(run.path)
    assert keep_rejections(tmp_path, KEY, []) == (kept,)
    assert read_rejections(tmp_path, KEY) == (kept,)
    assert forget_rejections(tmp_path, KEY) == 1
    assert read_rejections(tmp_path, KEY) == ()


def test_the_last_word_on_a_patch_counts(tmp_path: Path) -> None:
    run = rejected_run(tmp_path, "20260101-000000-aaaaaa", NO)
    assert len(keep_rejections(tmp_path, KEY, [run])) == 1
    yes = PersonsDecision("approved", ("d1",))
    run.save_json(REVIEW, {"decisions": [to_plain(each) for each in (NO, yes)]})
    assert keep_rejections(tmp_path, KEY, [run]) == read_rejections(tmp_path, KEY) == ()


def test_rejections_of_others_and_of_damaged_records_are_not_taken(tmp_path: Path) -> None:
    foreign = rejected_run(tmp_path, "20260101-000000-aaaaaa", NO, key=b"o" * 32)
    assert keep_rejections(tmp_path, KEY, [StoredRun(foreign.id, foreign.path, Seals(KEY))]) == ()
    damaged = rejected_run(tmp_path, "20260101-000000-bbbbbb", NO)
    (damaged.path / REVIEW).write_text("{")
    assert keep_rejections(tmp_path, KEY, [damaged]) == ()
    (tmp_path / REJECTIONS).write_text(json.dumps({"seal": "0" * 64, "held": [{"run": "x"}]}))
    assert read_rejections(tmp_path, KEY) == ()


def test_looking_writes_nothing(tmp_path: Path) -> None:
    run = rejected_run(tmp_path, "20260101-000000-aaaaaa", NO)
    assert len(known_rejections(tmp_path, KEY, [run])) == 1
    assert not (tmp_path / REJECTIONS).exists()
