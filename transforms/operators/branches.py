"""Branches of conditionals: joined, parted, added, dropped and swapped."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import statements_of
from transforms.tree.fragments import parse_statements


def _else_and_elif(site: Site) -> Iterator[Edit]:
    """``if`` behind an ``if`` joined to it as ``elif`` and back; the statement behind put into an ``else``."""
    node, after = site.node_as(cst.If), site.next_statement
    if isinstance(node.orelse, cst.If):
        yield site.lines((node.with_changes(orelse=None), node.orelse), 0.4, "turns `elif` into an `if` of its own")
    if isinstance(node.orelse, cst.Else):
        body = statements_of(node.orelse.body)
        yield site.lines((node.with_changes(orelse=None), *body), 0.3, "runs the body of `else` in any case")
    if node.orelse is None and after is not None:
        if isinstance(after, cst.If):
            joined = node.with_changes(orelse=after.with_changes(leading_lines=()))
            yield site.lines_with_next((joined,), 0.4, "turns the next `if` into `elif`")
        otherwise = node.with_changes(orelse=cst.Else(body=cst.IndentedBlock([after])))
        yield site.lines_with_next((otherwise,), 0.3, "puts what follows into `else`")


def _add_else(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.If)
    if node.orelse is not None:
        return
    known = [s.text for s in site.words.statements if s.distance == 0]
    exits = (f"return {value}" for value in ("None", "False", "0", *site.words.variables[:3]))
    jumps = ("continue", "break") if site.in_loop else ()
    for text, weight in weigh_by_rank((*known[:12], *exits, *jumps)):
        body = parse_statements(text)
        if body is not None:
            clause = cst.Else(body=cst.IndentedBlock(list(body)))
            yield site.lines((node.with_changes(orelse=clause),), weight, f"adds `else: {clip_text(text)}`")


def _drop_clause(site: Site) -> Iterator[Edit]:
    """A conditional without its ``else``, without one of its ``elif``, or without its first branch."""
    node = site.node_as(cst.If)
    clauses: list[cst.If] = [node]
    while isinstance(clauses[-1].orelse, cst.If):
        clauses.append(clauses[-1].orelse)
    for place, clause in enumerate(clauses[1:], 1):
        new = _chain_clauses(clauses[:place], clause.orelse)
        yield site.lines((new,), 0.4, f"drops the branch for `{clip_text(site.print(clause.test))}`")
    if isinstance(clauses[-1].orelse, cst.Else):
        yield site.lines((_chain_clauses(clauses, None),), 0.3, "drops what is done otherwise")
    if len(clauses) > 1:
        first = clauses[1].with_changes(leading_lines=node.leading_lines)
        yield site.lines((first,), 0.2, f"drops the branch for `{clip_text(site.print(node.test))}`")


def _chain_clauses(clauses: list[cst.If], rest: cst.If | cst.Else | None) -> cst.If:
    """The clauses one behind the other, and the rest behind the last."""
    last = clauses[-1].with_changes(orelse=rest)
    return last if len(clauses) == 1 else _chain_clauses(clauses[:-1], last)


def _swap_branches(site: Site) -> Iterator[Edit]:
    node = site.node
    if isinstance(node, cst.If) and isinstance(node.orelse, cst.Else):
        swapped = node.with_changes(body=node.orelse.body, orelse=node.orelse.with_changes(body=node.body))
        yield site.lines((swapped,), 0.5, "swaps the branches of the conditional")


def _swap_ternary(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.IfExp)
    yield site.put(node.with_changes(body=node.orelse, orelse=node.body), 0.5, "swaps the branches of the ternary")


OPERATORS = (
    Operator("else_and_elif", "control", (cst.If,), _else_and_elif, roles=STATEMENT).with_examples(
        Example(
            "def f(a):\n    if a:\n        g(a)\n    if a > 1:\n        h(a)\n",
            "def f(a):\n    if a:\n        g(a)\n    elif a > 1:\n        h(a)\n",
        ),
        Example(
            "def f(a):\n    if a:\n        g(a)\n    h(a)\n",
            "def f(a):\n    if a:\n        g(a)\n    else:\n        h(a)\n",
        ),
        Example(
            "def f(kind, out):\n    if kind == 1:\n        out.append('one')\n    if kind == 2:\n"
            "        out.append('two')\n    return out\n",
            "def f(kind, out):\n    if kind == 1:\n        out.append('one')\n    elif kind == 2:\n"
            "        out.append('two')\n    return out\n",
        ),
        Example("def f(a):\n    if a:\n        g(a)\n"),
    ),
    Operator("add_else", "control", (cst.If,), _add_else, roles=STATEMENT).with_examples(
        Example(
            "def f(a, n):\n    n += 1\n    if a:\n        g(a)\n",
            "def f(a, n):\n    n += 1\n    if a:\n        g(a)\n    else:\n        n += 1\n",
        ),
        Example(
            "def f(a):\n    if a:\n        g(a)\n",
            "def f(a):\n    if a:\n        g(a)\n    else:\n        return None\n",
        ),
        Example(
            "def f(rows):\n    left = 3\n    if rows:\n        left = 1\n    return left\n",
            "def f(rows):\n    left = 3\n    if rows:\n        left = 1\n    else:\n        left = 3\n"
            "    return left\n",
        ),
        Example("def f(a):\n    if a:\n        g(a)\n    else:\n        h(a)\n"),
    ),
    Operator("drop_clause", "control", (cst.If,), _drop_clause, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(kind):\n    if kind == 1:\n        size = 2\n    elif kind == 2:\n        size = 3\n    else:\n"
            "        size = 4\n    return size\n",
            "def f(kind):\n    if kind == 1:\n        size = 2\n    else:\n        size = 4\n    return size\n",
        ),
        Example(
            "def f(rows, log):\n    if rows:\n        log(rows)\n    else:\n        rows.clear()\n",
            "def f(rows, log):\n    if rows:\n        log(rows)\n",
        ),
        Example(
            "def f(page):\n    if page.old:\n        page.drop()\n    elif page.new:\n        page.keep()\n",
            "def f(page):\n    if page.new:\n        page.keep()\n",
        ),
        Example("def f(a):\n    if a:\n        g(a)\n"),
    ),
    Operator("swap_branches", "control", (cst.If,), _swap_branches, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n",
            "def f(a):\n    if a:\n        return 2\n    else:\n        return 1\n",
        ),
        Example(
            "def f(a):\n    if a > 1:\n        a = 2\n    else:\n        a = 3\n    return a\n",
            "def f(a):\n    if a > 1:\n        a = 3\n    else:\n        a = 2\n    return a\n",
        ),
        Example(
            "def f(rows):\n    for row in rows:\n        if row.new:\n            row.drop()\n        else:\n"
            "            row.keep()\n",
            "def f(rows):\n    for row in rows:\n        if row.new:\n            row.keep()\n        else:\n"
            "            row.drop()\n",
        ),
        Example("def f(a):\n    if a:\n        return 1\n"),
    ),
    Operator("swap_ternary", "control", (cst.IfExp,), _swap_ternary, choosy=True).with_examples(
        Example("def f(a):\n    return 1 if a else 2\n", "def f(a):\n    return 2 if a else 1\n"),
        Example(
            "def f(a, b):\n    x = a.y if b else a\n    return x\n",
            "def f(a, b):\n    x = a if b else a.y\n    return x\n",
        ),
        Example(
            "def f(names):\n    return [n.upper() if n.islower() else n for n in names]\n",
            "def f(names):\n    return [n if n.islower() else n.upper() for n in names]\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
