"""Edits that make code agree with its siblings: what is done to the same value elsewhere, and how the like is written.

Most fixes are built from code that the file holds already (Barr, Brun, Devanbu, Harman and Sarro, "The plastic surgery
hypothesis", 2014). Where several statements look alike, the odd one out is often the fault (Li, Lu, Myagmar and Zhou,
CP-Miner, 2006).
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.ingredients.word_counts import Shell
from transforms.operators.operator import STATEMENT, Edit, Example, NodeChange, Operator, Site, clip_text
from transforms.tree.node_path import NodePath, node_at, steps, walk
from transforms.tree.shape import kept_shape

_CLOSE = 8
"""Lines within which code stands beside other code."""

MOST_DIFFERENCES = 3

MOST_COMPARED = 120
"""Statements around, the nearest ones, that one is compared with: each takes a while, and far ones count for little."""

_VALUES = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)


def _as_elsewhere(site: Site) -> Iterator[Edit]:
    """``e`` put into what stands around ``e`` elsewhere: ``e.m()``, ``f(e)``, ``e.a``, ``e[i]``, ``e + 1``, ``-e``."""
    if site.field == "func" or site.code in ("True", "False", "None", "super()"):
        return
    around = {s.code for s in (site, *site.ancestors()) if s.role == "value"}
    fitting = [s for s in site.words.shells if s.inner == site.code and s.outer not in around]
    if site.code in ("self", "cls"):
        fitting = [s for s in fitting if s.distance == 0 and s.outer.startswith(f"{site.code}(")]
    for shell, share in zip(sorted(fitting, key=lambda s: (-_worth(site, s), s.outer)), _FALLING, strict=False):
        what = f"takes `{clip_text(shell.outer)}` instead of `{clip_text(site.code)}`, as elsewhere"
        yield site.put(shell.outer, share * min(1.0, _worth(site, shell)), what)


_FALLING = (0.6, 0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.03)


def _worth(site: Site, shell: Shell) -> float:
    """More where the shell stands close by, and stands there more than once; less for calls that use the value up."""
    gap = min((abs(line - site.line) for line in shell.lines), default=2 * _CLOSE)
    alike = _slot(site) in shell.slots
    return shell.weight * (0.6 if gap <= _CLOSE else 0.4) * (1.5 if alike else 0.75) * (1 if shell.lines else 0.7)


_SLOTS = MappingProxyType(
    {
        cst.Comparison: "Compare",
        cst.ComparisonTarget: "Compare",
        cst.BinaryOperation: "BinOp",
        cst.BooleanOperation: "BoolOp",
        cst.UnaryOperation: "UnaryOp",
        cst.Arg: "Call",
        cst.FormattedStringExpression: "FormattedValue",
        cst.Element: "Tuple",
        cst.Index: "Subscript",
    }
)


def _slot(site: Site) -> str:
    """The type of the node above, as the standard library's trees call it."""
    kind = type(site.above or site.tree)
    return _SLOTS.get(kind, kind.__name__)


def _as_sibling(site: Site) -> Iterator[Edit]:
    """One part of a statement exchanged for what stands there in a statement of the same shape."""
    own = _head(site.node)
    if own is None:
        return
    found: list[tuple[float, NodePath, cst.CSTNode, str]] = []
    for other, gap in _nearest_statements(site):
        theirs = _head(other)
        if theirs is None or type(own[1]) is not type(theirs[1]):
            continue
        differences = list(_differences(own[1], theirs[1], ()))
        if len(differences) <= MOST_DIFFERENCES:
            closeness = 1.0 / (len(differences) or 1) / (1.0 + gap / _CLOSE)
            what = clip_text(site.print(theirs[1]), 40)
            forgotten = _forgotten_names(own[1], theirs[1], differences)
            found += [(closeness, own[0] + at, new, what) for at, new in (*differences, *forgotten)]
    found.sort(key=lambda f: -f[0])
    for (closeness, at, new, what), share in zip(found, (0.4, 0.3, 0.2, *[0.1] * 12), strict=False):
        code = clip_text(site.print(new), 40)
        yield Edit((NodeChange(site.path + at, (new,)),), share * closeness, f"writes `{code}` as in `{what}`")


def _head(node: cst.CSTNode) -> tuple[NodePath, cst.CSTNode] | None:
    """What decides the shape of a statement: the one small statement, or the condition; and its path."""
    if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
        return ("body", 0), node.body[0]
    if isinstance(node, (cst.If, cst.While)):
        return ("test",), node.test
    return (("iter",), node.iter) if isinstance(node, cst.For) else None


def _nearest_statements(site: Site) -> list[tuple[cst.CSTNode, int]]:
    """The nearest of the statements around, in the order of the text."""
    around = list(_others(site))
    if len(around) <= MOST_COMPARED:
        return around
    farthest = sorted(gap for _, gap in around)[MOST_COMPARED - 1]
    return [(other, gap) for other, gap in around if gap <= farthest][:MOST_COMPARED]


