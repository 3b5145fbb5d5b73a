"""Assignments inserted: initializations, inputs brought into form, attributes stored and copied."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator

import libcst as cst

from analysis.facts import ConstraintKind
from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, weigh_by_rank
from transforms.operators.parts import LOOPS, NEUTRAL, take_turns

_SIMPLE = (cst.BaseStatement,)


def _initialize(site: Site) -> Iterator[Edit]:
    """``x = <neutral>`` for a name that a path never binds, before each statement; the start of a block first."""
    block = site.place
    if block is None:
        return
    told = [c.detail for c in site.near.constraints_of(ConstraintKind.UNBOUND_NAME, ConstraintKind.UNKNOWN_NAME)]
    start = block[1] == 0 or site.is_near_top
    likely = 1.0 if block[0] == ("body",) and start else 0.5 if start else 0.15
    names = site.words.variables[:4]
    for name in dict.fromkeys(n for n in told if n.isidentifier()):
        for value, weight in weigh_by_rank((*NEUTRAL, *(n for n in names if n != name)), likely):
            yield from site.add(f"{name} = {value}", weight, behind=False)


def _assign_again(site: Site) -> Iterator[Edit]:
    """A known variable moved on, set to a neutral value, a parameter or another variable."""
    tested = _never_updated(site)
    links = [a.text for a in site.words.attributes if a.distance == 0 and a.text.count(".") == 1]
    along = [f"{n} = {link}" for n in tested for link in links if link.startswith(f"{n}.")]
    by = [f"{n} {op} {m}" for n in tested for op in ("+=", "-=") for m in site.words.variables[:4] if m != n]
    shrunk = [f"{n} {step}" for n in tested for step in ("//= 2", f"= {n}[1:]", f"= {n}[:-1]")]
    names = [*tested, *(n for n in site.words.variables[:8] if n not in tested)]
    values = [f"{n} = {v}" for v in ("[]", "None", "0", "''", "{}", "False", "True") for n in names[:5]]
    steps = [f"{n} {op} 1" for n in names[:5] for op in ("+=", "-=")]
    scaled = [s.text.partition(" *= ")[0] for s in site.words.statements if s.distance == 0 and " *= " in s.text]
    turned = [f"{n} = -{n}" for n in scaled if n in names]
    moves = [f"{a} = {b}" for a in names[:6] for b in names[:6] if a != b]
    for text, weight in weigh_by_rank([*along, *turned, *steps, *moves, *by, *shrunk, *values], 6.0 if tested else 1.0):
        yield from site.add(text, weight)


def _never_updated(site: Site) -> list[str]:
    """Variables that decide what the loop around does and that nothing in the loop changes."""
    around = site.enclosing(cst.While, cst.For, cst.FunctionDef)
    if around is None or isinstance(around.node, cst.FunctionDef):
        return []
    loop = _parsed(around.code)
    if loop is None:
        return []
    tests = [n.test for n in ast.walk(loop) if isinstance(n, (ast.If, ast.While))]
    compared = [c for test in tests for c in ast.walk(test) if isinstance(c, ast.Compare)]
    read = {n.id for c in compared for n in ast.walk(c) if isinstance(n, ast.Name)}
    if isinstance(around.node, cst.While):
        read |= {n.id for n in ast.walk(tests[0]) if isinstance(n, ast.Name)}
    return [v for v in site.words.variables if v in read - _stored(loop)]


def _move_along(site: Site) -> Iterator[Edit]:
    """At the end of a loop: what was made before it, and is read and never changed in it, follows what it walks over.

    Example: ``lower = limit`` in a loop over limits that reads ``lower``, which is 0 before it.
    """
    if not site.is_last or not (site.up and site.up.up and isinstance(site.up.up.node, LOOPS)):
        return
    loop, whole = _parsed(site.up.up.code), _parsed(site.tree.code)
    if loop is None or whole is None:
        return
    changed = _stored(loop)
    read = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    still = [v for v in site.words.variables if v in read & _stored(whole) and v not in changed]
    moving = [v for v in site.words.variables if v in changed]
    for text, weight in weigh_by_rank(f"{one} = {other}" for one in still for other in moving):
        if site.leaves_block:
            yield site.lines((text, site.node), weight, f"inserts `{text}` at the end of the loop")
        else:
            yield site.lines((site.node, text), weight, f"appends `{text}` to the loop")


def _stored(tree: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _store_attribute(site: Site) -> Iterator[Edit]:
    """``self.x = x`` for parameters, and ``self.x = <neutral>`` for attributes that the class reads."""
    if not site.words.is_method:
        return
    told = [c.detail for c in site.near.constraints_of(ConstraintKind.OPTIONAL_ATTRIBUTE)]
    known = [a.text for a in site.words.attributes if re.fullmatch(r"self\.\w+", a.text)]
    texts = [f"self.{p} = {p}" for p in site.words.parameters] + [f"self._{p} = {p}" for p in site.words.parameters]
    texts += [f"self.{n} = {v}" for n in told if n.isidentifier() for v in ("None", "[]", "{}", "0", "''", "False")]
    texts += [f"{k} = {v}" for k in known[:6] for v in (*site.words.variables[:3], "None", "[]", "{}", "0")]
    texts += [f"{k} += 1" for k in known[:6]]
    texts += [f"{k} = {v}" for k in known[:10] for v in site.words.variables[3:9]]
    for text, weight in weigh_by_rank(texts):
        yield from site.add(text, weight)


def _copy_attribute(site: Site) -> Iterator[Edit]:
    """``b.x = a.x`` where one object is made after another, and calls of known methods on a variable."""
    names = site.words.variables[:6]
    shared = site.words.similar_names
    methods = [i.text for i in site.words.methods if i.distance <= 1][:6]
    calls = [f"{n}.{m}()" for m in methods for n in names[:4]]
    calls += [f"self.{c.name[5:]}()" for c in site.words.callees if c.name.startswith("self.") and not c.parameters]
    passed = [f"{n}.{m}({o})" for m in methods for n in names[:4] for o in names[:4] if n != o]
    read = [n for n in names if any(a.text.startswith(f"{n}.") for a in site.words.attributes)]
    made = [n for n in names[:4] if n not in site.words.parameters] or names[:4]
    copied = [f"{a}.{x} = {b}.{x}" for x in shared for a in made for b in read[:3] if a != b]
    for text, weight in weigh_by_rank(take_turns(copied, calls, passed)):
        yield from site.add(text, weight)


def _normalize(site: Site) -> Iterator[Edit]:
    """A parameter brought into form at the top: a default for None, a conversion, a list made of one."""
    if not site.is_near_top:
        return
    params = site.words.parameters[:6]
    absent = [f"if {p} is None:\n    {p} = {v}\n" for v in ("[]", "{}", "''", "0") for p in params]
    conversions = ("list", "str", "int", "tuple", "abs", "float", "dict", "set", "iter")
    cast = [f"{p} = {conversion}({p})" for conversion in conversions for p in params]
    method = [f"{p} = {p}.{m}()" for m in ("strip", "copy", "lower") for p in params]
    made = [(p, form.format(p)) for p in params for form in ("[{}]", "({},)", "{}.encode()", "int({})")]
    typed = [f"if isinstance({p}, str):\n    {p} = {value}\n" for p, value in made]
    typed += [f"if not isinstance({p}, str):\n    {p} = str({p})\n" for p in params]
    other = [f"{a} = {a} or {b}" for a in params for b in params if a != b]
    for text, weight in weigh_by_rank(take_turns(absent, cast, typed, method, other)):
        yield from site.add(text, weight, behind=False)


OPERATORS = (
    Operator("initialize", "initialization", _SIMPLE, _initialize, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    if a:\n        n = 1\n    return n\n",
            "def f(a):\n    n = None\n    if a:\n        n = 1\n    return n\n",
            ((ConstraintKind.UNBOUND_NAME, "n", "n", 4),),
        ),
        Example(
            "def f(a):\n    for x in a:\n        xs.append(x)\n    return xs\n",
            "def f(a):\n    xs = []\n    for x in a:\n        xs.append(x)\n    return xs\n",
            ((ConstraintKind.UNKNOWN_NAME, "xs", "xs", 3),),
        ),
        Example(
            "def f(words):\n    for word in words:\n        count += len(word)\n    return count\n",
            "def f(words):\n    count = 0\n    for word in words:\n        count += len(word)\n    return count\n",
            ((ConstraintKind.UNBOUND_NAME, "count", "count", 3),),
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("assign_again", "insert", _SIMPLE, _assign_again, roles=STATEMENT).with_examples(
        Example(
            "def f(n):\n    while n < 9:\n        print(n)\n",
            "def f(n):\n    while n < 9:\n        print(n)\n        n += 1\n",
        ),
        Example(
            "def f(a, b):\n    while a:\n        g(a)\n", "def f(a, b):\n    while a:\n        g(a)\n        a = b\n"
        ),
        Example(
            "def f(rows):\n    sign = 1\n    for row in rows:\n        sign *= 2\n        swap(row)\n    return sign\n",
            "def f(rows):\n    sign = 1\n    for row in rows:\n        sign *= 2\n        swap(row)\n"
            "        sign = -sign\n    return sign\n",
        ),
        Example(
            "def f(node):\n    while node.next:\n        print(node)\n    return node\n",
            "def f(node):\n    while node.next:\n        print(node)\n        node = node.next\n    return node\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator("move_along", "insert", _SIMPLE, _move_along, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(table, top):\n    low, tax = 0, 0\n    for high, rate in table:\n"
            "        tax += (high - low) * rate\n"
            "    return tax\n",
            "def f(table, top):\n    low, tax = 0, 0\n    for high, rate in table:\n"
            "        tax += (high - low) * rate\n"
            "        low = high\n    return tax\n",
        ),
        Example(
            "def rises(values):\n    last, found = 0, []\n    for value in values:\n"
            "        found.append(value > last)\n"
            "    return found\n",
            "def rises(values):\n    last, found = 0, []\n    for value in values:\n"
            "        found.append(value > last)\n"
            "        last = value\n    return found\n",
        ),
        Example(
            "def read(stream):\n    left = b''\n    while True:\n        part = stream.read()\n        if not part:\n"
            "            return left\n        print(left)\n",
            "def read(stream):\n    left = b''\n    while True:\n        part = stream.read()\n        if not part:\n"
            "            return left\n        print(left)\n        left = part\n",
        ),
        Example("def f(rows, n):\n    for row in rows:\n        print(row, n)\n"),
    ),
    Operator("store_attribute", "initialization", _SIMPLE, _store_attribute, roles=STATEMENT).with_examples(
        Example(
            "class A:\n    def __init__(self, x, y):\n        self.x = x\n",
            "class A:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n",
        ),
        Example(
            "class A:\n    def f(self, x):\n        g(x)\n",
            "class A:\n    def f(self, x):\n        self.x = x\n        g(x)\n",
        ),
        Example(
            "class Box:\n    def resize(self, width, height):\n        self.width = width\n        return self\n",
            "class Box:\n    def resize(self, width, height):\n        self.width = width\n"
            "        self.height = height\n        return self\n",
        ),
        Example("def f(x):\n    return x\n"),
    ),
    Operator("copy_attribute", "insert", _SIMPLE, _copy_attribute, roles=STATEMENT).with_examples(
        Example(
            "def f(a, b):\n    print(a.x)\n    return b\n",
            "def f(a, b):\n    print(a.x)\n    b.x = a.x\n    return b\n",
        ),
        Example(
            "def f(a, b):\n    a.close()\n    return 1\n", "def f(a, b):\n    a.close()\n    b.close()\n    return 1\n"
        ),
        Example(
            "def f(old, new):\n    new.name = old.name\n    print(old.size)\n    return new\n",
            "def f(old, new):\n    new.name = old.name\n    print(old.size)\n    new.size = old.size\n    return new\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator("normalize", "insert", _SIMPLE, _normalize, roles=STATEMENT, choosy=True).with_examples(
        Example("def f(a):\n    return a\n", "def f(a):\n    if a is None:\n        a = []\n    return a\n"),
        Example(
            "def f(a, b):\n    g(a)\n    return b[1:]\n", "def f(a, b):\n    b = list(b)\n    g(a)\n    return b[1:]\n"
        ),
        Example(
            "def f(name):\n    return LOOKUP[name]\n",
            "def f(name):\n    name = name.strip()\n    return LOOKUP[name]\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
)
