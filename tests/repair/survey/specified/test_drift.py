"""Facts that are held against calls."""

import ast
from dataclasses import replace

import pytest

from analysis.behaviour import Raised, Returned
from analysis.calls import PlainAnswer
from analysis.facts import InvalidRun, Limits
from analysis.specified.asserted import KnownFunction
from analysis.specified.docstring_facts import docstring_facts
from analysis.specified.requirements import requirement_facts
from analysis.stated.function import stated_functions
from repair.survey.specified.drift import find_drift


class Calling:
    """A sandbox that calls the function here."""

    def __init__(self, source, invalid=None):
        self._source = source
        self._invalid = invalid
        self.called = []

    def call_apart(self, function, calls, files=(), *, limits=None, like_tests=False):
        if self._invalid:
            return self._invalid
        names = {}
        exec(self._source, names)
        return tuple(self._answer(names[function.qualname], each) for each in calls)

    def _answer(self, function, given):
        args, named = given.values()
        self.called.append(given)
        try:
            does = Returned(repr(function(*args, **named)))
        except Exception as problem:  # noqa: BLE001 - whatever the program raises is its answer
            does = Raised(type(problem).__name__, repr(str(problem)))
        return PlainAnswer("", does)


def drift(source, page="", invalid=None):
    (function, *_) = stated_functions("a.py", ast.parse(source))
    facts = list(docstring_facts("a.py", function))
    facts += requirement_facts("a.md", page, {function.qualname: KnownFunction("a.py:f", function)})
    sandbox = Calling(source, invalid)
    return find_drift(sandbox, "a.py:f", function, (("a.py", source.encode()),), facts, Limits()), sandbox


def said(found):
    return [(each.call.source, each.fact.predicate.value, each.fact.value) for each in found.drifted]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('def f(n):\n    """Returns 0 if n is negative."""\n    return n', [("f(-1)", "returns", "0")]),
        ('def f(n):\n    """Returns 0 if n is negative."""\n    return max(n, 0)', []),
        ('def f(row: list):\n    """Returns None if row is empty."""\n    return 1', [("f([])", "returns", "None")]),
        ('def f(n):\n    """Do.\n\n    >>> f(2)\n    5\n    """\n    return n', [("f(2)", "returns", "5")]),
        ('def f(n):\n    """Raises KeyError if n is 3."""\n    return n', [("f(3)", "raises", "KeyError")]),
        ('def f(n):\n    """Returns 0 if it rains."""\n    return n', []),
    ],
)
def test_drift(source, expected):
    assert said(drift(source)[0]) == expected


def test_a_requirement_is_held_by_itself():
    source = 'def f(n):\n    """Returns 1 if n is 0."""\n    return 1'
    assert said(drift(source, "- REQ-1: `f(0)` shall return 2.\n")[0]) == [("f(0)", "returns", "2")]


def test_what_reaches_files_is_not_called():
    found, sandbox = drift('def f(n):\n    """Returns 0 if n is 1."""\n    return open(n).read()')
    assert "files" in found.problem
    assert sandbox.called == []


def test_a_function_that_cannot_be_called_says_why():
    lost = InvalidRun("lost", "the module could not be imported")
    found, _ = drift('def f(n):\n    """Returns 0 if n is 1."""\n    return n', invalid=lost)
    assert found.problem == "the module could not be imported"
    assert replace(found, problem="") == replace(found, problem="", drifted=())


def test_an_example_says_nothing_of_calls_that_give_more():
    source = (
        "UNSET = object()\ndef f(row, ref=UNSET):\n"
        '    """Do.\n\n    >>> f([])\n    True\n    >>> f([1], 2)\n    False\n    """\n'
        "    return ref is UNSET"
    )
    assert said(drift(source)[0]) == []
    assert said(drift(source.replace("return ref is UNSET", "return False"))[0]) == [("f([])", "returns", "True")]


def test_a_number_with_a_point_is_another_call():
    examples = ">>> f(1)\n    True\n    >>> f(1.0)\n    False"
    source = f'def f(n):\n    """Do.\n\n    {examples}\n    """\n    return isinstance(n, int)'
    assert said(drift(source)[0]) == []
    assert said(drift(source.replace("int)", "str)"))[0]) == [("f(1)", "returns", "True")]


def test_a_function_that_counts_its_calls_says_nothing():
    source = (
        "calls = []\ndef f(n=0):\n"
        '    """Do.\n\n    >>> f()\n    1\n    >>> f(3)\n    7\n    """\n'
        "    calls.append(n)\n    return len(calls)"
    )
    found, _ = drift(source)
    assert (found.drifted, found.problem) == ((), "it gives another answer each time")
