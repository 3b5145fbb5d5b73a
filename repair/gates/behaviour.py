"""Behaviour: where the patch departs from the old function, and from other patches that pass.

What a patch brings in and nothing runs: no test that vouches for it, and none of the inputs that are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from time import monotonic

from analysis.calls import Comparison, Witness
from analysis.facts import Digest, InvalidRun, Limits
from analysis.trials import Trial, TrialState
from repair.compare.collateral import doubt_reach, ends_pathologically, is_rounding, same_exception_old_message
from repair.compare.comparing import (
    Versions,
    ask_about,
    compare,
    compare_apart,
    describe_witness,
    find_telling_rivals,
    make_doubt,
    open_versions,
)
from repair.compare.examples import ExampleRun
from repair.compare.overfitting import doubt_fit, find_narrower_candidates, is_narrower, pick_unlike
from repair.compare.patched_server import PatchedServer
from repair.records.functions import as_trial
from repair.records.ports import Sandbox, Submission, TrialSession
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialTier
from transforms.mutants.changed_lines import abort_mutants
from transforms.mutants.other_numbers import other_numbers
from transforms.tree.candidate import Candidate

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
    told = dict(compare(session, both, left, seed, effort).witnesses) if left else {}
    return next((lines[trial.digest] for trial in left if trial.digest not in told), None)


MOST_EXAMPLES = 3
"""Inputs that a claim shows."""

MOST_NUMBERS = 14
"""How many numbers that pass the tests too are compared with the candidate's own."""

MOST_NUMBERS_SECONDS = 20.0
"""How long other numbers are tried: a loop over one of them may take all that the rest needs."""

MOST_NARROWER = 3
"""How many of those are compared with the old function."""


