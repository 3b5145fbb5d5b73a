"""What becomes of edits that mend the failing tests: screened, kept as finds, and in the end made candidates.

From a trial that passed to a candidate: the smallest text that still passes, checked as a whole file.

That takes longer than hundreds of trials, so a search keeps the texts that passed and comes here when it is over.

The best partial result of a search that found no patch: an edit that mends some of the failing tests.

It is shown, with what it mends and what it leaves, and never judged. Several failing tests of one function may have
several causes. Whoever knows that can mend them one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace

from analysis.facts import Digest, InvalidRun, Limits, Outcome, TestId, TestRun, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.search_state import Finds
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import Listener, event
from repair.records.ports import FurtherRuns, Sandbox
from repair.records.task import Baseline
from repair.trials.screening import Screen
from transforms.patch.apply import complete, place, render
from transforms.patch.minimize import minimize
from transforms.tree.candidate import Candidate, Rejected, RejectReason


@dataclass(frozen=True, slots=True)
class Finishing:
    """Makes candidates of what passed. ``failed`` are digests of texts that were tried and did not pass."""

    sandbox: Sandbox
    baseline: Baseline
    screen: Screen
    seconds_left: Callable[[], float]
    failed: Set[Digest]
    module_imports: bool = False

    def make_candidate(self, edit: TriedEdit) -> Candidate | Rejected:
        """The candidate, its imports inside the function, or at module level where the options allow that."""
        proposal, scope = edit.proposal, edit.stream.scope
        if not proposal.imports or not self.module_imports:
            return complete(scope, self._minimize(edit), proposal.origin, proposal.explanation)
        bare = render(scope, replace(proposal, imports=()))
        if isinstance(bare, Rejected):
            return bare
        made = complete(scope, bare.text, proposal.origin, proposal.explanation, proposal.imports)
        # This is not the text that was tried, so nothing has shown yet that the target compiles it.
        problem = self.sandbox.compiles(made.files) if isinstance(made, Candidate) else ""
        return Rejected(RejectReason.SYNTAX, problem) if problem else made

    def _minimize(self, edit: TriedEdit) -> bytes:
        """The least part of an edit that still passes; a single edit is as small as it gets."""
        if edit.stream.proposer.eager and len(edit.proposal.replacements) == 1:
            return edit.trial.text
        return minimize(edit.stream.scope, edit.trial.text, lambda text: self._passes(edit, text))

    def _passes(self, edit: TriedEdit, text: bytes) -> bool:
        """Whether the text passes cold what its trial passed, while there is time to find out."""
        function, failing = edit.trial.function, self.baseline.failing
        trial = Trial(digest(function.path, function.qualname, text), function, text, "minimized")
        if self.seconds_left() <= 0 or trial.digest in self.failed:
            return False
        files = ((function.path, place(edit.stream.scope, text)),)
        run = self.sandbox.run(failing, files, limits=self.screen.limits)
        if isinstance(run, InvalidRun) or any(run.outcome(test) is not Outcome.PASSED for test in failing):
            return False
        return self.screen.check(trial, edit.stream.span).state is TrialState.PASSED


@dataclass(frozen=True, slots=True)
class CandidateMaker:
    """Makes candidates of what passes.

    ``further`` brings more passing tests, once all of the suite was seen. ``refuse`` hears of an edit of which no
    candidate is made, with a text where one was tried, and why. ``fail`` hears of a trial that turned out to fail.
    """

    screen: Screen
    further: FurtherRuns | None
    finishing: Finishing
    finds: Finds
    refuse: Callable[[TriedEdit, str, str], None]
    fail: Callable[[TriedEdit], None]
    clock: Callable[[], float]
    listen: Listener

    def check(self, edit: TriedEdit) -> TrialOutcome:
        """The outcome over the passing tests that run its function, as many of them as are known by now."""
        started = self.clock()
        if not self._knows_all_tests():
            self.finds.hardly_screened.add(edit.trial.digest)
        outcome = self.screen.check(edit.trial, edit.stream.span)
        self.finds.screen_seconds += self.clock() - started
        return outcome

    def holds_a_find(self, edit: TriedEdit) -> bool:
        """Whether a part of an edit in several places has passed by itself: the rest is no part of the fix."""
        edits = edit.proposal.replacements
        if len(edits) == 1 or not edit.stream.proposer.eager:
            return False
        parts = (edit.stream.printer.render(replace(edit.proposal, replacements=(each,))) for each in edits)
        surely = self.finds.passed - self.finds.hardly_screened
        return any(isinstance(part, Trial) and part.digest in surely for part in parts)

    def keep(self, edit: TriedEdit) -> None:
        """Keep an edit that has passed now, and tell of it where it is sound."""
        find = self.finds.keep(edit, self.clock())
        if find is not None and find.sound:
            self.listen(event("found", label=edit.trial.label, position=edit.position))

    def make_candidates(self) -> bool:
        """Make candidates of what was found; whether some were refused, so that there is room for others.

        Those that carry an anti-pattern are made only where there is no other.
        """
        finds, before = self.finds, len(self.finds.edits)
        for find in [each for each in finds.edits if each.sound or not finds.sound.total()]:
            if find.trial.digest not in finds.made and not self._makes_new(find):
                finds.drop(find)
        return len(finds.edits) < before

    def _makes_new(self, find: TriedEdit) -> bool:
        """Make a candidate of what passed; whether it is a new one, which is kept."""
        finds, trial = self.finds, find.trial
        if broken := self._broken_beyond(find):
            finds.passed.discard(trial.digest)
            self.fail(find)
            self.refuse(find, trial.text.decode("utf-8", "replace"), f"failed {broken}")
            return False
        finds.made.add(trial.digest)
        made = self.finishing.make_candidate(find)
        if isinstance(made, Rejected):
            self.refuse(find, "", f"{made.reason.value}: {made.detail}")
            return False
        if any(survivor.candidate.digest == made.digest for survivor in finds.survivors):
            self.refuse(find, "", "what is left of it was found before")
            return False
        finds.survivors.append(replace(find, made=made))
        position = find.position
        self.listen(event("candidate", digest=made.digest, label=trial.label, state="plausible", position=position))
        return True

    def _knows_all_tests(self) -> bool:
        """Whether the screen has all tests of the suite; it gets those that further runs have brought."""
        if not self.screen.wide and self.further is not None and (wider := self.further.wider_baseline()) is not None:
            self.screen.widen(wider)
        return self.screen.wide

    def _broken_beyond(self, find: TriedEdit) -> str:
        """A passing test that it breaks, among those that were not known when it was screened; empty for none."""
        if find.trial.digest not in self.finds.hardly_screened or not self._knows_all_tests():
            return ""
        self.finds.hardly_screened.discard(find.trial.digest)
        return self.screen.breaks(find.trial, find.stream.span)


MOST_TESTS = 5


@dataclass(frozen=True, slots=True)
class Partial:
    """An edit with the failing tests that pass with it, and those that still fail. Nothing that passed breaks."""

    candidate: Candidate
    mended: tuple[TestId, ...]
    left: tuple[TestId, ...]

    @property
    def brief(self) -> str:
        """All of it for a reader, the edit at the end."""
        where = f"{self.candidate.function.qualname} in {self.candidate.function.path}"
        return (
            f"No fix, but a part of one: with this edit of {where}, {len(self.mended)} of "
            f"{len(self.mended) + len(self.left)} failing tests pass ({_list(self.mended)}), no passing test "
            f"breaks, and {_list(self.left)} still fails. No gate has judged it.\n\n{self.candidate.diff}"
        )


def find_best_partial(
    sandbox: Sandbox, baseline: Baseline, limits: Limits, edits: Sequence[TriedEdit], over: Callable[[], bool]
) -> Partial | None:
    """The first of the edits that mends some failing tests and breaks nothing, in a cold run of all tests each."""
    for edit in edits:
        if over():
            return None
        made = complete(edit.stream.scope, edit.trial.text, edit.proposal.origin, edit.proposal.explanation)
        if isinstance(made, Candidate):
            run = sandbox.run((*baseline.failing, *baseline.passing), made.files, limits=limits)
            if isinstance(run, TestRun) and (found := _partial(made, baseline, run)) is not None:
                return found
    return None


def _partial(candidate: Candidate, baseline: Baseline, run: TestRun) -> Partial | None:
    mended = tuple(test for test in baseline.failing if run.outcome(test) is Outcome.PASSED)
    kept = all(run.outcome(test) is Outcome.PASSED for test in baseline.passing)
    if not mended or not kept:
        return None
    return Partial(candidate, mended, tuple(test for test in baseline.failing if test not in mended))


def _list(tests: Sequence[TestId]) -> str:
    more = f" and {len(tests) - MOST_TESTS} more" if len(tests) > MOST_TESTS else ""
    return f"{', '.join(tests[:MOST_TESTS])}{more}"
