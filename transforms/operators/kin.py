"""Tests widened or narrowed by their family: another predicate on the same operands, another value, another class."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import is_negation, likeness, only_comparison, without_parentheses
from transforms.tree.code_text import operand


def _same_family_test(site: Site) -> Iterator[Edit]:
    """``p(x)`` widened or narrowed by what is of its family: ``p(x) or q(x)``, ``p(x) and not q(x)``."""
    node = site.node_as(cst.Call)
    if not _decides(site):
        return
    for other, weight in weigh_by_rank(_same_family_calls(site, node)):
        code = clip_text(site.code, 40)
        for text, share in (
            (f"{site.code} or {other}", 0.5),
            (f"{site.code} and {other}", 0.25),
            (f"{site.code} and not {other}", 0.25),
        ):
            yield site.put(text, weight * share, f"asks `{clip_text(text)}` instead of `{code}`")


def _decides(site: Site) -> bool:
    """Whether the value is taken for its truth, or returned: ``p(x)`` of ``if p(x):`` and of ``not p(x)``."""
    joined = isinstance(site.above, (cst.BooleanOperation, cst.Return)) or is_negation(site.above)
    return joined or site.field == "test"


def _same_family_calls(site: Site, node: cst.Call) -> list[str]:
    """Calls with the same arguments of functions and methods that take as many and are named alike."""
    function = site.print(node.func)
    inside = site.code[len(function) :]
    base, _, own = function.rpartition(".")
    known = [m.text for m in site.words.methods if m.text not in _MUTATORS] if base else []
    defined = [
        c.name.removeprefix("self.").removeprefix(".")
        for c in site.words.callees
        if len(c.parameters) >= len(node.args) and ("." in c.name) == bool(base)
    ]
    names = dict.fromkeys(n for n in (*defined, *known) if n != own and not n.startswith("__"))
    alike = {n: _family_weight(own, n) for n in list(names)[:150]}
    close = sorted((n for n in alike if alike[n] >= 0.45), key=lambda n: (-alike[n], n))
    return [f"{base}.{n}{inside}" if base else f"{n}{inside}" for n in close[:10]]


def _family_weight(one: str, other: str) -> float:
    """How alike two names are; a name that goes on where the other ends is the most alike."""
    within = min(len(one), len(other)) > 3 and (one in other or other in one)
    return max(likeness(one, other), 0.9) if within else likeness(one, other)


_MUTATORS = frozenset({"append", "pop", "extend", "insert", "remove", "update", "add", "clear", "write", "close"})


def _other_value(site: Site) -> Iterator[Edit]:
    """``x == a`` widened by a constant of the neighbourhood: ``x in (a, b)``; ``!=`` to ``not in``."""
    node = site.node_as(cst.Comparison)
    target = only_comparison(node)
    if target is None or not isinstance(target.operator, (cst.Equal, cst.NotEqual)):
        return
    if isinstance(target.comparator, cst.SimpleString):
        words, more = site.words.strings, ["None", "''"]
    elif isinstance(target.comparator, cst.Integer):
        words, more = site.words.numbers, ["0", "1", "-1", "None"]
    else:
        return
    left, own = operand(site.print(node.left), "<"), site.print(target.comparator)
    word = "in" if isinstance(target.operator, cst.Equal) else "not in"
    near = [i.text for i in words if len(i.text) < 24]
    for other, weight in weigh_by_rank([v for v in (*near[:6], *more, *near[6:20]) if v != own]):
        text = f"{left} {word} ({own}, {other})"
        yield site.put(text, weight, f"asks for `{clip_text(text)}` instead of `{clip_text(site.code)}`")


def _other_class(site: Site) -> Iterator[Edit]:
    """Another class beside or in place of the one of ``isinstance``."""
    node = site.node_as(cst.Call)
    if site.print(node.func) not in ("isinstance", "issubclass") or len(node.args) != 2:
        return
    value, own = site.print(node.args[0].value), site.print(node.args[1].value)
    held = without_parentheses(own)
    used = [c.text for c in site.words.classes]
    for name, weight in weigh_by_rank(n for n in (*used, *_CLASSES) if n and n not in held):
        wide = f"{site.print(node.func)}({value}, ({held}, {name}))"
        yield site.put(wide, weight * 0.7, f"takes `{name}` as well")
        yield site.put(f"{site.print(node.func)}({value}, {name})", weight * 0.3, f"asks for `{name}`, not `{own}`")


_CLASSES = ("str", "list", "tuple", "int", "float", "dict", "bytes", "set", "frozenset", "bool", "type(None)", "range")


OPERATORS = (
    Operator("kindred_test", "condition", (cst.Call,), _same_family_test, choosy=True).with_examples(
        Example(
            "def is_int(x):\n    return 1\ndef is_big_int(x):\n    return 2\ndef f(a):\n    if is_int(a):\n"
            "        return 3\n",
            "def is_int(x):\n    return 1\ndef is_big_int(x):\n    return 2\ndef f(a):\n"
            "    if is_int(a) or is_big_int(a):\n        return 3\n",
        ),
        Example(
            "def f(p, q):\n    if q.is_dir():\n        return p\n    return q.is_file()\n",
            "def f(p, q):\n    if q.is_dir():\n        return p\n    return q.is_file() and not q.is_dir()\n",
        ),
        Example(
            "class A:\n    def has_x(self, k):\n        return 1\n    def has_y(self, k):\n        return 2\n"
            "    def f(self, k):\n        return 1 if self.has_x(k) else 2\n",
            "class A:\n    def has_x(self, k):\n        return 1\n    def has_y(self, k):\n        return 2\n"
            "    def f(self, k):\n        return 1 if self.has_x(k) and self.has_y(k) else 2\n",
        ),
        Example("def is_int(x):\n    return 1\ndef f(a):\n    print(is_ints(a))\n"),
    ),
    Operator("other_value", "condition", (cst.Comparison,), _other_value, choosy=True).with_examples(
        Example(
            "def f(a):\n    if a == 'x':\n        return 'y'\n",
            "def f(a):\n    if a in ('x', 'y'):\n        return 'y'\n",
        ),
        Example("def f(n):\n    return n != 3\n", "def f(n):\n    return n not in (3, 0)\n"),
        Example(
            "SEP = ','\ndef f(a):\n    return a.x == 'x'\n", "SEP = ','\ndef f(a):\n    return a.x in ('x', None)\n"
        ),
        Example("def f(a, b):\n    return a == b\n"),
    ),
    Operator("other_class", "condition", (cst.Call,), _other_class, choosy=True).with_examples(
        Example("def f(a):\n    return isinstance(a, list)\n", "def f(a):\n    return isinstance(a, (list, tuple))\n"),
        Example(
            "def g(b):\n    return isinstance(b, Path)\ndef f(a):\n    return isinstance(a, str)\n",
            "def g(b):\n    return isinstance(b, Path)\ndef f(a):\n    return isinstance(a, (str, Path))\n",
        ),
        Example(
            "def f(a):\n    return isinstance(a, (list, tuple))\n",
            "def f(a):\n    return isinstance(a, (list, tuple, set))\n",
        ),
        Example("def f(a):\n    return hasattr(a, 'x')\n"),
    ),
)
