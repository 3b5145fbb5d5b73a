"""Candidates ready to be judged, made of small sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis.facts import Files, LineMap, Outcome, Phase, TestId, TestResult, TestRun
from analysis.functions import find_function, functions_of
from repair.records.ports import Submission
from repair.records.task import Baseline
from transforms.patch.apply import complete
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Origin
from transforms.tree.scope import EditScope, open_scope

PATH = "shop.py"
HEAD = b"import os\n\n\n"
OLD = b"def price(text):\n    if not text:\n        return 0\n    return int(text)\n"
NEW = OLD.replace(b"int(text)", b"int(float(text))")
TESTS = "test_shop.py"
FAILING = TestId("test_shop.py::test_price")
PASSING = TestId("test_shop.py::test_empty")
P, F, E, S, H = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED, Outcome.HANG
BEFORE: dict[str, Outcome] = {FAILING: F, PASSING: P}
AFTER: dict[str, Outcome] = {FAILING: P, PASSING: P}


def scope_in(source: bytes, qualname: str = "price", path: str = PATH) -> EditScope:
    """The function of that name, opened for editing."""
    span = find_function(functions_of(path, source), qualname)
    assert span is not None
    scope = open_scope(source, span)
    assert isinstance(scope, EditScope)
    return scope


def candidate_of(
    new: bytes = NEW, old: bytes = OLD, *, qualname: str = "price", operator: str = "wrap", head: bytes = HEAD
) -> Candidate:
    """The candidate that the new text of the function makes."""
    made = complete(scope_in(head + old, qualname), new, Origin("search", operator))
    assert isinstance(made, Candidate), made
    return made


def baseline_of(
    outcomes: Mapping[str, Outcome] = BEFORE,
    *,
    failing: Sequence[str] | None = None,
    flaky: Sequence[str] = (),
    runs: int = 3,
    unsteady: Sequence[str] = (),
    partial: bool = False,
    lost: tuple[str, ...] = (),
    line_map: LineMap = (),
    seconds: float = 0.01,
) -> Baseline:
    """A baseline with these outcomes; what is broken is to be mended unless ``failing`` says otherwise."""
    results = tuple(TestResult(TestId(t), o, Phase.CALL, seconds) for t, o in outcomes.items())
    broken = tuple(r.test for r in results if r.outcome in (F, E, H))
    return Baseline(
        failing=broken if failing is None else tuple(map(TestId, failing)),
        passing=tuple(r.test for r in results if r.outcome is P and r.test not in flaky),
        flaky=tuple(map(TestId, flaky)),
        outcomes=results,
        traced=TestRun(results, (), 1, 0.1, line_map),
        runs=runs,
        suite_seconds=0.1,
        unsteady=tuple(map(TestId, unsteady)),
        partial=partial,
        lost=lost,
    )


def submission_of(
    new: bytes = NEW,
    old: bytes = OLD,
    *,
    baseline: Baseline | None = None,
    vouching: Sequence[str] = (FAILING, PASSING),
    rivals: Sequence[bytes] = (),
    whole: Files = (),
    qualname: str = "price",
    head: bytes = HEAD,
) -> Submission:
    """The candidate with all that the gates need."""
    candidate = candidate_of(new, old, qualname=qualname, head=head)
    others = [
        candidate_of(text, old, qualname=qualname, operator=f"rival {n}", head=head) for n, text in enumerate(rivals)
    ]
    return Submission(
        candidate=candidate,
        baseline=baseline or baseline_of(),
        diagnoses=(),
        test_sources=(),
        whole=whole or candidate.files,
        sources=((PATH, head + old),),
        vouching=tuple(map(TestId, vouching)),
        rivals=tuple(others),
    )
