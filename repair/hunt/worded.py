"""What a search makes of the words that a model has named for a fix: these are the words, search has the grammar."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.neighbourhood import on_top
from repair.observe.parsing import survives_parsing
from repair.records.ports import Context
from transforms.enumerate.words import word_proposals
from transforms.ingredients.given_words import usable_words
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.tree.proposal import Origin, Proposal

MOST_PLACED, MOST_BUILT = 2000, 1000
"""Edits that put a word somewhere, and edits of the operators with words, that are tried for each reply."""


def worded_edits(below: CandidateStream, context: Context, words: Sequence[str], author: str) -> Iterator[Proposal]:
    """Edits of the stream's function with these words of the author.

    They stand in place of expressions, and are the first ingredients of the search's operators.
    """
    if not survives_parsing(words):
        return
    near = Neighbourhood(ingredients_of(context.module_source, below.scope.function))
    usable = usable_words(words, near.ingredients, context.module_source.decode("utf-8", "replace"))
    if not usable:
        return
    scores = dict(below.plan.suspect.line_scores)
    placed = word_proposals(below.scope, near, usable, scores, f"{author}+{below.proposer.name}")
    built = below.proposer.propose(below.plan, replace(context, words=usable))
    worded = Origin(author, "words")
    edits = (on_top(worded, each) for each in built if isinstance(each, Proposal))
    yield from itertools.islice(placed, MOST_PLACED)
    yield from itertools.islice(edits, MOST_BUILT)
