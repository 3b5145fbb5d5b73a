"""What a failing test got and what it wanted, read from the message and from the statement that failed.

Of two sides the one that calls something is what came. Where the statement is not known, pytest's own explanation
(``where 5 = price(3)``) tells; else the right side is wanted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.expectations import expected_at, is_message_mismatch, missing_raise
from analysis.facts import Diagnosis, Frame, Outcome, SeenError
from analysis.frame_source import Sources, site_of
from analysis.frames import has_type, short_name, telling_exception
from analysis.function_text import last_name
from analysis.relation import Relation, differing_item, relation_of_texts

_COMPARED = re.compile(r"^(?:AssertionError: )?assert (?P<said>.+)$", re.M)
_DIFFER = re.compile(
    r"^(?:\w+ differ: )?(?P<got>.+?) (?P<op>!=|==|not found in|unexpectedly found in) (?P<want>.+?)$", re.M
)
_WHERE = re.compile(r"^\s*\+\s+(?:where|and) +(?P<value>.+?) = (?P<call>.+)$", re.M)
_REGEX = re.compile(r"Expected regex: (?P<want>.+)\n\s*(?:Actual message|Input): (?P<got>.+)", re.M)
_OLD_REGEX = re.compile(r"Regex pattern (?P<want>.+?) did not match (?P<got>.+?)\.?$", re.M)
_TOLERANCE = re.compile(r"^(?:approx\()?(?P<value>[-\d.e]+) ± [^)]*\)?$")
_OPERATORS = (" == ", " != ", " not in ", " in ", " is not ", " is ", " <= ", " >= ", " < ", " > ")
_EQUAL = (" == ", " is ", "!=")
_APPROX = "approx"


@dataclass(frozen=True, slots=True)
class GotAndWanted:
    """What the failing call gave and what was asked for, as texts; each is empty where nothing tells it.

    ``item`` says where two collections differ, if it is in one place.
    """

    call: str = ""
    got: str = ""
    wanted: str = ""
    relation: Relation | None = None
    item: str = ""


def read_assertion(diagnosis: Diagnosis, sources: Sources) -> GotAndWanted:
    """What the failure says of the call that failed. ``sources`` are the test's file, at least."""
    failure = diagnosis.failure
    raised = telling_exception(failure)
    frame = _test_frame(raised, str(failure.test)) if raised else None
    statement = site.statement if frame and (site := site_of(frame, sources)) else None
    sides = _sides(statement)
    call = _call_in(sides.got) if sides else ""
    if failure.outcome is Outcome.HANG:
        return GotAndWanted(call, "no end", "", Relation.ENDLESS)
    if raised is None:
        return GotAndWanted(call)
    if names := missing_raise(raised):
        return GotAndWanted(call or _awaited(statement), "no exception", f"{' or '.join(names)}", Relation.NOT_RAISED)
    if is_message_mismatch(raised):
        found = _REGEX.search(raised.message) or _OLD_REGEX.search(raised.message)
        texts = (found["got"].strip(), found["want"].strip()) if found else ("", "")
        return GotAndWanted(call, *texts, Relation.OTHER_MESSAGE)
    if not has_type(raised, "AssertionError", "OutcomeException"):
        return _of_exception(raised, frame, sources, sides, call)
    return _of_message(raised.message, sides, call)


def _of_exception(
    raised: SeenError, frame: Frame | None, sources: Sources, sides: _Sides | None, call: str
) -> GotAndWanted:
    got = f"{short_name(raised)}: {raised.message.strip().split(chr(10))[0][:200]}".rstrip(": ")
    names = expected_at(frame, sources) if frame else ()
    if names:
        return GotAndWanted(call, got, " or ".join(names), Relation.OTHER_EXCEPTION)
    wanted = _text(sides.wanted) if sides and sides.wanted is not None else ""
    return GotAndWanted(call, got, wanted, Relation.RAISED)


