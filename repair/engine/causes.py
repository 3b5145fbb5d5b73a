"""All causes of the failing tests, mended one after another, each on the program as mended so far.

Failing tests are grouped by cause, the likeliest first, and what hides other failures before it. A certified patch is
laid under everything that follows. So is one that waits: nothing but a failing test of another cause keeps it from a
certificate. Once that test passes, it is judged again on the program with all others, and stands on these then. Any
other plausible patch lies beside, since nothing above it could be certified.

What is found later may open an earlier cause again:

- Its tests pass with the new patch: then they had the same cause, and its own patch is dropped.
- Its tests run the function that was patched: what they do now is another failure.
- An edit mends a part of its tests: then these are a cause of their own. It may break very few that pass, by chance as
  it is taken. These fail then, and are mended with what follows. Where they are not, it is no patch in the end.

So it does not depend on the order which causes are mended. A cause whose likeliest function has a plausible patch is
searched for on top of that one, and beside it only where that brings nothing. What is left in the end, and runs a
function with a plausible patch, is tried on top of it, too.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Digest, Files, Limits, Outcome, TestId, TestRun
from repair.engine.combining import ACCEPTED, Stacking, combine_causes, tests_of
from repair.engine.deciding import end_without_suspects
from repair.engine.diagnosing import Diagnosed, set_hopeless_aside
from repair.engine.reached import MORE_TIME, Reached
from repair.engine.task_time import TaskTime
from repair.engine.worked import (
    MendedProgram,
    Worked,
    doubt_what_stands_on,
    doubt_what_stands_on_others,
    is_open_again,
    leave_out_what_breaks,
    may_stand_on,
    number_causes,
)
from repair.gates.regressions import count_also_mended
from repair.observe.groups import Group, describe_left_over, groups_by_cause, restrict_group
from repair.observe.mended import PURPOSE, Laid, lay_again, observe_mended
from repair.observe.slow_tests import LONGER, find_slow
from repair.observe.uncollected import file_of
from repair.records.events import Listener, event
from repair.records.outcome import Cause, RunOutcome
from repair.records.plan import Localized, diagnoses_of, localize
from repair.records.ports import Sandbox
from repair.records.result import Status
from repair.records.task import Baseline, RepairTask
from repair.trials.layered import LayeredSandbox, lay_over
from transforms.tree.candidate import Candidate

MOST_TURNS = 2
"""So often a cause is worked on at most while nothing has changed for its tests."""

LEAST_TURN_SECONDS = 3.0
"""With less time than this no further cause is begun."""

TOGETHER_SHARE, TOGETHER_SECONDS, TOGETHER_SUITES = 0.1, 2.0, 1.5
"""What is kept for the run that shows whether patches of several causes go together. It is so many seconds and suites;
this share of all time at most."""

LIKELIER = 1.5
"""What the first of several causes may take of the time, where each of the others gets 1."""

AGAIN_TIMES = 3.0
"""What judging a cause again may take, times what the work on it took: its patch is known, and found soon."""

USED_SHARE = 0.6
"""A cause that took so much of its share was cut by it, most likely: it may have another turn."""

CERTIFIED = (Status.CERTIFIED,)

NO_TIME = "the time was up before it was worked on"


class StartAgain(enum.Enum):
    """No outcome: work that began by the first runs of the unpatched program begins again by all of them, and why."""

    OTHER_TESTS_FAIL = "other tests fail in all runs"
    NO_FIND_STANDS = "each find breaks a test that only the whole suite has"


WorkOnCause = Callable[[Files, Diagnosed, TaskTime, Reached], RunOutcome | StartAgain]
"""Works on one group of failing tests, on the program with these files laid over it, in its own time: how it ends.

