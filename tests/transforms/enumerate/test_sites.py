"""The places of a function: their roles, lines and texts."""

from __future__ import annotations

import textwrap

import libcst as cst

from analysis.functions import functions_of
from transforms.enumerate.sites import Ground, ground
from transforms.operators.operator import Neighbourhood, Site
from transforms.tree.candidate import Rejected
from transforms.tree.scope import open_scope

SOURCE = textwrap.dedent(
    '''\
    class A:
        @property
        def f(self, x: "T" = 4):
            """Line 4."""
            # above line 6

            y: int = (x + 6)
            for self.z, w in x.items(key=7):
                y[w] += [8 for i in x]
            return y
    '''
)


def surveyed(source: str) -> Ground:
    scope = open_scope(source.encode(), functions_of("m.py", source.encode())[0])
    assert not isinstance(scope, Rejected)
    return ground(scope, Neighbourhood())


def named(sites: tuple[Site, ...], code: str) -> list[Site]:
    return [s for s in sites if s.code == code]


def test_roles() -> None:
    sites = surveyed(SOURCE).sites
    assert [s.role for s in named(sites, "self.z")] == ["target"]
    assert [s.role for s in named(sites, "self")] == ["value"]
    assert [s.role for s in named(sites, "y")] == ["target", "value", "value"]
    assert [s.role for s in named(sites, "w")] == ["target", "value"]
    assert [s.role for s in named(sites, "key")] == ["label"]
    assert [s.role for s in named(sites, "i")] == ["target"]
    assert [s.line for s in sites if s.role == "statement"] == [7, 8, 9, 10]


def test_head_docstring_and_annotations_are_no_sites() -> None:
    sites = surveyed(SOURCE).sites
    assert not named(sites, "4")
    assert not named(sites, "int")
    assert not [s for s in sites if isinstance(s.node, cst.SimpleString)]


def test_lines_and_texts() -> None:
    sites = surveyed(SOURCE).sites
    assert [s.line for s in named(sites, "(x + 6)")] == [7]
    (eight,) = named(sites, "8")
    assert eight.line == 9
    assert eight.statement.line == 9
    assert eight.in_loop
    assert not named(sites, "(x + 6)")[0].in_loop


def test_what_stands_behind_the_else_of_a_loop_is_not_in_it() -> None:
    source = (
        "def f(xs):\n    for x in xs + 1:\n        x + 2\n    else:\n        x + 3\n    while x + 4:\n        pass\n"
    )
    sites = surveyed(source).sites
    assert {n: named(sites, str(n))[0].in_loop for n in range(1, 5)} == {1: False, 2: True, 3: False, 4: False}


def test_spans_cut_out_what_is_printed() -> None:
    land = surveyed(SOURCE)
    spans = dict(land.spans)
    for site in land.sites:
        if isinstance(site.node, cst.BaseExpression):
            start, end = spans[site.path]
            assert land.source[start:end] == site.print(site.node)


def test_characters_that_only_python_counts_as_line_ends() -> None:
    sites = surveyed("def f(a):\n    b = '\u2028\x85'\n    return b\n").sites
    assert [s.line for s in sites if s.role == "statement"] == [2, 3]
