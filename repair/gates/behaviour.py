"""Behaviour: where the patch departs from the old function, and from other programs that pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from time import monotonic

from analysis.behaviour import Difference, is_unfit
from analysis.calls import Comparison
from analysis.earlier_texts import earlier_texts, printed
from analysis.facts import Digest, InvalidRun, Limits, TestId
from analysis.siblings import siblings_of
from analysis.trials import Trial, TrialState
from repair.checks.catalog import doubts_about, last_doubts_about, support_features, supports_of
from repair.checks.check import Behaved, behaved
from repair.checks.measures import TELLING, measure
from repair.checks.rival import Rival, RivalKind
from repair.compare.comparing import (
    Versions,
    compare,
    compare_apart,
    constants,
    new_constants,
    open_versions,
    weighed_evidence,
)
from repair.compare.examples import ExampleRun
from repair.compare.from_outside import FROM_OUTSIDE, Outside
from repair.compare.patch_parts import (
    MOST_EDIT_SECONDS,
    MOST_NUMBERS_SECONDS,
    Neighbour,
    find_neighbours,
    find_passing_numbers,
    find_superfluous,
    find_unrun_line,
)
from repair.compare.patched_server import PatchedServer
from repair.compare.second_fix import SecondFix
from repair.records.functions import as_trial
from repair.records.ports import History, Proposer, Sandbox, Submission, TrialSession
from repair.records.verdict import REPEATED, Decision, Doubt, Evidence, Measurement
from repair.records.witness_text import MODELS_FIX, describe_behaviour, pick_unlike
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialTier
from transforms.tree.candidate import Candidate

SHARE = 0.15
"""Of the time that is left, for other numbers in the patch, and again for programs next to it."""

LEAST_EDITS = 8
"""Programs next to the patch are tried where its tests leave time for so many, one after another, in that share."""

MOST_EXAMPLES = 3
"""Inputs that a claim shows."""


class Behaviour:
    """Says what speaks for and against a patch by what it does, and leaves the weighing to the verdict.

    It is compared with the old function, with other patches that pass, and with other numbers in place of its own. All
    checks of `repair/checks` are asked. These are doubts too:

    - an example in the docstring does not hold;
    - few inputs reach the change, or no call could be compared at all;
    - it brings in a statement that nothing runs;
    - a patch of another function passes as well;
    - other patches were not looked for, or not to the end;
    - the patch answers otherwise where nothing looks like a test.

    Differences from the old function on inputs that do reach a changed statement are what the fix is about: a few
    unlike ones are shown.
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
        proposer: Proposer | None = None,
        history: History | None = None,
        left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        """``left`` says how many seconds of the whole run are left: what is tried beside gets a share of them."""
        self._left = left
        self._history = history
        self._proposer = proposer
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
                self.name, Decision.UNKNOWN, "No passing test calls this function, so no input is known to compare on"
            )
        second = SecondFix.waited_for(submission)
        with self._server.lend(submission) as sessions:
            session = sessions.session(TrialTier.WARM)
            if isinstance(session, InvalidRun):
                claim = f"No inputs were compared: {session.detail}"
                doubts = [*self._doubt_beside(submission), *second.doubts(), Doubt("nothing_compared", claim)]
                left = ("old against new on other inputs", *_describe_unsought(submission))
                return weighed_evidence(self.name, doubts, second.measure(), not_checked=left)
            return self._judge(submission, session, second)

    def _judge(self, submission: Submission, session: TrialSession, second: SecondFix) -> Evidence:
        both = open_versions(submission)
        theirs = {fix.digest for fix in second.fixes}
        here = [r for r in submission.rivals if r.function == submission.candidate.function and r.digest not in theirs]
        rivals = {as_trial(both.new, rival.text, rival.origin.operator): rival for rival in here}
        others, near, untried = self._try_beside(session, both, submission, list(rivals))
        beside = [*rivals, *others.values(), *(each.trial for each in near)]
        placed = second.place(both, {both.mine.digest, *(each.digest for each in beside)})
        began = monotonic()
        found = compare(session, both, [*beside, *placed], self._seed, self._effort, ends=True)
        took = monotonic() - began
        failing = _find_failing(session, found, [*rivals, *placed])
        rivals = {trial: candidate for trial, candidate in rivals.items() if trial.digest not in failing}
        second = second.leave_out(both, failing)
        tried = found.tried
        numbers: list[Measurement] = [("inputs", tried.inputs), ("rivals", len(rivals))]
        repeated = _find_repeated(found, submission)
        numbers += [(REPEATED, len(repeated))] if repeated else []
        doubts = [*self._doubt_beside(submission), *second.doubts()]
        doubts += [Doubt("rivals_unsought", f"there was no time to try {untried[0]}")] if untried else []
        if not tried.inputs:
            claim = "No call of the function could be repeated outside its test, so old and new were not compared"
            doubts += [Doubt("nothing_compared", claim), *_doubt_elsewhere(submission)]
            left = (*(tried.failures or ("old against new on other inputs",)), *_describe_unsought(submission))
            seen = self._add_texts(Behaved(), submission)
            numbers += (*supports_of(seen), *second.measure())
            return weighed_evidence(self.name, doubts, numbers, not_checked=left, features=support_features(seen))
        numbers += [("reaching", tried.reaching), ("touching", tried.touching)]
        outside_first: tuple[Difference, ...] = ()
        if not found.old.answers:  # what tells programs apart here are pictures of objects
            outside = Outside(self._sandbox, self._limits, self._seed, self._left)
            above = outside.look(session, submission, both, tuple(rivals))
            found, outside_first = above.join(found), above.old
            numbers += [(FROM_OUTSIDE, above.calls)] if above.calls else []
        told = [*self._rivals(submission, found, rivals), *_numbers(found, others)]
        told += [
            Rival(RivalKind.NEIGHBOUR, each.trial.label, found.rivals.all_of(each.trial.digest), each.size)
            for each in near
        ]
        told += [Rival(RivalKind.MODEL, MODELS_FIX, parted, fix.size) for fix, parted in second.parting(both, found)]
        seen = behaved(found, submission, constants(both), new_constants(both), tuple(told))
        seen = self._add_texts(seen, submission)
        if found.old.departures and took < SHARE * self._left():  # it compares twice at most, and fewer programs
            seen = replace(seen, superfluous=find_superfluous(session, both, self._seed, self._effort))
        doubts += doubts_about(seen)
        if submission.candidate.origin.is_searched:
            doubts += last_doubts_about(seen)
        numbers += (*supports_of(seen), *second.measure(both, found))
        doubts += _doubt_material(found, submission, found.rivals.unknown & {trial.digest for trial in rivals})
        settled = [d for d in doubts if d.feature == "told_by_candidate" and d.strength >= TELLING]
        numbers += [("told", 1)] if settled else []
        line = find_unrun_line(session, both, self._seed, self._effort)
        if line is not None:
            where = f"{submission.candidate.function.path}:{line}"
            claim = f"Line {line} of the patch holds what no test and none of {tried.inputs} inputs runs"
            asked = f"Which call runs all of {where}, and what should it give? A test would settle it."
            doubts.append(Doubt("unrun_line", claim, witness=where, question=asked))
        apart = compare_apart(self._sandbox, submission, both, found, self._limits)
        numbers += [("channel", apart.channel), ("apart", apart.agreed)]
        if apart.doubt:
            claim = "the patch behaves otherwise where nothing looks like a test"
            doubts.append(
                Doubt("apart", claim, witness=apart.doubt, question="Should the function depend on who asks?")
            )
        unseen = () if found.old.is_known or tried.failures else ("old against new on other inputs",)
        left = (*tried.failures, *untried, *unseen, *apart.left, *_describe_unsought(submission))
        features = (
            *measure(seen),
            *support_features(seen),
            ("answered", float(len(submission.answers) > len(repeated))),
        )
        change = min(
            (each for each in found.old.departures if not (each.call.is_tested or is_unfit(each.other))),
            key=lambda each: (not each.ordinary, bool(each.call.context), len(each.call.source)),
            default=None,
        )
        claim, changes = _describe_agreement(found, outside_first)
        return weighed_evidence(self.name, doubts, numbers, claim, left, features, change, changes)

    def _try_beside(
        self, session: TrialSession, both: Versions, submission: Submission, rivals: Sequence[Trial]
    ) -> tuple[dict[Digest, Trial], tuple[Neighbour, ...], tuple[str, ...]]:
        """Programs beside the patch that pass its tests: with other numbers, and next to it; and what was not tried."""
        seconds = min(MOST_NUMBERS_SECONDS, SHARE * self._left())
        others, late = find_passing_numbers(session, both, [*rivals, both.before], seconds)
        untried = [f"{count_noun(late, 'program')} with another number in place of the patch's"] if late else []
        known = {trial.digest: None for trial in (*rivals, both.before)} | dict.fromkeys(others)
        spare = SHARE * self._left()
        near: tuple[Neighbour, ...] = ()
        if self._proposer is not None and LEAST_EDITS * _seconds_of_trial(submission) > spare:
            untried.append("programs next to the patch, since its tests take long beside the time that is left")
        elif self._proposer is not None:
            seconds = min(MOST_EDIT_SECONDS * self._effort, spare)
            near = find_neighbours(session, both, submission, self._proposer, known, self._seed, self._effort, seconds)
        return others, near, tuple(untried)

    def _add_texts(self, seen: Behaved, submission: Submission) -> Behaved:
        """With the function's texts before this patch and before what broke it, and with what stands beside it."""
        candidate = submission.candidate
        versions, whole = self._history(candidate.function.path) if self._history is not None else ((), False)
        earlier = earlier_texts(candidate.function, candidate.before, versions, whole=whole)
        before, after = printed(candidate.before), printed(candidate.text)
        beside = siblings_of(candidate.function, dict(submission.sources).get(candidate.function.path, b""))
        return replace(seen, before=before, after=after, earlier=earlier, siblings=beside)

    def _doubt_beside(self, submission: Submission) -> Iterator[Doubt]:
        """An example in the function's docstring that does not hold; that no rivals were looked for."""
        unsought = submission.unsought
        for claim in _describe_unsought(submission):
            asked = "Run with more --max-seconds?" if unsought is not None and unsought.needs_time else ""
            yield Doubt("rivals_unsought", claim, question=asked)
        for broken in self._documented.of(submission).broken[:1] if self._documented else ():
            claim = "an example in the function's docstring does not hold with the patch"
            yield Doubt("broken_example", claim, witness=broken, question=f"Is the example out of date: {broken}?")

    def _rivals(self, submission: Submission, found: Comparison, rivals: dict[Trial, Candidate]) -> Iterator[Rival]:
        """Other patches that pass; one that an example in the docstring refutes is none."""
        for trial, candidate in rivals.items():
            differences = found.rivals.all_of(trial.digest)
            refuted = differences and self._documented and self._documented.speak_against(submission, candidate)
            if not refuted:
                yield Rival(RivalKind.CANDIDATE, trial.label, differences, candidate.size)


