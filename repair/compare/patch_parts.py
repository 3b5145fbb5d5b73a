"""What of a patch its tests do not ask for: parts and restrictions without which they pass, lines that nothing runs.

Without a part the patch may do something else on some input. Without a restriction it would mend more. Other numbers,
and other edits of the patch, are what its author may have meant as well. A half fix lacks a step, and a condition that
is too wide lacks a part. How likely such a program is follows from its edit of the *old* function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from time import monotonic

from analysis.behaviour import Difference
from analysis.calls import AgainstOld
from analysis.errors import RepairError
from analysis.facts import Digest, Suspect
from analysis.trials import Trial, TrialState
from repair.compare.comparing import Versions, compare
from repair.records.functions import as_scope, as_trial
from repair.records.plan import plan
from repair.records.ports import Context, Proposer, Submission, TrialSession
from repair.records.task import Pause
from transforms.mutants.changed_lines import abort_mutants
from transforms.mutants.made import changed_old_lines, kept_branches, looser_forms
from transforms.mutants.other_numbers import other_numbers
from transforms.patch.apply import render
from transforms.patch.minimize import Parts, only_in, parts_of
from transforms.rules.antipatterns import antipatterns
from transforms.tree.node_path import NodePath
from transforms.tree.scope import EditScope, reopen
from transforms.tree.shape import changed_nodes

MOST_TRIED = 40
"""Smaller forms of a patch that are tried, each without some of its parts."""

MOST_TOGETHER = 4
"""Neighbouring parts that are left out together: a turned comparison is three."""

MOST_APART = 20
"""Pairs of parts that stand apart, each needed where the other stays: one may only undo what the other does."""

MOST_FORMS = 24
"""Looser forms of a patch that are tried, for the usual effort."""


Told = tuple[tuple[str, tuple[Difference, ...]], ...]
"""Programs that pass the same tests, each by what it is, with the inputs that tell it from the patch."""


@dataclass(frozen=True, slots=True)
class Unneeded:
    """The patch without some of its parts, as far as the tests pass: ``told`` are such programs.

    ``aside`` leads to the parts that nothing tells apart, neither one by one nor all together. ``old`` says how the
    patch departs from the old function. ``left`` counts the parts that were not looked at, of an edit with many.
    """

    told: Told = ()
    aside: tuple[NodePath, ...] = ()
    old: AgainstOld = field(default_factory=AgainstOld)
    left: int = 0


def find_needless_parts(session: TrialSession, both: Versions, seed: int, effort: int) -> Unneeded:
    """What of the patch its tests would not miss. ``session`` runs the tests that vouch for it."""
    parts = parts_of(both.old, both.new)
    trials, begun = _trials(both, parts, _runs(parts.numbers), MOST_TRIED)
    left = max(0, len(parts.numbers) - begun) if len(trials) == MOST_TRIED else 0
    spare = _find_spare(session, trials)
    dispensable = {number for numbers in spare.values() for number in numbers}
    pairs, _ = _trials(both, parts, _pair_apart(parts.numbers, dispensable), MOST_APART)
    spare |= _find_spare(session, pairs)
    if not spare:
        return Unneeded(left=left)
    none = _leave_out_all(session, both, parts, spare)
    # Two parts may each do the other's work, so that only the patch without both tells what they do.
    rivals = {trial.digest: trial for trial in (*spare, *none)}
    found = compare(session, both, list(rivals.values()), seed, effort)
    told = tuple(
        (f"the part of the patch in line {_line(both, rivals[rival])}", found.rivals.all_of(rival))
        for rival, _ in found.rivals.differences
    )
    aside = [path for trial in none for path in only_in(both.new, _scope(both, trial.text), both.old)]
    settled = found.tried.is_searched and not found.rivals.unknown and not told
    return Unneeded(told, tuple(aside) if settled else (), found.old, left)


def _trials(
    both: Versions, parts: Parts, runs: Iterable[tuple[int, ...]], most: int
) -> tuple[dict[Trial, tuple[int, ...]], int]:
    """The patch without the parts of each run, as far as that is another program; and how many runs were looked at."""
    trials: dict[Trial, tuple[int, ...]] = {}
    begun = 0
    for numbers in runs:
        if len(trials) == most:
            break
        begun += 1
        text = parts.without(numbers)
        if text is not None and text not in (both.new.text, both.old.text):
            trials.setdefault(as_trial(both.new, text, "without a part"), numbers)
    return trials, begun


def _find_spare(session: TrialSession, trials: Mapping[Trial, tuple[int, ...]]) -> dict[Trial, tuple[int, ...]]:
    """Those without which the tests pass."""
    passing = _find_passing(session, list(trials)) if trials else frozenset[str]()
    return {trial: numbers for trial, numbers in trials.items() if trial.digest in passing}


def _pair_apart(numbers: Sequence[int], dispensable: Collection[int]) -> Iterator[tuple[int, int]]:
    """Two needed parts that are no neighbours, the nearest first."""
    for distance in range(2, len(numbers)):
        for one, other in zip(numbers, numbers[distance:], strict=False):
            if one not in dispensable and other not in dispensable:
                yield one, other


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each part by itself, then neighbours by twos and more, but never all of them."""
    for size in range(1, min(MOST_TOGETHER, len(numbers) - 1) + 1):
        yield from (tuple(numbers[start : start + size]) for start in range(len(numbers) - size + 1))


