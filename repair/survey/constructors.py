"""Instances by their constructor instead of by their state: what a person would write in a test.

A picture says which attributes an instance had. Where the parameters of the constructor have the same names, the
constructor is called with these values. Whether that makes the same instance only a run of the test tells.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping

from analysis.behaviour import Behaviour, Returned
from analysis.function_text import FunctionNode, Unreadable, last_name, parse_module
from repair.compare.answers import is_literal
from repair.compare.made_values import AFTER, MADE

Constructor = tuple[tuple[str, bool], ...]
"""The parameters of a constructor, each with whether it must be given."""

_PLAIN_BASES = frozenset(("object", "Protocol", "Generic"))


def constructed(call: str, constructor_of: Callable[[str], Constructor | None]) -> str:
    """The expression with each instance made by its constructor; ``""`` where one cannot be.

    What compares the state of an instance after a call (``after``) cannot be told so either.

    ``constructor_of`` knows the classes by their dotted names.

    Example: ``made(shop.Cart, items=[2]).total()`` becomes ``shop.Cart(items=[2]).total()``.
    """
    try:
        return ast.unparse(_Constructed(constructor_of).visit(ast.parse(call, mode="eval").body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


class _Constructed(ast.NodeTransformer):
    """Raises ``ValueError`` for an instance that no constructor makes."""

    def __init__(self, constructor_of: Callable[[str], Constructor | None]) -> None:
        self._constructor_of = constructor_of

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == AFTER:
            raise ValueError("it speaks of a state")
        if name != MADE:
            return self.generic_visit(node)
        kind, *inside = node.args
        taken = self._constructor_of(ast.unparse(kind))
        match inside:
            case [ast.Tuple(elts=fields)] if taken is not None and len(fields) == len(taken) and not node.keywords:
                return ast.Call(kind, [self.visit(each) for each in fields], [])  # a named tuple
        if taken is None or inside:
            raise ValueError("nobody knows how it is made")
        state = {str(each.arg): each.value for each in node.keywords}
        given = []
        for name, needed in taken:
            value = state.get(name) or state.get(f"_{name}")
            if value is None and needed:
                raise ValueError(f"nothing is known of {name}")
            if value is not None:
                given.append(ast.keyword(name, self.visit(value)))
        return ast.Call(kind, [], given)


_QUOTED_OR_PICTURE = re.compile(r"""('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|<[^<>'"]*>""")
"""A literal text, or the picture of what has no source: ``<total>``."""


def plain_fields(end: Behaviour) -> Iterator[tuple[str, str]]:
    """The public fields of an object that a call gave whose values are literals, with these.

    Example: ``Refusal(func=<fits>, reason='too long', most=3)`` has ``reason`` and ``most``.
    """
    if not isinstance(end, Returned) or not end.whole or end.left:
        return
    try:
        text = _QUOTED_OR_PICTURE.sub(lambda found: found[1] or "...", end.value)
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and not node.args:
        for each in node.keywords:
            source = ast.unparse(each.value)
            if each.arg and not each.arg.startswith("_") and is_literal(each.value) and "..." not in source:
                yield each.arg, source


def constructors_in(text: bytes) -> Mapping[str, Constructor]:
    """The constructors of a file's classes by their qualified names, where the class says itself what it takes."""
    tree = parse_module(text)
    if isinstance(tree, Unreadable):
        return {}
    return {name: taken for name, taken in _constructors(tree.body, "") if taken is not None}


def _constructors(body: list[ast.stmt], around: str) -> list[tuple[str, Constructor | None]]:
    found: list[tuple[str, Constructor | None]] = []
    for node in body:
        if isinstance(node, ast.ClassDef):
            found.append((around + node.name, _constructor(node)))
            found += _constructors(node.body, f"{around}{node.name}.")
    return found


def _constructor(node: ast.ClassDef) -> Constructor | None:
    for each in node.body:
        if isinstance(each, FunctionNode) and each.name == "__init__":
            return _parameters(each)
    decorated = {last_name(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
    bases = {last_name(base) for base in node.bases}
    if "dataclass" in decorated or "NamedTuple" in bases:
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
        return tuple((each.target.id, each.value is None) for each in fields if isinstance(each.target, ast.Name))
    return () if bases <= _PLAIN_BASES else None


def _parameters(node: FunctionNode) -> Constructor | None:
    arguments = node.args
    if arguments.posonlyargs[1:]:
        return None
    plain = [*arguments.posonlyargs, *arguments.args][1:]
    optional = len(arguments.defaults)
    needed = len(plain) - optional
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    own = [(each.arg, number < needed) for number, each in enumerate(plain)]
    return (*own, *((each.arg, default is None) for each, default in named))
