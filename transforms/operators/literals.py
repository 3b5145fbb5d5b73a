"""Literals: numbers, strings, constants, slice bounds and the elements of collections."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import has_sign, only_index, requoted
from transforms.tree.code_text import operand

MOST_TOLD = 8
"""So many calls are tried in place of one number."""

_NEUTRAL = ("None", "0", "''", "[]", "False", "True", "{}", "()", "1", "-1", "set()")


def _number(site: Site) -> Iterator[Edit]:
    """Another number; of one with a minus, minus and digits are one number."""
    if has_sign(site):
        return
    try:
        value = ast.literal_eval(site.code.strip("()"))
    except (ValueError, SyntaxError):
        return
    if not isinstance(value, (int, float)):
        return
    steps = [repr(value + 1), repr(value - 1)]
    near = [n.text for n in site.words.numbers if n.distance == 0 and n.text != site.code]
    fixed = ["0", "1", "-1", "2", repr(-value) if value else "1", "10"]
    scaled = [repr(value * 10), repr(value * 2), repr(value / 2 if value % 2 else value // 2)]
    far = [n.text for n in site.words.numbers if n.distance][:6]
    texts = (*steps, *near[:4], *fixed, *scaled, *near[4:], *far)
    for text, weight in weigh_by_rank(text for text in texts if text != site.code):
        yield site.put(text, weight, f"uses {text} instead of {site.code}")


def _told_number(site: Site) -> Iterator[Edit]:
    """What the program knows, in place of a fixed number: ``month = 30`` as ``month = days_in_month(day)``.

    Known are functions of the module, asked for what is at hand, attributes, and parameters. A function comes first
    whose name has a word of what the number is assigned to.
    """
    if has_sign(site) or site.role != "value" or site.code in ("0", "1", "2", "-1"):
        return
    if site.enclosing(cst.MatchValue, cst.MatchMappingElement) is not None:  # a name there takes whatever comes
        return
    small = site.statement.small_statement
    target = site.print(small.targets[0].target) if isinstance(small, cst.Assign) else ""
    words = {word for word in re.split(r"[\W_]+", target) if len(word) > 2}
    names, parameters = site.words.variables[:6], set(site.words.parameters)
    around = [each.node for each in site.ancestors() if isinstance(each.node, cst.FunctionDef)]
    own = around[-1].name.value if around else ""
    asked: list[tuple[int, str]] = []
    for callee in (c for c in site.words.callees if len(c.parameters) == 1 and c.distance <= 2):
        if callee.name.startswith(".") or callee.name[:1].isupper() or callee.name == own:
            continue
        shared = bool(words & set(callee.name.split("_")))
        for name in names:
            fits = name == callee.parameters[0] or name in parameters
            asked.append((-2 * shared - fits, f"{callee.name}({name})"))
    calls = [call for _, call in sorted(asked, key=lambda each: each[0])][:MOST_TOLD]
    known = [a.text for a in site.words.attributes if a.distance == 0][:4]
    for text, weight in weigh_by_rank([*calls, *known, *site.words.parameters[:4]]):
        yield site.put(text, weight, f"asks `{clip_text(text)}` instead of {site.code}")


def _constant(site: Site) -> Iterator[Edit]:
    if site.code not in ("True", "False", "None"):
        return
    first = {"True": "False", "False": "True", "None": "''"}[site.code]
    names = site.words.variables[:6]
    for text, weight in weigh_by_rank(t for t in [first, *names, *_NEUTRAL] if t != site.code):
        yield site.put(text, weight, f"uses `{text}` instead of `{site.code}`")


def _string(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.SimpleString)
    if node.quote in ('"""', "'''"):
        return
    value = node.raw_value
    near = [s.text for s in site.words.strings if s.text != site.code][:12]
    forms = [f" {value}", f"{value} ", value.strip(), value.lower(), value.upper(), value.capitalize(), "", " "]
    forms += [value[:-1], value[1:], value.rstrip("s") if value.endswith("s") else f"{value}s", f"{value}\\n"]
    own = [requoted(node, form) for form in forms if form != value]
    for text, weight in weigh_by_rank([*near[:4], *own, *near[4:]]):
        yield site.put(text, weight, f"uses {clip_text(text)} instead of {clip_text(site.code)}")


def _slice(site: Site) -> Iterator[Edit]:
    """Bounds and steps of a slice moved by one, to the other end, dropped, added; an index turned into a slice."""
    node = site.node_as(cst.Subscript)
    if len(node.slice) != 1:
        return
    part, value = node.slice[0].slice, site.print(node.value)
    for text, weight in weigh_by_rank(_bounds(site, part)):
        yield site.put(f"{value}[{text}]", weight, f"takes `[{text}]` of `{clip_text(value)}`")