def _find_passing(session: TrialSession, trials: Sequence[Trial]) -> frozenset[str]:
    return frozenset(each.digest for each in session.trials(trials) if each.state is TrialState.PASSED)


def _leave_out_all(
    session: TrialSession, both: Versions, parts: Parts, spare: Mapping[Trial, Sequence[int]]
) -> tuple[Trial, ...]:
    """The patch without all of these parts, as far as that is a change and passes too."""
    text = parts.without({number for numbers in spare.values() for number in numbers})
    if text is None or text == both.old.text:
        return ()
    known = [trial for trial in spare if trial.text == text]
    trial = as_trial(both.new, text, "without its needless parts")
    return tuple(known) or ((trial,) if _find_passing(session, [trial]) else ())


def _line(both: Versions, without: Trial) -> int:
    return min(changed_old_lines(both.new, _scope(both, without.text)), default=both.new.function.first_line)


def _scope(both: Versions, text: bytes) -> EditScope:
    """The text opened as the function. Raises ``UnparseableError`` where it cannot be."""
    return as_scope(reopen(both.new, text), both.new.function)


@dataclass(frozen=True, slots=True)
class RelaxedForms:
    """How many looser forms were tried, and how many pass. Of those that mend more the inputs are ``told``."""

    forms: int = 0
    passing: int = 0
    told: Told = ()


def try_looser_forms(session: TrialSession, both: Versions, seed: int, effort: int) -> RelaxedForms:
    """The patch without one of its restrictions, each: a condition, a part of one, a bound, a lookup.

    A form that passes the tests has inputs where it changes, in the way of the fix, what the patch leaves as it was.
    """
    forms = looser_forms(both.new, both.old)[: MOST_FORMS * effort]
    trials = {trial.digest: trial for trial in (as_trial(both.new, form.text, form.label) for form in forms)}
    outcomes = session.trials(trials.values()) if trials else ()
    passing = [trials[each.digest] for each in outcomes if each.state is TrialState.PASSED]
    if not passing:
        return RelaxedForms(len(forms))
    found = compare(session, both, passing, seed, effort, looser=True, against_old=False)
    told = tuple((trials[rival].label, (difference,)) for rival, difference in found.rivals.differences)
    return RelaxedForms(len(forms), len(passing), told)


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
    if not left:
        return None
    differing = dict(compare(session, both, left, seed, effort, against_old=False).rivals.differences)
    return next((lines[trial.digest] for trial in left if trial.digest not in differing), None)


MOST_EDITS = 200
"""Edits of the patch that are tried, for the usual effort."""

MOST_EDIT_SECONDS = 3.0
"""How long they are tried, for the usual effort."""

MOST_NEIGHBOURS = 16
"""Those that pass and are compared with the patch: the smallest edits of the old function first."""

LARGER = 6
"""So many nodes more than the patch an edit of the old function may change."""

MOST_CALLS = 12
"""Calls that are recorded for the types of arguments."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edit of the patch that passes the same tests; ``size`` counts the nodes that differ from the old function."""

    trial: Trial
    size: int


