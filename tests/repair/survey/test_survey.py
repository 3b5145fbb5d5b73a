"""A survey over canned runs: what is run, what is told, and what a path restricts."""

from __future__ import annotations

import textwrap
import time
from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.change_history import History
from analysis.errors import TargetError, UnparseableError, UsageError
from analysis.facts import CollectionError, Limits, Outcome, SeenError, TestId, TestRun
from analysis.lines import Lines
from analysis.mutation_score import MutationScore
from analysis.quality.findings import Demands
from analysis.statement_lines import Share
from repair.observe.statements import KnownStatements
from repair.records.tests_report import TestsReport, TestsStatus
from repair.survey.suite_mutants import choose, spread
from repair.survey.survey import Surveyor
from repair.survey.survey_report import SurveyRequest
from transforms.mutants.made import Mutant

SHOP = textwrap.dedent(
    """\
    def total(prices):
        if not prices:
            return 0
        return sum(prices)

    def discount(price):
        return price * 9 // 10

    def _own(price):
        return price
    """
).encode()
TESTS = textwrap.dedent(
    """\
    from shop import total, discount

    def test_total():
        assert total([1, 2]) == 3

    def test_nothing():
        assert total([]) == 0

    def test_fake():
        discount(10)
        assert True
    """
).encode()
SOURCES = (("shop.py", SHOP), ("test_shop.py", TESTS))
NAMES = ("test_shop.py::test_total", "test_shop.py::test_nothing", "test_shop.py::test_fake")
LINES = (
    (NAMES[0], (("shop.py", Lines([2, 4])), ("test_shop.py", Lines([4])))),
    (NAMES[1], (("shop.py", Lines([2, 3])), ("test_shop.py", Lines([7])))),
    (NAMES[2], (("shop.py", Lines([7])), ("test_shop.py", Lines([10, 11])))),
)


def passing(shuffle=None):
    return run_of(dict.fromkeys(NAMES, Outcome.PASSED), LINES if shuffle is None else ())


def fake_sandbox(answer=None, session=None):
    def answers(tests, files, shuffle):
        return answer(shuffle) if answer else passing(shuffle)

    return FakeSandbox(answers, SOURCES, session)


def survey(sandbox=None, heard=None, **asked):
    times = iter(range(10_000))
    surveyor = Surveyor(
        sandbox or fake_sandbox(),
        Limits(),
        lambda: next(times) / 100,
        (heard if heard is not None else []).append,
        lambda sources: (),
    )
    return surveyor.survey(SurveyRequest(**{"mutants": 0, **asked}))


def rules(report):
    return [(f.rule, f.weight.value, f.function or f.test) for f in report.findings]


def test_tests_vouch_by_lines_and_fakes_do_not():
    report = survey(demands=Demands(coverage=0.5))
    assert [(v.function, v.cases, v.unfit, v.coverage) for v in report.functions] == [
        ("total", 2, 0, Share(3, 3)),
        ("discount", 0, 1, Share(0, 1)),
    ]
    assert report.functions[0].vouching == ("test_shop.py::test_nothing", "test_shop.py::test_total")
    assert rules(report) == [("T03", "error", NAMES[2]), ("untested", "warning", "discount")]
    assert (report.status, report.exit_code) == (TestsStatus.FINDINGS, 1)
    counts = report.tests
    assert (counts.cases, counts.passed, counts.fake, counts.vouching) == (3, 3, 1, 2)
    assert report.coverage.total == Share(3, 5)


def test_too_little_coverage_counts():
    assert ("coverage-total", "error", "") in rules(survey())


def test_each_function_can_be_asked_for():
    report = survey(paths=("shop.py",), demands=Demands(coverage=0, require_each=True))
    assert ("untested", "error", "discount") in rules(report)


def test_recorded_lines_are_taken_for_the_measured_ones():
    report = survey(recorded=lambda paths: {"shop.py": Lines([2, 3, 4, 7, 10])}, source=".coverage")
    assert report.coverage.total == Share(5, 5)
    assert report.coverage.source == ".coverage"
    assert ("untested", "warning", "discount") in rules(report)  # who vouches is not in such a file
    assert "outside of tests" not in report.findings[-1].claim


