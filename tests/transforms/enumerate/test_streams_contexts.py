"""What a place is used for, told by one word."""

from __future__ import annotations

from analysis.functions import functions_of
from transforms.enumerate.sites import ground
from transforms.enumerate.streams import context_of
from transforms.operators.operator import Neighbourhood
from transforms.tree.scope import EditScope, open_scope

SOURCE = b"""def f(a, b, rows):
    if a and rows[b]:
        return g(b, k=1)
    for row in rows:
        total = a + row.size
        total += 2
    while a < b: print(f"{total}")
    raise E([b])
"""


def contexts() -> dict[str, str]:
    (span,) = functions_of("m.py", SOURCE)
    scope = open_scope(SOURCE, span)
    assert isinstance(scope, EditScope)
    sites = ground(scope, Neighbourhood()).sites
    return {f"{site.line} {site.code.strip()}": context_of(site) for site in sites if site.code}


def test_expressions_by_their_use_and_statements_by_their_kind() -> None:
    found = contexts()
    expected = {
        "2 a and rows[b]": "if",
        "2 a": "condition",
        "2 b": "index",
        "2 rows": "receiver",
        "3 g(b, k=1)": "returned",
        "3 g": "called",
        "3 1": "argument",
        "3 k": "a label",
        "3 return g(b, k=1)": "a return",
        "4 rows": "iterated",
        "4 row": "a target",
        "5 a": "operand",
        "5 a + row.size": "assigned",
        "6 2": "added",
        "7 a < b": "while",
        "7 b": "compared",
        "7 total": "formatted",
        "8 E([b])": "raised",
        "8 [b]": "argument",
        "8 b": "element",
    }
    assert {key: found[key] for key in expected} == expected
    assert "other" not in {found[key] for key in found if key[0] not in "7"}
