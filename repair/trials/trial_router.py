"""The tiers of trials by rule: a swap in a warm server, a fork that imports the project anew, a cold run.

Each function's texts go to the first tier that can answer for them, and a single text further up where a
server says so. What a tier cannot answer for is noticed by the servers, not known here.
"""

from __future__ import annotations

import contextlib
import enum
import itertools
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from analysis.errors import RepairError
from analysis.facts import Digest, Files, FunctionId, InvalidRun, Limits, RunFault, TestId, digest
from analysis.functions import functions_of, span_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.ports import ProgramQuestions, Sandbox, TrialServer
from repair.trials.cold import NEEDS_COLD, ColdSession, NoAnswers, needs_other_tier

_SAME_EVERYWHERE = frozenset({RunFault.NO_PYTEST, RunFault.NO_SUCH_TEST, RunFault.NO_INTERPRETER})


class TrialTier(enum.StrEnum):
    """Where trials run, the quickest first."""

    WARM = "warm"
    ZYGOTE = "zygote"
    COLD = "cold"


@dataclass(frozen=True, slots=True)
class Selection:
    """The tests of a router, the program that they run on, and what they give there.

    ``files`` lie over the project; ``sources`` are its Python files with those in place. ``passes`` says whether
    all of the tests pass on it.
    """

    tests: tuple[TestId, ...]
    sources: Files
    limits: Limits
    cold_limits: Limits
    passes: bool
    files: Files = ()
    jobs: int = 1


class UnderWay:
    """Trials that were handed out and have no outcome yet. Two may share a digest: each of them gets an outcome."""

    def __init__(self) -> None:
        self._trials: dict[Digest, list[Trial]] = {}

    def begin_all(self, trials: Iterable[Trial]) -> Iterator[Trial]:
        """The trials, each of which begins when it is drawn."""
        for trial in trials:
            self._trials.setdefault(trial.digest, []).append(trial)
            yield trial

    def end(self, digest: Digest) -> Trial:
        """The trial that an outcome with this digest belongs to, the first that began."""
        waiting = self._trials[digest]
        trial = waiting.pop(0)
        if not waiting:
            del self._trials[digest]
        return trial

    @property
    def unfinished(self) -> tuple[Trial, ...]:
        """Those without an outcome, in the order in which they began."""
        return tuple(trial for waiting in self._trials.values() for trial in waiting)


