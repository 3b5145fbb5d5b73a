"""The hunt for plausible candidates: proposals are drawn likeliest first, tried, and those that pass kept.

Trials only rank. A candidate survives when the failing tests pass with it, and then the passing
tests that run its function; what the survivors are worth is for the judge to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.errors import ModelError
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Outcome, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.catch import Catch, Drawn, Survivor, Tally
from repair.events import Listener, event
from repair.ladder import Ladder, Selection, TrialTier, above
from repair.lanes import Lane, interleaved, open_lanes
from repair.plan import Localized
from repair.ports import Context, Proposer, Sandbox
from repair.screening import LEAST_SECONDS, Screen, trial_limits
from repair.task import Attempt, Baseline, Budget
from repair.turns import TURN_SECONDS, Turns
from transforms.apply import complete, place, render
from transforms.candidate import Candidate, Rejected
from transforms.imports import imported_modules
from transforms.minimize import minimize
from transforms.proposal import Proposal
from transforms.scope import EditScope

MOST_SURVIVORS = 8
MOST_EACH = 6
"""Survivors of one function after which the others have the rest of the search to themselves."""

EXTRA_SECONDS = 5.0
EXTRA_SHARE = 1.0
"""A search goes on for as long again as its first survivor took: what came late has rivals that come later."""

PATIENT_SHARE = 0.5
PROGRESS_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class HuntParts:
    """What a hunt works with."""

    sandbox: Sandbox
    proposers: tuple[Proposer, ...]
    limits: Limits
    clock: Callable[[], float]
    listen: Listener
    jobs: int
    seed: int
    description: str = ""
    module_imports: bool = False
    """Whether imports that an edit needs may go to module level, as a named exemption."""


class Hunt:
    """One hunt over the suspects of one group of failing tests.

    ``baseline.failing`` are the tests to mend. Lanes of eager proposers are drawn together, ahead of
    the outcomes; other proposers see why their last proposal failed before they make the next.
    Each trial runs in the quickest tier that can answer for it; the tiers take turns.
    """

    def __init__(
        self, parts: HuntParts, baseline: Baseline, localized: Localized, sources: Files, budget: Budget
    ) -> None:
        self._parts = parts
        self._baseline = baseline
        self._localized = localized
        self._sources = sources
        self._budget = budget
        self._started = parts.clock()
        self._tally = Tally()
        self._texts = dict(sources)
        self._screen = Screen(parts.sandbox, baseline, sources, parts.limits)
        self._ladder = Ladder(parts.sandbox, self._selection())

    def run(self) -> Catch:
        """Hunt until the budget ends, the lanes are empty or enough candidates survived."""
        lanes, refused = open_lanes(self._localized, self._texts, self._parts.proposers, self._context)
        self._tally.warnings += refused
        try:
            self._draw(lanes)
        finally:
            self._screen.close()
            self._ladder.close()
        self._tally.warnings += self._ladder.problems
        if self._tally.failure is not None and not self._tally.survivors:
            raise self._tally.failure
        return replace(self._tally.catch(lanes, len(self._baseline.failing)), hurried=self._hurried())

    def _least_seconds(self) -> float:
        """Less than usual where a test hangs: most of its trials will hang too, and use up their time."""
        hanging = {r.test for r in self._baseline.outcomes if r.outcome is Outcome.HANG}
        return LEAST_SECONDS / 2 if hanging.intersection(self._baseline.failing) else LEAST_SECONDS

    def _context(self, scope: EditScope) -> Context:
        paths = dict.fromkeys(str(test).split("::")[0] for test in self._baseline.failing)
        tests = tuple((p, self._texts[p].decode("utf-8", "replace")) for p in paths if p in self._texts)
        return Context(
            scope=scope,
            module_source=self._texts[scope.function.path],
            test_sources=tests,
            description=self._parts.description,
            seed=self._parts.seed,
            attempts=lambda: tuple(self._tally.attempts),
            seconds_left=self._seconds_left,
        )

    def _seconds_left(self) -> float:
        return self._budget.max_seconds - (self._parts.clock() - self._started)

    def _selection(self) -> Selection:
        """The failing tests on the unpatched program, with the time that a trial of theirs gets."""
        parts, failing = self._parts, self._baseline.failing
        limits = trial_limits(self._baseline, parts.limits, failing, self._least_seconds())
        seconds = trial_limits(self._baseline, parts.limits, failing).test_seconds
        cold = replace(parts.limits, test_seconds=seconds)
        return Selection(failing, self._sources, limits, cold, passes=False, jobs=parts.jobs)

    def _draw(self, lanes: Sequence[Lane]) -> None:
        """Eager lanes first, with half of the time where others wait for their turn.

        A proposer that fails is not asked again; what the others find, now or later, is not lost by it.
        """
        eager = [lane for lane in lanes if lane.proposer.eager]
        patient = [lane for lane in lanes if not lane.proposer.eager] if self._tally.failure is None else []
        kept = self._seconds_left() * PATIENT_SHARE if patient else 0.0
        self._search(eager, lambda: self._enough() or self._seconds_left() <= kept)
        started = self._parts.clock()
        try:
            # Who waits for outcomes costs time or money: one survivor is enough to stop asking.
            for trial in self._trials(patient, lambda: bool(self._tally.sound) or self._enough()):
                for outcome in self._ladder.trials([trial]):
                    self._take(outcome)
        except ModelError as problem:
            self._tally.failure = problem
            self._tally.warnings.append(str(problem))
        self._tally.patient_seconds += self._parts.clock() - started

    def _search(self, lanes: Sequence[Lane], enough: Callable[[], bool]) -> None:
        """Draw the lanes, those of each tier in its turn, until there is enough or nothing is left."""
        turns = Turns(lanes)
        while not enough() and (tier := turns.next(self._full)) is not None:
            began = self._parts.clock()
            for function in turns.functions(tier):
                if reason := self._ladder.reason(tier, function):
                    turns.move(function, above(tier, reason))
                    self._parts.listen(event("tier", function=function.qualname, left=tier.value, reason=reason))
            session = self._ladder.session(tier)
            if not isinstance(session, InvalidRun):
                for outcome in session.trials(self._turn(turns, tier, self._turn_is_over(turns, tier, enough))):
                    self._take(outcome, turns, tier)
            turns.spent(tier, self._parts.clock() - began)

    def _turn(self, turns: Turns, tier: TrialTier, over: Callable[[], bool]) -> Iterator[Trial]:
        """Trials of one tier: those sent up from another, then new ones."""
        while not over() and (drawn := turns.sent_up(tier)) is not None:
            self._tally.running[drawn.trial.digest] = drawn
            yield drawn.trial
        yield from self._trials(turns.lanes(tier, self._full), over)

    def _full(self, function: FunctionId) -> bool:
        """Whether a function has brought enough for now: others have not had their share yet."""
        return self._tally.sound[function] >= MOST_EACH

    def _turn_is_over(self, turns: Turns, tier: TrialTier, enough: Callable[[], bool]) -> Callable[[], bool]:
        """Says when a turn that begins now has filled a function, or has lasted long enough where others wait."""
        clock, sound = self._parts.clock, self._tally.sound
        began, full = clock(), sum(map(self._full, sound))

        def over() -> bool:
            late = turns.others_wait(tier) and clock() - began > TURN_SECONDS
            return enough() or late or sum(map(self._full, sound)) > full

        return over

    def _trials(self, lanes: Sequence[Lane], enough: Callable[[], bool]) -> Iterator[Trial]:
        """Distinct trials of these lanes, until there is enough."""
        for lane, proposal in interleaved(lanes, enough):
            if proposal is None:
                self._tally.exhausted.append(lane.title)
                continue
            self._tally.drawn += 1
            trial = lane.printer.render(proposal)
            if isinstance(trial, Rejected):
                self._tally.invalid += 1
                self._attempt(lane, proposal, "", f"{trial.reason.value}: {trial.detail}")
            elif trial.digest in self._tally.seen:
                self._attempt(lane, proposal, "", "this very text was tried before")
            elif unknown := self._unknown_module(proposal):
                self._tally.invalid += 1
                self._attempt(lane, proposal, "", f"import: the target has no module {unknown}")
            else:
                self._tally.seen.add(trial.digest)
                self._tally.running[trial.digest] = Drawn(lane, trial, proposal, len(self._tally.seen))
                yield trial

    def _enough(self) -> bool:
        """Whether to stop: budget, count, or survivors and some time after the first of them.

        Those that carry an anti-pattern do not end a search: it goes on for one that does not.
        """
        return self._spent() or self._tally.sound.total() >= MOST_SURVIVORS or self._waited(self._tally.first_sound)

    def _spent(self) -> bool:
        most = self._budget.max_candidates
        return self._seconds_left() <= 0 or (most is not None and self._tally.drawn >= most)

    def _waited(self, first: float | None) -> bool:
        """Whether the search went on for as long again after that find."""
        if first is None:
            return False
        patience = max(EXTRA_SECONDS, EXTRA_SHARE * (first - self._started))
        return self._parts.clock() - first > patience

    def _hurried(self) -> bool:
        """Whether survivors of the search, not of who waits for outcomes, were left without their share of time."""
        eager = {p.name for p in self._parts.proposers if p.eager}
        found = self._tally.survivors
        searched = any(s.candidate.origin.proposer in eager for s in found)
        waited = self._waited(self._tally.first_survivor)
        return searched and self._tally.sound.total() < MOST_SURVIVORS and self._spent() and not waited

    def _take(self, outcome: TrialOutcome, turns: Turns | None = None, tier: TrialTier = TrialTier.COLD) -> None:
        """Count an outcome; screen and keep what passed, send up what another tier has to tell."""
        tally = self._tally
        drawn = tally.running.pop(outcome.digest)
        following = self._ladder.after(outcome, tier, drawn.trial.function)
        if turns is not None and following is not None:
            turns.send_up(drawn, following)
            return
        tally.remembered += outcome.remembered
        tally.executed += not outcome.remembered
        if not outcome.remembered:
            tally.tiers[outcome.tier] += 1
        if outcome.state is TrialState.INVALID:
            tally.invalid += 1
        if outcome.state is TrialState.PASSED:
            tally.best = len(self._baseline.failing)
            started = self._parts.clock()
            outcome = self._screen.check(drawn.trial, drawn.lane.span)
            tally.screen_seconds += self._parts.clock() - started
        elif outcome.failed in self._baseline.failing:
            tally.best = max(tally.best, self._baseline.failing.index(outcome.failed))
        if outcome.state is TrialState.PASSED:
            self._keep(drawn)
        else:
            reason = f"{outcome.state.value} {outcome.failed or ''} {outcome.detail}".strip()
            self._attempt(drawn.lane, drawn.proposal, drawn.trial.text.decode("utf-8", "replace"), reason)
        self._report(drawn)

    def _keep(self, drawn: Drawn) -> None:
        proposal = drawn.proposal
        made = self._completed(drawn)
        reason = f"{made.reason.value}: {made.detail}" if isinstance(made, Rejected) else ""
        if isinstance(made, Rejected) or (reason := self._parts.sandbox.compiles(made.files)):
            self._attempt(drawn.lane, proposal, "", reason)
            return
        if any(survivor.candidate.digest == made.digest for survivor in self._tally.survivors):
            self._attempt(drawn.lane, proposal, "", "what is left of it was found before")
            return
        survivor = Survivor(made, drawn.lane.plan, drawn.position)
        if not survivor.sound and len(self._tally.survivors) - self._tally.sound.total() >= MOST_SURVIVORS:
            return
        self._tally.add(survivor, self._parts.clock())
        label, position = drawn.trial.label, drawn.position
        self._parts.listen(event("candidate", digest=made.digest, label=label, state="plausible", position=position))

    def _completed(self, drawn: Drawn) -> Candidate | Rejected:
        """The candidate, its imports inside the function, or at module level where the options allow that."""
        proposal, scope = drawn.proposal, drawn.lane.scope
        if proposal.imports and self._parts.module_imports:
            bare = render(scope, replace(proposal, imports=()))
            if isinstance(bare, Rejected):
                return bare
            return complete(scope, bare.text, proposal.origin, proposal.explanation, proposal.imports)
        return complete(scope, self._smallest(drawn), proposal.origin, proposal.explanation)

    def _unknown_module(self, proposal: Proposal) -> str:
        """The first module that the proposal would import and the target does not have."""
        wanted = imported_modules(proposal.imports)
        found = self._parts.sandbox.importable(wanted) if wanted else ()
        return next((module for module in wanted if module not in found), "")

    def _smallest(self, drawn: Drawn) -> bytes:
        """The least part of an edit that still passes; a single edit is as small as it gets."""
        if drawn.lane.proposer.eager and len(drawn.proposal.replacements) == 1:
            return drawn.trial.text
        return minimize(drawn.lane.scope, drawn.trial.text, lambda text: self._passes(drawn, text))

    def _passes(self, drawn: Drawn, text: bytes) -> bool:
        """Whether the text passes cold what its trial passed, while there is time to find out."""
        if self._seconds_left() <= 0:
            return False
        function, failing = drawn.trial.function, self._baseline.failing
        files = ((function.path, place(drawn.lane.scope, text)),)
        run = self._parts.sandbox.run(failing, files, limits=self._parts.limits)
        if isinstance(run, InvalidRun) or any(run.outcome(test) is not Outcome.PASSED for test in failing):
            return False
        trial = Trial(digest(function.path, function.qualname, text), function, text, "minimized")
        return self._screen.check(trial, drawn.lane.span).state is TrialState.PASSED

    def _attempt(self, lane: Lane, proposal: Proposal, text: str, reason: str) -> None:
        """Remember what failed for a proposer that learns from it."""
        if not lane.proposer.eager:
            operator = proposal.origin.operator
            self._tally.attempts.append(Attempt(operator, text, reason))
            self._parts.listen(event("attempt", operator=operator, reason=reason, function=lane.span.function.qualname))

    def _report(self, drawn: Drawn) -> None:
        now = self._parts.clock()
        if now - self._tally.last_report >= PROGRESS_EVERY:
            self._tally.last_report = now
            suspect = drawn.lane.span.function.qualname
            self._parts.listen(self._tally.progress(suspect, len(self._baseline.failing), self._seconds_left()))
