"""Expressions replaced by ingredients: names, attributes, known expressions, assignment targets."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.ingredients.word_counts import Ingredient
from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import likeness

_WORDS = frozenset({"True", "False", "None", "self", "cls", "super", "__class__"})


def _nearness(site: Site, item: Ingredient) -> float:
    """The item's weight, more when it stands close by, much less when it is bound only later."""
    if not item.lines:
        return item.weight * 0.6
    gap = min(abs(line - site.line) for line in item.lines)
    later = min(item.lines) > site.line and not site.in_loop
    return item.weight * (1.5 if gap <= 2 else 1.0) * (0.2 if later else 1.0)


_MOST_SEEN = 8
"""Attributes of one value that are tried where none stood."""


def _sort_items(site: Site, items: tuple[Ingredient, ...], most: int = 30) -> list[str]:
    """The heaviest first; those of another kind than the value here, as far as that is known, behind the others."""
    own = site.kind
    other = {text for text, kind in site.words.kinds if own and kind != own}
    ranked = sorted(items, key=lambda i: (-_nearness(site, i) * (0.2 if i.text in other else 1), i.text))
    return [item.text for item in ranked[:most]]


def _replace_name(site: Site) -> Iterator[Edit]:
    own = site.node_as(cst.Name).value
    if own in _WORDS or site.field == "func":
        return
    local = [i for i in site.words.names if i.text not in (own, "_")]
    for text, weight in weigh_by_rank(_sort_items(site, tuple(local)), 0.8):
        yield site.put(text, weight * (0.3 if text in _WORDS else 1.0), f"uses `{text}` instead of `{own}`")
    if own.isupper() or own.startswith("_"):
        for text, weight in weigh_by_rank((i.text for i in site.words.constants if i.text != own), 0.3):
            yield site.put(text, weight, f"uses `{text}` instead of `{own}`")


def _name_to_expression(site: Site) -> Iterator[Edit]:
    own = site.node_as(cst.Name).value
    if own in _WORDS or site.field == "func" or isinstance(site.above, cst.Attribute):
        return
    words = site.words
    found = (*words.attributes, *words.expressions, *(c for c in words.calls if c.distance == 0))
    for text, weight in weigh_by_rank((t for t in _sort_items(site, found) if t != own), 0.8):
        yield site.put(text, weight, f"uses `{clip_text(text)}` instead of `{own}`")
    for text, weight in weigh_by_rank((i.text for i in words.constants[:12]), 0.2):
        yield site.put(text, weight, f"uses `{text}` instead of `{own}`")


def _replace_expression(site: Site) -> Iterator[Edit]:
    if site.field == "func" or site.code == "super()":
        return
    words = site.words
    own = site.print(site.node.with_changes(lpar=(), rpar=()))
    found = (*words.names, *words.attributes, *words.expressions, *(c for c in words.calls if c.distance == 0))
    for text, weight in weigh_by_rank(t for t in _sort_items(site, found, 40) if t not in ("self", "cls", "_", own)):
        yield site.put(text, weight, f"uses `{clip_text(text)}` instead of `{clip_text(site.code)}`")


def _replace_literal(site: Site) -> Iterator[Edit]:
    words = site.words
    found = (*words.names, *(a for a in words.attributes if a.distance == 0), *words.constants)
    for text, weight in weigh_by_rank(t for t in _sort_items(site, found, 16) if t not in ("self", "cls", "_")):
        yield site.put(text, weight, f"uses `{text}` instead of `{clip_text(site.code)}`")


def _rename_attribute(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Attribute)
    if site.field == "func":
        return
    own, value = node.attr.value, site.print(node.value)
    known = [a.text[len(value) + 1 :] for a in site.words.attributes if a.text.startswith(f"{value}.")]
    seen = sorted(site.words.attributes_of(value), key=lambda name: -likeness(own, name))
    direct = [k for k in (*known, *seen) if k.isidentifier() and k != own]
    rest = sorted(
        (i for i in site.words.attribute_names[:120] if i.text != own and not i.text.startswith("__")),
        key=lambda i: (-(i.weight + 3 * likeness(own, i.text)), i.text),
    )
    for name, weight in weigh_by_rank([*direct, *(i.text for i in rest[:25])]):
        yield site.put(f"{value}.{name}", weight, f"reads `.{name}` instead of `.{own}`")


def _add_attribute(site: Site) -> Iterator[Edit]:
    if site.field == "func" or site.code in ("True", "False", "None", "cls", "super"):
        return
    value = f"{site.code}."
    known = [a.text for a in site.words.attributes if a.text.startswith(value) and a.text[len(value) :].isidentifier()]
    known += [f"{value}{name}" for name in site.words.attributes_of(site.code)][:_MOST_SEEN]
    others = [f"{value}{i.text}" for i in site.words.attribute_names if not i.text.startswith("__")][:8]
    for text, weight in weigh_by_rank([*known, *(others if site.code != "self" else ())]):
        yield site.put(text, weight, f"reads `{text}` instead of `{site.code}`")


