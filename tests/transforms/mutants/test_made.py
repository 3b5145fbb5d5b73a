"""Mutants, deletions and sabotages: what is touched, and that all of it compiles."""

from __future__ import annotations

import ast
import textwrap

import pytest

from analysis.functions import functions_of
from transforms.mutants.made import (
    changed_old_lines,
    changed_statements,
    kept_branches,
    looser_forms,
    mutants,
    sabotages,
)
from transforms.patch.difference import region
from transforms.tree.candidate import Rejected
from transforms.tree.node_path import node_at
from transforms.tree.scope import EditScope, open_scope


def opened(source: str) -> EditScope:
    content = textwrap.dedent(source).encode()
    span = functions_of("m.py", content)[0]
    scope = open_scope(content, span)
    assert not isinstance(scope, Rejected)
    return scope


OLD = """
    def f(a, b):
        if a > 1:
            a = b
        return a
    """


def code_at(scope: EditScope, path: tuple[str | int, ...]) -> str:
    return scope.tree.code_for_node(node_at(scope.node, path)).strip()


@pytest.mark.parametrize(
    ("new", "expected", "old_lines"),
    [
        ("def f(a, b):\n    if a > 1:\n        a = b\n    return a\n", [], []),
        ("def f(a, b):\n    if a > 1:\n        a = b + 1\n    return a\n", ["a = b + 1"], [4]),
        ("def f(a, b):\n    if a > 2:\n        a = b\n    return a\n", ["a > 2"], [3]),
        ("def f(a, b):\n    if a > 1:\n        a = b\n    a += 1\n    return a\n", ["a += 1"], [5]),
        (
            "def f(a, b):\n    if a > 1:\n        a = b\n    else:\n        b = a\n    return a\n",
            ["else:\n    b = a"],
            [3, 4],
        ),
        ("def f(a, b):\n    # why\n    if a > 1:\n        a = b  # because\n    return a\n", [], []),
        ("def f(a, b):\n    return a\n", ["return a"], [3, 4]),
    ],
)
def test_changed_region(new: str, expected: list[str], old_lines: list[int]) -> None:
    old, scope = opened(OLD), opened(new)
    assert [code_at(scope, p) for p in changed_statements(old, scope)] == expected
    assert sorted(changed_old_lines(old, scope)) == old_lines


NESTED = """
    def f(a, b):
        if b is None:
            return None
        else:
            if a > 1:
                a = b
            return a
    """


def test_what_is_only_nested_otherwise_has_no_mutants() -> None:
    labels = {(m.line, m.operator) for m in mutants(opened(NESTED), opened(OLD))}
    assert labels
    assert {line for line, _ in labels} == {3, 4}


def test_a_statement_that_stands_once_more_is_written() -> None:
    twice = OLD.replace("return a", "b = a\n        a = b\n        return a")
    assert {m.line for m in mutants(opened(twice), opened(OLD))} == {5, 6}


def test_expressions_that_the_change_keeps_have_no_mutants() -> None:
    old = 'def f(a):\n    return Page(a.strip("x"), 5 + a)\n'
    new = old.replace("Page(", "cls(").replace("5 + a", "5 - a")
    told = {mutant.text.decode().splitlines()[1] for mutant in mutants(opened(new), opened(old))}
    assert "    return None" in told
    assert '    return cls(a.strip("x"), 5 + a)' in told
    assert not any("6 - a" in line or "strip(None)" in line for line in told)
    written = {mutant.text for mutant in mutants(opened(new))}
    assert any(b"6 - a" in text for text in written)


def test_a_mere_move_has_mutants() -> None:
    moved = """
    def f(a, b):
        a = b
        if a > 1:
            a = b
        return a
    """
    before = """
    def f(a, b):
        if a > 1:
            a = b
        a = b
        return a
    """
    assert mutants(opened(moved), opened(before))


def test_mutants_touch_the_changed_region_only() -> None:
    new = opened("def f(a, b):\n    if a > 1:\n        a = b + 1\n    return a\n")
    found = mutants(new, opened(OLD))
    assert {m.line for m in found} == {3}
    assert {"delete_statement", "mutmut_swap_op", "mutmut_number", "mutmut_assignment"} <= {m.operator for m in found}
    texts = [m.text for m in found]
    assert len(set(texts)) == len(texts)
    assert all(b"if a > 1" in t and b"return a" in t for t in texts)
    assert all(m.label for m in found)


