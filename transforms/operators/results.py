"""Results: missing ``return``, ``await`` and ``yield``; copies in place of aliases."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.tree.code_text import operand


def _is_recursive(site: Site, value: cst.BaseExpression) -> bool:
    """Whether the expression calls the function that it stands in: ``f(n - 1)`` or ``self.f(n)`` in ``def f``."""
    around = site.enclosing(cst.FunctionDef)
    named = around.node.name.value if around is not None and isinstance(around.node, cst.FunctionDef) else ""
    return isinstance(value, cst.Call) and site.print(value.func).rsplit(".", 1)[-1] == named


def _return_it(site: Site) -> Iterator[Edit]:
    """``return`` before an expression statement; the returned call as a statement of its own."""
    small = site.small_statement
    if isinstance(small, cst.Expr) and not isinstance(small.value, (cst.Yield, cst.SimpleString)):
        likely = 2.0 if _is_recursive(site, small.value) else 0.6
        value = site.print(small.value)
        yield site.lines((f"return {value}",), likely, f"returns `{clip_text(value)}`")
    elif isinstance(small, cst.Return) and isinstance(small.value, (cst.Call, cst.Await)):
        yield site.lines((site.print(small.value),), 0.05, f"no longer returns `{clip_text(site.print(small.value))}`")
    elif isinstance(small, cst.Assign) and len(small.targets) == 1:
        yield site.lines((f"return {site.print(small.value)}",), 0.2, f"returns `{clip_text(site.print(small.value))}`")


def _assign_it(site: Site) -> Iterator[Edit]:
    """The value of an expression statement bound to a name: ``s.strip()`` to ``s = s.strip()``."""
    small = site.small_statement
    if not isinstance(small, cst.Expr) or not isinstance(small.value, (cst.Call, cst.Await, cst.BinaryOperation)):
        return
    code = site.print(small.value)
    idle = isinstance(small.value, cst.BinaryOperation)  # computed, and nobody looks at it
    receiver = (re.match(r"\w*", code) or [""])[0]
    names = [n for n in site.words.variables if n == receiver] + [n for n in site.words.variables[:6] if n != receiver]
    for name, weight in weigh_by_rank(names, 8.0 if idle else 1.0):
        yield site.lines((f"{name} = {code}",), weight, f"binds the result to `{name}`")


def _yield_it(site: Site) -> Iterator[Edit]:
    """``yield`` against ``yield from`` and ``return``; ``return`` against ``yield`` in a generator."""
    generator, each = site.words.is_generator, "yields each of `{}`"
    match site.small_statement:
        case cst.Expr(cst.Yield(cst.From(item=inner))):
            forms = [("yield", 0.6, "yields `{}` itself")]
        case cst.Expr(cst.Yield(cst.BaseExpression() as inner)):
            forms = [("yield from", 0.6, each)]
        case cst.Return(cst.BaseExpression() as inner) if generator:
            forms = [("yield", 0.5, "yields `{}` instead of returning it"), ("yield from", 0.3, each)]
        case cst.Return(cst.BaseExpression() as inner) if site.in_loop:
            forms = [("yield", 0.3, "yields `{}` and goes on")]
        case cst.Expr(inner) if generator and not isinstance(inner, cst.Yield):
            likely = 4.0 if _is_recursive(site, inner) else 1.0
            forms = [("yield from", 0.5 * likely, each), ("yield", 0.3, "yields `{}`")]
        case _:
            return
    for word, weight, what in forms:
        yield site.lines((f"{word} {site.print(inner)}",), weight, what.format(clip_text(site.print(inner))))


def _await_it(site: Site) -> Iterator[Edit]:
    if site.words.is_async and not isinstance(site.above, cst.Await) and site.field != "func":
        yield site.put(f"await {operand(site.code, '.')}", 0.6, f"awaits `{clip_text(site.code)}`")


def _wait_in_turn(site: Site) -> Iterator[Edit]:
    """``async for`` and ``async with`` against the plain ones, in a function that may wait."""
    node = site.node
    assert isinstance(node, (cst.For, cst.With, cst.CompFor)), "listed for these"
    if not site.words.is_async:
        return
    new = node.with_changes(asynchronous=None if node.asynchronous else cst.Asynchronous())
    if isinstance(node, cst.CompFor):
        yield site.put(new, 0.6, "waits for each item, or no longer")
        return
    word = "for" if isinstance(node, cst.For) else "with"
    what = f"`{word}` instead of `async {word}`" if node.asynchronous else f"`async {word}`"
    yield site.lines((new,), 0.6, f"writes {what}")


def _copy(site: Site) -> Iterator[Edit]:
    """A copy where an alias is stored, returned or passed on."""
    if not isinstance(site.above, (cst.Assign, cst.Return, cst.Arg, cst.Yield, cst.Element, cst.DictElement)):
        return
    if site.code in ("self", "cls", "True", "False", "None") or site.field == "func":
        return
    imported = ["copy.copy({})", "copy.deepcopy({})"] if "copy" in site.words.imported else []
    imported += [f"{n}({{}})" for n in ("deepcopy", "copy") if n in site.words.imported]
    forms = ("list({})", "{}[:]", "{}.copy()", *imported, "dict({})", "set({})", "tuple({})")
    for form, weight in weigh_by_rank(forms):
        inside = site.code if "({})" in form else operand(site.code, ".")
        yield site.put(form.format(inside), weight, f"copies `{clip_text(site.code)}`")


OPERATORS = (
    Operator("return_it", "return", (cst.SimpleStatementLine,), _return_it, roles=STATEMENT).with_examples(
        Example("def f(a):\n    g(a)\n", "def f(a):\n    return g(a)\n"),
        Example("def f(a):\n    b = g(a)\n", "def f(a):\n    return g(a)\n"),
        Example(
            "class A:\n    def f(self, key):\n        self.find(key)\n",
            "class A:\n    def f(self, key):\n        return self.find(key)\n",
        ),
        Example("def f(a):\n    return g(a)\n", "def f(a):\n    g(a)\n"),
        Example("def f(a):\n    return False\n"),
    ),
    Operator("assign_it", "return", (cst.SimpleStatementLine,), _assign_it, roles=STATEMENT, choosy=True).with_examples(
        Example("def f(a):\n    a.strip()\n    return a\n", "def f(a):\n    a = a.strip()\n    return a\n"),
        Example("def f(a, b):\n    g(b)\n    return a\n", "def f(a, b):\n    a = g(b)\n    return a\n"),
        Example("def f(a):\n    a // 10\n    return a\n", "def f(a):\n    a = a // 10\n    return a\n"),
        Example("def f(a):\n    a = 1\n    return a\n"),
    ),
    Operator("yield_it", "yield", (cst.SimpleStatementLine,), _yield_it, roles=STATEMENT, choosy=True).with_examples(
        Example("def f(a):\n    yield a\n", "def f(a):\n    yield from a\n"),
        Example(
            "def f(lines):\n    for line in lines:\n        return line.strip()\n",
            "def f(lines):\n    for line in lines:\n        yield line.strip()\n",
        ),
        Example("def f(a):\n    yield 1\n    f(a[1:])\n", "def f(a):\n    yield 1\n    yield from f(a[1:])\n"),
        Example(
            "def f(node):\n    for child in node.children:\n        yield f(child)\n",
            "def f(node):\n    for child in node.children:\n        yield from f(child)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("await_it", "await", (cst.Call, cst.Name, cst.Attribute), _await_it, choosy=True).with_examples(
        Example("async def f(a):\n    return g(a)\n", "async def f(a):\n    return await g(a)\n"),
        Example("async def f(a):\n    return a.x().y\n", "async def f(a):\n    return (await a.x()).y\n"),
        Example(
            "async def f(client, url):\n    page = client.get(url)\n    return page.text\n",
            "async def f(client, url):\n    page = await client.get(url)\n    return page.text\n",
        ),
        Example("def f(a):\n    return g(a)\n"),
    ),
    Operator(
        "wait_in_turn",
        "await",
        (cst.For, cst.With, cst.CompFor),
        _wait_in_turn,
        roles=("statement", "part"),
        choosy=True,
    ).with_examples(
        Example(
            "async def f(queue):\n    for item in queue:\n        print(item)\n",
            "async def f(queue):\n    async for item in queue:\n        print(item)\n",
        ),
        Example(
            "async def f(lock, job):\n    with lock:\n        await job()\n",
            "async def f(lock, job):\n    async with lock:\n        await job()\n",
        ),
        Example(
            "async def f(rows):\n    async for row in rows:\n        print(row)\n",
            "async def f(rows):\n    for row in rows:\n        print(row)\n",
        ),
        Example(
            "async def f(pages):\n    return [page.text for page in pages]\n",
            "async def f(pages):\n    return [page.text async for page in pages]\n",
        ),
        Example("def f(lock):\n    with lock:\n        return 1\n"),
    ),
    Operator("copy", "copy", (cst.Name, cst.Attribute, cst.Subscript), _copy, choosy=True).with_examples(
        Example(
            "class A:\n    def f(self, xs):\n        self.xs = xs\n",
            "class A:\n    def f(self, xs):\n        self.xs = list(xs)\n",
        ),
        Example("def f(a, out):\n    out.append(a)\n", "def f(a, out):\n    out.append(a[:])\n"),
        Example(
            "def f(base, more):\n    merged = base\n    merged.update(more)\n    return merged\n",
            "def f(base, more):\n    merged = dict(base)\n    merged.update(more)\n    return merged\n",
        ),
        Example("def f(a):\n    return a + 1\n"),
    ),
)
