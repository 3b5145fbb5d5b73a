"""Defaults and conversions where a value is missing or of the wrong type."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from analysis.facts import ConstraintKind
from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import called_name, only_index
from transforms.tree.code_text import operand

_K = ConstraintKind
_CONVERSIONS = ("str({})", "int({})", "list({})", "float({})", "tuple({})", "({},)", "[{}]", "len({})", "map(str, {})")
_VALUES = (_K.NULLABLE, _K.EMPTY_SEQUENCE, _K.ZERO_DIVISOR, _K.WRONG_TYPE, _K.OPTIONAL_ATTRIBUTE)


def _default(site: Site) -> Iterator[Edit]:
    """A value that may be missing replaced by itself or a default, at the place that failed."""
    for c in site.near.constraints_of(*_VALUES, _K.UNKNOWN_NAME):
        if c.expression != site.code or not site.is_on(c):
            continue
        x = operand(site.code, "or")
        names = [n for n in site.words.variables[:4] if n != site.code]
        values = ("1", "0") if c.kind is _K.ZERO_DIVISOR else ("''", "[]", "0", "{}", "()", *names, "1", "False")
        for value, weight in weigh_by_rank(values):
            yield site.put(f"{x} or {value}", weight * 0.7, f"takes `{value}` where `{clip_text(site.code)}` is empty")
            given = f"{x} if {operand(site.code, '<')} is not None else {value}"
            yield site.put(given, weight * 0.3, f"takes `{value}` where `{clip_text(site.code)}` is None")


def _safe_access(site: Site) -> Iterator[Edit]:
    """``d[k]`` as ``d.get(k)``; ``x.a`` as ``getattr(x, 'a', None)``."""
    node = site.node
    told = {c.expression for c in site.near.constraints_of(_K.MISSING_KEY, _K.OPTIONAL_ATTRIBUTE, _K.NULLABLE)}
    names = site.words.variables[:4]
    index = only_index(node)
    if isinstance(node, cst.Subscript) and index is not None:
        base, key = operand(site.print(node.value), "."), site.print(index)
        given = ("", *(f", {value}" for value in ("0", "''", "[]", "{}", key, *names, "False", "()")))
        for text, weight in weigh_by_rank(given, 1.0 if site.code in told else 0.4):
            yield site.put(f"{base}.get({key}{text})", weight, f"looks up `{clip_text(site.code)}` with a default")
    elif isinstance(node, cst.Attribute) and site.print(node.value) in told:
        for value, weight in weigh_by_rank(("None", "''", "0", "[]", "{}", "()", "False", *names)):
            text = f"getattr({site.print(node.value)}, {node.attr.value!r}, {value})"
            yield site.put(text, weight, f"takes `{value}` where there is no `{clip_text(site.code)}`")


def _get_default(site: Site) -> Iterator[Edit]:
    """A default for a lookup that has none: ``d.get(k)``, ``d.pop(k)``, ``getattr(x, n)``, ``next(i)``, ``max(x)``."""
    node = site.node_as(cst.Call)
    called = called_name(site, node)
    values = ("None", "0", "''", "[]", "{}", *site.words.variables[:4], "False", "()")
    fits = {"get": 1, "pop": 1, "getattr": 2, "next": 1}
    inside = site.code.rstrip()[:-1].rstrip().rstrip(",")
    if len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp) and not node.args[0].value.lpar:
        inside = f"{site.print(node.func)}({site.print(node.args[0].value)})".replace("(", "((", 1)
    if fits.get(called) == len(node.args) and node.args:
        for value, weight in weigh_by_rank(values):
            yield site.put(f"{inside}, {value})", weight, f"gives `{called}` the default `{value}`")
    elif called in ("max", "min") and len(node.args) == 1:
        for value, weight in weigh_by_rank(("None", "0", *values)):
            yield site.put(f"{inside}, default={value})", weight, f"gives `{called}` the default `{value}`")


def _convert(site: Site) -> Iterator[Edit]:
    """A value of the wrong type converted where it failed."""
    for c in site.near.constraints_of(_K.WRONG_TYPE, _K.FAILED_CONVERSION):
        if c.expression == site.code and site.is_on(c):
            for form, weight in weigh_by_rank(f for f in _CONVERSIONS if not f.startswith(f"{c.detail}(")):
                what = f"converts `{clip_text(site.code)}` with `{form.format('…')}`"
                yield site.put(form.format(site.code), weight, what)


OPERATORS = (
    Operator("default_value", "guard", (cst.BaseExpression,), _default, choosy=True).with_examples(
        Example(
            "def f(a):\n    return len(a)\n",
            "def f(a):\n    return len(a or '')\n",
            ((_K.NULLABLE, "a", "NoneType", 2),),
        ),
        Example(
            "def f(a, b):\n    return a / b\n",
            "def f(a, b):\n    return a / (b or 1)\n",
            ((_K.ZERO_DIVISOR, "b", "0", 2),),
        ),
        Example(
            "def f(tags, more):\n    return tags + more\n",
            "def f(tags, more):\n    return tags + (more or [])\n",
            ((_K.NULLABLE, "more", "NoneType", 2),),
        ),
        Example("def f(a):\n    return len(a)\n"),
    ),
    Operator("safe_access", "access", (cst.Subscript, cst.Attribute), _safe_access, choosy=True).with_examples(
        Example("def f(d, k):\n    return d[k]\n", "def f(d, k):\n    return d.get(k)\n"),
        Example(
            "def f(a):\n    return a.x\n",
            "def f(a):\n    return getattr(a, 'x', None)\n",
            ((_K.OPTIONAL_ATTRIBUTE, "a", "x", 2),),
        ),
        Example(
            "def f(prices, name):\n    total = prices[name] * 2\n    return total\n",
            "def f(prices, name):\n    total = prices.get(name, 0) * 2\n    return total\n",
        ),
        Example("def f(a):\n    return a.x\n"),
    ),
    Operator("lookup_default", "access", (cst.Call,), _get_default, choosy=True).with_examples(
        Example("def f(d, k):\n    return d.get(k)\n", "def f(d, k):\n    return d.get(k, 0)\n"),
        Example("def f(a):\n    return max(a)\n", "def f(a):\n    return max(a, default=None)\n"),
        Example(
            "def f(rows):\n    return next(row for row in rows if row)\n",
            "def f(rows):\n    return next((row for row in rows if row), None)\n",
        ),
        Example("def f(a):\n    return g(a)\n"),
    ),
    Operator("convert", "guard", (cst.BaseExpression,), _convert, choosy=True).with_examples(
        Example(
            "def f(a):\n    return 'x' + a\n", "def f(a):\n    return 'x' + str(a)\n", ((_K.WRONG_TYPE, "a", "int", 2),)
        ),
        Example(
            "def f(a, i):\n    return a[i]\n", "def f(a, i):\n    return a[int(i)]\n", ((_K.WRONG_TYPE, "i", "str", 2),)
        ),
        Example(
            "def f(width, text):\n    return text * width\n",
            "def f(width, text):\n    return text * int(width)\n",
            ((_K.WRONG_TYPE, "width", "str", 2),),
        ),
        Example("def f(a):\n    return 'x' + a\n"),
    ),
)
