"""Parts of comprehensions: what is collected, in which order the loops run, which filter of the neighbourhood holds."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank

_ANY = (cst.ListComp, cst.SetComp, cst.GeneratorExp)
_FORMS = ((cst.ListComp, "[{}]"), (cst.SetComp, "{{{}}}"), (cst.GeneratorExp, "({})"))


def _collect_otherwise(site: Site) -> Iterator[Edit]:
    """A list as a set, a tuple, or lazily; a lazy one as a list."""
    node = site.node
    assert isinstance(node, _ANY), "listed for these"
    inside = f"{site.print(node.elt)} {site.print(node.for_in).strip()}"
    forms = [form for kind, form in _FORMS if not isinstance(node, kind)]
    for form, weight in weigh_by_rank([*forms, "tuple({})", "sorted({})", "list(dict.fromkeys({}))"]):
        text = form.format(inside)
        yield site.put(text, weight * 0.7, f"collects `{clip_text(text)}`")


def _swap_loops(site: Site) -> Iterator[Edit]:
    """The two loops of a comprehension in the other order."""
    node = site.node
    assert isinstance(node, cst.BaseComp), "listed for these"
    outer, inner = node.for_in, node.for_in.inner_for_in
    if inner is not None and inner.inner_for_in is None:
        last = outer.with_changes(inner_for_in=None, whitespace_before=cst.SimpleWhitespace(" "))
        new = node.with_changes(for_in=inner.with_changes(inner_for_in=last))
        yield site.put(new, 0.6, f"runs the loops of `{clip_text(site.code)}` in the other order")


def _element(site: Site) -> Iterator[Edit]:
    """What is collected or filtered by: the loop's variable itself, or a known function of it."""
    node = site.node
    assert isinstance(node, _ANY), "listed for these"
    if not isinstance(node.for_in.target, cst.Name):
        return
    name, own = node.for_in.target.value, site.print(node.elt)
    functions = [c.text for c in site.words.callables if c.distance <= 1 and c.text not in ("super", "range")][:6]
    forms = [name, *(f"{f}({name})" for f in functions), f"str({name})", f"int({name})", f"len({name})", f"{name}[0]"]
    for text, weight in weigh_by_rank(form for form in forms if form != own):
        new = node.with_changes(elt=cst.parse_expression(text))
        yield site.put(new, weight, f"collects `{clip_text(text)}` instead of `{clip_text(own)}`")


OPERATORS = (
    Operator("collect_otherwise", "comprehension", _ANY, _collect_otherwise).with_examples(
        Example(
            "def f(rows):\n    return [row.id for row in rows]\n", "def f(rows):\n    return {row.id for row in rows}\n"
        ),
        Example(
            "def f(rows):\n    it = (r for r in rows)\n    return it\n",
            "def f(rows):\n    it = [r for r in rows]\n    return it\n",
        ),
        Example(
            "def f(tags):\n    return [t.lower() for t in tags if t]\n",
            "def f(tags):\n    return sorted(t.lower() for t in tags if t)\n",
        ),
        Example("def f(rows):\n    return {r.id: r for r in rows}\n"),
    ),
    Operator("swap_loops", "comprehension", (*_ANY, cst.DictComp), _swap_loops, choosy=True).with_examples(
        Example(
            "def f(table):\n    return [cell for cell in row for row in table]\n",
            "def f(table):\n    return [cell for row in table for cell in row]\n",
        ),
        Example(
            "def f(xs, ys):\n    return {(x, y) for x in xs if x for y in ys}\n",
            "def f(xs, ys):\n    return {(x, y) for y in ys for x in xs if x}\n",
        ),
        Example(
            "def f(a, b):\n    return {i + j: i for i in a for j in b}\n",
            "def f(a, b):\n    return {i + j: i for j in b for i in a}\n",
        ),
        Example("def f(a):\n    return [x for x in a]\n"),
    ),
    Operator("element", "comprehension", _ANY, _element, choosy=True).with_examples(
        Example(
            "def f(words):\n    return [w.title() for w in words]\n", "def f(words):\n    return [w for w in words]\n"
        ),
        Example(
            "def f(ports):\n    return ', '.join(p for p in ports)\n",
            "def f(ports):\n    return ', '.join(str(p) for p in ports)\n",
        ),
        Example(
            "class A:\n    def f(self, xs):\n        self.clean(xs)\n        return {x for x in xs}\n",
            "class A:\n    def f(self, xs):\n        self.clean(xs)\n        return {self.clean(x) for x in xs}\n",
        ),
        Example("def f(d):\n    return [k for k, v in d.items()]\n"),
    ),
)
