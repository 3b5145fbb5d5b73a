"""What becomes of edits that mend the failing tests: screened, kept as finds, and in the end made candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from analysis.trials import Trial, TrialOutcome
from repair.hunt.finishing import Finishing
from repair.hunt.search_state import Finds
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import Listener, event
from repair.records.ports import FurtherRuns
from repair.trials.screening import Screen
from transforms.tree.candidate import Rejected


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
