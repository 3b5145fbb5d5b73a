"""Which expression of a failing statement a message speaks of.

Each finder takes the site and the matched message and gives the node concerned, or ``None``. Groups of the
patterns that finders read: ``name``, ``op``, ``type``, ``left``, ``right``, ``key``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from analysis.frame_source import FrameSource
from analysis.function_text import last_name

_Node = TypeVar("_Node", bound=ast.AST)
Finder = Callable[[FrameSource, re.Match[str]], ast.AST | None]

_SYMBOLS: dict[str, type[ast.AST]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "**": ast.Pow,
    "@": ast.MatMult,
    "&": ast.BitAnd,
    "|": ast.BitOr,
    "^": ast.BitXor,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "<": ast.Lt,
    ">": ast.Gt,
    "<=": ast.LtE,
    ">=": ast.GtE,
}
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


def no_operand(_: FrameSource, __: re.Match[str]) -> None:
    """No expression: the message speaks of none."""


def attribute_base(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The value whose attribute is missing."""
    return _base_among(site, match, [n for n in _all(site, ast.Attribute) if n.attr == match["name"]])


def subscript_base(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The value that is subscripted."""
    return _base_among(site, match, _all(site, ast.Subscript))


def subscript_index(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The index of the subscript."""
    chosen = subscript_access(site, match)
    return chosen.slice if isinstance(chosen, ast.Subscript) else None


def subscript_access(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The whole subscript."""
    found = _all(site, ast.Subscript)
    return site.choose(found, lambda n: isinstance(n, ast.Subscript) and not isinstance(n.slice, ast.Slice))


def keyed_access(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The subscript or call that asks for the key."""
    key = match["key"]

    def asks(node: ast.AST) -> bool:
        asked = [node.slice] if isinstance(node, ast.Subscript) else node.args if isinstance(node, ast.Call) else []
        return any(site.value_of(a) == key for a in asked)

    subscripts, calls = _all(site, ast.Subscript), _all(site, ast.Call)
    fitting = [n for n in (*subscripts, *calls) if asks(n)]
    return site.choose(fitting or subscripts or calls, lambda _: True)


def left_operand(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """Left operand of the operator."""
    pair = _operands(site, match)
    return pair[0] if pair else None


def right_operand(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """Right operand of the operator."""
    pair = _operands(site, match)
    return pair[1] if pair else None


def unary_operand(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """Operand of the unary operator, or the argument of the call that applies it."""
    found = [n for n in _all(site, ast.UnaryOp) if not isinstance(n.op, ast.Not)]
    return _base_among(site, match, found) or argument(site, match)


def divisor(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """What is divided by."""
    zeros = ("0", "0.0", "-0.0", "False", "0j")
    chosen = site.choose(_operations(site, *_DIVISIONS), lambda n: site.value_of(_sides(n)[1]) in zeros)
    if chosen is not None:
        return _sides(chosen)[1]
    calls = [n for n in _all(site, ast.Call) if last_name(n.func) in ("divmod", "Fraction", "mod", "fmod")]
    return calls[-1].args[-1] if calls and calls[-1].args else None


def power_base(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The base of a power."""
    found = _operations(site, ast.Pow)
    return _sides(found[-1])[0] if found else None


def added_operand(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The side of a ``+`` that has the unsuitable type: the right one where that cannot be told."""
    chosen = site.choose(_operations(site, ast.Add), lambda n: site.has_type(_sides(n)[1], _group(match, "right")))
    return _sides(chosen)[1] if chosen is not None else argument(site, match)


def integer_factor(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The factor that should be an int."""
    found = _operations(site, ast.Mult)
    if not found:
        return None
    left, right = _sides(found[-1])
    return left if site.has_type(left, _group(match, "type")) else right


def formatted_value(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The value of a ``%`` format."""
    found = _operations(site, ast.Mod)
    return _sides(found[-1])[1] if found else argument(site, match)


def hashed_value(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The value that is used as a key."""
    chosen = subscript_access(site, match)
    if isinstance(chosen, ast.Subscript):
        return chosen.slice
    compared = [n for n in _all(site, ast.Compare) if isinstance(n.ops[0], (ast.In, ast.NotIn))]
    return compared[-1].left if compared else argument(site, match)


def callee(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """What is called."""
    return _base_among(site, match, _all(site, ast.Call))


def call(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The whole call, of the named function where the message names one."""
    name = _group(match, "name").rsplit(".", 1)[-1]
    calls = _all(site, ast.Call)
    return site.choose([n for n in calls if last_name(n.func) == name] or calls, lambda _: True)


def argument(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The argument of the call that the message refuses: by type where that is known, else the first."""
    chosen = call(site, match)
    if not isinstance(chosen, ast.Call):
        return None
    given = [a.value if isinstance(a, ast.Starred) else a for a in (*chosen.args, *(k.value for k in chosen.keywords))]
    answers = {id(a): site.has_type(a, _group(match, "type")) for a in given}
    return next((a for wanted in (True, None, False) for a in given if answers[id(a)] is wanted), None)


def sequence_argument(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The call's sequence: its first argument, or the second of those that take a function first."""
    chosen = call(site, match)
    if not isinstance(chosen, ast.Call) or not chosen.args:
        return None
    return chosen.args[1] if last_name(chosen.func) == "reduce" and len(chosen.args) > 1 else chosen.args[0]


def advanced_iterator(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The iterator that is advanced."""
    found = [n for n in _all(site, ast.Call) if last_name(n.func) in ("next", "anext") and n.args]
    return found[0].args[0] if found else argument(site, match)


def receiver(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The object whose method is called, or the first argument of a plain call."""
    chosen = call(site, match)
    if isinstance(chosen, ast.Call) and isinstance(chosen.func, ast.Attribute):
        return chosen.func.value
    return argument(site, match)


def iterated_value(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """What is iterated, unpacked or searched."""
    wanted = _group(match, "type")
    found = list(_iterables(site))
    if found:
        return next((n for n in found if site.has_type(n, wanted)), found[0])
    last = site.nodes[-1]
    # Columns of a failing loop or unpacking cover the iterated expression alone.
    return last if site.exact and isinstance(last, ast.expr) else argument(site, match)


def managed_context(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The context manager of a ``with``."""
    if not isinstance(site.statement, (ast.With, ast.AsyncWith)):
        return None
    items = [item.context_expr for item in site.statement.items]
    return next((i for i in items if i in site.nodes), items[0])


def named_variable(site: FrameSource, match: re.Match[str]) -> ast.AST | None:
    """The variable of that name."""
    return next((n for n in _all(site, ast.Name) if n.id == match["name"]), None)


def awaited_call(site: FrameSource) -> ast.AST | None:
    """What was to raise: the last statement of a ``with`` block, or the call that an expecting function is given."""
    if isinstance(site.statement, (ast.With, ast.AsyncWith)):
        return site.statement.body[-1]
    return next(iter(_all(site, ast.Call)), None)


def _base(node: ast.AST) -> ast.AST:
    """What an attribute, subscript, call or sign is applied to."""
    match node:
        case ast.Attribute(value=base) | ast.Subscript(value=base) | ast.Call(func=base) | ast.UnaryOp(operand=base):
            return base
    raise AssertionError("only nodes that are applied to another are asked for it")


def _group(match: re.Match[str], name: str) -> str:
    return (match.groupdict().get(name) or "").strip("'\"")


def _all(site: FrameSource, kind: type[_Node]) -> list[_Node]:
    return [n for n in site.nodes if isinstance(n, kind)]


def _operations(site: FrameSource, *operators: type[ast.operator]) -> list[ast.BinOp | ast.AugAssign]:
    found = (n for n in site.nodes if isinstance(n, (ast.BinOp, ast.AugAssign)))
    return [n for n in found if isinstance(n.op, operators)]


def _base_among(site: FrameSource, match: re.Match[str], found: Sequence[ast.AST]) -> ast.AST | None:
    """What the node that the message speaks of is applied to: of several, one of the type in the message."""
    chosen = site.choose(found, lambda n: site.has_type(_base(n), _group(match, "type")))
    return None if chosen is None else _base(chosen)


def _operands(site: FrameSource, match: re.Match[str]) -> tuple[ast.AST, ast.AST] | None:
    symbol = _group(match, "op")
    wanted = {_SYMBOLS.get(symbol.split(" ")[0].removesuffix("=")), _SYMBOLS.get(symbol)} - {None}
    found = [n for n in site.nodes if _operator(n) in wanted]

    def fits(node: ast.AST) -> bool | None:
        sides = zip(_sides(node), ("left", "right"), strict=True)
        answers = [site.has_type(side, _group(match, name)) for side, name in sides]
        return False if False in answers else True if True in answers else None

    chosen = site.choose(found, fits)
    return _sides(chosen) if chosen is not None else None


def _operator(node: ast.AST) -> type[ast.AST] | None:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        return type(node.op)
    return type(node.ops[0]) if isinstance(node, ast.Compare) else None


def _sides(node: ast.AST) -> tuple[ast.AST, ast.AST]:
    match node:
        case (
            ast.BinOp(left=left, right=right)
            | ast.AugAssign(target=left, value=right)
            | ast.Compare(left=left, comparators=[right, *_])
        ):
            return left, right
    raise AssertionError("only nodes with two operands are asked for their sides")


def _iterables(site: FrameSource) -> Iterable[ast.AST]:
    seen = set(map(id, site.nodes))
    statement = site.statement
    if isinstance(statement, (ast.For, ast.AsyncFor)) and id(statement.iter) in seen:
        yield statement.iter
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], (ast.Tuple, ast.List)):
        yield statement.value
    for node in site.nodes:
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            yield from (g.iter for g in node.generators)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            yield node.comparators[0]
        elif isinstance(node, ast.Starred):
            yield node.value
