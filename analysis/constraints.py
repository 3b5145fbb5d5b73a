"""What a failure says about inputs and operations, derived from exception, operands and source.

``NULLABLE``, ``WRONG_TYPE``, ``ZERO_DIVISOR``, ``EMPTY_SEQUENCE``, ``CLOSED_FILE`` and ``OPTIONAL_ATTRIBUTE`` name
the value concerned; the other kinds name the whole operation (``d[k]``, ``xs[i]``, ``int(text)``, ``open(path)``).

A message about a value of an unsuitable type tells the expression that it speaks of, and what that needs to be. The
wordings are those of CPython 3.8 to 3.14. None makes the constraint ``NULLABLE``, any other type ``WRONG_TYPE``. The
first row that fits decides; ``need`` may use every group of the pattern.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from analysis import operands
from analysis.expectations import expected_at, missing_raise
from analysis.facts import Constraint, ConstraintKind, Failure, FailureClass, Frame, Outcome, SeenError
from analysis.frame_source import FrameSource, Sources, enclosing_statements, is_raise, site_of
from analysis.frames import has_type, innermost_frame, short_name, telling_exception
from analysis.operands import Finder, awaited_call
from analysis.operation_rules import OPERATIONS


@dataclass(frozen=True, slots=True)
class ValueRule:
    """A message about a value. ``side`` names the group that holds the offending type."""

    pattern: re.Pattern[str]
    finder: Finder
    need: str
    side: str = "type"


def _value(pattern: str, finder: Finder, need: str, side: str = "type") -> ValueRule:
    return ValueRule(re.compile(pattern.replace("TYPE", r"(?P<type>[\w.]+)"), re.S), finder, need, side)


_PAIR = r": '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
_BETWEEN = r"^'(?P<op>[<>=]+)' not supported between instances of '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
_UNSUPPORTED = r"^unsupported operand type\(s\) for (?P<op>\S+)(?: or \S+)?" + _PAIR
_OPERAND = "the operator {op} needs a value that it supports"

VALUES: tuple[ValueRule, ...] = (
    _value(
        r"^'(?P<type>NoneType)' object has no attribute '(?P<name>\w+)'",
        operands.attribute_base,
        "`.{name}` needs a value",
    ),
    _value(
        r"^'TYPE' object (?:is not subscriptable|does not support item (?:assignment|deletion))",
        operands.subscript_base,
        "the subscript needs a container",
    ),
    _value(r"^'TYPE' object is unsliceable", operands.subscript_base, "the slice needs a sequence"),
    _value(r"^'TYPE' object is not callable", operands.callee, "the call needs a callable"),
    _value(
        r"^'TYPE' object is not (?:iterable|an iterator|an async iterable|reversible)",
        operands.iterated_value,
        "the iteration needs an iterable",
    ),
    _value(r"^cannot unpack non-iterable TYPE object", operands.iterated_value, "the unpacking needs an iterable"),
    _value(
        r"^argument of type 'TYPE' is not (?:iterable|a container or iterable)",
        operands.iterated_value,
        "`in` needs a container",
    ),
    _value(
        r"argument after \*\*? must be (?:an iterable|a mapping), not TYPE",
        operands.iterated_value,
        "the unpacked argument needs an iterable or mapping",
    ),
    _value(
        r"^'TYPE' object (?:does not support|is not) (?:the |an? )?(?:asynchronous )?context manager",
        operands.managed_context,
        "`with` needs a context manager",
    ),
    _value(r"^object of type 'TYPE' has no (?P<name>len)\(\)", operands.argument, "len() needs a sized value"),
    _value(r"^bad operand type for unary \S+ 'TYPE'", operands.unary_operand, "the sign needs a number"),
    _value(r"^bad operand type for (?P<name>\w+)\(\): 'TYPE'", operands.argument, "{name}() needs a number"),
    _value(r"^type TYPE doesn't define __(?P<name>\w+)__ method", operands.argument, "{name}() needs a number"),
    _value(
        r"^can(?:not| only|'t) concat(?:enate)? (?P<left>\w+) \(not \"(?P<right>[\w.]+)\"\) to (?P<same>\w+)",
        operands.added_operand,
        "joining needs a {left} on both sides",
        "right",
    ),
    _value(
        r"^can't concat (?P<right>[\w.]+) to (?P<left>\w+)",
        operands.added_operand,
        "joining needs a {left} on both sides",
        "right",
    ),
    _value(r"^can't multiply sequence by non-int of type 'TYPE'", operands.integer_factor, "repeating needs an int"),
    _value(
        r"indices must be integers(?: or slices)?(?:, not '?TYPE'?)?",
        operands.subscript_index,
        "the index needs to be an int or slice",
    ),
    _value(
        r"^slice indices must be integers or None", operands.subscript_index, "the bounds of a slice need to be ints"
    ),
    _value(r"^(?:unhashable type|cannot use) ?:? ?'TYPE'", operands.hashed_value, "a key needs to be hashable"),
    _value(
        r"^sequence item \d+: expected \S+ instance, TYPE found", operands.argument, "each joined item needs to be text"
    ),
    _value(
        r"^object TYPE can't be used in 'await' expression|^'(?P<awaited>[\w.]+)' object can't be awaited",
        operands.no_operand,
        "`await` needs an awaitable",
    ),
    _value(r"^'TYPE' object cannot be interpreted as an integer", operands.argument, "the call needs an int"),
    _value(r"^%\w format: .*, not TYPE", operands.formatted_value, "the format needs a value of another type"),
    _value(
        r"^(?P<name>[\w.]+)\(\) (?:argument|arg)\b.*?(?:, not|, got) '?TYPE'?$",
        operands.argument,
        "{name}() refuses this type",
    ),
    _value(
        r"(?:must be|expected|required)\b.*?(?:got|not) (?:type )?'?(?P<type>[A-Za-z_][\w.]*)'?(?: instead)?$",
        operands.argument,
        "the call refuses this type",
    ),
    _value(r"^expected string or bytes-like object$", operands.argument, "the call needs text"),
)
"""Messages about one value; ``TYPE`` in a pattern is the type that it has."""

PAIRS: tuple[ValueRule, ...] = tuple(
    _value(pattern, finder, _OPERAND, side)
    for pattern in (_UNSUPPORTED, _BETWEEN)
    for side, finder in (("left", operands.left_operand), ("right", operands.right_operand))
)
"""Messages about an operator: the side that is None is at fault, else both are named."""


_SILENT = (FailureClass.ENVIRONMENT, FailureClass.TEST_DEFECT, FailureClass.FORMAT)


def derive_constraints(failure: Failure, failure_class: FailureClass, sources: Sources) -> tuple[Constraint, ...]:
    """The constraints of a failure, those of the exception that ended the test first, without repeats.

    Causes and contexts of a chain are read too, and so are the members of a group. What code raises deliberately often
    hides the operation that went wrong. Classes without a patch have none.
    """
    if failure_class in _SILENT:
        return ()
    found = [] if failure.exceptions else list(_of_hang(failure, sources))
    for raised in failure.exceptions:
        found.extend(_of_exception(raised, sources))
    first = telling_exception(failure)
    if failure_class is FailureClass.CONTRACT and first is not None:
        found[:0] = _of_contract(first, sources)
    elif failure.outcome is Outcome.HANG and failure.exceptions:
        found.extend(_of_hang(failure, sources))
    return tuple(dict.fromkeys(found))


def _of_hang(failure: Failure, sources: Sources) -> Iterator[Constraint]:
    if failure.outcome is Outcome.HANG:
        frame = failure.frames[-1] if failure.frames else None
        loop = _loop(frame, sources) if frame else ""
        what = f"the loop over `{loop}`" if loop else "some loop or recursion"
        claim = f"{what} did not end in time: its condition never fails, its variable does not move, or it is slow"
        yield _constraint(ConstraintKind.NO_TERMINATION, loop, "hang", frame, claim)


def _loop(frame: Frame, sources: Sources) -> str:
    """Source text of what the innermost loop around the frame's line tests or iterates."""
    site = site_of(frame, sources)
    for statement in reversed(enclosing_statements(frame, sources)):
        if site and isinstance(statement, ast.While):
            return site.text(statement.test)
        if site and isinstance(statement, (ast.For, ast.AsyncFor)):
            return site.text(statement.iter)
    return ""


