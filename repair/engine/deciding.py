"""Judging what a search found: the most promising first, until one is certified; then the runners-up.

What is said of a search that found nothing: what was tried, what was exhausted, and what the budget cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from analysis.calls import Witness
from analysis.errors import OutOfTimeError
from analysis.facts import Digest
from repair.compare.comparing import make_doubt
from repair.engine.behaviour_clusters import BehaviourClusters, telling
from repair.engine.choosing import Choice
from repair.engine.diagnosing import Diagnosed
from repair.engine.extra_fixes import ExtraFixes
from repair.engine.judging import Judging
from repair.engine.rivals import is_rival
from repair.hunt.candidate_streams import Cut
from repair.hunt.search_result import SearchResult
from repair.records.outcome import Judged
from repair.records.task import RepairTask
from repair.records.verdict import Decision, Evidence, PatchStatus
from repair.records.wording import count_noun, list_names
from transforms.operators.catalog import MENDING, families

MOST_BEYOND = 5
"""Suspects that were not tried at all, of which the names are told."""


def told(catch: SearchResult) -> tuple[str, ...]:
    """What was tried, the best partial result, what was exhausted and what was cut, function by function."""
    tried = catch.executed + catch.remembered
    lines = [f"{tried} candidates were tried ({catch.drawn} drawn, {catch.invalid} invalid): none is plausible"]
    if not tried and catch.cut:
        lines.append("the budget was spent before the search began: give more with --max-seconds")
    if catch.best:
        lines.append(f"the best one: {catch.best}")
    if catch.exhausted:
        lines.append(f"exhausted: {', '.join(catch.exhausted)}")
    begun = [cut for cut in catch.cut if cut.drawn]
    lines += [f"cut by the budget: {_how_far(cut)}" for cut in begun]
    unbegun = [cut.title for cut in catch.cut if not cut.drawn]
    if unbegun:
        lines.append(f"not begun: {', '.join(unbegun)}")
    if catch.beyond:
        lines.append(
            f"less suspicious, and never tried unless named: {list_names(catch.beyond, 'function', MOST_BEYOND)}"
        )
    return tuple(lines)


def _how_far(cut: Cut) -> str:
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


def next_action(task: RepairTask, *, exhausted: bool = False) -> str:
    """What may still help; nobody is told to name the function who has, nor to wait where nothing is left to try."""
    if exhausted:
        other = "" if task.function else ", or name another function with --function"
        said = "the search knows no further edit of these functions, more time will not help"
        return f"{said}: ask a model with --model{other}"
    if task.function:
        return "give more time with --max-seconds, or ask a model with --model"
    return "give more time with --max-seconds, name the function with --function, or ask a model with --model"


MOST_JUDGED = 4
"""Candidates that come through the gates with a doubt, before the search for a better one ends."""

UNTOLD = Evidence("behaviour", Decision.UNKNOWN, "it is a runner-up: only what makes it plausible was looked at")


@dataclass(frozen=True, slots=True)
class Deciding:
    """One decision over ranked choices. ``late`` says whether there is no time left for so many seconds more."""

    judging: Judging
    seen: Diagnosed
    choices: Sequence[Choice]
    conducts: Sequence[BehaviourClusters]
    late: Callable[[float], bool]
    hurried: bool = False
    besides: ExtraFixes = field(default_factory=ExtraFixes)

    def decide(self, runners_up: int) -> tuple[Judged, ...]:
        """The best judged one first; behind it those that were judged before, and so many runners-up at least.

        None where the time was up before one was shown to pass its tests.
        """
        judged = self._until_certified()
        if not judged:
            return ()
        judged.sort(key=place_of)
        answer, *others = judged
        told = [answer, *(self._beside(answer, each) for each in others)]
        return (*told, *self._more(answer, told, runners_up))

    def _until_certified(self) -> list[Judged]:
        standing = [choice.candidate for choice in self.choices if not choice.refused]
        judged: list[Judged] = []
        for choice in self.choices:
            mine = choice.candidate
            rivals = [each for each in standing if is_rival(each, mine) and not self.besides.leaves(each, mine)]
            submission = self.judging.submission(mine, self.besides.seen_with(mine, self.seen), rivals=rivals)
            before = self.judging.parts.clock()
            try:
                found = self.judging.judged(replace(submission, hurried=self.hurried), judged)
            except OutOfTimeError:
                break
            judged.append(replace(found, plan=choice.survivor.plan, reasons=choice.reasons))
            open_cases = sum(j.verdict.status is not PatchStatus.REJECTED for j in judged)
            late = self.late(self.judging.parts.clock() - before)  # the next one would take as long
            if found.verdict.status is PatchStatus.CERTIFIED or late or open_cases >= MOST_JUDGED:
                break
        return judged

    def _beside(self, answer: Judged, other: Judged) -> Judged:
        """The other one with an input on which it and the answer differ, where one is known."""
        witness = self._witness(answer, other.submission.candidate.digest)
        return replace(other, differs=witness)

    def _witness(self, answer: Judged, digest: Digest) -> Witness | None:
        return telling(self.conducts, answer.submission.candidate.digest, digest)

    def _more(self, answer: Judged, judged: Sequence[Judged], wanted: int) -> list[Judged]:
        """Runners-up that nobody has judged yet: those that behave otherwise first, then those like the answer."""
        seen = {each.submission.candidate.digest for each in judged}
        left = [choice for choice in self.choices if choice.candidate.digest not in seen and not choice.refused]
        left.sort(key=lambda choice: self._witness(answer, choice.candidate.digest) is None)
        more: list[Judged] = []
        for choice in left:
            if len(judged) - 1 + len(more) >= wanted or self.late(0.0):
                break
            witness = self._witness(answer, choice.candidate.digest)
            doubt = (
                make_doubt("behaviour", "the answer behaves differently", (), _turned(witness)) if witness else UNTOLD
            )
            try:
                found = self.judging.in_doubt(self.judging.submission(choice.candidate, self.seen), doubt)
            except OutOfTimeError:
                break
            more.append(replace(found, plan=choice.survivor.plan, reasons=choice.reasons, differs=witness))
        return sorted(more, key=place_of)


def _turned(witness: Witness) -> Witness:
    """The same input from the other one's side."""
    return replace(witness, mine=witness.other, other=witness.mine)


def place_of(judged: Judged) -> int:
    """Where a judged candidate stands among others: the best verdict first."""
    return list(PatchStatus).index(judged.verdict.status)
