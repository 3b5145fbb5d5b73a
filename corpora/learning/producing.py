"""Which edit operators give the new text of a function from its old one, by one edit, and at which place."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import libcst as cst

from corpora.bench.matching import does_the_same
from corpora.learning.squashed import Squashed, squashed, without_none
from corpora.learning.supposed import supposed
from transforms.apply import render
from transforms.candidate import Rejected
from transforms.contexts import context_of
from transforms.fragments import Fragments
from transforms.ingredients import ingredients_of
from transforms.node_path import NodePath, node_at
from transforms.operators.catalog import MENDING
from transforms.operators.operator import Edit, Neighbourhood, Operator, Site
from transforms.pieces import Piece, as_nodes
from transforms.proposal import Origin, Proposal, Replacement
from transforms.scope import EditScope
from transforms.sites import Ground, ground
from transforms.spans import Span
from transforms.streams import edits_at

COUNTED = tuple(operator for operator in MENDING if operator.family != "mutmut")
"""Operators that fixes are shared among. Mutmut's are left out: what they make of a fix's text, others make too."""

MOST_ADDED = 160
"""Characters of new code, layout aside, that one edit may bring."""

MOST_EDITS = 600
"""Edits of one operator at one place that are looked at: what stands further back is found by nobody."""

TRIED = 5
"""So many edits of an operator that all leave a place alone that has to change end its turn at a site."""


@dataclass(frozen=True, slots=True)
class Produced:
    """One way to the new text. ``rank`` counts the operator's edits at the place from 1.

    ``expected`` tells how the operator's places in the function are spread over contexts.
    """

    operator: str
    family: str
    context: str
    rank: int
    expected: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """A function and the text that it is to have, ready to be compared with edits of it."""

    scope: EditScope
    near: Neighbourhood
    land: Ground
    after: bytes
    old: Squashed
    new: str
    difference: Span

    @property
    def added(self) -> str:
        """What is new, layout aside; with a few characters around it, since equal ends may hide a beginning."""
        before, behind = self.old.outside(self.difference)
        return self.new[max(0, len(before) - 12) : len(self.new) - len(behind) + 12]


def wanted(scope: EditScope, after: bytes) -> Wanted | None:
    """The change as it is looked for; ``None`` where no single edit can be so large, or a text cannot be read."""
    try:
        text = after.decode(scope.encoding)
        old, new = Squashed(scope.tree.code), Squashed(scope.header + text).text
    except (UnicodeDecodeError, SyntaxError, tokenize.TokenError):
        return None
    difference = old.difference(new)
    before, behind = old.outside(difference)
    if old.text == new or len(new) - len(before) - len(behind) > MOST_ADDED:
        return None
    near = Neighbourhood(ingredients_of(scope.source, scope.function))
    found = Wanted(scope, near, ground(scope, near), after, old, new, difference)
    said = supposed(_touched(found), scope.header + text, found.added)
    if said:
        near = replace(near, constraints=said)
        found = replace(found, near=near, land=ground(scope, near))
    return found


def produced(goal: Wanted, operators: Sequence[Operator] = COUNTED) -> tuple[Produced, ...]:
    """Every operator that gives the new text, once each, at the first place where it does."""
    found = []
    touched = _touched(goal)
    finder = Finder(goal)
    for operator in operators:
        hit = next(_hits(operator, touched, finder), None)
        if hit is not None:
            site, rank = hit
            where = context_of(site)
            found.append(Produced(operator.name, operator.family, where, rank, _expected(operator, goal.land.sites)))
    return tuple(found)


def _hits(operator: Operator, sites: Sequence[Site], finder: Finder) -> Iterator[tuple[Site, int]]:
    for site in sites:
        if isinstance(site.node, operator.on) and site.role in operator.roles:
            rank = _rank(operator, site, finder)
            if rank:
                yield site, rank


def _rank(operator: Operator, site: Site, finder: Finder) -> int:
    """How far back among the operator's edits of the site the one stands that gives the new text; 0 for none."""
    hopeless = 0
    for rank, edit in enumerate(islice(edits_at(operator, site), MOST_EDITS), 1):
        if finder.gives(edit):
            return rank
        hopeless += not finder.can(edit)
        if hopeless == rank == TRIED:
            break
    return 0


