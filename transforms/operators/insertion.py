"""Statements inserted: copies from the neighbourhood, returns, jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.ingredients.word_counts import Ingredient
from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import LOOPS, NEUTRAL

_SIMPLE = (cst.BaseStatement,)


def _rename_variable(statement: Ingredient, site: Site) -> Iterator[str]:
    """The statement with one of its variables exchanged for another one."""
    names = site.words.variables[:8]
    for old in names:
        if re.search(rf"\b{re.escape(old)}\b", statement.text):
            for new in names:
                if new != old:
                    yield re.sub(rf"(?<!\.)\b{re.escape(old)}\b", new, statement.text)


def _nearness(site: Site, item: Ingredient) -> float:
    gap = min((abs(line - site.line) for line in item.lines), default=40)
    return item.weight * (2.0 if gap <= 4 else 1.0)


def _copy_statement(site: Site) -> Iterator[Edit]:
    ordered = sorted(site.words.statements, key=lambda s: (-_nearness(site, s), s.text))
    for text, weight in weigh_by_rank(s.text for s in ordered[:40]):
        yield from site.add(text, weight)


def _copy_renamed(site: Site) -> Iterator[Edit]:
    ordered = sorted((s for s in site.words.statements if s.distance == 0), key=lambda s: (-_nearness(site, s), s.text))
    found = (text for s in ordered[:30] for text in _rename_variable(s, site))
    for text, weight in weigh_by_rank(found):
        yield from site.add(text, weight)


def _rest(site: Site) -> Iterator[Edit]:
    """What a loop collects, once more behind it: what is left over when the loop ends."""
    assert isinstance(site.node, LOOPS), "listed for loops"
    collecting = (_parts(site, small) for small in _collecting_statements(site.node.body))
    found = (text for head, rest in collecting for text in _with_another(head, rest, site))
    for text, weight in weigh_by_rank(found):
        yield site.lines((site.node, text), weight, f"adds `{clip_text(text)}` behind the loop")


def _collecting_statements(node: cst.CSTNode) -> Iterator[cst.BaseSmallStatement]:
    """Statements that add something to what is there, or give it away: calls of methods, ``+=`` and ``yield``."""
    for child in node.children:
        if isinstance(child, cst.Expr) and isinstance(child.value, cst.Call):
            if isinstance(child.value.func, cst.Attribute) and child.value.args:
                yield child
        elif isinstance(child, cst.AugAssign) or (isinstance(child, cst.Expr) and isinstance(child.value, cst.Yield)):
            yield child
        elif not isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression)):
            yield from _collecting_statements(child)


def _parts(site: Site, small: cst.BaseSmallStatement) -> tuple[str, str]:
    """The text of a statement, parted in front of what it adds."""
    text = site.print(small)
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        return text[: len(site.print(small.value.func))], text[len(site.print(small.value.func)) :]
    head, mark, rest = text.partition("=" if isinstance(small, cst.AugAssign) else "yield")
    return head + mark, rest


def _with_another(head: str, rest: str, site: Site) -> Iterator[str]:
    """The statement as it stands, and with another variable in what it adds."""
    yield head + rest
    names = site.words.variables[:8]
    for old in names:
        if re.search(rf"(?<!\.)\b{re.escape(old)}\b", rest):
            yield from (head + re.sub(rf"(?<!\.)\b{re.escape(old)}\b", new, rest) for new in names if new != old)


_BACK = MappingProxyType(
    {
        "append": ("pop()",),
        "appendleft": ("popleft()",),
        "push": ("pop()",),
        "add": ("discard({0})", "remove({0})"),
        "acquire": ("release()",),
        "start": ("stop()",),
        "enter": ("leave()", "exit()"),
        "subscribe": ("unsubscribe({0})",),
        "open": ("close()",),
    }
)
"""What takes back what a method does, with its arguments."""


def _take_back(site: Site) -> Iterator[Edit]:
    """What a statement before this one in its block does, taken back behind it: ``path.append(x)`` by ``path.pop()``.

    Only where nothing in the function takes it back.
    """
    if site.place is None or site.leaves_block:
        return
    before = site.siblings[: site.place[1] + 1]
    known = {statement.text for statement in site.words.statements if statement.distance == 0}
    found = (text for each in reversed(before) for text in _backs(site, each))
    for text, weight in weigh_by_rank(text for text in found if text not in known):
        yield site.lines((site.node, text), weight, f"takes back with `{clip_text(text)}`")


def _backs(site: Site, statement: cst.BaseStatement) -> Iterator[str]:
    """The statements that take this one back."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    match small:
        case cst.Expr(cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name)), args=args)):
            given = ", ".join(site.print(each).rstrip(", ") for each in args)
            yield from (f"{site.print(owner)}.{back.format(given)}" for back in _BACK.get(name, ()))
        case cst.AugAssign(target=target, operator=cst.AddAssign() | cst.SubtractAssign() as operator, value=value):
            sign = "-=" if isinstance(operator, cst.AddAssign) else "+="
            yield f"{site.print(target)} {sign} {site.print(value)}"


def _return_value(site: Site) -> Iterator[Edit]:
    if site.words.is_generator:
        values = [""]
    else:
        known = [s.text[7:] for s in site.words.statements if s.text.startswith("return ") and s.distance == 0]
        attributes = [a.text for a in site.words.attributes if a.distance == 0][:4]
        variables, own = site.words.variables, "self" if site.words.is_method else "None"
        values = [*known, *variables[:2], own, *variables[2:8], *attributes, *NEUTRAL, ""]
    if site.leaves_block:
        return
    last = site.is_last and site.place is not None and site.place[0] == ("body",)
    silent = not any(s.text.startswith("return ") for s in site.words.statements if s.distance == 0)
    for value, weight in weigh_by_rank(values):
        text = f"return {value}".strip()
        if site.is_last:
            share = (4 if silent else 1) if last else 0.5
            yield site.lines((site.node, text), weight * share, f"appends `{clip_text(text)}`")
        yield site.lines((text, site.node), weight * 0.1, f"inserts `{clip_text(text)}`")


