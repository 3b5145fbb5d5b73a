"""Mutants that the gate does not run, held against a gate that runs all of them, on a real project."""

from __future__ import annotations

import sys
from pathlib import Path

from fakes.bare import bare_target
from fakes.submission import FAILING, HEAD, OLD, PASSING, submission_of

from analysis.facts import Limits
from repair.compare.patched_server import PatchedServer
from repair.gates.mutation import Mutation
from repair.observe.patched import PatchedRun
from repair.records.verdict import Decision
from sandbox.sandbox import LocalSandbox

NEW = b"""\
def price(text):
    if not text:
        return 0
    try:
        return int(float(text))
    except OverflowError:
        return -1
"""
TESTS = """\
from shop import price


def test_price():
    assert price("5.5") == 5


def test_empty():
    assert price("") == 0
"""
LIMITS = Limits(wall_seconds=60.0, test_seconds=20.0)


def test_what_is_not_run_would_have_survived(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(HEAD + OLD)
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    target = bare_target(tmp_path, python=sys.executable)
    submission = submission_of(new=NEW, vouching=(FAILING, PASSING))
    with LocalSandbox(target, limits=LIMITS) as sandbox:
        patched = PatchedRun(sandbox, LIMITS)
        patched.of(submission)  # a gate that needs it has run it before
        quick = Mutation(PatchedServer(sandbox, LIMITS), seed=0, patched=patched).judge(submission)
        every = Mutation(PatchedServer(sandbox, LIMITS), seed=0).judge(submission)
    seen, known = dict(quick.measurements), dict(every.measurements)
    assert seen["no_coverage"] >= 3 > known["no_coverage"] == 0
    assert seen["no_coverage"] + seen["survived"] == known["survived"]
    assert (seen["killed"], seen["score"]) == (known["killed"], known["score"])
    assert seen["killed"] > 0, "what the tests run is noticed"
    assert quick.decision is every.decision is Decision.ACCEPT, "no input tells them apart"
    assert dict(quick.features)["survivors"] == dict(every.features)["survivors"] > 0
    assert "which no vouching test runs" in " ".join((quick.claim, *quick.not_checked))