def _of_message(message: str, sides: _Sides | None, call: str) -> GotAndWanted:
    where = [(found["value"], found["call"]) for found in _WHERE.finditer(message)]
    if said := _COMPARED.search(message):
        parts = _split(said["said"])
        if parts is None:
            value, negated = said["said"].removeprefix("not "), said["said"].startswith("not ")
            call = call or next((text for shown, text in where if shown == value), "")
            return GotAndWanted(call, value, "a false value" if negated else "a true value")
        left, operator, right = parts
    elif differ := _DIFFER.search(message):
        left, operator, right = differ["got"], differ["op"], differ["want"]
    else:
        return GotAndWanted(call)
    shown = [value for value, _ in where]
    swapped = sides.swapped if sides else right in shown and left not in shown
    got, wanted = (right, left) if swapped else (left, right)
    call = call or next((text for value, text in where if value == got), "")
    if found := _TOLERANCE.match(wanted):
        wanted = found["value"]
    if operator not in _EQUAL or (operator == "!=" and said is not None):
        phrase = operator.strip()
        return GotAndWanted(call, got, f"a value {'that is ' if phrase[0] in '<>!=' else ''}{phrase} {wanted}")
    return GotAndWanted(call, got, wanted, relation_of_texts(got, wanted), _item(got, wanted))


def _item(got: str, wanted: str) -> str:
    try:
        found = differing_item(ast.literal_eval(got), ast.literal_eval(wanted))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""
    return f"{found[0]} is {found[1]!r}, and {found[2]!r} is wanted" if found else ""


def _split(said: str) -> tuple[str, str, str] | None:
    """The two sides of a comparison and what stands between them; ``None`` where it is none."""
    try:
        node = ast.parse(said, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = [(said.find(each), each) for each in _OPERATORS if each in said]
        if not found:
            return None
        at, operator = min(found, key=lambda each: (each[0], -len(each[1])))
        return said[:at], operator, said[at + len(operator) :]
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    left, right = (ast.get_source_segment(said, each) or "" for each in (node.left, node.comparators[0]))
    between = said[said.find(left) + len(left) : said.rfind(right)].strip("() ")
    return left, f" {between} ", right


@dataclass(frozen=True, slots=True)
class _Sides:
    """What a statement compares: the side that comes from the program, and the wanted one where there is one."""

    got: ast.expr
    wanted: ast.expr | None
    swapped: bool


def _sides(statement: ast.stmt | None) -> _Sides | None:
    match statement:
        case ast.Assert(test=ast.Compare(left=left, comparators=[right])):
            return _ordered(left, right)
        case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=test)) | ast.Assert(test=test):
            return _Sides(test, None, False)
        case ast.Expr(value=ast.Call(func=func, args=[left, right, *_])) if last_name(func).startswith("assert"):
            return _ordered(left, right) if "Raises" not in last_name(func) else _Sides(right, None, False)
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.Return(value=ast.expr() as value):
            return _Sides(value, None, False)
    return None


def _ordered(left: ast.expr, right: ast.expr) -> _Sides:
    swapped = (
        bool(list(_calls(right))) and not list(_calls(left)) and not isinstance(left, ast.Attribute | ast.Subscript)
    )
    return _Sides(right, left, True) if swapped else _Sides(left, right, False)


def _calls(node: ast.expr) -> Iterator[ast.Call]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Call) and last_name(each.func) != _APPROX)


def _call_in(node: ast.expr) -> str:
    """The outermost call of the side that came, as it is written."""
    return next((_text(call) for call in _calls(node)), "")


def _awaited(statement: ast.stmt | None) -> str:
    """The call in the block that waits for an exception: it is the last statement of a ``with``."""
    if isinstance(statement, ast.With | ast.AsyncWith):
        return next((_text(c) for n in reversed(statement.body) for c in ast.walk(n) if isinstance(c, ast.Call)), "")
    return ""


def _text(node: ast.expr) -> str:
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return ""


def _test_frame(raised: SeenError, test: str) -> Frame | None:
    """The innermost frame in the test's own file."""
    path = test.split("::", 1)[0]
    own: Sequence[Frame] = [frame for frame in raised.frames if frame.path == path]
    return own[-1] if own else None
