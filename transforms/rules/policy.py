"""Which evidence an edit has to bring: by the class of its failure, told from the two trees alone.

A policy is no wall. An edit of the kind that its failure's class calls for is ``WITHIN`` and brings the standard
evidence. Any other honest edit is ``BEYOND`` and brings more (see docs/decisions/0002-policy-tiers.md). ``REFUSED`` is
what no class may do: another signature, other decorators, a guard or a raise that vanishes. Comments, layout, quotes,
parentheses and docstrings never count.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.api import signature_changes, signature_of
from analysis.facts import Constraint, Diagnosis, FailureClass, FunctionId
from analysis.function_text import FunctionNode, Unreadable, names_in, parse_function
from transforms.patch.renaming import text_under_old_names
from transforms.patch.statement_diff import changes_between, measures_of
from transforms.rules.edit_rules import EditWithFailure, reasons_beyond_policy
from transforms.rules.guard_rules import guards_lost

GUARD = "guard"
"""Id of the finding that a guard or a raise is lost."""

UNREADABLE = "unreadable"
"""Id of the finding that neither accepts nor refuses: the engine's own Python cannot read the text."""


SIGNATURE = "signature"
"""Id of the finding that callers can tell the old and the new function apart by how they are called."""


class Fit(enum.Enum):
    """How much evidence an edit needs; for ``REFUSED`` none would do."""

    WITHIN = "within"
    BEYOND = "beyond"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PolicyFinding:
    """One reason for a fit that is not ``WITHIN``."""

    id: str
    fit: Fit
    claim: str


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """The reasons why an edit is not within its class's policy; without any, it is."""

    findings: tuple[PolicyFinding, ...] = ()

    @property
    def fit(self) -> Fit:
        """The fit that asks for the most."""
        fits = {finding.fit for finding in self.findings}
        return Fit.REFUSED if Fit.REFUSED in fits else Fit.BEYOND if fits else Fit.WITHIN


def judge_by_failures(
    old: str, new: str, function: FunctionId, diagnoses: Sequence[Diagnosis], *, keeps_signature: bool = True
) -> tuple[PolicyReport, str]:
    """How the edit of a function fits the class of failure that suits it best, and that class's name.

    Several failing tests may be of several classes; the edit has to suit one of them. Without any it is held to the
    policy of wrong results.
    """
    reports = [_judge_by(old, new, function, diagnosis, keeps_signature=keeps_signature) for diagnosis in diagnoses]
    logic = FailureClass.LOGIC
    return min(
        reports or [(judge_edit(old, new, logic, "", (), None, keeps_signature=keeps_signature), logic.value)],
        key=lambda found: _ORDER.index(found[0].fit),
    )


_ORDER = (Fit.WITHIN, Fit.BEYOND, Fit.REFUSED)


def _judge_by(
    old: str, new: str, function: FunctionId, diagnosis: Diagnosis, *, keeps_signature: bool
) -> tuple[PolicyReport, str]:
    last = function.first_line + len(old.splitlines()) - 1
    own = tuple(c for c in diagnosis.constraints if c.path == function.path and function.first_line <= c.line <= last)
    report = judge_edit(
        old,
        new,
        diagnosis.failure_class,
        diagnosis.subclass,
        own,
        raising_line_in(function, last, diagnosis),
        keeps_signature=keeps_signature,
    )
    return report, f"{diagnosis.failure_class.value}/{diagnosis.subclass}".rstrip("/")


def raising_line_in(function: FunctionId, last: int, diagnosis: Diagnosis) -> int | None:
    """The line of the function's text at which the traceback ends, if it ends there; ``last`` is a line of the file."""
    frames = diagnosis.failure.frames
    if not frames or frames[-1].path != function.path or not function.first_line <= frames[-1].line <= last:
        return None
    return frames[-1].line - function.first_line + 1


def judge_edit(
    old: str,
    new: str,
    failure_class: FailureClass,
    subclass: str,
    constraints: Sequence[Constraint],
    raising_line: int | None,
    *,
    keeps_signature: bool = True,
) -> PolicyReport:
    """How the edit fits that turns one function text into the other.

    ``raising_line`` is the line of the old text at which the failure's traceback ends in this function, if it does. The
    first line of the text is 1, decorators included. A local that is merely called otherwise is no change. Without
    ``keeps_signature`` another signature is no reason to refuse: somebody else looks at it.
    """
    before, after = parse_function(old), parse_function(new)
    mine, theirs = (frozenset[str]() if isinstance(f, Unreadable) else names_in(f) for f in (before, after))
    if mine - theirs and theirs - mine:  # a quick look, since few edits rename
        new = text_under_old_names(old, new)
        after = parse_function(new)
    if isinstance(before, Unreadable):
        return PolicyReport((PolicyFinding(UNREADABLE, Fit.REFUSED, before.detail),))
    if isinstance(after, Unreadable):
        return PolicyReport((PolicyFinding(UNREADABLE, Fit.REFUSED, after.detail),))
    try:
        every = tuple(_refusals(old, new, before, after, failure_class, raising_line))
        refused = tuple(each for each in every if keeps_signature or each.id != SIGNATURE)
        if refused:
            return PolicyReport(refused)
        changes = changes_between(before, after)
        edit = EditWithFailure(before, after, changes, measures_of(changes), tuple(constraints), raising_line)
        reasons = reasons_beyond_policy(edit, failure_class, subclass)
        return PolicyReport(tuple(PolicyFinding(id, Fit.BEYOND, claim) for id, claim in reasons))
    except RecursionError:
        too_deep = "The function is nested too deeply to be compared."
        return PolicyReport((PolicyFinding(UNREADABLE, Fit.REFUSED, too_deep),))


def _refusals(
    old: str, new: str, before: FunctionNode, after: FunctionNode, failure_class: FailureClass, raising_line: int | None
) -> Iterator[PolicyFinding]:
    if failure_class in (FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT):
        claim = f"A failure of class {failure_class.value} is not mended by a patch."
        yield PolicyFinding("class", Fit.REFUSED, claim)
    for change in signature_changes(signature_of(old), signature_of(new)):
        yield PolicyFinding(SIGNATURE, Fit.REFUSED, f"What callers rely on changes: {change}.")
    excused = raising_line if failure_class in (FailureClass.LOGIC, FailureClass.CONTRACT) else None
    for lost in guards_lost(before, after, excused):
        yield PolicyFinding(GUARD, Fit.REFUSED, f"The edit loses {lost}.")