def _jump(site: Site) -> Iterator[Edit]:
    if site.in_loop:
        for text in ("break", "continue"):
            if site.is_last and not site.leaves_block:
                yield site.lines((site.node, text), 0.4, f"appends `{text}`")
            yield site.lines((text, site.node), 0.1, f"inserts `{text}`")


OPERATORS = (
    Operator("copy_statement", "insert", _SIMPLE, _copy_statement, roles=STATEMENT).with_examples(
        Example(
            "def f(a, n):\n    if n:\n        a.sort()\n    return a\n",
            "def f(a, n):\n    if n:\n        a.sort()\n    a.sort()\n    return a\n",
        ),
        Example(
            "class A:\n    def g(self):\n        x.y = 0\n    def f(self):\n        return 1\n",
            "class A:\n    def g(self):\n        x.y = 0\n    def f(self):\n        x.y = 0\n        return 1\n",
        ),
        Example(
            "def f(rows, log):\n    log.flush()\n    for row in rows:\n        print(row)\n    return rows\n",
            "def f(rows, log):\n    log.flush()\n    for row in rows:\n        print(row)\n    log.flush()\n"
            "    return rows\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("copy_renamed", "insert", _SIMPLE, _copy_renamed, roles=STATEMENT).with_examples(
        Example(
            "def f(a, b):\n    a = a.strip()\n    return a + b\n",
            "def f(a, b):\n    a = a.strip()\n    b = b.strip()\n    return a + b\n",
        ),
        Example(
            "def f(x, y):\n    print(x)\n    return y\n", "def f(x, y):\n    print(x)\n    print(y)\n    return y\n"
        ),
        Example(
            "def f(left, right):\n    left = sorted(left)\n    return left == right\n",
            "def f(left, right):\n    left = sorted(left)\n    right = sorted(right)\n    return left == right\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("rest_behind_loop", "insert", (cst.For, cst.While), _rest, roles=STATEMENT).with_examples(
        Example(
            "def runs(rows):\n    found, run = [], []\n    for row in rows:\n        if row in run:\n"
            "            found.append(run)\n            run = []\n        run.append(row)\n    return found\n",
            "def runs(rows):\n    found, run = [], []\n    for row in rows:\n        if row in run:\n"
            "            found.append(run)\n            run = []\n        run.append(row)\n"
            "    found.append(run)\n    return found\n",
        ),
        Example(
            "def parts(stream, size):\n    left = stream.read()\n    while len(left) > size:\n"
            "        part, left = left[:size], left[size:]\n        yield part\n",
            "def parts(stream, size):\n    left = stream.read()\n    while len(left) > size:\n"
            "        part, left = left[:size], left[size:]\n        yield part\n    yield left\n",
        ),
        Example(
            "def cost(legs, last):\n    total = 0\n    for leg in legs:\n        total += leg\n    return total\n",
            "def cost(legs, last):\n    total = 0\n    for leg in legs:\n        total += leg\n"
            "    total += last\n    return total\n",
        ),
        Example("def f(rows):\n    for row in rows:\n        print(row)\n"),
    ),
    Operator("take_back", "insert", _SIMPLE, _take_back, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def visit(name, path, needs):\n    path.append(name)\n    for need in needs(name):\n"
            "        visit(need, path, needs)\n",
            "def visit(name, path, needs):\n    path.append(name)\n    for need in needs(name):\n"
            "        visit(need, path, needs)\n    path.pop()\n",
        ),
        Example(
            "class Printer:\n    def block(self, rows):\n        self.depth += 1\n        self.write(rows)\n",
            "class Printer:\n    def block(self, rows):\n        self.depth += 1\n        self.write(rows)\n"
            "        self.depth -= 1\n",
        ),
        Example(
            "def f(lock, work):\n    lock.acquire()\n    work()\n    return 1\n",
            "def f(lock, work):\n    lock.acquire()\n    work()\n    lock.release()\n    return 1\n",
        ),
        Example("def f(path, x):\n    path.extend(x)\n    return path\n"),
    ),
    Operator("add_return", "return", _SIMPLE, _return_value, roles=STATEMENT).with_examples(
        Example("def f(a):\n    a.sort()\n", "def f(a):\n    a.sort()\n    return a\n"),
        Example(
            "class A:\n    def f(self):\n        self.n = 1\n",
            "class A:\n    def f(self):\n        self.n = 1\n        return self\n",
        ),
        Example(
            "def f(parts):\n    text = ''.join(parts)\n", "def f(parts):\n    text = ''.join(parts)\n    return text\n"
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("jump", "control", _SIMPLE, _jump, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    for x in a:\n        if x:\n            g(x)\n",
            "def f(a):\n    for x in a:\n        if x:\n            g(x)\n            break\n",
        ),
        Example("def f(a):\n    while a:\n        g(a)\n", "def f(a):\n    while a:\n        g(a)\n        continue\n"),
        Example(
            "def f(rows):\n    for row in rows:\n        if not row:\n            print('empty')\n        g(row)\n",
            "def f(rows):\n    for row in rows:\n        if not row:\n            print('empty')\n"
            "            continue\n        g(row)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
