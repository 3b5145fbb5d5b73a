"""Collections that are asked about and never filled: what was missing among them is put in where the answer was no."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, weigh_by_rank


def _fill_asked(site: Site) -> Iterator[Edit]:
    """``seen.add(x)`` behind ``if x in seen: …``, where ``seen`` is made empty and nothing is ever put into it."""
    methods = dict(site.words.unfilled)
    if not methods:
        return
    texts = [f"{name}.{methods[name]}({element})" for element, name in _missed_elements(site) if name in methods]
    for text, weight in weigh_by_rank(texts):
        yield from site.add(text, weight)


def _missed_elements(site: Site) -> Iterator[tuple[str, str]]:
    """What was not in which collection when this statement is reached, by the conditions around and before it."""
    below = site
    for around in (site, *site.ancestors()):
        if isinstance(around.node, cst.FunctionDef):
            return
        if isinstance(around.node, cst.If) and below is not around:
            yield from _asked_elements(around.node.test, site, inside=below.field == "body")
        if around.place is not None:
            for before in reversed(around.siblings[: around.place[1]]):
                if isinstance(before, cst.If):
                    yield from _asked_elements(before.test, site, inside=False)
        below = around


def _asked_elements(test: cst.BaseExpression, site: Site, *, inside: bool) -> Iterator[tuple[str, str]]:
    """Element and collection of each ``x in xs`` (``x not in xs`` where the condition holds) of a condition."""
    wanted = cst.NotIn if inside else cst.In
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        if isinstance(target.operator, wanted) and isinstance(target.comparator, cst.Name):
            yield site.print(test.left), target.comparator.value
    elif isinstance(test, cst.BooleanOperation):
        yield from _asked_elements(test.left, site, inside=inside)
        yield from _asked_elements(test.right, site, inside=inside)


OPERATORS = (
    Operator("fill_asked", "insert", (cst.BaseStatement,), _fill_asked, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def unique(rows):\n    seen, found = 0, []\n    known = set()\n    for row in rows:\n"
            "        if row.id in known:\n            continue\n        found.append(row)\n    return found\n",
            "def unique(rows):\n    seen, found = 0, []\n    known = set()\n    for row in rows:\n"
            "        if row.id in known:\n            continue\n        known.add(row.id)\n"
            "        found.append(row)\n    return found\n",
        ),
        Example(
            "def load(path, files):\n    done = []\n\n    def read(name):\n        if name not in done:\n"
            "            for other in files[name]:\n                read(other)\n\n    read(path)\n",
            "def load(path, files):\n    done = []\n\n    def read(name):\n        if name not in done:\n"
            "            done.append(name)\n            for other in files[name]:\n                read(other)\n\n"
            "    read(path)\n",
        ),
        Example(
            "def cyclic(job, needs):\n    met: set[str] = set()\n    while job:\n        if job in met:\n"
            "            return True\n        elif not needs[job]:\n            return False\n        else:\n"
            "            job = needs[job]\n",
            "def cyclic(job, needs):\n    met: set[str] = set()\n    while job:\n        if job in met:\n"
            "            return True\n        elif not needs[job]:\n            return False\n        else:\n"
            "            met.add(job)\n            job = needs[job]\n",
        ),
        Example(
            "def f(rows):\n    seen = set()\n    for row in rows:\n        if row in seen:\n            g(row)\n"
            "        seen.add(row)\n"
        ),
        Example(
            "def f(rows, fill):\n    seen = set()\n    fill(seen)\n    for row in rows:\n        if row in seen:\n"
            "            continue\n        print(row)\n"
        ),
    ),
)