def _replace_target(site: Site) -> Iterator[Edit]:
    own = site.code
    names = [i.text for i in site.words.names if i.text not in (own, "self", "cls", "_")]
    attributes = [i.text for i in site.words.attributes if i.text.startswith("self.") and i.text != own]
    subscripts = [i.text for i in site.words.expressions if i.text.endswith("]") and i.text != own]
    for text, weight in weigh_by_rank([*names, *attributes[:8], *subscripts[:8]]):
        yield site.put(text, weight, f"assigns to `{text}` instead of `{clip_text(own)}`")


OPERATORS = (
    Operator("replace_name", "ingredients", (cst.Name,), _replace_name).with_examples(
        Example("def f(a, b):\n    return a + a\n", "def f(a, b):\n    return a + b\n"),
        Example(
            "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return xs\n",
            "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n",
        ),
        Example(
            "def f(left, right):\n    for item in left:\n        right.append(left)\n    return right\n",
            "def f(left, right):\n    for item in left:\n        right.append(item)\n    return right\n",
        ),
        Example("def f():\n    return True\n"),
    ),
    Operator("name_to_expression", "ingredients", (cst.Name,), _name_to_expression).with_examples(
        Example("def f(a, n):\n    g(a[n])\n    return n\n", "def f(a, n):\n    g(a[n])\n    return a[n]\n"),
        Example(
            "class A:\n    def f(self, x):\n        self.x = 1\n        return x\n",
            "class A:\n    def f(self, x):\n        self.x = 1\n        return self.x\n",
        ),
        Example(
            "def f(order, rate):\n    print(order.total)\n    return order * rate\n",
            "def f(order, rate):\n    print(order.total)\n    return order.total * rate\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator(
        "replace_expression",
        "ingredients",
        (cst.Attribute, cst.Subscript, cst.Call, cst.BinaryOperation),
        _replace_expression,
    ).with_examples(
        Example("def f(a, b):\n    return a.x + b\n", "def f(a, b):\n    return b + b\n"),
        Example("def f(a, i):\n    g(a[i])\n    return h(a)\n", "def f(a, i):\n    g(a[i])\n    return a[i]\n"),
        Example(
            "def f(box, low):\n    if box.high > low:\n        return box.low\n",
            "def f(box, low):\n    if box.high > low:\n        return box.high\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator(
        "replace_literal",
        "ingredients",
        (cst.Integer, cst.Float, cst.SimpleString, cst.List, cst.Dict, cst.Tuple),
        _replace_literal,
    ).with_examples(
        Example("def f(a, n):\n    return a * 2\n", "def f(a, n):\n    return a * n\n"),
        Example("SEP = ','\ndef f(a):\n    return a.split(';')\n", "SEP = ','\ndef f(a):\n    return a.split(SEP)\n"),
        Example("def f(rows, most=10):\n    return rows[:5]\n", "def f(rows, most=10):\n    return rows[:most]\n"),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("rename_attribute", "attributes", (cst.Attribute,), _rename_attribute).with_examples(
        Example("def f(p, q):\n    return p.x + q.y + p.y\n", "def f(p, q):\n    return p.x + q.x + p.y\n"),
        Example(
            "class A:\n    def g(self):\n        return self.tail\n    def f(self):\n        return self.head\n",
            "class A:\n    def g(self):\n        return self.tail\n    def f(self):\n        return self.tail\n",
        ),
        Example(
            "def f(file):\n    print(file.size)\n    return file.length\n",
            "def f(file):\n    print(file.size)\n    return file.size\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("add_attribute", "attributes", (cst.Name, cst.Subscript, cst.Attribute), _add_attribute).with_examples(
        Example(
            "def f(a, b):\n    print(a.name)\n    return b\n", "def f(a, b):\n    print(a.name)\n    return b.name\n"
        ),
        Example("def f(e):\n    g(e.code)\n    return e\n", "def f(e):\n    g(e.code)\n    return e.code\n"),
        Example(
            "class A:\n    def g(self, row):\n        return row.key\n    def f(self, row):\n        return row\n",
            "class A:\n    def g(self, row):\n        return row.key\n    def f(self, row):\n        return row.key\n",
        ),
        Example("def f(a):\n    return 1\n"),
    ),
    Operator(
        "replace_target", "ingredients", (cst.Name, cst.Attribute, cst.Subscript), _replace_target, roles=("target",)
    ).with_examples(
        Example("def f(a):\n    x = 1\n    y = a\n    return x\n", "def f(a):\n    x = 1\n    x = a\n    return x\n"),
        Example(
            "class A:\n    def f(self, v):\n        v = v + self.n\n",
            "class A:\n    def f(self, v):\n        self.n = v + self.n\n",
        ),
        Example(
            "def f(rows, best):\n    worst = 0\n    for row in rows:\n        best = row\n    return worst\n",
            "def f(rows, best):\n    worst = 0\n    for row in rows:\n        worst = row\n    return worst\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
