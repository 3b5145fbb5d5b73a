"""Candidates before the gates: what a gate is shown, and what its answers come to.

The gates are asked in order of cost, and the first rejection ends it. They end with the time of the run: what they
could not find out in it is unknown, and never a certificate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock

from analysis.errors import OutOfTimeError
from analysis.facts import Files, Outcome, TestId
from analysis.functions import FunctionSpan, span_of
from analysis.quality.check import smells_of_tests
from analysis.quality.smell import Severity
from repair.checks.weighing import weigh_evidence
from repair.checks.weights import MOST_RISK, Weights, shipped_weights
from repair.compare.patched_server import Lend
from repair.engine.diagnosing import Diagnosed
from repair.engine.reached import PLAUSIBLE, Asking, Reached
from repair.observe.uncollected import file_of
from repair.records.events import Listener, event
from repair.records.outcome import Judged
from repair.records.plan import covering_tests
from repair.records.ports import AddEvidence, Gate, Submission
from repair.records.task import Baseline
from repair.records.verdict import CORE_GATES, REPEATED, TIME_WAS_UP, WEIGHED_GATES, Decision, Evidence, Verdict
from sandbox.deadline import Deadline
from transforms.tree.candidate import Candidate

TEXTUAL = ("shape", "capability")
"""Gates that read a candidate's text."""

BESIDE = ("fixes",)
"""Gates that only run tests, cold, and share no server with the others: a second core may have them meanwhile.

None of them makes syntax trees. Two threads that do make Python 3.11 fail at times ("AST constructor recursion depth
mismatch"): it counts the depth for both together.
"""

MOST_VOUCHING = 150
"""Vouching tests that the gates run for each program."""

VOUCHING_SECONDS = 5.0
"""What these tests may take together, by the baseline's times."""

EvidenceSoFar = Callable[[], tuple[Evidence, ...]]


