"""Statements at the wrong depth: out of two blocks, out of the other branch of a loop, into ``finally``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, NodeChange, Operator, Site, clip_text
from transforms.operators.parts import LOOPS, statements_of


def _first_line_of(site: Site, node: cst.CSTNode) -> str:
    return clip_text(next(line for line in site.print(node).splitlines() if line.strip()).strip(), 50)


def _out_of_two(site: Site) -> Iterator[Edit]:
    """The last statement of a block that ends another block, moved behind both."""
    node: Any = site.node
    outer = statements_of(getattr(node, "body", None))
    if not outer or isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return
    inner: Any = outer[-1]
    body = statements_of(getattr(inner, "body", None))
    if len(body) < 2 or isinstance(inner, (cst.FunctionDef, cst.ClassDef)):
        return
    less = inner.with_changes(body=inner.body.with_changes(body=body[:-1]))
    block = node.body.with_changes(body=[*outer[:-1], less])
    what = f"moves `{_first_line_of(site, body[-1])}` out of two blocks, behind them"
    yield site.lines((node.with_changes(body=block), body[-1]), 0.5, what)


def _otherwise_behind(site: Site) -> Iterator[Edit]:
    """A ``return`` of the other branch, which ends the loop in its first turn, behind the loop or in its ``else``."""
    node = site.node
    assert isinstance(node, LOOPS), "listed for loops"
    body = statements_of(node.body)
    last = body[-1] if body else None
    if not isinstance(last, cst.If) or not isinstance(last.orelse, cst.Else):
        return
    match statements_of(last.orelse.body):
        case [cst.SimpleStatementLine(body=[cst.Return() | cst.Raise(), *_]) as moved]:
            less = node.with_changes(body=node.body.with_changes(body=[*body[:-1], last.with_changes(orelse=None)]))
            what = f"does `{_first_line_of(site, moved)}` only when the loop has ended"
            yield site.lines((less, moved), 0.6, what)
            if node.orelse is None:
                yield site.lines((less.with_changes(orelse=cst.Else(body=cst.IndentedBlock([moved]))),), 0.2, what)


def _finally(site: Site) -> Iterator[Edit]:
    """The last call of a block done whatever happens in the statements before it."""
    block, small = site.place, site.small_statement
    if block is None or not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
        return
    if not isinstance(site.next_statement, (cst.SimpleStatementLine, type(None))):
        return
    last = block[1]
    what = f"does `{_first_line_of(site, site.node)}` whatever happens before"
    for count in dict.fromkeys((1, last - 1, last)):
        tried = site.siblings[last - count : last] if count > 0 else ()
        if tried and not any(isinstance(s, (cst.FunctionDef, cst.ClassDef)) for s in tried):
            node = cst.Try(body=cst.IndentedBlock(tried), finalbody=cst.Finally(body=site.block()))
            gone = (NodeChange(site.beside(-places), ()) for places in range(count, 0, -1))
            yield Edit((*gone, NodeChange(site.path, (node,))), 0.3, what)


OPERATORS = (
    Operator(
        "out_of_two_blocks", "move", (cst.BaseCompoundStatement,), _out_of_two, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            "def f(rows):\n    for row in rows:\n        if row:\n            use(row)\n            return rows\n",
            "def f(rows):\n    for row in rows:\n        if row:\n            use(row)\n    return rows\n",
        ),
        Example(
            "def f(path, seen):\n    with open(path) as file:\n        for line in file:\n"
            "            seen.add(line)\n"
            "            print(len(seen))\n",
            "def f(path, seen):\n    with open(path) as file:\n        for line in file:\n"
            "            seen.add(line)\n"
            "    print(len(seen))\n",
        ),
        Example(
            "def f(jobs, log):\n    while jobs:\n        for job in jobs.pop():\n            job.run()\n"
            "            log.flush()\n    return log\n",
            "def f(jobs, log):\n    while jobs:\n        for job in jobs.pop():\n            job.run()\n"
            "    log.flush()\n    return log\n",
        ),
        Example("def f(rows):\n    for row in rows:\n        if row:\n            return row\n"),
    ),
    Operator("otherwise_behind_loop", "move", LOOPS, _otherwise_behind, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(rows, key):\n    for row in rows:\n        if row.key == key:\n            return row\n"
            "        else:\n"
            "            return None\n",
            "def f(rows, key):\n    for row in rows:\n        if row.key == key:\n            return row\n"
            "    return None\n",
        ),
        Example(
            "def f(names, wanted):\n    for name in names:\n        if name in wanted:\n            return name\n"
            "        else:\n            raise KeyError(wanted)\n",
            "def f(names, wanted):\n    for name in names:\n        if name in wanted:\n            return name\n"
            "    raise KeyError(wanted)\n",
        ),
        Example(
            "def f(n):\n    while n > 1:\n        n -= 1\n        if check(n):\n            log(n)\n        else:\n"
            "            return False\n    print(n)\n",
            "def f(n):\n    while n > 1:\n        n -= 1\n        if check(n):\n            log(n)\n    else:\n"
            "        return False\n    print(n)\n",
        ),
        Example("def f(xs):\n    for x in xs:\n        if x:\n            g(x)\n        else:\n            h(x)\n"),
    ),
    Operator(
        "whatever_happens", "exception", (cst.SimpleStatementLine,), _finally, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            "def f(lock):\n    lock.acquire()\n    work()\n    lock.release()\n",
            "def f(lock):\n    lock.acquire()\n    try:\n        work()\n    finally:\n        lock.release()\n",
        ),
        Example(
            "def f(path):\n    file = open(path)\n    text = file.read()\n    file.close()\n    return text\n",
            "def f(path):\n    file = open(path)\n    try:\n        text = file.read()\n    finally:\n"
            "        file.close()\n    return text\n",
        ),
        Example(
            "def f(timer, jobs):\n    timer.start()\n    for job in jobs:\n        job()\n    timer.stop()\n",
            "def f(timer, jobs):\n    timer.start()\n    try:\n        for job in jobs:\n            job()\n"
            "    finally:\n        timer.stop()\n",
        ),
        Example("def f(a):\n    a.close()\n"),
    ),
)
