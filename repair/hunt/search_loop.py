"""The search for plausible candidates: proposals are drawn likeliest first, tried, and those that pass kept.

Trials only rank. A candidate survives when the failing tests pass with it, and then the passing
tests that run its function. What the survivors are worth is for the judge to say.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from analysis.errors import ModelError, OutOfTimeError
from analysis.facts import Files, FunctionId, InvalidRun, Suspect
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.awaited import ERRAND_SECONDS, Awaited, Errands
from repair.hunt.candidate_maker import CandidateMaker, find_best_partial
from repair.hunt.candidate_streams import (
    FIRST_EDITS,
    FURTHER_SHARE,
    FURTHER_SHARE_OF_FEW,
    MOST_SUSPECTS,
    CandidateStream,
    FurtherSuspects,
    Opening,
    PatientTurns,
    interleave,
    open_streams,
)
from repair.hunt.closer_look import CloserLook
from repair.hunt.joining import JOINING_SHARE, ROUND_TURNS, Joining
from repair.hunt.near_edits import NearEdits
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.hunt.search_state import MOST_PARTIAL, ProgressReports, SearchState
from repair.hunt.shown import Shown
from repair.hunt.stopping import LEAST_TRIED, Stopping
from repair.hunt.telling import Telling
from repair.hunt.tier_schedule import TURN_SECONDS, TierSchedule
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import event
from repair.records.plan import Localized
from repair.records.ports import OUT_OF_TIME, FurtherRuns
from repair.records.task import Attempt, Baseline, Budget
from repair.trials.pool import Pool
from repair.trials.trial_router import TrialTier
from transforms.tree.candidate import Rejected
from transforms.tree.imports import imported_modules
from transforms.tree.proposal import Proposal

MOST_EACH = 6
"""Survivors of one function after which the others have the rest of the search to themselves."""

RETRY_SHARE, RETRY_SHARE_OF_HANGS = 0.05, 0.2
"""What of the time is kept to try again what was stopped soon. More where the unpatched program hangs: a fix that is
slow looks like one more text that does."""

ASKING_SHARE = 0.4
"""Of the time that is kept for parts of the tests, what may go into asking which edits mend most of them."""


class SearchLoop:
    """One search over the suspects of one group of failing tests.

    ``baseline.failing`` are the tests to mend. Streams of eager proposers are drawn together, ahead of
    the outcomes. Other proposers see why their last proposal failed before they make the next, beside all of that.
    Each trial runs in the quickest tier that can answer for it; the tiers take turns.
    """

    def __init__(
        self,
        parts: SearchParts,
        baseline: Baseline,
        localized: Localized,
        sources: Files,
        budget: Budget,
        pool: Pool,
        further: FurtherRuns | None = None,
        more: float = 0.0,
        attempts: Sequence[Attempt] = (),
        *,
        wants_rivals: bool = False,
    ) -> None:
        """It ends too where ``further`` runs contradict it, and ``more`` seconds later where nothing is found.

        ``attempts`` are earlier ones that proposers which learn from them are told of. Who ``wants_rivals`` looks for
        whatever passes, not for the likeliest.
        """
        self._parts = parts
        self._baseline = baseline
        self._localized = localized
        self._sources = sources
        self._state = state = SearchState(attempts=list(attempts))
        self._streams: list[CandidateStream] = []
        self._errands = Errands()
        self._replies: Awaited[tuple[CandidateStream, Proposal | None]] = Awaited()
        contradicted = further.is_contradicted if further is not None else lambda: False
        self._stop = Stopping(
            budget,
            parts.clock,
            parts.clock(),
            state,
            contradicted,
            more,
            lambda: self._is_asking,
            wants_rivals=wants_rivals,
        )
        self._progress = ProgressReports(state, len(baseline.failing), lambda: self._stop.seconds_left, parts.listen)
        self._pool, self._router = pool, pool.router
        self._closer = CloserLook(parts.sandbox, baseline, sources, parts.limits, pool.router)
        self._shown = Shown(
            parts, baseline, sources, pool, self._errands, lambda: self._stop.seconds_left, localized, state
        )
        self._opening = Opening(localized, dict(sources), self._shown.context, parts.strategist)
        self._further = FurtherSuspects(
            self._opening,
            parts.proposers,
            self._has_tried_first_ones,
        )
        self._telling = Telling(state, baseline.failing, parts.listen)
        self._near = NearEdits(baseline.failing, parts.seed)
        self._joining = Joining(
            self._near,
            self._shown.context_of,
            parts.clock,
            pool,
            state,
            lambda: self._has_sound or self._stop.enough,
            self._try_drawn,
        )
        self._maker = CandidateMaker(
            parts,
            baseline,
            pool.screen,
            further,
            state,
            lambda: self._stop.seconds_left,
            lambda edit, text, reason: self._telling.note_attempt(
                edit.stream, edit.proposal, text, reason, "failed" if text else "refused", edit.trial
            ),
        )

    def run(self) -> SearchResult:
        """Search until the budget ends, the streams are empty or enough candidates survived."""
        first = self._localized.suspects[:MOST_SUSPECTS]
        streams, refused = open_streams(self._opening, first, self._parts.proposers)
        self._streams = self._joining.streams = streams
        for stream in {stream.span.function: stream for stream in streams}.values():
            self._telling.tell_program(stream)
        self._state.warnings += refused
        try:
            self._draw(streams)
            while self._stop.keeps_time_for_parts and not self._mends_a_part():
                self._state.partial.forget()
                self._draw(streams)
        except OutOfTimeError:
            pass  # what was found until then stands
        finally:
            self._errands.close()
        with contextlib.suppress(OutOfTimeError):
            self._maker.make_candidates()
        self._state.warnings += self._router.problems
        return self.result_so_far()

    def _has_tried_first_ones(self) -> bool:
        """Whether the first suspects have had their time in vain, and some edits; half of that time will do for few."""
        left = self._stop.seconds_left / max(self._stop.seconds_in_all, 1e-6)
        share = FURTHER_SHARE if len(self._state.seen) >= LEAST_TRIED else FURTHER_SHARE_OF_FEW
        return not self._state.finds.edits and left <= share

    def _mends_a_part(self) -> bool:
        """Whether one of the edits that came nearest mends a part of the tests and breaks nothing.

        Which come nearest is asked first. Where there is no time to look, one may.
        """
        until = self._parts.clock() + ASKING_SHARE * self._stop.seconds_until_late
        partial = self._state.partial
        partial.ask(lambda trials: self._pool.share_mended(trials, lambda: self._parts.clock() > until))
        near, sandbox = partial.best_first()[:MOST_PARTIAL], self._parts.sandbox
        found = find_best_partial(sandbox, self._baseline, self._parts.limits, near, self._stop.is_late)
        return found is not None or self._stop.is_late()

    def result_so_far(self) -> SearchResult:
        """What it has found until now."""
        state, known = self._state, {stream.span.function for stream in self._streams}
        beyond = [each for each in self._localized.suspects[MOST_SUSPECTS:] if each.function not in known]
        eager = frozenset(p.name for p in self._parts.proposers if p.eager)
        return SearchResult(
            survivors=tuple(state.finds.survivors),
            counts=state.counts(),
            best=state.describe_best(len(self._baseline.failing)),
            exhausted=tuple(state.exhausted),
            cut=tuple(stream.cut for stream in self._streams if not stream.empty),
            warnings=tuple(state.warnings),
            patient_seconds=round(state.patient_seconds, 3),
            screen_seconds=round(state.finds.screen_seconds, 3),
            unsought=OUT_OF_TIME if self._stop.hurried(eager) else None,
            unasked=frozenset((s.span.function, s.proposer.name) for s in self._streams if not (s.empty or s.drawn)),
            beyond=tuple(f"{s.function.path}:{s.function.qualname}" for s in beyond),
            partial=tuple(state.partial.best_first()[:MOST_PARTIAL]),
            failure=state.failure,
            attempts=tuple(state.attempts),
        )

    def _draw(self, streams: Sequence[CandidateStream]) -> None:
        """All streams under one budget: while proposers that wait for outcomes make an edit, the others are drawn.

        What is found is not lost where one of them fails.
        """
        state = self._state
        eager = [stream for stream in streams if stream.proposer.eager]
        patient = [stream for stream in streams if not stream.proposer.eager]
        # Who waits for outcomes costs time or money: one answer of its own is enough to stop asking.
        turns = PatientTurns(
            patient,
            self._localized,
            lambda stream, suspect: self._errands.run(lambda: self._open_another(stream, suspect)),
            state.denied,
        )
        at_once = range(self._parts.asked_at_once)
        self._replies = Awaited(*(turns.draw(lambda: not self._may_ask, self._streams) for _ in at_once))
        if patient:
            self._replies.ask()
        share = RETRY_SHARE_OF_HANGS if self._baseline.hangs else RETRY_SHARE

        def over(joining: float = 0.0) -> bool:
            wanted = share if state.aside and not state.finds.edits else 0.0
            wanted += joining if self._near.known and not self._has_sound else 0.0
            return self._stop.enough or self._stop.seconds_left <= wanted * self._stop.seconds_in_all

        def begun(own: Sequence[CandidateStream]) -> bool:
            """Who answers later is not waited for here."""
            drawn = sum(stream.drawn for stream in own) >= FIRST_EDITS
            waits = all(stream.empty or stream.waits for stream in own)
            return drawn or waits or bool(state.finds.edits) or self._stop.spent or self._stop.pointless()

        self._draw_in_turns(eager, lambda: over(JOINING_SHARE) or self._further.are_due)
        if self._further.are_left and not (state.finds.edits or self._stop.spent or self._stop.pointless()):
            opened = self._open_further()
            for function in dict.fromkeys(stream.span.function for stream in opened):
                own = [stream for stream in opened if stream.span.function == function]
                self._draw_in_turns(own, functools.partial(begun, own))
            eager += opened
            self._draw_in_turns(eager, lambda: over(JOINING_SHARE))
        while not self._joining.run(over, interrupted=lambda: self._reply_waits):
            self._try_replies()
        self._draw_in_turns(eager, over)
        while self._maker.make_candidates():
            self._draw_in_turns(eager, over)
        for outcome in self._router.trials(self._retries(lambda: self._stop.enough)):
            self._take(outcome)
            if self._stop.overdue:
                break
        self._maker.make_candidates()
        started = self._parts.clock()
        while self._is_asking and self._may_ask:
            if self._joining.run(over, interrupted=lambda: self._reply_waits):
                self._replies.wait(ERRAND_SECONDS)
            self._errands.serve()
            self._try_replies()
        if self._parts.asked:
            self._joining.run(over)  # what the last reply has left
        self._try_last_reply()
        state.patient_seconds += self._parts.clock() - started

    def _open_further(self) -> list[CandidateStream]:
        """Streams of further suspects, which nobody is asked about that has to be waited for."""
        opened = self._further.open()
        for stream in {stream.span.function: stream for stream in opened}.values():
            self._telling.tell_program(stream)
        self._streams += opened
        return opened

    def _open_another(self, stream: CandidateStream, suspect: Suspect) -> CandidateStream | None:
        """A stream of the same proposer for a suspect that has none yet."""
        opened = self._opening.open_streams(suspect, (stream.proposer,))
        if isinstance(opened, str):
            self._state.warnings.append(opened)
            return None
        self._streams += opened
        self._telling.tell_program(opened[0])
        return opened[0]

    @property
    def _has_sound(self) -> bool:
        return bool(self._state.finds.sound.total())

    @property
    def _is_asking(self) -> bool:
        """Whether something may still come of who waits for outcomes."""
        return bool(self._parts.asked) and not (self._replies.over or self._state.finds.answered)

    @property
    def _may_ask(self) -> bool:
        """Whether who waits for outcomes is asked on, whatever the search has found by itself."""
        return not (self._state.finds.answered or self._stop.spent or self._stop.pointless())

    @property
    def _reply_waits(self) -> bool:
        """Whether a reply has come that is to be tried."""
        return self._replies.is_here and self._may_ask

    def _try_replies(self) -> None:
        """Try the edits that have come of proposers that wait for outcomes, and ask for the next once that is known."""
        replies, state = self._replies, self._state
        while self._reply_waits:
            try:
                drawn = replies.take()
            except ModelError as problem:
                state.failure = str(problem)
                state.warnings.append(state.failure)
                return
            trial = self._trial_of(*drawn) if drawn is not None else None
            for outcome in self._router.trials([replace(trial, patient=True)] if trial is not None else []):
                self._take(outcome)
            if drawn is not None:
                self._joining.take_words(drawn[0])
            self._joining.go_on_from_asked(self._stop.seconds_left)
            replies.ask()

    def _try_last_reply(self) -> None:
        """Try what has come by the end, which was paid for. Nothing more is asked for."""
        while self._replies.is_here and not self._stop.spent:
            with contextlib.suppress(ModelError):
                drawn = self._replies.take()
                trial = self._trial_of(*drawn) if drawn is not None else None
                for outcome in self._router.trials([trial] if trial is not None else []):
                    self._take(outcome)

    @property
    def _is_wanted(self) -> bool:
        """Whether something else comes before the next edit of the streams."""
        return self._reply_waits or self._joining.is_due

    def _try_drawn(self, drawn: Iterator[tuple[CandidateStream, Proposal]]) -> None:
        """Try these edits."""

        def trials() -> Iterator[Trial]:
            for stream, proposal in drawn:
                self._errands.serve()
                if (trial := self._trial_of(stream, proposal)) is not None:
                    yield trial

        for outcome in self._router.trials(trials()):
            self._take(outcome)

    def _retries(self, over: Callable[[], bool]) -> Iterator[Trial]:
        """What was stopped soon, with all the time of a trial, until one has passed or it is over; likeliest first."""
        state = self._state
        for edit in sorted(state.aside, key=lambda edit: edit.position):
            if state.finds.edits or over():
                return
            again = replace(edit, trial=replace(edit.trial, patient=True))
            state.running[again.trial.digest] = again
            yield again.trial

    def _draw_in_turns(self, streams: Sequence[CandidateStream], enough: Callable[[], bool]) -> None:
        """Draw the streams, those of each tier in its turn, until there is enough or nothing is left."""
        turns = TierSchedule(streams)
        while not enough() and (tier := turns.next(self._is_full)) is not None:
            self._try_replies()
            if self._joining.is_due:
                self._joining.run(enough, ROUND_TURNS, interrupted=lambda: self._reply_waits)
            began = self._parts.clock()
            for function in turns.functions(tier):
                if reason := self._router.reason(tier, function):
                    turns.move(function, reason)
                    self._state.moved.append((tier.value, reason, function.qualname))
                    self._parts.listen(event("tier", function=function.qualname, left=tier.value, reason=reason))
            session = self._router.session(tier)
            if not isinstance(session, InvalidRun):
                for outcome in session.trials(self._trials_of_turn(turns, tier, enough)):
                    self._take(outcome, turns, tier)
                    if self._stop.overdue:
                        break  # what is under way hangs, most likely; the pool ends it when it is closed
            turns.add_seconds(tier, self._parts.clock() - began)

    def _is_full(self, function: FunctionId) -> bool:
        """Whether a function has had its share of finds, so that the other suspects come first."""
        return self._state.finds.sound[function] >= MOST_EACH

    def _trials_of_turn(self, turns: TierSchedule, tier: TrialTier, enough: Callable[[], bool]) -> Iterator[Trial]:
        """Trials of one tier in a turn that begins now: those sent up from another, then new ones.

        The turn is over, too, when it has filled a function, or has lasted long enough where others wait.
        """
        clock, sound = self._parts.clock, self._state.finds.sound
        began, full = clock(), sum(map(self._is_full, sound))

        def over() -> bool:
            late = turns.others_wait(tier) and clock() - began > TURN_SECONDS
            return enough() or late or self._is_wanted or sum(map(self._is_full, sound)) > full

        def trials() -> Iterator[Trial]:
            while not over() and (edit := turns.take_sent_up(tier)) is not None:
                self._state.running[edit.trial.digest] = edit
                yield edit.trial
            yield from self._trials(turns.streams(tier, self._is_full), over)

        return trials()

    def _trials(self, streams: Sequence[CandidateStream], enough: Callable[[], bool]) -> Iterator[Trial]:
        """Distinct trials of these streams, until there is enough, or a reply has come that is to be tried."""
        for stream, proposal in interleave(streams, lambda: enough() or self._is_wanted, self._streams):
            self._errands.serve()
            trial = self._trial_of(stream, proposal)
            if trial is not None:
                yield trial

    def _trial_of(self, stream: CandidateStream, proposal: Proposal | None) -> Trial | None:
        """The trial of what was drawn, which is under way from now on; ``None`` where there is nothing to try."""
        state = self._state
        if proposal is None:
            state.exhausted += [stream.title] if stream.empty else []
            return None
        state.drawn += 1
        trial = stream.printer.render(proposal)
        if isinstance(trial, Rejected):
            state.invalid += 1
            self._telling.note_attempt(stream, proposal, "", f"{trial.reason.value}: {trial.detail}")
        elif trial.digest in state.finds.passed and not stream.proposer.eager:
            edit = self._edit_of(stream, trial, proposal)
            self._maker.second(edit)
            self._telling.note_passed(edit)
        elif trial.digest in state.seen:
            self._telling.note_attempt(stream, proposal, "", "this very text was tried before", "repeated", trial)
        elif unknown := self._unknown_module(proposal):
            state.invalid += 1
            self._telling.note_attempt(stream, proposal, "", f"import: the target has no module {unknown}", made=trial)
        else:
            state.seen.add(trial.digest)
            trial = replace(trial, stuck_seconds=self._pool.stuck_seconds)
            state.running[trial.digest] = self._edit_of(stream, trial, proposal)
            return trial
        return None

    def _edit_of(self, stream: CandidateStream, trial: Trial, proposal: Proposal) -> TriedEdit:
        """The edit that is tried now, with its place among its like."""
        position, joined = len(self._state.seen), stream.proposer.eager
        asked = not self._parts.asked.isdisjoint(proposal.origin.proposer.split("+"))
        self._state.asked[joined] += asked
        before = position - self._state.asked[joined] if asked else 0
        return TriedEdit(stream, trial, proposal, position, asked=asked, before=before)

    def _take(self, outcome: TrialOutcome, turns: TierSchedule | None = None, tier: TrialTier = TrialTier.COLD) -> None:
        """Count an outcome; screen and keep what passed, send up what another tier has to tell."""
        state = self._state
        edit = state.running.pop(outcome.digest)
        following = self._router.tier_after(outcome, tier, edit.trial.function)
        if turns is not None and following is not None:
            turns.send_up(edit, following)
            state.sent_up[tier.value, outcome.detail] += 1
            return
        state.count(outcome)
        mends_all = outcome.state is TrialState.PASSED
        if mends_all:
            state.best = len(self._baseline.failing)
            outcome = self._maker.check(edit)
        if outcome.hasty or (outcome.state is TrialState.TIMEOUT and not edit.trial.patient):
            state.set_aside(edit)  # on a busy machine a fix may look like that
        elif outcome.failed in self._baseline.failing:
            state.note_failure(edit, self._baseline.failing.index(outcome.failed), len(self._baseline.failing))
        if outcome.state is not TrialState.PASSED:
            if not outcome.hasty:
                state.failed.add(outcome.digest)
            self._telling.tell_near(edit, outcome, mends_all=mends_all)
            if self._parts.joins:
                self._near.note(edit, outcome, mends_all=mends_all)
            if not edit.stream.proposer.eager:
                self._telling.tell_attempt(edit, self._closer.look(edit, outcome))
        elif not self._maker.holds_a_find(edit):
            self._maker.keep(edit)
            if not edit.stream.proposer.eager:
                self._tell_passed(edit)
        now = self._parts.clock()
        self._progress.note(edit, now, now - self._stop.started)

    def _tell_passed(self, edit: TriedEdit) -> None:
        """Tell its proposer of an edit that passes: that wider tests fail, that its shape is in doubt, or neither."""
        told = len(self._state.attempts)
        self._maker.make_candidates()
        if len(self._state.attempts) == told:
            shapes = self._closer.find_doubt(edit)
            if shapes is not None:
                self._telling.tell_attempt(edit, shapes)
            else:
                self._telling.note_passed(edit)

    def _unknown_module(self, proposal: Proposal) -> str:
        """The first module that the proposal would import and the target does not have."""
        wanted = imported_modules(proposal.imports)
        found = self._parts.sandbox.find_importable(wanted) if wanted else ()
        return next((module for module in wanted if module not in found), "")
