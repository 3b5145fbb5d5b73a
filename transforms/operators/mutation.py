"""Operators that only seed faults: what mutmut's list lacks for judging tests."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text


def _replace_return(site: Site) -> Iterator[Edit]:
    small = site.small_statement
    if not isinstance(small, cst.Return) or small.value is None:
        return
    own = site.print(small.value)
    for value in ("None", *_default_like(small.value)):
        if value != own:
            yield site.lines((f"return {value}",), 0.5, f"returns `{value}` instead of `{clip_text(own)}`")


def _continue_loop(site: Site) -> Iterator[Edit]:
    """A loop that the function leaves for good goes on instead, as mutmut has it for a `break` and a `continue`."""
    small = site.small_statement
    if isinstance(small, cst.Return) and small.value is None and site.in_loop:
        yield site.lines(("continue",), 0.5, "turns `return` into `continue`")


def _default_like(value: cst.BaseExpression) -> tuple[str, ...]:
    """A neutral value of the kind that the expression seems to have; 0 where it does not tell."""
    if isinstance(value, (cst.BaseString, cst.FormattedString)):
        return ("''",)
    if isinstance(value, (cst.Comparison, cst.BooleanOperation)) or (
        isinstance(value, cst.Name) and value.value in ("True", "False")
    ):
        return ("True", "False")
    kinds = {cst.List: "[]", cst.ListComp: "[]", cst.Dict: "{}", cst.DictComp: "{}", cst.Set: "set()", cst.Tuple: "()"}
    return (kinds.get(type(value), "0"),)


def _replace_exception(site: Site) -> Iterator[Edit]:
    small = site.small_statement
    if isinstance(small, cst.Raise) and small.exc is not None:
        named = small.exc.func if isinstance(small.exc, cst.Call) else small.exc
        own = site.print(named)
        if own != "Exception":
            new = small.with_changes(exc=cst.parse_expression("Exception('replaced')"), cause=None)
            yield site.lines((site.node.with_changes(body=[new]),), 0.5, f"raises `Exception` instead of `{own}`")


def _remove_handler(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.ExceptHandler)
    own = site.print(node.type) if node.type is not None else "everything"
    space = cst.SimpleWhitespace(" ")
    new = node.with_changes(type=cst.parse_expression("()"), whitespace_after_except=space)
    yield site.put(new, 0.5, f"catches nothing instead of `{clip_text(own)}`")


def _regroup_chain(site: Site) -> Iterator[Edit]:
    """One operator of an unparenthesized chain turned, and what binds tighter then stands together."""
    node, around = site.node, site.above
    assert isinstance(node, cst.BooleanOperation), "listed for these"
    if isinstance(around, cst.BooleanOperation) and type(around.operator) is type(node.operator) and not node.lpar:
        return  # a part of a longer chain
    parts, tight, loose = _chain(node), cst.And(), cst.Or()
    for place in range(1, len(parts) - 1):
        if isinstance(node.operator, cst.And):
            new = _join_parts([_join_parts(parts[:place], tight), _join_parts(parts[place:], tight)], loose)
        else:
            pair = _join_parts(parts[place : place + 2], tight)
            new = _join_parts([*parts[:place], pair, *parts[place + 2 :]], loose)
        yield _turned_into(site, new, 0.5 / len(parts))


def _chain(node: cst.BooleanOperation) -> list[cst.BaseExpression]:
    """What one operator joins without parentheses, from the left."""
    left = node.left
    inner = isinstance(left, cst.BooleanOperation) and not left.lpar and type(left.operator) is type(node.operator)
    return [*(_chain(left) if inner and isinstance(left, cst.BooleanOperation) else [left]), node.right]


def _join_parts(parts: list[cst.BaseExpression], operator: cst.BaseBooleanOp) -> cst.BaseExpression:
    """The parts joined from the left."""
    return functools.reduce(lambda left, right: cst.BooleanOperation(left, operator, right), parts)


def _equality(site: Site) -> Iterator[Edit]:
    """An order taken as nothing but a difference, or as nothing but an equality (Kaminski, Ammann and Offutt, 2013)."""
    node = site.node_as(cst.Comparison)
    for place, target in enumerate(node.comparisons):
        turned = _EQUALITIES.get(type(target.operator))
        if turned is not None:
            comparisons = [*node.comparisons]
            comparisons[place] = target.with_changes(operator=turned())
            yield _turned_into(site, node.with_changes(comparisons=comparisons))


def _whole_division(site: Site) -> Iterator[Edit]:
    node = site.node
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Divide):
        yield _turned_into(site, node.with_changes(operator=cst.FloorDivide()))


def _turned_into(site: Site, new: cst.BaseExpression, weight: float = 0.5) -> Edit:
    """The expression in place of the site's, and a sentence with both."""
    return site.put(new, weight, f"turns `{clip_text(site.code, 40)}` into `{clip_text(site.print(new), 40)}`")


_EQUALITIES = MappingProxyType(
    {
        cst.LessThan: cst.NotEqual,
        cst.GreaterThan: cst.NotEqual,
        cst.LessThanEqual: cst.Equal,
        cst.GreaterThanEqual: cst.Equal,
    }
)

