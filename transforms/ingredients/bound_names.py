"""Which names of a function can hold a value at a place: reading any other is a candidate that only fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst

from transforms.ingredients.within_reach import Ingredients
from transforms.ingredients.word_counts import KINDS
from transforms.tree.node_path import NodePath, steps

_LOOPS = (cst.For, cst.While)
_INNER = (cst.FunctionDef, cst.ClassDef, cst.Lambda)


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that gets a value: at which offset its statement starts, and in which loops."""

    name: str
    start: int
    loops: tuple[NodePath, ...]


class Bound:
    """The bindings of one function, and the ingredients that make sense at each of its statements."""

    def __init__(self, root: cst.FunctionDef, words: Ingredients, start_of: Callable[[cst.CSTNode], int]) -> None:
        self._words = words
        self._start_of = start_of
        params = {*words.parameters, "self", "cls"}
        every = [b for b in _bindings(root, (), start_of(root), (), start_of) if b.name not in params]
        outside = {name for node in _declarations(root) for name in (i.name.value for i in node.names)}
        self._bindings = [b for b in every if b.name not in outside]
        self._known: dict[frozenset[str], Ingredients] = {}

    def words_at(self, path: NodePath, start: int, *, inner: bool) -> Ingredients:
        """The ingredients without those that read a name which no statement so far, and none around, can have bound.

        ``inner``: the place is in a function inside this one, which may run at any time.
        """
        if inner:
            return self._words
        bound = {b.name for b in self._bindings if b.start <= start or _share(b.loops, path)}
        unbound = frozenset(b.name for b in self._bindings) - bound
        if unbound not in self._known:
            self._known[unbound] = without(self._words, unbound)
        return self._known[unbound]


def without(words: Ingredients, names: frozenset[str]) -> Ingredients:
    """The ingredients that do not mention these names, attributes of the same name aside."""
    if not names:
        return words
    told = re.compile(rf"(?<![.\w])(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    kinds: dict[str, Any] = {
        kind: tuple(i for i in getattr(words, kind) if i.distance > 0 or not told.search(i.text))
        for kind in KINDS
        if kind not in ("statements", "strings")
    }
    shells = tuple(s for s in words.shells if s.distance > 0 or not told.search(s.outer))
    return replace(words, shells=shells, **kinds)


def _share(loops: tuple[NodePath, ...], path: NodePath) -> bool:
    return any(path[: len(loop)] == loop for loop in loops)


def _bindings(
    node: cst.CSTNode, at: NodePath, start: int, loops: tuple[NodePath, ...], start_of: Callable[[cst.CSTNode], int]
) -> Iterator[Binding]:
    """Bindings below the node, functions inside it left out; ``start`` is where its statement starts."""
    for more, child in steps(node):
        path = at + more
        if isinstance(child, _INNER):
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
        case cst.AnnAssign(target=target) | cst.NamedExpr(target=target) | cst.CompFor(target=target):
            yield from _names_in(target)
        case cst.AsName(name=target):
            yield from _names_in(target)
        case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
            yield name
        case cst.ImportAlias(name=name, asname=None):
            yield _first(name)


def _names_in(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _names_in(element.value)
    elif isinstance(target, cst.StarredElement):
        yield from _names_in(target.value)


def _first(name: cst.CSTNode) -> str:
    while isinstance(name, cst.Attribute):
        name = name.value
    return name.value if isinstance(name, cst.Name) else ""


def _declarations(root: cst.CSTNode) -> Iterator[cst.Global | cst.Nonlocal]:
    for _, child in steps(root):
        if isinstance(child, (cst.Global, cst.Nonlocal)):
            yield child
        else:
            yield from _declarations(child)
