"""From how each cause ended to how the run ended: one word, and the programs of patches that can be applied.

A patch is judged on the program as mended so far, which has certified patches under it. So a certified patch with those
that it stands on is byte for byte the program that was judged. Patches that are plausible lie beside each other.
They are laid over the certified ones together, and the whole suite is run on that program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from analysis.errors import OutOfTimeError
from analysis.facts import Files, InvalidRun, Limits, Suspect, TestId
from repair.observe.mended import lay_again
from repair.observe.patched import differences, suite_selection
from repair.records.change import Change
from repair.records.outcome import Cause, RunOutcome, Stack
from repair.records.ports import Sandbox
from repair.records.result import Counts, Seconds, Status, TierLeft, pick_stack
from repair.records.task import Baseline
from repair.records.wording import count_noun
from repair.trials.layered import lay_over
from transforms.tree.candidate import Candidate

ACCEPTED = (Status.CERTIFIED, Status.PLAUSIBLE)
"""Words of a cause that is mended, the best first; whether the second is enough, the options say."""

NOT_THE_PROGRAM = (Status.ENVIRONMENT, Status.TEST_DEFECT, Status.UNPARSEABLE, Status.NOT_REPRODUCED)
"""Words of a cause that is not asked for unless its tests are named."""

MOST_NAMED = 3
"""Tests that a message names before it counts the others."""


def tests_of(ending: RunOutcome) -> tuple[TestId, ...]:
    """The failing tests that the ending speaks of."""
    return tuple(diagnosis.failure.test for diagnosis in ending.diagnoses)


def combine_causes(
    causes: Sequence[Cause], stacks: Sequence[Stack] = (), *, named: bool = True, said: Sequence[str] = ()
) -> RunOutcome:
    """How the run ended, by its causes: one ends it as it ended itself.

    Of several the word is that of the weakest patch where each has one, and the common word where all have the same.
    Else it is ``unrepaired``, or ``model_error`` where none has a patch and the model failed. Who has not ``named``
    tests is not answered for what is no fault of the program. ``said`` are warnings about the whole.
    """
    if len(causes) == 1:
        only = causes[0].ending
        return replace(only, causes=tuple(causes), stacks=tuple(stacks), warnings=(*only.warnings, *said))
    endings = [cause.ending for cause in causes]
    answered = next((ending for ending in endings if ending.judged), endings[0])
    aside = find_aside(endings)
    warnings = (warning for ending in endings for warning in ending.warnings)
    return RunOutcome(
        status=_decide_word(causes, named=named),
        diagnoses=tuple(d for ending in endings if ending not in aside for d in ending.diagnoses),
        set_aside=tuple(d for ending in aside for d in ending.diagnoses),
        root_causes=tuple(dict.fromkeys(found for ending in endings for found in ending.root_causes)),
        suspects=_join_suspects(endings),
        judged=answered.judged,
        plan=answered.plan,
        counts=add_counts([ending.counts for ending in endings]),
        seconds=_add_seconds([ending.seconds for ending in endings]),
        messages=(_describe(causes), *(f"{_name(cause)}: {_say_left(cause)}" for cause in causes if _is_left(cause))),
        warnings=tuple(dict.fromkeys((*warnings, *said))),
        next_action=_suggest_next(causes),
        causes=tuple(causes),
        stacks=tuple(stacks),
    )


def find_aside(endings: Sequence[RunOutcome]) -> tuple[RunOutcome, ...]:
    """Those that are no fault of the program, beside others."""
    found = tuple(ending for ending in endings if ending.status in NOT_THE_PROGRAM)
    return found if len(found) < len(endings) else ()


def _decide_word(causes: Sequence[Cause], *, named: bool) -> Status:
    words = [cause.ending.status for cause in causes]
    asked = [word for word in words if named or word not in NOT_THE_PROGRAM] or words
    if all(word in ACCEPTED for word in asked):
        return max(asked, key=ACCEPTED.index)
    if Status.MODEL_ERROR in asked and not any(word in ACCEPTED for word in asked):
        return Status.MODEL_ERROR
    return asked[0] if len({*asked}) == 1 else Status.UNREPAIRED


def _is_left(cause: Cause) -> bool:
    return cause.ending.status not in ACCEPTED


def _describe(causes: Sequence[Cause]) -> str:
    """``2 of 3 causes have a patch: 1 certified, 1 plausible``."""
    words = [cause.ending.status for cause in causes]
    counted = ", ".join(f"{words.count(word)} {word}" for word in ACCEPTED if word in words)
    mended = sum(word in ACCEPTED for word in words)
    several = f"{mended} of {count_noun(len(causes), 'cause')} {'has' if mended == 1 else 'have'} a patch"
    return f"{several}: {counted}" if counted else several


def _name(cause: Cause) -> str:
    more = f" and {len(cause.tests) - MOST_NAMED} more" if len(cause.tests) > MOST_NAMED else ""
    return f"cause {cause.number}, {', '.join(cause.tests[:MOST_NAMED])}{more}"


def _say_left(cause: Cause) -> str:
    why = f": {cause.ending.messages[0]}" if cause.ending.messages else ""
    return f"{cause.ending.status}{why}"


def _suggest_next(causes: Sequence[Cause]) -> str:
    """What those causes need that are left, where none has a patch; else it is said of the patches."""
    if any(cause.ending.judged for cause in causes):
        return ""
    return next((cause.ending.next_action for cause in causes if cause.ending.next_action), "")


def _join_suspects(endings: Sequence[RunOutcome]) -> tuple[Suspect, ...]:
    """The first suspect of each cause, then the others, each function once."""
    ranked = [ending.suspects for ending in endings]
    firsts = [suspects[0] for suspects in ranked if suspects]
    return tuple({s.function: s for s in (*firsts, *(s for suspects in ranked for s in suspects[1:]))}.values())


def add_counts(counts: Sequence[Counts]) -> Counts:
    """How many edits came how far in several searches together."""
    numbers = {
        f.name: sum(getattr(each, f.name) for each in counts) for f in fields(Counts) if f.name not in ("tiers", "left")
    }
    tiers: dict[str, int] = {}
    left: dict[TierLeft, None] = {}
    for each in counts:
        for tier, tried in each.tiers.items():
            tiers[tier] = tiers.get(tier, 0) + tried
        left |= dict.fromkeys(each.left)
    return Counts(**numbers, tiers=tiers, left=tuple(left))


def _add_seconds(seconds: Sequence[Seconds]) -> Seconds:
    """The baseline was observed once, the rest of the time adds up."""
    parts = ("localize", "search", "model", "validate", "gates")
    sums = {part: round(sum(getattr(each, part) for each in seconds), 3) for part in parts}
    return Seconds(baseline=max(each.baseline for each in seconds), **sums)


PURPOSE = "patches together"
"""What these cold starts are counted as."""

AS_JUDGED = "judged as it is here"
RUN_TOGETHER = "the whole suite was run with all of them"


def answer_of(cause: Cause) -> Candidate:
    """The patch that mends the cause."""
    return cause.ending.judged[0].submission.candidate


def stack_of(cause: Cause, bare: Files) -> Stack:
    """The program of the patch and of those that it stands on, as it was judged. ``bare`` are the unpatched files."""
    after = lay_over(cause.base, answer_of(cause).files)
    return Stack((*cause.stands_on, cause.number), cause.ending.status, _change(bare, after), AS_JUDGED)


def stack_proved(
    causes: Sequence[Cause], read: Callable[[str], bytes | None]
) -> tuple[tuple[Stack, ...], tuple[str, ...]]:
    """The programs of patches that were proved again on a layer, the largest last, and what does not lie in that one.

    Each patch has all under it that it stands on. ``read`` gives a file of the project. A file there may have a patch
    that is not in the program. Both together were not judged, and such a stack changes no file.
    """
    bare = next((each.base for each in causes if not each.stands_on), ())
    answered = {each.number: each for each in causes if each.ending.judged and each.ending.status in ACCEPTED}
    stacks = []
    for each in answered.values():
        numbers = (*each.stands_on, each.number)
        chain = [answered[number] for number in numbers if number in answered]
        if each.base and len(chain) == len(numbers):
            programs = [dict(bare), *(dict(lay_over(part.base, part.ending.files().after)) for part in chain)]
            weakest = max((part.ending.status for part in chain), key=ACCEPTED.index)
            stacks.append(Stack(numbers, weakest, _change_to(programs, read), AS_JUDGED))
    stacks.sort(key=lambda stack: len(stack.causes))
    beside = _beside_largest(stacks, answered.values())
    return tuple(stacks), (_say_untried(beside),) if stacks and beside else ()


def _change_to(programs: Sequence[Mapping[str, bytes]], read: Callable[[str], bytes | None]) -> Change:
    """From the project's files to the last of the programs; none where a file is as in none of them."""
    after = programs[-1]
    now = {path: content for path in sorted(after) if (content := read(path)) is not None}
    if any(now.get(path) not in [program.get(path, b"") for program in programs] for path in after):
        return Change((), ())
    moved = [path for path, content in now.items() if content != after[path]]
    return Change(tuple((path, now[path]) for path in moved), tuple((path, after[path]) for path in moved))


