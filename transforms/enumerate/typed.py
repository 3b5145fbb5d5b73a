"""Edits that cannot work on the values seen: they add a number to a text, call a list, ask ``None`` for an item.

Known are the values that the failing tests call the function with. So the types of parameters that it never binds anew
are known, and those of what is computed from them in one place. An edit whose expression cannot be evaluated on those
types ends that call, unless somebody catches what it raises. Where that may be, or where other calls may have other
types, such edits are not lost. They come last.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import libcst as cst

from transforms.enumerate.type_rules import SAMPLES, is_impossible, type_of
from transforms.ingredients.value_kinds import LIST, NUMBER, TABLE, TEXT, TRUTH
from transforms.operators.operator import Edit, Site
from transforms.tree.code_text import Piece
from transforms.tree.node_path import NodePath
from transforms.tree.spans import Span

Types = tuple[tuple[str, str], ...]
"""Names of a function and the builtin types that they have all through the calls of failing tests."""

_KINDS = {
    **dict.fromkeys(("int", "float"), NUMBER),
    **dict.fromkeys(("str", "bytes"), TEXT),
    **dict.fromkeys(("list", "tuple", "set", "frozenset"), LIST),
    "dict": TABLE,
    "bool": TRUTH,
}


def types_in(
    function: ast.AST,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    *,
    skip: int = 0,
    defined: Iterable[str] = (),
) -> Types:
    """The types of names in a call with these arguments, the first ``skip`` parameters left out.

    Names that the module has ``defined`` are not the language's own.
    """
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ()
    places = [p.arg for p in (*function.args.posonlyargs, *function.args.args)][skip:]
    named = {*places, *(p.arg for p in function.args.kwonlyargs)}
    given = {**dict(zip(places, args, strict=False)), **{n: v for n, v in kwargs.items() if n in named}}
    bound = Counter(_bound_names(function))
    shadowed = frozenset((*bound, *defined))
    types = {n: type(v).__name__ for n, v in given.items() if not bound[n] and type(v).__name__ in SAMPLES}
    once = [node for node in ast.walk(function) if isinstance(node, (ast.Assign, ast.For))]
    for _ in range(2):  # the second time, what was learned of one name tells of those computed from it
        for node in once:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and bound[target.id] == 1 and target.id not in places:
                if isinstance(node, ast.Assign):
                    kind = type_of(node.value, types, shadowed)
                else:
                    kind = _type_of_items(node.iter, given, shadowed, function)
                types.update({target.id: kind} if kind else {})
    return tuple(sorted(types.items()))


def kinds_of(types: Types) -> tuple[tuple[str, str], ...]:
    """What kind of values these types are, as ``transforms.ingredients.value_kinds`` calls it."""
    return tuple((name, _KINDS[kind]) for name, kind in types if kind in _KINDS)


def _bound_names(function: ast.AST) -> Iterator[str]:
    """Each binding of a name below the function, its parameters left out."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from (name for name in node.names for _ in range(2))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and node is not function:
            yield from (inner.arg for inner in ast.walk(node.args) if isinstance(inner, ast.arg))
            yield from (node.name,) if not isinstance(node, ast.Lambda) else ()
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]


def _type_of_items(node: ast.AST, given: Mapping[str, object], shadowed: Collection[str], function: ast.AST) -> str:
    """The type of what a loop over the value gives, where it always gives the same and nobody may change that."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return "int" if "range" not in shadowed else ""
    if not isinstance(node, ast.Name) or not _is_only_walked(node.id, function):
        return ""
    value = given.get(node.id)
    kinds = {type(item).__name__ for item in value} if isinstance(value, (str, list, tuple, set, dict)) else set()
    kind = kinds.pop() if len(kinds) == 1 else ""
    return kind if kind in SAMPLES else ""


def _is_only_walked(name: str, function: ast.AST) -> bool:
    """Whether the function only walks the value, measures it and takes items out: ``len(xs)``, not ``g(xs)``."""
    reading = set()
    for node in ast.walk(function):
        match node:
            case ast.For(iter=ast.Name() as value) | ast.comprehension(iter=ast.Name() as value):
                reading.add(value)
            case ast.Subscript(value=ast.Name() as value, ctx=ast.Load()):
                reading.add(value)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as value]):
                reading.add(value)
    # What binds it anew is no reading either.
    return all(n in reading for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name)


class Typed:
    """Tells edits of one function that cannot work on these types."""

    def __init__(self, types: Types, source: str, spans: Mapping[NodePath, Span]) -> None:
        self._types = dict(types)
        self._source = source
        self._spans = spans

    def is_impossible(self, site: Site, edit: Edit) -> bool:
        """Whether the edit's expression surely fails: ``n + 'a'`` for an ``int``. Unknown types make all possible."""
        if not self._types or len(edit.changes) != 1 or edit.changes[0].at != site.path or not edit.changes[0].pieces:
            return False
        piece = edit.changes[0].pieces[0]
        if site.role == "statement":
            added = piece is not site.node
            return added and any(self._fails(site, text) for text in _first_evaluated(_print_piece(site, piece)))
        top = _whole(site)
        if top is None:
            return False
        (start, end), (left, right) = self._spans[site.path], self._spans[top.path]
        return self._fails(site, f"{self._source[left:start]}({_print_piece(site, piece)}){self._source[end:right]}")

    def _fails(self, site: Site, text: str) -> bool:
        """Whether the text surely fails on the types seen: ``len(n)`` for an ``int``, unless ``len`` may be another."""
        words = site.words
        shadowed = words.defined | {i.text for i in words.names}
        return not words.has_star and is_impossible(text, self._types, frozenset(shadowed))


def _print_piece(site: Site, piece: Piece) -> str:
    return piece if isinstance(piece, str) else site.print(piece)


def _whole(site: Site) -> Site | None:
    """The outermost expression around an expression, up to its statement; nothing inside what has names of its own."""
    if site.role != "value":
        return None
    top = site
    for around in site.ancestors():
        if isinstance(around.node, (cst.Lambda, cst.CompFor, cst.BaseComp, cst.FormattedStringExpression)):
            return None
        if isinstance(around.node, cst.BaseExpression):
            if around.role != "value":
                return None
            top = around
        elif isinstance(around.node, (cst.BaseStatement, cst.BaseSmallStatement, cst.BaseSuite)):
            break
    return top


def _first_evaluated(text: str) -> Iterator[str]:
    """What a statement evaluates first."""
    try:
        tree = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    match tree.body[:1]:
        case [ast.Assign(value=value) | ast.Expr(value=value) | ast.Return(value=ast.expr() as value)]:
            yield ast.unparse(value)
        case [ast.If(test=test) | ast.While(test=test)]:
            yield ast.unparse(test)
        case [ast.For(iter=walked)]:
            yield f"iter({ast.unparse(walked)})"
