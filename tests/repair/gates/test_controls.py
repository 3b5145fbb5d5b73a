"""Controls: a failure that came back, and tests that notice when the function is sabotaged."""

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, hang_of, run_of
from fakes.submission import FAILING, HEAD, NEW, OLD, PATH, TESTS, baseline_of, scope_in, submission_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId, TestRun
from analysis.trials import TrialOutcome, TrialState
from repair.compare.patched_server import PatchedServer
from repair.gates.controls import Controls
from repair.records.verdict import Decision

P, F, H = Outcome.PASSED, Outcome.FAILED, Outcome.HANG
OTHER = "test_shop.py::test_other"


def judged(answer, **given):
    sandbox = FakeSandbox(answer)
    return Controls(sandbox, Limits()).judge(submission_of(baseline=baseline_of(**given))), sandbox


def test_tests_that_notice_a_sabotage_are_accepted():
    evidence, sandbox = judged(lambda *_: run_of({FAILING: F}))
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements) == {"runs": 3, "sabotages": 1, "blind": 0, "twins": 0, "untwinned": 1}
    ((tests, files, _),) = sandbox.asked
    assert tests == (FAILING,)
    assert b"sabotage" in dict(files)[PATH]
    assert dict(files)[PATH].startswith(HEAD)


def test_a_test_that_passes_whatever_the_function_does_is_a_doubt_with_a_witness():
    evidence, sandbox = judged(lambda *_: run_of({FAILING: P}))
    assert evidence.decision is Decision.UNKNOWN
    assert FAILING in evidence.witness
    assert len(sandbox.asked) == 3


def test_every_failing_test_has_to_notice_one_of_the_sabotages():
    outcomes = {FAILING: F, OTHER: F}

    def answer(tests, files, shuffle):
        raising = b"raise" in dict(files)[PATH]
        return run_of({FAILING: F if raising else P, OTHER: P if raising else F})

    assert judged(answer, outcomes=outcomes)[0].decision is Decision.ACCEPT
    blind, _ = judged(lambda *_: run_of({FAILING: F, OTHER: P}), outcomes=outcomes)
    assert blind.decision is Decision.UNKNOWN
    assert OTHER in blind.witness


def test_a_sabotage_that_ends_the_run_shows_nothing():
    evidence, _ = judged(lambda *_: InvalidRun(RunFault.SIGNAL, "it died"))
    assert evidence.decision is Decision.UNKNOWN
    assert dict(evidence.measurements)["sabotages"] == 0
    assert evidence.not_checked


def test_a_failure_that_reads_differently_each_time_is_unknown():
    evidence, sandbox = judged(lambda *_: run_of({FAILING: F}), unsteady=[FAILING])
    assert evidence.decision is Decision.UNKNOWN
    assert not sandbox.asked


def test_a_run_that_gave_no_result_is_said():
    evidence, _ = judged(lambda *_: run_of({FAILING: F}), lost=("the suite in another order gave no result",), runs=2)
    assert (evidence.decision, dict(evidence.measurements)["runs"]) == (Decision.ACCEPT, 2)
    assert evidence.not_checked[0] == "the suite in another order gave no result"


def test_without_a_failing_test_there_is_no_failure_to_reproduce():
    evidence, _ = judged(lambda *_: run_of({}), outcomes={"t::a": P})
    assert evidence.decision is Decision.UNKNOWN


@pytest.mark.parametrize(
    ("again", "outcome", "decision"),
    [
        (run_of({FAILING: F}), F, Decision.ACCEPT),
        (run_of({FAILING: P}), F, Decision.UNKNOWN),
        (run_of({FAILING: F}, message="assert 1 == 3"), F, Decision.UNKNOWN),
        (run_of({}), F, Decision.UNKNOWN),
        (hang_of(FAILING, [FAILING]), H, Decision.ACCEPT),
        (InvalidRun(RunFault.TIMEOUT, "too long"), F, Decision.UNKNOWN),
        (InvalidRun(RunFault.SIGNAL, "it died"), F, Decision.UNKNOWN),
    ],
)
def test_a_failure_that_was_seen_once_has_to_come_back(again, outcome, decision):
    def answer(tests, files, shuffle):
        return run_of({FAILING: F}) if files else again

    first = run_of({FAILING: outcome}) if isinstance(again, TestRun) else None
    baseline = baseline_of({FAILING: outcome}, runs=1)
    if first is not None:
        baseline = replace(baseline, outcomes=first.results)
    evidence = Controls(FakeSandbox(answer), Limits()).judge(submission_of(baseline=baseline))
    assert evidence.decision is decision


