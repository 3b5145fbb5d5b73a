"""What is told of a run that is broken off: what was shown, and no more."""

from typing import cast

import pytest

from repair.engine.reached import MORE_TIME, Asking, Reached
from repair.records.events import phase
from repair.records.outcome import Judged, RunOutcome
from repair.records.ports import Submission
from repair.records.result import Status
from repair.records.verdict import CORE_GATES, TIME_WAS_UP, Decision, Evidence, PatchStatus, Verdict

SUBMISSION = cast("Submission", object())
YES, NO = Decision.ACCEPT, Decision.REJECT


def asked(*said, names=CORE_GATES, doubt=None):
    evidence = tuple(Evidence(name, decision, "") for name, decision in said)
    return Asking(SUBMISSION, names, CORE_GATES, lambda: evidence, doubt).judge_so_far()


SHOWN = (("shape", YES), ("capability", YES), ("test_quality", YES), ("fixes", YES), ("regressions", YES))


def test_a_candidate_that_was_shown_to_pass_is_plausible_and_the_other_gates_are_unknown():
    judged = asked(*SHOWN)
    assert judged.verdict.status is PatchStatus.PLAUSIBLE
    cut = [e for e in judged.verdict.evidence if e.decision is Decision.UNKNOWN]
    assert [e.gate for e in cut] == ["controls", "coverage", "stability", "mutation", "behaviour"]
    assert {e.claim for e in cut} == {TIME_WAS_UP}


@pytest.mark.parametrize("missing", ["test_quality", "fixes", "regressions"])
def test_of_one_that_was_not_nothing_is_said(missing):
    assert asked(*(each for each in SHOWN if each[0] != missing)) is None


def test_nobody_is_certified_for_want_of_time():
    known = [(name, YES) for name in CORE_GATES[:-1]]
    assert asked(*known).verdict.status is PatchStatus.PLAUSIBLE
    assert asked(*known, (CORE_GATES[-1], YES)).verdict.status is PatchStatus.CERTIFIED


def test_a_rejection_stands():
    judged = asked(("shape", YES), ("capability", NO))
    assert judged.verdict.status is PatchStatus.REJECTED
    assert [e.gate for e in judged.verdict.evidence] == ["shape", "capability"]


def test_a_doubt_that_was_there_before_stays():
    doubt = Evidence("behaviour", Decision.UNKNOWN, "told apart")
    names = tuple(name for name, _ in SHOWN)
    judged = asked(*SHOWN, names=names, doubt=doubt)
    assert judged.verdict.evidence[-1] == doubt
    assert judged.verdict.status is PatchStatus.PLAUSIBLE


def test_where_no_gate_asks_for_the_fix_nothing_is_plausible():
    assert asked(("shape", YES), names=("shape", "capability")) is None


def test_a_run_that_came_to_nothing_says_where_it_was():
    reached = Reached()
    assert reached.make_ending().messages == ("the time of the run was up: this is what was known by then",)
    reached.hear(phase("baseline"))
    ending = reached.make_ending()
    assert ending.status is Status.UNREPAIRED
    assert "(during: baseline)" in ending.messages[-1]
    assert ending.next_action == MORE_TIME


def test_what_was_put_in_last_is_the_answer():
    reached = Reached()
    reached.make = lambda: RunOutcome(Status.DIAGNOSED, messages=("known",), next_action="repair fix")
    ending = reached.make_ending()
    assert ending.status is Status.DIAGNOSED
    assert ending.messages[0] == "known"
    assert ending.next_action == "repair fix"


def test_candidates_that_were_judged_come_before_the_one_under_way():
    reached = Reached()
    first = Judged(SUBMISSION, Verdict((Evidence("shape", NO, ""),)))
    reached.asking = Asking(SUBMISSION, ("shape",), CORE_GATES, lambda: (Evidence("shape", NO, "later"),))
    assert reached.list_judged()[0].verdict.evidence[0].claim == "later"
    reached.settle(first)
    assert reached.list_judged() == (first,)
    reached.asking = Asking(SUBMISSION, CORE_GATES, CORE_GATES, lambda: ())
    assert reached.list_judged() == (first,)
