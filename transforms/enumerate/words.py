"""Given words in a function: in place of expressions, around them, as what is called; and as statements before others.

A word is a piece of a fix and seldom all of it: ``set`` may stand for ``sorted`` in ``sorted(xs)``, or around ``xs``.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from transforms.enumerate.sites import ground
from transforms.enumerate.streams import suspiciousness
from transforms.ingredients.value_kinds import kind_of_text
from transforms.operators.operator import Neighbourhood, Site, clip_text
from transforms.tree.fragments import parse_expression, parse_statements
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

UNFIT = 0.2
"""What a word of another kind of value counts: a number for a text, say."""

PLACED, CALLED, AROUND = 1.0, 0.8, 0.5
"""What the forms count: the word as it is, as what is called or read instead, and called with what stands there."""

_FIXED = ("True", "False", "None")


def word_proposals(
    scope: EditScope, near: Neighbourhood, words: Sequence[str], line_scores: Mapping[int, float], proposer: str
) -> Iterator[Proposal]:
    """The edits of the function that put one of the words somewhere, likeliest first."""
    sites = ground(scope, near).sites
    values = [site for site in sites if site.role == "value" and (site.is_own_value or site.code in _FIXED)]
    found: list[tuple[float, int, Site, str, str]] = []
    statements: list[tuple[float, int, Site, tuple[cst.CSTNode, ...], str]] = []

    def note(site: Site, rank: int, worth: float, text: str, word: str) -> None:
        if text != site.code:
            found.append((worth * suspiciousness(site, line_scores) / (2 + rank), len(found), site, text, word))

    for rank, word in enumerate(words):
        node = parse_expression(word)
        if node is None:
            added = parse_statements(word) or ()
            for site in (each for each in sites if added and each.role == "statement"):
                worth = suspiciousness(site, line_scores) / (2 + rank)
                statements += [
                    (worth, len(statements) + n, site, nodes, word)
                    for n, nodes in enumerate(((*added, site.node), added))
                ]
            continue
        kind = kind_of_text(word, near.ingredients.kinds)
        for site in values:
            note(site, rank, PLACED * (UNFIT if kind and site.kind and kind != site.kind else 1.0), word, word)
        called = list(_calls_of(node, word, near))
        for site in sites if called else ():
            for text in _renamed(site, node, word):
                note(site, rank, CALLED, text, word)
        for site in values if called else ():
            for before, after in called:
                note(site, rank, AROUND, f"{before}{site.code}{after}", word)
    yield from _in_order(scope, found, statements, proposer)


def _in_order(
    scope: EditScope,
    found: Sequence[tuple[float, int, Site, str, str]],
    statements: Sequence[tuple[float, int, Site, tuple[cst.CSTNode, ...], str]],
    proposer: str,
) -> Iterator[Proposal]:
    """All of them, likeliest first; an expression is read only when its turn has come."""
    both = [(-worth, 0, number, site, text, word) for worth, number, site, text, word in found]
    more = [(-worth, 1, number, site, nodes, word) for worth, number, site, nodes, word in statements]
    for _, _, _, site, made, word in sorted((*both, *more), key=lambda each: each[:3]):
        node = parse_expression(made) if isinstance(made, str) else None
        nodes = made if isinstance(made, tuple) else (node,) if node is not None else ()
        if nodes:
            detail = f"puts `{clip_text(word, 40)}` at `{clip_text(site.code, 40)}`"
            yield Proposal(scope.function, (Replacement(site.path, nodes),), Origin(proposer, "word", detail), detail)


def _calls_of(node: cst.BaseExpression, word: str, near: Neighbourhood) -> Iterator[tuple[str, str]]:
    """What stands before and behind a value where the word is called with it; none of a name of a plain value."""
    match node:
        case cst.Attribute(attr=cst.Name(value=name)):
            yield f"{word}(", ")"
            yield "(", f").{name}()"
        case cst.Name(value=name):
            known = near.ingredients
            own = {*known.parameters, *(each.text for each in known.names)}
            is_function = name in known.defined and name not in own and not name.isupper()
            if is_function or callable(getattr(builtins, name, None)):
                yield f"{word}(", ")"


def _renamed(site: Site, node: cst.BaseExpression, word: str) -> Iterator[str]:
    """The expression with another function called, or another attribute read."""
    code = cst.Module([]).code_for_node
    match site.node:
        case cst.Call():
            yield code(site.node.with_changes(func=node))
        case cst.Attribute() if isinstance(node, cst.Attribute):
            yield code(site.node.with_changes(attr=node.attr))