def _seconds_of_trial(submission: Submission) -> float:
    """What the tests that vouch for a patch took before it, all together."""
    took = {each.test: each.seconds for each in submission.baseline.outcomes}
    return sum(took.get(test, 0.0) for test in submission.vouching)


def _find_failing(session: TrialSession, found: Comparison, rivals: Iterable[Trial]) -> frozenset[Digest]:
    """The rivals that are none: a test that goes on with one ends otherwise, and the vouching tests fail with it.

    A search may have tried fewer tests than those that vouch for the patch.
    """
    differing = [
        trial
        for trial in rivals
        if any(each.ends is not None and not each.ends.are_alike for each in found.rivals.all_of(trial.digest))
    ]
    outcomes = session.trials(differing) if differing else ()
    return frozenset(each.digest for each in outcomes if each.state is TrialState.FAILED)


def _find_repeated(found: Comparison, submission: Submission) -> tuple[TestId, ...]:
    """The answers that say nothing new: each call of theirs is made by another test. Of methods nobody knows that."""
    if "." in submission.candidate.function.qualname:
        return ()
    others = {given for test, given in found.made if test not in submission.answers}
    own = {answer: {given for test, given in found.made if test == answer} for answer in submission.answers}
    return tuple(answer for answer, calls in own.items() if calls and calls <= others)


