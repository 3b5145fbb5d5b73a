"""Telling two programs apart on inputs: what the mutation and behaviour gates share.

A doubt needs a witness. A surviving mutant, or another plausible patch, lowers a verdict only together with an input on
which it and the candidate differ.

The candidate is also asked away from the tests, since a function that can tell that it is tested may behave well only
there. Where arguments and results are plain, both versions are called in processes that

- import the function's module and neither tests nor pytest;
- make the calls in another order, with another seed of hashes.

Values go to such a process, and text comes back. It is compared here, where no code of the target runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst

from analysis.behaviour import Difference
from analysis.calls import AnswerPair, Comparison, PlainAnswer
from analysis.facts import Files, InvalidRun, Limits, TestId
from analysis.trials import Trial
from repair.compare.hints import Hint
from repair.compare.inputs import generate
from repair.records.functions import as_trial, edit_scope
from repair.records.ports import Sandbox, Submission, TrialSession
from repair.records.verdict import Decision, Doubt, Evidence, Measurement
from repair.records.witness_text import ask_which, describe_behaviour, describe_witness
from repair.trials.cold import place_trial
from repair.trials.layered import lay_over
from transforms.mutants.made import changed_old_lines
from transforms.patch.apply import place
from transforms.patch.renaming import give_docstring_of
from transforms.tree.scope import EditScope

RECORDED = 40
"""Calls of the tests that are repeated with both programs, for the usual effort."""

GENERATED = 200
"""Further inputs like them, for the usual effort."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The function before and after, opened for editing and as trials on the patched tree."""

    old: EditScope
    new: EditScope
    mine: Trial
    before: Trial
    asked: tuple[TestId, ...] = ()
    """The tests that fail with the old function: more of their calls are compared."""

    @property
    def old_lines(self) -> tuple[int, ...]:
        """Lines of the old function whose statements the candidate changes, or that it inserts something at.

        They are numbered as if the old function stood where the new one stands.
        """
        moved = self.new.function.first_line - self.old.function.first_line
        return tuple(sorted(line + moved for line in changed_old_lines(self.old, self.new)))


def open_versions(submission: Submission) -> Versions:
    """Both versions of the candidate's function, under its docstring: a server can only swap what says the same."""
    candidate = submission.candidate
    old = edit_scope(submission.sources, candidate.function)
    new = edit_scope(submission.whole, candidate.function, candidate.text)
    text = give_docstring_of(old, new)
    if text != old.text:
        old = edit_scope(((old.function.path, place(old, text)),), old.function, text)
    return Versions(
        old, new, as_trial(new, new.text, "candidate"), as_trial(new, old.text, "old"), submission.baseline.failing
    )


def compare(
    session: TrialSession,
    both: Versions,
    rivals: Sequence[Trial],
    seed: int,
    effort: int,
    *,
    looser: bool = False,
    against_old: bool = True,
    ends: bool = False,
) -> Comparison:
    """Run candidate, old function and rivals on recorded calls and on generated ones like them.

    With ``looser`` the rivals are looser forms of the candidate. The old function counts only with ``against_old``.
    With ``ends`` it is told how tests go on with a rival that their calls tell apart.
    """
    questions = session.questions_about(both.new.function)
    calls = questions.record(both.new.function, RECORDED * effort, both.mine.text)
    inputs = generate(calls.seen, GENERATED * effort, seed, constants(both), signature(both))
    found = questions.compare(
        both.mine,
        rivals,
        inputs,
        both.before,
        both.old_lines,
        looser=looser,
        against_old=against_old,
        ends=ends,
        asked=both.asked,
    )
    return replace(found, made=calls.plain)


def signature(both: Versions) -> tuple[Hint, ...]:
    """The parameters that a call may pass, in order, but for the instance or class and for stars."""
    params = both.new.node.params
    places = [(param, False) for param in params.posonly_params]
    places += [(param, True) for param in (*params.params, *params.kwonly_params)]
    if places and places[0][0].name.value in ("self", "cls"):
        places.pop(0)
    code = cst.Module([]).code_for_node
    return tuple(
        Hint(
            param.name.value,
            code(param.annotation.annotation) if param.annotation else "",
            code(param.default) if param.default else None,
            named,
        )
        for param, named in places
    )


def constants(both: Versions) -> tuple[Any, ...]:
    """Numbers and texts that stand in either version of the function, in order."""
    return tuple(_constants(both.new.node, both.old.node).values())


def new_constants(both: Versions) -> tuple[Any, ...]:
    """Numbers and texts of the new version that the old one does not hold."""
    known = _constants(both.old.node)
    return tuple(value for key, value in _constants(both.new.node).items() if key not in known)


def _constants(*roots: cst.CSTNode) -> dict[tuple[type, Any], Any]:
    found: dict[tuple[type, Any], Any] = {}
    pending = list(roots)
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)):
            value = node.evaluated_value
            found.setdefault((type(value), value), value)
        pending.extend(reversed(node.children))
    return found


