"""Elements: indices that change places, a part in place of one element, an empty thing that is the one element."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_index

MOST_PAIRS = 3
_INDICES = ("index", "pos", "position", "start", "end", "idx", "offset")
_EMPTY = ("[]", "()", "''", "{}", "None", "0")


def _swap_indices(site: Site) -> Iterator[Edit]:
    """``a[i, j]`` to ``a[j, i]``, and ``a[i][j]`` to ``a[j][i]``."""
    node = site.node_as(cst.Subscript)
    what = f"exchanges indices of `{clip_text(site.code)}`"
    elements = node.slice
    for number, (i, j) in enumerate(list(combinations(range(len(elements)), 2))[:MOST_PAIRS]):
        new = list(elements)
        new[i] = elements[i].with_changes(slice=elements[j].slice)
        new[j] = elements[j].with_changes(slice=elements[i].slice)
        yield site.put(node.with_changes(slice=new), 0.6 / (number + 1), what)
    inner = node.value
    if isinstance(inner, cst.Subscript) and only_index(node) is not None and only_index(inner) is not None:
        turned = inner.with_changes(slice=node.slice)
        yield site.put(node.with_changes(value=turned, slice=inner.slice), 0.6, what)


def _part_for_one(site: Site) -> Iterator[Edit]:
    """``a[1]`` to ``a[:2]`` and ``a[1:]``: several elements up to that one, or from it on."""
    index = only_index(site.node)
    if index is None or site.role != "value":
        return
    match index:
        case cst.Integer(value=text):
            upto = str(int(text, 0) + 1)
        case cst.Name(value=text) | cst.Attribute(attr=cst.Name(value=text)) if len(text) == 1 or text in _INDICES:
            text = site.print(index)
            upto = f"{text} + 1"
        case _:
            return
    base = site.print(site.node_as(cst.Subscript).value)
    name = base.rpartition(".")[2]
    if name[:1].isupper() and not name.isupper():  # a type
        return
    for bounds, weight in ((f":{upto}", 0.5), *(((f"{text}:", 0.3),) if text != "0" else ())):
        yield site.put(f"{base}[{bounds}]", weight, f"takes `[{bounds}]` instead of one element")


def _holds_empty(site: Site) -> Iterator[Edit]:
    """An empty collection to one that holds something empty: there is one way to take nothing."""
    if site.role == "value" and site.code in ("[]", "()"):
        for text, weight in weigh_by_rank(_EMPTY):
            new = f"[{text}]" if site.code == "[]" else f"({text},)"
            yield site.put(new, weight, f"gives `{new}` instead of `{site.code}`")


OPERATORS = (
    Operator("swap_indices", "access", (cst.Subscript,), _swap_indices).with_examples(
        Example("def f(grid, x, y):\n    return grid[x, y]\n", "def f(grid, x, y):\n    return grid[y, x]\n"),
        Example("def f(grid, x, y):\n    return grid[x][y]\n", "def f(grid, x, y):\n    return grid[y][x]\n"),
        Example(
            "def f(seats, row, deck):\n    return seats[row, 0, deck].free\n",
            "def f(seats, row, deck):\n    return seats[row, deck, 0].free\n",
        ),
        Example("def f(grid, x):\n    return grid[x]\n"),
    ),
    Operator("part_for_one", "access", (cst.Subscript,), _part_for_one, choosy=True).with_examples(
        Example("def f(day):\n    return day.isocalendar()[1]\n", "def f(day):\n    return day.isocalendar()[:2]\n"),
        Example("def f(row):\n    return list(row[1])\n", "def f(row):\n    return list(row[1:])\n"),
        Example("def f(text, i):\n    return text[i]\n", "def f(text, i):\n    return text[:i + 1]\n"),
        Example("def f(table, name):\n    return table[name]\n"),
        Example("def f(x: List[T]):\n    return x\n"),
    ),
    Operator("holds_empty", "neutral", (cst.List, cst.Tuple), _holds_empty).with_examples(
        Example(
            "def orders(meals):\n    if not meals:\n        return []\n    return [[m] for m in meals]\n",
            "def orders(meals):\n    if not meals:\n        return [[]]\n    return [[m] for m in meals]\n",
        ),
        Example("def f(rows):\n    return rows or []\n", "def f(rows):\n    return rows or ['']\n"),
        Example("def f(n):\n    found = ()\n    return found\n", "def f(n):\n    found = ((),)\n    return found\n"),
        Example("def f(a):\n    return [a]\n"),
    ),
)