def _bounds(site: Site, part: cst.BaseSlice) -> Iterator[str]:
    if isinstance(part, cst.Index):
        index = site.print(part.value)
        moved = (
            [str(int(index) + by) for by in (-1, 1)]
            if index.removeprefix("-").isdecimal()
            else [f"{index} - 1", f"{index} + 1"]
        )
        yield from dict.fromkeys(each for each in (*moved, "-1", "0", f"{index}:", f":{index}") if each != index)
        yield f"-{index}" if index.isalnum() else "1"
        return
    assert isinstance(part, cst.Slice), "the only other kind"
    low, high, step = (site.print(p) if p else "" for p in (part.lower, part.upper, part.step))
    tail = f":{step}" if step else ""
    names = site.words.variables[:4]
    if high:
        yield from (f"{low}:{_move_digits(high, d)}{tail}" for d in (1, -1))
    if low:
        yield from (f"{_move_digits(low, d)}:{high}{tail}" for d in (1, -1))
    if high.startswith("-") and not low:
        yield f"{high[1:]}:{tail}"
    if low.isalnum() and not high:
        yield f":-{low}{tail}"
    yield f"{low}:{tail}" if high else f"{low}:-1{tail}"
    yield f":{high}{tail}" if low else f"1:{high}{tail}"
    yield from (f"{name}:{high}{tail}" for name in names if name != low)
    yield from (f"{low}:{name}{tail}" for name in names if name != high)
    yield f"{low}:{high}" if step else f"{low}:{high}:-1"


def _move_digits(text: str, by: int) -> str:
    if text.lstrip("-").isdigit():
        return str(int(text) + by)
    return f"{text} {'+' if by > 0 else '-'} 1"


