"""From a baseline to plans: what failed, which functions may be at fault, what an edit is held to."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.diagnosis import diagnose, files_of_tests, is_test_path
from analysis.edit_kind import PATCH_LINES
from analysis.errors import UnparseableError
from analysis.exception_kinds import Subclass
from analysis.facts import Diagnosis, FailureClass, Files, FunctionId, LineMap, Suspect, TestId
from analysis.failure import failure_of
from analysis.functions import FunctionSpan, functions_of
from analysis.localize import named_functions, rank
from analysis.out_of_scope import OutOfScope, out_of_scope
from analysis.root_cause import UNPATCHABLE, RootCause, find_root_cause
from repair.records.task import Baseline, PatchPlan
from transforms.tree.proposal import EditKind

POLICIES = {
    FailureClass.CONTRACT: "input validation, exception type and message; no other statement",
    FailureClass.RUNTIME_SAFETY: "guards, short-circuit returns, one expression at the faulting node, initialization",
    FailureClass.LOGIC: "arithmetic, conditions and expressions inside the function; no guard removed",
}
"""What an edit may do within its class; beyond it, stronger evidence is asked for."""

Index = Mapping[str, tuple[FunctionSpan, ...]]


@dataclass(frozen=True, slots=True)
class Localized:
    """The diagnosed failures, the ranked suspects, and the causes of which it is sure that no function holds them.

    The suspects are those of the other failures, where there are any.
    """

    diagnoses: tuple[Diagnosis, ...]
    suspects: tuple[Suspect, ...]
    out_of_scope: tuple[OutOfScope, ...]
    index: Index
    root_causes: tuple[RootCause, ...] = ()
    """What each of the failures comes from, in the order of the diagnoses."""

    def put_first(self, function: FunctionId | None) -> Localized:
        """With this function before the other suspects, where it is one of them."""
        first = sorted(self.suspects, key=lambda each: each.function != function)
        return replace(self, suspects=tuple(first))


def localize(baseline: Baseline, sources: Files, override: str = "", patch_lines: int = PATCH_LINES) -> Localized:
    """Diagnose each failing test and rank the functions that its failure may come from.

    A file that holds tests has no suspects, whatever its name. Fewer lines than ``patch_lines`` are called a patch.
    Raises ``UsageError`` when ``override`` names no function of the project.
    """
    held = files_of_tests(r.test for r in baseline.outcomes) if not override else frozenset()

    def is_test(path: str) -> bool:
        return is_test_path(path) or path in held

    results = {r.test: r for r in baseline.outcomes}
    texts = dict(sources)
    diagnoses = tuple(diagnose(failure_of(results[test]), sources, is_test) for test in baseline.failing)
    index = index_functions(texts, _find_touched(baseline, diagnoses, override, texts))
    clues = tuple(d for d in diagnoses if d.failure_class not in UNPATCHABLE) or diagnoses
    asked = tuple(d for d in diagnoses if d.failure_class not in UNPATCHABLE or _is_of_module(d))
    beyond = {test for each in ([] if override else out_of_scope(asked)) for test in each.tests}
    clues = tuple(d for d in clues if d.failure.test not in beyond) or clues
    failing = tuple(d.failure.test for d in clues)
    suspects = rank(
        clues, baseline.traced.line_map, failing, baseline.passing, index, is_test, override, baseline.since_check
    )
    outside = out_of_scope(diagnoses_of(diagnoses, beyond), suspects) if beyond else ()
    ran = {test: dict(files) for test, files in baseline.traced.line_map if test in results}
    causes = tuple(
        find_root_cause(d, suspects, ran.get(d.failure.test, {}), index, texts, patch_lines) for d in diagnoses
    )
    return Localized(diagnoses, suspects, outside, index, causes)


def _is_of_module(diagnosis: Diagnosis) -> bool:
    """Whether module-level code is at fault: the file can be parsed, and no function answers for it."""
    return diagnosis.failure_class is FailureClass.FORMAT and diagnosis.subclass != Subclass.SYNTAX


def diagnoses_of(diagnoses: Sequence[Diagnosis], tests: Collection[TestId]) -> tuple[Diagnosis, ...]:
    """Those of these tests."""
    return tuple(diagnosis for diagnosis in diagnoses if diagnosis.failure.test in tests)


def require_function(sources: Files, override: str) -> None:
    """Raises ``UsageError`` when ``override`` names no function of the project: no run is needed to say so."""
    texts = dict(sources)
    named_functions(override, index_functions(texts, _programs(texts)), is_test_path)


def _programs(texts: Mapping[str, bytes]) -> list[str]:
    return sorted(path for path in texts if not is_test_path(path))


def index_functions(texts: Mapping[str, bytes], paths: Sequence[str]) -> dict[str, tuple[FunctionSpan, ...]]:
    """The functions of those of the files that can be parsed."""
    index: dict[str, tuple[FunctionSpan, ...]] = {}
    for path in paths:
        if path in texts:
            with contextlib.suppress(UnparseableError):
                index[path] = functions_of(path, texts[path])
    return index


def _find_touched(
    baseline: Baseline, diagnoses: Sequence[Diagnosis], override: str, texts: Mapping[str, bytes]
) -> list[str]:
    """Project files that a failing test ran or that stand in a traceback; all of them to look up a named function."""
    if override:
        return _programs(texts)
    failing = set(baseline.failing)
    paths = {path for test, files in baseline.traced.line_map if test in failing for path, _ in files}
    for diagnosis in diagnoses:
        for raised in diagnosis.failure.exceptions:
            paths.update(f.path for f in raised.frames if f.in_project)
    return sorted(paths)


def covering_tests(line_map: LineMap, tests: Sequence[TestId], span: FunctionSpan) -> tuple[TestId, ...]:
    """Those of the tests that run the function's body."""
    wanted = set(tests)
    body = range(span.def_line + 1, span.end_line + 1)
    return tuple(
        test
        for test, files in line_map
        if test in wanted
        and any(path == span.function.path and any(line in lines for line in body) for path, lines in files)
    )


def nearest_tests(
    line_map: LineMap, tests: Sequence[TestId], failing: Sequence[TestId], span: FunctionSpan
) -> tuple[TestId, ...]:
    """Those of the tests that run the function's body, what runs the most of the failing tests' lines alone first."""
    body = frozenset(range(span.def_line + 1, span.end_line + 1))
    ran = {
        test: body.intersection(*(lines for path, lines in files if path == span.function.path))
        for test, files in line_map
        if any(path == span.function.path for path, _ in files)
    }
    wanted = frozenset().union(*(ran.get(test, frozenset()) for test in failing))
    covering = covering_tests(line_map, tests, span)
    return tuple(sorted(covering, key=lambda test: -len(ran[test] & wanted) / len(ran[test] | wanted)))


def plan(suspect: Suspect, diagnoses: Sequence[Diagnosis]) -> PatchPlan:
    """What a fix of this function will be held to, written down before any edit."""
    first = diagnoses[0]
    policy = POLICIES.get(first.failure_class, "no patch")
    kinds = (EditKind.UPDATE, EditKind.PATCH, EditKind.REWRITE)
    constraints = [c.claim for d in diagnoses for c in d.constraints]
    text = f"{first.failure_class.value}/{first.subclass}: {policy}"
    if constraints:
        text += "; derived: " + "; ".join(dict.fromkeys(constraints))
    return PatchPlan(suspect, tuple(diagnoses), kinds, text)
