"""One name exchanged for another at all places of a function: a type or an attribute that was taken for another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import Edit, Example, NodeChange, Operator, Site, weigh_by_rank
from transforms.operators.parts import function_of
from transforms.tree.node_path import NodePath, walk

_ALIKE = (
    ("bytes", "str", "bytearray"),
    ("int", "float"),
    ("list", "tuple", "set", "frozenset", "dict"),
    ("min", "max"),
    ("any", "all"),
    ("str", "repr"),
)


def _type_everywhere(site: Site) -> Iterator[Edit]:
    """Each call of ``str`` as one of ``bytes``, and the like, where there are several."""
    node = site.node_as(cst.Name)
    own = node.value
    if site.field != "func" or not any(own in group for group in _ALIKE):
        return
    places = [
        (*at, "func")
        for at, found in walk(function_of(site).body, ("body",))
        if isinstance(found, cst.Call) and isinstance(found.func, cst.Name) and found.func.value == own
    ]
    others = [other for group in _ALIKE if own in group for other in group if other != own]
    yield from _at_all(site, own, others, places)


def _attribute_everywhere(site: Site) -> Iterator[Edit]:
    """Each ``x.a`` as ``x.b`` where there are several."""
    node = site.node_as(cst.Attribute)
    own, code = node.attr.value, site.code
    others = [other for other in site.words.similar_names if other != own]
    if own not in site.words.similar_names or not others:
        return
    nodes = walk(function_of(site).body, ("body",))
    places = [at for at, found in nodes if isinstance(found, cst.Attribute) and site.print(found) == code]
    base = code.rpartition(".")[0]
    yield from _at_all(site, code, [f"{base}.{other}" for other in others[:8]], places)


def _at_all(site: Site, own: str, others: list[str], places: list[NodePath]) -> Iterator[Edit]:
    """Offered once, at the first of the places."""
    if len(places) < 2 or places[0] != site.path:
        return
    for other, weight in weigh_by_rank(others):
        changes = tuple(NodeChange(at, (other,)) for at in places)
        yield Edit(changes, weight, f"writes `{other}` instead of `{own}` at {len(places)} places")


OPERATORS = (
    Operator("type_everywhere", "ingredients", (cst.Name,), _type_everywhere, choosy=True).with_examples(
        Example(
            "def f(parts, n):\n    head = str(parts[:n])\n    return head, str(parts[n:])\n",
            "def f(parts, n):\n    head = bytes(parts[:n])\n    return head, bytes(parts[n:])\n",
        ),
        Example(
            "def f(row):\n    if max(row) > 3:\n        return [max(row, key=abs)]\n    return row\n",
            "def f(row):\n    if min(row) > 3:\n        return [min(row, key=abs)]\n    return row\n",
        ),
        Example("def f(a, b):\n    return {int(a): int(b)}\n", "def f(a, b):\n    return {float(a): float(b)}\n"),
        Example("def f(a, b=int(3)):\n    return int(a) + b.int\n"),
    ),
    Operator("attribute_everywhere", "attributes", (cst.Attribute,), _attribute_everywhere, choosy=True).with_examples(
        Example(
            "class A:\n    def g(self):\n        return self.upper_size\n    def f(self, n):\n"
            "        if self.lower_size > n:\n            n = self.lower_size\n        return n\n",
            "class A:\n    def g(self):\n        return self.upper_size\n    def f(self, n):\n"
            "        if self.upper_size > n:\n            n = self.upper_size\n        return n\n",
        ),
        Example(
            "def g(p):\n    return p.last_name\ndef f(p):\n    return p.first_name or len(p.first_name)\n",
            "def g(p):\n    return p.last_name\ndef f(p):\n    return p.last_name or len(p.last_name)\n",
        ),
        Example(
            "def f(box, log):\n    log.width = box.height\n    return [box.height, log.width]\n",
            "def f(box, log):\n    log.width = box.width\n    return [box.width, log.width]\n",
        ),
        Example("@box.height\ndef f(box):\n    return box.height + box.width\n"),
    ),
)