def forked(details, outcome=F, *, swaps=True, runs=1):
    """What is said where forks with the old text end so, one after another, and a cold run does not fail again."""
    said = iter(details)

    def answer(trial):
        if trial.text != OLD:  # a sabotage
            return False
        detail = next(said)
        state = TrialState.FAILED if detail else TrialState.PASSED
        return TrialOutcome(trial.digest, state, TestId(FAILING) if detail else None, detail, "warm")

    first = run_of({FAILING: outcome})
    baseline = replace(baseline_of({FAILING: outcome, OTHER: P}, runs=runs), outcomes=first.results)
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: P}), session=FakeSession(answer, swaps=swaps))
    gate = Controls(sandbox, Limits(), PatchedServer(sandbox, Limits()))
    return gate.judge(submission_of(baseline=baseline)), sandbox


LIKE = "failed in call: AssertionError: "


def test_a_failure_that_forks_show_again_with_the_old_text_is_asked_of_no_cold_run():
    evidence, sandbox = forked([LIKE] * 3)
    assert evidence.decision is Decision.ACCEPT
    assert "came back in 3 forks with the old text" in evidence.claim
    assert (dict(evidence.measurements)["runs"], dict(evidence.measurements)["forks"]) == (1, 3)
    assert [tests for tests, files, _ in sandbox.asked if not files] == []


@pytest.mark.parametrize(("hangs", "asked"), [([True] * 3, []), ([True, True, False], [(FAILING,)])])
def test_a_test_that_hung_hangs_again_in_forks_that_stop_it_soon(hangs, asked):
    said = iter(hangs)

    def answer(trial):
        if trial.text != OLD:
            return False
        assert trial.stuck_seconds > 0
        return TrialState.TIMEOUT if next(said) else True

    baseline = baseline_of({FAILING: H, OTHER: P}, runs=1)
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: P}), session=FakeSession(answer))
    evidence = Controls(sandbox, Limits(), PatchedServer(sandbox, Limits())).judge(submission_of(baseline=baseline))
    assert (evidence.decision is Decision.ACCEPT) is not asked
    assert [tests for tests, files, _ in sandbox.asked if not files] == asked


@pytest.mark.parametrize(
    "details",
    [
        [LIKE, LIKE, ""],
        [LIKE, LIKE, "failed in call: KeyError: 1"],
        ["failed in setup: AssertionError: "] * 3,
        ["skipped in call: AssertionError: "] * 3,
        ["not all tests were reported as passed"] * 3,
    ],
)
def test_what_forks_do_not_show_each_time_is_asked_of_a_cold_run(details):
    evidence, sandbox = forked(details)
    assert (evidence.decision, evidence.claim) == (
        Decision.UNKNOWN,
        "The failure was seen once and did not come back",
    )
    assert [tests for tests, _, _ in sandbox.asked] == [(FAILING,)]


def test_where_nothing_can_be_swapped_a_cold_run_is_asked():
    assert [tests for tests, _, _ in forked([], swaps=False)[1].asked] == [(FAILING,)]


def test_the_setter_and_not_the_getter_of_a_moved_property_is_sabotaged():
    old = b"""class Shop:
    @property
    def price(self):
        return self._price

    @price.setter
    def price(self, value):
        self._price = value
"""
    setter = b"    @price.setter\n    def price(self, value):\n        self._price = int(value)\n"
    submission = submission_of(setter, old, qualname="Shop.price")
    source = dict(submission.whole)[PATH].replace(HEAD, HEAD + b"\n" * 4)
    moved = submission_of(setter, old, qualname="Shop.price", whole=((PATH, source),))
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: F}))
    Controls(sandbox, Limits()).judge(moved)
    sabotaged = dict(sandbox.asked[0][1])[PATH]
    assert b"return self._price" in sabotaged
    assert b"int(value)" not in sabotaged


