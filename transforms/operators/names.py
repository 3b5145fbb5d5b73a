"""Names that mean nothing where they stand: read from ``self``, out of an imported module, or spelt otherwise."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from difflib import get_close_matches

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, weigh_by_rank


def _qualify(site: Site) -> Iterator[Edit]:
    """``n`` as ``self.n`` or ``module.n``, or as the known name that looks most like it."""
    own, words = site.node_as(cst.Name).value, site.words
    bound = {i.text for i in words.names}
    if words.means(own) or own in bound:
        return
    owner = [f"{n}.{own}" for n in ("self", "cls") if n in bound]
    known = {*bound, *words.defined, *words.imported, *(n for n in dir(builtins) if not n.startswith("__"))}
    alike = get_close_matches(own, sorted(known), 4, 0.6)
    inside = [f"{module}.{own}" for module in sorted(words.imported - bound)[:12]]
    forms = [*owner, *alike[:2], *inside, *alike[2:]] if own.islower() else [*alike[:2], *inside, *owner, *alike[2:]]
    for text, weight in weigh_by_rank(forms, 2.0):
        yield site.put(text, weight, f"reads `{text}`, since nothing is named `{own}`")


def _other_definition(site: Site) -> Iterator[Edit]:
    """A function, class or constant of the module exchanged for another one that is named alike."""
    own, words = site.node_as(cst.Name).value, site.words
    if own not in words.defined or any(i.text == own for i in words.names):
        return
    others = {*(c.text for c in words.callables), *(c.text for c in words.constants)} - {own}
    defined = [n for n in sorted(others) if n in words.defined]
    for text, weight in weigh_by_rank(get_close_matches(own, defined, 5, 0.5)):
        yield site.put(text, weight, f"uses `{text}` instead of `{own}`")


OPERATORS = (
    Operator("qualify_name", "attributes", (cst.Name,), _qualify, choosy=True).with_examples(
        Example(
            "class Timer:\n    def f(self):\n        return clock() - self.start\n",
            "class Timer:\n    def f(self):\n        return self.clock() - self.start\n",
        ),
        Example(
            "import socket\ndef f(host):\n    raise gaierror(host)\n",
            "import socket\ndef f(host):\n    raise socket.gaierror(host)\n",
        ),
        Example("def f(total):\n    return totl * 2\n", "def f(total):\n    return total * 2\n"),
        Example("import os\ndef f(path, sep=','):\n    return os, len(path), sep\n"),
        Example("from os.path import *\ndef f(path):\n    return basename(path)\n"),
    ),
    Operator("other_definition", "ingredients", (cst.Name,), _other_definition, choosy=True).with_examples(
        Example(
            "MIN_SIZE = 1\nMAX_SIZE = 9\ndef f(n):\n    return n > MIN_SIZE\n",
            "MIN_SIZE = 1\nMAX_SIZE = 9\ndef f(n):\n    return n > MAX_SIZE\n",
        ),
        Example(
            "class JsonReader:\n    pass\nclass JsonWriter:\n    pass\ndef f(make):\n    return make(JsonReader)\n",
            "class JsonReader:\n    pass\nclass JsonWriter:\n    pass\ndef f(make):\n    return make(JsonWriter)\n",
        ),
        Example(
            "def load_row(x):\n    return x\ndef load_rows(x):\n    return x\ndef f(xs):\n"
            "    return map(load_row, xs)\n",
            "def load_row(x):\n    return x\ndef load_rows(x):\n    return x\ndef f(xs):\n"
            "    return map(load_rows, xs)\n",
        ),
        Example("MAX = 9\ndef f(MIN):\n    return MIN\n"),
    ),
)
