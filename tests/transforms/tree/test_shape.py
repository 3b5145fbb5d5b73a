"""Trees compared by what they say; parentheses that real code does not need more of; sizes and kinds of edits."""

from __future__ import annotations

import email
from pathlib import Path

import libcst as cst
import pytest

from transforms.patch.apply import edit_kind
from transforms.tree.node_path import walk
from transforms.tree.parens import breaks_line, is_enclosed, settle_parentheses
from transforms.tree.proposal import EditKind
from transforms.tree.shape import changed_nodes, same_shape

SAME = [
    ("a+b", "( a + b )"),
    ("f(a,b)", "f(\n  a,\n  b,\n)"),
    ("'a'", '"a"'),
    ("'''a'''", "'a'"),
    ("f'{a}'", 'f"{ a }"'),
    ("1_000", "1000"),
    ("[a]", "[a,]"),
    ("a[1:2]", "a[1 : 2]"),
    ("lambda: a", "lambda : a"),
    ("f(k=1)", "f(k = 1)"),
    ("not(a)", "not a"),
]
DIFFERENT = [
    ("a", "b"),
    ("a+b", "a-b"),
    ("a<b", "a<=b"),
    ("(a,)", "a"),
    ("f(a)", "f(*a)"),
    ("f'{a}'", "f'{a=}'"),
    ("f'{a}'", "f'{a!r}'"),
    ("b'a'", "'a'"),
    ("1", "1.0"),
    ("a[1]", "a[1:]"),
    ("a is b", "a is not b"),
    ("{a: b}", "{a, b}"),
    ("f(k=1)", "f(j=1)"),
    ("1", "True"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_layout_makes_no_difference(one: str, other: str) -> None:
    assert same_shape(cst.parse_expression(one), cst.parse_expression(other))
    assert changed_nodes(cst.parse_expression(one), cst.parse_expression(other)) == 0


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_meaning_makes_a_difference(one: str, other: str) -> None:
    assert not same_shape(cst.parse_expression(one), cst.parse_expression(other))
    assert changed_nodes(cst.parse_expression(one), cst.parse_expression(other)) > 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("if a: b; c", "if a:\n    # why\n    b\n\n    c", True),
        ("if a:\n  b\nc", "if a:\n  b\n  c", False),
        ("x: int", "x: str", False),
        ("import a as b", "import a", False),
        ("def f(a, /, b): pass", "def f(a, b): pass", False),
        ("async def f(): pass", "def f(): pass", False),
        ("from . import a", "from .. import a", False),
    ],
)
def test_statements_are_compared_too(one: str, other: str, same: bool) -> None:
    assert same_shape(cst.parse_module(one), cst.parse_module(other)) is same


@pytest.mark.parametrize(
    ("old", "new", "size"),
    [
        ("a", "f(a)", 2),
        ("f(a, b)", "f(b, a)", 1),
        ("a + 1", "a - 1", 2),
        ("a", "a.b", 2),
        ("a == 1", "abs(a) == 1", 2),
        ("a[1:]", "a[:1]", 1),
    ],
)
def test_the_size_counts_nodes_that_come_and_go(old: str, new: str, size: int) -> None:
    assert changed_nodes(cst.parse_expression(old), cst.parse_expression(new)) == size


BODY = "    a = 1\n    if a > 2:\n        b(a, c)\n    return a\n"
LONG = "".join(f"    x{n} = {n}\n" for n in range(12))
KINDS = [
    (BODY.replace("a > 2", "(a>2)"), EditKind.UPDATE),
    (BODY.replace("a > 2", "a >= 2"), EditKind.UPDATE),
    (BODY.replace("a > 2", "a > 3"), EditKind.UPDATE),
    (BODY.replace("b(a, c)", "b(a, c, d)"), EditKind.UPDATE),
    (BODY.replace("b(a, c)", "b(c, a)"), EditKind.UPDATE),
    (BODY.replace("a = 1", "a = None"), EditKind.UPDATE),
    (BODY.replace("        b(a, c)\n", "        c()\n        b(a, c)\n"), EditKind.PATCH),
    (BODY.replace("return a", "return"), EditKind.PATCH),
    (BODY.replace("    a = 1\n", ""), EditKind.PATCH),
    (BODY.replace("a = 1", "a += 1"), EditKind.PATCH),
    (LONG + BODY, EditKind.REWRITE),
]


@pytest.mark.parametrize(("body", "kind"), KINDS)
def test_the_kind_of_an_edit_is_where_the_trees_part(body: str, kind: EditKind) -> None:
    old = cst.ensure_type(cst.parse_statement("def f(c):\n" + BODY), cst.FunctionDef)
    new = cst.ensure_type(cst.parse_statement("def f(c):\n" + body), cst.FunctionDef)
    assert edit_kind(old, new) is kind


def test_another_signature_is_a_rewrite() -> None:
    old = cst.ensure_type(cst.parse_statement("def f(c):\n" + BODY), cst.FunctionDef)
    new = cst.ensure_type(cst.parse_statement("def f(c, d):\n" + BODY.replace("1", "2")), cst.FunctionDef)
    assert edit_kind(old, new) is EditKind.REWRITE


def test_code_that_people_wrote_needs_no_more_parentheses() -> None:
    for path in sorted(Path(str(email.__file__)).parent.glob("*.py"))[:10]:
        module = cst.parse_module(path.read_bytes())
        assert settle_parentheses(module) is module, path.name
        for at, node in walk(module):
            if isinstance(node, cst.BaseExpression) and breaks_line(node):
                assert is_enclosed(module, at), module.code_for_node(node)