def _of_exception(raised: SeenError, sources: Sources) -> Iterator[Constraint]:
    frame = innermost_frame(raised)
    site = site_of(frame, sources) if frame else None
    if site is not None and site.raises:
        return  # the message is the project's own wording
    pairs = list(_of_values(PAIRS, raised, frame, site))
    if pairs:
        yield from [c for c in pairs if c.kind is ConstraintKind.NULLABLE] or pairs
    else:
        others = chain(_of_values(VALUES, raised, frame, site), _of_operations(raised, frame, site))
        yield from islice(others, 1)


def _of_values(
    rules: tuple[ValueRule, ...], raised: SeenError, frame: Frame | None, site: FrameSource | None
) -> Iterator[Constraint]:
    for rule in rules if has_type(raised, "TypeError", "AttributeError") else ():
        match = rule.pattern.search(raised.message)
        if not match:
            continue
        expression = site.text(rule.finder(site, match)) if site else ""
        subject = f"`{expression}`" if expression else "an input here"
        type_name = match.groupdict().get(rule.side) or "unsuitable"
        need = rule.need.format(**_groups(match))
        if type_name in ("NoneType", "None"):
            kind, claim = ConstraintKind.NULLABLE, f"{subject} may be None; {need}; a guard is missing"
        else:
            kind, claim = ConstraintKind.WRONG_TYPE, f"{subject} may be of type {type_name}; {need}"
        yield _constraint(kind, expression, type_name, frame, claim)