def _others(site: Site) -> Iterator[tuple[cst.CSTNode, int]]:
    """Statements around, and how many statements away they stand: those of this block, and of the blocks beside it."""
    here = site.place
    if here is None:
        return
    for index, node in enumerate(site.siblings):
        if index != here[1]:
            yield node, abs(index - here[1])
            yield from ((inner, abs(index - here[1]) + 1) for inner in _difference_inside(node))
    owner = site.up.up if site.up is not None else None
    if owner is None:
        return
    if isinstance(owner.node, cst.If) and owner.node.orelse is not None:
        yield from ((inner, 1) for inner in _difference_inside(owner.node.orelse))
    outer = owner.statement
    if outer.place is not None and outer.path != site.path:
        for index, node in enumerate(outer.siblings):
            if index != outer.place[1]:
                yield from ((inner, abs(index - outer.place[1]) + 1) for inner in (node, *_difference_inside(node)))


def _difference_inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    body = getattr(node, "body", None)
    if isinstance(body, cst.IndentedBlock):
        yield from body.body
    orelse = getattr(node, "orelse", None)
    if orelse is not None:
        yield from (orelse,) if isinstance(orelse, cst.If) else ()
        yield from _difference_inside(orelse)


def _differences(own: cst.CSTNode, theirs: cst.CSTNode, at: NodePath) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    """Where the two differ: paths of expressions below the first, and what stands there in the second."""
    if kept_shape(own) == kept_shape(theirs):
        return
    mine, other = dict(steps(own)), dict(steps(theirs))
    if type(own) is type(theirs) and mine.keys() == other.keys() and mine:
        inner = [d for more in mine for d in _differences(mine[more], other[more], at + more)]
        if inner and not _hidden_names(inner):
            yield from inner
            return
    yield at, theirs


def _hidden_names(found: list[tuple[NodePath, cst.CSTNode]]) -> bool:
    """Whether some difference is of no expression: an operator or a label, for which its owner is exchanged.

    Example: ``+`` for ``-``, or ``x`` for ``y`` in ``a.y``, where all of ``a.y`` is exchanged.
    """
    return any(not isinstance(new, cst.BaseExpression) for _, new in found) or any(
        at[-1:] in (("attr",), ("keyword",), ("func",)) for at, _ in found
    )


def _forgotten_names(
    own: cst.CSTNode, theirs: cst.CSTNode, differences: list[tuple[NodePath, cst.CSTNode]]
) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    """Names that were forgotten in a copy: the rest of the statement renames them, this place does not."""
    pairs = [(node_at(own, at), new) for at, new in differences]
    renamed = {new.value: old for old, new in pairs if isinstance(old, cst.Name) and isinstance(new, cst.Name)}
    names = ((path, node) for path, node in walk(own) if path and path[-1] not in ("attr", "keyword"))
    for path, node in names if renamed else ():
        if isinstance(node, cst.Name) and node.value in renamed and renamed[node.value].value != node.value:
            yield path, renamed[node.value]


OPERATORS = (
    Operator("as_elsewhere", "ingredients", _VALUES, _as_elsewhere, choosy=True).with_examples(
        Example(
            "def f(a, b):\n    if a.lower() == 'x':\n        b = 1\n    return b if a == 'y' else 2\n",
            "def f(a, b):\n    if a.lower() == 'x':\n        b = 1\n    return b if a.lower() == 'y' else 2\n",
        ),
        Example("def f(p):\n    q = norm(p)\n    return q, p\n", "def f(p):\n    q = norm(p)\n    return q, norm(p)\n"),
        Example(
            "class A:\n    def g(self):\n        return self.n + 1\n    def f(self):\n        return self.n\n",
            "class A:\n    def g(self):\n        return self.n + 1\n    def f(self):\n        return self.n + 1\n",
        ),
        Example("def f(a):\n    return a.lower()\n"),
    ),
    Operator(
        "as_sibling",
        "ingredients",
        (cst.SimpleStatementLine, cst.If, cst.While, cst.For),
        _as_sibling,
        roles=STATEMENT,
        choosy=True,
    ).with_examples(
        Example(
            "def f(a):\n    x = g(a.left, 1)\n    y = g(a.right, 2)\n    return x, y\n",
            "def f(a):\n    x = g(a.left, 1)\n    y = g(a.right, 1)\n    return x, y\n",
        ),
        Example(
            "def f(p, q):\n    p.x = max(p.x, 0)\n    q.x = max(p.x, 0)\n",
            "def f(p, q):\n    p.x = max(p.x, 0)\n    q.x = max(q.x, 0)\n",
        ),
        Example(
            "def f(a):\n    if a.kind.upper() == 'A':\n        return 1\n    if a.kind == 'B':\n        return 2\n",
            "def f(a):\n    if a.kind.upper() == 'A':\n        return 1\n    if a.kind.upper() == 'B':\n"
            "        return 2\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
