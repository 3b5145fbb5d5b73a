"""Which expressions cannot be evaluated on values of known types, whatever the values are.

Only exact builtin types are known ones, and a type error counts where every value of a handful of each type
raises it. So ``'a' + 1`` cannot be, ``'%s' % 1`` can, and so can whatever holds a value of which nothing is known.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

SAMPLES: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "int": (0, 1, -2, 7),
        "bool": (False, True),
        "float": (0.0, 1.5),
        "str": ("", "a", "%s", "12"),
        "bytes": (b"", b"a", b"%s", b"%d", b"%a"),
        "NoneType": (None,),
        "list": ([], [1], ["a"], [(1, 2)]),
        "tuple": ((), (1,), ("a",), ((1, 2),)),
        "dict": ({}, {1: 1}, {"a": "b"}),
        "set": (set(), {1}, {"a"}),
        "frozenset": (frozenset(), frozenset((1,))),
    }
)
"""Values of the types of which something is known. They are never changed: nothing here calls a method."""

_LATER = frozenset({"is_integer", "exceptions", "fromhex", "from_number"})
"""Attributes that a builtin type has in some versions of the language."""

_NO_BOUNDS = ("str", "bytes", "float", "list", "tuple", "dict")
"""Types whose values bound no slice."""

_BINARY: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
        ast.Pow: operator.pow,
        ast.BitAnd: operator.and_,
        ast.BitOr: operator.or_,
        ast.BitXor: operator.xor,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.In: lambda a, b: a in b,
        ast.NotIn: lambda a, b: a not in b,
    }
)
_UNARY: Mapping[type[ast.AST], Callable[[Any], Any]] = MappingProxyType(
    {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
)
_BUILTINS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        **{f.__name__: f for f in (len, abs, int, float, round, sum, sorted, max, min, any, all, iter, ord, chr)},
        **{f.__name__: f for f in (list, tuple, set, frozenset, reversed, enumerate, next, range)},
    }
)
"""Builtins that are asked with one argument; what they give is thrown away."""


class _Impossible(Exception):
    """The expression raises a type error or an attribute error."""


def is_impossible(text: str, types: Mapping[str, str], shadowed: frozenset[str] = frozenset()) -> bool:
    """Whether evaluating the expression surely fails, given the types of names: ``x + 1`` where ``x`` is a ``str``.

    ``types`` are names of exact builtin types. Builtins that are ``shadowed`` are not what they seem. What does not
    parse, or is evaluated on a condition only, is possible.
    """
    try:
        _Reader(types, shadowed).kind(ast.parse(text.strip(), mode="eval").body)
    except _Impossible:
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return False


def type_of(node: ast.AST, types: Mapping[str, str], shadowed: frozenset[str] = frozenset()) -> str:
    """The name of the exact builtin type that the expression has, or nothing where that is not known."""
    try:
        return _Reader(types, shadowed.union(types)).kind(node)
    except _Impossible:
        return ""


class _Reader:
    """Works out types from the leaves, as far as they are known."""

    def __init__(self, types: Mapping[str, str], shadowed: frozenset[str]) -> None:
        self._types = {name: kind for name, kind in types.items() if kind in SAMPLES}
        self._shadowed = shadowed

    def kind(self, node: ast.AST) -> str:
        """The name of the expression's type, or nothing where it is not known."""
        match node:
            case ast.Constant(value=value):
                return type(value).__name__ if type(value).__name__ in SAMPLES else ""
            case ast.Name(id=name):
                return self._types.get(name, "")
            case ast.Attribute(value=value, attr=name):
                kind = self.kind(value)
                if kind and name not in _LATER and not hasattr(SAMPLES[kind][0], name):
                    raise _Impossible
            case ast.BinOp(left=left, op=op, right=right):
                return self._tried(_BINARY.get(type(op)), (self.kind(left), self.kind(right)))
            case ast.UnaryOp(op=op, operand=inner):
                kind = self.kind(inner)
                return "bool" if isinstance(op, ast.Not) else self._tried(_UNARY.get(type(op)), (kind,))
            case ast.Compare(left=left, ops=[op, *_], comparators=[first, *_]):
                return self._tried(_BINARY.get(type(op)), (self.kind(left), self.kind(first)))
            case ast.Subscript(value=value, slice=index):
                return self._subscript(self.kind(value), index)
            case ast.Call():
                return self._call(node)
            case ast.BoolOp(values=[first, *_]):
                self.kind(first)
            case ast.IfExp(test=test):
                self.kind(test)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                for part in parts:
                    self.kind(part)
                return type(node).__name__.lower()
            case ast.JoinedStr():
                return "str"
            case ast.Starred(value=value):
                self._tried(iter, (self.kind(value),))
        return ""

    def _subscript(self, kind: str, index: ast.AST) -> str:
        if isinstance(index, ast.Slice):
            bounds = [bound for bound in (index.lower, index.upper, index.step) if bound is not None]
            if kind and any(self.kind(bound) in _NO_BOUNDS for bound in bounds):
                raise _Impossible
            return self._tried(lambda held: held[:], (kind,))
        found = self._tried(operator.getitem, (kind, self.kind(index)))
        return found if kind == "str" else ""

    def _call(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Name) and node.func.id in self._types:
            raise _Impossible  # none of these types can be called
        self.kind(node.func)
        kinds = [self.kind(argument) for argument in node.args]
        match node:
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
                if name not in self._shadowed and not isinstance(argument, ast.Starred):
                    return self._tried(_BUILTINS.get(name), kinds)
        return ""

    def _tried(self, apply: Callable[..., Any] | None, kinds: Sequence[str]) -> str:
        """The type of what comes of it, where that is always the same; impossible where nothing ever does."""
        if apply is None or not all(kinds):
            return ""
        found, possible = set(), False
        for values in itertools.product(*(SAMPLES[kind] for kind in kinds)):
            try:
                found.add(type(apply(*values)).__name__)
            except TypeError:
                continue
            except (ArithmeticError, LookupError, ValueError, StopIteration):
                possible = True  # other values of these types may do
        if not (found or possible):
            raise _Impossible
        kind = found.pop() if len(found) == 1 else ""
        return kind if kind in SAMPLES else ""
