"""Findings from facts: what counts, and what is only said."""

from __future__ import annotations

from analysis.facts import Outcome, Phase, TestId, TestResult
from analysis.lines import Lines
from analysis.public_names import ProgramClass, ProgramFunction
from analysis.quality.examined import ExaminedTest
from analysis.quality.findings import (
    Demands,
    Weight,
    coverage_findings,
    function_findings,
    generated_test_findings,
    outcome_findings,
    smell_findings,
)
from analysis.quality.smell import Severity, Smell
from analysis.quality.vouching import VouchedFunction
from analysis.statement_lines import Share

T = TestId("t.py::test_it")


def examined(*smells, generated=False, cases=(T,)):
    found = tuple(Smell(id, severity, T, 3, "so it is") for id, severity in smells)
    return ExaminedTest(T, cases, found, generated=generated)


def weights(*smells, generated=False):
    return [finding.weight for finding in smell_findings([examined(*smells, generated=generated)])]


def test_rejecting_smells_count_and_old_skips_do_not():
    assert weights(("T03", Severity.REJECT)) == [Weight.ERROR]
    assert weights(("T09", Severity.REJECT)) == [Weight.WARNING]
    assert weights(("T02", Severity.WARN)) == [Weight.WARNING]


def test_the_stricter_column_is_for_generated_tests():
    assert weights(("T09", Severity.REJECT), ("T02", Severity.WARN), generated=True) == [Weight.ERROR] * 2
    assert weights(("T10", Severity.WARN), generated=True) == [Weight.WARNING]


def test_an_old_skip_bars_from_vouching_all_the_same():
    assert examined(("T09", Severity.REJECT)).is_fake


def function(name, line, tests=(), others=(), share=None):
    own = ProgramFunction("m.py", name, line, line, line + 2, ((line + 1, line + 2),), True)
    return VouchedFunction(own, tests, others, Lines(), share or Share(0, 2))


def test_functions_without_a_test():
    found = [function("f", 1), function("g", 5, others=(T,)), function("h", 9, (T,), share=Share(2, 2))]
    said = list(function_findings(found, (), Demands()))
    assert [(f.rule, f.weight, f.function, f.line) for f in said] == [
        ("untested", Weight.WARNING, "f", 1),
        ("untested", Weight.WARNING, "g", 5),
    ]
    assert "none of them can vouch" in said[1].claim
    assert {f.weight for f in function_findings(found, (), Demands(require_each=True))} == {Weight.ERROR}


def test_a_class_that_no_test_runs_is_told_once():
    found = [function("Box.a", 2), function("Box.b", 5), function("Bag.a", 12), function("Bag.b", 15, (T,))]
    classes = (ProgramClass("m.py", "Box", 1), ProgramClass("m.py", "Bag", 11))
    said = [f for f in function_findings(found, classes, Demands()) if f.rule == "untested"]
    assert [(f.function, f.line) for f in said] == [("Box", 1), ("Bag.a", 12)]


def test_thin_coverage_of_one_function_is_a_warning_and_of_all_it_counts():
    said = list(function_findings([function("f", 1, (T,), share=Share(1, 2))], (), Demands()))
    assert [(f.rule, f.weight) for f in said] == [("coverage", Weight.WARNING)]
    assert [f.weight for f in coverage_findings(Share(84, 100), "measured", Demands())] == [Weight.ERROR]
    assert list(coverage_findings(Share(85, 100), "measured", Demands())) == []
    assert list(coverage_findings(Share(), "measured", Demands())) == []


def test_outcomes():
    results = [
        TestResult(T, Outcome.FAILED, Phase.CALL, 0.1, message="assert 1 == 2\nmore"),
        TestResult(TestId("t.py::test_b"), Outcome.HANG, Phase.CALL, 0.1),
        TestResult(TestId("t.py::test_c"), Outcome.PASSED, Phase.CALL, 0.1),
        TestResult(TestId("t.py::test_d"), Outcome.PASSED, Phase.CALL, 0.1),
    ]
    broken = {results[0].test, results[1].test}
    said = list(outcome_findings(results, {TestId("t.py::test_c")}, broken))
    assert [(f.rule, f.weight, f.test) for f in said] == [
        ("failing", Weight.ERROR, T),
        ("failing", Weight.ERROR, "t.py::test_b"),
        ("flaky", Weight.ERROR, "t.py::test_c"),
    ]
    assert [(f.rule, f.weight) for f in outcome_findings(results, set(), set(), {T})] == [("order", Weight.WARNING)]
    assert said[0].claim == "The test fails, so it vouches for nothing: assert 1 == 2"
    assert "time limit" in said[1].claim


def test_generated_files_have_enough_cases_that_run_something():
    cases = tuple(TestId(f"{T}[{n}]") for n in range(3))
    test = examined(generated=True, cases=cases)
    assert list(generated_test_findings([test], set(cases), set(cases), Demands())) == []
    assert [f.rule for f in generated_test_findings([test], set(cases), set(cases[:2]), Demands())] == ["few-cases"]
    assert [f.rule for f in generated_test_findings([test], set(), set(cases), Demands())] == ["T16"]
    assert list(generated_test_findings([examined(cases=cases)], set(), set(), Demands())) == []