def test_decorated_functions_are_mutated() -> None:
    scope = opened("@cache\ndef f(a):\n    if a:\n        raise KeyError(a)\n    return a + 1\n")
    found = mutants(scope)
    assert {"negate_condition", "return_replaced", "exception_replaced", "delete_statement"} <= {
        m.operator for m in found
    }
    assert all(m.text.startswith(b"@cache\n") for m in found)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x, y):\n    try:\n        return f'{x:.1f} {y}'\n    except E:\n        pass\n",
        "async def f(x):\n    async with x as y:\n        await y.z(1, 'a')\n    return [i async for i in x if i]\n",
        "def f(x):\n    for i in x:\n        yield i if i else None\n        continue\n",
        "def f(x):\r\n\tif x:\r\n\t\treturn 'a'\r\n\treturn x is None\r\n",
    ],
)
def test_all_of_it_compiles(source: str) -> None:
    content = source.encode()
    span = functions_of("m.py", content)[0]
    scope = open_scope(content, span)
    assert not isinstance(scope, Rejected)
    texts = [m.text for m in mutants(scope)] + [t.text for t in sabotages(scope)]
    assert len(texts) > 5
    for text in texts:
        compile(scope.source[: scope.start] + text + scope.source[scope.end :], "m", "exec")


def test_sabotages() -> None:
    plain = sabotages(opened("def f(self, a, *, b=1):\n    '''Doc.'''\n    return a + b\n"))
    assert [t.text.decode().split("\n")[2].strip() for t in plain] == [
        'raise NotImplementedError("sabotage")',
        "return None",
        "return a",
    ]
    assert all(t.text.startswith(b"def f(self, a, *, b=1):\n    '''Doc.'''\n") for t in plain)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("def f(a):\n    'Doc.'; return a + 1\n", "return a + 1"),
        ("def f(a): 'Doc.'\n", "Doc."),
        ("def f(a):\n    return 'a'\n", "return 'a'"),
        ("def f(a):\n    f'{a}'\n    return a * 2\n", "f'{a}'"),
    ],
)
def test_nothing_but_a_docstring_of_its_own_line_survives_a_sabotage(text: str, kept: str) -> None:
    found = sabotages(opened(text))
    assert found
    assert not any(kept in t.text.decode() for t in found)


def test_sabotages_keep_generators_and_coroutines() -> None:
    for trial in sabotages(opened("def f(a):\n    yield a + 1\n")):
        assert any(isinstance(n, ast.Yield) for n in ast.walk(ast.parse(trial.text)))
    for trial in sabotages(opened("async def f(a):\n    return a\n")):
        assert isinstance(ast.parse(trial.text).body[0], ast.AsyncFunctionDef)


def test_a_moved_statement_is_a_change_in_both_places() -> None:
    old = opened("def f(a):\n    try:\n        g()\n    except E:\n        h()\n        k()\n    return a\n")
    new = opened("def f(a):\n    try:\n        g()\n    except E:\n        h()\n    k()\n    return a\n")
    found = region(old.node, new.node)
    assert [code_at(new, p) for p in found.new] == ["k()"]
    assert [code_at(old, p) for p in found.old] == ["k()"]


def test_plain_default_values_are_mutated_where_they_are_asked_for() -> None:
    scope = opened("def f(a, b=1, *, c='x', d=True, e=len('y'), g=(1, 2)):\n    return a\n")
    heads = {m.text.split(b"\n")[0] for m in mutants(scope)}
    assert {b"b=2", b"c='XXxXX'", b"d=False"} <= {part.strip() for h in heads for part in h[6:-2].split(b", ")}
    assert all(b"e=len('y'), g=(1, 2)" in head for head in heads), "what is computed at definition stays"
    plain = mutants(scope, defaults=False)
    assert {m.text.split(b"\n")[0] for m in plain} == {scope.text.split(b"\n")[0]}
    assert 0 < len(plain) < len(mutants(scope))


def test_default_values_are_no_part_of_a_changed_body() -> None:
    old = opened("def f(a, b=1):\n    return a\n")
    new = opened("def f(a, b=1):\n    return a + b\n")
    assert all(b"b=1" in m.text for m in mutants(new, old))


