"""Idioms of careful code: one item as a slice, parts cleaned, a table asked, all members compared, things kept once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_comparison, only_index
from transforms.tree.code_text import operand
from transforms.tree.fragments import parse_expression

_SEPARATORS = ("'.'", "'/'", "'-'", "'_'", "':'", "','", "'='", "' '")
_SPLITS = ("split", "rsplit", "splitlines", "findall")
_NUMBERS = re.compile(r"(?:[\w.]+\.)?(?:int|Integral|Number|Rational|Real)$")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$")
_MEMBER = re.compile(r"\.([A-Za-z_]\w*)")
_CLASSES = frozenset({"bool", "bytes", "float", "frozenset", "int", "repr", "str", "tuple"})
_ASKING = (cst.Comparison, cst.ComparisonTarget, cst.If, cst.While, cst.BooleanOperation)
_ASKED = re.compile(r"(?:not )?(\S+) (?:not )?in ([A-Za-z_][\w.]*)$")
MOST_TEXTS = 4
MOST_MEMBERS = 4


def _one_as_slice(site: Site) -> Iterator[Edit]:
    """``line[9]`` to ``line[9:10]``, which is empty where there is nothing."""
    node = site.node_as(cst.Subscript)
    key = only_index(node)
    index = site.print(key) if key is not None else ""
    if not index or index[:1].isupper() or index in _CLASSES:  # a truth value, nothing, or a type
        return
    if index.isdecimal():
        behind = str(int(index) + 1)
    elif index == "-1":
        behind = ""
    elif _NAME.match(index):
        behind = f"{index} + 1"
    else:
        return
    text = f"{site.print(node.value)}[{index}:{behind}]"
    yield site.put(text, 1.0, f"takes `{text}`, which may be empty, instead of `{clip_text(site.code)}`")


def _strip_text(site: Site) -> Iterator[Edit]:
    """Rid of a mark at its ends: ``suffix`` to ``suffix.lstrip('.')``, with the texts of the function first."""
    if not _is_whole(site) or site.code in ("self", "cls") or site.kind not in ("text", ""):
        return
    near = [i.text for i in site.words.strings if i.distance == 0 and 2 < len(i.text) <= 4 and not i.text[1].isalnum()]
    texts = list(dict.fromkeys((*near[:MOST_TEXTS], *_SEPARATORS[:MOST_TEXTS])))
    calls = (f"{operand(site.code, '.')}.{how}({text})" for text in texts for how in ("strip", "lstrip", "rstrip"))
    for text, weight in weigh_by_rank(calls):
        yield site.put(text, weight, f"uses `{clip_text(text)}` instead of `{clip_text(site.code)}`")


def _is_whole(site: Site) -> bool:
    """Whether the value is used as it is, neither read from nor called: ``x`` of ``f(x)``, not of ``x.y``."""
    return site.is_own_value and not isinstance(site.above, (cst.Attribute, cst.Subscript))


def _clean_parts(site: Site) -> Iterator[Edit]:
    """``text.split(',')`` without the blanks around its parts, without its empty parts, without both."""
    node = site.node_as(cst.Call)
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value not in _SPLITS or ":=" in site.code:
        return
    taken = {*site.words.variables, *site.words.defined}
    name = next((n for n in ("part", "piece", "each") if n not in taken), "")
    if not name:
        return
    forms = (
        (f"[{name} for {name} in {site.code} if {name}]", "leaves out the empty parts of"),
        (f"[{name}.strip() for {name} in {site.code}]", "strips the parts of"),
        (f"[{name}.strip() for {name} in {site.code} if {name}.strip()]", "strips the parts, without empty ones, of"),
    )
    for (text, what), weight in zip(forms, (0.4, 0.4, 0.2), strict=True):
        yield site.put(text, weight, f"{what} `{clip_text(site.code)}`")


def _ask_table(site: Site) -> Iterator[Edit]:
    """What a table of the function says of a value: ``item`` to ``TABLE[item]`` or ``TABLE.get(item, item)``."""
    if not _is_whole(site) or site.code in ("self", "cls") or isinstance(site.above, _ASKING):
        return
    questions = (_ASKED.match(each.text) for each in site.words.conditions if each.distance == 0)
    tables = [found[2] for found in questions if found and found[1] == site.code and found[2] != site.code]
    forms = (form for table in tables for form in (f"{table}[{site.code}]", f"{table}.get({site.code}, {site.code})"))
    for text, weight in weigh_by_rank(dict.fromkeys(forms)):
        yield site.put(text, weight, f"uses `{text}` instead of `{site.code}`")


def _compare_more(site: Site) -> Iterator[Edit]:
    """``self.a == other.a`` with a further member: ``self.a == other.a and self.b == other.b``."""
    node = site.node_as(cst.Comparison)
    target = only_comparison(node)
    if target is None or not isinstance(target.operator, (cst.Equal, cst.NotEqual)):
        return
    one, other = node.left, target.comparator
    if not (isinstance(one, cst.Attribute) and isinstance(other, cst.Attribute)) or one.attr.value != other.attr.value:
        return
    first, second = site.print(one.value), site.print(other.value)
    sign, joint = ("==", "and") if isinstance(target.operator, cst.Equal) else ("!=", "or")
    compared = {one.attr.value, *_MEMBER.findall(_condition(site)), *(method.text for method in site.words.methods)}
    known = (a.text.partition(".") for a in site.words.attributes)
    found = dict.fromkeys(name for owner, _, name in known if owner in (first, second) and name.isidentifier())
    for member, weight in weigh_by_rank([name for name in found if name not in compared][:MOST_MEMBERS]):
        text = f"{site.code} {joint} {first}.{member} {sign} {second}.{member}"
        yield site.put(text, weight, f"compares `.{member}` as well")


def _condition(site: Site) -> str:
    """All that ``and`` and ``or`` join with a condition, as text."""
    around = site.code
    for outer in takewhile(lambda above: isinstance(above.node, cst.BooleanOperation), site.ancestors()):
        around = outer.code
    return around


def _no_bool(site: Site) -> Iterator[Edit]:
    """``isinstance(x, int)`` without the truth values, which are numbers as well."""
    node = site.node_as(cst.Call)
    if site.print(node.func) != "isinstance" or len(node.args) != 2:
        return
    value, kinds = (site.print(arg.value) for arg in node.args)
    if not _NAME.match(value) or f"isinstance({value}, bool)" in _condition(site):
        return
    if any(_NUMBERS.match(kind.strip()) for kind in kinds.strip("()").split(",")) and "bool" not in kinds:
        text = f"{site.code} and not isinstance({value}, bool)"
        yield site.put(text, 1.0, f"takes no truth value of `{clip_text(value)}` for a number")


def _store_once(site: Site) -> Iterator[Edit]:
    """``found.append(x)`` only where it is not in there; ``table[key] = x`` only where the key is not."""
    match site.small_statement:
        case cst.Expr(cst.Call(cst.Attribute(where, cst.Name("append")), [cst.Arg(value=what, star="", keyword=None)])):
            pass
        case cst.Assign([cst.AssignTarget(cst.Subscript(where) as table)]) if (index := only_index(table)) is not None:
            what = index
        case _:
            return
    if not (_may_be_asked_twice(what) and _may_be_asked_twice(where)):
        return
    test = f"{operand(site.print(what), '<')} not in {operand(site.print(where), '<')}"
    parsed, around = parse_expression(test), site.up and site.up.up
    asked_already = around and isinstance(around.node, cst.If) and site.print(around.node.test) == test
    if parsed is not None and not asked_already:
        yield site.lines((cst.If(test=parsed, body=site.block()),), 1.0, f"asks for `{clip_text(test)}` first")


def _may_be_asked_twice(node: cst.BaseExpression) -> bool:
    """Whether it only reads: nothing in it is called but what makes a plain value of another, nothing awaited.

    Example: ``row[0].name`` and ``str(key)``, but not ``stack.pop()``.
    """
    match node:
        case cst.Call(func=cst.Name(name), args=args):
            return name in _CLASSES and all(_may_be_asked_twice(arg.value) for arg in args)
        case cst.Attribute(value=held):
            return _may_be_asked_twice(held)
        case cst.Subscript(value=held, slice=parts):
            indices = [part.slice.value for part in parts if isinstance(part.slice, cst.Index)]
            return len(indices) == len(parts) and all(map(_may_be_asked_twice, (held, *indices)))
        case cst.Tuple(elements=elements):
            return all(_may_be_asked_twice(element.value) for element in elements)
    return isinstance(node, (cst.Name, cst.SimpleString, cst.Integer))


OPERATORS = (
    Operator("one_as_slice", "access", (cst.Subscript,), _one_as_slice, choosy=True).with_examples(
        Example("def f(line):\n    return line[9] in ' ,'\n", "def f(line):\n    return line[9:10] in ' ,'\n"),
        Example(
            "def f(text, i):\n    if text[i] == '#':\n        return i\n",
            "def f(text, i):\n    if text[i:i + 1] == '#':\n        return i\n",
        ),
        Example("def f(path):\n    return path[-1] == '/'\n", "def f(path):\n    return path[-1:] == '/'\n"),
        Example("def f(rows, a):\n    return rows[a, 1], rows[g(a)], rows[1:2], rows[None], List[int]\n"),
    ),
    Operator("strip_text", "wrap", (cst.Name, cst.Attribute), _strip_text).with_examples(
        Example(
            "def f(self, suffix):\n    return self.parsers.get(suffix)\n",
            "def f(self, suffix):\n    return self.parsers.get(suffix.lstrip('.'))\n",
        ),
        Example(
            "def f(base, name):\n    return '/'.join((base, name))\n",
            "def f(base, name):\n    return '/'.join((base.rstrip('/'), name))\n",
        ),
        Example(
            "def f(row):\n    text = row.text\n    return Tag(text, row.start)\n",
            "def f(row):\n    text = row.text\n    return Tag(text.strip('-'), row.start)\n",
        ),
        Example("def f(self):\n    count = len(self)\n    return True, count\n"),
    ),
    Operator("clean_parts", "wrap", (cst.Call,), _clean_parts, choosy=True).with_examples(
        Example(
            "def f(text):\n    return text.split(',')\n",
            "def f(text):\n    return [part for part in text.split(',') if part]\n",
        ),
        Example(
            "def f(header):\n    for name in header.split(';'):\n        g(name)\n",
            "def f(header):\n    for name in [part.strip() for part in header.split(';')]:\n        g(name)\n",
        ),
        Example(
            "def f(part):\n    rows = part.splitlines()\n    return rows\n",
            "def f(part):\n    rows = [piece.strip() for piece in part.splitlines() if piece.strip()]\n"
            "    return rows\n",
        ),
        Example("def f(text):\n    return split(text), text.join(','), (m := text).split()\n"),
    ),
    Operator("ask_table", "access", (cst.Name, cst.Attribute), _ask_table).with_examples(
        Example(
            "def f(self, item):\n    if item in self.names:\n        return getattr(self, item)\n",
            "def f(self, item):\n    if item in self.names:\n        return getattr(self, self.names[item])\n",
        ),
        Example(
            "def f(kind, known):\n    if kind not in known:\n        w()\n    return make(kind)\n",
            "def f(kind, known):\n    if kind not in known:\n        w()\n    return make(known.get(kind, kind))\n",
        ),
        Example(
            "def f(row, names):\n    return [row.key if row.key in names else '' for _ in row]\n",
            "def f(row, names):\n    return [names[row.key] if row.key in names else '' for _ in row]\n",
        ),
        Example(
            "def f(key, names):\n    if key in names:\n        return key + '!'\n",
            "def f(key, names):\n    if key in names:\n        return names[key] + '!'\n",
        ),
        Example("def f(item, names):\n    return names[0] + item\n"),
    ),
    Operator("compare_more", "condition", (cst.Comparison,), _compare_more, choosy=True).with_examples(
        Example(
            "class A:\n    def __init__(self):\n        self.a = self.b = 1\n"
            "    def __eq__(self, other):\n        return self.a == other.a\n",
            "class A:\n    def __init__(self):\n        self.a = self.b = 1\n"
            "    def __eq__(self, other):\n        return self.a == other.a and self.b == other.b\n",
        ),
        Example(
            "def f(old, new):\n    if old.size != new.size:\n        return new.time\n",
            "def f(old, new):\n    if old.size != new.size or old.time != new.time:\n        return new.time\n",
        ),
        Example(
            "def f(a, b):\n    same = a.x == b.x\n    return same, a.y\n",
            "def f(a, b):\n    same = a.x == b.x and a.y == b.y\n    return same, a.y\n",
        ),
        Example("def f(a, b):\n    return a.x == b.y, a.x < b.x, a.y\n"),
    ),
    Operator("no_bool", "condition", (cst.Call,), _no_bool, choosy=True).with_examples(
        Example(
            "def f(x):\n    if isinstance(x, int):\n        return str(x)\n",
            "def f(x):\n    if isinstance(x, int) and not isinstance(x, bool):\n        return str(x)\n",
        ),
        Example(
            "def f(x):\n    return isinstance(x, (int, float))\n",
            "def f(x):\n    return isinstance(x, (int, float)) and not isinstance(x, bool)\n",
        ),
        Example(
            "def f(row):\n    return [v for v in row if isinstance(v, Real)]\n",
            "def f(row):\n    return [v for v in row if isinstance(v, Real) and not isinstance(v, bool)]\n",
        ),
        Example("def f(x):\n    return isinstance(x, str) or isinstance(x, (bool, int)) or isinstance(next(x), int)\n"),
        Example("def f(x):\n    return isinstance(x, int) and not isinstance(x, bool)\n"),
    ),
    Operator("once", "guard", (cst.SimpleStatementLine,), _store_once, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(xs):\n    r = []\n    for x in xs:\n        r.append(x)\n    return r\n",
            "def f(xs):\n    r = []\n    for x in xs:\n        if x not in r:\n            r.append(x)\n    return r\n",
        ),
        Example(
            "def f(d, rows):\n    for row in rows:\n        d[row.key] = row\n",
            "def f(d, rows):\n    for row in rows:\n        if row.key not in d:\n            d[row.key] = row\n",
        ),
        Example(
            "def f(self, path):\n    self.paths.append(str(path))\n",
            "def f(self, path):\n    if str(path) not in self.paths:\n        self.paths.append(str(path))\n",
        ),
        Example("def f(a, b):\n    a.extend(b)\n    a = b\n    a[1:2] = b\n    a.append(*b)\n"),
        Example("def f(a, b):\n    a.append(next(b))\n    a.append(x for x in b)\n    a.append(c := b)\n"),
        Example("def f(a, b):\n    a.append(\n        b\n        - 1\n    )\n    a.append((yield))\n"),
        Example("def f(a, b):\n    if b not in a:\n        a.append(b)\n"),
    ),
)
