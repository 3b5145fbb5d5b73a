"""What a patch brings in and nothing runs: no test that vouches for it, and none of the inputs that are tried."""

from __future__ import annotations

from analysis.trials import TrialState
from repair.compare.comparing import Versions, compare
from repair.records.functions import as_trial
from repair.records.ports import TrialSession
from transforms.mutants.changed_lines import abort_mutants

MOST_STOPPED = 40
"""Programs that end at a new statement, of which at most so many are tried to see who runs it."""


def find_unrun_line(session: TrialSession, both: Versions, seed: int, effort: int) -> int | None:
    """The line of the first such statement or branch; ``None`` where something runs each of them.

    The patch is made to end there: where its tests pass and no input tells, nobody knows what it does there.
    """
    ends = abort_mutants(both.new, both.old)[:MOST_STOPPED]
    trials = [as_trial(both.new, each.text, each.label) for each in ends]
    lines = {trial.digest: each.line for trial, each in zip(trials, ends, strict=True)}
    passed = {each.digest for each in session.trials(trials) if each.state is TrialState.PASSED} if trials else set()
    left = [trial for trial in trials if trial.digest in passed]
    if not left:
        return None
    differing = dict(compare(session, both, left, seed, effort, against_old=False).rivals.differences)
    return next((lines[trial.digest] for trial in left if trial.digest not in differing), None)