OPERATORS = (
    Operator("equality", "mutation", (cst.Comparison,), _equality, mends=False, mutates=True).with_examples(
        Example("def f(a, b):\n    return a < b\n", "def f(a, b):\n    return a != b\n"),
        Example("def f(a, b):\n    return 0 <= a <= b\n", "def f(a, b):\n    return 0 == a <= b\n"),
        Example(
            "def f(size, most):\n    if size >= most:\n        return most\n    return size\n",
            "def f(size, most):\n    if size == most:\n        return most\n    return size\n",
        ),
        Example("def f(a, b):\n    return a != b\n"),
        Example("def f(a, b):\n    return a in b\n"),
    ),
    Operator(
        "whole_division", "mutation", (cst.BinaryOperation,), _whole_division, mends=False, mutates=True
    ).with_examples(
        Example("def f(a, b):\n    return a / b\n", "def f(a, b):\n    return a // b\n"),
        Example("def f(a):\n    x = (a + 1) / 2\n    return x\n", "def f(a):\n    x = (a + 1) // 2\n    return x\n"),
        Example(
            "def f(total, rows):\n    return [total / row for row in rows]\n",
            "def f(total, rows):\n    return [total // row for row in rows]\n",
        ),
        Example("def f(a, b):\n    return a // b\n"),
        Example("def f(a, b):\n    return a * b\n"),
    ),
    Operator(
        "return_replaced",
        "mutation",
        (cst.SimpleStatementLine,),
        _replace_return,
        roles=STATEMENT,
        mends=False,
        mutates=True,
    ).with_examples(
        Example("def f(a):\n    return a + 1\n", "def f(a):\n    return None\n"),
        Example("def f(a):\n    return a > 1\n", "def f(a):\n    return True\n"),
        Example(
            "def f(name):\n    if name:\n        return f'<{name}>'\n    return ''\n",
            "def f(name):\n    if name:\n        return None\n    return ''\n",
        ),
        Example("def f(a):\n    return\n"),
    ),
    Operator(
        "goes_on", "mutation", (cst.SimpleStatementLine,), _continue_loop, roles=STATEMENT, mends=False, mutates=True
    ).with_examples(
        Example(
            "def f(rows):\n    for row in rows:\n        if not row:\n            return\n        yield row\n",
            "def f(rows):\n    for row in rows:\n        if not row:\n            continue\n        yield row\n",
        ),
        Example(
            "async def f(rows):\n    async for row in rows:\n        yield row\n        return\n",
            "async def f(rows):\n    async for row in rows:\n        yield row\n        continue\n",
        ),
        Example(
            "def f(a):\n    while a:\n        if a.pop():\n            return\n",
            "def f(a):\n    while a:\n        if a.pop():\n            continue\n",
        ),
        Example("def f(rows):\n    for row in rows:\n        return row\n"),
        Example("def f(a):\n    if a:\n        return\n    print(a)\n"),
    ),
    Operator(
        "exception_replaced",
        "mutation",
        (cst.SimpleStatementLine,),
        _replace_exception,
        roles=STATEMENT,
        mends=False,
        mutates=True,
    ).with_examples(
        Example("def f(a):\n    raise KeyError(a)\n", "def f(a):\n    raise Exception('replaced')\n"),
        Example("def f(a):\n    raise E from a\n", "def f(a):\n    raise Exception('replaced')\n"),
        Example(
            "def f(size):\n    if size < 0:\n        raise ValueError('negative')\n    return size\n",
            "def f(size):\n    if size < 0:\n        raise Exception('replaced')\n    return size\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator(
        "handler_removed", "mutation", (cst.ExceptHandler,), _remove_handler, roles=("part",), mends=False, mutates=True
    ).with_examples(
        Example(
            "def f(a):\n    try:\n        return g(a)\n    except KeyError:\n        return 1\n",
            "def f(a):\n    try:\n        return g(a)\n    except ():\n        return 1\n",
        ),
        Example(
            "def f(a):\n    try:\n        return g(a)\n    except:\n        return 1\n",
            "def f(a):\n    try:\n        return g(a)\n    except ():\n        return 1\n",
        ),
        Example(
            "def f(rows):\n    try:\n        rows.pop()\n    except (IndexError, KeyError) as problem:\n"
            "        print(problem)\n",
            "def f(rows):\n    try:\n        rows.pop()\n    except () as problem:\n        print(problem)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("regrouped", "mutation", (cst.BooleanOperation,), _regroup_chain, mends=False, mutates=True).with_examples(
        Example("def f(a, b, c):\n    return a or b or c\n", "def f(a, b, c):\n    return a or (b and c)\n"),
        Example("def f(a, b, c):\n    return a and b and c\n", "def f(a, b, c):\n    return a or (b and c)\n"),
        Example(
            "def f(low, high, on):\n    if low or high or on:\n        return 1\n    return 2\n",
            "def f(low, high, on):\n    if low or (high and on):\n        return 1\n    return 2\n",
        ),
        Example("def f(a, b):\n    return a or b\n"),
        Example("def f(a, b, c):\n    return (a and b) and c\n"),
    ),
)
