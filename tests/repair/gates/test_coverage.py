"""Coverage: a failing test runs the change, and some test what hangs on it."""

from dataclasses import replace

from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import FAILING, PASSING, PATH, baseline_of, submission_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from repair.gates.coverage import Coverage
from repair.observe.patched import PatchedRun
from repair.observe.statements import KnownStatements
from repair.records.verdict import Decision

P, F = Outcome.PASSED, Outcome.FAILED
OLD = b"def price(text):\n    x = int(text)\n    if not x:\n        warn(x)\n    return x\n"
NEW = OLD.replace(b"int(text)", b"float(text)")
CHANGE, HEAD, WARN, RETURN = 5, 6, 7, 8
"""Lines in the file."""


def lined(**lines):
    """A line map of the two tests."""
    return tuple(
        (test, ((PATH, frozenset(lines[name])),)) for name, test in (("failing", FAILING), ("passing", PASSING))
    )


def judged(failing, passing=(), *, before=(), new=NEW, old=OLD):
    run = run_of({FAILING: P, PASSING: P}, lined(failing=failing, passing=passing))
    sandbox = FakeSandbox(lambda *_: run)
    baseline = baseline_of(line_map=lined(failing=(), passing=before))
    evidence = Coverage(PatchedRun(sandbox, Limits())).judge(submission_of(new, old, baseline=baseline))
    return evidence, sandbox


def test_a_change_that_a_failing_test_runs_is_covered():
    evidence, sandbox = judged({CHANGE, HEAD, WARN, RETURN})
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements) == {"changed": 1, "run": 1, "unseen": 0, "hanging": 0}
    assert [asked[0] for asked in sandbox.asked] == [()], "the suite is quick: one run of it tells all gates"


def test_a_change_that_only_passing_tests_run_is_a_doubt_with_its_line():
    evidence, _ = judged({HEAD}, {CHANGE, HEAD, WARN, RETURN})
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, f"{PATH}:{CHANGE}")
    assert evidence.question


def test_a_line_that_hangs_on_the_change_and_that_no_test_runs_is_a_doubt():
    evidence, _ = judged({CHANGE, HEAD, RETURN}, {CHANGE, HEAD})
    assert evidence.decision is Decision.UNKNOWN
    assert f"line {WARN}, which reads x" in evidence.claim
    assert evidence.witness == f"{PATH}:{WARN}: x"


def test_such_a_line_that_some_test_runs_or_ran_before_is_none():
    assert judged({CHANGE, HEAD, RETURN}, {CHANGE, WARN})[0].decision is Decision.ACCEPT
    assert judged({CHANGE, HEAD, RETURN}, before={WARN})[0].decision is Decision.ACCEPT


def test_changed_lines_that_no_test_runs_are_listed():
    new = OLD.replace(b"int(text)", b"float(text)").replace(b"warn(x)", b"warn(-x)")
    evidence, _ = judged({CHANGE, HEAD, RETURN}, new=new)
    assert evidence.decision is Decision.ACCEPT
    assert evidence.not_checked == (f"line {WARN} of the change, which no vouching test runs",)


def test_without_lines_or_tests_nothing_is_covered():
    nothing, _ = judged({CHANGE}, new=OLD.replace(b"    x = int", b"    # whole\n    x = int"))
    assert nothing.decision is Decision.UNKNOWN
    lost = FakeSandbox(lambda *_: InvalidRun(RunFault.TIMEOUT, "time is up"))
    gate = Coverage(PatchedRun(lost, Limits()))
    assert "time is up" in gate.judge(submission_of()).claim
    assert gate.judge(submission_of()).decision is Decision.UNKNOWN
    idle = FakeSandbox(lambda *_: run_of({}))
    untested = submission_of(baseline=baseline_of({PASSING: P}))
    assert Coverage(PatchedRun(idle, Limits())).judge(untested).decision is Decision.UNKNOWN
    assert not idle.asked


def test_gates_share_one_run_of_a_submission():
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: P}))
    patched = PatchedRun(sandbox, Limits())
    first = submission_of(baseline=replace(baseline_of(), suite_seconds=30.0))
    assert patched.of(first) is patched.of(first)
    patched.of(replace(first, vouching=(TestId("t::other"),)))
    assert [asked[0] for asked in sandbox.asked] == [(FAILING, PASSING), (FAILING, TestId("t::other"))]


SWALLOWS = (
    b"def price(text):\n    try:\n        x = float(text)\n    except OverflowError:\n        x = 0\n    return x\n"
)


def test_a_new_handler_that_no_exception_comes_to_is_a_doubt():
    evidence, _ = judged({CHANGE, CHANGE + 1, CHANGE + 4}, new=SWALLOWS)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == f"{PATH}:{CHANGE + 2}: except OverflowError"
    assert "swallow OverflowError" in evidence.question


def test_one_that_a_test_comes_to_is_none_and_neither_is_one_that_was_there():
    assert judged({CHANGE, CHANGE + 1, CHANGE + 2, CHANGE + 4}, new=SWALLOWS)[0].decision is Decision.ACCEPT
    assert judged({CHANGE, CHANGE + 1, CHANGE + 4}, {CHANGE + 2}, new=SWALLOWS)[0].decision is Decision.ACCEPT
    other = SWALLOWS.replace(b"float(text)", b"float(text.strip())")
    assert judged({CHANGE, CHANGE + 1, CHANGE + 4}, new=other, old=SWALLOWS)[0].decision is Decision.ACCEPT


def test_a_line_that_the_project_excluded_before_is_told_and_no_doubt():
    old = OLD.replace(b"        warn(x)", b"        warn(x)  # pragma: no cover")
    evidence, _ = judged({CHANGE, HEAD, RETURN}, old=old, new=old.replace(b"int(text)", b"float(text)"))
    assert evidence.decision is Decision.ACCEPT
    assert evidence.not_checked == (f"line {WARN}, which the project excludes from coverage",)


def test_settings_of_the_project_exclude_too():
    known = KnownStatements({".coveragerc": b"[report]\nexclude_also = warn\n"})
    run = run_of({FAILING: P, PASSING: P}, lined(failing={CHANGE, HEAD, RETURN}, passing=()))
    gate = Coverage(PatchedRun(FakeSandbox(lambda *_: run), Limits()), known.measure)
    baseline = baseline_of(line_map=lined(failing=(), passing=()))
    assert gate.judge(submission_of(NEW, OLD, baseline=baseline)).decision is Decision.ACCEPT


def test_a_patch_excludes_nothing_by_itself():
    evidence, _ = judged({CHANGE, HEAD, RETURN}, new=NEW.replace(b"float(text)", b"float(text)  # pragma: no cover"))
    assert evidence.decision is Decision.UNKNOWN
    marked = NEW.replace(b"        warn(x)", b"        warn(x)  # pragma: no cover")
    assert judged({CHANGE, HEAD, RETURN}, new=marked)[0].decision is Decision.UNKNOWN