What it reached is told how it would end now.
"""


@dataclass(frozen=True, slots=True)
class CauseParts:
    """What the work on all causes needs of the engine: ``work`` on one, and what it runs and tells with.

    ``agree`` takes over what all runs of the unpatched program say, which are waited for.
    """

    work: WorkOnCause
    agree: Callable[[Diagnosed], Diagnosed]
    sandbox: Sandbox
    sources: Files
    limits: Limits
    listen: Listener
    reached: Reached


def _name_in_full(task: RepairTask, seen: Diagnosed) -> RepairTask:
    """The task with its function by path and name: once it is mended, nothing tells which of one name was meant."""
    if not task.function:
        return task
    function = seen.localized.suspects[0].function
    return replace(task, function=f"{function.path}:{function.qualname}")


class AllCauses:
    """The work on all causes of one task; ``seen`` are the failing tests on the unpatched program."""

    def __init__(self, parts: CauseParts, task: RepairTask, time: TaskTime, seen: Diagnosed) -> None:
        self._parts, self._task, self._time, self._first = parts, _name_in_full(task, seen), time, seen
        self._program = self._bare = MendedProgram((), seen, parts.sources)
        self._hopeless = list(seen.hopeless)
        self._worked: list[Worked] = []
        self._split: dict[frozenset[TestId], RunOutcome] = {}  # parts, with what told of them
        self._turns: dict[frozenset[TestId], int] = {}
        self._stood: set[tuple[frozenset[TestId], Digest]] = set()
        self._again: set[tuple[frozenset[TestId], tuple[Digest, ...]]] = set()
        self._looked_longer: set[frozenset[TestId]] = set()
        self._not_asked: tuple[TestId, ...] = ()
        self._mends_more = False

    def mend(self) -> RunOutcome | StartAgain:
        """How all of it ends, or why it begins again."""
        while found := self._open_groups():
            if self._turns and self._left() < LEAST_TURN_SECONDS:
                self._leave(found)
                break
            again = self._work_on(found)
            if again is not None:
                return again
            self._judge_waiting(lambda each: not self._running_what_it_patched(each))
            self._give_more_time()
        self._settle_standing()
        self._work_on_what_stands_on_broken()
        self._work_on_uncertified()
        self._look_at_hopeless()
        return self._end(together=True)

    # What is left to do

    def _open_groups(self) -> list[Group]:
        """The groups of failing tests that nobody has worked on yet, on the program as mended so far."""
        seen = self._program.seen
        left = self._open_tests()
        if not left:
            return []
        own = replace(seen.baseline, failing=left)
        whole = left == seen.baseline.failing
        localized = self._keep_named(seen.localized) if whole else self._localize(left)
        found = [self._keep_split(group, own) for group in groups_by_cause(own, localized, self._localize)]
        if self._task.function:  # who names the function asks for its tests alone
            found = found[:1]
            self._not_asked = tuple(test for test in left if test not in found[0].baseline.failing)
        elif not self._split:
            self._settle_unreached(own, {test for group in found for test in group.baseline.failing})
        return found

    def _localize(self, tests: Collection[TestId]) -> Localized:
        """What these failing tests say by themselves on the program as mended so far."""
        baseline, wanted = self._program.seen.baseline, frozenset(tests)
        own = replace(baseline, failing=tuple(test for test in baseline.failing if test in wanted))
        return self._keep_named(localize(own, self._program.sources, self._task.function, self._task.patch_lines))

    def _keep_named(self, localized: Localized) -> Localized:
        """The function that a person names as the only suspect: all of the time is for it."""
        return replace(localized, suspects=localized.suspects[:1]) if self._task.function else localized

    def _keep_split(self, group: Group, own: Baseline) -> Group:
        """The group, or of one that turned out to have two causes the tests of one."""
        tests = frozenset(group.baseline.failing)
        for part, told in reversed(self._split.items()):
            if mine := tests & part:
                group = group if mine == tests else restrict_group(own, mine, self._localize)
                localized = group.localized.put_first(told.part_in)
                return replace(group, baseline=group.baseline.take_for_chance(told.broken_by_part), localized=localized)
        return group

    def _settle_unreached(self, own: Baseline, grouped: Collection[TestId]) -> None:
        """Nothing can be mended for tests that run no function of the program."""
        if rest := tuple(test for test in own.failing if test not in grouped):
            seen = replace(self._program.seen, baseline=replace(own, failing=rest), localized=self._localize(rest))
            self._hopeless.append(end_without_suspects(seen))

    def _left(self) -> float:
        """Seconds that are left of the whole time for work on causes."""
        return self._until_end() - self._kept_for_trying_together()

    def _until_end(self) -> float:
        """Seconds that are left of the whole time."""
        return self._time.started + self._time.max_seconds - self._time.clock()

    def _kept_for_trying_together(self) -> float:
        """Seconds that are kept as long as several patches may have to be tried together."""
        if not any(each.answer is not None for each in self._worked):
            return 0.0
        took = sum(each.seconds for each in self._program.seen.baseline.outcomes)
        return min(TOGETHER_SHARE * self._time.max_seconds, TOGETHER_SECONDS + TOGETHER_SUITES * took)

    def _leave(self, found: Sequence[Group]) -> None:
        """There is no time for these: it is said of each."""
        for group in found:
            ending = replace(self._see(group).end_with(Status.UNREPAIRED), messages=(NO_TIME,), next_action=MORE_TIME)
            self._worked.append(Worked(group.baseline.failing, ending))

    def _give_more_time(self) -> None:
        """Open again what its share of the time has cut, once all have had their turn and more than that is left."""
        if self._open_tests():
            return
        cut = [each for each in self._worked if each.answer is None and each.cut and each.turns < MOST_TURNS]
        if cut and self._left() / len(cut) > max(each.seconds for each in cut):
            self._worked = [each for each in self._worked if each not in cut]

    def _open_tests(self) -> tuple[TestId, ...]:
        """Failing tests that no cause answers for."""
        settled = {test for each in self._worked for test in each.tests} | {*self._not_asked}
        settled |= {test for ending in self._hopeless for test in tests_of(ending)}
        return tuple(test for test in self._program.seen.baseline.failing if test not in settled)

    # One cause

    def _see(self, group: Group) -> Diagnosed:
        """The diagnosis of the group on the program as mended so far; all others that fail there are others to it."""
        seen, own = self._program.seen, group.baseline.failing
        others = tuple(test for test in seen.baseline.failing if test not in own)
        return replace(seen, baseline=group.baseline, localized=group.localized, others=others)

    def _work_on(self, found: Sequence[Group]) -> StartAgain | None:
        """Work on the first group. Of several each has a share of the time; what one leaves is for the others."""
        group, began, program = found[0], self._time.clock(), self._program
        time, share = self._time, self._left()
        alone = len(found) == 1 and not self._turns
        if not alone:
            if self._has_time_to_look_longer() and self._is_just_slow(group):
                return None
            share *= LIKELIER / (len(found) - 1 + LIKELIER)
            if self._work_on_top_first(group, share):
                return None
            began, share = self._time.clock(), min(share, self._left())
            time = TaskTime(self._time.clock, began, share)
            self._tell(group, len(found))
        ending = self._try(program.base, self._see(group), time)
        if isinstance(ending, StartAgain):
            return ending
        if not self._turns:
            self._program = self._bare = replace(program, seen=self._parts.agree(program.seen))
        tests = frozenset(group.baseline.failing)
        self._turns[tests] = self._turns.get(tests, 0) + 1
        part = frozenset(ending.partly_mended)
        if part and part not in self._split:
            self._split[part] = ending
            self._listen_split(part, tests - part)
            return None
        if alone and not ending.judged and self._has_time_to_look_longer() and self._is_just_slow(group):
            return None
        took = self._time.clock() - began
        cut = took > USED_SHARE * share
        self._settle(Worked(group.baseline.failing, ending, program.base, (), took, self._turns[tests], cut))
        self._parts.reached.make = lambda: self._end(together=False)
        return None

    def _has_time_to_look_longer(self) -> bool:
        return self._until_end() > LONGER * self._parts.limits.test_seconds + LEAST_TURN_SECONDS

    def _is_just_slow(self, group: Group) -> bool:
        """Whether the tests were stopped, and pass in longer time: that is said, and nothing is mended for them."""
        program, tests = self._program, frozenset(group.baseline.failing)
        if tests in self._looked_longer:
            return False
        self._looked_longer.add(tests)
        sandbox = LayeredSandbox(self._parts.sandbox, program.base)
        if said := find_slow(sandbox, group.baseline, self._parts.limits):
            slow = self._see(group).end_with(Status.NOT_REPRODUCED)
            self._hopeless.append(replace(slow, messages=(said,), next_action=MORE_TIME))
        return bool(said)

    def _tell(self, group: Group, count: int) -> None:
        tests, suspects = group.baseline.failing, group.localized.suspects
        where = f"{suspects[0].function.path}:{suspects[0].function.qualname}" if suspects else ""
        number = len(self._worked) + 1
        self._parts.listen(event("cause", number=number, left=count, tests=list(tests), suspect=where))

    def _listen_split(self, part: Collection[TestId], rest: Collection[TestId]) -> None:
        self._parts.listen(event("split", tests=sorted(part), others=sorted(rest)))

    def _try(self, base: Files, seen: Diagnosed, time: TaskTime) -> RunOutcome | StartAgain:
        """How the work on one cause ends in its own time.

        What is being judged when that time is up is judged to its end.
        """
        reached = Reached()
        self._parts.reached.make = lambda: self._end_now(seen, reached)
        return self._parts.work(base, seen, time, reached)

    def _settle(self, worked: Worked) -> None:
        """Keep how a cause ended; a patch that is certified, or waits for another cause, is laid under what follows."""
        if worked.answer is not None:
            worked = replace(worked, tests=worked.ending.judged[0].submission.baseline.failing)
        worked = replace(worked, under=self._program.laid)
        # Whose tests all pass with this patch as well had the same cause.
        self._worked = [each for each in self._worked if worked.answer is None or not {*each.tests} <= {*worked.tests}]
        self._worked.append(worked)
        if worked.lies_under and worked.answer is not None:
            self._lay(worked, worked.answer)

    def _lay(self, worked: Worked, candidate: Candidate) -> None:
        """Go on with the program that has this patch, and open again what that concerns."""
        before = self._program
        laid = Laid(before.sources, candidate, worked.tests, worked.by_chance)
        more = count_also_mended(worked.ending.judged[0].verdict) > 0
        self._mends_more = self._mends_more or more
        self._program = self._observe(laid, before, candidate.digest, mends_more=more)
        self._hopeless += self._program.seen.hopeless
        now = self._program.seen.baseline
        passing = {test for test in before.seen.baseline.failing if test in now.passing}
        also = tuple(sorted(passing - {*worked.tests}))
        self._worked[-1] = replace(worked, tests=(*worked.tests, *also))
        touched = laid.is_run_by(now.failing, before.seen.baseline)
        self._worked = [each for each in self._worked if each.lies_under or not is_open_again(each, passing, touched)]

    def _observe(self, laid: Laid, before: MendedProgram, digest: Digest, *, mends_more: bool) -> MendedProgram:
        """The program with one more patch, of this digest where it was found, and what is known of it."""
        base, sources = lay_over(before.base, laid.candidate.files), lay_over(before.sources, laid.candidate.files)
        sandbox, known = LayeredSandbox(self._parts.sandbox, base), before.seen.baseline
        baseline = observe_mended(sandbox, known, laid, self._parts.limits, mends_more=mends_more)
        localized = localize(baseline, sources, self._task.function, self._task.patch_lines)
        seen = replace(before.seen, baseline=baseline, localized=localized, hopeless=())
        return MendedProgram(base, set_hopeless_aside(seen), sources, (*before.laid, digest))

    # What waits for another cause

    def _running_what_it_patched(self, worked: Worked) -> tuple[TestId, ...]:
        """The failing tests that run the function which the cause's patch changes."""
        assert worked.answer is not None, "what waits has a patch"
        seen = self._program.seen.baseline
        return Laid(self._program.sources, worked.answer, ()).is_run_by(seen.failing, seen)

    def _judge_waiting(self, is_due: Callable[[Worked], bool]) -> None:
        """Judge again whose awaited test passes now, where it is due: on the program with all other patches."""
        for worked in [each for each in self._worked if each.waits or each.breaks]:
            if worked.doubted_for in self._program.seen.baseline.passing and is_due(worked):
                others = [each for each in self._worked if each.lies_under and each is not worked]
                self._work_again(worked, others, ACCEPTED if worked.breaks else CERTIFIED)

    def _settle_standing(self) -> None:
        """Judge again until nothing changes: what waits, and what stands on a patch without a certificate.

        A patch has to stand on all on which those below it stand, too: else what is certified is no program of its own.
        """
        before: list[Worked] = []
        while before != self._worked:
            before = list(self._worked)
            self._judge_waiting(lambda each: True)
            sound = [each for each in doubt_what_stands_on_others(self._worked) if each.is_certified]
            for worked in [each for each in self._worked if each.is_certified and each not in sound]:
                certified = [each for each in self._worked if each.is_certified]
                closed = {*worked.under} <= {each.answer.digest for each in certified if each.answer}
                self._work_again(worked, [each for each in (certified if closed else sound) if each is not worked])

    def _work_on_what_stands_on_broken(self) -> None:
        """Judge again, without the patches that break a test in the end, what stands on one of these."""
        lost = {each.answer.digest for each in self._worked if each.breaks and each.answer}
        sound = [each for each in self._worked if each.is_certified and not {*each.under} & lost]
        for worked in [each for each in self._worked if {*each.under} & lost and not each.breaks]:
            self._work_again(worked, sound, ACCEPTED)

    def _work_again(self, worked: Worked, others: Sequence[Worked], words: Sequence[Status] = CERTIFIED) -> None:
        """Work on a cause on the program with the patches of these others; keep that if it ends with one of the words.

        It has to be the same text, and the same program where all patches are in it.
        """
        key = frozenset(worked.tests), tuple(each.answer.digest for each in others if each.answer)
        if key in self._again or worked.answer is None:
            return
        self._again.add(key)
        program = self._bare
        for lower in others:
            candidate = lay_again(lower.answer, program.sources) if lower.answer else None
            if candidate is None or lower.answer is None or self._left() < LEAST_TURN_SECONDS:
                return
            files = tuple(test for test in lower.tests if file_of(test) == test)
            laid = Laid(program.sources, candidate, files, lower.by_chance)
            program = self._observe(laid, program, lower.answer.digest, mends_more=True)
        whole, failing = self._program, program.seen.baseline.failing
        tests = tuple(t for t in worked.tests if t in failing and t not in whole.seen.baseline.failing)
        mine = lay_again(worked.answer, program.sources)
        if not tests or mine is None:
            return
        if {*program.laid, worked.answer.digest} == {*whole.laid} and (
            lay_over(program.sources, mine.files) != lay_over(whole.sources, ())
        ):
            return
        began = self._time.clock()
        share = min(self._left() / 2, AGAIN_TIMES * max(worked.seconds, LEAST_TURN_SECONDS))
        self._parts.reached.make = lambda: self._end(together=False)
        self._program = program
        try:
            group = self._see(restrict_group(program.seen.baseline, tests, self._localize))
            time = TaskTime(self._time.clock, began, share)
            ending = self._parts.work(program.base, group, time, Reached())
        finally:
            self._program = whole
        if isinstance(ending, StartAgain) or ending.status not in words:
            return
        if ending.judged[0].submission.candidate.digest == worked.answer.digest:
            took = worked.seconds + self._time.clock() - began
            again = Worked(worked.tests, ending, program.base, program.laid, took, worked.turns)
            self._worked = [again if each is worked else each for each in self._worked]

    # On top of what is not certified

    def _work_on_uncertified(self) -> None:
        """Try what is left, or what changes the same function, on top of a plausible patch that its tests run."""
        for lower in [each for each in self._worked if each.answer and not each.lies_under]:
            for upper in [each for each in self._worked if not each.lies_under and each is not lower]:
                known = lower in self._worked and upper in self._worked
                if known and self._left() > LEAST_TURN_SECONDS and may_stand_on(upper, lower, self._worked):
                    above = self._work_on_top(upper, lower, self._left())
                    self._parts.reached.make = lambda: self._end(together=False)
                    if above is not None:
                        self._worked = [*(each for each in self._worked if each is not upper), above]

    def _work_on_top_first(self, group: Group, share: float) -> bool:
        """Work on a cause on the program with an uncertified patch of the same function; whether a patch was found.

        Beside it nothing could be certified either: the tests of both run the function, and those of one fail on.
        """
        suspects, tests = group.localized.suspects, group.baseline.failing
        function = suspects[0].function if suspects else None
        for lower in [each for each in self._worked if each.answer and not each.lies_under]:
            if lower.answer is None or lower.answer.function != function:
                continue
            upper = Worked(tests, self._see(group).end_with(Status.UNREPAIRED))
            self._tell(group, 1)
            above = self._work_on_top(upper, lower, share)
            if above is not None:
                self._worked.append(above)
                self._parts.reached.make = lambda: self._end(together=False)
                return True
        return False

    def _work_on_top(self, upper: Worked, lower: Worked, share: float) -> Worked | None:
        """How work on a cause ends on the program with that uncertified patch; ``None`` where it brings no patch.

        That is tried once. Nothing that is found there is certified.
        """
        before = self._program
        candidate = lay_again(lower.answer, before.sources) if lower.answer else None
        if candidate is None or lower.answer is None:
            return None
        pair = frozenset(upper.tests), lower.answer.digest
        if pair in self._stood:
            return None
        laid = Laid(before.sources, candidate, lower.tests, lower.by_chance)
        if not laid.is_run_by(upper.tests, before.seen.baseline):
            return None
        self._stood.add(pair)
        program = self._observe(laid, before, lower.answer.digest, mends_more=False)
        tests = tuple(test for test in upper.tests if test in program.seen.baseline.failing)
        if not tests:
            return None
        self._program = program
        group = restrict_group(program.seen.baseline, tests, self._localize)
        began = self._time.clock()
        ending = self._try(program.base, self._see(group), TaskTime(self._time.clock, began, share))
        self._program = before
        if isinstance(ending, StartAgain) or not ending.judged or ending.status not in ACCEPTED:
            return None
        doubted = doubt_what_stands_on(ending, lower.answer)
        if doubted.status is Status.REJECTED:
            return None
        took = upper.seconds + self._time.clock() - began
        return Worked(upper.tests, doubted, program.base, program.laid, took)

    # The end

    def _look_at_hopeless(self) -> None:
        """Leave out what passes with the patches, where the suite showed that they mend other tests."""
        tests = [test for ending in self._hopeless for test in tests_of(ending)]
        if not (self._mends_more and tests):
            return
        sandbox = LayeredSandbox(self._parts.sandbox, self._program.base).for_purpose(PURPOSE)
        run = sandbox.run(tests, limits=self._parts.limits)
        if isinstance(run, TestRun):
            passed = {test for test in tests if run.outcome(test) is Outcome.PASSED}
            self._hopeless = [ending for ending in self._hopeless if not passed.issuperset(tests_of(ending))]

    def _end_now(self, seen: Diagnosed, reached: Reached) -> RunOutcome:
        """How all of it ends where the work on this cause ends now."""
        made = reached.make()
        ending = made if made.diagnoses else seen.end_with(Status.UNREPAIRED)
        now = Worked(seen.baseline.failing, ending, self._program.base, self._program.laid)
        return self._end(together=False, last=(now,))

    def _end(self, *, together: bool, last: tuple[Worked, ...] = ()) -> RunOutcome:
        """How all of it ends; ``together`` allows for runs that show whether patches go together."""
        worked = leave_out_what_breaks(doubt_what_stands_on_others((*self._worked, *last)))
        done = {test for each in worked for test in each.tests}
        if rest := tuple(test for test in self._open_tests() if test not in done):
            diagnoses = diagnoses_of(self._program.seen.localized.diagnoses, rest)
            worked = (*worked, Worked(rest, RunOutcome(Status.UNREPAIRED, diagnoses, messages=(NO_TIME,))))
        causes = number_causes(worked)
        causes += [Cause(n, tests_of(e), e) for n, e in enumerate(self._hopeless, len(causes) + 1)]
        said = describe_left_over(self._not_asked)
        if len(causes) == 1:
            return combine_causes(causes, said=said)
        stacking = Stacking(
            self._parts.sources,
            self._parts.sandbox,
            self._program.seen.baseline,
            self._parts.limits,
            lambda: self._until_end() <= 0,
        )
        stacks, apart = stacking.stack_all(causes, together=together)
        ending = combine_causes(causes, stacks, named=bool(self._task.tests), said=(*said, *apart))
        aside = {d.failure.test for d in ending.set_aside}
        failed = {d.failure.test: d for d in (*ending.diagnoses, *self._first.localized.diagnoses)}
        return replace(ending, diagnoses=tuple(d for test, d in failed.items() if test not in aside))
