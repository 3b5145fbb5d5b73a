"""What several families ask of nodes, texts and lists: the one part of a node, orders of pairs, how alike names are."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from re import Match
from typing import TypeVar

import libcst as cst

from transforms.operators.operator import Site

_One = TypeVar("_One")
_Other = TypeVar("_Other")

LOOPS = (cst.For, cst.While)

NEUTRAL = ("[]", "None", "0", "''", "{}", "False", "()", "True", "1", "set()")
"""Values that a name can begin with or a function can give, likeliest first."""


def only_index(node: cst.CSTNode) -> cst.BaseExpression | None:
    """``i`` of ``x[i]``; nothing of a slice, of several indices, and of what is no subscript."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return index
    return None


def only_comparison(node: cst.CSTNode) -> cst.ComparisonTarget | None:
    """``< b`` of ``a < b``; nothing of a chain, and of what is no comparison."""
    return node.comparisons[0] if isinstance(node, cst.Comparison) and len(node.comparisons) == 1 else None


def sign_of(site: Site, target: cst.ComparisonTarget) -> str:
    """The operator of a comparison with one space between its words: ``<``, ``is not``."""
    return " ".join(site.print(target.operator).split())


def has_sign(site: Site) -> bool:
    """Whether a minus stands before it already, as before the ``a`` of ``-a``: a second one says nothing."""
    return isinstance(site.above, cst.UnaryOperation) and isinstance(site.above.operator, cst.Minus)


def is_negation(node: cst.CSTNode | None) -> bool:
    """Whether it is ``not x``."""
    return isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)


def called_name(site: Site, call: cst.Call) -> str:
    """The last name of what is called: ``c`` of ``a.b.c()``."""
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else site.print(call.func)


def statements_of(suite: cst.CSTNode | None) -> Sequence[cst.BaseStatement]:
    """The statements of a block, none where there is no block or one on the line of its head."""
    return suite.body if isinstance(suite, cst.IndentedBlock) else ()


def function_of(site: Site) -> cst.FunctionDef:
    """The function that is edited, of whose body the site is a part."""
    *_, outermost = site.ancestors()
    return outermost.node_as(cst.FunctionDef)


def requoted(node: cst.SimpleString, value: str) -> str:
    """A text in the quotes and with the prefix of another."""
    return f"{node.prefix}{node.quote}{value}{node.quote}"


def replaced(found: Match[str], new: str, group: int = 0) -> str:
    """The text that was searched, with something else in place of what was found."""
    return found.string[: found.start(group)] + new + found.string[found.end(group) :]


def without_parentheses(text: str) -> str:
    """``a, b`` of ``(a, b)``, so that one more can be put behind it."""
    return text[1:-1].rstrip(", ") if text.startswith("(") else text


def take_turns(*rows: Iterable[_One]) -> list[_One]:
    """The first of each row, then the second of each, to the end of the longest."""
    return [item for turn in zip_longest(*rows) for item in turn if item is not None]


def pairs_by_rank(ones: Iterable[_One], others: Sequence[_Other]) -> list[tuple[_One, _Other]]:
    """Each with each other, those first whose ranks sum to the least."""
    pairs = ((i + j, one, other) for i, one in enumerate(ones) for j, other in enumerate(others))
    return [(one, other) for _, one, other in sorted(pairs, key=lambda pair: pair[0])]


@functools.lru_cache(maxsize=1 << 14)
def likeness(one: str, other: str) -> float:
    """How alike two names are spelt, from 0 to 1."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