def test_the_rest_of_a_foreign_change_stays_in_while_its_function_is_sabotaged():
    source = HEAD + b"RATE = 2\n" + NEW
    submission = submission_of(whole=((PATH, source), ("rates.py", b"X = 1\n")))
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: F}))
    assert Controls(sandbox, Limits()).judge(submission).decision is Decision.ACCEPT
    files = dict(sandbox.asked[0][1])
    assert files["rates.py"] == b"X = 1\n"
    assert b"RATE = 2" in files[PATH]
    assert scope_in(HEAD + OLD).text not in files[PATH]


SOURCE = b"def test_price():\n    assert price('5.5') == 5\n\n\ndef test_other():\n    check(price(1))\n"


def twinned(outcome, line_map=(), message="assert 1 == 2", other=F):
    """The evidence where the twins give this outcome, and the files that they ran with."""
    seen = []

    def answer(tests, files, shuffle):
        if b"sabotage" in dict(files)[PATH]:
            return run_of(dict.fromkeys(tests, F))
        seen.append((tests, dict(files)))
        return run_of({FAILING: outcome, OTHER: other}, line_map, message)

    asked = submission_of(baseline=baseline_of({FAILING: F, OTHER: F}))
    asked = replace(asked, test_sources=((TESTS, SOURCE),))
    return Controls(FakeSandbox(answer), Limits()).judge(asked), seen


def test_twins_that_fail_are_accepted_after_one_run_of_the_failing_tests():
    evidence, ((tests, files),) = twinned(F)
    assert evidence.decision is Decision.ACCEPT
    assert tests == (FAILING, OTHER)
    assert files[TESTS].startswith(SOURCE.split(b"== 5")[0] + b"== 12; raise")
    assert b"int(float(text))" in files[PATH]
    numbers = dict(evidence.measurements)
    assert (numbers["twins"], numbers["untwinned"]) == (2, 0)


def test_a_pass_where_the_impossible_is_asked_for_is_forged():
    evidence, _ = twinned(P, ((FAILING, ((TESTS, frozenset({2})),)),))
    assert evidence.decision is Decision.REJECT
    assert "line 2" in evidence.witness


def test_a_value_that_equals_the_impossible_too_is_a_doubt():
    evidence, _ = twinned(F, message="impossible twin: what line 2 asks for holds")
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness
    assert evidence.question


def test_a_twin_that_came_to_no_changed_assertion_is_listed():
    evidence, _ = twinned(F, other=P)
    assert evidence.decision is Decision.ACCEPT
    assert evidence.not_checked == (f"the impossible twin of {OTHER}: it came to no assertion that could be changed",)


def test_a_twin_that_hangs_did_not_pass():
    def answer(tests, files, shuffle):
        if b"sabotage" in dict(files)[PATH] or FAILING not in tests:
            return run_of(dict.fromkeys(tests, F))
        return hang_of(FAILING, tests)

    asked = replace(submission_of(baseline=baseline_of({FAILING: F, OTHER: F})), test_sources=((TESTS, SOURCE),))
    evidence = Controls(FakeSandbox(answer), Limits()).judge(asked)
    assert evidence.decision is Decision.ACCEPT
    assert evidence.claim.endswith("; 2 of 2 impossible twins fail")


def test_twins_that_do_not_run_to_their_end_leave_it_open():
    def answer(tests, files, shuffle):
        sabotaged = b"sabotage" in dict(files)[PATH]
        return run_of({FAILING: F}) if sabotaged else InvalidRun(RunFault.TIMEOUT, "time is up")

    asked = replace(submission_of(), test_sources=((TESTS, SOURCE),))
    evidence = Controls(FakeSandbox(answer), Limits()).judge(asked)
    assert evidence.decision is Decision.UNKNOWN
    assert "time is up" in evidence.claim
