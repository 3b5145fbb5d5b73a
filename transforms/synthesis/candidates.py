"""Proposals made of expressions that a target found. Their texts are read with care: the target may say anything."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from analysis.synthesis import PlaceKind, Query, SynthesisPlace
from transforms.operators.operator import Site, clip_change, clip_text
from transforms.synthesis.spots import Spot
from transforms.tree.code_text import Piece, as_nodes
from transforms.tree.fragments import Fragments
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

PROPOSER = "synthesis"

MADE = "synthesized_"

FITTED = frozenset(f"{MADE}{kind.value}" for kind in PlaceKind if kind is not PlaceKind.VALUE)
"""Operators that make a condition which tells the calls of failing tests from those of passing ones."""

MOST_EACH = 2
"""Proposals for one place: they agree on all states that were seen, so more of them would say no more."""

MOST = 5
"""Proposals for one function: a search ends after few finds, and others may be better."""

WEIGHT = 0.3
"""The first proposal's weight: it makes the failing tests pass and changes nothing that passing tests look at."""

_CALLED = frozenset(["len", "abs", "str", "int", "sum", "max", "min", "sorted", "list", "tuple", "isinstance"])
_KINDS = frozenset(["str", "int", "float", "list", "tuple", "dict", "bytes"])
_METHODS = frozenset(
    ["strip", "lower", "upper", "isdigit", "isalnum", "isspace", "split", "get", "startswith", "endswith", "join"]
)
_NODES = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Slice, ast.Constant, ast.List),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)


def proposals_of(
    scope: EditScope, ask: Query, spots: Sequence[Spot], found: Mapping[int, Sequence[str]]
) -> Iterator[Proposal]:
    """One edit for each expression that may be proposed, the first of all places first; exits that are new last."""
    fragments, given = Fragments(), 0
    order = sorted(range(len(spots)), key=lambda number: (spots[number].kind is PlaceKind.EXIT, number))
    each = [[(number, text) for text in found.get(number, ())[:MOST_EACH]] for number in order]
    for number, text in (pair for row in itertools.zip_longest(*each) for pair in row if pair is not None):
        spot, place = spots[number], ask.places[number]
        if given >= MOST or not is_allowed(text, place.text, frozenset(ask.names)):
            continue
        made = [(site.path, _nodes(scope, spot, site, text, fragments)) for site in spot.sites]
        replacements = tuple(Replacement(path, nodes) for path, nodes in made if nodes is not None)
        if len(replacements) < len(made):
            continue
        operator, detail = f"{MADE}{place.kind.value}", _detail(spot, place, text)
        origin = Origin(PROPOSER, operator, detail)
        weight = WEIGHT / (1 + given)
        given += 1
        yield Proposal(scope.function, replacements, origin, detail, weight=weight)


def is_allowed(text: str, own: str, names: frozenset[str]) -> bool:
    """Whether it is a harmless expression over these names and the place's ``own``: ``len(x) > 0``, not ``open(x)``."""
    tree, old = _parse_expression(text), _parse_expression(own)
    if tree is None or old is None:
        return False
    roots = {name.split(".")[0] for name in names}
    return _is_sound(tree, ast.dump(old), roots) and ast.dump(tree) != ast.dump(old)


def _parse_expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_sound(node: ast.AST, own: str, names: set[str]) -> bool:
    """Whether a part of the expression is harmless, or just what stands there now: ``x.name``, not ``x.__class__``."""
    if ast.dump(node) == own:
        return True
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute):
        return not node.attr.startswith("__") and _is_sound(node.value, own, names)
    if isinstance(node, ast.Call):
        return _is_sound_call(node, own, names)
    return isinstance(node, _NODES) and all(_is_sound(child, own, names) for child in ast.iter_child_nodes(node))


def _is_sound_call(node: ast.Call, own: str, names: set[str]) -> bool:
    """Whether the call is harmless: ``len(x)``, ``isinstance(x, str)``, ``x.strip()``, not ``open(x)`` or ``f(*x)``."""
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        return False
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=arguments):
            kind = arguments[-1] if len(arguments) == 2 else None
            return isinstance(kind, ast.Name) and kind.id in _KINDS and _is_sound(arguments[0], own, names)
        case ast.Call(func=ast.Attribute(attr=name, value=receiver)):
            known = name in _METHODS and _is_sound(receiver, own, names)
        case _:
            known = isinstance(node.func, ast.Name) and node.func.id in _CALLED
    return known and all(_is_sound(argument, own, names) for argument in node.args)


def _detail(spot: Spot, place: SynthesisPlace, text: str) -> str:
    if place.kind is PlaceKind.GUARD:
        return f"runs `{clip_text(spot.first.code)}` only when `{clip_text(text)}`, as the failing tests want"
    if place.kind is PlaceKind.EXIT:
        return f"does `{clip_text(spot.exit)}` when `{clip_text(text)}`, as the failing tests want"
    before, after = clip_change(place.text, text)
    where = f" in all of {len(spot.sites)} places" if len(spot.sites) > 1 else ""
    return f"puts `{after}` for `{before}`{where}, which gives what the failing tests want"


def _nodes(scope: EditScope, spot: Spot, site: Site, text: str, fragments: Fragments) -> tuple[cst.CSTNode, ...] | None:
    """What takes the site's place: the expression, the statement under it, or both behind a new exit."""
    pieces: tuple[Piece, ...] = (text,)
    try:
        if spot.kind is PlaceKind.EXIT:
            pieces = (f"if {text}:\n    {spot.exit}\n", site.node)
        elif spot.kind is PlaceKind.GUARD:
            condition = fragments.expression(text)
            if condition is None:
                return None
            pieces = (cst.If(test=condition, body=site.block()),)
        return as_nodes(scope.node, site.path, pieces, fragments)
    except cst.CSTValidationError:
        return None
