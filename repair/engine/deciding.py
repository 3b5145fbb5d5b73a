"""Judging what a search found: the most promising first, until one is certified; then the runners-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from analysis.calls import Witness
from analysis.errors import OutOfTimeError
from analysis.facts import Digest
from repair.compare.comparing import make_doubt
from repair.engine.behaviour_clusters import find_witness
from repair.engine.choosing import Ranking, is_rival
from repair.engine.diagnosing import Diagnosed
from repair.engine.judging import Judging
from repair.engine.task_time import TaskTime
from repair.records.outcome import Judged
from repair.records.verdict import Decision, Evidence, PatchStatus

MOST_JUDGED = 4
"""Candidates that come through the gates with a doubt, before the search for a better one ends."""

UNTOLD = Evidence("behaviour", Decision.UNKNOWN, "it is a runner-up: only what makes it plausible was looked at")


@dataclass(frozen=True, slots=True)
class Deciding:
    """One decision over ranked candidates; ``hurried`` says that the budget ended before the search for rivals did."""

    judging: Judging
    seen: Diagnosed
    ranking: Ranking
    time: TaskTime
    hurried: bool = False

    def decide(self, runners_up: int) -> tuple[Judged, ...]:
        """The best judged one first; behind it those that were judged before, and so many runners-up at least.

        None where the time was up before one was shown to pass its tests.
        """
        judged = self._judge_until_certified()
        if not judged:
            return ()
        judged.sort(key=place_of)
        digests = [each.submission.candidate.digest for each in judged]
        find_difference = partial(find_witness, self.ranking.clusters, digests[0])
        known = [replace(each, differs=find_difference(digest)) for each, digest in zip(judged, digests, strict=True)]
        return (*known, *self._judge_more(digests, find_difference, runners_up))

    def _judge_until_certified(self) -> list[Judged]:
        judged: list[Judged] = []
        for ranked in self.ranking.candidates:
            # With its rivals, and held to all that it mends.
            mine, extra = ranked.candidate, self.ranking.extra_fixes
            standing = [each.candidate for each in self.ranking.candidates if not each.is_refused]
            rivals = [each for each in standing if is_rival(each, mine) and not extra.leaves(each, mine)]
            submission = self.judging.submit(mine, extra.add_to(self.seen, mine), rivals=rivals)
            before = self.time.clock()
            try:
                found = self.judging.judge(replace(submission, hurried=self.hurried), judged)
            except OutOfTimeError:
                break
            judged.append(replace(found, plan=ranked.plan, reasons=ranked.reasons))
            open_cases = sum(j.verdict.status is not PatchStatus.REJECTED for j in judged)
            late = self.time.is_up(self.time.clock() - before)  # the next one would take as long
            if found.verdict.status is PatchStatus.CERTIFIED or late or open_cases >= MOST_JUDGED:
                break
        return judged

    def _judge_more(
        self, judged: Sequence[Digest], find_difference: Callable[[Digest], Witness | None], wanted: int
    ) -> list[Judged]:
        """Runners-up that nobody has ``judged``: those that behave otherwise first, then those like the answer."""
        left = [each for each in self.ranking.candidates if each.candidate.digest not in judged and not each.is_refused]
        left.sort(key=lambda ranked: find_difference(ranked.candidate.digest) is None)
        more: list[Judged] = []
        for ranked in left:
            if len(judged) - 1 + len(more) >= wanted or self.time.is_up():
                break
            witness, doubt = find_difference(ranked.candidate.digest), UNTOLD
            if witness is not None:  # the same input from the other one's side
                turned = replace(witness, mine=witness.other, other=witness.mine)
                doubt = make_doubt("behaviour", "the answer behaves differently", (), turned)
            try:
                found = self.judging.judge_in_doubt(self.judging.submit(ranked.candidate, self.seen), doubt)
            except OutOfTimeError:
                break
            more.append(replace(found, plan=ranked.plan, reasons=ranked.reasons, differs=witness))
        return sorted(more, key=place_of)


def place_of(judged: Judged) -> int:
    """Where a judged candidate stands among others: the best verdict first."""
    return list(PatchStatus).index(judged.verdict.status)