def suite(*rounds):
    """Answers one run of the suite after the other with the first test's outcomes."""
    waiting = list(rounds)

    def answer(shuffle):
        outcomes = {NAMES[0]: waiting.pop(0), NAMES[1]: Outcome.FAILED, NAMES[2]: Outcome.PASSED}
        return run_of(outcomes, LINES if shuffle is None else ())

    sandbox = fake_sandbox(answer)
    return FakeSandbox(
        lambda tests, files, shuffle: run_of({NAMES[1]: Outcome.FAILED}) if tests else answer(shuffle),
        sandbox.sources(),
    )


def test_flaky_and_failing_tests_vouch_for_nothing():
    report = survey(suite(Outcome.PASSED, Outcome.FAILED, Outcome.FAILED))
    assert report.functions[0].cases == 0
    assert {("flaky", "error", NAMES[0]), ("failing", "error", NAMES[1])} <= set(rules(report))
    assert (report.tests.failing, report.tests.flaky, report.tests.vouching) == (1, 1, 0)


@pytest.mark.parametrize("other", [Outcome.FAILED, Outcome.SKIPPED])
def test_a_test_that_differs_in_another_order_alone_vouches_in_its_own(other):
    report = survey(suite(Outcome.PASSED, other, Outcome.PASSED))
    assert report.functions[0].cases == 1
    assert ("order", "warning", NAMES[0]) in rules(report)
    assert (report.tests.flaky, report.tests.vouching) == (0, 1)


@pytest.mark.parametrize(
    ("paths", "functions", "tests"),
    [
        (("shop.py",), 2, 3),
        (("test_shop.py",), 2, 3),
        ((".",), 2, 3),
        (("shop.py", "test_shop.py"), 2, 3),
    ],
)
def test_paths_restrict_what_is_told(paths, functions, tests):
    report = survey(paths=paths)
    assert (len(report.functions), report.tests.cases) == (functions, tests)


def test_a_path_with_nothing_in_it_is_refused():
    with pytest.raises(UsageError, match="Neither a test nor a function of the program is in 'docs'"):
        survey(paths=("shop.py", "docs"))


def test_without_tests_there_is_nothing_to_survey():
    with pytest.raises(TargetError, match="pytest collects no test here"):
        survey(fake_sandbox(lambda shuffle: TestRun((), (), 5, 0.1)))


def test_a_suite_that_cannot_be_collected_at_all():
    raised = (SeenError("builtins.SyntaxError", ("SyntaxError",), "invalid syntax (line 3)", ()),)
    error = CollectionError("test_shop.py", raised, "invalid syntax")
    said = r"test_shop.py cannot be collected: SyntaxError: invalid syntax \(line 3\)"
    with pytest.raises(UnparseableError, match=said):
        survey(fake_sandbox(lambda shuffle: TestRun((), (error,), 2, 0.1)))


def test_a_module_that_cannot_be_collected_is_a_finding():
    error = CollectionError("test_more.py", (), "E   ImportError: no more")

    def answer(shuffle):
        run = passing(shuffle)
        return TestRun(run.results, (error,), 2, 0.1, run.line_map)

    report = survey(fake_sandbox(answer))
    found = next(f for f in report.findings if f.rule == "uncollected")
    assert (found.file, found.weight.value) == ("test_more.py", "error")
    assert "test_more.py cannot be collected: E   ImportError: no more" in found.claim


def test_tests_of_an_installed_copy_are_told_apart():
    with pytest.raises(TargetError, match="run no function of the project's own files"):
        survey(
            FakeSandbox(lambda *_: run_of(dict.fromkeys(NAMES, Outcome.PASSED)), (("shop/__init__.py", SHOP), *SOURCES))
        )


def test_a_file_of_the_program_that_cannot_be_parsed_is_a_finding():
    sandbox = FakeSandbox(lambda t, f, shuffle: passing(shuffle), (*SOURCES, ("pkg/__init__.py", b"def f(:\n")))
    report = survey(sandbox)
    assert [f.file for f in report.findings if f.rule == "unparseable"] == ["pkg/__init__.py"]
    assert len(report.functions) == 2


def test_a_report_survives_its_json():
    report = survey(paths=(".",))
    assert TestsReport.from_json(report.to_json()) == report
    assert next(iter(report.to_json())) == "schema"


