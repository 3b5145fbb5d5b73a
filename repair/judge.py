"""All gates on one candidate, in order of cost; the first rejection ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from analysis.facts import Files, Outcome, TestId
from analysis.functions import FunctionSpan
from analysis.quality.check import smells_of_tests
from analysis.quality.smell import Severity
from repair.events import Listener, event
from repair.plan import covering_tests
from repair.ports import Gate, Submission
from repair.task import Baseline
from repair.verdict import CORE_GATES, Decision, Evidence, Verdict

MOST_VOUCHING = 150
VOUCHING_SECONDS = 5.0


def judge(
    submission: Submission,
    gates: Sequence[Gate],
    clock: Callable[[], float],
    listen: Listener,
    required: tuple[str, ...] = CORE_GATES,
) -> Verdict:
    """The verdict on one candidate, with the evidence of every gate that was asked."""
    seen: list[Evidence] = []
    for gate in gates:
        started = clock()
        evidence = replace(gate.judge(submission), seconds=round(clock() - started, 3))
        seen.append(evidence)
        listen(
            event(
                "evidence",
                gate=evidence.gate,
                decision=evidence.decision.value,
                claim=evidence.claim,
                digest=submission.candidate.digest,
                witness=evidence.witness,
                seconds=evidence.seconds,
            )
        )
        if evidence.decision is Decision.REJECT:
            break
    return Verdict(tuple(seen), required)


def vouching_tests(baseline: Baseline, span: FunctionSpan, test_sources: Files) -> tuple[TestId, ...]:
    """Tests whose pass counts: the failing ones and the quickest passing ones that run the function, fakes left out."""
    took = {r.test: r.seconds for r in baseline.outcomes}
    hanging = {r.test for r in baseline.outcomes if r.outcome is Outcome.HANG}
    others = covering_tests(baseline.traced.line_map, baseline.passing, span)
    chosen: list[TestId] = []
    total = 0.0
    for test in (*baseline.failing, *sorted(others, key=lambda t: (took.get(t, 0.0), t))):
        total += 0.0 if test in hanging else took.get(test, 0.0)
        late = total > VOUCHING_SECONDS or len(chosen) >= MOST_VOUCHING
        if late and test not in baseline.failing:
            break
        chosen.append(test)
    fakes = _fakes(chosen, dict(test_sources))
    return tuple(test for test in chosen if test not in fakes)


def _fakes(tests: Sequence[TestId], sources: dict[str, bytes]) -> set[TestId]:
    """Those of the tests that cannot serve as evidence. A test that its file does not hold (an inherited one) can."""
    by_path: dict[str, list[TestId]] = {}
    for test in tests:
        by_path.setdefault(str(test).split("::")[0], []).append(test)
    return {
        test
        for path, group in by_path.items()
        if path in sources
        for test, smells in smells_of_tests(sources[path], path, group)
        if any(smell.severity is Severity.REJECT for smell in smells or ())
    }
