"""A cause that was worked on: what opens it again, and on which other patch one may stand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Digest, Files, TestId
from repair.engine.combining import ACCEPTED
from repair.engine.deciding import place_of
from repair.engine.diagnosing import Diagnosed
from repair.engine.judging import add_doubt
from repair.gates.regressions import Regressions, find_broken_by_chance, find_unmended_test
from repair.records.outcome import Cause, RunOutcome
from repair.records.result import Status
from repair.records.verdict import Decision, Evidence
from transforms.tree.candidate import Candidate

STANDS_ON = "stands_on"
"""The name under which a patch is in doubt that stands on an uncertified one."""


@dataclass(frozen=True, slots=True)
class MendedProgram:
    """The program as mended so far: the files laid over it, what is known of it, and its Python files.

    ``laid`` are the patches in it, in their order.
    """

    base: Files
    seen: Diagnosed
    sources: Files
    laid: tuple[Digest, ...] = ()


@dataclass(frozen=True, slots=True)
class Worked:
    """A cause that was worked on: its tests, how it ended, and under which patches.

    ``cut`` says that the time of its share ended it, ``turns`` how often it was worked on.
    """

    tests: tuple[TestId, ...]
    ending: RunOutcome
    base: Files = ()
    under: tuple[Digest, ...] = ()
    seconds: float = 0.0
    turns: int = 1
    cut: bool = False

    @property
    def answer(self) -> Candidate | None:
        """The patch that mends it, certified or plausible."""
        known = self.ending.judged if self.ending.status in ACCEPTED else ()
        return known[0].submission.candidate if known else None

    @property
    def is_certified(self) -> bool:
        """Whether its patch is certified."""
        return self.ending.status is Status.CERTIFIED

    @property
    def doubted_for(self) -> str:
        """The one test for which its patch is in doubt, since it fails on, or breaks; empty where there is none."""
        judged = self.ending.judged[:1] if self.ending.status is Status.PLAUSIBLE else ()
        return self.breaks or next((find_unmended_test(each.verdict) for each in judged), "")

    @property
    def waits(self) -> bool:
        """Whether nothing but that test keeps its patch from a certificate: it has another cause, most likely."""
        return bool(self.doubted_for) and self.ending.judged[0].verdict.is_certified_but_for(Regressions.name)

    @property
    def by_chance(self) -> tuple[TestId, ...]:
        """Tests that passed without its patch, by chance as it was judged: it may break these."""
        return self.ending.judged[0].submission.baseline.by_chance if self.answer is not None else ()

    @property
    def breaks(self) -> str:
        """One of these that its patch was not seen to leave alone. As long as there is one, it is no patch to take."""
        judged = self.ending.judged[:1] if self.ending.status is Status.PLAUSIBLE else ()
        return next((find_broken_by_chance(each.verdict) for each in judged), "")

    @property
    def lies_under(self) -> bool:
        """Whether its patch lies under what follows."""
        return self.is_certified or self.waits or bool(self.breaks)


def is_open_again(worked: Worked, passing: Collection[TestId], touched: Collection[TestId]) -> bool:
    """Whether a patch that makes tests pass, and is run by those that are touched, says more of an earlier cause.

    Where all of its tests pass it is open for good: no test of it fails.
    """
    if any(test in passing for test in worked.tests):
        return True
    if worked.answer is None:
        return any(test in touched for test in worked.tests)
    return worked.doubted_for in passing


def may_stand_on(upper: Worked, lower: Worked, order: Sequence[Worked]) -> bool:
    """Whether the cause has no patch, or one that cannot lie beside the other and was found later."""
    if lower.answer is None or upper.ending.status not in (*ACCEPTED, Status.UNREPAIRED, Status.REJECTED):
        return False
    later = order.index(upper) > order.index(lower)
    return upper.answer is None or (later and upper.answer.function.qualname == lower.answer.function.qualname)


def doubt_what_stands_on(ending: RunOutcome, lower: Candidate) -> RunOutcome:
    """The ending of a cause above an uncertified patch: each of its own is in doubt for that."""
    claim = f"it stands on a patch of {lower.function.qualname} that is not certified"
    asked = f"Is the patch of {lower.function.qualname} right?"
    doubt = Evidence(STANDS_ON, Decision.UNKNOWN, claim, question=asked)
    judged = sorted((add_doubt(each, doubt) for each in ending.judged), key=place_of)
    return replace(ending, judged=tuple(judged), status=Status(judged[0].verdict.status.value))


def doubt_what_stands_on_others(worked: Sequence[Worked]) -> tuple[Worked, ...]:
    """All of it, where no certificate stands on a patch that has none, or that was judged with further ones.

    Of patches that stand on each other each has to have all others below it: that program alone was judged.
    """
    known = tuple(worked)
    while True:
        certified = {each.answer.digest: each for each in known if each.is_certified and each.answer}
        answers = {each.answer.digest: each.answer for each in known if each.answer}
        wrong: dict[int, Candidate] = {}
        for number, each in enumerate(known):
            if each.is_certified and each.answer is not None:
                own = {*each.under, each.answer.digest}
                bad = [d for d in each.under if d not in certified or not own.issuperset(certified[d].under)]
                if bad:
                    wrong[number] = answers.get(bad[0], each.answer)
        if not wrong:
            return known
        known = tuple(
            replace(each, ending=doubt_what_stands_on(each.ending, wrong[number])) if number in wrong else each
            for number, each in enumerate(known)
        )


def leave_out_what_breaks(worked: Sequence[Worked]) -> tuple[Worked, ...]:
    """All of it, where no patch breaks a test that passed, or stands on one that does: it is told in the brief."""
    known, out = list(worked), {each.answer.digest: each for each in worked if each.breaks and each.answer}
    while above := [each for each in known if each.answer and each.answer.digest not in out and {*each.under} & {*out}]:
        out |= {each.answer.digest: each for each in above if each.answer}
    return tuple(_without_patch(each, out) if each in out.values() else each for each in known)


def _without_patch(worked: Worked, lost: Mapping[Digest, Worked]) -> Worked:
    """The cause without its patch, which breaks a test or stands on one of the lost ones that does."""
    assert worked.answer is not None, "only what has a patch loses it"
    chain = [worked]
    for each in chain:
        chain += [lost[digest] for digest in each.under if digest in lost and lost[digest] not in chain]
    broken = ", ".join(dict.fromkeys(each.breaks for each in chain if each.breaks))
    said = f"no fix, but a part of one: its patch, or one that it stands on, breaks {broken}"
    ending = replace(
        worked.ending,
        status=Status.UNREPAIRED,
        judged=(),
        counts=replace(worked.ending.counts, plausible=0),
        messages=(said,),
        brief=f"{said}\n\n{worked.answer.diff}",
    )
    return replace(worked, ending=ending, under=())


def number_causes(worked: Sequence[Worked]) -> list[Cause]:
    """The causes by their numbers, each with the numbers of those that it stands on."""
    numbers = {each.answer.digest: n for n, each in enumerate(worked, 1) if each.answer is not None}
    return [
        Cause(
            number,
            each.tests,
            each.ending,
            tuple(numbers[digest] for digest in each.under if digest in numbers),
            each.seconds,
            each.base,
        )
        for number, each in enumerate(worked, 1)
    ]