def test_mutants_are_run_by_vouching_tests_and_told_apart():
    session = FakeSession(lambda trial: trial.label in ("as it is", "control") or b"return 1" in trial.text)
    heard = []
    report = survey(fake_sandbox(session=session), heard, mutants=50)
    total = report.functions[0]
    assert total.mutants.killed > 3
    assert total.mutants.survived == len(total.survivors) > 0
    assert report.functions[1].mutants == MutationScore()  # nothing vouches, so nothing is run
    assert all(trial.function.qualname == "total" for trial in session.seen)
    assert [f.line for f in report.findings if f.rule == "survivor"] == [s.line for s in total.survivors]
    assert session.closed
    assert [dict(e.fields)["name"] for e in heard if e.type == "phase"] == ["baseline", "mutants"]


def test_mutants_in_lines_that_no_vouching_test_runs_are_not_run():
    def answer(shuffle):
        return run_of(dict.fromkeys(NAMES, Outcome.PASSED), LINES[:1] if shuffle is None else ())

    session = FakeSession(lambda trial: trial.label in ("as it is", "control"))
    report = survey(fake_sandbox(answer, session), mutants=50)
    assert report.mutants.no_coverage > 0
    assert report.mutants.killed > 0
    assert report.mutants.survived == 0


def test_where_its_own_text_does_not_pass_nothing_is_said_of_mutants():
    report = survey(fake_sandbox(session=FakeSession(lambda trial: False)), mutants=5)
    assert report.mutants.valid == 0
    assert report.functions[0].not_run > 0
    assert any("do not pass in the pool" in said or "cold run" in said for said in report.not_checked)


def test_a_test_that_passes_in_the_suite_alone_is_left_out():
    """As a text file of examples does that needs what other tests put into its namespace."""
    session = FakeSession(lambda trial: bool(trial.only) and NAMES[1] not in trial.only, failed=NAMES[1])
    report = survey(fake_sandbox(session=session), mutants=5)
    assert report.mutants.survived == report.mutants.valid > 0
    asked = [trial for trial in session.seen if trial.label != "as it is"]
    assert asked
    assert all(NAMES[1] not in trial.only for trial in asked)
    assert any(said.endswith("a word from 1 test that passed in the suite alone") for said in report.not_checked)


def test_when_the_time_is_over_the_rest_is_not_run():
    report = survey(fake_sandbox(session=FakeSession(lambda trial: True)), mutants=5, seconds=0.0)
    assert report.not_checked == ("mutants of 1 function: the time was over",)


def test_what_the_first_turn_left_over_goes_to_who_was_cut_short():
    """Each trial takes a second. Of 14 the first group gets seven, and then what the second one does not need."""
    time, asked = [0.0], []

    def passes(trial):
        time[0] += 1.0
        asked.append((trial.function.path, trial.label))
        return trial.label in ("as it is", "control")

    sources = (*SOURCES, ("z.py", SHOP.replace(b"total", b"other")), ("test_z.py", TESTS))
    last = TestId("test_z.py::test_other")
    lines = (*LINES, (last, (("z.py", Lines([4])), ("test_z.py", Lines([4])))))

    def answers(tests, files, shuffle):
        return run_of(dict.fromkeys((*NAMES, last), Outcome.PASSED), lines if shuffle is None else ())

    sandbox = FakeSandbox(answers, sources, lambda tests, files: FakeSession(passes))
    surveyor = Surveyor(sandbox, Limits(), lambda: time[0], lambda happened: None, lambda sources: ())
    report = surveyor.survey(SurveyRequest(mutants=8, seconds=14.0))
    assert {v.function: v.not_run for v in report.functions if v.cases} == {"total": 0, "other": 0}
    assert [path for path, label in asked if label == "as it is"] == ["shop.py", "z.py", "shop.py"]
    tried = [each for each in asked if each[1] != "as it is"]
    assert len(set(tried)) == len(tried)  # nothing is asked twice


def test_functions_that_share_a_server_share_its_time():
    time = [0.0]

    def passes(trial):
        time[0] += 1.0
        return trial.label in ("as it is", "control")

    lines = ((NAMES[0], (("shop.py", Lines([2, 3, 4, 7])), ("test_shop.py", Lines([4])))),)

    def answers(tests, files, shuffle):
        return run_of(dict.fromkeys(NAMES, Outcome.PASSED), lines if shuffle is None else ())

    sandbox = FakeSandbox(answers, SOURCES, FakeSession(passes))
    surveyor = Surveyor(sandbox, Limits(), lambda: time[0], lambda happened: None, lambda sources: ())
    report = surveyor.survey(SurveyRequest(mutants=50, seconds=8.0))
    assert all(view.mutants.killed > 1 for view in report.functions)
    assert report.functions[0].not_checked == "the time was over"


