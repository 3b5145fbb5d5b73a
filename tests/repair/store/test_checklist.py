"""The checklist of failing tests, kept between runs."""

import json

import pytest

from analysis.errors import UsageError
from repair.records.result import AnalysisView, CauseView, FailureView, ModelAttempt, Result, Status
from repair.store.checklist import (
    DATA,
    PAGE,
    Checklist,
    keep_checklist,
    read_checklist,
    read_earlier_attempts,
    read_open_tests,
)

WHY = AnalysisView("1 is not 2; likeliest in price (shop.py:3)", "logic", "one line, 3", "update", "one place")
A = FailureView("t.py::test_a", "logic", "wrong_value", "AssertionError", "assert 1 == 2", analysis=WHY)
B = FailureView("t.py::test_b", "logic")
E = FailureView("t.py::test_e", "environment", exception="ModuleNotFoundError", message="No module named 'x\x1b[1m'")


def states(checklist):
    return {entry.test[-1]: entry.state for entry in checklist.entries}


def test_a_second_run_goes_on_from_the_first(tmp_path):
    causes = (CauseView(1, (A.test,), Status.CERTIFIED), CauseView(2, (B.test,), Status.UNREPAIRED, messages=("none",)))
    first = Result(Status.CERTIFIED, "r1", failures=(A, B), set_aside=(E,), causes=causes)
    assert keep_checklist(tmp_path, first) == tmp_path / PAGE
    assert states(read_checklist(tmp_path)) == {"a": "mended", "b": "open", "e": "aside"}
    again = Result(Status.UNREPAIRED, "r2", failures=(B,), messages=("time was up",))
    keep_checklist(tmp_path, again, (A.test,))
    found = {entry.test: entry for entry in read_checklist(tmp_path).entries}
    assert states(read_checklist(tmp_path)) == {"a": "passes", "b": "open", "e": "aside"}
    assert found[B.test].attempts == 2
    assert found[B.test].tries == ("r1: open, unrepaired: none", "r2: open, unrepaired: time was up")
    assert found[A.test].tries[0].startswith("r1: mended, in run r1, certified")


def test_people_read_boxes_and_why(tmp_path):
    keep_checklist(tmp_path, Result(Status.UNREPAIRED, "r1", failures=(A,), set_aside=(E,)))
    page = (tmp_path / PAGE).read_text()
    assert "1 open of 2." in page
    assert f"- [ ] `{A.test}`: open (unrepaired: no more is known)" in page
    assert "  - cause: 1 is not 2; likeliest in price (shop.py:3)\n  - scope: one line, 3\n" in page
    assert "  - kind of edit: update: one place" in page
    assert f"- [-] `{E.test}`: aside (environment: no patch of a function helps)" in page
    assert "\x1b" not in page


def test_a_diagnosis_is_no_try_and_takes_no_patch_back():
    mended = Checklist().take_in(Result(Status.PLAUSIBLE, "r1", failures=(A,)))
    now = mended.take_in(Result(Status.DIAGNOSED, "r2", failures=(A, B)))
    assert states(now) == {"a": "mended", "b": "open"}
    assert [entry.attempts for entry in now.entries] == [1, 0]
    assert f"- [~] `{A.test}`: mended (in run r1, plausible;" in now.to_text()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"entries": [{}]}', b"\xff", b"[" * 100_000])
def test_a_list_that_cannot_be_read_is_begun_anew(tmp_path, content):
    (tmp_path / DATA).write_bytes(content)
    assert read_checklist(tmp_path) == Checklist()
    keep_checklist(tmp_path, Result(Status.DIAGNOSED, "r1", failures=(B,)))
    assert json.loads((tmp_path / DATA).read_bytes())["entries"][0]["test"] == B.test


def test_open_tests_can_be_asked_for(tmp_path):
    with pytest.raises(UsageError, match="no open test"):
        read_open_tests(tmp_path)
    causes = (CauseView(1, (A.test,), Status.CERTIFIED), CauseView(2, (B.test,), Status.UNREPAIRED))
    keep_checklist(tmp_path, Result(Status.CERTIFIED, "r1", failures=(A, B), causes=causes))
    assert read_open_tests(tmp_path) == (B.test,)


def test_without_a_failure_nothing_is_written(tmp_path):
    assert keep_checklist(tmp_path, Result(Status.NOTHING_FAILS, "r1")) is None
    assert list(tmp_path.iterdir()) == []


def test_what_a_model_tried_is_kept_for_the_next_run(tmp_path):
    tried = ModelAttempt("shop.py", "price", (A.test,), kind="update", explanation="off by one", outcome="failed")
    keep_checklist(tmp_path, Result(Status.UNREPAIRED, "r1", failures=(A, B), attempts=(tried,)))
    assert read_earlier_attempts(tmp_path) == {A.test: ("price, update (off by one): failed",), B.test: ()}
    assert "    - price, update (off by one): failed" in (tmp_path / PAGE).read_text()
    keep_checklist(tmp_path, Result(Status.CERTIFIED, "r2", failures=(A,)))
    assert A.test not in read_earlier_attempts(tmp_path), "it is mended"
