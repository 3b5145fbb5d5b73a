"""What annotations state: which kinds a function returns, and which kinds it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.function_text import FunctionNode, last_name
from analysis.stated.fact import Always, Certainty, FactSource, GivesKind, StatedFact

_KINDS = {
    "int": ("int",),
    "float": ("float", "int"),
    "str": ("str",),
    "bytes": ("bytes",),
    "bool": ("bool",),
    "list": ("list",),
    "List": ("list",),
    "tuple": ("tuple",),
    "Tuple": ("tuple",),
    "dict": ("dict",),
    "Dict": ("dict",),
    "set": ("set",),
    "Set": ("set",),
    "frozenset": ("frozenset",),
    "FrozenSet": ("frozenset",),
    "None": ("NoneType",),
}
"""The language's own kinds by the names that annotations have for them; a subclass's picture is no literal."""


def kinds_of(annotation: ast.expr) -> tuple[str, ...]:
    """The kinds of the values that the annotation allows; empty where it allows others, or nobody can tell.

    Example: ``list[int] | None`` allows ``list`` and ``NoneType``. An annotation too deep to read allows anything.
    """
    try:
        return _kinds_of(annotation)
    except RecursionError:
        return ()


def _kinds_of(annotation: ast.expr) -> tuple[str, ...]:
    match annotation:
        case ast.Constant(value=None):
            return _KINDS["None"]
        case ast.Constant(value=str(text)):
            return kinds_in(text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _joined([left, right])
        case ast.Subscript(value=base, slice=inside):
            members = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            match last_name(base):
                case "Optional":
                    return _joined([*members, ast.Constant(None)])
                case "Union":
                    return _joined(members)
                case name:
                    return _KINDS.get(name, ())
    return _KINDS.get(last_name(annotation), ())


def kinds_in(text: str) -> tuple[str, ...]:
    """The same of an annotation's text; empty for what is none."""
    try:
        return kinds_of(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _joined(members: list[ast.expr]) -> tuple[str, ...]:
    found = [_kinds_of(member) for member in members]
    return tuple(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else ()


def annotated_result(node: FunctionNode) -> Iterator[StatedFact]:
    """The kinds that the annotation of the result allows. A coroutine gives one of them later, so nothing is said."""
    if node.returns is None or isinstance(node, ast.AsyncFunctionDef):
        return
    kinds = kinds_of(node.returns)
    if kinds:
        quote = f"-> {ast.unparse(node.returns)}"
        yield StatedFact(
            Always(), GivesKind(kinds), quote, node.returns.lineno, Certainty.CERTAIN, FactSource.ANNOTATION
        )


def annotated_parameters(node: FunctionNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The kinds that each annotated parameter takes; its default is one of them, whatever the annotation says."""
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    values = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    for each, default in [
        *zip(plain, values, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]:
        kinds = kinds_of(each.annotation) if each.annotation is not None else ()
        without = isinstance(default, ast.Constant) and default.value is None
        if kinds:
            yield each.arg, (*kinds, "NoneType") if without else kinds
