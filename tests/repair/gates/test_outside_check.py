"""Checks of third parties: what they say is told with their name, weighs nothing, and whatever they do ends nothing."""

from __future__ import annotations

import io
import json
import sys
import tempfile
import time
from types import SimpleNamespace
from typing import Any

import pytest
from fakes.submission import submission_of

from analysis.behaviour import Call, CallOrigin, Difference, Returned
from repair.checks.weighing import weigh_evidence
from repair.checks.weights import shipped_weights
from repair.gates import outside_check
from repair.gates.outside_check import (
    LONGEST_CLAIM,
    _answer_of,
    _read,
    _run,
    add_outside_checks,
    ask_check,
    in_texts,
)
from repair.records.json_records import to_plain
from repair.records.ports import PatchInTexts
from repair.records.verdict import CORE_GATES, Decision, Evidence, Verdict

SHOWN = PatchInTexts("shop.py", "price", "old", "new", "-old\n+new\n", ("test_shop.py::test_a",))
CHANGE = Difference(Call("price", "(3)", origin=CallOrigin.GENERATED), Returned("4"), Returned("5"))
ALL_YES = tuple(Evidence(name, Decision.ACCEPT, "yes") for name in CORE_GATES)


def answered(monkeypatch: pytest.MonkeyPatch, check: Any) -> tuple[str, bool]:
    """What is told of a check that is this function, as the child would say it."""
    monkeypatch.setattr(
        outside_check, "entry_points", lambda group: [SimpleNamespace(name="house", load=lambda: check)]
    )
    said = dict(_answer_of("house", io.StringIO(json.dumps(to_plain(SHOWN)))))
    return _read("house", json.dumps(said).encode())


def test_a_doubt_is_told_with_the_name_and_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    told = answered(monkeypatch, lambda patch: f"{patch.function}\n of {patch.file}\x1b \ud800")
    assert told == (
        "house doubts it, which weighs nothing: price of shop.py\x1b ?",
        True,
    )


@pytest.mark.parametrize("nothing", [None, "", "  \n"])
def test_nothing_is_told_of_a_check_that_has_no_doubt(monkeypatch: pytest.MonkeyPatch, nothing: Any) -> None:
    assert answered(monkeypatch, lambda patch: nothing) == ("", False)


def _raise(problem: BaseException) -> Any:
    raise problem


@pytest.mark.parametrize(
    ("check", "why"),
    [
        (lambda patch: _raise(KeyError("a")), "failed: KeyError: 'a'"),
        (lambda patch: _raise(SystemExit(3)), "failed: SystemExit: 3"),
        (lambda patch: True, "gave no text but bool"),
        (lambda patch: b"doubt", "gave no text but bytes"),
        (7, "failed: TypeError: 'int' object is not callable"),
    ],
)
def test_what_a_bad_one_does_is_told_and_is_no_doubt(monkeypatch: pytest.MonkeyPatch, check: Any, why: str) -> None:
    assert answered(monkeypatch, check) == (f"house {why}", False)


def test_a_huge_text_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    told, doubts = answered(monkeypatch, lambda patch: "x" * 10_000_000)
    assert doubts
    assert len(told) < LONGEST_CLAIM + 100


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b'{"doubt": 3}', b'"doubt"', b"\xff", b"[" * 100_000])
def test_an_answer_that_nobody_can_read_is_told(said: bytes) -> None:
    told = "house ended without an answer that can be read"
    assert _read("house", said) == (told, False)


def test_one_that_hangs_ends_with_all_that_it_started() -> None:
    text = "import os, time\nif os.fork(): time.sleep(60)\nprint(1, flush=True)\ntime.sleep(60)"
    began = time.monotonic()
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as answer:
        assert not _run([sys.executable, "-c", text], asked, answer, 0.5)
    assert time.monotonic() - began < 30


def test_a_name_that_nobody_offers_is_trouble_of_the_child_alone() -> None:
    told, doubts = ask_check("nobody", SHOWN, 60)
    assert (told, doubts) == ("nobody failed: StopIteration", False)


def test_without_time_none_is_asked() -> None:
    told = "house was not asked: the time of the run was up"
    assert ask_check("house", SHOWN, 0.1) == (told, False)


@pytest.mark.parametrize("answer", [("the check house says no", True), ("the check house failed", False), ("", False)])
def test_no_word_no_claim_and_no_risk_moves(monkeypatch: pytest.MonkeyPatch, answer: tuple[str, bool]) -> None:
    monkeypatch.setattr(outside_check, "ask_check", lambda name, shown, seconds: answer)
    added = add_outside_checks(["house", "house"], lambda: 60.0, submission_of(), ALL_YES)
    told = [each for evidence in added for each in evidence.others_say]
    assert told == ([answer[0]] if answer[0] else [])
    weighed, without = (weigh_evidence(each, shipped_weights(), 0.02) for each in (added, ALL_YES))
    assert weighed[1] == without[1]
    assert [(e.gate, e.decision, e.claim) for e in weighed[0]] == [(e.gate, e.decision, e.claim) for e in without[0]]
    assert Verdict(*weighed[:1], risk=weighed[1]).status is Verdict(*without[:1], risk=without[1]).status
    features = dict(added[-1].features)
    assert features == ({"outside.house": 1.0} if answer[1] else {})


def test_a_rejected_patch_is_shown_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside_check, "ask_check", lambda *_: pytest.fail("it was asked"))
    rejected = (*ALL_YES[:3], Evidence("fixes", Decision.REJECT, "no"))
    assert add_outside_checks(["house"], lambda: 60.0, submission_of(), rejected) == rejected
    assert add_outside_checks([], lambda: 60.0, submission_of(), ALL_YES) == ALL_YES


def test_what_is_shown_are_texts_and_the_calls_that_change() -> None:
    evidence = Evidence("behaviour", Decision.ACCEPT, "", changes=(CHANGE,))
    shown = in_texts(submission_of(), (evidence,))
    assert (shown.calls[0].call, shown.calls[0].before, shown.calls[0].after) == ("price(3)", "returns 5", "returns 4")
    assert shown.before
    assert shown.function
