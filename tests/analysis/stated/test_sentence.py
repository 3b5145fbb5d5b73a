"""Sentences of docstrings as facts; what is not understood yields none."""

from __future__ import annotations

import time

import pytest

from analysis.facts import FunctionId
from analysis.stated.fact import (
    AllOf,
    Always,
    AnyOf,
    Argument,
    Certainty,
    Compares,
    Fixed,
    Gives,
    GivesKind,
    IsEmpty,
    IsKind,
    IsSorted,
    IsWithin,
    Negated,
    Raises,
    StatedFact,
    Undecided,
    applies,
)
from analysis.stated.function import stated_of

N = Argument("n")
NEGATIVE = Compares(N, "<", Fixed("0"))
NONE = Compares(N, "is", Fixed("None"))


def facts(docstring: str, signature: str = "n") -> tuple[StatedFact, ...]:
    source = f'def half({signature}):\n    """{docstring}"""\n'
    return stated_of(FunctionId("m.py", "half", 1), source.encode()).facts


@pytest.mark.parametrize(
    ("docstring", "condition", "end"),
    [
        ("Returns 0 for an empty list.", IsEmpty("n", ("list",)), Gives("0")),
        ("Return an empty string if the text is empty.", IsEmpty("n", ("str",)), Gives("''")),
        ("Return ``None`` when nothing matches.", Undecided("nothing matches"), Gives("None")),
        ("The first match, or None.", Undecided(""), Gives("None")),
        ("Mean of the window; None if it is empty.", Undecided("it is empty"), Gives("None")),
        ("The fields of a line; None for a line of another form.", Undecided("a line of another form"), Gives("None")),
        ("The mean, rounded; 0 for an empty list.", IsEmpty("n", ("list",)), Gives("0")),
        ("Raises ValueError if n is negative.", NEGATIVE, Raises("ValueError")),
        ("Raise a :exc:`ValueError` for negative numbers.", NEGATIVE, Raises("ValueError")),
        ("ValueError is raised unless `n` is positive", Negated(Compares(N, ">", Fixed("0"))), Raises("ValueError")),
        ("Returns 0 if and only if n is negative.", NEGATIVE, Gives("0")),
        ("Returns 0 iff n is negative.", NEGATIVE, Gives("0")),
        ("If n is None, returns -1.", NONE, Gives("-1")),
        ("If ``n`` is less than 10, 5 is returned.", Compares(N, "<", Fixed("10")), Gives("5")),
        ("Returns None if n is None or empty.", AnyOf((NONE, IsEmpty("n"))), Gives("None")),
        ("Raises TypeError if n is not a string.", Negated(IsKind("n", ("str",))), Raises("TypeError")),
        ("half(4) returns 2.", AllOf((Compares(N, "==", Fixed("4")),)), Gives("2")),
        ("'3x' or '3' or '' (which means 1).", Compares(N, "==", Fixed("''")), Gives("1")),
        ("0 (meaning None)", Compares(N, "==", Fixed("0")), Gives("None")),
        ("1 -> '1st'.", Compares(N, "==", Fixed("1")), Gives("'1st'")),
        ("Rows of unequal length raise ValueError.", Undecided("rows of unequal length"), Raises("ValueError")),
        ("Returns a sorted list of names.", Always(), IsSorted()),
        ("Returns all names in descending order.", Always(), IsSorted(descending=True)),
        ("Returns at most n items.", Always(), IsWithin(most=N, counts_items=True)),
        ("Seconds that are left, never negative.", Always(), IsWithin(least=Fixed("0"))),
        ("Cut it.\n\n    Returns:\n        None if n is negative.\n    ", NEGATIVE, Gives("None")),
        ("Cut it.\n\n    Raises:\n        KeyError: If n is negative.\n    ", NEGATIVE, Raises("KeyError")),
        (
            "Cut it.\n\n    Raises\n    ------\n    KeyError\n        If n is negative.\n    ",
            NEGATIVE,
            Raises("KeyError"),
        ),
        ("Cut it.\n\n    :raises KeyError: if n is negative\n    ", NEGATIVE, Raises("KeyError")),
        ("Cut it.\n\n    :returns: 0 if n is negative\n    ", NEGATIVE, Gives("0")),
        ("Cut it.\n\n    :rtype: str or None\n    ", Always(), GivesKind(("str", "NoneType"))),
        ("Cut it.\n\n    Returns\n    -------\n    int\n        The rest.\n    ", Always(), GivesKind(("int",))),
    ],
)
def test_a_sentence_with_a_value_or_a_kind_is_a_fact(docstring: str, condition: object, end: object) -> None:
    (found,) = facts(docstring)
    assert (found.condition, found.end) == (condition, end)