def make_doubt(gate: str, claim: str, numbers: Sequence[Measurement], witness: Difference) -> Evidence:
    """A doubt with the input that shows it, and the question that would settle it."""
    text, asked = describe_witness(witness), ask_which(witness)
    return Evidence(gate, Decision.UNKNOWN, claim, tuple(numbers), witness=text, question=asked, told=witness)


def weighed_evidence(
    gate: str,
    doubts: Sequence[Doubt],
    numbers: Sequence[Measurement] = (),
    claim: str = "",
    not_checked: tuple[str, ...] = (),
    features: tuple[tuple[str, float], ...] = (),
    change: Difference | None = None,
    changes: tuple[Difference, ...] = (),
) -> Evidence:
    """What a gate says whose doubts are weighed: accepted with ``claim`` where it has none, else by the strongest."""
    every = tuple(sorted(doubts, key=lambda doubt: -doubt.strength))
    if not every:
        said = Evidence(gate, Decision.ACCEPT, claim, tuple(numbers), not_checked=not_checked, features=features)
        return replace(said, change=change, changes=changes)
    first = every[0]
    return Evidence(
        gate,
        Decision.UNKNOWN,
        first.claim,
        tuple(numbers),
        first.witness,
        first.question,
        not_checked,
        told=first.told,
        doubts=every,
        features=features,
        change=change,
        changes=changes,
    )


VALUES, IN_PROCESS = "values", "in-process"
MOST_SECONDS = 20.0
"""What all calls in one process of their own may take."""


@dataclass(frozen=True, slots=True)
class Apart:
    """What was seen away from the tests. ``channel`` says whether anything was; ``agreed`` counts equal answers.

    ``doubt`` is a call that the candidate answers otherwise where nothing looks like a test; ``left`` says what could
    not be compared.
    """

    channel: str
    agreed: int = 0
    doubt: str = ""
    left: tuple[str, ...] = ()


def compare_apart(sandbox: Sandbox, submission: Submission, both: Versions, found: Comparison, limits: Limits) -> Apart:
    """Compare the candidate's answers under the tests with those in a process of its own.

    A difference counts where two things hold; else what the tests set up has a part in it:

    - the old function gives the same in both places;
    - the candidate gives its answer under the tests again as soon as the process looks like one that runs tests.

    Example: ``if 'pytest' in sys.modules`` makes the candidate's answer right under the tests alone.
    """
    answers = found.old.answers
    if not answers:
        return Apart(IN_PROCESS)
    room = _Room(sandbox, both, submission.whole, replace(limits, wall_seconds=min(limits.wall_seconds, MOST_SECONDS)))
    mine, old = (room.call_version(answers, old=each) for each in (False, True))
    if isinstance(old, InvalidRun):
        return Apart(IN_PROCESS)
    differing = [n for n, answer in enumerate(answers) if _is_same(old[n], answer.old) and _differs(mine, n, answer)]
    agreed = sum(_is_same(_pick_answer(mine, n), answer.mine) for n, answer in enumerate(answers))
    if not differing:
        return Apart(VALUES, agreed)
    chosen = [answers[n] for n in differing]
    again = room.call_version(chosen, old=False, like_tests=True)
    for number, answer in zip(differing, chosen, strict=True):
        if _is_same(_pick_answer(again, chosen.index(answer)), answer.mine):
            return Apart(VALUES, agreed, _witness(both, answer, _pick_answer(mine, number)))
    return Apart(VALUES, agreed, left=(f"{len(differing)} answers hang on what the tests set up",))


@dataclass(frozen=True, slots=True)
class _Room:
    """Where the versions are called."""

    sandbox: Sandbox
    both: Versions
    whole: Files
    limits: Limits

    def call_version(
        self, answers: Sequence[AnswerPair], *, old: bool, like_tests: bool = False
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        """What a version gives to the calls of these answers."""
        files = lay_over(self.whole, place_trial(self.whole, self.both.before)) if old else self.whole
        calls = [answer.input for answer in answers]
        function = self.both.new.function
        return self.sandbox.for_purpose("calls apart").call_apart(
            function, calls, files, limits=self.limits, like_tests=like_tests
        )


def _pick_answer(told: tuple[PlainAnswer | None, ...] | InvalidRun, place: int) -> PlainAnswer | None:
    return None if isinstance(told, InvalidRun) else told[place]


def _is_same(told: PlainAnswer | None, known: PlainAnswer) -> bool:
    return told is not None and told.digest == known.digest


def _differs(mine: tuple[PlainAnswer | None, ...] | InvalidRun, place: int, answer: AnswerPair) -> bool:
    """Whether the candidate gives something else, 1 for 2 say; where it ends its process it gives nothing at all."""
    return not _is_same(_pick_answer(mine, place), answer.mine)


def _witness(both: Versions, answer: AnswerPair, told: PlainAnswer | None) -> str:
    """The call with what it gives in both places."""
    values = answer.input.values()
    assert values is not None, "what is asked apart is plain"
    args, named = values
    given = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())])
    other = describe_behaviour(told.behaviour) if told else "gives no answer"
    name = both.new.function.qualname
    mine = describe_behaviour(answer.mine.behaviour)
    return f"{name}({given}) {mine} under the tests, and {other} where nothing looks like a test"
