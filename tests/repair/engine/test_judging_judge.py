"""Gates are asked one after another, or some beside the others: the evidence is the same."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from fakes.submission import submission_of

from analysis.errors import OutOfTimeError
from analysis.facts import TestId
from repair.checks.weights import ALONE
from repair.engine.judging import BESIDE, judge
from repair.records.verdict import REPEATED, Decision, Evidence

GATES = ("shape", "test_quality", "fixes", "regressions", "controls", "stability", "mutation")
A, U, R = Decision.ACCEPT, Decision.UNKNOWN, Decision.REJECT


class Said:
    """A gate that does something, then answers."""

    def __init__(self, name: str, decision: Decision = A, first: Callable[[], object] = bool) -> None:
        self.name, self._decision, self._first = name, decision, first
        self.asked = False

    def judge(self, submission) -> Evidence:
        self.asked = True
        self._first()
        return Evidence(self.name, self._decision, f"{self.name} says so")


def told(gates, jobs):
    events = []
    verdict = judge(submission_of(), gates, lambda: 0.0, events.append, GATES, jobs)
    return verdict, [(event.type, dict(event.fields)["gate"]) for event in events]


def test_the_names_of_what_is_asked_beside_are_names_of_gates():
    assert set(BESIDE) < set(GATES)


def test_two_at_a_time_say_what_one_after_another_says():
    for decisions in itertools.product((A, U, R), repeat=5):
        said = dict(zip(("test_quality", "fixes", "regressions", "controls", "mutation"), decisions, strict=True))
        one, _ = told([Said(name, said.get(name, A)) for name in GATES], 1)
        two, events = told([Said(name, said.get(name, A)) for name in GATES], 2)
        assert one == two
        assert {gate for _, gate in events} >= {evidence.gate for evidence in two.evidence}


def test_some_are_asked_at_the_same_time():
    meet = threading.Barrier(2, timeout=20)
    verdict, _ = told([Said("shape"), Said("test_quality", A, meet.wait), Said("fixes", A, meet.wait)], 2)
    assert [evidence.gate for evidence in verdict.evidence] == ["shape", "test_quality", "fixes"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_runs_where_the_text_is_refused(jobs):
    gates = [Said("shape", R), *(Said(name) for name in GATES[1:])]
    verdict, _ = told(gates, jobs)
    assert [evidence.gate for evidence in verdict.evidence] == ["shape"]
    assert [gate.asked for gate in gates] == [True, *[False] * 6]


def test_behind_a_rejection_nothing_more_is_begun_on_either_side():
    rejected = threading.Event()
    gates = [
        Said("test_quality", A, lambda: rejected.wait(20)),
        Said("fixes", R, rejected.set),
        Said("regressions"),
        Said("stability"),
    ]

    verdict, _ = told(gates, 2)
    assert verdict.evidence[-1].gate == "fixes"
    assert not gates[3].asked


def test_a_judging_that_is_broken_off_ends_what_runs_beside_it():
    stopped, begun = threading.Event(), threading.Event()

    def suite():
        begun.set()
        assert stopped.wait(20), "it is waited for"

    def interrupted():
        begun.wait(20)
        raise KeyboardInterrupt

    gates = [Said("test_quality", A, interrupted), Said("fixes", A, suite), Said("stability")]
    with pytest.raises(KeyboardInterrupt):
        judge(submission_of(), gates, lambda: 0.0, lambda event: None, GATES, 2, stopped.set)
    assert stopped.is_set()
    assert not gates[2].asked


@pytest.mark.parametrize("where", ["fixes", "test_quality"])
def test_what_goes_wrong_on_either_side_is_raised(where):
    def late():
        raise OutOfTimeError("late", remedy="none")

    gates = [Said(name, A, late if name == where else bool) for name in GATES]
    with pytest.raises(OutOfTimeError, match="late"):
        told(gates, 2)


class Alone(Said):
    """The gate behaviour of a find that nothing but its tests speaks for, with so many answers that repeat a test."""

    def __init__(self, repeated: int) -> None:
        super().__init__("behaviour")
        self._repeated = repeated

    def judge(self, submission) -> Evidence:
        numbers = ((REPEATED, self._repeated),) if self._repeated else ()
        return replace(super().judge(submission), measurements=numbers, features=((ALONE, 1.0),))


def test_answers_that_say_nothing_new_lower_no_risk():
    def risk(answers, repeated=0):
        submission = replace(submission_of(), answers=(TestId("a"),) * answers)
        gates = [*(Said(name) for name in GATES), Alone(repeated)]
        return judge(submission, gates, lambda: 0.0, lambda _: None, GATES).risk.value

    assert risk(2) < risk(1) < risk(0)
    assert (risk(2, repeated=1), risk(2, repeated=2)) == (risk(1), risk(0))
