"""Every place of one function that an operator may look at: its line, its text, and the names that can hold a value.

Reading any other name there is a candidate that only fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst

from transforms.ingredients.within_reach import Ingredients
from transforms.ingredients.word_counts import KINDS
from transforms.operators.operator import Neighbourhood, Site
from transforms.tree.node_path import NodePath, steps, walk
from transforms.tree.scope import EditScope
from transforms.tree.shape import LABELS
from transforms.tree.spans import Placed, Span, places_in

_LOOPS = (cst.For, cst.While)
_SCOPES_WITHIN = (cst.FunctionDef, cst.ClassDef, cst.Lambda)


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that gets a value: at which offset its statement starts, and in which loops."""

    name: str
    start: int
    loops: tuple[NodePath, ...]


class BoundNames:
    """The bindings of one function, and the ingredients that make sense at each of its statements."""

    def __init__(self, root: cst.FunctionDef, words: Ingredients, start_of: Callable[[cst.CSTNode], int]) -> None:
        self._words = words
        params = {*words.parameters, "self", "cls"}
        every = [b for b in _bindings(root, (), start_of(root), (), start_of) if b.name not in params]
        declared = (node for _, node in walk(root) if isinstance(node, (cst.Global, cst.Nonlocal)))
        outside = {item.name.value for node in declared for item in node.names}
        self._bindings = [b for b in every if b.name not in outside]
        self._known: dict[frozenset[str], Ingredients] = {}

    def words_at(self, path: NodePath, start: int, *, inner: bool) -> Ingredients:
        """The ingredients without those that read a name which no statement so far, and none around, can have bound.

        ``inner``: the place is in a function inside this one, which may run at any time.
        """
        if inner:
            return self._words
        bound = {b.name for b in self._bindings if b.start <= start or any(path[: len(p)] == p for p in b.loops)}
        unbound = frozenset(b.name for b in self._bindings) - bound
        if unbound not in self._known:
            self._known[unbound] = without_names(self._words, unbound)
        return self._known[unbound]


def without_names(words: Ingredients, names: frozenset[str]) -> Ingredients:
    """The ingredients that do not mention these names, attributes of the same name aside."""
    if not names:
        return words
    mentioned = re.compile(rf"(?<![.\w])(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    kinds: dict[str, Any] = {
        kind: tuple(i for i in getattr(words, kind) if i.distance > 0 or not mentioned.search(i.text))
        for kind in KINDS
        if kind not in ("statements", "strings")
    }
    shells = tuple(s for s in words.shells if s.distance > 0 or not mentioned.search(s.outer))
    return replace(words, shells=shells, **kinds)


def _bindings(
    node: cst.CSTNode, at: NodePath, start: int, loops: tuple[NodePath, ...], start_of: Callable[[cst.CSTNode], int]
) -> Iterator[Binding]:
    """Bindings below the node, functions inside it left out; ``start`` is where its statement starts."""
    for more, child in steps(node):
        path = at + more
        if isinstance(child, _SCOPES_WITHIN):
            if not isinstance(child, cst.Lambda):
                yield Binding(child.name.value, start_of(child), loops)
            continue
        begins = start_of(child) if isinstance(child, cst.BaseStatement) else start
        around = (*loops, path) if isinstance(child, _LOOPS) else loops
        for name in _bound_by(child):
            yield Binding(name, begins, around)
        yield from _bindings(child, path, begins, around, start_of)


def _bound_by(node: cst.CSTNode) -> Iterator[str]:
    """Names that the node itself binds."""
    match node:
        case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.For(target=target):
            yield from _names_in(target)
        case (
            cst.AnnAssign(target=target)
            | cst.NamedExpr(target=target)
            | cst.CompFor(target=target)
            | cst.AsName(target)
        ):
            yield from _names_in(target)
        case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
            yield name
        case cst.ImportAlias(name=name, asname=None):
            yield cst.Module([]).code_for_node(name).partition(".")[0].strip()


