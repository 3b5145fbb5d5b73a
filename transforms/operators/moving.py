"""Statements deleted, moved up, down, into and out of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, NodeChange, Operator, Site, clip_text
from transforms.tree.node_path import NodePath

_STATEMENT = (cst.BaseStatement,)
_NOTHING = cst.SimpleStatementLine([cst.Pass()])


def _first_line_of(site: Site, node: cst.CSTNode | None = None) -> str:
    """A statement's first line; other compound statements are not worth printing for a sentence."""
    if node is None:
        lines = (line for line in site.code.split("\n") if line.strip() and not line.strip().startswith("#"))
        return clip_text(next(lines, ""), 50)
    if not isinstance(node, cst.SimpleStatementLine):
        return f"{type(node).__name__.lower()} …"
    return clip_text(site.print(node.with_changes(leading_lines=())), 50)


def _delete(site: Site) -> Iterator[Edit]:
    if not isinstance(site.small_statement, (cst.Pass, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom)):
        yield site.lines((), 0.5, f"deletes `{_first_line_of(site)}`")


def _swap_neighbours(site: Site) -> Iterator[Edit]:
    """This statement behind the next one."""
    other = site.next_statement
    if other is not None and not site.leaves_block:
        changes = (NodeChange(site.path, (other,)), NodeChange(site.beside(1), (site.node,)))
        yield Edit(changes, 0.6, f"runs `{_first_line_of(site)}` after `{_first_line_of(site, other)}`")


def _move_far(site: Site) -> Iterator[Edit]:
    """This statement two and more places up or down in its block."""
    block = site.place
    if block is None or isinstance(site.node, cst.FunctionDef):
        return
    for index, other in enumerate(site.siblings):
        places = index - block[1]
        if abs(places) < 2:
            continue
        side, pieces = ("before", (site.node, other)) if places < 0 else ("after", (other, site.node))
        changes = (NodeChange(site.path, ()), NodeChange(site.beside(places), pieces))
        what = f"moves `{_first_line_of(site)}` {side} `{_first_line_of(site, other)}`"
        yield Edit(changes, 0.6 / (abs(places) + 1), what)


def _clauses(node: cst.CSTNode) -> Iterator[tuple[NodePath, cst.IndentedBlock]]:
    """Each block of a compound statement, those of its clauses included, with its path from the statement."""
    here: Any = node
    if isinstance(getattr(here, "body", None), cst.IndentedBlock):
        yield ("body",), here.body
    for field in ("orelse", "finalbody"):
        clause = getattr(here, field, None)
        if clause is not None:
            yield from (((field, *path), block) for path, block in _clauses(clause))
    for index, handler in enumerate(getattr(here, "handlers", ())):
        yield from ((("handlers", index, *path), block) for path, block in _clauses(handler))


def _with_block(node: cst.CSTNode, path: NodePath, block: cst.CSTNode) -> Any:
    """The compound statement with the block at the path replaced."""
    if not path:
        return block
    value: Any = getattr(node, str(path[0]))
    if isinstance(value, (tuple, list)):
        index = int(path[1])
        value = [*value[:index], _with_block(value[index], path[2:], block), *value[index + 1 :]]
    else:
        value = _with_block(value, path[1:], block)
    return node.with_changes(**{str(path[0]): value})


def _with_body(statements: Sequence[cst.CSTNode], block: cst.IndentedBlock) -> cst.IndentedBlock:
    return block.with_changes(body=list(statements) or [_NOTHING])


def _out_of_block(site: Site) -> Iterator[Edit]:
    """The last statements of a block moved behind the compound statement, the first ones before it."""
    for path, block in _clauses(site.node):
        body, share = block.body, 0.5
        for count in (1, 2):
            if len(body) < count or (count == len(body) and len(body) > 1):
                continue
            kept, moved = body[:-count], body[-count:]
            what = f"moves `{_first_line_of(site, moved[0])}` out of the block, behind it"
            yield site.lines((_with_block(site.node, path, _with_body(kept, block)), *moved), share, what)
            moved, kept = body[:count], body[count:]
            if kept:
                bare = _with_block(site.node, path, _with_body(kept, block)).with_changes(leading_lines=())
                what = f"moves `{_first_line_of(site, moved[0])}` out of the block, before it"
                yield site.lines((*moved, bare), share * 0.6, what)
            share *= 0.4


def _into_block(site: Site) -> Iterator[Edit]:
    """Statements behind a compound one moved to the end of one of its blocks; the one before it, to the start."""
    block = site.place
    if block is None or not isinstance(site.node, cst.BaseCompoundStatement):
        return
    before, after = site.siblings[: block[1]], site.siblings[block[1] + 1 :]
    for path, inner in _clauses(site.node):
        if after:
            new = _with_block(site.node, path, _with_body([*inner.body, after[0]], inner))
            what = f"moves `{_first_line_of(site, after[0])}` into the block before it"
            yield site.lines_with_next((new,), 0.4, what)
        if len(after) > 1:
            new = _with_block(site.node, path, _with_body([*inner.body, *after[:2]], inner))
            gone = (NodeChange(site.beside(places), ()) for places in (1, 2))
            yield Edit((NodeChange(site.path, (new,)), *gone), 0.15, "moves two statements into the block before them")
        if before:
            new = _with_block(site.node, path, _with_body([before[-1], *inner.body], inner))
            changes = (NodeChange(site.beside(-1), ()), NodeChange(site.path, (new,)))
            yield Edit(changes, 0.2, f"moves `{_first_line_of(site, before[-1])}` into the block behind it")