def _expected(operator: Operator, sites: Sequence[Site]) -> tuple[tuple[str, float], ...]:
    """The share of each context among the places where the operator has something to offer."""
    mine = [s for s in sites if isinstance(s.node, operator.on) and s.role in operator.roles]
    if operator.choosy:
        mine = [s for s in mine if next(edits_at(operator, s), None) is not None]
    counts: dict[str, int] = {}
    for site in mine:
        counts[context_of(site)] = counts.get(context_of(site), 0) + 1
    return tuple((context, count / len(mine)) for context, count in counts.items())


def _touched(goal: Wanted) -> tuple[Site, ...]:
    """Places of statements that the difference touches, of those beside them, and all around them."""
    low, high = goal.difference
    spans = dict(goal.land.spans)
    hit = {s.path for s in goal.land.sites if s.role == "statement" and _meets(spans[s.path], low - 1, high + 1)}
    inner = {path for path in hit if not any(other != path and other[: len(path)] == path for other in hit)}
    beside = {(*path[:-1], path[-1] + step) for path in inner for step in (-1, 1) if isinstance(path[-1], int)}
    around = {path[:n] for path in inner for n in range(len(path))}
    return tuple(s for s in goal.land.sites if s.path in around or s.statement.path in (inner | beside | hit))


def _meets(span: Span, low: int, high: int) -> bool:
    return span[0] <= high and low <= span[1]


class Finder:
    """Tells whether an edit gives the wanted text: by the ends that it leaves alone first, by the parser last."""

    def __init__(self, goal: Wanted) -> None:
        self._goal = goal
        self._spans: dict[NodePath, Span] = dict(goal.land.spans)
        self._middles: dict[NodePath, str | None] = {}
        self._fragments = Fragments()

    def can(self, edit: Edit) -> bool:
        """Whether any text at the places of the edit could give the wanted one, as far as is quickly told."""
        return len(edit.changes) != 1 or (
            edit.changes[0].at in self._spans and self._middle(edit.changes[0].at) is not None
        )

    def gives(self, edit: Edit) -> bool:
        """Whether the function is the wanted one after the edit."""
        paths = [change.at for change in edit.changes]
        if any(path not in self._spans for path in paths):
            return False
        if len(paths) == 1:
            middle = self._middle(paths[0])
            alike = middle is not None and middle == self._code(paths[0], edit.changes[0].pieces)
        else:
            alike = self._spliced(edit) == self._goal.new
        return alike and self._is_same(edit)

    def _middle(self, at: NodePath) -> str | None:
        """What has to stand at the path; ``None`` where no text there gives the wanted one."""
        if at not in self._middles:
            before, behind = self._goal.old.outside(self._spans[at])
            new = self._goal.new
            fits = len(before) + len(behind) <= len(new) and new.startswith(before) and new.endswith(behind)
            self._middles[at] = new[len(before) : len(new) - len(behind)] if fits else None
        return self._middles[at]

    def _code(self, at: NodePath, pieces: Sequence[Piece]) -> str:
        old = node_at(self._goal.scope.node, at)
        texts = [squashed(piece) if isinstance(piece, str) else self._printed(piece, old, at) for piece in pieces]
        if not texts and len(node_at(self._goal.scope.node, at[:-1])) == 1:
            return "pass"
        return "".join(texts)

    def _printed(self, piece: cst.CSTNode, old: cst.CSTNode, at: NodePath) -> str:
        if piece is old:
            return self._goal.old.inside(self._spans[at])
        return squashed(self._goal.scope.tree.code_for_node(piece))

    def _spliced(self, edit: Edit) -> str:
        """The whole text after several changes."""
        text = ""
        done = 0
        for change in sorted(edit.changes, key=lambda c: self._spans[c.at]):
            before, _ = self._goal.old.outside(self._spans[change.at])
            _, behind = self._goal.old.outside(self._spans[change.at])
            text += before[done:] + self._code(change.at, change.pieces)
            done = len(self._goal.old.text) - len(behind)
        return text + self._goal.old.text[done:]

    def _is_same(self, edit: Edit) -> bool:
        replacements = []
        for change in edit.changes:
            try:
                nodes = as_nodes(self._goal.scope.node, change.at, change.pieces, self._fragments)
            except cst.CSTValidationError:
                return False
            if nodes is None:
                return False
            replacements.append(Replacement(change.at, nodes))
        scope = self._goal.scope
        trial = render(scope, Proposal(scope.function, tuple(replacements), Origin("learning", "")))
        if isinstance(trial, Rejected):
            return False
        return does_the_same(without_none(self._goal.after), without_none(trial.text))