def _names_in(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _names_in(element.value)
    elif isinstance(target, cst.StarredElement):
        yield from _names_in(target.value)


_ASSIGNED = ("AssignTarget", "AugAssign", "AnnAssign", "For", "CompFor", "NamedExpr", "Del")
_TARGETS = frozenset({("AsName", "name"), *((kind, "target") for kind in _ASSIGNED)})
_UNPACKED = (cst.Tuple, cst.List, cst.Element, cst.StarredElement)
_INNER = (cst.FunctionDef, cst.ClassDef)
_PLAIN = (cst.Name, cst.BaseNumber, cst.BaseString)
_SKIPPED = (cst.Annotation, cst.Import, cst.ImportFrom, cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace)


@dataclass(frozen=True, slots=True)
class Ground:
    """The sites of a function in source order, and where each stands in the printed tree."""

    sites: tuple[Site, ...]
    spans: tuple[tuple[NodePath, Span], ...]
    source: str


def ground(scope: EditScope, near: Neighbourhood, *, defaults: bool = False, place: Placed | None = None) -> Ground:
    """The sites of the function's body. Its name, parameters, decorators and docstring are no sites.

    With ``defaults`` the plain default values of its own parameters come before: names, numbers and texts. Others are
    computed when the function is defined: a fault in one of those would be one of the whole module. ``place`` is what
    ``places_in`` gives, where that is known already.
    """
    surveyor = _Surveyor(scope, near, place or places_in(scope))
    sites = (*(surveyor.defaults() if defaults else ()), *surveyor.survey())
    return Ground(sites, tuple(surveyor.spans), surveyor.source)


class _Surveyor:
    def __init__(self, scope: EditScope, near: Neighbourhood, place: Placed) -> None:
        self.source = scope.tree.code
        self.spans: list[tuple[NodePath, Span]] = []
        self._scope = scope
        self._near = near
        self._place = place
        self._above = scope.lines_above
        self._bound = BoundNames(scope.node, near.ingredients, lambda node: place(node)[1][0])

    def survey(self) -> Iterator[Site]:
        root = self._site((), self._scope.node, "part", None)
        body = self._scope.node.body
        block = self._site(("body",), body, "part", root)
        yield block
        for more, child in steps(body):
            if not _is_docstring(body, more, child):
                yield from self._below(("body", *more), child, block)

    def defaults(self) -> Iterator[Site]:
        root = self._site((), self._scope.node, "part", None)
        for more, node in steps(self._scope.node.params):
            if isinstance(node, cst.Param) and isinstance(node.default, _PLAIN):
                param = self._site(("params", *more), node, "part", root)
                yield self._site((*param.path, "default"), node.default, "value", param)

    def _below(self, path: NodePath, node: cst.CSTNode, up: Site) -> Iterator[Site]:
        if isinstance(node, _SKIPPED):
            return
        site = self._site(path, node, _role(node, path, up), up)
        yield site
        for more, child in steps(node):
            yield from self._below(path + more, child, site)

    def _site(self, path: NodePath, node: cst.CSTNode, role: str, up: Site | None) -> Site:
        line, (start, end) = self._place(node)
        self.spans.append((path, (start, end)))
        if role == "statement":
            line += len(getattr(node, "leading_lines", ()))
        printed = role == "statement" or isinstance(node, cst.BaseExpression)
        code = self.source[start:end] if printed else ""
        if up is not None and role != "statement":
            near = up.near
        else:
            around = (up, *up.ancestors()) if up is not None else ()
            inner = any(isinstance(site.node, _INNER) and site.path for site in around)
            words = self._bound.words_at(path, start, inner=inner)
            near = self._near if words is self._near.ingredients else replace(self._near, ingredients=words)
        return Site(path, node, role, self._scope.line_of(line - self._above), code, up, near, self._scope.tree)


def _role(node: cst.CSTNode, path: NodePath, up: Site) -> str:
    if isinstance(up.node, cst.IndentedBlock) and isinstance(node, cst.BaseStatement):
        return "statement"
    field = next(step for step in reversed(path) if isinstance(step, str))
    if not isinstance(node, cst.BaseExpression):
        return up.role if isinstance(node, _UNPACKED) else "part"
    place = type(up.node).__name__, field
    if place in LABELS:
        return "label"
    if place in _TARGETS:
        return "target"
    return up.role if up.role == "target" and isinstance(up.node, _UNPACKED) else "value"


def _is_docstring(body: cst.BaseSuite, at: NodePath, node: cst.CSTNode) -> bool:
    if at != ("body", 0) or not isinstance(node, cst.SimpleStatementLine) or not isinstance(body, cst.IndentedBlock):
        return False
    first = node.body[0]
    return isinstance(first, cst.Expr) and isinstance(first.value, (cst.SimpleString, cst.ConcatenatedString))
