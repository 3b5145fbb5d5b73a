"""mutmut's sixteen operators, used as a library for mending and for mutation.

Pinned (``mutmut>=3.8,<3.9``): the module has no promised interface. Only the bare (type, function)
pairs are used; mutmut's drivers read configuration from the working directory and are never called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_change
from transforms.tree.matching import in_place

with in_place():
    from mutmut.mutation.mutators import mutation_operators

_EXAMPLES: tuple[tuple[str, str, str], ...] = (
    ("number", "def f(): return 1", "def f(): return 2"),
    ("number", "def f(): return 1.5", "def f(): return 2.5"),
    ("string", "def f(): return 'ab'", "def f(): return 'XXabXX'"),
    ("string", "def f(): return 'ab'", "def f(): return 'AB'"),
    ("name", "def f(): return True", "def f(): return False"),
    ("name", "def f(x): return deepcopy(x)", "def f(x): return copy(x)"),
    ("assignment", "def f():\n    x = 1\n    return x\n", "def f():\n    x = None\n    return x\n"),
    ("assignment", "def f():\n    x: int = 1\n    return x\n", "def f():\n    x: int = None\n    return x\n"),
    ("augmented_assignment", "def f(x):\n    x += 1\n    return x\n", "def f(x):\n    x = 1\n    return x\n"),
    ("augmented_assignment", "def f(x):\n    x |= 2\n    return x\n", "def f(x):\n    x = 2\n    return x\n"),
    ("remove_unary_ops", "def f(x): return not x", "def f(x): return x"),
    ("remove_unary_ops", "def f(x): return ~x", "def f(x): return x"),
    ("dict_arguments", "def f(): return dict(a=1)", "def f(): return dict(aXX=1)"),
    ("dict_arguments", "def f(): return dict(b=x)", "def f(): return dict(bXX=x)"),
    ("arg_removal", "def f(a, b): return g(a, b)", "def f(a, b): return g(None, b)"),
    ("arg_removal", "def f(a, b): return g(a, b)", "def f(a, b): return g(b)"),
    ("symmetric_string_methods_swap", "def f(x): return x.lower()", "def f(x): return x.upper()"),
    ("symmetric_string_methods_swap", "def f(x): return x.lstrip()", "def f(x): return x.rstrip()"),
    ("unsymmetrical_string_methods_swap", "def f(x): return x.split('a', 1)", "def f(x): return x.rsplit('a', 1)"),
    ("unsymmetrical_string_methods_swap", "def f(x): return x.rsplit('a', 1)", "def f(x): return x.split('a', 1)"),
    ("lambda", "def f(): return lambda: 1", "def f(): return lambda: None"),
    ("lambda", "def f(): return lambda: None", "def f(): return lambda: 0"),
    ("keywords", "def f(x): return x is None", "def f(x): return x is not None"),
    ("keywords", "def f(x, y): return x in y", "def f(x, y): return x not in y"),
    ("swap_op", "def f(x): return x + 1", "def f(x): return x - 1"),
    ("swap_op", "def f(x): return x < 1", "def f(x): return x <= 1"),
    (
        "match",
        "def f(x):\n    match x:\n        case 1:\n            return 2\n        case _:\n            return 3\n",
        "def f(x):\n    match x:\n        case _:\n            return 3\n",
    ),
    (
        "match",
        "def f(x):\n    match x:\n        case 1:\n            return 2\n        case _:\n            return 3\n",
        "def f(x):\n    match x:\n        case 1:\n            return 2\n",
    ),
    ("if_exp", "def f(a, b): return a if b else 0", "def f(a, b): return a if (b) and False else 0"),
    ("if_exp", "def f(a, b): return a if b else 0", "def f(a, b): return a if (b) or True else 0"),
    ("number", "def f(rows): return rows[3:]", "def f(rows): return rows[4:]"),
    ("string", "def f(d): return d['Id']", "def f(d): return d['id']"),
    ("name", "def f(rows): return g(rows, False)", "def f(rows): return g(rows, True)"),
    ("assignment", "def f(a):\n    b = None\n    return b\n", "def f(a):\n    b = ''\n    return b\n"),
    ("augmented_assignment", "def f(n, by):\n    n *= by\n    return n\n", "def f(n, by):\n    n = by\n    return n\n"),
    (
        "remove_unary_ops",
        "def f(rows):\n    while not rows.done:\n        rows.step()\n",
        "def f(rows):\n    while rows.done:\n        rows.step()\n",
    ),
    ("dict_arguments", "def f(x): return dict(size=x, name=1)", "def f(x): return dict(size=x, nameXX=1)"),
    ("arg_removal", "def f(a): return g(a, key=1)", "def f(a): return g(a)"),
    ("symmetric_string_methods_swap", "def f(x, y): return x.find(y)", "def f(x, y): return x.rfind(y)"),
    (
        "unsymmetrical_string_methods_swap",
        "def f(x): return x.split(maxsplit=1)",
        "def f(x): return x.rsplit(maxsplit=1)",
    ),
    (
        "lambda",
        "def f(xs): return sorted(xs, key=lambda x: x.size)",
        "def f(xs): return sorted(xs, key=lambda x: None)",
    ),
    ("keywords", "def f(xs):\n    for x in xs:\n        break\n", "def f(xs):\n    for x in xs:\n        return\n"),
    ("swap_op", "def f(a, b): return a and b", "def f(a, b): return a or b"),
    (
        "match",
        "def f(x):\n    match x:\n        case 1 | 2:\n            return 2\n        case 3:\n"
        "            return 3\n        case 4:\n            return 4\n",
        "def f(x):\n    match x:\n        case 1 | 2:\n            return 2\n        case 4:\n            return 4\n",
    ),
    (
        "if_exp",
        "def f(rows): return [1 if row else 2 for row in rows]",
        "def f(rows): return [1 if (row) or True else 2 for row in rows]",
    ),
)

_LEFT_ALONE = Example("def f(a):\n    return a\n")


def _edits(function: Callable[[Any], Iterable[cst.CSTNode]]) -> Callable[[Site], Iterator[Edit]]:
    def edits(site: Site) -> Iterator[Edit]:
        weight = 0.5
        for node in function(site.node):
            before, after = clip_change(site.code or site.print(site.node), site.print(node))
            yield site.put(node, weight, f"turns `{before}` into `{after}`")
            weight *= 0.7

    return edits


_NARROWER: Mapping[str, tuple[type[cst.CSTNode], ...]] = MappingProxyType(
    {
        "operator_keywords": (cst.Is, cst.IsNot, cst.In, cst.NotIn, cst.Break, cst.Continue),
        "operator_swap_op": (
            cst.BinaryOperation,
            cst.UnaryOperation,
            cst.BooleanOperation,
            cst.ComparisonTarget,
            cst.AugAssign,
        ),
    }
)
"""Types for the two that mutmut offers every node: the only ones of which they make something."""


def _operators() -> Iterator[Operator]:
    """One operator per function, under mutmut's name for it: two of the pairs share one."""
    kinds: dict[Callable[[Any], Iterable[cst.CSTNode]], list[type[cst.CSTNode]]] = {}
    for kind, function in mutation_operators:
        kinds.setdefault(function, []).append(kind)
    for function, types in kinds.items():
        name = getattr(function, "__name__", "operator")
        yield Operator(
            name=name.replace("operator_", "mutmut_"),
            family="mutmut",
            on=_NARROWER.get(name, tuple(types)),
            edits=_edits(function),
            examples=(*(Example(b, a) for n, b, a in _EXAMPLES if f"operator_{n}" == name), _LEFT_ALONE),
            roles=("value", "target", "label", "part", "statement"),
            mutates=True,
            choosy=True,
        )


OPERATORS = tuple(_operators())
