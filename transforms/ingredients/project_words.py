"""What the project's other modules add to the ingredients of a function: what its module imports from them.

Parameters of imported functions and classes, methods and attributes of imported classes, those first that are used
most often where they are defined. All of it ranks behind what the function's own module holds.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis.project_files import ImportedName
from transforms.ingredients.within_reach import Callee, Ingredients, callees_at
from transforms.ingredients.word_counts import Function, Ingredient, Weigh, by_hand, top_level

DISTANCE = 3
MOST_WORDS, MOST_CALLEES = 60, 120


def with_project(
    words: Ingredients, imports: Sequence[ImportedName], modules: Mapping[str, ast.Module], weigh: Weigh = by_hand
) -> Ingredients:
    """The ingredients, and behind them what the imports offer. ``modules`` are the trees of files to be looked at."""
    callees: list[Callee] = []
    members: set[str] = set()
    used: Counter[str] = Counter()
    for path in dict.fromkeys(i.path for i in imports if i.path in modules):
        used.update(node.attr for node in ast.walk(modules[path]) if isinstance(node, ast.Attribute))
    for each in imports:
        for node in top_level(modules[each.path]) if each.path in modules else ():
            if isinstance(node, (Function, ast.ClassDef)) and each.inner in ("", node.name):
                name = each.name if each.inner else f"{each.name}.{node.name}"
                callees += callees_at(name, node, DISTANCE)
                members.update(_members(node) if each.inner and isinstance(node, ast.ClassDef) else ())
    methods = {c.name[1:] for c in callees if c.name.startswith(".")}
    callees = [c for c in callees if not c.name.rpartition(".")[2].startswith("_")][:MOST_CALLEES]
    public = [n for n, _ in sorted(used.items(), key=lambda u: (-u[1], u[0])) if n in members and not n.startswith("_")]
    return replace(
        words,
        callees=(*words.callees, *callees),
        methods=_more("methods", words.methods, [n for n in public if n in methods], used, weigh),
        attribute_names=_more("attribute_names", words.attribute_names, public, used, weigh),
    )


def _members(node: ast.ClassDef) -> Iterator[str]:
    """Names of the methods and attributes that the class defines."""
    for inner in ast.walk(node):
        if isinstance(inner, Function):
            yield inner.name
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            yield inner.attr
        elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            yield inner.target.id


def _more(
    kind: str, known: tuple[Ingredient, ...], names: Sequence[str], used: Mapping[str, int], weigh: Weigh
) -> tuple[Ingredient, ...]:
    texts = {i.text for i in known}
    fresh = [Ingredient(n, weigh(kind, DISTANCE, used[n]), DISTANCE, times=used[n]) for n in names if n not in texts]
    return tuple(sorted((*known, *fresh[:MOST_WORDS]), key=lambda i: -i.weight))
