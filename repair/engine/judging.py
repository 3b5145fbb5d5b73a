"""Candidates before the gates: what a gate is shown, and what its answers come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from analysis.facts import Files
from analysis.functions import span_of
from repair.engine.diagnosing import Diagnosed
from repair.engine.judge import EvidenceSoFar, judge, vouching_tests
from repair.engine.reached import Asking, Reached
from repair.engine.rivals import PLAUSIBLE, TEXTUAL, told_apart
from repair.hunt.hunt import HuntParts
from repair.records.events import event
from repair.records.outcome import Judged
from repair.records.ports import Gate, Submission
from repair.records.verdict import Decision, Evidence, Verdict
from transforms.tree.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Judging:
    """The gates of one run. ``required`` are those without whose acceptance nothing is certified."""

    parts: HuntParts
    gates: tuple[Gate, ...]
    sources: Files
    required: tuple[str, ...]
    release: Callable[[], None]
    """Ends what the gates have kept for one another, when a candidate is judged."""
    stop: Callable[[], None] = lambda: None
    """Ends what gates run beside each other, when the judging is broken off."""
    reached: Reached = field(default_factory=Reached)

    def submission(
        self, candidate: Candidate, seen: Diagnosed, whole: Files = (), rivals: Sequence[Candidate] = ()
    ) -> Submission:
        """A candidate with what the gates need to judge it."""
        paths = {str(test).split("::")[0] for test in (*seen.baseline.failing, *seen.baseline.passing)}
        whole = whole or candidate.files
        tests = tuple((p, text) for p, text in {**dict(self.sources), **dict(whole)}.items() if p in paths)
        span = span_of(seen.localized.index.get(candidate.function.path, ()), candidate.function)
        vouching = vouching_tests(seen.baseline, span, tests) if span else seen.baseline.failing
        return Submission(
            candidate=candidate,
            baseline=seen.baseline,
            diagnoses=seen.localized.diagnoses,
            test_sources=tests,
            whole=whole,
            sources=self.sources,
            vouching=vouching,
            rivals=tuple(rivals),
        )

    def textual(self, candidate: Candidate, seen: Diagnosed) -> Verdict:
        """What the gates say that read its text alone."""
        gates = [gate for gate in self.gates if gate.name in TEXTUAL]
        return judge(self.submission(candidate, seen), gates, self.parts.clock, lambda event: None)

    def judged(self, submission: Submission, earlier: Sequence[Judged] = ()) -> Judged:
        """The candidate with its verdict.

        Where an earlier one was told apart from its rivals, so is this one, which is a rival of it or like it:
        then only what makes it plausible is looked at.
        """
        return self.in_doubt(submission, next((d for d in map(told_apart, earlier) if d is not None), None))

    def in_doubt(self, submission: Submission, doubt: Evidence | None) -> Judged:
        """The candidate with its verdict; where there is a doubt already, only what makes it plausible is looked at."""
        gates = [gate for gate in self.gates if doubt is None or gate.name in (*TEXTUAL, *PLAUSIBLE)]
        names, required, reached = tuple(gate.name for gate in gates), self.required, self.reached

        def begun(evidence: EvidenceSoFar) -> None:
            reached.asking = Asking(submission, names, required, evidence, doubt)

        try:
            parts = self.parts
            verdict = judge(submission, gates, parts.clock, parts.listen, required, parts.jobs, self.stop, begun)
        finally:
            self.release()
        if doubt is not None and verdict.evidence[-1].decision is not Decision.REJECT:
            verdict = replace(verdict, evidence=(*verdict.evidence, doubt))
        self.parts.listen(event("patch", digest=submission.candidate.digest, status=verdict.status.value))
        return self.reached.settle(Judged(submission, verdict))
