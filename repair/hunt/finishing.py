"""From a trial that passed to a candidate: the smallest text that still passes, checked as a whole file.

That takes longer than hundreds of trials, so a search keeps the texts that passed and comes here when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, replace

from analysis.facts import Digest, InvalidRun, Outcome, digest
from analysis.trials import Trial, TrialState
from repair.hunt.search_result import Pending
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

    def candidate(self, drawn: Pending) -> Candidate | Rejected:
        """The candidate, its imports inside the function, or at module level where the options allow that."""
        proposal, scope = drawn.proposal, drawn.lane.scope
        if not proposal.imports or not self.module_imports:
            return complete(scope, self._smallest(drawn), proposal.origin, proposal.explanation)
        bare = render(scope, replace(proposal, imports=()))
        if isinstance(bare, Rejected):
            return bare
        made = complete(scope, bare.text, proposal.origin, proposal.explanation, proposal.imports)
        # This is not the text that was tried, so nothing has shown yet that the target compiles it.
        problem = self.sandbox.compiles(made.files) if isinstance(made, Candidate) else ""
        return Rejected(RejectReason.SYNTAX, problem) if problem else made

    def _smallest(self, drawn: Pending) -> bytes:
        """The least part of an edit that still passes; a single edit is as small as it gets."""
        if drawn.lane.proposer.eager and len(drawn.proposal.replacements) == 1:
            return drawn.trial.text
        return minimize(drawn.lane.scope, drawn.trial.text, lambda text: self._passes(drawn, text))

    def _passes(self, drawn: Pending, text: bytes) -> bool:
        """Whether the text passes cold what its trial passed, while there is time to find out."""
        function, failing = drawn.trial.function, self.baseline.failing
        trial = Trial(digest(function.path, function.qualname, text), function, text, "minimized")
        if self.seconds_left() <= 0 or trial.digest in self.failed:
            return False
        files = ((function.path, place(drawn.lane.scope, text)),)
        run = self.sandbox.run(failing, files, limits=self.screen.limits)
        if isinstance(run, InvalidRun) or any(run.outcome(test) is not Outcome.PASSED for test in failing):
            return False
        return self.screen.check(trial, drawn.lane.span).state is TrialState.PASSED
