"""Which edit operators give the new text of a function from its old one, by one edit, and at which place."""

from __future__ import annotations

import builtins
import functools
import keyword
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice

import libcst as cst

from analysis.facts import Constraint
from corpora.bench.matching import does_the_same
from corpora.lab.learning.seen import Produced
from corpora.lab.learning.squashed import Squashed, squash, without_none, words_of
from corpora.lab.learning.supposed import suppose_constraints
from transforms import operators
from transforms.enumerate.order import Table
from transforms.enumerate.sites import Ground, ground
from transforms.enumerate.streams import context_of
from transforms.ingredients.within_reach import ingredients_of
from transforms.ingredients.word_counts import Weigh, by_hand
from transforms.operators.catalog import MENDING
from transforms.operators.operator import Edit, Neighbourhood, Operator, Site, edits_at
from transforms.patch.apply import render
from transforms.tree.candidate import Rejected
from transforms.tree.code_text import Piece, as_nodes
from transforms.tree.fragments import Fragments
from transforms.tree.node_path import NodePath, node_at
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope
from transforms.tree.spans import Span

COUNTED = tuple(operator for operator in MENDING if operator.family != "mutmut")
"""Operators that fixes are shared among. Mutmut's are left out: what they make of a fix's text, others make too."""

MOST_ADDED = 160
"""Characters of new code, layout aside, that one edit may bring."""

MOST_EDITS = 600
"""Edits of one operator at one place that are looked at: what stands further back is found by nobody."""

TRIED = 2
"""So many edits that change one place each end an operator's turn at a site whose change cannot give the new text."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """A function and the text that it is to have, ready to be compared with edits of it."""

    scope: EditScope
    near: Neighbourhood
    land: Ground
    """Without places where the new text has words that no edit can bring."""
    after: bytes
    old: Squashed
    new: str
    difference: Span

    @property
    def text(self) -> str:
        """The whole new text, as it would be parsed."""
        return self.scope.header + self.after.decode(self.scope.encoding)

    @property
    def added(self) -> str:
        """What is new, layout aside; with a few characters around it, since equal ends may hide a beginning."""
        before, behind = self.old.outside(self.difference)
        return self.new[max(0, len(before) - 12) : len(self.new) - len(behind) + 12]


def describe_wanted(scope: EditScope, after: bytes, weigh: Weigh = by_hand) -> Wanted | None:
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
    near = Neighbourhood(ingredients_of(scope.source, scope.function, weigh))
    if _brings_unknown(scope, text):
        return Wanted(scope, near, Ground((), (), ""), after, old, new, difference)
    found = Wanted(scope, near, ground(scope, near), after, old, new, difference)
    said = suppose_constraints(_touched_sites(found), scope.header + text, found.added)
    land = replace(found.land, sites=_add_constraints(found.land.sites, said)) if said else found.land
    return replace(found, near=replace(near, constraints=said), land=land)


def _add_constraints(sites: Sequence[Site], said: tuple[Constraint, ...]) -> tuple[Site, ...]:
    """The same sites with constraints: those around a site come before it."""
    told: dict[int, Site] = {}

    def again(site: Site) -> Site:
        if id(site) not in told:
            up = again(site.up) if site.up is not None else None
            told[id(site)] = replace(site, up=up, near=replace(site.near, constraints=said))
        return told[id(site)]

    return tuple(map(again, sites))


def _brings_unknown(scope: EditScope, text: str) -> bool:
    """Whether a word of the new text stands neither in the module nor in an operator: no edit brings it."""
    fresh = {word for word in words_of(scope.header + text) if word.isidentifier()}
    return not fresh <= {*_WORD.findall(scope.source.decode(scope.encoding, "replace")), *vocabulary()}


@functools.cache
def vocabulary() -> frozenset[str]:
    """All words that operators may bring by themselves: those of their own texts, of the language and its types."""
    texts = (file.read_text() for file in files(operators).iterdir() if file.name.endswith(".py"))
    own = {word for text in texts for word in _WORD.findall(text)}
    return frozenset((*own, *dir(builtins), *keyword.kwlist, *(name for kind in _KINDS for name in dir(kind))))


_WORD = re.compile(r"[^\W\d]\w*")
_KINDS = (str, bytes, int, float, list, tuple, dict, set, BaseException)


def find_produced(goal: Wanted, counted: Sequence[Operator] = COUNTED) -> tuple[Produced, ...]:
    """Every operator that gives the new text, once each, at the first place where it does."""
    found = []
    touched = _touched_sites(goal)
    finder = Finder(goal)
    for operator in counted:
        hit = next(_hits(operator, touched, finder), None)
        if hit is not None:
            site, rank = hit
            where = context_of(site)
            found.append(
                Produced(operator.name, operator.family, where, rank, _expected_contexts(operator, goal.land.sites))
            )
    return tuple(found)


def _hits(operator: Operator, sites: Sequence[Site], finder: Finder) -> Iterator[tuple[Site, int]]:
    for site in sites:
        if isinstance(site.node, operator.on) and site.role in operator.roles:
            rank = _rank(operator, site, finder)
            if rank:
                yield site, rank


def _rank(operator: Operator, site: Site, finder: Finder) -> int:
    """How far back among the operator's edits of the site the one stands that gives the new text; 0 for none.

    Edits change their own place or a part of it; those of statements may change several.
    """
    fits = finder.fits(site)
    if not fits and site.role != "statement":
        return 0
    for rank, edit in enumerate(islice(edits_at(operator, site), MOST_EDITS), 1):
        if finder.gives(edit):
            return rank
        if not fits and rank == TRIED and len(edit.changes) == 1:
            break
    return 0


def _expected_contexts(operator: Operator, sites: Sequence[Site]) -> Table:
    """The share of each context among the places where the operator has something to offer."""
    mine = [s for s in sites if isinstance(s.node, operator.on) and s.role in operator.roles]
    if operator.choosy:
        mine = [s for s in mine if next(edits_at(operator, s), None) is not None]
    counts: dict[str, int] = {}
    for site in mine:
        counts[context_of(site)] = counts.get(context_of(site), 0) + 1
    return {context: count / len(mine) for context, count in counts.items()}


def _touched_sites(goal: Wanted) -> tuple[Site, ...]:
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

    def fits(self, site: Site) -> bool:
        """Whether any text at the site gives the wanted one."""
        return site.path in self._spans and self._middle(site.path) is not None

    def gives(self, edit: Edit) -> bool:
        """Whether the function is the wanted one after the edit."""
        paths = [change.at for change in edit.changes]
        if any(path not in self._spans for path in paths):
            return False
        if len(paths) == 1:
            middle = self._middle(paths[0])
            pieces = edit.changes[0].pieces
            # Printing a tree is dear: texts that stand beside it are looked for first.
            alike = middle is not None and all(squash(p) in middle for p in pieces if isinstance(p, str))
            alike = alike and middle == self._code(paths[0], pieces)
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
        texts = [squash(piece) if isinstance(piece, str) else self._printed(piece, old, at) for piece in pieces]
        if not texts and len(node_at(self._goal.scope.node, at[:-1])) == 1:
            return "pass"
        return "".join(texts)

    def _printed(self, piece: cst.CSTNode, old: cst.CSTNode, at: NodePath) -> str:
        if piece is old:
            return self._goal.old.inside(self._spans[at])
        return squash(self._goal.scope.tree.code_for_node(piece))

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