@pytest.mark.parametrize(
    ("new", "forms"),
    [
        ("if a > 1 and a % 2:", {"a % 2", "True", "False"}),
        ("if a > 1:", set()),
        ("if a and b:", {"a", "b", "True", "False"}),
        ("if hash(a) == 3:", {"True", "False"}),
    ],
)
def test_a_restriction_that_the_change_brings_in_is_taken_away(new, forms):
    old = opened(OLD)
    found = {
        mutant.text.decode().splitlines()[1].strip()
        for mutant in looser_forms(opened(OLD.replace("if a > 1:", new)), old)
    }
    assert found == {f"if {form}:" for form in forms}


def test_what_the_old_function_restricts_elsewhere_in_the_same_words_is_no_restriction_of_the_change():
    new = OLD.replace("a = b", "a = b if b > 1 else [b for b in a if b > 2]")
    labels = [
        mutant.label for mutant in looser_forms(opened(new), opened(OLD.replace("a = b", "a = b if b > 1 else 2")))
    ]
    assert labels == ["takes `True` for `b > 2`", "takes `False` for `b > 2`"]


def test_what_the_change_only_restates_is_no_restriction_that_it_brings_in():
    assert looser_forms(opened(OLD.replace("a > 1", "1 < b")), opened(OLD)) == ()
    assert looser_forms(opened(OLD.replace("a > 1", "a > 1 and b > 1")), opened(OLD))


def test_a_call_that_the_change_brings_in_is_left_out():
    old, new = OLD.replace("a = b", "a = g(h(b))"), OLD.replace("a = b", "a = k(h(b))")
    assert [mutant.label for mutant in looser_forms(opened(new), opened(old))] == ["takes `h(b)` for `k(h(b))`"]
    more = OLD.replace("a = b", "a = g(h(b.strip()))")
    assert looser_forms(opened(more), opened(old)) == (), "what is left is the old text"


def test_without_a_new_restriction_there_is_no_looser_form():
    assert looser_forms(opened(OLD.replace("a = b", "a = b + 1")), opened(OLD)) == ()


def test_only_what_is_written_is_asked_for_where_a_change_only_nests_otherwise():
    old, new = (
        opened("def f(a):\n    if a:\n        a = 1\n    return a\n"),
        opened("def f(a):\n    a = 1\n    return a\n"),
    )
    assert mutants(new, old)
    assert mutants(new, old, written=True) == ()
    changed = opened(OLD.replace("a > 1", "a > 2"))
    assert mutants(changed, opened(OLD), written=True) == mutants(changed, opened(OLD))


ORDINAL = """
    def f(n):
        if n < 0:
            return "-" + f(-n)
        if 10 <= n <= 20:
            return f"{n}th"
        for _ in range(n):
            if n == 7:
                break
        return f"{n}{SUFFIXES.get(n % 10, 'th')}"
    """


@pytest.mark.parametrize(
    ("old", "new", "heads"),
    [
        ("n % 10", "n % 20", ["if n < 0:", "if 10 <= n <= 20:", "if n == 7:"]),
        ("10 <= n", "9 <= n", ["if n < 0:", "if n == 7:"]),
        ("range(n)", "range(n + 1)", ["if n < 0:", "if 10 <= n <= 20:", "if n == 7:"]),
        ("break", "continue", ["if n < 0:", "if 10 <= n <= 20:"]),
        ('f"{n}th"', '"th"', ["if n < 0:", "if n == 7:"]),
    ],
)
def test_a_branch_that_the_change_leaves_alone_is_left_out_of_both(old: str, new: str, heads: list[str]) -> None:
    before, after = opened(ORDINAL), opened(ORDINAL.replace(old, new, 1))
    found = kept_branches(after, before)
    assert [each.head for each in found] == heads
    for each in found:
        ast.parse(each.new)
        ast.parse(each.old)
        assert each.head.encode() not in each.new + each.old
        assert len(each.new) < len(after.text)


def test_a_branch_with_an_else_and_one_of_two_that_read_alike_are_no_kept_branches() -> None:
    twice = "    if n > 1:\n        g()\n" * 2
    text = f"def f(n):\n    if n:\n        n = 1\n    else:\n        n = 2\n{twice}    return n"
    assert kept_branches(opened(text + " + 1\n"), opened(text + "\n")) == ()
