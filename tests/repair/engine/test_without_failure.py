"""Changes that no failing test asks for: the one question, what is added and not run, what it comes to."""

from dataclasses import replace

import pytest
from fakes.behaviours import differs
from fakes.sandbox import run_of
from fakes.submission import FAILING, PASSING, E, F, P, S, baseline_of, submission_of

from analysis.facts import InvalidRun, Limits, Phase, RunFault, TestId
from repair.engine.without_failure import ask_once, describe_effects, find_unrun_additions, judge_additions, run_before
from repair.observe.statements import measure_statements
from repair.records.change import Change
from repair.records.effect import Effect
from repair.records.outcome import Judged
from repair.records.result import FindingView, Status
from repair.records.verdict import Decision, Evidence, Risk, Verdict

KEPT = Effect(inputs=20, touching=20, lines=2)
FIXES = Evidence("fixes", Decision.UNKNOWN, "no test failed")


def judged(*evidence):
    return Judged(submission_of(), Verdict((FIXES, *evidence)))


def callers(effect, question=""):
    decision = Decision.ACCEPT if effect.is_refactoring else Decision.UNKNOWN
    return Evidence(
        "callers", decision, "said", question=question, effect=effect, told=differs("f(1)", "returns 1", "returns 2")
    )


def doubt(gate, question="Why?", **measured):
    return Evidence(gate, Decision.UNKNOWN, "said", tuple(measured.items()), question=question)


def questions(several):
    return [e.question for one in several for e in one.verdict.evidence if e.question]


def test_the_question_that_is_most_worth_asking_is_asked():
    changed = callers(replace(KEPT, changed=1), "Should f(1)?")
    assert questions(ask_once([judged(doubt("signature", "New?")), judged(changed)])) == ["Should f(1)?"]
    assert questions(ask_once([judged(changed), judged(doubt("signature", "Left?", calls=1))])) == ["Left?"]
    assert questions(ask_once([judged(changed, doubt("changed_tests", "Old?"), doubt("capability"))])) == ["Old?"]
    told = [e.told for one in ask_once([judged(changed), judged(replace(changed))]) for e in one.verdict.evidence]
    assert sum(each is not None for each in told) == 1
    nothing = [judged(callers(KEPT))]
    assert list(ask_once(nothing)) == nothing


def test_a_doubt_that_several_functions_share_is_asked_once():
    shared = doubt("own_tests", "Does t say what you mean?")
    assert questions(ask_once([judged(shared), judged(shared)])) == [shared.question]


def test_a_question_with_a_ready_answer_comes_before_one_without_and_then_the_larger_risk():
    shared = doubt("own_tests", "Does t say what you mean?")
    ready = replace(doubt("behaviour", "What should f(-1) give?"), told=differs("f(-1)", "returns 1", "returns 2"))
    assert questions(ask_once([judged(shared), judged(ready, shared)])) == [ready.question]
    risky = replace(ready, question="What should g(-1) give?")
    low, high = (Risk(value, 0.5, 9, 3, 0.02) for value in (0.1, 0.4))
    both = [judged(ready), judged(risky)]
    both = [replace(one, verdict=replace(one.verdict, risk=r)) for one, r in zip(both, (low, high), strict=True)]
    assert questions(ask_once(both)) == [risky.question]


@pytest.mark.parametrize(
    ("effects", "kinds", "said"),
    [
        ([KEPT, KEPT], ["function_added"], "as far as tests and inputs tell: callers get what they got on 40 inputs"),
        ([Effect()], [], "No statement differs, so callers get what they got."),
        ([KEPT], ["module_level"], "But it differs (a.py), which nothing compared."),
        ([KEPT], ["not_run"], "But it differs (a.py), which nothing compared."),
        ([KEPT, replace(KEPT, changed=3)], [], "Callers get something else on 3 of 40 inputs"),
        ([replace(KEPT, changed=3, bounded=True)], [], "Callers get something else on at least 3 of 20 inputs"),
        ([replace(KEPT, unrun=(4,))], [], "But no passing test runs 1 changed statement."),
        ([replace(KEPT, touching=1)], [], "But only 1 input reached the change."),
        ([replace(KEPT, gap="no call could be repeated")], [], "But no call could be repeated."),
    ],
)  # fmt: skip
def test_what_it_comes_to_is_one_sentence(effects, kinds, said):
    findings = [FindingView(kind, "it differs", "a.py", 1) for kind in kinds]
    assert said in describe_effects([judged(callers(each)) for each in effects], findings)