@pytest.mark.parametrize(
    "docstring",
    [
        "Never returns None.",
        "Does not raise ValueError if n is negative.",
        "Returns 0 or 1 for the side.",
        "Return True or False.",
        "You may return None if n is negative.",
        "Should return None if n is negative.",
        "Set the limit to n, or to None.",
        "Returns a list sorted by name.",
        "The default is None if n is negative.",
        "Usually returns 0 for an empty list.",
        "Sort the names; 0 for an empty list.",
        "The names; pass None for an empty list.",
        "If nothing matches, return 'None'.",
        "Cut it.\n\n    >>> half(0)\n    Returns 0 if n is negative.\n    ",
        "Cut it.\n\n    Returns\n    -------\n    head : bytes\n        One.\n    tail : list\n        The rest.\n    ",
        "Cut it::\n\n        Returns 0 if n is negative.\n    ",
        "Cut it.\n\n    Args:\n        n: Returns 0 if n is negative.\n    ",
        "Cut it.\n\n    .. note::\n        Returns 0 if n is negative.\n    ",
        "Returns None only if n is negative.",
        "Raises ValueError only if n is negative.",
        "The first match, or None only if n is negative.",
        "Returns 007 if n is 0.",
        "01 -> 2.",
        "Returns at most 05 items.",
        r"Returns '\\' if n is 0.",
        r"Returns 'C:\\users' if n is 0.",
        r"Returns '\\x' if n is 0.",
        r"Returns '\ud800' if n is 0.",
        "Returns \u0663 if n is 0.",
        f"Returns {'9' * 5000} if n is 0.",
        f"half({'-' * 20_000}1) -> 3.",
        f"half(3) -> [{'1, ' * 100}1].",
        f"half(3) -> {'1' * 300}.",
        f"Cut it. {'Word. ' * 4000}Returns 0 if n is negative.",
        f"Cut it.\n\n    {'Word. ' * 4000}\n\n    Returns 0 if n is negative.\n    ",
        f"Returns 0 if n is {'very ' * 200}negative.",
        "half(1e999) -> 3.",
        "half(3) -> [1e999].",
        "Returns 0 (which means 1).",
        "The limit, or '' (which means the default).",
        "'3x' or '3' or nothing (which means 1).",
        "Cut it.\n\n    :returns: 0 or -1 (which means None)\n    ",
        "Cut it.\n\n    Returns:\n        -1 (which means 0).\n    ",
        "",
    ],
)
def test_what_is_not_understood_is_no_fact(docstring: str) -> None:
    assert facts(docstring) == ()


@pytest.mark.parametrize(
    ("docstring", "signature"),
    [
        ("Returns 0 for an empty list.", "one, other"),
        ("Returns 0 for an empty list.", "*names"),
        ("Returns 0 if n is zero or less.", "n"),
        ("Returns 0 if n is not None or empty.", "n"),
        ("Returns 0 if n is given.", "n"),
        ("Returns 0 if n is negative, or if the limit is reached.", "n"),
        ("Returns 0 if n is 007.", "n"),
        ("Returns 0 if n > 007.", "n"),
    ],
)
def test_a_condition_that_may_be_read_in_two_ways_is_undecided(docstring: str, signature: str) -> None:
    (found,) = facts(docstring, signature)
    assert isinstance(found.condition, Undecided)
    assert not found.is_decidable


def test_both_sides_of_otherwise_are_facts() -> None:
    one, other = facts("Returns 1 if n is negative, otherwise 0.")
    assert (one.condition, one.end) == (NEGATIVE, Gives("1"))
    assert (other.condition, other.end) == (Negated(NEGATIVE), Gives("0"))


