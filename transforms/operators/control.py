"""Control flow: clauses of conditionals, statements put under a condition, early returns, jumps."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.fragments import parse_expression, parse_statements
from transforms.operators.operator import Change, Edit, Example, Operator, Site, clipped, ranked
from transforms.pieces import operand

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


def _under(site: Site, test: str) -> cst.If | None:
    condition = parse_expression(test)
    return cst.If(test=condition, body=site.block()) if condition is not None else None


def _wrap_in_if(site: Site) -> Iterator[Edit]:
    if (
        isinstance(site.small, (cst.Return, cst.Pass))
        and site.place is not None
        and site.place[1] == len(site.siblings) - 1
    ):
        return
    for test, weight in ranked(_conditions(site)):
        node = _under(site, test)
        if node is not None:
            yield site.lines((node,), weight, f"runs the statement only when `{clipped(test)}`")


def _early_exit(site: Site) -> Iterator[Edit]:
    """``if <condition>: return …`` before a statement: conditions and results of the neighbourhood."""
    known = [s.text for s in site.words.statements if s.distance == 0 and s.text.startswith(("return", "raise"))]
    names = [f"return {n}" for n in site.words.variables[:3]]
    plain = (
        ["return"] if site.words.is_generator else ["return None", "return 0", "return False", "return ''", "return []"]
    )
    exits = [
        *(["continue", "break"] if site.in_loop else []),
        *known[:4],
        *plain[:1],
        *names,
        *plain[1:],
        "return True",
        "return 1",
    ]
    block = site.place
    top = 1.0 if block is not None and block[0] == ("body",) and block[1] <= 1 else 0.4
    pairs = [(c, e, i + j) for i, c in enumerate(_conditions(site)[:24]) for j, e in enumerate(dict.fromkeys(exits))]
    texts = [f"if {c}:\n    {e}\n" for c, e, _ in sorted(pairs, key=lambda p: p[2])]
    for text, weight in ranked(texts, top):
        yield site.lines((text, site.node), weight, f"inserts `{clipped(text)}`")


def _else_and_elif(site: Site) -> Iterator[Edit]:
    """``if`` behind an ``if`` joined to it as ``elif`` and back; the statement behind put into an ``else``."""
    node, block = site.node, site.place
    assert isinstance(node, cst.If), "listed for conditionals"
    if isinstance(node.orelse, cst.If):
        yield site.lines((node.with_changes(orelse=None), node.orelse), 0.4, "turns `elif` into an `if` of its own")
    if isinstance(node.orelse, cst.Else):
        body = node.orelse.body.body if isinstance(node.orelse.body, cst.IndentedBlock) else ()
        yield site.lines((node.with_changes(orelse=None), *body), 0.3, "runs the body of `else` in any case")
    if node.orelse is None and block is not None and block[1] + 1 < len(site.siblings):
        after = site.siblings[block[1] + 1]
        there = (*site.path[:-1], block[1] + 1)
        if isinstance(after, cst.If):
            joined = node.with_changes(orelse=after.with_changes(leading_lines=()))
            yield Edit((Change(site.path, (joined,)), Change(there, ())), 0.4, "turns the next `if` into `elif`")
        clause = cst.Else(body=cst.IndentedBlock([after]))  # type: ignore[list-item] # a statement of a suite
        yield Edit(
            (Change(site.path, (node.with_changes(orelse=clause),)), Change(there, ())),
            0.3,
            "puts what follows into `else`",
        )


def _add_else(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, cst.If), "listed for conditionals"
    if node.orelse is not None:
        return
    known = [s.text for s in site.words.statements if s.distance == 0]
    texts = [
        *known[:12],
        *(f"return {v}" for v in ("None", "False", "0", *site.words.variables[:3])),
        *(["continue", "break"] if site.in_loop else []),
    ]
    for text, weight in ranked(texts):
        body = parse_statements(text)
        if body is not None:
            clause = cst.Else(body=cst.IndentedBlock(list(body)))
            yield site.lines((node.with_changes(orelse=clause),), weight, f"adds `else: {clipped(text)}`")


def _drop_clause(site: Site) -> Iterator[Edit]:
    """A conditional without its ``else``, without one of its ``elif``, or without its first branch."""
    node = site.node
    assert isinstance(node, cst.If), "listed for conditionals"
    clauses: list[cst.If] = [node]
    while isinstance(clauses[-1].orelse, cst.If):
        clauses.append(clauses[-1].orelse)
    for place, clause in enumerate(clauses):
        rest = clause.orelse
        if place:
            new = _ended(clauses[:place], rest)
            yield site.lines((new,), 0.4, f"drops the branch for `{clipped(site.print(clause.test))}`")
    if isinstance(clauses[-1].orelse, cst.Else):
        yield site.lines((_ended(clauses, None),), 0.3, "drops what is done otherwise")
    if len(clauses) > 1:
        first = clauses[1].with_changes(leading_lines=node.leading_lines)
        yield site.lines((first,), 0.2, f"drops the branch for `{clipped(site.print(node.test))}`")


def _ended(clauses: list[cst.If], rest: cst.If | cst.Else | None) -> cst.If:
    """The clauses one behind the other, and the rest behind the last."""
    last = clauses[-1].with_changes(orelse=rest)
    return last if len(clauses) == 1 else _ended(clauses[:-1], last)


def _swap_branches(site: Site) -> Iterator[Edit]:
    node = site.node
    if isinstance(node, cst.If) and isinstance(node.orelse, cst.Else):
        swapped = node.with_changes(body=node.orelse.body, orelse=node.orelse.with_changes(body=node.body))
        yield site.lines((swapped,), 0.5, "swaps the branches of the conditional")


def _swap_ternary(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, cst.IfExp), "listed for ternaries"
    yield site.put(node.with_changes(body=node.orelse, orelse=node.body), 0.5, "swaps the branches of the ternary")


def _exchange_jump(site: Site) -> Iterator[Edit]:
    small = site.small
    if isinstance(small, (cst.Break, cst.Continue, cst.Pass, cst.Return)) and not (
        isinstance(small, cst.Return) and small.value
    ):
        own = site.print(small).strip()
        texts = [t for t in ("break", "continue") if site.in_loop] + [
            "return",
            "pass",
            *(s.text for s in site.words.statements if s.text.startswith(("return ", "raise"))),
        ]
        for text, weight in ranked(t for t in texts if t != own):
            yield site.lines((text,), weight, f"does `{clipped(text)}` instead of `{own}`")


OPERATORS = (
    Operator(
        "wrap_in_if",
        "control",
        _STATEMENT,
        _wrap_in_if,
        (
            Example(
                "def f(a, b):\n    b.append(a)\n    return b\n",
                "def f(a, b):\n    if a:\n        b.append(a)\n    return b\n",
            ),
            Example(
                "def f(a):\n    for x in a:\n        if x > 1:\n            g()\n        h()\n",
                "def f(a):\n    for x in a:\n        if x > 1:\n            g()\n        if x > 1:\n            h()\n",
            ),
            Example("def f(a):\n    return a\n"),
        ),
        roles=("statement",),
    ),
    Operator(
        "early_exit",
        "control",
        _STATEMENT,
        _early_exit,
        (
            Example(
                "def f(a, b):\n    b = a.x\n    return b\n",
                "def f(a, b):\n    if not a:\n        return b\n    b = a.x\n    return b\n",
            ),
            Example(
                "def f(n):\n    return n * f(n - 1)\n",
                "def f(n):\n    if n == 0:\n        return 1\n    return n * f(n - 1)\n",
            ),
        ),
        roles=("statement",),
    ),
    Operator(
        "else_and_elif",
        "control",
        (cst.If,),
        _else_and_elif,
        (
            Example(
                "def f(a):\n    if a:\n        g(a)\n    if a > 1:\n        h(a)\n",
                "def f(a):\n    if a:\n        g(a)\n    elif a > 1:\n        h(a)\n",
            ),
            Example(
                "def f(a):\n    if a:\n        g(a)\n    h(a)\n",
                "def f(a):\n    if a:\n        g(a)\n    else:\n        h(a)\n",
            ),
            Example("def f(a):\n    if a:\n        g(a)\n"),
        ),
        roles=("statement",),
    ),
    Operator(
        "add_else",
        "control",
        (cst.If,),
        _add_else,
        (
            Example(
                "def f(a, n):\n    n += 1\n    if a:\n        g(a)\n",
                "def f(a, n):\n    n += 1\n    if a:\n        g(a)\n    else:\n        n += 1\n",
            ),
            Example(
                "def f(a):\n    if a:\n        g(a)\n",
                "def f(a):\n    if a:\n        g(a)\n    else:\n        return None\n",
            ),
            Example("def f(a):\n    if a:\n        g(a)\n    else:\n        h(a)\n"),
        ),
        roles=("statement",),
    ),
    Operator(
        "drop_clause",
        "control",
        (cst.If,),
        _drop_clause,
        (
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
        roles=("statement",),
        choosy=True,
    ),
    Operator(
        "swap_branches",
        "control",
        (cst.If,),
        _swap_branches,
        (
            Example(
                "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n",
                "def f(a):\n    if a:\n        return 2\n    else:\n        return 1\n",
            ),
            Example(
                "def f(a):\n    if a > 1:\n        a = 2\n    else:\n        a = 3\n    return a\n",
                "def f(a):\n    if a > 1:\n        a = 3\n    else:\n        a = 2\n    return a\n",
            ),
            Example("def f(a):\n    if a:\n        return 1\n"),
        ),
        roles=("statement",),
        choosy=True,
    ),
    Operator(
        "swap_ternary",
        "control",
        (cst.IfExp,),
        _swap_ternary,
        (
            Example("def f(a):\n    return 1 if a else 2\n", "def f(a):\n    return 2 if a else 1\n"),
            Example(
                "def f(a, b):\n    x = a.y if b else a\n    return x\n",
                "def f(a, b):\n    x = a if b else a.y\n    return x\n",
            ),
        ),
        choosy=True,
    ),
    Operator(
        "exchange_jump",
        "control",
        (cst.SimpleStatementLine,),
        _exchange_jump,
        (
            Example(
                "def f(a):\n    for x in a:\n        if x:\n            break\n",
                "def f(a):\n    for x in a:\n        if x:\n            continue\n",
            ),
            Example(
                "def f(a):\n    for x in a:\n        pass\n    return x\n",
                "def f(a):\n    for x in a:\n        return x\n    return x\n",
            ),
            Example("def f(a):\n    return a\n"),
        ),
        roles=("statement",),
        choosy=True,
    ),
)
