"""The few of libcst's matchers that operators ask for, by the same names.

Importing ``libcst.matchers``, a class for each node with all of its fields, takes longer than importing libcst.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

import libcst as cst

from transforms.tree.node_path import walk

_REAL = "libcst.matchers"


@dataclass(frozen=True, slots=True)
class NodePattern:
    """Matches a node of one of these kinds whose fields, as far as they are named, match as well."""

    kinds: tuple[type[cst.CSTNode], ...] = (cst.CSTNode,)
    fields: tuple[tuple[str, object], ...] = ()

    def __or__(self, other: NodePattern) -> NodePattern:
        """Either of two kinds."""
        if self.fields or other.fields:
            raise TypeError("only kinds of nodes can be put side by side, without fields")
        return NodePattern((*self.kinds, *other.kinds))

    def fits(self, node: object) -> bool:
        """Whether the node matches: ``f(1)`` does where the kind is ``cst.Call``."""
        if not isinstance(node, self.kinds):
            return False
        pairs = ((getattr(node, name), want) for name, want in self.fields)
        return all(want.fits(value) if isinstance(want, NodePattern) else value == want for value, want in pairs)


def matches(node: object, shape: NodePattern) -> bool:
    """Whether a node has the shape: ``f(1)`` has ``Call(func=Name("f"))``."""
    return shape.fits(node)


def findall(node: cst.CSTNode, shape: NodePattern) -> list[cst.CSTNode]:
    """All nodes of the shape in a tree, its root among them, in source order."""
    return [each for _, each in walk(node) if shape.fits(each)]


def __getattr__(name: str) -> Callable[..., NodePattern]:
    """What makes a shape of the kind of node that libcst calls so; ``DoNotCare`` is any node."""
    if name == "DoNotCare":
        return NodePattern
    kind = getattr(cst, name, None)
    if not (isinstance(kind, type) and issubclass(kind, cst.CSTNode)):
        raise AttributeError(name)

    def shape(*values: object, **fields: object) -> NodePattern:
        return NodePattern((kind,), (*zip(kind.__match_args__, values, strict=False), *fields.items()))

    return shape


@contextmanager
def in_place() -> Iterator[None]:
    """Who is imported meanwhile and wants libcst's matchers is given these, unless the real ones are there."""
    if _REAL in sys.modules:
        yield
        return
    stand_in = ModuleType(_REAL)
    stand_in.__dict__.update(matches=matches, findall=findall, __getattr__=__getattr__)
    sys.modules[_REAL] = stand_in
    try:
        yield
    finally:
        del sys.modules[_REAL]