def _numbers(found: Comparison, others: dict[Digest, Trial]) -> Iterator[Rival]:
    for digest, trial in others.items():
        yield Rival(RivalKind.NUMBER, trial.label.partition(":")[2].strip(), found.rivals.all_of(digest))


def _doubt_material(found: Comparison, submission: Submission, unknown: Iterable[Digest]) -> Iterator[Doubt]:
    """What could not be compared, or was compared on too little."""
    tried, silent = found.tried, list(unknown)
    if not found.old.is_known:
        claim = "No call of the old function came to an answer that could be compared with the patch's"
        yield Doubt("old_unknown", claim)
    if silent:
        said = count_noun(len(silent), "other patch", "other patches")
        yield Doubt("rival_unknown", f"{said} passed the same tests, and none of its calls could be compared")
    elif submission.rivals and not tried.is_searched:
        said = count_noun(len(submission.rivals), "other patch passed", "other patches passed")
        reached = count_noun(tried.reaching, "new input")
        yield Doubt("rival_unknown", f"{said} the same tests, and only {reached} reached the change")
    if not tried.is_exercised:
        said = count_noun(tried.touching, "input")
        claim = f"only {said} could be tried that reached the change, the tests' own among them"
        asked = "What should happen on another input that reaches the change? A test would settle it."
        yield Doubt("few_inputs", claim, question=asked)
    yield from _doubt_elsewhere(submission)