def _unwrap_block(site: Site) -> Iterator[Edit]:
    """The body of an ``if``, ``for``, ``while``, ``try`` or ``with`` in its place."""
    for path, block in _clauses(site.node):
        head = "the clause" if len(path) > 1 else f"`{_first_line_of(site)}`"
        if not isinstance(site.node, (cst.FunctionDef, cst.ClassDef)):
            yield site.lines(tuple(block.body), 0.3, f"runs the body of {head} unconditionally")


OPERATORS = (
    Operator("delete_statement", "delete", _STATEMENT, _delete, roles=STATEMENT, mutates=True).with_examples(
        Example("def f(a):\n    a.pop()\n    return a\n", "def f(a):\n    return a\n"),
        Example(
            "def f(a):\n    if a:\n        a = 1\n    return a\n", "def f(a):\n    if a:\n        pass\n    return a\n"
        ),
        Example(
            "def f(rows):\n    rows = list(rows)\n    rows.sort()\n    return rows\n",
            "def f(rows):\n    rows = list(rows)\n    return rows\n",
        ),
        Example("def f(a):\n    pass\n"),
    ),
    Operator("swap_neighbours", "move", _STATEMENT, _swap_neighbours, roles=STATEMENT).with_examples(
        Example(
            "def f(a, b):\n    a = b\n    b = a + b\n    return a\n",
            "def f(a, b):\n    b = a + b\n    a = b\n    return a\n",
        ),
        Example("def f(a):\n    g(a)\n    if a:\n        a.x()\n", "def f(a):\n    if a:\n        a.x()\n    g(a)\n"),
        Example(
            "def f(rows):\n    for row in rows:\n        row.save()\n        row.check()\n",
            "def f(rows):\n    for row in rows:\n        row.check()\n        row.save()\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("move_statement", "move", _STATEMENT, _move_far, roles=STATEMENT).with_examples(
        Example("def f(a):\n    g(a)\n    h(a)\n    k(a)\n", "def f(a):\n    h(a)\n    k(a)\n    g(a)\n"),
        Example("def f(a):\n    g(a)\n    h(a)\n    k(a)\n", "def f(a):\n    k(a)\n    g(a)\n    h(a)\n"),
        Example(
            "def f(job):\n    job.end()\n    job.load()\n    job.run()\n    return job\n",
            "def f(job):\n    job.load()\n    job.run()\n    job.end()\n    return job\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("move_out_of_block", "move", (cst.BaseCompoundStatement,), _out_of_block, roles=STATEMENT).with_examples(
        Example(
            "def f(a):\n    for x in a:\n        g(x)\n        return a\n",
            "def f(a):\n    for x in a:\n        g(x)\n    return a\n",
        ),
        Example(
            "def f(a):\n    try:\n        g(a)\n    except E:\n        h(a)\n        k(a)\n",
            "def f(a):\n    try:\n        g(a)\n    except E:\n        h(a)\n    k(a)\n",
        ),
        Example(
            "def f(rows):\n    total = 0\n    for row in rows:\n        total += row\n        print(total)\n",
            "def f(rows):\n    total = 0\n    for row in rows:\n        total += row\n    print(total)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("move_into_block", "move", (cst.BaseCompoundStatement,), _into_block, roles=STATEMENT).with_examples(
        Example(
            "def f(a):\n    for x in a:\n        g(x)\n    h(x)\n",
            "def f(a):\n    for x in a:\n        g(x)\n        h(x)\n",
        ),
        Example(
            "def f(a):\n    n = 0\n    for x in a:\n        n += x\n",
            "def f(a):\n    for x in a:\n        n = 0\n        n += x\n",
        ),
        Example(
            "def f(path):\n    with open(path) as file:\n        file.seek(1)\n    text = file.read()\n"
            "    return text\n",
            "def f(path):\n    with open(path) as file:\n        file.seek(1)\n        text = file.read()\n"
            "    return text\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("unwrap_block", "move", (cst.BaseCompoundStatement,), _unwrap_block, roles=STATEMENT).with_examples(
        Example("def f(a):\n    if a:\n        g(a)\n    return a\n", "def f(a):\n    g(a)\n    return a\n"),
        Example("def f(a):\n    with a:\n        g(a)\n", "def f(a):\n    g(a)\n"),
        Example(
            "def f(rows):\n    for row in rows:\n        if row.old:\n            row.drop()\n",
            "def f(rows):\n    for row in rows:\n        row.drop()\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
