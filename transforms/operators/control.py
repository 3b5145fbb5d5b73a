"""Control flow: statements put under a condition, early exits, jumps."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import pairs_by_rank
from transforms.tree.code_text import operand
from transforms.tree.fragments import parse_expression

_STATEMENT = (cst.BaseStatement,)


def _conditions(site: Site) -> list[str]:
    known = [c.text for c in site.words.conditions if c.text not in ("True", "False")]
    kinds = dict(site.words.kinds)
    names = [*site.words.variables[:5], *(a.text for a in site.words.attributes[:5])]
    truth = [f for n in names for f in (n, f"not {n}")]
    null = [f for n in names for f in (f"{n} is None", f"{n} is not None")]
    counts = [n for n in names if kinds.get(n, "number") == "number"]
    numeric = [f"{n} {op} 0" for n in counts[:4] for op in ("==", "<", ">", "<=")]
    negated = [f"not {operand(k, 'not')}" for k in known[:6] if not k.startswith("not ")]
    sized = [f"{a} {op} len({b})" for a in counts[:3] for b in names[:4] if a != b for op in (">", ">=", "<")]
    return [*known[:8], *truth[:8], *null[:4], *negated, *truth[8:], *numeric, *null[4:], *sized, *known[8:]]


def _wrap_in_if(site: Site) -> Iterator[Edit]:
    if site.is_last and isinstance(site.small_statement, (cst.Return, cst.Pass)):
        return
    for test, weight in weigh_by_rank(_conditions(site)):
        condition = parse_expression(test)
        if condition is not None:
            new = cst.If(test=condition, body=site.block())
            yield site.lines((new,), weight, f"runs the statement only when `{clip_text(test)}`")


def _early_exit(site: Site) -> Iterator[Edit]:
    """``if <condition>: return …`` before a statement: conditions and results of the neighbourhood."""
    known = [s.text for s in site.words.statements if s.distance == 0 and s.text.startswith(("return", "raise"))]
    names = [f"return {n}" for n in site.words.variables[:3]]
    values = ("None", "0", "False", "''", "[]")
    plain = ["return"] if site.words.is_generator else [f"return {value}" for value in values]
    jumps = ["continue", "break"] if site.in_loop else []
    exits = dict.fromkeys((*jumps, *known[:4], *plain[:1], *names, *plain[1:], "return True", "return 1"))
    texts = (f"if {test}:\n    {leave}\n" for test, leave in pairs_by_rank(_conditions(site)[:24], list(exits)))
    for text, weight in weigh_by_rank(texts, 1.0 if site.is_near_top else 0.4):
        yield site.lines((text, site.node), weight, f"inserts `{clip_text(text)}`")


def _exchange_jump(site: Site) -> Iterator[Edit]:
    small = site.small_statement
    match small:
        case cst.Break() | cst.Continue() | cst.Pass() | cst.Return(value=None):
            own = site.print(small).strip()
            jumps = ["break", "continue"] if site.in_loop else []
            exits = (s.text for s in site.words.statements if s.text.startswith(("return ", "raise")))
            for text, weight in weigh_by_rank(t for t in (*jumps, "return", "pass", *exits) if t != own):
                yield site.lines((text,), weight, f"does `{clip_text(text)}` instead of `{own}`")


OPERATORS = (
    Operator("wrap_in_if", "control", _STATEMENT, _wrap_in_if, roles=STATEMENT).with_examples(
        Example(
            "def f(a, b):\n    b.append(a)\n    return b\n",
            "def f(a, b):\n    if a:\n        b.append(a)\n    return b\n",
        ),
        Example(
            "def f(a):\n    for x in a:\n        if x > 1:\n            g()\n        h()\n",
            "def f(a):\n    for x in a:\n        if x > 1:\n            g()\n        if x > 1:\n            h()\n",
        ),
        Example(
            "def f(rows, skip):\n    for row in rows:\n        print(row)\n",
            "def f(rows, skip):\n    for row in rows:\n        if not skip:\n            print(row)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("early_exit", "control", _STATEMENT, _early_exit, roles=STATEMENT).with_examples(
        Example(
            "def f(a, b):\n    b = a.x\n    return b\n",
            "def f(a, b):\n    if not a:\n        return b\n    b = a.x\n    return b\n",
        ),
        Example(
            "def f(n):\n    return n * f(n - 1)\n",
            "def f(n):\n    if n == 0:\n        return 1\n    return n * f(n - 1)\n",
        ),
        Example(
            "def f(node, found):\n    for child in node.children:\n        f(child, found)\n    return found\n",
            "def f(node, found):\n    if not node:\n        return found\n    for child in node.children:\n"
            "        f(child, found)\n    return found\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator(
        "exchange_jump", "control", (cst.SimpleStatementLine,), _exchange_jump, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            "def f(a):\n    for x in a:\n        if x:\n            break\n",
            "def f(a):\n    for x in a:\n        if x:\n            continue\n",
        ),
        Example(
            "def f(a):\n    for x in a:\n        pass\n    return x\n",
            "def f(a):\n    for x in a:\n        return x\n    return x\n",
        ),
        Example(
            "def f(rows):\n    for row in rows:\n        if not row:\n            continue\n        print(row)\n",
            "def f(rows):\n    for row in rows:\n        if not row:\n            break\n        print(row)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
