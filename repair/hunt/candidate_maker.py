"""What becomes of edits that mend the failing tests: screened, kept as finds, and in the end made candidates.

A candidate is the smallest text that still passes, checked as a whole file. To make one takes longer than hundreds of
trials, so a search keeps the texts that passed until it is over.

Of a search that finds no patch the best partial result is shown, never judged: an edit that mends some of the failing
tests. Failing tests of one function may have several causes, which can be mended one after another. In a program
with several faults a test may pass by chance. So an edit that mends many tests and breaks very few is a part, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Digest, InvalidRun, Limits, Outcome, TestId, TestRun, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_state import MOST_SURVIVORS, SearchState
from repair.hunt.telling import made_by
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import event
from repair.records.ports import FurtherRuns, Sandbox
from repair.records.task import Baseline
from repair.trials.screening import Screen
from transforms.patch.apply import complete, place, render, size_of
from transforms.patch.minimize import minimize
from transforms.rules.antipatterns import antipatterns
from transforms.tree.candidate import Candidate, Rejected, RejectReason


@dataclass(frozen=True, slots=True)
class CandidateMaker:
    """Makes candidates of what passes in one search, as its ``state`` counts.

    ``further`` brings more passing tests, once all of the suite was seen. ``refuse`` hears of an edit of which no
    candidate is made, with a text where one was tried, and why.
    """

    parts: SearchParts
    baseline: Baseline
    screen: Screen
    further: FurtherRuns | None
    state: SearchState
    seconds_left: Callable[[], float]
    refuse: Callable[[TriedEdit, str, str], None]

    def check(self, edit: TriedEdit) -> TrialOutcome:
        """The outcome over the passing tests that run its function, as many of them as are known by now."""
        started = self.parts.clock()
        if not self._knows_all_tests():
            self.state.finds.hardly_screened.add(edit.trial.digest)
        outcome = self.screen.check(edit.trial, edit.stream.span)
        self.state.finds.screen_seconds += self.parts.clock() - started
        return outcome

    def holds_a_find(self, edit: TriedEdit) -> bool:
        """Whether a part of an edit in several places has passed by itself: the rest is no part of the fix.

        An example: once ``a < b`` has passed as ``a <= b``, an edit that turns ``c`` into ``d`` as well holds a find.
        """
        edits = edit.proposal.replacements
        if len(edits) == 1 or not edit.stream.proposer.eager:
            return False
        parts = (edit.stream.printer.render(replace(edit.proposal, replacements=(each,))) for each in edits)
        surely = self.state.finds.passed - self.state.finds.hardly_screened
        return any(isinstance(part, Trial) and part.digest in surely for part in parts)

    def keep(self, edit: TriedEdit) -> None:
        """Keep an edit that has passed now: the first few, and the first few that carry an anti-pattern.

        What somebody was asked for is kept however much the search has found.
        """
        finds, scope, now = self.state.finds, edit.stream.scope, self.parts.clock()
        finds.passed.add(edit.trial.digest)
        sound = not antipatterns(scope.text, edit.trial.text, scope.encoding)
        if not edit.asked and sum(other.sound == sound for other in finds.edits) >= MOST_SURVIVORS:
            return
        size = size_of(scope, edit.proposal, edit.stream.root.scope.node)
        finds.edits.append(replace(edit, passed_at=now, sound=sound, size=size))
        finds.sound[edit.trial.function] += sound
        if sound:
            self.parts.listen(event("found", **made_by(edit), label=edit.trial.label, position=edit.position))

    def second(self, edit: TriedEdit, found: Digest | None = None) -> None:
        """Who waits for outcomes has made what was ``found`` before (else its own text): that speaks for it."""
        finds, digest = self.state.finds, found or edit.trial.digest
        if all(find.trial.digest != digest for find in finds.edits):
            self.keep(edit)
        for held in (finds.edits, finds.survivors):
            held[:] = [each.seconded_by(edit) if each.trial.digest == digest else each for each in held]

    def make_candidates(self) -> bool:
        """Make candidates of what was found; whether some were refused, so that there is room for others.

        Those of the search that carry an anti-pattern are made only where there is no other. What somebody was asked
        for is made however early the search has found another: when it comes is chance.
        """
        finds = self.state.finds
        before = len(finds.edits)
        alone = not finds.sound.total()
        for find in [each for each in finds.edits if each.sound or each.asked or each.seconded or alone]:
            if find.trial.digest not in finds.made and not self._makes_new(find):
                finds.edits.remove(find)
                finds.sound[find.trial.function] -= find.sound
        return len(finds.edits) < before

    def _makes_new(self, find: TriedEdit) -> bool:
        """Make a candidate of what passed; whether it is a new one, which is kept.

        None is made of one that breaks a passing test of those that were not known when it was screened.
        """
        finds, trial = self.state.finds, find.trial
        if trial.digest in finds.hardly_screened and self._knows_all_tests():
            finds.hardly_screened.discard(trial.digest)
            if broken := self.screen.breaks(trial, find.stream.span):
                finds.passed.discard(trial.digest)
                self.state.failed.add(trial.digest)
                self.refuse(find, trial.text.decode("utf-8", "replace"), f"failed {broken}")
                return False
        finds.made.add(trial.digest)
        made = self.make_candidate(find)
        if isinstance(made, Rejected):
            self.refuse(find, "", f"{made.reason.value}: {made.detail}")
            return False
        alike = [survivor for survivor in finds.survivors if survivor.candidate.digest == made.digest]
        if alike:
            if find.asked:
                self.second(find, alike[0].trial.digest)
            else:
                self.refuse(find, "", "what is left of it was found before")
            return False
        finds.survivors.append(replace(find, made=made))
        self.parts.listen(
            event("candidate", digest=made.digest, label=trial.label, state="plausible", position=find.position)
        )
        return True

    def _knows_all_tests(self) -> bool:
        """Whether the screen has all tests of the suite; it gets those that further runs have brought."""
        if not self.screen.wide and self.further is not None and (wider := self.further.wider_baseline()) is not None:
            self.screen.widen(wider)
        return self.screen.wide

    def make_candidate(self, edit: TriedEdit) -> Candidate | Rejected:
        """The candidate, its imports inside the function, or at module level where the options allow that."""
        proposal, scope = edit.proposal, edit.stream.scope
        if not proposal.imports or not self.parts.module_imports:
            text = edit.trial.text
            # What the search joined may hold too much. An author's text may hold what no test asks for, and needs it.
            joined = edit.stream.base is not None or len(proposal.replacements) > 1
            if joined and edit.stream.proposer.eager:
                text = minimize(scope, text, lambda smaller: self._passes(edit, smaller))
            return complete(scope, text, proposal.origin, proposal.explanation)
        bare = render(scope, replace(proposal, imports=()))
        if isinstance(bare, Rejected):
            return bare
        made = complete(scope, bare.text, proposal.origin, proposal.explanation, proposal.imports)
        # This is not the text that was tried, so nothing has shown yet that the target compiles it.
        problem = self.parts.sandbox.compiles(made.files) if isinstance(made, Candidate) else ""
        return Rejected(RejectReason.SYNTAX, problem) if problem else made

    def _passes(self, edit: TriedEdit, text: bytes) -> bool:
        """Whether the text passes cold what its trial passed, while there is time to find out.

        An example: ``return a`` passes where the failing test passes with it, and each passing test that runs it.
        """
        function, failing = edit.trial.function, self.baseline.failing
        trial = Trial(digest(function.path, function.qualname, text), function, text, "minimized")
        if self.seconds_left() <= 0 or trial.digest in self.state.failed:
            return False
        files = ((function.path, place(edit.stream.scope, text)),)
        run = self.parts.sandbox.for_purpose("smaller texts").run(failing, files, limits=self.screen.limits)
        if isinstance(run, InvalidRun) or any(run.outcome(test) is not Outcome.PASSED for test in failing):
            return False
        return self.screen.check(trial, edit.stream.span).state is TrialState.PASSED


MOST_TESTS = 5

CHANCE_TIMES = 10
"""An edit that mends so many times as many tests as it breaks is taken to be right: these passed by chance."""


@dataclass(frozen=True, slots=True)
class Partial:
    """An edit with the failing tests that pass with it, those that still fail, and the few that passed and break."""

    candidate: Candidate
    mended: tuple[TestId, ...]
    left: tuple[TestId, ...]
    broken: tuple[TestId, ...] = ()

    @property
    def brief(self) -> str:
        """All of it for a reader, the edit at the end."""
        where = f"{self.candidate.function.qualname} in {self.candidate.function.path}"
        return (
            f"No fix, but a part of one: with this edit of {where}, {len(self.mended)} of "
            f"{len(self.mended) + len(self.left)} failing tests pass ({_list(self.mended)}), "
            f"{_list(self.broken) or 'no passing test'} breaks, and {_list(self.left)} still fails. "
            f"No gate has judged it.\n\n{self.candidate.diff}"
        )


def find_best_partial(
    sandbox: Sandbox, baseline: Baseline, limits: Limits, edits: Sequence[TriedEdit], over: Callable[[], bool]
) -> Partial | None:
    """The first of the edits that mends some failing tests and breaks nothing, in a cold run of all tests each.

    Where there is none, the first that mends many and breaks very few.
    """
    best = None
    for edit in edits:
        if over():
            return best
        made = complete(edit.stream.scope, edit.trial.text, edit.proposal.origin, edit.proposal.explanation)
        if isinstance(made, Rejected):
            continue
        asked = baseline.in_suite_order((*baseline.failing, *baseline.passing))
        run = sandbox.for_purpose("partial results").run(asked, made.files, limits=limits)
        passed = {t for t in asked if run.outcome(t) is Outcome.PASSED} if isinstance(run, TestRun) else set()
        mended = tuple(test for test in baseline.failing if test in passed)
        left = tuple(test for test in baseline.failing if test not in passed)
        broken = tuple(test for test in baseline.passing if test not in passed)
        if mended and not broken:
            return Partial(made, mended, left)
        if mended and left and best is None and len(mended) >= CHANCE_TIMES * len(broken):
            best = Partial(made, mended, left, broken)
    return best


def _list(tests: Sequence[TestId]) -> str:
    more = f" and {len(tests) - MOST_TESTS} more" if len(tests) > MOST_TESTS else ""
    return f"{', '.join(tests[:MOST_TESTS])}{more}"