def test_a_pattern_of_generated_tests_that_names_nothing_is_said():
    assert survey(generated=("test_*.py", "made/*")).not_checked == (
        "generated tests: no file of tests is named by 'made/*'",
    )


def test_tests_that_are_too_slow_to_be_asked_are_said():
    def answer(shuffle):
        run = passing(shuffle)
        slow = [replace(r, seconds=100.0) if r.test == NAMES[1] else r for r in run.results]
        return replace(run, results=tuple(slow))

    report = survey(fake_sandbox(answer, FakeSession(lambda trial: True)), mutants=3)
    assert report.not_checked == ("mutants of 1 function: some survived without a word from 1 slow test",)


def test_changes_of_texts_come_last():
    texts = [Mutant(b"", "mutmut_string", f"t{n}", n) for n in range(0, 10, 2)]
    others = [Mutant(b"", "mutmut_number", f"n{n}", n) for n in range(1, 7, 2)]
    every = sorted([*texts, *others], key=lambda mutant: mutant.line)
    assert [mutant.label for mutant in choose(every, 3)] == ["n1", "n3", "n5"]
    assert [mutant.label for mutant in choose(every, 5)] == ["t0", "n1", "n3", "t4", "n5"]
    assert choose(every, 50) == tuple(every)


def test_a_choice_of_mutants_is_spread_over_all():
    assert spread(range(5), 10) == (0, 1, 2, 3, 4)
    assert spread(range(100), 4) == (0, 25, 50, 75)


def test_what_the_coverage_settings_exclude_is_not_asked_about():
    settings = {".coveragerc": b"[report]\nexclude_also = def discount\n[run]\nplugins = evil\n"}
    surveyor = Surveyor(
        fake_sandbox(),
        Limits(),
        time.monotonic,
        lambda happened: None,
        lambda sources: (),
        KnownStatements(settings).measure,
    )
    report = surveyor.survey(SurveyRequest(mutants=0))
    assert [view.function for view in report.functions] == ["total"]
    assert ("settings", "warning", "") in rules(report)
    assert any("plugins of coverage.py are never loaded: evil" in finding.claim.lower() for finding in report.findings)


def test_files_that_the_coverage_settings_leave_out_are_named():
    settings = {"setup.cfg": b"[coverage:run]\nomit = other.py\n"}
    lines = (*LINES[1:], (NAMES[0], (("other.py", Lines([2])), *LINES[0][1])))
    run = run_of(dict.fromkeys(NAMES, Outcome.PASSED), lines)
    sandbox = FakeSandbox(lambda *_: run, (("other.py", SHOP), *SOURCES))
    surveyor = Surveyor(
        sandbox,
        Limits(),
        time.monotonic,
        lambda happened: None,
        lambda sources: (),
        KnownStatements(settings).measure,
    )
    report = surveyor.survey(SurveyRequest(mutants=0))
    assert {view.file for view in report.functions} == {"shop.py"}
    (said,) = [finding for finding in report.findings if finding.rule == "omitted"]
    assert (said.weight, said.file) == ("note", "setup.cfg")
    assert "They leave out other.py: nothing is asked of it" in said.claim


def test_each_function_has_a_priority_with_its_parts():
    asked = []

    def histories(functions):
        asked.append(functions)
        return {("shop.py", "discount"): History(5, 2)}

    report = survey(histories=histories)
    assert asked == [{"shop.py": [("total", 1, 4), ("discount", 6, 7), ("_own", 9, 10)]}]
    first, second = report.by_priority()
    assert (first.function, second.function) == ("discount", "total")
    assert [part.said for part in first.priority.parts] == [
        "public, used by none",
        "changed in 5 commits, 2 of them called fixes",
        "no test vouches for it",
    ]
    assert second.priority.parts[1].said == "changed in 0 commits"
    unknown = survey(histories=lambda functions: None).functions[0].priority
    assert unknown.parts[1].said == "changes unknown"