def _describe_unsought(submission: Submission) -> tuple[str, ...]:
    """That other patches which pass the same tests were not looked for, where that is so."""
    if submission.unsought is None:
        return ()
    said = "other patches that pass the same tests were not looked for to the end"
    return (f"{said}, since {submission.unsought.reason}",)


def _doubt_elsewhere(submission: Submission) -> Iterator[Doubt]:
    """A patch of another function that passes the same tests."""
    function = submission.candidate.function
    elsewhere = [rival for rival in submission.rivals if rival.function != function]
    if elsewhere:
        least = min(elsewhere, key=lambda rival: rival.size)
        claim = f"a patch of {least.function.qualname} passes the same tests and cannot be compared"
        smaller = 2.0 ** min(0.0, (submission.candidate.size - least.size) / 4)
        yield Doubt("other_function", f"{claim}: nothing says which of the functions is at fault", smaller)


def _describe_agreement(found: Comparison, outside: Sequence[Difference]) -> tuple[str, tuple[Difference, ...]]:
    """Where old and new agree, in words, and a few unlike calls that the patch changes."""
    claim = f"old and new agree wherever the old code did not reach the change ({found.tried.inputs} inputs)"
    first = (found.old.first,) if found.old.first else ()
    examples = pick_unlike((*outside, *(found.old.departures or first)), MOST_EXAMPLES)
    changes = (
        f"{each.call.source}: {describe_behaviour(each.other)} becomes {describe_behaviour(each.mine)}"
        for each in examples
    )
    return (f"{claim}; it changes, for example, {'; '.join(changes)}" if examples else claim), examples
