"""What settles whether a patch is right: hidden tests, and a comparison with the fix on recorded and generated inputs.

The room and the rules are those of the bench's scoring (`corpora.bench.agreement`). Results, exceptions and what is
done to the arguments count. A difference where the fix itself ends in an exception that nobody wrote says nothing. Here
many patches are held against one fix at once, so one more rule is needed. Another wording of the same exception is no
wrong patch, and settles nothing either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.behaviour import Difference, Raised
from analysis.errors import RepairError, UnparseableError
from analysis.facts import Files, InvalidRun, digest
from analysis.trials import Trial
from corpora.bench.agreement import Standing
from corpora.lab.judging.subjects import LIMITS, Subject, Terms, hidden_passed, passed_tests
from corpora.lab.judging.wrong_patches import Called, departing_calls, plain_calls
from repair.compare.comparing import RECORDED, Versions, constants
from repair.compare.inputs import generate
from repair.observe.complete_runs import complete_run
from repair.records.functions import as_trial
from repair.records.ports import TrialSession
from repair.records.witness_text import describe_witness
from repair.trials.layered import LayeredSandbox

LEAST_INPUTS = 30
"""Inputs on which a rewriting has to be compared before it counts as right."""


@dataclass(frozen=True, slots=True)
class Known:
    """How texts of the function stand to the fix. ``told`` are calls in which the faulty function departs from it."""

    standings: Mapping[bytes, tuple[Standing, str]] = field(default_factory=dict)
    inputs: int = 0
    told: tuple[Called, ...] = ()

    def of(self, text: bytes) -> Standing:
        """How this text stands to the fix."""
        return self.standings.get(text, (Standing.UNDECIDABLE, ""))[0]

    def witness(self, text: bytes) -> str:
        """An input that tells them apart, or what is known instead."""
        return self.standings.get(text, (Standing.UNDECIDABLE, ""))[1]


def compare_texts(subject: Subject, texts: Sequence[bytes], terms: Terms) -> tuple[Known, tuple[Called, ...]]:
    """All texts and the faulty function against the fix; and the plain calls that visible tests make."""
    tests = (*subject.failing, *(test for test in subject.covering if test not in subject.failing))
    session = subject.sandbox.warm(list(tests), subject.reference, limits=LIMITS)
    if isinstance(session, InvalidRun):
        return Known(), ()
    try:
        return _compare_in(session, subject, texts, terms)
    except UnparseableError:
        return Known(), ()
    finally:
        session.close()


def _compare_in(
    session: TrialSession, subject: Subject, texts: Sequence[bytes], terms: Terms
) -> tuple[Known, tuple[Called, ...]]:
    old, fixed = subject.old, subject.fixed
    fix, faulty = as_trial(fixed, fixed.text, "fix"), as_trial(fixed, old.text, "faulty")
    calls = session.questions_about(fixed.function).record(fixed.function, RECORDED * 4).seen
    plain = plain_calls(calls, fixed.node, subject.is_method)
    if not texts:  # only what tells the faulty function apart is asked
        found = session.questions_about(fix.function).compare(fix, [], (), faulty, ())
        departures = [difference for _, difference in found.old.recorded]
        return Known(told=departing_calls(departures, fixed.node, subject.is_method)), plain
    inputs = generate(calls, terms.inputs, terms.seed, constants(Versions(old, fixed, fix, faulty)))
    rivals = {text: as_trial(fixed, text, "patch") for text in dict.fromkeys(texts)}
    found = session.questions_about(fix.function).compare(
        fix, list(rivals.values()), inputs, fix, (), against_old=False
    )
    differences = dict(found.rivals.differences)
    standings = {}
    for text, rival in rivals.items():
        difference = differences.get(rival.digest)
        if difference is not None and not is_meant(difference):
            further = session.questions_about(fix.function).compare(fix, [], inputs, rival, ()).old.departures
            difference = next((each for each in further if is_meant(each)), difference)
        standings[text] = _standing(difference, 0 if rival.digest in found.rivals.unknown else found.tried.inputs)
    return Known(standings, found.tried.inputs), plain


def _standing(difference: Difference | None, inputs: int) -> tuple[Standing, str]:
    if difference is None:
        enough = inputs >= LEAST_INPUTS
        return (Standing.AGREES if enough else Standing.UNDECIDABLE), f"no difference on {inputs} inputs"
    standing = Standing.DIFFERS if is_meant(difference) else Standing.UNDECIDABLE
    return standing, f"reference: {describe_witness(difference)}"


def is_meant(difference: Difference) -> bool:
    """Whether the fix's author meant what it does there, and the other does more than word an exception otherwise."""
    mine, other = difference.mine, difference.other
    reworded = isinstance(mine, Raised) and isinstance(other, Raised) and mine.type == other.type
    return not (difference.is_accident or reworded)


@dataclass(frozen=True, slots=True)
class Tested:
    """What cold runs say of a patch: whether all visible tests pass, and a hidden one that fails, if any."""

    visible: bool
    failed: str = ""

    @property
    def all_pass(self) -> bool:
        """Whether nothing fails."""
        return self.visible and not self.failed


def run_tests(subject: Subject, files: Files) -> Tested:
    """Run what the fix passes. Where the visible tests keep their names beside the hidden ones, one run says it all."""
    together = bool(subject.hidden_required) and subject.required <= subject.hidden_required
    try:
        if not together:
            seen = passed_tests(complete_run(LayeredSandbox(subject.sandbox, files), (), LIMITS))
            if not subject.required <= seen or not subject.hidden_required:
                return Tested(subject.required <= seen)
        found = hidden_passed(subject, files)
    except RepairError:  # it does not run to its end
        return Tested(visible=False)
    failed = sorted(subject.hidden_required - found)
    if together and not subject.required <= found:
        return Tested(visible=False)
    return Tested(True, f"held-out test {failed[0]} fails" if failed else "")


def trial(subject: Subject, text: bytes) -> Trial:
    """A text for the subject's function as a trial."""
    function = subject.function
    return Trial(digest(function.path, function.qualname, text), function, text, "likely")