def find_neighbours(
    session: TrialSession,
    both: Versions,
    submission: Submission,
    proposer: Proposer,
    known: Mapping[Digest, object],
    seed: int,
    effort: int,
    seconds: float = MOST_EDIT_SECONDS,
) -> tuple[Neighbour, ...]:
    """Edits of the lines that the patch changes which pass the tests that vouch for it; but for the ``known`` ones.

    They are tried for so many ``seconds``.
    """
    if not submission.diagnoses:
        return ()
    until = monotonic() + seconds
    drawn = takewhile(lambda _: monotonic() < until, _draw(session, both, submission, proposer, seed, until))
    trials = dict(islice(((t.digest, t) for t in drawn if t.digest not in known), MOST_EDITS * effort))
    in_time = takewhile(lambda _: monotonic() < until, trials.values())
    passed = [each.digest for each in session.trials(in_time) if each.state is TrialState.PASSED]
    limit = submission.candidate.size + LARGER
    found = [Neighbour(trials[each], _size(both, trials[each].text)) for each in passed]
    sound = [each for each in found if each.size <= limit and not antipatterns(both.old.text, each.trial.text)]
    return tuple(sorted(sound, key=lambda each: each.size)[: MOST_NEIGHBOURS * effort])


def _draw(
    session: TrialSession, both: Versions, submission: Submission, proposer: Proposer, seed: int, until: float
) -> Iterator[Trial]:
    """Edits of the changed lines, the likeliest first."""
    scope, function = both.new, both.new.function
    sources = {**dict(submission.sources), **dict(submission.whole)}
    lines = sorted(changed_old_lines(both.new, both.old))
    suspect = Suspect(function, 1.0, ("the patch changes it",), tuple((line, 1.0) for line in lines))
    context = Context(
        scope=scope,
        module_source=sources[function.path],
        test_sources=tuple((path, text.decode("utf-8", "replace")) for path, text in submission.test_sources),
        description="",
        seed=seed,
        attempts=lambda: (),
        seconds_left=lambda: until - monotonic(),
        calls=lambda: session.questions_about(function).record(function, MOST_CALLS, both.mine.text),
        sources=tuple(sources.items()),
    )
    for proposal in proposer.propose(plan(suspect, submission.diagnoses), context):
        made = None if isinstance(proposal, Pause) else render(scope, proposal)
        if isinstance(made, Trial) and made.text not in (both.old.text, both.new.text):
            yield made


def _size(both: Versions, text: bytes) -> int:
    """The nodes of the old function that a text changes."""
    try:
        return changed_nodes(both.old.node, _scope(both, text).node)
    except RepairError:
        return 0


MOST_NUMBERS = 14
"""How many numbers that pass the tests too are compared with the candidate's own."""

MOST_NUMBERS_SECONDS = 20.0
"""How long other numbers are tried: a loop over one of them may take all that the rest needs."""


def find_passing_numbers(
    session: TrialSession, both: Versions, known: Sequence[Trial], seconds: float = MOST_NUMBERS_SECONDS
) -> tuple[dict[Digest, Trial], int]:
    """The candidate with other numbers in place of its own, as far as the same tests pass, and how many had no turn.

    They are tried for so many ``seconds``.
    """
    digests = {trial.digest for trial in known}
    trials = {trial.digest: trial for trial in other_numbers(both.new, both.old) if trial.digest not in digests}
    until = monotonic() + seconds
    begun: set[Digest] = set()

    def in_time() -> Iterator[Trial]:
        for trial in takewhile(lambda _: monotonic() < until, trials.values()):
            begun.add(trial.digest)
            yield trial

    passed = {each.digest for each in session.trials(in_time()) if each.state is TrialState.PASSED}
    found = {digest: trials[digest] for digest in [each for each in trials if each in passed][:MOST_NUMBERS]}
    return found, len(trials) - len(begun)


def find_superfluous(session: TrialSession, both: Versions, seed: int, effort: int) -> tuple[str, ...]:
    """The heads of branches without which the patch does the same on all inputs, and the old function did not.

    Somebody wrote such a branch for a reason. A patch that does its work elsewhere may have missed the place.
    """
    branches = kept_branches(both.new, both.old)
    without = {as_trial(both.new, each.new, "without a branch"): each for each in branches}
    if not without:
        return ()
    found = compare(session, both, list(without), seed, effort, against_old=False)
    apart = {rival for rival, _ in found.rivals.differences} | found.rivals.unknown
    spare = [each for trial, each in without.items() if trial.digest not in apart]
    if not spare or not found.tried.inputs:
        return ()
    earlier = {as_trial(both.new, each.old, "without a branch"): each for each in spare}
    before = compare(session, replace(both, mine=both.before), list(earlier), seed, effort, against_old=False)
    needed = {rival for rival, _ in before.rivals.differences}
    return tuple(each.head for trial, each in earlier.items() if trial.digest in needed)
