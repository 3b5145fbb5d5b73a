"""Judging what a search found: the most promising first, until one is certified; then the runners-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.behaviour import Difference
from analysis.errors import OutOfTimeError
from analysis.facts import Digest
from repair.compare.comparing import make_doubt
from repair.engine.behaviour_clusters import find_difference, turn
from repair.engine.choosing import Ranking
from repair.engine.diagnosing import Diagnosed
from repair.engine.judging import Judging
from repair.engine.ranking import RankedCandidate
from repair.engine.rivals import is_rival
from repair.records.outcome import Judged
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence, PatchStatus

MOST_JUDGED = 4
"""Candidates that come through the gates with a doubt, before the search for a better one ends."""

UNTOLD = Evidence("behaviour", Decision.UNKNOWN, "it is a runner-up: only what makes it plausible was looked at")


@dataclass(frozen=True, slots=True)
class Deciding:
    """One decision over ranked candidates.

    ``is_late`` says whether there is no time left for so many seconds more, ``hurried`` whether the budget ended
    before the search for rivals did.
    """

    judging: Judging
    seen: Diagnosed
    ranking: Ranking
    clock: Callable[[], float]
    is_late: Callable[[float], bool]
    hurried: bool = False

    def decide(self, runners_up: int) -> tuple[Judged, ...]:
        """The best judged one first; behind it those that were judged before, and so many runners-up at least.

        None where the time was up before one was shown to pass its tests.
        """
        judged = self._judge_until_certified()
        if not judged:
            return ()
        judged.sort(key=place_of)
        answer, *others = judged
        known = [answer, *(self._compare_with(answer, each) for each in others)]
        return (*known, *self._judge_more(answer, known, runners_up))

    def _judge_until_certified(self) -> list[Judged]:
        judged: list[Judged] = []
        for ranked in self.ranking.candidates:
            submission = self._submit(ranked)
            before = self.clock()
            try:
                found = self.judging.judge(submission, judged)
            except OutOfTimeError:
                break
            judged.append(replace(found, plan=ranked.plan, reasons=ranked.reasons))
            open_cases = sum(j.verdict.status is not PatchStatus.REJECTED for j in judged)
            late = self.is_late(self.clock() - before)  # the next one would take as long
            if found.verdict.status is PatchStatus.CERTIFIED or late or open_cases >= MOST_JUDGED:
                break
        return judged

    def _submit(self, ranked: RankedCandidate) -> Submission:
        """The candidate with its rivals, held to all that it mends."""
        mine, extra = ranked.candidate, self.ranking.extra_fixes
        standing = [each.candidate for each in self.ranking.candidates if not each.is_refused]
        rivals = [each for each in standing if is_rival(each, mine) and not extra.leaves(each, mine)]
        submission = self.judging.submit(mine, extra.add_to(self.seen, mine), rivals=rivals)
        return replace(submission, hurried=self.hurried)

    def _compare_with(self, answer: Judged, other: Judged) -> Judged:
        """The other one with an input on which it and the answer differ, where one is known."""
        difference = self._find_difference(answer, other.submission.candidate.digest)
        return replace(other, differs=difference)

    def _find_difference(self, answer: Judged, digest: Digest) -> Difference | None:
        return find_difference(self.ranking.clusters, answer.submission.candidate.digest, digest)

    def _judge_more(self, answer: Judged, judged: Sequence[Judged], wanted: int) -> list[Judged]:
        """Runners-up that nobody has judged yet: those that behave otherwise first, then those like the answer."""
        seen = {each.submission.candidate.digest for each in judged}
        left = [each for each in self.ranking.candidates if each.candidate.digest not in seen and not each.is_refused]
        left.sort(key=lambda ranked: self._find_difference(answer, ranked.candidate.digest) is None)
        more: list[Judged] = []
        for ranked in left:
            if len(judged) - 1 + len(more) >= wanted or self.is_late(0.0):
                break
            difference = self._find_difference(answer, ranked.candidate.digest)
            doubt = (
                make_doubt("behaviour", "the answer behaves differently", (), turn(difference))
                if difference
                else UNTOLD
            )
            try:
                found = self.judging.judge_in_doubt(self.judging.submit(ranked.candidate, self.seen), doubt)
            except OutOfTimeError:
                break
            more.append(replace(found, plan=ranked.plan, reasons=ranked.reasons, differs=difference))
        return sorted(more, key=place_of)


def place_of(judged: Judged) -> int:
    """Where a judged candidate stands among others: the best verdict first."""
    return list(PatchStatus).index(judged.verdict.status)
