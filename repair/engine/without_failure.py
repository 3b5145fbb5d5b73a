"""Changes that no failing test asks for: what is told of them beside the verdict on each changed function.

At most one question is asked of a whole change. What it adds is held against the lines that tests run. Where no
existing function differs, the suite alone says whether anything broke.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.diagnosis import is_test_path
from analysis.facts import BROKEN, InvalidRun, Limits, Outcome, Phase, TestRun
from analysis.function_text import Unreadable, parse_function
from analysis.functions import FunctionSpan, functions_of
from analysis.statement_lines import FileStatements, Span, has_run, statement_spans
from repair.compare.foreign_signature import GATE as SIGNATURE
from repair.observe.patched import GATE as CHANGED_TESTS
from repair.observe.patched import differences, suite_selection
from repair.observe.statements import Measure, without_new_comments
from repair.records.change import PROGRAM, Change
from repair.records.effect import Effect
from repair.records.outcome import Judged, RunOutcome
from repair.records.ports import Sandbox
from repair.records.result import FindingView, Status
from repair.records.task import Baseline
from repair.records.verdict import Decision, Evidence, PatchStatus, Verdict
from repair.records.wording import count_noun, list_names

COMMON = frozenset(("imports", "function_added", "function_moved"))
"""Those of them that any refactoring may bring along."""

UNRUN = "not_run"
"""Kind of the finding that no test runs what a change adds."""

MOST_LINES = 5
"""Lines that a finding names."""

UNTOLD = "the suite with the change could not be run"


def run_after(sandbox: Sandbox, change: Change, baseline: Baseline, limits: Limits) -> TestRun | InvalidRun:
    """The suite with the change, and the lines that each test runs."""
    return sandbox.for_purpose("patched suite").run(
        suite_selection(baseline), change.after, limits=baseline.relax_limits(limits), trace=True
    )


def run_before(sandbox: Sandbox, baseline: Baseline, limits: Limits) -> TestRun | InvalidRun:
    """The suite once more without the change, in the same order, but for tests that cannot be collected without it."""
    new = {r.test for r in baseline.outcomes if r.phase is Phase.COLLECT}
    known = tuple(test for test in suite_selection(baseline) if test not in new)
    return sandbox.for_purpose("old suite").run(known, limits=baseline.relax_limits(limits))


def adds_functions(change: Change) -> bool:
    """Whether the change adds a function to the program."""
    return any(True for _ in _added_functions(change))


def find_unrun_additions(change: Change, run: TestRun, measure: Measure) -> tuple[FindingView, ...]:
    """Functions that the change adds, as far as no test runs them. ``measure`` says what statements are."""
    return tuple(_unrun_additions(change, run, measure))


def _added_functions(change: Change) -> Iterator[tuple[FunctionSpan, bytes]]:
    """Each with the file that it stands in; one inside another function is a part of that."""
    before = dict(change.before)
    for path, source in change.after:
        if path.endswith(".py") and not is_test_path(path) and before.get(path) != source:
            known = {f.function.qualname for f in functions_of(path, before[path])} if path in before else set()
            end = 0
            for function in functions_of(path, source):
                if function.start >= end:
                    end = function.end
                    if function.function.qualname not in known:
                        yield function, source


def _unrun_additions(change: Change, run: TestRun, measure: Measure) -> Iterator[FindingView]:
    added = tuple(_added_functions(change))
    before = dict(change.before)
    files = {function.function.path: source for function, source in added}
    # Nobody takes his own change out of what is counted by a comment beside it.
    bare = tuple((path, without_new_comments(before.get(path), source)) for path, source in files.items())
    measured = measure(bare)
    for function, source in added:
        path, name = function.function.path, function.function.qualname
        ran = frozenset[int]().union(*(dict(files).get(path, frozenset()) for _, files in run.line_map))
        spans = _statements(function, source, measured.of(path))
        left = [span for span in spans if not has_run(span, ran)]
        if left:
            lines = list_names([span[0] for span in left], "line", MOST_LINES)
            some = f"{'line' if len(left) == 1 else 'lines'} {lines} of " if len(left) < len(spans) else ""
            yield FindingView(UNRUN, f"no test runs {some}the new function {name}", path, left[0][0])


def _statements(function: FunctionSpan, source: bytes, file: FileStatements) -> tuple[Span, ...]:
    node = parse_function(source[function.start : function.end].decode(function.encoding, "replace"))
    if isinstance(node, Unreadable):
        return ()
    return statement_spans(ast.increment_lineno(node, function.function.first_line - 1), file)


def judge_additions(
    run: TestRun | InvalidRun,
    more: Sequence[TestRun | InvalidRun],
    baseline: Baseline,
    findings: tuple[FindingView, ...],
) -> RunOutcome:
    """The word on a change in which no existing function differs: the suite says whether anything broke.

    Where a test is worse off there is one ``more`` run with the change, and one without it. It counts where it is worse
    off in the former too, and does not fail in the latter. What fails without the change as well is no doing of it.
    """
    if isinstance(run, InvalidRun):
        said = f"{UNTOLD}: {run.detail}"
        return RunOutcome(Status.REJECTED, messages=(said,), findings=findings)
    worse = differences(baseline, run)
    after, before = (*more, None, None)[:2]
    if isinstance(after, TestRun):
        still = {each.test for each in differences(baseline, after)}
        worse = tuple(each for each in worse if each.test in still)
    if isinstance(before, TestRun):
        excused = {each.test for each in worse if before.outcome(each.test) in BROKEN} - {*baseline.failing}
        worse = tuple(each for each in worse if each.test not in excused)
    if worse:
        return RunOutcome(
            Status.REJECTED, messages=(f"The change breaks what worked: {worse[0].said}",), findings=findings
        )
    mended = sum(run.outcome(test) is Outcome.PASSED for test in baseline.failing)
    kept_tests = sum(run.outcome(test) is Outcome.PASSED for test in baseline.passing)
    said = f"No existing function differs, and {count_noun(kept_tests, 'test')} that passed before still pass"
    said += f"; {count_noun(mended, 'test')} that could not pass without the change pass with it" if mended else ""
    return RunOutcome(Status.PLAUSIBLE, messages=(said,), findings=findings)


def ask_once(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """The judged functions with the one question that is most worth asking; the others keep their witnesses.

    Of two that are worth as much it is the one that has an answer ready, then that about the function with more risk.
    """
    asked = [
        ((_worth(each), each.told is None, -_risk_of(one.verdict)), function, place)
        for function, one in enumerate(judged)
        for place, each in enumerate(one.verdict.evidence)
        if each.question and each.decision is Decision.UNKNOWN
    ]
    kept = min(asked)[1:] if asked else ()

    def keep(function: int, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        return tuple(
            each if (function, place) == kept else replace(each, question="", told=None)
            for place, each in enumerate(evidence)
        )

    if not kept:
        return tuple(judged)
    return tuple(
        replace(one, verdict=replace(one.verdict, evidence=keep(function, one.verdict.evidence)))
        for function, one in enumerate(judged)
    )


def _risk_of(verdict: Verdict) -> float:
    return verdict.risk.value if verdict.risk is not None else 1.0


def _worth(evidence: Evidence) -> int:
    """The place of a question among others: what broke an old test first, then a call that was left behind."""
    if evidence.gate == SIGNATURE:
        return 1 if dict(evidence.measurements).get("calls") else 4
    return {CHANGED_TESTS: 0, "capability": 2}.get(evidence.gate, 3 if evidence.effect is not None else 5)


def describe_effects(judged: Sequence[Judged], findings: Sequence[FindingView]) -> str:
    """What the change comes to for callers, in one sentence."""
    effects = [each.effect for one in judged for each in one.verdict.evidence if each.effect is not None]
    if any(one.verdict.status is PatchStatus.REJECTED for one in judged) or len(effects) < len(judged):
        return ""
    changed = sum(each.changed for each in effects)
    inputs = sum(each.inputs for each in effects)
    if changed:
        more = "at least " if any(each.bounded for each in effects) else ""
        return (
            f"Callers get something else on {more}{changed} of {count_noun(inputs, 'input')}, and no test asks for it."
        )
    tried = f"callers get what they got on {count_noun(inputs, 'input')}"
    signatures = [each.claim for one in judged for each in one.verdict.evidence if each.gate == SIGNATURE]
    if signatures:
        return f"No difference for callers was found on {count_noun(inputs, 'input')}; {signatures[0]}."
    outside = [f for f in findings if f.kind in (*(PROGRAM - COMMON), UNRUN)]
    if not outside and not any(each.lines or each.inputs for each in effects):
        return "No statement differs, so callers get what they got."
    if all(each.is_refactoring for each in effects) and not outside:
        return f"A refactoring, as far as tests and inputs tell: {tried}, and tests run each changed line."
    return f"No difference for callers was found: {tried}. {_describe_gap(effects, outside)}"


def _describe_gap(effects: Sequence[Effect], outside: Sequence[FindingView]) -> str:
    """Why that is not enough to call it a refactoring."""
    for each in effects:
        if each.gap:
            return f"But {each.gap}."
        if each.unrun:
            return f"But no passing test runs {count_noun(len(each.unrun), 'changed statement')}."
        if not each.is_refactoring:
            return f"But only {count_noun(each.touching, 'input')} reached the change."
    return f"But {outside[0].claim} ({outside[0].file}), which nothing compared."