def test_another_signature_is_no_refactoring():
    said = describe_effects(
        [judged(callers(KEPT), Evidence("signature", Decision.ACCEPT, "the parameter b is new"))], ()
    )
    assert said == "No difference for callers was found on 20 inputs; the parameter b is new."


def test_nothing_is_said_of_what_was_rejected_or_not_looked_at():
    assert describe_effects([judged(callers(KEPT), Evidence("regressions", Decision.REJECT, "broke"))], ()) == ""
    assert describe_effects([judged()], ()) == ""


BEFORE = b"class Shop:\n    def old(self):\n        return 1\n"
SOURCE = b"""class Shop:
    def old(self):
        return 1

    def new(self, x):
        '''What is new.'''
        if x:
            return 1
        return 2


def outer():
    def inner():
        return 1
    return inner
"""


def test_what_no_test_runs_of_new_functions_is_found_by_its_lines():
    change = Change((("a.py", BEFORE),), (("a.py", SOURCE), ("test_a.py", SOURCE), ("b.txt", b"x")))
    ran = ((TestId("t"), (("a.py", frozenset((7, 8))),)),)
    found = find_unrun_additions(change, run_of({}, ran), measure_statements)
    assert [(f.line, f.claim) for f in found] == [
        (9, "no test runs line 9 of the new function Shop.new"),
        (13, "no test runs the new function outer"),
    ]
    every = ((TestId("t"), (("a.py", frozenset(range(1, 20))),)),)
    assert find_unrun_additions(change, run_of({}, every), measure_statements) == ()


def test_a_comment_of_the_change_excludes_nothing_that_it_adds():
    source = SOURCE.replace(b"\n", b"  # pragma: no cover\n")
    change = Change((("a.py", BEFORE),), (("a.py", source),))
    ran = ((TestId("t"), (("a.py", frozenset((7, 8))),)),)
    assert [f.line for f in find_unrun_additions(change, run_of({}, ran), measure_statements)] == [9, 13]


def test_what_only_adds_is_rejected_where_something_breaks_twice():
    baseline = baseline_of({FAILING: P, PASSING: P}, failing=())
    good, bad = run_of({FAILING: P, PASSING: P}), run_of({FAILING: F, PASSING: P})
    assert judge_additions(good, (), baseline, ()).status is Status.PLAUSIBLE
    broken = judge_additions(bad, (bad, good), baseline, ())
    assert (broken.status, "breaks what worked" in broken.messages[0]) == (Status.REJECTED, True)
    assert judge_additions(bad, (good, good), baseline, ()).status is Status.PLAUSIBLE
    assert judge_additions(bad, (bad, bad), baseline, ()).status is Status.PLAUSIBLE  # it fails without the change, too
    skipped, gone = run_of({FAILING: S, PASSING: P}), run_of({PASSING: P})
    for before in (skipped, gone, InvalidRun(RunFault.TIMEOUT, "time is up")):  # nobody saw it fail without the change
        assert judge_additions(bad, (bad, before), baseline, ()).status is Status.REJECTED
    other_way = run_of({FAILING: E, PASSING: P})
    assert judge_additions(bad, (other_way, good), baseline, ()).status is Status.REJECTED
    wanted = baseline_of({FAILING: F, PASSING: P}, failing=(FAILING,))
    still = judge_additions(bad, (bad, bad), wanted, ())
    assert (still.status, still.messages[0]) == (Status.REJECTED, f"The change breaks what worked: {FAILING} is failed")
    assert "1 test that could not pass" in judge_additions(good, (), wanted, ()).messages[0]
    away = InvalidRun(RunFault.TIMEOUT, "time is up")
    assert judge_additions(away, (), baseline, ()).messages == (
        "the suite with the change could not be run: time is up",
    )


def test_the_run_without_the_change_leaves_out_what_only_the_change_makes_collectable():
    asked = []

    class Sandbox:
        def for_purpose(self, purpose):
            return self

        def run(self, tests, *_, **__):
            asked.extend(tests)
            return run_of({PASSING: P})

    baseline = baseline_of({FAILING: P, PASSING: P}, failing=())
    hidden = tuple(replace(r, phase=Phase.COLLECT) if r.test == FAILING else r for r in baseline.outcomes)
    run_before(Sandbox(), replace(baseline, outcomes=hidden, partial=True), Limits())
    assert asked == [PASSING]