def _elements(site: Site) -> Iterator[Edit]:
    """One element of a literal collection dropped, doubled up by a neighbour literal, or two swapped."""
    node = site.node
    assert isinstance(node, (cst.List, cst.Tuple, cst.Set, cst.Dict)), "listed for collections"
    items = list(node.elements)
    if not 1 <= len(items) <= 12:
        return
    texts = [site.print(i.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for i in items]
    brackets = {cst.List: "[]", cst.Tuple: "()", cst.Set: "{}", cst.Dict: "{}"}[type(node)]
    share = 0.5 / len(items)
    for i in range(len(items) - 1):
        swapped = [*texts[:i], texts[i + 1], texts[i], *texts[i + 2 :]]
        what = f"swaps `{clip_text(texts[i])}` and `{clip_text(texts[i + 1])}`"
        yield site.put(_join_items(brackets, swapped), share, what)
    for i in range(len(items)):
        if len(items) > 1 or not isinstance(node, cst.Set):
            rest = _join_items(brackets, [*texts[:i], *texts[i + 1 :]])
            yield site.put(rest, share, f"drops `{clip_text(texts[i])}` from `{clip_text(site.code)}`")
    known = (item.text for item in (*site.words.strings[:6], *site.words.numbers[:4]))
    more = [*_next_in_row(texts), *site.words.variables[:6], *known]
    if isinstance(node, cst.Dict):
        more = _entries(site, texts) if texts[0][0] in "'\"" else []
    for text, weight in weigh_by_rank(text for text in more if text not in texts):
        wider = _join_items(brackets, [*texts, text])
        yield site.put(wider, weight * 0.4, f"adds `{text}` to `{clip_text(site.code)}`")


def _entries(site: Site, texts: list[str]) -> list[str]:
    """Entries of a dictionary that are named like a variable which it does not hold yet."""
    quote = texts[0][0]
    known = [text[1:].partition(text[0])[0] for text in texts]
    names = [n for n in site.words.variables[:6] if n not in ("self", "cls") and n not in known]
    return [f"{quote}{name}{quote}: {name}" for name in names]


def _next_in_row(texts: list[str]) -> list[str]:
    """The numbers before and behind a row of whole numbers with even steps: ``13`` and ``10`` for ``11, 12``."""
    if len(texts) < 2 or not all(text.isdecimal() for text in texts):
        return []
    row = [int(text) for text in texts]
    step = row[1] - row[0]
    even = step and all(b - a == step for a, b in pairwise(row))
    return [str(n) for n in (row[-1] + step, row[0] - step) if n >= 0] if even else []


def _join_items(brackets: str, items: list[str]) -> str:
    comma = "," if brackets == "()" and len(items) == 1 else ""
    return f"{brackets[0]}{', '.join(items)}{comma}{brackets[1]}"


def _neutral(site: Site) -> Iterator[Edit]:
    """A returned or assigned value replaced by a neutral one."""
    if isinstance(site.above, (cst.Return, cst.Assign)) and site.field == "value":
        for text, weight in weigh_by_rank(t for t in _NEUTRAL if t != site.code):
            yield site.put(text, weight, f"gives `{text}` instead of `{clip_text(site.code)}`")


def _key(site: Site) -> Iterator[Edit]:
    """A subscript's key replaced by a name or a literal of the neighbourhood."""
    node = site.node_as(cst.Subscript)
    index = only_index(node)
    if index is None:
        return
    own = site.print(index)
    literals = (item.text for item in (*site.words.strings[:8], *site.words.numbers[:4]))
    for text, weight in weigh_by_rank(key for key in (*site.words.variables[:8], *literals) if key != own):
        new = f"{operand(site.print(node.value), '.')}[{text}]"
        yield site.put(new, weight, f"looks up `{text}` instead of `{clip_text(own)}`")


OPERATORS = (
    Operator("number", "literal", (cst.Integer, cst.Float, cst.UnaryOperation), _number).with_examples(
        Example("def f(a):\n    x, y = 0, -1\n", "def f(a):\n    x, y = 0, 0\n"),
        Example("def f(a):\n    return a + 1\n", "def f(a):\n    return a + 2\n"),
        Example("def f(a):\n    return a[1] * 60\n", "def f(a):\n    return a[0] * 60\n"),
        Example("def f(total):\n    return total / 100\n", "def f(total):\n    return total / 1000\n"),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("told_number", "literal", (cst.Integer, cst.Float), _told_number, choosy=True).with_examples(
        Example(
            "def f(day):\n    days = 30\n    return days - day.day\n\n\ndef days_in(day):\n    return 31\n",
            "def f(day):\n    days = days_in(day)\n    return days - day.day\n\n\ndef days_in(day):\n    return 31\n",
        ),
        Example("def f(rows, size):\n    return rows[:20]\n", "def f(rows, size):\n    return rows[:size]\n"),
        Example(
            "def f(self, hits):\n    self.limit += 0\n    return hits > 5\n",
            "def f(self, hits):\n    self.limit += 0\n    return hits > self.limit\n",
        ),
        Example("def f(a):\n    return a[0]\n"),
    ),
    Operator("constant", "literal", (cst.Name,), _constant, choosy=True).with_examples(
        Example("def f():\n    return True\n", "def f():\n    return False\n"),
        Example("def f(a):\n    return g(None)\n", "def f(a):\n    return g(a)\n"),
        Example(
            "def f(rows, quiet=False):\n    return render(rows, quiet=False)\n",
            "def f(rows, quiet=False):\n    return render(rows, quiet=True)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("string", "literal", (cst.SimpleString,), _string).with_examples(
        Example("def f(a):\n    return 'x' + a\n", "def f(a):\n    return 'x ' + a\n"),
        Example("def f(a):\n    return a['Key']\n", "def f(a):\n    return a['key']\n"),
        Example("def f(parts):\n    return ','.join(parts)\n", "def f(parts):\n    return ', '.join(parts)\n"),
        Example("def f(a):\n    return '''long'''\n"),
    ),
    Operator("slice_bounds", "literal", (cst.Subscript,), _slice).with_examples(
        Example("def f(a):\n    return a[1:]\n", "def f(a):\n    return a[2:]\n"),
        Example("def f(a, n):\n    return a[:n]\n", "def f(a, n):\n    return a[:n + 1]\n"),
        Example("def f(line):\n    return line[:-1]\n", "def f(line):\n    return line[:]\n"),
        Example("def f(name):\n    return name[:-1]\n", "def f(name):\n    return name[1:]\n"),
        Example("def f(rows, n):\n    return rows[n:]\n", "def f(rows, n):\n    return rows[:-n]\n"),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("collection_elements", "literal", (cst.List, cst.Tuple, cst.Set, cst.Dict), _elements).with_examples(
        Example("def f(a, b):\n    return (a, b)\n", "def f(a, b):\n    return (b, a)\n"),
        Example("def f(a):\n    return a in ('x', 'y')\n", "def f(a):\n    return a in ('x',)\n"),
        Example("def f(a):\n    return a in (11, 12)\n", "def f(a):\n    return a in (11, 12, 13)\n"),
        Example(
            "def f(title, size):\n    return {'title': title}\n",
            "def f(title, size):\n    return {'title': title, 'size': size}\n",
        ),
        Example("def f(a):\n    return []\n"),
    ),
    Operator("neutral_value", "neutral", (cst.BaseExpression,), _neutral, choosy=True).with_examples(
        Example("def f(a):\n    return a\n", "def f(a):\n    return None\n"),
        Example("def f(a):\n    n = 1\n    return n\n", "def f(a):\n    n = 0\n    return n\n"),
        Example("def f(rows):\n    best = None\n    return best\n", "def f(rows):\n    best = 0\n    return best\n"),
        Example("def f(a):\n    a.x()\n"),
    ),
    Operator("key", "literal", (cst.Subscript,), _key).with_examples(
        Example("def f(d, k):\n    return d['x']\n", "def f(d, k):\n    return d[k]\n"),
        Example("def f(d):\n    d['a'] = 1\n    return d['b']\n", "def f(d):\n    d['a'] = 1\n    return d['a']\n"),
        Example(
            "def f(row):\n    if 'size' in row:\n        return row['length']\n",
            "def f(row):\n    if 'size' in row:\n        return row['size']\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
