"""The proposer that builds edits from the project's own past: templates of its fixes, and words of its commits.

Fix templates hardly travel, and what they fit they seldom mend. So it has one candidate in ten at most, and has to be
asked for. Its edits are tried and judged as any other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

import libcst as cst

from repair.records.ports import Context
from repair.records.task import PatchPlan, Pause
from repair.records.wording import count_noun
from transforms.enumerate.sites import ground
from transforms.enumerate.words import word_proposals
from transforms.ingredients.edit_templates import EditTemplate, rewritings
from transforms.ingredients.given_words import usable_words
from transforms.ingredients.history_words import HistoryWord, fresh_words, rank_words
from transforms.ingredients.within_reach import Ingredients, ingredients_of
from transforms.ingredients.word_counts import Ingredient
from transforms.operators.operator import Neighbourhood, Site, clip_text
from transforms.tree.fragments import parse_expression, parse_statements
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

SHARE, WORD_SHARE = 10, 30
"""So many candidates of others stand between two of this proposer: by templates, and with words."""

MOST_STREAMS = 8
"""Functions that are searched at once at most: the share is that of all of them."""

MOST_EDITS, MOST_TEMPLATED = 500, 250
"""Edits of one function, and those of them by templates."""

MOST_LOOKED_AT, MOST_WORDS = 150, 40
"""Words that are looked at for one function, and those that are used."""

FIRST_HOPE = 0.5
"""What the first edit is taken for beside those of the search; a later one for less."""

_HOLES = {
    "name": ("names", "attributes"),
    "attribute": ("attribute_names", "methods"),
    "text": ("strings",),
    "number": ("numbers",),
}


class MemoryProposer:
    """Edits of one function by what the project's history has taught; none where nothing was learned.

    ``today`` counts days from 1970: older words count less.
    """

    name = "memory"
    eager = True

    def __init__(self, words: Sequence[HistoryWord], templates: Sequence[EditTemplate], today: int) -> None:
        self._words = words
        self._templates = templates
        self._today = today

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """Edits for the plan's one function: first those by templates, then those with words."""
        if not self._words and not self._templates:
            yield Pause(said="nothing was learned of this project: `repair memory learn` does")
            return
        near = Neighbourhood(ingredients_of(context.module_source, plan.function))
        module = context.module_source.decode("utf-8", "replace")
        known = texts_of(near.ingredients)
        ranked = rank_words(self._words, plan.function.path, self._today)
        words = usable_words(fresh_words(ranked, known)[:MOST_LOOKED_AT], near.ingredients, module)[:MOST_WORDS]
        scores = plan.suspect.line_scores
        streams = min(MOST_STREAMS, max(1, len(context.suspects)))
        templated = itertools.islice(self._templated(context.scope, near, words, module), MOST_TEMPLATED)
        worded = word_proposals(context.scope, near, words, dict(scores), self.name)
        for number, edit in enumerate(templated):  # what fits a template is rare: the first is tried at once
            yield Pause(SHARE * streams if number else 0)
            yield replace(edit, weight=FIRST_HOPE / (1 + number))
        for number, edit in enumerate(itertools.islice(worded, MOST_EDITS - MOST_TEMPLATED)):
            yield Pause(WORD_SHARE * streams)
            yield replace(edit, weight=FIRST_HOPE / (MOST_TEMPLATED + number))

    def _templated(
        self, scope: EditScope, near: Neighbourhood, words: Sequence[str], module: str
    ) -> Iterator[Proposal]:
        """Edits by templates, the best supported and most specific ones first."""
        sites = [site for site in ground(scope, near).sites if site.role in ("value", "statement")]
        for template in self._templates:
            for site in sites:
                for text in rewritings(template, site.code, lambda kind: _fillings(kind, near.ingredients, words)):
                    nodes = _nodes_of(text, site)
                    if nodes and usable_words((text,), near.ingredients, module):
                        changed = f"`{clip_text(site.code, 40)}` becomes `{clip_text(text, 40)}`"
                        detail = f"{changed}, as in {count_noun(template.commits, 'earlier fix', 'earlier fixes')}"
                        origin = Origin(self.name, "template", detail)
                        yield Proposal(scope.function, (Replacement(site.path, nodes),), origin, detail)


def texts_of(reach: Ingredients) -> frozenset[str]:
    """All that a search has by itself of a function's neighbourhood."""
    values = [getattr(reach, each.name) for each in fields(reach)]
    held = (item for value in values if isinstance(value, tuple) for item in value)
    return frozenset((*(item.text for item in held if isinstance(item, Ingredient)), *reach.parameters))


def _fillings(kind: str, reach: Ingredients, words: Sequence[str]) -> Sequence[str]:
    found = [each.text for name in _HOLES.get(kind, ()) for each in getattr(reach, name)]
    return [*found, *words] if kind in ("name", "text", "number") else found


def _nodes_of(text: str, site: Site) -> tuple[cst.CSTNode, ...]:
    """The text as what may stand at the site; a statement keeps the comments before it. None where it is no such."""
    if site.role == "value":
        value = parse_expression(text)
        return (value,) if value is not None else ()
    first, *others = parse_statements(text) or (None,)
    if not isinstance(first, cst.SimpleStatementLine) or not isinstance(site.node, cst.SimpleStatementLine):
        return ()
    return (first.with_changes(leading_lines=site.node.leading_lines), *others)
