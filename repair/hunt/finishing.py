"""From a trial that passed to a candidate: the smallest text that still passes, checked as a whole file.

That takes longer than hundreds of trials, so a search keeps the texts that passed and comes here when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, replace

from analysis.facts import Digest, InvalidRun, Outcome, digest
from analysis.trials import Trial, TrialState
from repair.hunt.tried_edit import TriedEdit
from repair.records.ports import Sandbox
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