class TrialRouter:
    """Conforms to ``TrialSession``: runs each trial in the quickest tier that can answer for it.

    Servers are started when a trial first needs them; close it in the end.
    """

    def __init__(self, sandbox: Sandbox, selection: Selection) -> None:
        self._sandbox = sandbox
        self._selection = selection
        self._sessions: dict[TrialTier, TrialServer | InvalidRun] = {}
        self._reasons: dict[tuple[TrialTier, FunctionId], str] = {}
        self._begun: Future[TrialServer | InvalidRun] | None = None

    def begin(self) -> None:
        """Start the warm server beside what goes on here; who needs it first waits for it."""
        if self._begun is None and TrialTier.WARM not in self._sessions:
            beside = ThreadPoolExecutor(1)
            self._begun = beside.submit(self._open, TrialTier.WARM)
            beside.shutdown(wait=False)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why a tier is not there at all, one sentence each."""
        missing = ((tier, found) for tier, found in self._sessions.items() if isinstance(found, InvalidRun))
        return tuple(f"no {tier} trials: {found.detail}" for tier, found in missing)

    def tier_of(self, function: FunctionId) -> TrialTier:
        """The tier of the function's texts."""
        tier = TrialTier.WARM
        while reason := self.reason(tier, function):
            tier = next_tier(tier, reason)
        return tier

    def why(self, function: FunctionId) -> str:
        """Why the function's texts are not tried in the quickest tier; empty where they are."""
        self.tier_of(function)
        reasons = [self._reasons.get((tier, function), "") for tier in TrialTier]
        return "; ".join(dict.fromkeys(reason for reason in reasons if reason))

    def reason(self, tier: TrialTier, function: FunctionId) -> str:
        """Why this tier cannot try the function's texts; empty where it can."""
        if tier is TrialTier.COLD:
            return ""
        if (tier, function) not in self._reasons:
            session = self.session(tier)
            if isinstance(session, InvalidRun):
                reason = f"{session.detail}: {NEEDS_COLD}" if session.fault in _SAME_EVERYWHERE else session.detail
            else:
                reason = session.hindrance(function)
                if not reason and tier is TrialTier.ZYGOTE:
                    reason = self._disagrees(session, function)
            self._reasons[tier, function] = reason
        return self._reasons[tier, function]

    def session(self, tier: TrialTier) -> TrialServer | InvalidRun:
        """What runs the trials of a tier, or why nothing does."""
        if tier is TrialTier.WARM and self._begun is not None:
            begun, self._begun = self._begun, None
            self._sessions[tier] = begun.result()
        if tier not in self._sessions:
            self._sessions[tier] = self._open(tier)
        return self._sessions[tier]

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes as they come; trials are drawn in order, those of one tier in a row together."""
        source = iter(trials)
        head = list(itertools.islice(source, 1))
        while head:
            first, tier = head[0], self.tier_of(head[0].function)
            yield from self._run_through(tier, self._draw_stretch(tier, head, source))
            if head and head[0] is first:  # the tier took nothing
                yield from self._run_through(TrialTier.COLD, [head.pop()])
                head.extend(itertools.islice(source, 1))

    def find_unfit_tests(self, function: FunctionId) -> tuple[TestId, ...]:
        """The tests for which the function's texts are not tried in the quickest tier, where others could be."""
        session = self.session(TrialTier.WARM)
        if isinstance(session, InvalidRun) or self.tier_of(function) is TrialTier.WARM:
            return ()
        return session.find_unfit_tests(function)

    def questions_about(self, function: FunctionId) -> ProgramQuestions:
        """The warm server's answers, where it can put texts of the function in; else the reason as each answer."""
        session = self.session(TrialTier.WARM)
        if isinstance(session, InvalidRun) or self.tier_of(function) is not TrialTier.WARM:
            return NoAnswers(self.why(function))
        return session.questions_about(function)

    def digest_leftovers(self) -> str:
        """As the warm server says; empty where there is none."""
        session = self.session(TrialTier.WARM)
        return "" if isinstance(session, InvalidRun) else session.digest_leftovers()

    def close(self) -> None:
        """End every server, one that nobody has needed too."""
        if self._begun is not None:
            with contextlib.suppress(RepairError):
                self.session(TrialTier.WARM)
        for session in self._sessions.values():
            if not isinstance(session, InvalidRun):
                session.close()

    def tier_after(self, outcome: TrialOutcome, tier: TrialTier, function: FunctionId) -> TrialTier | None:
        """The tier that a trial goes to next; ``None`` where its outcome stands."""
        if tier is TrialTier.COLD or outcome.state is not TrialState.INVALID or not needs_other_tier(outcome.detail):
            return None
        following = next_tier(tier, outcome.detail)
        while reason := self.reason(following, function):
            following = next_tier(following, reason)
        return following

    def _open(self, tier: TrialTier) -> TrialServer | InvalidRun:
        asked = self._selection
        if tier is TrialTier.COLD:
            return ColdSession(
                self._sandbox, asked.tests, asked.sources, asked.cold_limits, asked.jobs, files=asked.files
            )
        fresh = tier is TrialTier.ZYGOTE
        return self._sandbox.warm(asked.tests, asked.files, limits=asked.limits, fresh_import=fresh)

    def _disagrees(self, session: TrialServer, function: FunctionId) -> str:
        """Whether the unpatched program does here what it did cold."""
        path = function.path
        source = dict(self._selection.sources)[path]
        span = span_of(functions_of(path, source), function)
        if span is None:
            return f"the function is not in the program: {NEEDS_COLD}"
        text = source[span.start : span.end]
        control = Trial(digest(path, function.qualname, text), function, text, "control")
        states = [outcome.state for outcome in session.trials([control])]
        passed = states == [TrialState.PASSED]
        if not states or states == [TrialState.INVALID] or passed is not self._selection.passes:
            return f"the unpatched program does something else than in a cold run: {NEEDS_COLD}"
        return ""

    def _draw_stretch(self, tier: TrialTier, head: list[Trial], source: Iterator[Trial]) -> Iterator[Trial]:
        """The head and what follows it of the same tier; in the end ``head`` holds the first of another one."""
        while head and self.tier_of(head[0].function) is tier:
            yield head.pop()
            head.extend(itertools.islice(source, 1))

    def _run_through(self, tier: TrialTier, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        """Outcomes of trials that begin in one tier; what it cannot tell goes on to another."""
        session = self.session(tier)
        assert not isinstance(session, InvalidRun), "a tier that is not there has a reason for every function"
        under_way = UnderWay()
        onward: dict[TrialTier, list[Trial]] = {}
        for outcome in session.trials(under_way.begin_all(trials)):
            trial = under_way.end(outcome.digest)
            following = self.tier_after(outcome, tier, trial.function)
            if following is None:
                yield outcome
            else:
                onward.setdefault(following, []).append(trial)
        if under_way.unfinished and tier is not TrialTier.COLD:
            onward.setdefault(TrialTier.COLD, []).extend(under_way.unfinished)
        for following, left in onward.items():
            yield from self._run_through(following, left)


def next_tier(tier: TrialTier, reason: str) -> TrialTier:
    """The tier that follows for that reason."""
    return TrialTier.COLD if NEEDS_COLD in reason or tier is not TrialTier.WARM else TrialTier.ZYGOTE