def _beside_largest(stacks: Sequence[Stack], mended: Iterable[Cause]) -> list[Cause]:
    """The causes whose patches do not lie in the program that is meant where no cause is named."""
    largest = pick_stack(stacks)
    return [each for each in mended if largest is None or each.number not in largest.causes]


def _say_untried(beside: Sequence[Cause]) -> str:
    return f"the patches of causes {_list(beside)} were not tried with the others: apply them with --cause"


@dataclass(frozen=True, slots=True)
class Stacking:
    """Makes the programs of patches. ``bare`` are the files without any, ``baseline`` is that of the certified ones."""

    bare: Files
    sandbox: Sandbox
    baseline: Baseline
    limits: Limits
    is_late: Callable[[], bool]

    def stack_all(self, causes: Sequence[Cause], *, together: bool = True) -> tuple[tuple[Stack, ...], tuple[str, ...]]:
        """The programs of one patch each with those under it, then the one of all, and what does not lie in that one.

        None where there are less than two. Without ``together`` no program is made that was not judged.
        """
        mended = [each for each in causes if each.ending.status in ACCEPTED and each.ending.judged]
        stacks = tuple(sorted((stack_of(each, self.bare) for each in mended), key=lambda stack: len(stack.causes)))
        beside = _beside_largest(stacks, mended)
        if not beside:
            return stacks, ()
        if not together or self.is_late():
            return stacks, (_say_untried(beside),)
        whole, apart = self._lay_beside(mended)
        return (*stacks, whole) if whole is not None else stacks, apart

    def _lay_beside(self, mended: Sequence[Cause]) -> tuple[Stack | None, tuple[str, ...]]:
        """All of them in one program, as far as they go together; the others are named."""
        inside = [each for each in mended if each.ending.status is Status.CERTIFIED]
        others = [each for each in mended if each not in inside]
        base = _lay_each(self.bare, (), inside) or ()
        whole = _lay_each(self.bare, base, others)
        if whole is not None and self._holds(whole, others):
            base, inside, others = whole, [*inside, *others], []
        left: list[Cause] = []
        untried: list[Cause] = []
        for each in others:  # one after another: it is told which of them does not go with the others
            attempt = _lay_each(self.bare, base, [each])
            plausible = [other for other in inside if other.ending.status is not Status.CERTIFIED]
            holds = attempt is not None and (None if self.is_late() else self._holds(attempt, [*plausible, each]))
            if attempt is not None and holds:
                base, inside = attempt, [*inside, each]
            elif holds is None:
                untried.append(each)
            else:
                left.append(each)
        apart = (f"the patches of causes {_list(left)} do not go with the others: apply them with --cause",)
        said = (*(apart if left else ()), *((_say_untried(untried),) if untried else ()))
        if len(inside) < 2:
            return None, said
        weakest = max((each.ending.status for each in inside), key=ACCEPTED.index)
        numbers = tuple(each.number for each in inside)
        return Stack(numbers, weakest, _change(self.bare, base), RUN_TOGETHER), said

    def _holds(self, files: Files, plausible: Sequence[Cause]) -> bool | None:
        """Whether the tests of these pass in the program too, and no other test is worse off in it.

        ``None`` where the time was over before anybody knew.
        """
        tests = {test for each in plausible for test in each.tests}
        baseline = replace(self.baseline, failing=tuple(sorted(tests)))
        selection, limits = suite_selection(baseline), baseline.relax_limits(self.limits)
        try:
            run = self.sandbox.for_purpose(PURPOSE).run(selection, files, limits=limits)
        except OutOfTimeError:
            return None
        return not isinstance(run, InvalidRun) and not differences(baseline, run)


def _lay_each(bare: Files, base: Files, causes: Sequence[Cause]) -> Files | None:
    """The base with all of these patches; ``None`` where two of them change one function."""
    for each in causes:
        candidate = lay_again(answer_of(each), lay_over(bare, base))
        if candidate is None:
            return None
        base = lay_over(base, candidate.files)
    return base


def _change(bare: Files, after: Files) -> Change:
    old = dict(bare)
    return Change(tuple((path, old[path]) for path, _ in after if path in old), after)


def _list(causes: Sequence[Cause]) -> str:
    return ", ".join(str(each.number) for each in causes)
