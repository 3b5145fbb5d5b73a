"""Expressions combined with others: one more, one less, negated, added to a neighbour."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import VALUES, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import has_sign, take_turns
from transforms.tree.code_text import operand


def _off_by_one(site: Site) -> Iterator[Edit]:
    if site.is_plain_value:
        likely = isinstance(site.above, (cst.Index, cst.Slice, cst.Arg, cst.ComparisonTarget, cst.Comparison))
        for text, weight in ((" + 1", 0.3), (" - 1", 0.3)):
            what = f"{'adds 1 to' if '+' in text else 'takes 1 from'} `{clip_text(site.code)}`"
            yield site.put(operand(site.code, "+") + text, weight if likely else weight / 2, what)


def _negate_value(site: Site) -> Iterator[Edit]:
    if not site.is_plain_value:
        return
    logical = site.field in ("test", "ifs") or isinstance(site.above, (cst.BooleanOperation, cst.Return))
    if not isinstance(site.node, cst.BinaryOperation):
        yield site.put(f"not {operand(site.code, 'not')}", 0.5 if logical else 0.2, f"negates `{clip_text(site.code)}`")
    if not has_sign(site):
        negative = f"-{operand(site.code, '*')}"
        yield site.put(negative, 0.1 if logical else 0.4, f"takes the negative of `{clip_text(site.code)}`")


def _power(site: Site) -> Iterator[Edit]:
    """``x`` squared, or its root."""
    if site.is_plain_value and site.kind in ("number", ""):
        for text, weight in ((" ** 2", 0.5), (" ** 0.5", 0.2)):
            new = operand(site.code, ".") + text
            yield site.put(new, weight, f"turns `{clip_text(site.code)}` into `{clip_text(new)}`")


def _combine(site: Site) -> Iterator[Edit]:
    """``x`` with another name or literal: ``x + y``, ``max(x, y)``, ``x or y``."""
    if not site.is_plain_value:
        return
    code = operand(site.code, "*")
    known = (*site.words.names, *site.words.attributes[:4])
    near = sorted(known, key=lambda i: -i.weight * (2 if any(abs(line - site.line) <= 3 for line in i.lines) else 1))
    others = [i.text for i in near if i.text not in ("self", "cls", "_", site.code)][:8]
    numbers = [i.text for i in site.words.numbers if i.distance == 0][:4]
    texts = [i.text for i in site.words.strings if i.distance == 0][:3]
    for text, weight in weigh_by_rank(_forms(site, code, others, numbers, texts), 0.2 if site.kind == "truth" else 1.0):
        yield site.put(text, weight, f"turns `{clip_text(site.code)}` into `{clip_text(text)}`")


def _forms(site: Site, code: str, others: list[str], numbers: list[str], texts: list[str]) -> list[str]:
    """Combinations of the value with others, those first that make sense of its kind."""
    kinds = dict(site.words.kinds)
    like = [o for o in others if kinds.get(o, site.kind) == site.kind]
    if site.kind in ("text", "list", "table"):
        forms = [form for o in like[:6] for form in (f"{code} + {o}", f"{o} + {code}")]
        forms += [form for t in texts for form in (f"{code} + {t}", f"{t} + {code}")] if site.kind == "text" else []
        forms += [f"{code} or {o}" for o in like[:4]] + [f"{code} * {o}" for o in others if kinds.get(o) == "number"]
        return forms + [f"{code} + {o}" for o in others]
    sums = [f"{code} {op} {o}" for o in like[:5] for op in ("+", "-", "*")]
    bounds = [f"{f}({site.code}, {o})" for o in (*like[:5], "0", "1") for f in ("max", "min")]
    parts = [f"{code} {op} {n}" for n in numbers for op in ("+", "-", "*", "//", "%", "/")]
    quotients = [f"{code} {op} {o}" for o in like[:4] for op in ("%", "//", "/")]
    turned = [f"{o} {op} {code}" for o in like[:5] for op in ("-", "/", "+")]
    forms = take_turns(sums, bounds, quotients, parts, turned)
    forms += [] if site.kind == "number" else [f"{code} + {t}" for t in texts] + [f"{t} + {code}" for t in texts]
    rare = _rare_signs(site.tree)
    return forms + [f"{code} {op} {o}" for o in others for op in ("+", "-", "//", "%", "/", *rare)]


_RARE = MappingProxyType(
    {
        **dict.fromkeys((cst.Power, cst.PowerAssign), "**"),
        **dict.fromkeys((cst.BitAnd, cst.BitAndAssign), "&"),
        **dict.fromkeys((cst.BitOr, cst.BitOrAssign), "|"),
        **dict.fromkeys((cst.BitXor, cst.BitXorAssign), "^"),
    }
)


def _keep_extreme(site: Site) -> Iterator[Edit]:
    """What is assigned over is kept where it is larger, or smaller: ``best = max(best, x)``.

    It may be a part: ``rows[-1] = Row(rows[-1].first, x.last)`` takes ``max(rows[-1].last, x.last)``.
    """
    if not site.is_plain_value or not isinstance(site.node, (cst.Name, cst.Attribute, cst.Call, cst.BinaryOperation)):
        return
    line = site.statement
    small = line.small_statement
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return
    target = small.targets[0].target
    if not isinstance(target, (cst.Name, cst.Attribute, cst.Subscript)) or site.role != "value":
        return
    old, whole = site.print(target), site.print(small.value)
    reads = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    if site.code == whole:
        kept = "" if reads.search(whole) else old
        if isinstance(target, cst.Name) and target.value not in {n.text for n in site.words.names}:
            return
    elif isinstance(site.node, cst.Attribute) and reads.search(whole) and not reads.match(site.code):
        kept = f"{old}.{site.node.attr.value}"
    else:
        return
    for name in ("max", "min") if kept else ():
        new = f"{name}({kept}, {site.code})"
        yield site.put(new, 0.5, f"keeps `{clip_text(kept)}` where it is {'larger' if name == 'max' else 'smaller'}")


@functools.lru_cache(8)
def _rare_signs(tree: cst.Module) -> tuple[str, ...]:
    """Signs that hardly anybody means where the function has none of them, as far as it has; annotations are no use."""
    found: set[str] = set()
    waiting: list[cst.CSTNode] = [tree]
    while waiting:
        node = waiting.pop()
        found |= {sign for kind, sign in _RARE.items() if type(node) is kind}
        waiting += [] if isinstance(node, cst.Annotation) else node.children
    return tuple(sorted(found))


OPERATORS = (
    Operator("off_by_one", "arithmetic", VALUES, _off_by_one).with_examples(
        Example("def f(n):\n    return range(n)\n", "def f(n):\n    return range(n + 1)\n"),
        Example("def f(a):\n    return a[len(a)]\n", "def f(a):\n    return a[len(a) - 1]\n"),
        Example("def f(rows, at):\n    return rows[at]\n", "def f(rows, at):\n    return rows[at + 1]\n"),
        Example("def f():\n    return 1\n"),
    ),
    Operator("negate_value", "wrap", VALUES, _negate_value).with_examples(
        Example("def f(a):\n    return bool(a)\n", "def f(a):\n    return not bool(a)\n"),
        Example("def f(a):\n    return a + 1\n", "def f(a):\n    return -a + 1\n"),
        Example(
            "def f(rows):\n    return sorted(rows, key=lambda row: row.size)\n",
            "def f(rows):\n    return sorted(rows, key=lambda row: -row.size)\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator("power", "compose", VALUES, _power).with_examples(
        Example("def area(side):\n    return side\n", "def area(side):\n    return side ** 2\n"),
        Example(
            "def spread(rows, mean):\n    return sum(r - mean for r in rows)\n",
            "def spread(rows, mean):\n    return sum((r - mean) ** 2 for r in rows)\n",
        ),
        Example(
            "def length(x, y):\n    return abs(x * x + y * y)\n",
            "def length(x, y):\n    return abs((x * x + y * y) ** 0.5)\n",
        ),
        Example("def f():\n    return 'a'\n"),
    ),
    Operator("keep_extreme", "compose", VALUES, _keep_extreme, choosy=True).with_examples(
        Example(
            "def f(rows):\n    end = 0\n    for row in rows:\n        end = row.end\n    return end\n",
            "def f(rows):\n    end = 0\n    for row in rows:\n        end = max(end, row.end)\n    return end\n",
        ),
        Example(
            "def merge(found, span):\n    found[-1] = Span(found[-1].first, span.last)\n",
            "def merge(found, span):\n    found[-1] = Span(found[-1].first, max(found[-1].last, span.last))\n",
        ),
        Example(
            "def offer(self, price):\n    self.lowest = price\n",
            "def offer(self, price):\n    self.lowest = min(self.lowest, price)\n",
        ),
        Example("def f(rows):\n    return g(rows)\n"),
        Example("def f(i):\n    while i < 9:\n        i = i + 1\n    return i\n"),
    ),
    Operator("combine", "compose", VALUES, _combine).with_examples(
        Example("def f(a, b):\n    return a\n", "def f(a, b):\n    return a - b\n"),
        Example("def f(a, b):\n    return g(b)\n", "def f(a, b):\n    return max(g(b), a)\n"),
        Example(
            "def f(base, offset):\n    start = base\n    return start\n",
            "def f(base, offset):\n    start = base + offset\n    return start\n",
        ),
        Example(
            "def f(flags, extra):\n    both = flags & extra\n    return flags, both\n",
            "def f(flags, extra):\n    both = flags & extra\n    return flags & extra, both\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
)
