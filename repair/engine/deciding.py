"""What a search comes to: its finds are judged, the most promising first, until one is certified; then the runners-up.

Where none is certified, it is said what was tried and found, and what may still help.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from analysis.behaviour import Difference, turn
from analysis.errors import OutOfTimeError
from analysis.facts import Digest, Outcome
from repair.checks.weights import ALONE
from repair.compare.comparing import make_doubt
from repair.compare.from_outside import FROM_OUTSIDE
from repair.engine.behaviour_clusters import behave_alike, find_difference
from repair.engine.choosing import Ranking
from repair.engine.diagnosing import Diagnosed
from repair.engine.judging import Judging
from repair.engine.ranking import RankedCandidate, is_rival
from repair.engine.task_time import TaskTime
from repair.gates.regressions import find_unmended_test
from repair.hunt.candidate_streams import Cut
from repair.hunt.search_result import SearchResult
from repair.records.outcome import Judged, RunOutcome
from repair.records.plan import plan
from repair.records.ports import Submission, Unsought
from repair.records.result import Status
from repair.records.task import Attempt, RepairTask
from repair.records.verdict import Decision, Evidence, PatchStatus, Verdict
from repair.records.wording import count_noun, list_names
from transforms.operators.catalog import MENDING, families
from transforms.tree.candidate import Candidate

MOST_JUDGED = 4
"""Candidates that are weighed or judged once one has come through the gates with a doubt, that one among them."""

MOST_BEYOND = 5
"""Suspects that were not tried at all, of which the names are told."""

BEHAVIOUR, REGRESSIONS = "behaviour", "regressions"

OUTDONE = ("narrower_rival", "other_kind_of_change", "outvoted", "told_by_model")
"""Doubts that say of another patch that it may be the better one."""

ABOUT_TESTS = frozenset({"test_quality", "controls", "regressions", "stability"})
"""Gates that do not know because of the tests, whatever the patch is."""


UNTOLD = Evidence(BEHAVIOUR, Decision.UNKNOWN, "it is a runner-up: only what makes it plausible was looked at")


@dataclass(frozen=True, slots=True)
class Deciding:
    """One decision over ranked candidates; ``unsought`` says why no more rivals were looked for."""

    judging: Judging
    seen: Diagnosed
    ranking: Ranking
    time: TaskTime
    unsought: Unsought | None = None
    judged: tuple[Judged, ...] = ()
    """Those that were judged before: none is judged again."""

    def decide(self, runners_up: int) -> tuple[Judged, ...]:
        """The best judged one first; behind it those that were judged before, and so many runners-up at least.

        None where the time was up before one was shown to pass its tests.
        """
        try:
            judged = self._judge_until_certified()
        finally:
            self.judging.release()
        if not judged:
            return ()
        judged.sort(key=place_of)
        digests = [each.submission.candidate.digest for each in judged]
        find = partial(find_difference, self.ranking.clusters, digests[0])
        known = [replace(each, differs=find(digest)) for each, digest in zip(judged, digests, strict=True)]
        return (*known, *self._judge_more(digests, find, runners_up))

    def _judge_until_certified(self) -> list[Judged]:
        """The first that stands, behind what is rejected before it, and those that may still change the answer.

        A further one is weighed on the server of the first, so that no process is started to know its risk. One that
        can neither be certified nor come first is not judged.
        """
        judged: list[Judged] = []
        before = {each.submission.candidate.digest for each in self.judged}
        left = [
            each
            for each in self.ranking.candidates
            if each.candidate.digest not in before and not self._is_like_one_of(self.judged, each.candidate.digest)
        ]
        while left and not _find_best(judged):
            if not self._judge(left.pop(0), judged):
                return judged
        for known, ranked in self._weigh(left, judged):
            best = _find_best(judged)
            if best is not None and not _may_come_first(known, best):
                break  # nor may those of more risk behind it
            if not self._judge(ranked, judged, known):
                break
        return judged

    def _judge(self, ranked: RankedCandidate, judged: list[Judged], known: Verdict | None = None) -> bool:
        """Judge one more; whether another one may be judged after it."""
        before = self.time.clock()
        try:
            found = self.judging.judge(self._submit(ranked), known.evidence if known else (), keep=True)
        except OutOfTimeError:
            return False
        judged.append(replace(found, plan=ranked.plan, reasons=ranked.reasons))
        late = self.time.is_up(self.time.clock() - before)  # the next one would take as long
        settled = is_told_apart(found) and not _speaks_for_another(found)  # so are its rivals, and none comes first
        return not (found.verdict.status is PatchStatus.CERTIFIED or late or settled)

    def _submit(self, ranked: RankedCandidate) -> Submission:
        """The candidate with its rivals, held to all that it mends."""
        mine, extra = ranked.candidate, self.ranking.extra_fixes
        standing = [each.candidate for each in self.ranking.candidates if not each.is_refused]
        rivals = [each for each in standing if is_rival(each, mine) and not extra.leaves(each, mine)]
        submission = self.judging.submit(mine, extra.add_to(self.seen, mine), rivals=rivals)
        return replace(submission, unsought=self.unsought)

    def _weigh(
        self, left: Sequence[RankedCandidate], judged: Sequence[Judged]
    ) -> list[tuple[Verdict, RankedCandidate]]:
        """The next few candidates that may come first, by what the weighed gates say of them, the least risk first."""
        best = _find_best(judged)
        if best is None:
            return []
        found: list[tuple[Verdict, RankedCandidate]] = []
        took, weighed = 0.0, 1
        for ranked in left:
            if weighed >= MOST_JUDGED or self.time.is_up(took):
                break
            if self._is_like_one_of(judged, ranked.candidate.digest) or self._fails_as(best, ranked.candidate.digest):
                continue
            began = self.time.clock()
            try:
                known = self.judging.weigh(self._submit(ranked))
            except OutOfTimeError:
                break
            took, weighed = self.time.clock() - began, weighed + 1
            if _may_come_first(known, best):
                found.append((known, ranked))
        return sorted(found, key=lambda each: _risk_of(each[0]))

    def _is_like_one_of(self, judged: Sequence[Judged], candidate: Digest) -> bool:
        """Whether a likelier text that behaves alike was judged, and is in doubt for its behaviour alone.

        Then its doubts are those of this one. What hangs on the text (a line that nothing runs) may be better here. So
        may be what was seen from outside alone: states on which both agree say little there.
        """
        stand = [each for each in judged if self._is_doubted_for_behaviour(each, candidate) and not _seen_outside(each)]
        return any(behave_alike(self.ranking.clusters, each.submission.candidate.digest, candidate) for each in stand)

    def _is_doubted_for_behaviour(self, judged: Judged, candidate: Digest) -> bool:
        """Whether nothing else is unknown of it but for a test that fails on, and does so with the candidate, too."""
        said = {each.gate: each.decision for each in judged.verdict.evidence}
        unknown = {gate for gate, decision in said.items() if decision is Decision.UNKNOWN} - {BEHAVIOUR}
        shared = {REGRESSIONS} if self._leaves_failing(judged, candidate) else set[str]()
        return Decision.REJECT not in said.values() and unknown <= shared

    def _fails_as(self, best: Judged, candidate: Digest) -> bool:
        """Whether all that speaks against the best one is a test that fails on with the candidate as well.

        Then this one is not certified either, and comes no further.
        """
        risk = best.verdict.risk
        accepted = risk is not None and risk.is_accepted
        unknown = {each.gate for each in best.verdict.evidence if each.decision is Decision.UNKNOWN}
        return accepted and unknown == {REGRESSIONS} and self._leaves_failing(best, candidate)

    def _leaves_failing(self, judged: Judged, candidate: Digest) -> bool:
        """Whether the test for which the judged one is in doubt is known to fail with the candidate."""
        mended = self.ranking.extra_fixes.mended.get(candidate)
        test = find_unmended_test(judged.verdict)
        return bool(test) and mended is not None and test not in mended

    def _judge_more(
        self, judged: Sequence[Digest], find: Callable[[Digest], Difference | None], wanted: int
    ) -> list[Judged]:
        """Runners-up that nobody has ``judged``: those that behave otherwise first, then those like the answer."""
        left = [each for each in self.ranking.candidates if each.candidate.digest not in judged and not each.is_refused]
        left.sort(key=lambda ranked: find(ranked.candidate.digest) is None)
        more: list[Judged] = []
        for ranked in left:
            if len(judged) - 1 + len(more) >= wanted or self.time.is_up():
                break
            difference, doubt = find(ranked.candidate.digest), UNTOLD
            if difference is not None:
                doubt = make_doubt("behaviour", "the answer behaves differently", (), turn(difference))
            try:
                found = self.judging.judge_in_doubt(self.judging.submit(ranked.candidate, self.seen), doubt)
            except OutOfTimeError:
                break
            more.append(replace(found, plan=ranked.plan, reasons=ranked.reasons, differs=difference))
        return sorted(more, key=place_of)


def _speaks_for_another(judged: Judged) -> bool:
    """Whether what speaks against it would not speak against a rival in the same way: the rival changes less, say."""
    doubts = (doubt for each in judged.verdict.evidence for doubt in each.doubts if each.gate == BEHAVIOUR)
    return any(doubt.feature in OUTDONE for doubt in doubts)


def _seen_outside(judged: Judged) -> bool:
    """Whether functions above the patched one were called to tell programs apart."""
    return any(name == FROM_OUTSIDE for each in judged.verdict.evidence for name, _ in each.measurements)


def _find_best(judged: Sequence[Judged]) -> Judged | None:
    """The one that stands first; ``None`` where each was rejected."""
    standing = [each for each in judged if each.verdict.status is not PatchStatus.REJECTED]
    return min(standing, key=place_of, default=None)


def _may_come_first(known: Verdict, best: Judged) -> bool:
    """Whether one that was weighed may be certified, or be less likely to be wrong than the best one."""
    if any(each.decision is Decision.REJECT for each in known.evidence):
        return False
    if known.risk is None or known.risk.is_accepted:
        return True
    return _risk_of(known) < _risk_of(best.verdict)


def _risk_of(verdict: Verdict) -> float:
    """How likely the evidence makes it that the patch is wrong; what nobody knows is behind all that is known."""
    return verdict.risk.order if verdict.risk is not None else math.inf


def is_told_apart(judged: Judged) -> bool:
    """Whether it stands, and an input tells it from other patches that pass the same tests."""
    rejected = judged.verdict.status is PatchStatus.REJECTED
    unknown = (each for each in judged.verdict.evidence if each.decision is Decision.UNKNOWN)
    return not rejected and any(dict(each.measurements).get("told") for each in unknown)


def place_of(judged: Judged) -> tuple[int, float]:
    """Where a judged candidate stands among others: the best verdict first, and of equal ones that of least risk.

    One whose risk nobody knows stands behind them.
    """
    return list(PatchStatus).index(judged.verdict.status), _risk_of(judged.verdict)


MOST_WITNESS = 600
"""Characters of a witness that its author is told."""


def tell_doubt(judged: Sequence[Judged], authors: Collection[str]) -> Attempt | None:
    """What is to be told to one of these proposers of its best patch; ``None`` where it has none, or none in doubt.

    A patch is in doubt where a gate rejects it, or does not know and shows why, with a witness. Where one is
    certified, nobody has to do better. What the tests leave open for any patch is not told, nor that few inputs could
    be tried, nor that too little speaks for it. No other edit settles it, and a model would be asked in vain.
    """
    if not judged or judged[0].verdict.status is PatchStatus.CERTIFIED:
        return None
    own = [each for each in judged if each.submission.candidate.origin.proposer in authors]
    if not own:
        return None
    candidate = own[0].submission.candidate
    evidence = own[0].verdict.evidence
    against = [each for each in evidence if each.decision is Decision.REJECT]
    unknown = [e for e in evidence if e.decision is Decision.UNKNOWN and e.gate not in ABOUT_TESTS]
    against += [each for each in unknown if each.witness and not _is_thin(each)]
    if not against:
        return None
    first = against[0]
    return Attempt(
        candidate.origin.operator,
        candidate.text.decode("utf-8", "replace"),
        "it passes, and is in doubt",
        candidate.function,
        "doubted",
        doubt=first.claim,
        witness=first.witness[:MOST_WITNESS],
        question=first.question,
        author=candidate.origin.proposer,
    )


def _is_thin(evidence: Evidence) -> bool:
    """Whether a gate that weighs has no doubt of its own: a call changes, and too little speaks for the patch.

    That is so of nearly every right change, and its author can only send it again.
    """
    own = {each.feature for each in evidence.doubts if each.claim == evidence.claim}
    return own == {ALONE} or (not own and evidence.told is not None and evidence.told == evidence.change)


def describe_search(result: SearchResult) -> tuple[str, ...]:
    """What was tried, the best partial result, what was exhausted and what was cut, function by function."""
    counts = result.counts
    tried = counts.executed + counts.remembered
    repeated = max(0, counts.candidates - counts.invalid - counts.distinct)
    same = f", {repeated} the same as others" if repeated else ""
    drawn = f"{counts.candidates} drawn, {counts.invalid} invalid{same}"
    lines = [f"{tried} candidates were tried ({drawn}): none is plausible"]
    if not tried and result.cut:
        lines.append("the budget was spent before the search began: give more with --max-seconds")
    if result.best:
        lines.append(f"the best one: {result.best}")
    if result.exhausted:
        lines.append(f"exhausted: {', '.join(result.exhausted)}")
    lines += [f"cut by the budget: {_describe_cut(cut)}" for cut in result.cut if cut.drawn]
    unbegun = [cut.title for cut in result.cut if not cut.drawn]
    if unbegun:
        lines.append(f"not begun: {', '.join(unbegun)}")
    if result.beyond:
        names = list_names(result.beyond, "function", MOST_BEYOND)
        lines.append(f"less suspicious, and never tried unless named: {names}")
    return tuple(lines)


def _describe_cut(cut: Cut) -> str:
    """After how many edits, and which kinds of edit were through by then or, if these are fewer, which were not.

    A proposer may not tell.
    """
    after = f"{cut.title} after {count_noun(cut.drawn, 'edit')}"
    if not cut.ended:
        return after
    left = [family for family in families(MENDING) if family not in cut.ended]
    if len(left) > len(cut.ended):
        return f"{after}; exhausted there: {', '.join(cut.ended)}"
    return f"{after}; not exhausted: {', '.join(left) or 'pairs of edits'}"


def suggest_next(task: RepairTask, result: SearchResult, *, asked_model: bool = False, broken_off: bool = False) -> str:
    """What may still help. Nobody is told what he did already, nor to wait where nothing is left to try.

    A search that was ``broken_off`` may have had more edits, whatever it says.
    """
    other = "" if task.function else "name the function with --function"
    model = "" if asked_model else "ask a model with --model"
    if not (result.cut or result.survivors or broken_off):
        who = "search and model know" if asked_model else "the search knows"
        ways = [model, other.replace("the function", "another function"), *([] if model else ["mend it by hand"])]
        said = f"{who} no further edit of these functions, more time will not help"
        return f"{said}: {', or '.join(filter(None, ways))}"
    return _join_ways(f"give more time with --max-seconds{_describe_gain(result)}", other, model)


def _join_ways(*ways: str) -> str:
    """``a``, ``a, or b``, ``a, b, or c``."""
    given = list(filter(None, ways))
    return ", or ".join([", ".join(given[:-1]), given[-1]] if len(given) > 1 else given)


def _describe_gain(result: SearchResult) -> str:
    """What more time would do, in brackets."""
    if result.survivors:
        return " (what passes the failing tests would be judged)"
    unbegun = [cut.title.partition(" (")[0] for cut in result.cut if not cut.drawn]
    if unbegun:
        return f" (to begin with {list_names(tuple(dict.fromkeys(unbegun)), 'function', 1)})"
    return f" (to go on with {result.cut[0].title.partition(' (')[0]})" if result.cut else ""


def end_unjudged(ending: RunOutcome, passed: Sequence[Candidate]) -> RunOutcome:
    """The ending where candidates passed their trials, and no gate could say enough of any: the first one is shown."""
    first, candidates = passed[0], count_noun(len(passed), "plausible candidate")
    where = f"{first.function.path}:{first.function.qualname}"
    said = f"{candidates} passed the failing tests; the time was up before one was tried on the others"
    edit = f"no gate has judged this: {first.explanation or 'an edit'}, in {where}"
    return replace(ending, messages=(said, edit), brief=f"{edit}\n\n{first.diff}")


def end_unrepaired(seen: Diagnosed, result: SearchResult) -> RunOutcome:
    """An ending without a patch, with what was counted and what edits of the likeliest function were held to."""
    warnings, suspects = (*seen.aside, *result.warnings), seen.localized.suspects
    held_to = plan(suspects[0], seen.localized.diagnoses) if suspects else None
    return replace(seen.end_with(Status.UNREPAIRED), counts=result.counts, warnings=warnings, plan=held_to)


NAME_IT = "name the function with --function"
OWN_FILES = "see that the tests import the project's own files (install it in editable form), or name the function"


def end_without_suspects(seen: Diagnosed) -> RunOutcome:
    """Nothing runs that could be changed, or it is not known what runs, since a test was killed before it could say."""
    failures = [d.failure for d in seen.localized.diagnoses]
    hung = [f.test for f in failures if f.outcome is Outcome.HANG and not f.exceptions]
    if hung:
        where = "hangs where it cannot be interrupted, so that it is not known which functions it runs"
        message = f"{hung[0]} {where}: name the one to mend with --function"
        return replace(seen.end_with(Status.UNREPAIRED), messages=(message,), next_action=NAME_IT)
    message = "No function of the project runs in the failing tests: there is nothing that a patch could change"
    return replace(seen.end_with(Status.OUT_OF_SCOPE), messages=(message,), brief=message, next_action=OWN_FILES)
