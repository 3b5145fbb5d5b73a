"""What a placed edit may not do, told before anything runs, in one sentence for the model.

Refused is what a gate would reject after all the runs, and nothing beyond that: what merely asks for more evidence goes
on. An edit that reaches for exits, processes, test frameworks or introspection ends the model's turn.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analysis.api import signature_changes, signature_of
from analysis.capability import CapabilityFinding, new_capabilities
from analysis.danger import DangerLevel
from analysis.expected_values import TestValues, join_values, values_of_tests
from analysis.facts import FailureClass
from analysis.function_text import Unreadable, parse_function, without_docstring
from analysis.functions import source_encoding
from repair.model.numbered import NumberedFunction
from repair.model.reply import Unusable, UnusableKind, make_plain
from repair.records.ports import Context
from repair.records.task import PatchPlan
from transforms.patch.apply import compile_problem, place, render
from transforms.rules.policy import UNREADABLE, Fit, judge_by_failures, raising_line_in
from transforms.tree.candidate import Rejected
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope

HOSTILE = frozenset({"exit", "runner", "process", "frames", "interpreter", "signals", "dynamic", "patching"})
"""Families of new reach that end the turn of whoever asks for them."""

LONGEST_REASON = 600


def refuse(proposal: Proposal, plan: PatchPlan, context: Context) -> Unusable | None:
    """Why the edit may not be, or nothing. The proposal was placed in the context's function."""
    scope = context.scope
    trial = render(scope, proposal)
    if isinstance(trial, Rejected):
        return _unusable(UnusableKind.SYNTAX, trial.detail)
    old, new = scope.text.decode(scope.encoding, "replace"), trial.text.decode(scope.encoding, "replace")
    problem = compile_problem(scope.function.path, place(scope, trial.text))
    if problem and not compile_problem(scope.function.path, scope.source):
        return _unusable(UnusableKind.SYNTAX, problem)
    grave = [f for f in _findings(old, new, plan, context) if f.severity is DangerLevel.REJECT]
    hostile = [f for f in grave if f.id in HOSTILE]
    if hostile:
        return _unusable(UnusableKind.HOSTILE, _tell(hostile))
    try:
        changed = signature_changes(signature_of(old), signature_of(new))
    except (SyntaxError, ValueError, RecursionError):
        changed = ()
    if changed:
        return _unusable(UnusableKind.SIGNATURE, f"what callers rely on may not change: {'; '.join(changed)}")
    report, _ = judge_by_failures(old, new, scope.function, plan.diagnoses)
    breaches = [f.claim for f in report.findings if f.fit is Fit.REFUSED and f.id != UNREADABLE]
    if breaches:
        return _unusable(UnusableKind.POLICY, " ".join(breaches))
    return _unusable(UnusableKind.POLICY, _tell(grave)) if grave else None


def validation_block(plan: PatchPlan, numbered: NumberedFunction, scope: EditScope) -> frozenset[str]:
    """The statements of the validation at the function's top that every failure comes from; empty where none does.

    Where one of the failures is of another class, or ends elsewhere, the whole function is in question.
    """
    text = scope.text.decode(scope.encoding, "replace")
    function = parse_function(text)
    if isinstance(function, Unreadable) or any(d.failure_class is not FailureClass.CONTRACT for d in plan.diagnoses):
        return frozenset()
    lines: set[int] = set()
    for statement in without_docstring(function.body):
        if not _is_validation(statement):
            break
        lines.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    last = plan.function.first_line + len(text.splitlines()) - 1
    raising = [raising_line_in(plan.function, last, diagnosis) for diagnosis in plan.diagnoses]
    if not raising or not all(line in lines for line in raising):
        return frozenset()
    return frozenset(numbered.id_of(s) for s in numbered.statements if s.first_line in lines)


def _is_validation(statement: ast.stmt) -> bool:
    """Whether the statement only refuses: an ``assert``, or an ``if`` whose every branch ends in a ``raise``."""
    match statement:
        case ast.Assert():
            return True
        case ast.If(body=[*_, ast.Raise()], orelse=rest):
            return not rest or (len(rest) == 1 and _is_validation(rest[0]))
    return False


def _findings(old: str, new: str, plan: PatchPlan, context: Context) -> tuple[CapabilityFinding, ...]:
    values = _values(plan, context)
    module = context.module_source.decode(source_encoding(context.module_source), "replace")
    return new_capabilities(old, new, module, values.expected, test_inputs=values.inputs, raises=values.raises)


def _values(plan: PatchPlan, context: Context) -> TestValues:
    """What the failing tests mention, all of them together."""
    tests = [diagnosis.failure.test for diagnosis in plan.diagnoses]
    return join_values(
        values_of_tests(source.encode("utf-8", "replace"), [t for t in tests if str(t).split("::")[0] == path])
        for path, source in context.test_sources
    )


def _tell(findings: Sequence[CapabilityFinding]) -> str:
    """The breaches with their lines in the new text, the first few."""
    return " ".join(f"Line {f.line} of the new function: {f.claim}" for f in findings[:3])


def _unusable(kind: UnusableKind, reason: str) -> Unusable:
    return Unusable(make_plain(reason, LONGEST_REASON), kind)
