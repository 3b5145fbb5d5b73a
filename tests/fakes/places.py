"""A function with places to ask about, and what is asked."""

from __future__ import annotations

from dataclasses import replace

from analysis.functions import functions_of
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.synthesis.places import Points, points_of
from transforms.tree.candidate import Rejected
from transforms.tree.scope import EditScope, open_scope

PAGES = '''\
RATE = 3


def pages(items, size, start=0):
    """Numbers of pages."""
    if not items or size < 1:
        return []
    full, rest = divmod(len(items), size)
    while rest > 0 and start:
        rest -= 1
    return [n + start for n in range(full) if n % RATE] + items[1:size]
'''


def scope_of(source: str, name: str = "") -> EditScope:
    """The function of that name, or the first one, opened for editing."""
    spans = functions_of("m.py", source.encode())
    scope = open_scope(source.encode(), next(s for s in spans if name in ("", s.function.qualname)))
    assert not isinstance(scope, Rejected)
    return scope


def points(source: str, scores: tuple[tuple[int, float], ...] = ()) -> Points:
    """What is asked about the first function."""
    return _points(scope_of(source), source, scores, 1.0)


def named(source: str, name: str, *, path: str = "lib.py", seconds: float = 3.0) -> Points:
    """What is asked about the function of that name."""
    scope = scope_of(source, name)
    return _points(replace(scope, function=replace(scope.function, path=path)), source, (), seconds)


def _points(scope: EditScope, source: str, scores: tuple[tuple[int, float], ...], seconds: float) -> Points:
    near = Neighbourhood(ingredients_of(source.encode(), scope.function))
    found = points_of(scope, near, scores, seconds)
    assert found is not None
    return found
