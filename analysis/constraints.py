"""What a failure says about inputs and operations (R14), derived from exception, operands and source.

``NULLABLE``, ``WRONG_TYPE``, ``ZERO_DIVISOR``, ``EMPTY_SEQUENCE``, ``CLOSED_FILE`` and ``OPTIONAL_ATTRIBUTE`` name
the value concerned; the other kinds name the whole operation (``d[k]``, ``xs[i]``, ``int(text)``, ``open(path)``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from analysis.expectations import expected_at, missing_raise
from analysis.facts import Constraint, ConstraintKind, Failure, FailureClass, Frame, Outcome, Raised
from analysis.frames import innermost, is_a, short_name, telling
from analysis.operands import awaited_call
from analysis.operation_rules import OPERATIONS, OperationRule
from analysis.site import Site, Sources, enclosing, is_raise, site_of
from analysis.value_rules import PAIRS, VALUES, ValueRule

_SILENT = (FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT, FailureClass.FORMAT)


def derive(failure: Failure, failure_class: FailureClass, sources: Sources) -> tuple[Constraint, ...]:
    """The constraints of a failure, those of the exception that ended the test first, without repeats.

    Causes and contexts of a chain, and the members of a group, are read too: what code raises deliberately
    often hides the operation that went wrong. Classes without a patch have none.
    """
    if failure_class in _SILENT:
        return ()
    found = [] if failure.exceptions else list(_of_hang(failure, sources))
    for raised in failure.exceptions:
        found.extend(_of_exception(raised, sources))
    first = telling(failure)
    if failure_class is FailureClass.CONTRACT and first is not None:
        found[:0] = _of_contract(first, sources)
    elif failure.outcome is Outcome.HANG and failure.exceptions:
        found.extend(_of_hang(failure, sources))
    return tuple(dict.fromkeys(found))


def _of_hang(failure: Failure, sources: Sources) -> Iterator[Constraint]:
    if failure.outcome is Outcome.HANG:
        frame = failure.frames[-1] if failure.frames else None
        loop = _loop(frame, sources) if frame else ""
        claim = "some loop or recursion reaches no end: its condition never fails or its variable does not move"
        if loop:
            claim = f"the loop over `{loop}` reaches no end: its condition never fails or its variable does not move"
        yield _constraint(ConstraintKind.NO_TERMINATION, loop, "hang", frame, claim)


def _loop(frame: Frame, sources: Sources) -> str:
    """Source text of what the innermost loop around the frame's line tests or iterates."""
    site = site_of(frame, sources)
    for statement in reversed(enclosing(frame, sources)):
        if site and isinstance(statement, ast.While):
            return site.text(statement.test)
        if site and isinstance(statement, (ast.For, ast.AsyncFor)):
            return site.text(statement.iter)
    return ""


def _of_exception(raised: Raised, sources: Sources) -> Iterator[Constraint]:
    frame = innermost(raised)
    site = site_of(frame, sources) if frame else None
    if site is not None and site.raises:
        return  # the message is the project's own wording
    pairs = list(_of_values(PAIRS, raised, frame, site, every=True))
    absent = [c for c in pairs if c.kind is ConstraintKind.NULLABLE]
    if pairs:
        yield from absent or pairs
        return
    value = next(_of_values(VALUES, raised, frame, site), None)
    operation = next(_of_operations(raised, frame, site), None) if value is None else None
    yield from (c for c in (value, operation) if c is not None)


def _of_values(
    rules: tuple[ValueRule, ...], raised: Raised, frame: Frame | None, site: Site | None, *, every: bool = False
) -> Iterator[Constraint]:
    for rule in rules:
        match = rule.pattern.search(raised.message) if is_a(raised, *rule.types) else None
        if match:
            expression = _text(site, rule.finder(site, match) if site else None)
            type_name = match.groupdict().get(rule.side) or "unsuitable"
            yield _about_value(rule, match, expression, type_name, frame)


def _about_value(
    rule: ValueRule, match: re.Match[str], expression: str, type_name: str, frame: Frame | None
) -> Constraint:
    need = rule.need.format(**_groups(match))
    subject = f"`{expression}`" if expression else "an input here"
    if type_name in ("NoneType", "None"):
        claim = f"{subject} may be None; {need}; a guard is missing"
        return _constraint(ConstraintKind.NULLABLE, expression, type_name, frame, claim)
    claim = f"{subject} may be of type {type_name}; {need}"
    return _constraint(ConstraintKind.WRONG_TYPE, expression, type_name, frame, claim)


def _of_operations(raised: Raised, frame: Frame | None, site: Site | None) -> Iterator[Constraint]:
    for rule in OPERATIONS:
        match = rule.pattern.search(raised.message) if is_a(raised, *rule.types) else None
        if match:
            yield _about_operation(rule, match, _text(site, rule.finder(site, match) if site else None), frame)


def _about_operation(rule: OperationRule, match: re.Match[str], expression: str, frame: Frame | None) -> Constraint:
    words = {**_groups(match), "it": f"`{expression}`" if expression else "an operation here"}
    return _constraint(rule.kind, expression, rule.detail.format(**words), frame, rule.claim.format(**words))


def _of_contract(raised: Raised, sources: Sources) -> Iterator[Constraint]:
    frame = innermost(raised)
    awaited = missing_raise(raised)
    if awaited:
        site = site_of(frame, sources) if frame else None
        expression = _text(site, awaited_call(site) if site else None)
        for name in awaited[:1]:
            claim = f"{name} must be raised for this input, and nothing is: a check is missing"
            yield _constraint(ConstraintKind.MISSING_RAISE, expression, name, frame, claim)
        return
    yield from _of_wrong_raise(raised, sources)


def _of_wrong_raise(raised: Raised, sources: Sources) -> Iterator[Constraint]:
    frame = innermost(raised)
    waiting = (expected_at(f, sources) for f in raised.frames if f.in_project)
    expected = next((names for names in waiting if names), ())
    seen = short_name(raised)
    if is_a(raised, "AssertionError", "OutcomeException") and expected:
        claim = f"{expected[0]} is raised with another message than the test expects"
        yield _constraint(ConstraintKind.WRONG_RAISE, "", expected[0], frame, claim)
    elif expected and seen not in expected:
        claim = f"{seen} is raised where the test expects {' or '.join(expected)}"
        yield _constraint(ConstraintKind.WRONG_RAISE, "", expected[0], frame, claim)
    elif frame is not None and is_raise(frame, sources):
        claim = f"{seen} is raised where the test expects a result"
        yield _constraint(ConstraintKind.WRONG_RAISE, "", seen, frame, claim)


def _constraint(kind: ConstraintKind, expression: str, detail: str, frame: Frame | None, claim: str) -> Constraint:
    return Constraint(kind, expression, detail, frame.path if frame else "", frame.line if frame else 0, claim)


def _text(site: Site | None, node: ast.AST | None) -> str:
    return site.text(node) if site is not None else ""


def _groups(match: re.Match[str]) -> dict[str, str]:
    return {name: value or "" for name, value in match.groupdict().items()}