def add_nothing(_submission: Submission, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The evidence as it is."""
    return evidence


def judge(
    submission: Submission,
    gates: Sequence[Gate],
    clock: Callable[[], float],
    listen: Listener,
    required: tuple[str, ...] = CORE_GATES,
    jobs: int = 1,
    stop: Callable[[], None] = lambda: None,
    begun: Callable[[EvidenceSoFar], None] = lambda evidence: None,
    limit: float = MOST_RISK,
    known: Sequence[Evidence] = (),
    weights: Weights | None = None,
    others: AddEvidence = add_nothing,
) -> Verdict:
    """The verdict on one candidate, with the evidence of every gate up to the first that rejects it.

    What is ``known`` of a gate is not asked again.

    With two ``jobs`` or more some gates are asked beside the others, once its text is accepted. The evidence is the
    same, in the same order. What the gates doubt is weighed, by the shipped ``weights`` where no others are given;
    ``limit`` is the largest risk of a certificate.

    ``stop`` ends what runs beside, where the judging is broken off. ``begun`` is given what tells the evidence so far.
    ``others`` adds what checks of third parties say, which no weight knows.
    """
    asking = _Asking(submission, clock, listen, known)
    begun(asking.evidence)
    placed = list(enumerate(gates))
    asking.ask([each for each in placed if each[1].name in TEXTUAL])
    rest = [each for each in placed if each[1].name not in TEXTUAL]
    if jobs > 1:
        with ThreadPoolExecutor(1) as pool:
            beside = pool.submit(asking.ask, [each for each in rest if each[1].name in BESIDE])
            try:
                asking.ask([each for each in rest if each[1].name not in BESIDE])
            except BaseException:
                stop()  # an interrupted run waits for no suite
                raise
            beside.result()
    else:
        asking.ask(rest)
    by_others = not submission.candidate.origin.is_searched
    own = asking.evidence()
    repeated = sum(int(number) for each in own for name, number in each.measurements if name == REPEATED)
    answers = len(submission.answers) - repeated
    said = others(submission, own)
    evidence, risk = weigh_evidence(said, weights or shipped_weights(), limit, by_others=by_others, answers=answers)
    return Verdict(evidence, required, risk)


class _Asking:
    """What the gates have said of one candidate so far, each by its place."""

    def __init__(
        self,
        submission: Submission,
        clock: Callable[[], float],
        listen: Listener,
        known: Sequence[Evidence] = (),
    ) -> None:
        self._submission = submission
        self._known = {each.gate: each for each in known}
        self._clock = clock
        self._listen = listen
        self._lock = Lock()
        self._seen: dict[int, Evidence] = {}
        self._end = math.inf
        """The first place of a rejection: what stands behind it is not asked."""

    def ask(self, gates: Sequence[tuple[int, Gate]]) -> None:
        """Ask gates one after another."""
        try:
            for place, gate in gates:
                if place < self._end:
                    self._take(place, self._known.get(gate.name) or self._judge(gate))
        except BaseException:  # an interruption too: the other side begins nothing more
            self._end = -1
            raise

    def _judge(self, gate: Gate) -> Evidence:
        started = self._clock()
        evidence = gate.judge(self._submission)
        return replace(evidence, seconds=round(self._clock() - started, 3))

    def _take(self, place: int, evidence: Evidence) -> None:
        with self._lock:
            self._seen[place] = evidence
            if evidence.decision is Decision.REJECT:
                self._end = min(self._end, place)
            self._listen(
                event(
                    "evidence",
                    gate=evidence.gate,
                    decision=evidence.decision.value,
                    claim=evidence.claim,
                    digest=self._submission.candidate.digest,
                    witness=evidence.witness,
                    question=evidence.question,
                    seconds=evidence.seconds,
                )
            )

    def evidence(self) -> tuple[Evidence, ...]:
        """All of it in the gates' order, a rejection last."""
        end = self._end if self._end >= 0 else math.inf  # broken off: what was said until then stands
        return tuple(self._seen[place] for place in sorted(self._seen) if place <= end)


def vouching_tests(baseline: Baseline, span: FunctionSpan, test_sources: Files) -> tuple[TestId, ...]:
    """Tests whose pass counts: the failing ones and the quickest passing ones that run the function, fakes left out.

    A test that its file does not hold (an inherited one) is taken for no fake. For a file that could not be collected
    its own tests stand, where they are known.
    """
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
    by_path: dict[str, list[TestId]] = {}
    for test in chosen:
        by_path.setdefault(str(test).split("::")[0], []).append(test)
    fakes = {
        test
        for path, text in test_sources
        if path in by_path
        for test, smells in smells_of_tests(text, path, by_path[path])
        if any(smell.severity is Severity.REJECT for smell in smells or ())
    }
    inside = {file_of(test) for test in chosen if file_of(test) != test}
    return tuple(test for test in chosen if test not in fakes | inside)


@dataclass(frozen=True, slots=True)
class Judging:
    """The gates of one run. ``required`` are those without whose acceptance nothing is certified."""

    gates: tuple[Gate, ...]
    sources: Files
    clock: Callable[[], float]
    listen: Listener
    jobs: int = 1
    """With two or more some gates are asked beside the others."""
    required: tuple[str, ...] = CORE_GATES
    lend: Lend | None = None
    """Lends the server of the gates over a patched program to whom asks before them."""
    release: Callable[[], None] = lambda: None
    """Ends what the gates have kept for one another, when a candidate is judged."""
    stop: Callable[[], None] = lambda: None
    """Ends what gates run beside each other, when the judging is broken off."""
    unasked: tuple[Gate, ...] = ()
    """The gates of a change that no failing test asks for."""
    reached: Reached = field(default_factory=Reached)
    """What the run has come to, should it be broken off. Is told of each candidate and of its verdict."""
    limit: float = MOST_RISK
    """The largest risk of a certificate."""
    answers: tuple[TestId, ...] = ()
    """The tests that are a person's answers in this run."""
    weights: Weights | None = None
    """What features weigh, where that is not the table that ships."""
    others: AddEvidence = add_nothing
    """Adds what checks of third parties say of a patch that is judged to its end."""

    def submit(
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
            answers=_find_about(span, [test for test in vouching if test in self.answers], seen.baseline),
        )

    def read_text(self, candidate: Candidate, seen: Diagnosed) -> Verdict:
        """What the gates say that read its text alone."""
        gates = [gate for gate in self.gates if gate.name in TEXTUAL]
        return judge(self.submit(candidate, seen), gates, self.clock, lambda event: None)

    def weigh(self, submission: Submission) -> Verdict:
        """What the gates say that read its text or are weighed, which need no process of their own beside the server.

        Nobody hears of it: most that is weighed is not judged. The server is kept for the next one.
        """
        gates = [gate for gate in self.gates if gate.name in (*TEXTUAL, *WEIGHED_GATES)]
        return judge(submission, gates, self.clock, lambda event: None, limit=self.limit, weights=self.weights)

    def judge(self, submission: Submission, known: Sequence[Evidence] = (), *, keep: bool = False) -> Judged:
        """The candidate with its verdict; what is ``known`` was weighed before. ``keep`` leaves the server there."""
        return self._judge(submission, None, known, keep=keep)

    def judge_in_doubt(self, submission: Submission, doubt: Evidence) -> Judged:
        """The candidate of which there is a doubt already: only what makes it plausible is looked at."""
        return self._judge(submission, doubt)

    def _judge(
        self, submission: Submission, doubt: Evidence | None, known: Sequence[Evidence] = (), *, keep: bool = False
    ) -> Judged:
        gates = [gate for gate in self.gates if doubt is None or gate.name in (*TEXTUAL, *PLAUSIBLE)]
        names, required, reached = tuple(gate.name for gate in gates), self.required, self.reached

        def begun(evidence: EvidenceSoFar) -> None:
            reached.asking = Asking(submission, names, required, evidence, doubt)

        try:
            verdict = judge(
                submission,
                gates,
                self.clock,
                self.listen,
                required,
                self.jobs,
                self.stop,
                begun,
                self.limit,
                known,
                self.weights,
                self.others if doubt is None else add_nothing,
            )
        finally:
            if not keep:
                self.release()
        judged = add_doubt(Judged(submission, verdict), doubt)
        self._tell(submission.candidate, judged.verdict.status.value)
        return self.reached.settle(judged)

    def _tell(self, candidate: Candidate, status: str) -> None:
        """Tell who listens of the verdict, with the program before and the text that was judged."""
        where = {"file": candidate.function.path, "function": candidate.function.qualname}
        before, text = (each.decode(candidate.encoding, "replace") for each in (candidate.before, candidate.text))
        made = {"origin": candidate.origin.proposer, "operator": candidate.origin.operator}
        self.listen(event("program", **where, text=before))
        self.listen(event("patch", **where, **made, text=text, digest=candidate.digest, status=status))


def _find_about(span: FunctionSpan | None, answers: Sequence[TestId], baseline: Baseline) -> tuple[TestId, ...]:
    """The answers that run the function: one about another function says nothing of it. All where nobody knows."""
    line_map = baseline.traced.line_map
    is_known = span is not None and bool(line_map) and span.end_line > span.def_line
    return covering_tests(line_map, answers, span) if span is not None and is_known else tuple(answers)


def add_doubt(judged: Judged, doubt: Evidence | None) -> Judged:
    """The candidate with a doubt that was there before it was judged, unless it is rejected anyway."""
    if doubt is None or judged.verdict.evidence[-1].decision is Decision.REJECT:
        return judged
    return replace(judged, verdict=replace(judged.verdict, evidence=(*judged.verdict.evidence, doubt)))


@dataclass(frozen=True, slots=True)
class Timed:
    """Conforms to ``Gate``: one of the engine's own, of which nothing goes on after the deadline."""

    gate: Gate
    deadline: Deadline

    @property
    def name(self) -> str:
        """The gate's own name."""
        return self.gate.name

    def judge(self, submission: Submission) -> Evidence:
        """What the gate says, if it says it in time, else that it is unknown.

        Raises ``OutOfTimeError`` where the patch was not shown to pass its tests: then nothing may be said of it.
        """
        try:
            if self.name not in TEXTUAL:
                self.deadline.check()
            return self.gate.judge(submission)
        except OutOfTimeError:
            if self.name in PLAUSIBLE:
                raise
            return Evidence(self.name, Decision.UNKNOWN, TIME_WAS_UP)
