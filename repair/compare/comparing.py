"""Telling two programs apart on inputs: what the mutation and behaviour gates share.

A doubt needs a witness. A surviving mutant, or another plausible patch, lowers a verdict only together with an input on
which it and the candidate differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst

from analysis.calls import Comparison, Witness
from analysis.facts import Digest
from analysis.trials import Trial
from repair.compare.collateral import is_programming_error
from repair.compare.hints import Hint
from repair.compare.inputs import generate
from repair.records.functions import as_trial, edit_scope
from repair.records.ports import Submission, TrialSession
from repair.records.verdict import Decision, Evidence, Measurement
from transforms.mutants.made import changed_old_lines
from transforms.patch.apply import place
from transforms.patch.same_docstring import give_docstring_of
from transforms.tree.scope import EditScope

RECORDED = 40
"""Calls of the tests that are repeated with both programs, for the usual effort."""

GENERATED = 200
"""Further inputs like them, for the usual effort."""

MOST_SEARCHED_AGAIN = 5
"""Rivals for which another input is looked for, where the first speaks against them."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The function before and after, opened for editing and as trials on the patched tree."""

    old: EditScope
    new: EditScope
    mine: Trial
    before: Trial

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
    return Versions(old, new, as_trial(new, new.text, "candidate"), as_trial(new, old.text, "old"))


def compare(
    session: TrialSession, both: Versions, rivals: Sequence[Trial], seed: int, effort: int, looser: bool = False
) -> Comparison:
    """Run the candidate and its rivals, or looser forms of it, on recorded calls and on generated ones like them."""
    questions = session.questions_about(both.new.function)
    calls = questions.record(both.new.function, RECORDED * effort).seen
    inputs = generate(calls, GENERATED * effort, seed, constants(both), signature(both))
    return questions.compare(both.mine, rivals, inputs, both.before, both.old_lines, looser)


def find_telling_rivals(
    session: TrialSession,
    both: Versions,
    rivals: Mapping[Digest, Trial],
    found: Comparison,
    is_idle: Callable[[Trial, Witness], bool],
    seed: int,
    effort: int,
) -> list[tuple[Digest, Witness]]:
    """Rivals with an input that speaks against the candidate; those that end it in a slip come last.

    ``found`` compares them, and ``is_idle`` says of a witness that it is nothing to hold against the candidate. Where
    all are, another input is looked for.
    """
    told = [(Digest(rival), witness) for rival, witness in found.witnesses if Digest(rival) in rivals]
    kept = [(rival, witness) for rival, witness in told if not is_idle(rivals[rival], witness)]
    for rival, _ in told[:MOST_SEARCHED_AGAIN] if not kept else ():
        each = rivals[rival]
        other = compare(session, replace(both, before=each), [each], seed, effort)
        kept += [(rival, witness) for witness in other.departures if not is_idle(each, witness)][:1]
    return sorted(kept, key=lambda each: is_programming_error(each[1].other))


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


def make_doubt(gate: str, claim: str, numbers: Sequence[Measurement], witness: Witness) -> Evidence:
    """A doubt with the input that shows it, and the question that would settle it."""
    return Evidence(
        gate,
        Decision.UNKNOWN,
        claim,
        tuple(numbers),
        witness=describe_witness(witness),
        question=ask_about(witness),
        told=witness,
    )


def describe_witness(witness: Witness) -> str:
    """A witness as one line."""
    if witness.mine == witness.other:
        return f"{witness.call} {witness.mine}, as before"
    return f"{witness.call} {witness.mine}, and {witness.other} otherwise"


def ask_about(witness: Witness) -> str:
    """What a person would have to say to settle it."""
    return f"Should {witness.call} {infinitive_of(witness.mine)} (this patch) or {infinitive_of(witness.other)}?"


def infinitive_of(deed: str) -> str:
    """``returns 5, leaves args …`` as ``return 5, leave args …``."""
    return re.sub(r"\A(return|raise)s\b", r"\1", deed).replace(", leaves args (", ", leave args (")