@pytest.mark.parametrize(
    "docstring",
    [
        "Returns 1 if n is negative, 2 if n is None, and 0 otherwise.",
        "Returns 1 if n is negative and 2 if n is None, otherwise 0.",
        "Returns 1 if n is negative; returns 2 if n is None, otherwise 0.",
        "Returns 1 if n is negative; raises ValueError if n is None; 2 if n is None, otherwise 0.",
    ],
)
def test_otherwise_means_none_of_all_conditions_before_it(docstring: str) -> None:
    *_, last, otherwise = facts(docstring)
    assert last.condition == NONE
    assert otherwise.end == Gives("0")
    before = _conditions_in(otherwise)
    assert (before[0], before[-1]) == (NEGATIVE, NONE)
    assert otherwise.certainty is Certainty.CERTAIN


def _conditions_in(fact: StatedFact) -> tuple[object, ...]:
    assert isinstance(fact.condition, Negated)
    assert isinstance(fact.condition.inner, AnyOf)
    return fact.condition.inner.parts


@pytest.mark.parametrize("before", ["Returns 1 for big ones", "Cuts what is big to 1"])
def test_otherwise_behind_words_that_are_not_understood_is_undecided(before: str) -> None:
    *_, otherwise = facts(f"{before}; returns 2 if n is None, otherwise 0.")
    assert applies(otherwise.condition, {"n": 5}) is None
    assert applies(otherwise.condition, {"n": None}) is False


def test_each_exception_of_a_sentence_has_its_own_condition() -> None:
    one, other = facts("Raises ValueError if n is negative and TypeError if n is None.")
    assert (one.condition, one.end) == (NEGATIVE, Raises("ValueError"))
    assert (other.condition, other.end) == (NONE, Raises("TypeError"))


def test_an_exception_need_not_be_called_an_error() -> None:
    one, other = facts("Raises NoRoute if n is negative and OutOfStock if nothing is left.")
    assert (one.condition, one.end) == (NEGATIVE, Raises("NoRoute"))
    assert (other.condition, other.end) == (Undecided("nothing is left"), Raises("OutOfStock"))


def test_a_fact_has_its_words_and_their_line() -> None:
    (found,) = facts("Cut a number\n    in half.\n\n    It is odd.\n    Raises ValueError\n    if n is negative.\n    ")
    assert (found.line, found.quote) == (6, "Raises ValueError if n is negative.")


def test_of_a_very_long_docstring_the_first_paragraphs_and_a_hundred_facts_are_read() -> None:
    (found,) = facts(f"Returns 0 if n is negative.\n\n    {'Word. ' * 4000}\n    ")
    assert found.condition == NEGATIVE
    many = facts(" ".join(f"Returns {number} if n is {number}." for number in range(500)))
    assert [each.end for each in many] == [Gives(str(number)) for number in range(100)]
    assert [each.line for each in facts("Cut.\n    Returns 0 if n is 1.\n    Returns 2 if\n    n is 3.\n    ")] == [
        3,
        4,
    ]


def test_a_long_field_costs_no_more_than_its_length() -> None:
    begun = time.process_time()
    assert facts(f"Cut it.\n\n    :p{' ' * 15_000}x\n    ") == ()
    assert time.process_time() - begun < 0.5  # seconds of the processor; every way to part the spaces takes several


def test_what_names_no_parameter_is_likely_alone() -> None:
    assert facts("Returns 0 for an empty list.")[0].certainty is Certainty.LIKELY
    assert facts("Returns 0 if n is empty.")[0].certainty is Certainty.CERTAIN
    assert facts("Returns 0 if the n is empty.")[0].certainty is Certainty.LIKELY


def test_the_list_of_a_method_may_be_its_instance() -> None:
    source = b'class Stack:\n    def pop(self, n):\n        """Returns None if the list is empty."""\n'
    (found,) = stated_of(FunctionId("m.py", "Stack.pop", 2), source).facts
    assert found.condition == Undecided("the list is empty")
