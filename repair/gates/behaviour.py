"""Behaviour: where the patch departs from the old function, and from other patches that pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.behaviour import Difference, ends_pathologically
from analysis.calls import Comparison
from analysis.facts import Digest, InvalidRun, Limits
from analysis.trials import Trial
from repair.checks.catalog import first_doubt
from repair.checks.check import behaved
from repair.compare.comparing import (
    Versions,
    compare,
    compare_apart,
    constants,
    find_telling_rivals,
    make_doubt,
    new_constants,
    open_versions,
)
from repair.compare.examples import ExampleRun
from repair.compare.idle_differences import is_rounding, keeps_old_message
from repair.compare.other_numbers import find_narrower_number, find_passing_numbers
from repair.compare.patch_parts import find_unrun_line
from repair.compare.patched_server import PatchedServer
from repair.records.functions import as_trial
from repair.records.ports import Sandbox, Submission, TrialSession
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.witness_text import describe_behaviour, describe_witness, pick_unlike
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialTier
from transforms.tree.candidate import Candidate

MOST_EXAMPLES = 3
"""Inputs that a claim shows."""


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
        rivals = [as_trial(both.new, rival.text, rival.origin.operator) for rival in here]
        others = find_passing_numbers(session, both, [*rivals, both.before])
        found = compare(session, both, [*rivals, *others.values()], self._seed, self._effort)
        tried = found.tried
        numbers: tuple[Measurement, ...] = (("inputs", tried.inputs), ("rivals", len(rivals)))
        if not tried.inputs:
            claim = "No call of the function could be repeated outside its test, so old and new were not compared"
            left = tried.failures or ("old against new on other inputs",)
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=left)
        numbers = (*numbers, ("reaching", tried.reaching), ("touching", tried.touching))
        doubt = first_doubt(behaved(found, submission, constants(both), new_constants(both)))
        if doubt is not None:
            check, witness = doubt
            if check.question is None and isinstance(witness, Difference):
                return make_doubt(self.name, check.says(witness), numbers, witness)
            asked = check.question(witness) if check.question is not None else ""
            text = describe_witness(witness)
            return Evidence(self.name, Decision.UNKNOWN, check.says(witness), numbers, witness=text, question=asked)
        narrower = find_narrower_number(session, both, found, others, self._seed, self._effort)
        if narrower is not None:
            name, difference = narrower
            claim = f"with another number the tests pass too, and less of what the function did changes: {name}"
            return make_doubt(self.name, claim, numbers, difference)
        own = {trial.digest: trial for trial in rivals}

        def is_idle(_: Trial, difference: Difference) -> bool:
            """Whether what another patch does with a call is nothing to hold against this one: it never ends, say."""
            unmeant = ends_pathologically(difference.other) or is_rounding(difference)
            return unmeant or keeps_old_message(found.old, difference)

        telling = find_telling_rivals(session, both, own, found, is_idle, self._seed, self._effort)
        texts = {trial.digest: rival for trial, rival in zip(rivals, here, strict=True)}
        telling = [each for each in telling if not self._is_refuted(submission, texts[each[0]])]
        evidence = self._weigh(found, telling, found.rivals.unknown & own.keys(), numbers, submission)
        if evidence.decision is not Decision.ACCEPT:
            return evidence
        line = find_unrun_line(session, both, self._seed, self._effort)
        if line is None:
            return self._compare_apart(submission, both, found, evidence)
        where = f"{submission.candidate.function.path}:{line}"
        claim = f"Line {line} of the patch holds what no test and none of {tried.inputs} inputs runs"
        asked = f"Which call runs all of {where}, and what should it give? A test would settle it."
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, witness=where, question=asked)

    def _is_refuted(self, submission: Submission, rival: Candidate) -> bool:
        """Whether an example in the docstring, say ``>>> f(1)``, holds with the candidate and not with the rival."""
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
        found: Comparison,
        telling: Sequence[tuple[Digest, Difference]],
        unknown: frozenset[Digest],
        numbers: tuple[Measurement, ...],
        submission: Submission,
    ) -> Evidence:
        """What rivals, and what could not be compared, leave open."""
        tried, function = found.tried, submission.candidate.function
        elsewhere = [rival.function.qualname for rival in submission.rivals if rival.function != function]
        rivals = len(submission.rivals) - len(elsewhere)
        others = ("other patch", "other patches")
        if telling:
            which = "it" if len(telling) == 1 else "each of them"
            said = count_noun(len(telling), *others)
            claim = f"{said} passed the same tests, and an input tells {which} from this one"
            return make_doubt(self.name, claim, (*numbers, ("told", len(telling))), telling[0][1])
        asked, left = "", tried.failures
        if not found.old.is_known:
            claim = "No call of the old function came to an answer that could be compared with the patch's"
            left = left or ("old against new on other inputs",)
        elif unknown:
            claim = (
                f"{count_noun(len(unknown), *others)} passed the same tests, and none of its calls could be compared"
            )
        elif rivals and not tried.is_searched:
            said = count_noun(rivals, "other patch passed", "other patches passed")
            claim = f"{said} the same tests, and only {count_noun(tried.reaching, 'new input')} reached the change"
        elif not tried.is_exercised:
            said = count_noun(tried.touching, "input")
            claim = f"only {said} could be tried that reached the change, the tests' own among them"
            left = left or ("the change on inputs that no test makes",)
            asked = "What should happen on another input that reaches the change? A test would settle it."
        elif elsewhere:
            patches = tuple(f"a patch of {name} passes the same tests and cannot be compared" for name in elsewhere)
            claim = f"{patches[0]}: nothing says which of the functions is at fault"
            left = (*left, *patches)
        elif submission.hurried:
            claim = "the budget ended before the search for other patches that pass the same tests did"
            asked, left = "Run with more --max-seconds?", ()
        else:
            return Evidence(self.name, Decision.ACCEPT, _describe_agreement(found), numbers, not_checked=left)
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, question=asked, not_checked=left)


def _describe_agreement(found: Comparison) -> str:
    """Where old and new agree, and a few unlike calls that the patch changes."""
    claim = f"old and new agree wherever the old code did not reach the change ({found.tried.inputs} inputs)"
    first = (found.old.first,) if found.old.first else ()
    examples = pick_unlike(found.old.departures or first, MOST_EXAMPLES)
    changes = (
        f"{each.call.source}: {describe_behaviour(each.other)} becomes {describe_behaviour(each.mine)}"
        for each in examples
    )
    return f"{claim}; it changes, for example, {'; '.join(changes)}" if examples else claim
