"""Given words in place of whole expressions of a function, and as statements before others, likeliest first."""

from __future__ import annotations

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


def word_proposals(
    scope: EditScope, near: Neighbourhood, words: Sequence[str], line_scores: Mapping[int, float], proposer: str
) -> Iterator[Proposal]:
    """The edits of the function that put one of the words somewhere, whatever stood there."""
    sites = ground(scope, near).sites
    found: list[tuple[float, int, Site, tuple[cst.CSTNode, ...], str]] = []
    for rank, word in enumerate(words):
        node = parse_expression(word)
        if node is not None:
            kind = kind_of_text(word, near.ingredients.kinds)
            for site in (each for each in sites if each.role == "value" and each.is_own_value and each.code != word):
                fit = UNFIT if kind and site.kind and kind != site.kind else 1.0
                found.append((fit * suspiciousness(site, line_scores) / (2 + rank), len(found), site, (node,), word))
        elif added := parse_statements(word):
            for site in (each for each in sites if each.role == "statement"):
                for nodes in ((*added, site.node), added):
                    found.append((suspiciousness(site, line_scores) / (2 + rank), len(found), site, nodes, word))
    for _, _, site, nodes, word in sorted(found, key=lambda each: (-each[0], each[1])):
        detail = f"puts `{clip_text(word, 40)}` at `{clip_text(site.code, 40)}`"
        yield Proposal(scope.function, (Replacement(site.path, nodes),), Origin(proposer, "word", detail), detail)
