"""What a file states of a function, and whether a call keeps to it."""

from __future__ import annotations

import pytest

from analysis.behaviour import Behaviour, Call, Hung, Raised, Returned
from analysis.facts import FunctionId
from analysis.stated.fact import FactSource
from analysis.stated.function import Stated, stated_of

SOURCE = b'''"""Numbers. `half` returns 0 for zero. It returns 7 if n is 3."""

class Row:
    """A row. cut() raises KeyError if width is negative."""

    def cut(self, width, fill="x"):
        """Returns None if nothing is left."""

def half(n: int, digits: int = 2) -> float:
    """Half of it.

    Raises ValueError if n is negative.
    """
'''


def half() -> Stated:
    return stated_of(FunctionId("m.py", "half", 9), SOURCE)


def test_a_module_and_a_class_speak_of_a_function_by_its_name() -> None:
    assert [(f.source, f.line) for f in half().facts] == [
        (FactSource.DOCSTRING, 12),
        (FactSource.ANNOTATION, 9),
        (FactSource.MODULE, 1),
    ]
    cut = stated_of(FunctionId("m.py", "Row.cut", 6), SOURCE)
    assert [(f.source, f.line) for f in cut.facts] == [(FactSource.DOCSTRING, 7), (FactSource.CLASS, 4)]


@pytest.mark.parametrize(
    ("arguments", "end", "broken"),
    [
        ("(-1)", Returned("1"), True),
        ("(n=-1)", Returned("1"), True),
        ("(-1)", Raised("KeyError", "1"), True),
        ("(-1)", Raised("ValueError", "'negative'"), False),
        ("(-1)", Raised("UnicodeDecodeError"), False),  # a kind of it
        ("(-1)", Raised("OwnError"), False),  # perhaps a kind of it
        ("(-1)", Hung(1.0), False),
        ("(1)", Returned("1"), False),
        ("(1)", Returned("1.5"), False),
        ("(1)", Returned("'1'"), True),
        ("(1)", Returned("Decimal('1')"), False),
        ("('1')", Returned("'1'"), False),  # the annotation leaves that argument out
        ("(<Money object>)", Returned("1"), False),
        ("(*n)", Returned("1"), False),
        ("(1, 2, 3)", Returned("None"), True),
    ],
)
def test_a_call_breaks_a_fact_where_that_can_be_told(arguments: str, end: Behaviour, broken: bool) -> None:
    assert bool(half().broken_by(Call("half", arguments), end)) is broken


def test_words_that_nobody_can_decide_allow_for_their_end() -> None:
    source = b'def f(n):\n    """Returns 0 if n is 1. Returns None if nothing matches."""\n'
    stated = stated_of(FunctionId("m.py", "f", 1), source)
    call = Call("f", "(1)")
    assert stated.broken_by(call, Returned("5"))
    assert not stated.broken_by(call, Returned("None"))
    assert stated.kept_by(call, Returned("0"))
    assert stated.named_by(Returned("None")) is not None
    assert stated.named_by(Returned("0")) is None


def test_defaults_are_known_and_what_is_no_literal_is_not() -> None:
    stated = half()
    assert dict(stated.known(Call("half", "(4)"))) == {"n": 4, "digits": 2}
    assert dict(stated.known(Call("half", "(Cart(1), digits=3)"))) == {"digits": 3}
    assert stated.is_outside(Call("half", "(None)"))
    assert not stated.is_outside(Call("half", "(4)"))


@pytest.mark.parametrize("source", [b"def half(:", b"", b"x = 1"])
def test_a_file_without_the_function_states_nothing(source: bytes) -> None:
    assert stated_of(FunctionId("m.py", "half", 1), source) == Stated("m.py")


def test_real_docstrings_of_the_standard_library_are_read() -> None:
    source = b'''def gcd_of(numbers):
    """Return the greatest common divisor.

    Returns 0 for an empty list.

    :param numbers: what to look at
    :raises TypeError: if numbers is not a list
    """
'''
    stated = stated_of(FunctionId("m.py", "gcd_of", 1), source)
    assert stated.broken_by(Call("gcd_of", "([])"), Raised("IndexError"))
    assert not stated.broken_by(Call("gcd_of", "([])"), Returned("0"))
    assert stated.broken_by(Call("gcd_of", "('a')"), Returned("0"))


@pytest.mark.parametrize(
    "signature",
    [
        f"def f(n=0x{'f' * 5000}):",
        f"def f(n) -> {' | '.join(['int'] * 600)}:",
        f"def f(n: {' | '.join(['int'] * 600)}):",
    ],
)
def test_a_default_or_an_annotation_that_is_too_deep_or_too_long_says_nothing(signature: str) -> None:
    stated = stated_of(FunctionId("m.py", "f", 1), f"{signature}\n    return n\n".encode())
    assert (stated.taken.names, stated.taken.defaults, stated.facts, stated.kinds) == (("n",), (), (), ())
