"""What existing tests say: ``assert f(1) == 2``, ``pytest.raises``, and unittest's words for them; rows of tables."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.function_text import FunctionNode, last_name, names_in
from analysis.specified.docstring_facts import call_condition, facts_from_stated, literal_source_of
from analysis.specified.fact_record import Extractor, Fact
from analysis.stated.fact import Certainty, Condition, Gives, Raises, StatedFact
from analysis.stated.function import StatedFunction

_EQUAL = frozenset(("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertSequenceEqual"))
_SAME = {"assertTrue": "True", "assertFalse": "False", "assertIsNone": "None"}
_MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class KnownFunction:
    """A function of the program by the key of its facts: ``path:name``."""

    subject: str
    function: StatedFunction


Named = Mapping[str, KnownFunction]
"""Functions by their last names, as far as one name means one function."""


def facts_of_tests(path: str, tree: ast.Module, named: Named) -> Iterator[Fact]:
    """What the tests of a file claim of plain calls of the program's functions."""
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode) and node.name.startswith("test"):
            for row in _rows(node):
                yield from _claims(path, node, named, row)


def _rows(node: FunctionNode) -> Iterator[Mapping[str, ast.expr]]:
    """The values of each row of the test's table; one empty row where it has none."""
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, ast.List() | ast.Tuple() as rows, *_]):
                words = _names(names)
                for row in rows.elts[:_MOST_ROWS]:
                    values = row.elts if isinstance(row, ast.Tuple | ast.List) and len(words) > 1 else [row]
                    if len(values) == len(words):
                        yield dict(zip(words, values, strict=True))
                return
    yield {}


def _names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [word.strip() for word in node.value.split(",")]
    elements = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    return [each.value for each in elements if isinstance(each, ast.Constant) and isinstance(each.value, str)]


@dataclass(frozen=True, slots=True)
class _Claim:
    call: ast.Call
    end: Gives | Raises
    said: ast.stmt


def _claims(path: str, test: FunctionNode, named: Named, row: Mapping[str, ast.expr]) -> Iterator[Fact]:
    known = dict(row)
    assigned = [n for n in ast.walk(test) if isinstance(n, ast.Assign)]
    names = [target.id for each in assigned for target in each.targets if isinstance(target, ast.Name)]
    for each in assigned:
        match each.targets:
            case [ast.Name(id=name)] if names.count(name) == 1:
                known[name] = each.value
    for claim in _claims_in(test.body, known):
        function = named.get(last_name(claim.call.func))
        if function is None or not _is_plain_callee(claim.call.func):
            continue
        call = _filled(claim.call, known)
        stated = function.function.stated
        condition: Condition | None = call_condition(call, stated.taken, stated.positional)
        if condition is None:
            continue
        quote = (
            ast.unparse(claim.said).split("\n")[0] if not isinstance(claim.said, ast.With) else ast.unparse(claim.said)
        )
        if row:
            quote = f"{quote} [{', '.join(f'{key}={ast.unparse(value)}' for key, value in row.items())}]"
        fact = StatedFact(condition, claim.end, quote, claim.said.lineno, Certainty.CERTAIN)
        last = claim.said.end_lineno or claim.said.lineno
        yield from facts_from_stated(fact, function.subject, path, Extractor.TEST, "", last)


def _is_plain_callee(node: ast.expr) -> bool:
    """``f``, ``module.f`` or ``package.module.f``: nothing is called on an instance that the test made."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in ("self", "cls")


def _claims_in(body: Sequence[ast.stmt], known: Mapping[str, ast.expr]) -> Iterator[_Claim]:
    """Claims that always hold when the test passes; what stands in loops and branches is left alone."""
    for each in body:
        match each:
            case ast.Assert(test=test):
                yield from _asserted(test, known, each)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[one, other, *_])) if name in _EQUAL:
                yield from _equal(one, other, known, each)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[one, *_])) if name in _SAME:
                if name == "assertIsNone":
                    yield from _equal(one, ast.Constant(None), known, each)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(attr="raises"), args=[kind, called, *args], keywords=given)
            ):
                yield from _raised(kind, ast.Call(called, args, given), each)
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr=name), args=[kind, *_]))]):
                match each.body:
                    case [ast.Expr(value=ast.Call() as call)] if name in (
                        "raises",
                        "assertRaises",
                        "assertRaisesRegex",
                    ):
                        yield from _raised(kind, call, each)
                    case inner if name not in ("raises", "assertRaises", "assertRaisesRegex"):
                        yield from _claims_in(inner, known)


def _raised(kind: ast.expr, call: ast.Call, said: ast.stmt) -> Iterator[_Claim]:
    name = last_name(kind)
    if name:
        yield _Claim(call, Raises(name), said)


def _asserted(test: ast.expr, known: Mapping[str, ast.expr], said: ast.stmt) -> Iterator[_Claim]:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _asserted(value, known, said)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            yield from _equal(left, right, known, said)
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None | True | False) as right]):
            yield from _equal(left, right, known, said)


def _equal(one: ast.expr, other: ast.expr, known: Mapping[str, ast.expr], said: ast.stmt) -> Iterator[_Claim]:
    """The call on either side, and the literal on the other; names stand for what they were given once."""
    sides = [known.get(side.id, side) if isinstance(side, ast.Name) else side for side in (one, other)]
    for call, value in (sides, reversed(sides)):
        source = literal_source_of(value)
        if isinstance(call, ast.Call) and source is not None and not _may_be_changed(call, value, (one, other)):
            yield _Claim(call, Gives(source), said)
            return


def _may_be_changed(call: ast.Call, value: ast.expr, written: tuple[ast.expr, ast.expr]) -> bool:
    """Whether the value has a name that the call is given, too: it may be another one by then."""
    names = {each.id for each in written if isinstance(each, ast.Name)}
    return isinstance(value, ast.List | ast.Dict | ast.Set) and bool(names & names_in(call))


class _Filled(ast.NodeTransformer):
    """Puts what names stand for in their places."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._known.get(node.id, node)


def _filled(call: ast.Call, known: Mapping[str, ast.expr]) -> ast.Call:
    """The call with names in what it is given replaced by what they stand for."""
    filled = _Filled({name: value for name, value in known.items() if literal_source_of(value) is not None})
    args = [filled.visit(copy.deepcopy(each)) for each in call.args]
    keywords = [ast.keyword(each.arg, filled.visit(copy.deepcopy(each.value))) for each in call.keywords]
    return ast.Call(call.func, args, keywords)