class Behaviour:
    """Accepts a patch that keeps to the old function, and from which no other plausible patch differs.

    All of these have to hold:

    - the patch does what the old function did on inputs that never reached a changed statement;
    - it does so in the calls that passing tests make;
    - no other plausible patch of the function differs from it on an input that was tried;
    - some inputs reach the change, or nothing is known of it besides one test.

    Differences on inputs that do reach a changed statement are what the fix is about: a few unlike ones are shown.
    These are doubts:

    - The patch has constants of its own and changes the failing tests' very calls alone. What is like them ends as it
      did.
    - Its number could be another one, with which fewer answers change.
    - It answers a call in two ways where the old function has one answer. That hangs on what was called before, or on
      whether anything looks like a test.
    - It brings in a statement that nothing runs.
    """

    name = "behaviour"

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        server: PatchedServer,
        seed: int,
        effort: int = 1,
        documented: ExampleRun | None = None,
    ) -> None:
        self._documented = documented
        self._sandbox = sandbox
        self._limits = limits
        self._server = server
        self._seed = seed
        self._effort = effort

    def judge(self, submission: Submission) -> Evidence:
        """Compare on recorded calls and on generated ones like them."""
        if not submission.vouching:
            return Evidence(
                self.name, Decision.UNKNOWN, "No test calls this function, so no input is known to compare on"
            )
        broken = self._documented.of(submission).broken if self._documented else ()
        if broken:
            claim = "an example in the function's docstring does not hold with the patch"
            asked = f"Is the example out of date: {broken[0]}?"
            return Evidence(self.name, Decision.UNKNOWN, claim, (), broken[0], asked)
        with self._server.lend(submission) as sessions:
            session = sessions.session(TrialTier.WARM)
            if isinstance(session, InvalidRun):
                claim = f"No inputs were compared: {session.detail}"
                return Evidence(self.name, Decision.UNKNOWN, claim, not_checked=("old against new on other inputs",))
            return self._judge(submission, session)

    def _judge(self, submission: Submission, session: TrialSession) -> Evidence:
        both = open_versions(submission)
        here = [r for r in submission.rivals if r.function == submission.candidate.function]
        elsewhere = tuple(
            f"a patch of {r.function.qualname} passes the same tests and cannot be compared"
            for r in submission.rivals
            if r not in here
        )
        rivals = [as_trial(both.new, rival.text, rival.origin.operator) for rival in here]
        others = _find_passing_numbers(session, both, [*rivals, both.before])
        compared = compare(session, both, [both.before, *rivals, *others.values()], self._seed, self._effort)
        found = replace(
            compared,
            witnesses=tuple(w for w in compared.witnesses if Digest(w[0]) not in others),
            unanswered=tuple(rival for rival in compared.unanswered if Digest(rival) not in others),
        )
        numbers: tuple[Measurement, ...] = (("inputs", found.inputs), ("rivals", len(rivals)))
        if not found.inputs:
            claim = "No call of the function could be repeated outside its test, so old and new were not compared"
            left = found.failures or ("old against new on other inputs",)
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=left)
        passing = set(submission.baseline.passing)
        noticed = [(test, witness) for test, witness in found.recorded if test in passing]
        if noticed:
            test, witness = noticed[0]
            claim = f"{test} passes before and after, and makes a call itself that now gives something else"
            return make_doubt(self.name, claim, numbers, witness)
        numbers = (*numbers, ("reaching", found.reaching), ("touching", found.touching))
        doubt = doubt_fit(both, found, submission)
        if doubt is not None:
            claim, witness, asked = doubt
            return Evidence(
                self.name, Decision.UNKNOWN, claim, numbers, witness=describe_witness(witness), question=asked
            )
        far = doubt_reach(found, submission)
        if far is not None:
            return make_doubt(self.name, far[0], numbers, far[1])
        for trial, witness in find_narrower_candidates(compared, others)[:MOST_NARROWER]:
            variant = compare(session, replace(both, mine=trial), [both.before], self._seed, self._effort)
            if is_narrower(variant, compared):
                name = trial.label.partition(":")[2]
                claim = f"with another number the tests pass too, and less of what the function did changes: {name}"
                text, asked = describe_witness(witness), ask_about(witness)
                return Evidence(self.name, Decision.UNKNOWN, claim, numbers, witness=text, question=asked, told=witness)
        own = {trial.digest: trial for trial in rivals}

        def is_idle(_: Trial, witness: Witness) -> bool:
            """Whether what another patch does with a call is nothing to hold against this one."""
            return (
                ends_pathologically(witness.other) or is_rounding(witness) or same_exception_old_message(found, witness)
            )

        told = find_telling_rivals(session, both, own, found, is_idle, self._seed, self._effort)
        texts = {trial.digest: rival for trial, rival in zip(rivals, here, strict=True)}
        told = [each for each in told if not self._is_refuted(submission, texts[each[0]])]
        evidence = self._weigh(both, found, told, len(rivals), numbers, elsewhere, submission.hurried)
        if evidence.decision is not Decision.ACCEPT:
            return evidence
        line = find_unrun_line(session, both, self._seed, self._effort)
        if line is None:
            return self._compare_apart(submission, both, found, evidence)
        where = f"{submission.candidate.function.path}:{line}"
        claim = f"Line {line} of the patch holds what no test and none of {found.inputs} inputs runs"
        asked = f"Which call runs all of {where}, and what should it give? A test would settle it."
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, witness=where, question=asked)

    def _is_refuted(self, submission: Submission, rival: Candidate) -> bool:
        """Whether an example in the docstring, which holds with the candidate, does not with the rival."""
        return self._documented is not None and self._documented.speak_against(submission, rival)

    def _compare_apart(self, submission: Submission, both: Versions, found: Comparison, evidence: Evidence) -> Evidence:
        """What was accepted under the tests, held against a process without them; says which channel that was."""
        apart = compare_apart(self._sandbox, submission, both, found, self._limits)
        numbers = (*evidence.measurements, ("channel", apart.channel), ("apart", apart.agreed))
        if not apart.doubt:
            return replace(evidence, measurements=numbers, not_checked=(*evidence.not_checked, *apart.left))
        claim = "the patch behaves otherwise where nothing looks like a test"
        asked = "Should the function depend on who asks?"
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, witness=apart.doubt, question=asked)

    def _weigh(
        self,
        both: Versions,
        found: Comparison,
        told: Sequence[tuple[Digest, Witness]],
        rivals: int,
        numbers: tuple[Measurement, ...],
        elsewhere: tuple[str, ...],
        hurried: bool,
    ) -> Evidence:
        old = dict(found.witnesses).get(both.before.digest)
        if old is not None and not old.reached:
            claim = "The patch changes what the function does where the old code never reached a changed statement"
            return make_doubt(self.name, claim, numbers, old)
        if told:
            witness = told[0][1]
            numbers = (*numbers, ("told", len(told)))
            said = count_noun(len(told), "other patch", "other patches")
            which = "it" if len(told) == 1 else "each of them"
            claim = f"{said} passed the same tests, and an input tells {which} from this one"
            return make_doubt(self.name, claim, numbers, witness)
        if both.before.digest in found.unanswered:
            claim = "No call of the old function came to an answer that could be compared with the patch's"
            left = found.failures or ("old against new on other inputs",)
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=left)
        if found.unanswered:
            said = count_noun(len(found.unanswered), "other patch", "other patches")
            claim = f"{said} passed the same tests, and none of its calls could be compared"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=found.failures)
        if rivals and not found.is_searched:
            said = count_noun(rivals, "other patch passed", "other patches passed")
            claim = f"{said} the same tests, and only {count_noun(found.reaching, 'new input')} reached the change"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=found.failures)
        if not found.is_exercised:
            said = count_noun(found.touching, "input")
            claim = f"only {said} could be tried that reached the change, the tests' own among them"
            left = found.failures or ("the change on inputs that no test makes",)
            asked = "What should happen on another input that reaches the change? A test would settle it."
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, question=asked, not_checked=left)
        if elsewhere:
            claim = f"{elsewhere[0]}: nothing says which of the functions is at fault"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=(*found.failures, *elsewhere))
        if hurried:
            claim = "the budget ended before the search for other patches that pass the same tests did"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, question="Run with more --max-seconds?")
        claim = f"old and new agree wherever the old code did not reach the change ({found.inputs} inputs)"
        examples = pick_unlike(found.departures or ((old,) if old else ()), MOST_EXAMPLES)
        if examples:
            changes = "; ".join(f"{each.call}: {each.other} becomes {each.mine}" for each in examples)
            claim = f"{claim}; it changes, for example, {changes}"
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=found.failures)


def _find_passing_numbers(session: TrialSession, both: Versions, known: Sequence[Trial]) -> dict[Digest, Trial]:
    """The candidate with other numbers in place of its own, as far as the same tests pass."""
    digests = {trial.digest for trial in known}
    trials = {trial.digest: trial for trial in other_numbers(both.new, both.old) if trial.digest not in digests}
    until = monotonic() + MOST_NUMBERS_SECONDS
    in_time = takewhile(lambda _: monotonic() < until, trials.values())
    passed = {each.digest for each in session.trials(in_time) if each.state is TrialState.PASSED}
    return {digest: trials[digest] for digest in [each for each in trials if each in passed][:MOST_NUMBERS]}