def _of_operations(raised: SeenError, frame: Frame | None, site: FrameSource | None) -> Iterator[Constraint]:
    for rule in OPERATIONS:
        match = rule.pattern.search(raised.message) if has_type(raised, *rule.types) else None
        if match:
            expression = site.text(rule.finder(site, match)) if site else ""
            words = {**_groups(match), "it": f"`{expression}`" if expression else "an operation here"}
            yield _constraint(rule.kind, expression, rule.detail.format(**words), frame, rule.claim.format(**words))


def _groups(match: re.Match[str]) -> dict[str, str]:
    return {name: value or "" for name, value in match.groupdict().items()}


def _of_contract(raised: SeenError, sources: Sources) -> Iterator[Constraint]:
    """What was to be raised, or what is raised instead of that or of a result."""
    frame = innermost_frame(raised)
    awaited = missing_raise(raised)
    if awaited:
        site = site_of(frame, sources) if frame else None
        expression = site.text(awaited_call(site)) if site else ""
        claim = f"{awaited[0]} must be raised for this input, and nothing is: a check is missing"
        yield _constraint(ConstraintKind.MISSING_RAISE, expression, awaited[0], frame, claim)
        return
    waiting = (expected_at(f, sources) for f in raised.frames if f.in_project)
    expected = next((names for names in waiting if names), ())
    seen = short_name(raised)
    if has_type(raised, "AssertionError", "OutcomeException") and expected:
        claim = f"{expected[0]} is raised with another message than the test expects"
    elif expected and seen not in expected:
        claim = f"{seen} is raised where the test expects {' or '.join(expected)}"
    elif frame is not None and is_raise(frame, sources):
        claim = f"{seen} is raised where the test expects a result"
        expected = (seen,)
    else:
        return
    yield _constraint(ConstraintKind.WRONG_RAISE, "", expected[0], frame, claim)


def _constraint(kind: ConstraintKind, expression: str, detail: str, frame: Frame | None, claim: str) -> Constraint:
    return Constraint(kind, expression, detail, frame.path if frame else "", frame.line if frame else 0, claim)
