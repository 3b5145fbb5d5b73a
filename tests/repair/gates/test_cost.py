"""Cost: a patch that does far more work than the old function, where both agree, is a doubt with both counts."""

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import FAILING, PASSING, submission_of

from analysis.facts import InvalidRun, Limits, RunFault
from analysis.line_counts import LineCounts, LineCountsPair, WorkReport
from repair.compare.patched_server import PatchedServer
from repair.gates.cost import Costs
from repair.records.verdict import Decision

SAME = LineCountsPair("price('5')", LineCounts(3, 3), LineCounts(4, 4), True)
MUCH = LineCountsPair("price('5')", LineCounts(3, 3), LineCounts(4000, 4000), True)
SERIES = tuple(
    LineCountsPair("price('5')", LineCounts(9 * n, 9 * n), LineCounts(9 * n * n, 9 * n * n), True, "argument 1", n)
    for n in (1, 2, 4, 8, 16)
)


def judged(session, **given):
    evidence = Costs(PatchedServer(FakeSandbox(lambda *_: run_of({}), session=session), Limits())).judge(
        submission_of(**given)
    )
    if isinstance(session, FakeSession):
        assert session.closed
    return evidence


def counted(calls=(), series=(), failures=()):
    return FakeSession(work=WorkReport(tuple(calls), tuple(series), tuple(failures)))


def test_as_much_work_as_before_is_accepted():
    evidence = judged(counted([SAME]))
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements) == {"calls": 1, "series": 0, "old_lines": 3, "new_lines": 4}
    assert evidence.not_checked == ("work on larger inputs: none could be made",)


def test_gross_work_is_a_doubt_with_both_counts():
    evidence = judged(counted([SAME, MUCH]))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == "price('5') executes 4000 lines of the project, and 3 before"
    assert evidence.question


def test_steeper_work_is_a_doubt_that_names_what_grew():
    evidence = judged(counted([SAME], [SERIES]))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == "price('5') with argument 1 16 times as large executes 2304 lines, and 144 before"
    assert "2.0" in evidence.claim
    assert "1.0" in evidence.claim


def test_a_call_that_was_ended_is_said():
    ended = LineCountsPair(
        "price('5')", LineCounts(30, 30), LineCounts(50001, 50001, ended=True), False, "argument 1", 2
    )
    evidence = judged(counted([SAME], [(SERIES[0], ended)]))
    assert evidence.decision is Decision.UNKNOWN
    assert "was ended after 50001 lines" in evidence.witness


@pytest.mark.parametrize("test", [PASSING, FAILING, ""])
def test_a_test_that_passes_with_both_says_that_they_agree_where_one_had_to_be_ended(test):
    endless = LineCountsPair("price('3')", LineCounts(9, 9), LineCounts(50001, 50001, ended=True), False, test=test)
    evidence = judged(counted([endless]))
    assert evidence.decision is Decision.UNKNOWN
    assert (evidence.witness == "price('3') was ended after 50001 lines, and 9 before") is (test == PASSING)


@pytest.mark.parametrize(
    ("session", "given"),
    [
        (InvalidRun(RunFault.USAGE, "none here"), {}),
        (InvalidRun(RunFault.USAGE, "none here"), {"vouching": ()}),
        (counted(), {}),
        (counted([LineCountsPair("f()", LineCounts(1, 1), LineCounts(9, 9), False)], failures=["why"]), {}),
    ],
)
def test_where_nothing_could_be_counted_that_is_no_doubt_and_no_acceptance(session, given):
    evidence = judged(session, **given)
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "")
    assert evidence.not_checked
