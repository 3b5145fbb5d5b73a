"""The hunt for plausible candidates: proposals are drawn likeliest first, tried, and those that pass kept.

Trials only rank. A candidate survives when the failing tests pass with it, and then the passing
tests that run its function; what the survivors are worth is for the judge to say.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.calls import Calls
from analysis.errors import ModelError, OutOfTimeError
from analysis.facts import Files, FunctionId, InvalidRun, Limits
from analysis.functions import span_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.candidate_streams import CandidateStream, beyond, interleaved, open_lanes
from repair.hunt.finishing import Finishing
from repair.hunt.retries import SecondChances
from repair.hunt.search_result import Pending, SearchResult, SearchState, Survivor
from repair.hunt.stopping import Stopping
from repair.hunt.tier_schedule import TURN_SECONDS, TierSchedule
from repair.observe.further import NOTHING_FURTHER, Further
from repair.records.events import Listener, event
from repair.records.plan import Localized
from repair.records.ports import Context, Proposer, Sandbox
from repair.records.task import Attempt, Baseline, Budget
from repair.trials.pool import Pool
from repair.trials.trial_router import TrialTier
from transforms.operators.catalog import MENDING
from transforms.tree.candidate import Rejected
from transforms.tree.imports import imported_modules
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope

TYPED_CALLS = 12
"""Distinct calls of a suspect that are recorded for the types of its arguments and what these have."""

RECORDED_SECONDS = 0.5
"""What the failing tests may take where calls are recorded, all of them together."""

MOST_EACH = 6
"""Survivors of one function after which the others have the rest of the search to themselves."""

PATIENT_SHARE = 0.5

PROGRESS_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class EngineParts:
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


class SearchLoop:
    """One hunt over the suspects of one group of failing tests.

    ``baseline.failing`` are the tests to mend. Lanes of eager proposers are drawn together, ahead of
    the outcomes; other proposers see why their last proposal failed before they make the next.
    Each trial runs in the quickest tier that can answer for it; the tiers take turns.
    """

    def __init__(
        self,
        parts: EngineParts,
        baseline: Baseline,
        localized: Localized,
        sources: Files,
        budget: Budget,
        pool: Pool,
        further: Further = NOTHING_FURTHER,
        more: float = 0.0,
    ) -> None:
        """It ends too where ``further`` runs contradict it, and ``more`` seconds later where nothing is found."""
        self._parts = parts
        self._baseline = baseline
        self._localized = localized
        self._sources = sources
        self._tally = SearchState()
        self._lanes: list[CandidateStream] = []
        self._further = further
        self._stop = Stopping(budget, parts.clock, parts.clock(), self._tally, further.contradicted, more)
        self._texts = dict(sources)
        self._families = {operator.name: operator.family for operator in MENDING}
        self._pool, self._screen, self._ladder = pool, pool.screen, pool.ladder
        self._completion = Finishing(
            parts.sandbox,
            baseline,
            pool.screen,
            lambda: self._stop.seconds_left,
            self._tally.failed,
            parts.module_imports,
        )

    def run(self) -> SearchResult:
        """Hunt until the budget ends, the lanes are empty or enough candidates survived."""
        lanes, refused = open_lanes(self._localized, self._texts, self._parts.proposers, self._context)
        self._lanes = lanes
        self._tally.warnings += refused
        with contextlib.suppress(OutOfTimeError):  # what was found until then stands
            self._draw(lanes)
        with contextlib.suppress(OutOfTimeError):
            self._refused()
        self._tally.warnings += self._ladder.problems
        if self._tally.failure is not None and not self._tally.survivors:
            raise self._tally.failure
        return self.so_far()

    def so_far(self) -> SearchResult:
        """What it has brought home until now."""
        eager = frozenset(p.name for p in self._parts.proposers if p.eager)
        catch = self._tally.catch(self._lanes, len(self._baseline.failing))
        return replace(catch, beyond=beyond(self._localized), hurried=self._stop.hurried(eager))

    def _context(self, scope: EditScope) -> Context:
        span = span_of(self._localized.index.get(scope.function.path, ()), scope.function)
        paths = dict.fromkeys(str(test).split("::")[0] for test in self._baseline.failing)
        tests = tuple((p, self._texts[p].decode("utf-8", "replace")) for p in paths if p in self._texts)
        return Context(
            scope=scope,
            module_source=self._texts[scope.function.path],
            test_sources=tests,
            description=self._parts.description,
            seed=self._parts.seed,
            attempts=lambda: tuple(self._tally.attempts),
            seconds_left=lambda: self._stop.seconds_left,
            values=None if span is None else self._pool.values(span),
            calls=lambda: self._calls(scope.function),
            sources=self._sources,
        )

    def _calls(self, function: FunctionId) -> Calls:
        """Calls of the function, where seeing them again costs next to nothing."""
        failing = [r for r in self._baseline.outcomes if r.test in self._baseline.failing]
        quick = sum(r.seconds for r in failing) <= RECORDED_SECONDS
        return self._ladder.questions_about(function).record(function, TYPED_CALLS) if failing and quick else Calls()

    def _draw(self, lanes: Sequence[CandidateStream]) -> None:
        """Eager lanes first, with half of the time where others wait for their turn.

        A proposer that fails is not asked again; what the others find, now or later, is not lost by it.
        """
        eager = [lane for lane in lanes if lane.proposer.eager]
        patient = [lane for lane in lanes if not lane.proposer.eager] if self._tally.failure is None else []
        kept = self._stop.seconds_left * PATIENT_SHARE if patient else 0.0
        again = SecondChances(self._tally, self._stop.seconds_left - kept, self._baseline.hangs)

        def over() -> bool:
            return self._stop.enough or self._stop.seconds_left <= kept + again.kept

        self._search(eager, over)
        while self._refused():
            self._search(eager, over)
        for outcome in self._ladder.trials(again.trials(lambda: self._stop.enough or self._stop.seconds_left <= kept)):
            self._take(outcome)
            if self._stop.overdue:
                break
        self._refused()
        started = self._parts.clock()
        try:
            # Who waits for outcomes costs time or money: one survivor is enough to stop asking.
            for trial in self._trials(patient, lambda: bool(self._tally.sound.total()) or self._stop.enough):
                for outcome in self._ladder.trials([replace(trial, patient=True)]):
                    self._take(outcome)
        except ModelError as problem:
            self._tally.failure = problem
            self._tally.warnings.append(str(problem))
        self._tally.patient_seconds += self._parts.clock() - started

    def _search(self, lanes: Sequence[CandidateStream], enough: Callable[[], bool]) -> None:
        """Draw the lanes, those of each tier in its turn, until there is enough or nothing is left."""
        turns = TierSchedule(lanes)
        while not enough() and (tier := turns.next(self._full)) is not None:
            began = self._parts.clock()
            for function in turns.functions(tier):
                if reason := self._ladder.reason(tier, function):
                    turns.move(function, reason)
                    self._tally.moved.append((tier.value, reason, function.qualname))
                    self._parts.listen(event("tier", function=function.qualname, left=tier.value, reason=reason))
            session = self._ladder.session(tier)
            if not isinstance(session, InvalidRun):
                for outcome in session.trials(self._turn(turns, tier, self._turn_is_over(turns, tier, enough))):
                    self._take(outcome, turns, tier)
                    if self._stop.overdue:
                        break  # what is under way hangs, most likely; the pool ends it when it is closed
            turns.spent(tier, self._parts.clock() - began)

    def _turn(self, turns: TierSchedule, tier: TrialTier, over: Callable[[], bool]) -> Iterator[Trial]:
        """Trials of one tier: those sent up from another, then new ones."""
        while not over() and (drawn := turns.sent_up(tier)) is not None:
            self._tally.running[drawn.trial.digest] = drawn
            yield drawn.trial
        yield from self._trials(turns.lanes(tier, self._full), over)

    def _full(self, function: FunctionId) -> bool:
        """Whether a function has had its share of finds, so that the other suspects come first."""
        return self._tally.sound[function] >= MOST_EACH

    def _turn_is_over(self, turns: TierSchedule, tier: TrialTier, enough: Callable[[], bool]) -> Callable[[], bool]:
        """Says when a turn that begins now has filled a function, or has lasted long enough where others wait."""
        clock, sound = self._parts.clock, self._tally.sound
        began, full = clock(), sum(map(self._full, sound))

        def over() -> bool:
            late = turns.others_wait(tier) and clock() - began > TURN_SECONDS
            return enough() or late or sum(map(self._full, sound)) > full

        return over

    def _trials(self, lanes: Sequence[CandidateStream], enough: Callable[[], bool]) -> Iterator[Trial]:
        """Distinct trials of these lanes, until there is enough."""
        for lane, proposal in interleaved(lanes, enough, self._lanes):
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
                self._tally.running[trial.digest] = Pending(lane, trial, proposal, len(self._tally.seen))
                yield trial

    def _take(self, outcome: TrialOutcome, turns: TierSchedule | None = None, tier: TrialTier = TrialTier.COLD) -> None:
        """Count an outcome; screen and keep what passed, send up what another tier has to tell."""
        tally = self._tally
        drawn = tally.running.pop(outcome.digest)
        following = self._ladder.tier_after(outcome, tier, drawn.trial.function)
        if turns is not None and following is not None:
            turns.send_up(drawn, following)
            tally.sent_up[tier.value, outcome.detail] += 1
            return
        tally.remembered += outcome.remembered
        tally.executed += not outcome.remembered
        if not outcome.remembered:
            tally.tiers[outcome.tier] += 1
        if outcome.state is TrialState.INVALID:
            tally.invalid += 1
        if outcome.state is TrialState.PASSED:
            tally.best = len(self._baseline.failing)
            outcome = self._screened(drawn)
        if outcome.hasty or (outcome.state is TrialState.TIMEOUT and not drawn.trial.patient):
            tally.set_aside(drawn)  # on a busy machine a fix may look like that
        elif outcome.failed in self._baseline.failing:
            tally.note_failure(drawn, self._baseline.failing.index(outcome.failed))
        if outcome.state is TrialState.PASSED and not self._holds_a_find(drawn):
            find = tally.find(drawn, self._parts.clock())
            if find is not None and find.sound:
                self._parts.listen(event("found", label=drawn.trial.label, position=drawn.position))
            if not drawn.lane.proposer.eager:
                self._refused()
        elif outcome.state is not TrialState.PASSED:
            if not outcome.hasty:
                tally.failed.add(outcome.digest)
            reason = f"{outcome.state.value} {outcome.failed or ''} {outcome.detail}".strip()
            self._attempt(drawn.lane, drawn.proposal, drawn.trial.text.decode("utf-8", "replace"), reason)
        self._report(drawn)

    def _screened(self, drawn: Pending) -> TrialOutcome:
        """The outcome over the passing tests that run its function, as many of them as are known by now."""
        started = self._parts.clock()
        if not self._wide():
            self._tally.hardly_screened.add(drawn.trial.digest)
        outcome = self._screen.check(drawn.trial, drawn.lane.span)
        self._tally.screen_seconds += self._parts.clock() - started
        return outcome

    def _wide(self) -> bool:
        """Whether the screen has all tests of the suite; it gets those that further runs have brought."""
        if not self._screen.wide and (wider := self._further.wider()) is not None:
            self._screen.widen(wider)
        return self._screen.wide

    def _broken_beyond(self, drawn: Pending) -> str:
        """A passing test that it breaks, among those that were not known when it was screened; empty for none."""
        if drawn.trial.digest not in self._tally.hardly_screened or not self._wide():
            return ""
        self._tally.hardly_screened.discard(drawn.trial.digest)
        return self._screen.breaks(drawn.trial, drawn.lane.span)

    def _holds_a_find(self, drawn: Pending) -> bool:
        """Whether a part of an edit in several places has passed by itself: the rest is no part of the fix."""
        edits = drawn.proposal.replacements
        if len(edits) == 1 or not drawn.lane.proposer.eager:
            return False
        parts = (drawn.lane.printer.render(replace(drawn.proposal, replacements=(edit,))) for edit in edits)
        surely = self._tally.passed - self._tally.hardly_screened
        return any(isinstance(part, Trial) and part.digest in surely for part in parts)

    def _refused(self) -> bool:
        """Make candidates of what was found; whether some were refused, so that there is room for others.

        Those that carry an anti-pattern are made only where there is no other.
        """
        tally, before = self._tally, len(self._tally.finds)
        for find in [f for f in tally.finds if f.sound or not tally.sound.total()]:
            if find.drawn.trial.digest not in tally.made and not self._made(find.drawn):
                tally.drop(find)
        return len(tally.finds) < before

    def _made(self, drawn: Pending) -> bool:
        """Make a candidate of what passed, and keep it where it is a new one; whether it was kept."""
        if broken := self._broken_beyond(drawn):
            self._tally.passed.discard(drawn.trial.digest)
            self._tally.failed.add(drawn.trial.digest)
            self._attempt(drawn.lane, drawn.proposal, drawn.trial.text.decode("utf-8", "replace"), f"failed {broken}")
            return False
        self._tally.made.add(drawn.trial.digest)
        made = self._completion.candidate(drawn)
        if isinstance(made, Rejected):
            self._attempt(drawn.lane, drawn.proposal, "", f"{made.reason.value}: {made.detail}")
            return False
        if any(survivor.candidate.digest == made.digest for survivor in self._tally.survivors):
            self._attempt(drawn.lane, drawn.proposal, "", "what is left of it was found before")
            return False
        self._tally.survivors.append(Survivor(made, drawn.lane.plan, drawn.position))
        label, position = drawn.trial.label, drawn.position
        self._parts.listen(event("candidate", digest=made.digest, label=label, state="plausible", position=position))
        return True

    def _unknown_module(self, proposal: Proposal) -> str:
        """The first module that the proposal would import and the target does not have."""
        wanted = imported_modules(proposal.imports)
        found = self._parts.sandbox.find_importable(wanted) if wanted else ()
        return next((module for module in wanted if module not in found), "")

    def _attempt(self, lane: CandidateStream, proposal: Proposal, text: str, reason: str) -> None:
        """Remember what failed for a proposer that learns from it."""
        if not lane.proposer.eager:
            operator = proposal.origin.operator
            self._tally.attempts.append(Attempt(operator, text, reason))
            self._parts.listen(event("attempt", operator=operator, reason=reason, function=lane.span.function.qualname))

    def _report(self, drawn: Pending) -> None:
        now, origin = self._parts.clock(), drawn.proposal.origin
        self._tally.lately[self._families.get(origin.operator.partition("+")[0], origin.proposer)] += 1
        if now - self._tally.last_report >= PROGRESS_EVERY:
            self._tally.last_report = now
            suspect, failing = drawn.lane.span.function.qualname, len(self._baseline.failing)
            self._parts.listen(
                self._tally.progress(suspect, failing, now - self._stop.started, self._stop.seconds_left)
            )
