"""Operators over one function as a lazy stream of proposals: one edit first, then pairs of promising ones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from analysis.facts import Digest, digest
from transforms.enumerate.familiar import FamiliarFirst, Familiarity
from transforms.enumerate.order import HAND_SET, Order
from transforms.enumerate.sites import Ground, ground
from transforms.enumerate.streams import Offer, offers
from transforms.enumerate.typed import Typed, Types
from transforms.operators.catalog import MENDING
from transforms.operators.operator import Edit, Neighbourhood, Operator
from transforms.tree.code_text import Piece, as_nodes
from transforms.tree.fragments import Fragments
from transforms.tree.node_path import NodePath, node_at
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope
from transforms.tree.spans import Span

PAIRED = frozenset({"guard", "initialization", "comparison", "condition", "arithmetic", "literal", "ingredients"})
"""Families whose edits are tried in pairs when no single edit is left."""

MOST_PAIRED = 120

PAIR_SHARE = 0.2
"""How often a fix takes two edits, where one did not do."""


def proposals_and_pauses(
    scope: EditScope,
    neighbourhood: Neighbourhood,
    *,
    seed: int = 0,
    line_scores: Sequence[tuple[int, float]] = (),
    operators: Sequence[Operator] = MENDING,
    types: Types = (),
    types_are_all: bool = False,
    order: Order = HAND_SET,
) -> Iterator[Proposal | None]:
    """Edits of the function, likeliest first, no two of which give the same text.

    ``None`` stands for work that gave no edit. Making the first one of a long function takes minutes, and whoever draws
    may want to stop there.

    ``line_scores`` are suspicious lines of the file. Edits that cannot work on values of the ``types`` seen come last.
    Where these are the types of all calls that matter, such edits are left out. The order is a function of the
    arguments alone.
    """
    land = ground(scope, neighbourhood)
    maker = _Maker(scope, land)
    typed = Typed(types, land.source, dict(land.spans))
    late: list[Offer] = []
    promising: list[Offer] = []
    ended: list[str] = []
    left = dict.fromkeys(operator.family for operator in operators)
    waiting = FamiliarFirst(Familiarity(scope))

    def give(following: float) -> Iterator[Proposal | None]:
        """Those that nothing can outweigh which is drawn later; families of which nothing is left are told of."""
        for offer, weight in waiting.ready(following):
            proposal = maker.single(offer, weight)
            if proposal is None:
                yield None
                continue
            if len(promising) < MOST_PAIRED and offer.operator.family in PAIRED:
                promising.append(offer)
            still = waiting.families if ended else frozenset()
            over = tuple(family for family in ended if family not in still)
            yield replace(proposal, ended=over) if over else proposal
            for family in over:
                ended.remove(family)
                del left[family]

    for offer in offers(operators, land.sites, neighbourhood, dict(line_scores), seed, order):
        if offer is None:
            yield None
            continue
        ended += offer.ended
        if typed.is_impossible(offer.site, offer.edit):
            late += [] if types_are_all else [offer]
        elif (text := maker.new_text(offer.edit)) is not None:
            waiting.add(offer, text)
        yield None
        yield from give(offer.weight)
    yield from give(0.0)
    # Two edits at once, those with the smallest sum of ranks first.
    for low, high in sorted(itertools.combinations(range(len(promising)), 2), key=sum):
        pair = maker.pair(promising[low], promising[high])
        yield replace(pair, ended=tuple(left)) if pair and left else pair
        if pair:
            left.clear()
    for offer in late:
        yield maker.single(offer, 0.0) if maker.new_text(offer.edit) is not None else None


_DEPTH = re.compile(r"\0\d+ ")
"""What stands before a statement of which the indentation is not printed."""


class _Maker:
    """Turns offers into proposals, each text once."""

    def __init__(self, scope: EditScope, land: Ground) -> None:
        self._scope = scope
        self._source = land.source
        self._spans: Mapping[NodePath, Span] = dict(land.spans)
        self._seen: set[Digest] = {digest(land.source)}
        self._fragments = Fragments()

    def single(self, offer: Offer, weight: float) -> Proposal | None:
        """The proposal of one edit; ``None`` when it cannot be built."""
        return self._proposal((offer,), weight)

    def pair(self, one: Offer, other: Offer) -> Proposal | None:
        """The proposal of two edits in different places."""
        paths = [change.at for offer in (one, other) for change in offer.edit.changes]
        if any(a is not b and b[: len(a)] == a for a in paths for b in paths):
            return None
        both = Edit((*one.edit.changes, *other.edit.changes), 0.0, "")
        if self.new_text(both) is None:
            return None
        return self._proposal((one, other), PAIR_SHARE * one.weight * other.weight)

    def new_text(self, edit: Edit) -> str | None:
        """The function after the edit, near enough, where that text is met for the first time.

        Of two edits that put ``x + 1`` for ``x`` one is new.
        """
        if any(change.at not in self._spans for change in edit.changes):
            return None  # a docstring stays where it is
        text = self._text(edit)
        key = digest(text)
        if key in self._seen:
            return None
        self._seen.add(key)
        return _DEPTH.sub("\n", text)

    def _text(self, edit: Edit) -> str:
        """The function after the edit, near enough to tell edits apart: spliced, neither indented nor fitted."""
        text = self._source
        splices = [(self._spans[c.at], self._code(c.at, c.pieces)) for c in edit.changes]
        for (start, end), code in sorted(splices, key=lambda splice: splice[0], reverse=True):
            text = text[:start] + code + text[end:]
        return text

    def _code(self, at: NodePath, pieces: Sequence[Piece]) -> str:
        """The pieces as text; statements carry their depth, since their indentation is not printed."""
        old, (start, end) = node_at(self._scope.node, at), self._spans[at]
        texts = [
            p if isinstance(p, str) else self._source[start:end] if p is old else self._scope.tree.code_for_node(p)
            for p in pieces
        ]
        if not isinstance(old, cst.BaseStatement):
            return "".join(texts)
        return "".join(f"\0{len(at)} {text.strip()}\n" for text in texts)

    def _proposal(self, chosen: Sequence[Offer], weight: float) -> Proposal | None:
        replacements = []
        for change in (c for offer in chosen for c in offer.edit.changes):
            try:
                nodes = as_nodes(self._scope.node, change.at, change.pieces, self._fragments)
            except cst.CSTValidationError:
                return None
            if nodes is None:
                return None
            replacements.append(Replacement(change.at, nodes))
        detail = " and ".join(offer.edit.detail for offer in chosen)
        name = "+".join(offer.operator.name for offer in chosen)
        origin = Origin("search", name, detail)
        return Proposal(self._scope.function, tuple(replacements), origin, detail, weight=weight)
