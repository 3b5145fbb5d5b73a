"""Facts that exclude each other."""

import ast

import pytest

from analysis.specified.asserted import KnownFunction, facts_of_tests
from analysis.specified.contradictions import find_contradictions
from analysis.specified.declared import signature_facts
from analysis.specified.docstring_facts import docstring_facts
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace
from analysis.specified.requirements import requirement_facts
from analysis.stated.function import stated_functions


def found(source, tests=""):
    functions = {f"a.py:{each.qualname}": each for each in stated_functions("a.py", ast.parse(source))}
    facts = [f for each in functions.values() for f in (*signature_facts("a.py", each), *docstring_facts("a.py", each))]
    named = {each.qualname: KnownFunction(subject, each) for subject, each in functions.items()}
    facts += facts_of_tests("test_a.py", ast.parse(tests), named)
    return [(each.one.quote, each.other.quote) for each in find_contradictions(facts, functions)]


@pytest.mark.parametrize(
    "source",
    [
        'def f(n=3):\n    """Do.\n\n    :param n: Defaults to 4."""',
        'def f(n: int):\n    """Do.\n\n    :param str n: it"""',
        'def f(n) -> str:\n    """Do.\n\n    :rtype: int"""',
        'def f(n):\n    """Do. Returns 0 if n is 0.\n\n    >>> f(0)\n    1\n    """',
        'def f(n):\n    """Do. Raises ValueError if n is negative. Returns 0 if n is negative."""',
        'def f(n):\n    """Do.\n\n    Args:\n        n: must be at least 3. It must be at most 2.\n    """',
        'def f(mode: Literal["a", "b"]):\n    """Do.\n\n    Args:\n        mode: must be one of "a" or "c".\n    """',
    ],
)
def test_these_contradict(source):
    assert len(found(source)) <= 1
    assert found(source) or "at most" in source  # of one quote nothing is said: it is one sentence of one author


@pytest.mark.parametrize(
    "source",
    [
        'def f(n=None):\n    """Do.\n\n    :param n: Defaults to 4."""',
        'def f(n: float):\n    """Do.\n\n    :param int n: it"""',
        'def f(n: Money):\n    """Do.\n\n    :param str n: it"""',
        'def f(n):\n    """Do. Returns 0 if n is 0, or 1 if it rains.\n\n    >>> f(0)\n    1\n    """',
        'def f(n):\n    """Raises KeyError if n is negative. Raises LookupError if n is negative."""',
        'def f(n):\n    """Raises MyError if n is negative. Raises ValueError if n is negative."""',
        'def f(n):\n    """Returns 1 if n is 0.\n\n    >>> f(0)\n    1.0\n    """',
    ],
)
def test_these_do_not(source):
    assert found(source) == []


def test_what_is_never_raised_is_not_raised():
    source = 'def f(n):\n    """{}\n\n    Raises:\n        KeyError: If n is negative.\n    """'
    assert len(found(source.format("Never raises."))) == 1
    assert len(found(source.format("It never raises LookupError."))) == 1
    assert found(source.format("It never raises ValueError.")) == []


def test_a_test_contradicts_a_docstring():
    source = 'def f(n, k=1):\n    """Returns 0 if n is negative."""'
    assert found(source, "def test_f():\n    assert f(-2) == 0") == []
    (pair,) = found(source, "def test_f():\n    assert f(-2) == 5")
    assert pair == ("assert f(-2) == 5", "Returns 0 if n is negative.")


def test_a_test_that_sides_with_one_source_does_not_clear_the_other():
    source = 'def f(n):\n    """Raises KeyError if n is negative."""'
    functions = {f"a.py:{each.qualname}": each for each in stated_functions("a.py", ast.parse(source))}
    named = {each.qualname: KnownFunction(subject, each) for subject, each in functions.items()}
    facts = [fact for each in functions.values() for fact in docstring_facts("a.py", each)]
    facts += requirement_facts("a.md", "- REQ-1: `f(-1)` shall raise `ValueError`.", named)
    test = "def test_f():\n    with pytest.raises(ValueError):\n        f(-1)"
    told = find_contradictions([*facts, *facts_of_tests("test_a.py", ast.parse(test), named)], functions)
    assert {each.one.extractor for each in told} == {Extractor.MARKDOWN, Extractor.TEST}


def test_a_code_that_the_interface_does_not_list():
    def code(value, extractor):
        return Fact("GET /a", Predicate.STATUS, value, QuotePlace("a", 1), f"{extractor}: {value}", extractor)

    listed = [code("200", Extractor.OPENAPI), code("404", Extractor.OPENAPI)]
    assert len(find_contradictions([*listed, code("201", Extractor.MARKDOWN)], {})) == 1
    assert find_contradictions([*listed, code("404", Extractor.MARKDOWN)], {}) == ()
    assert find_contradictions([*listed, code("default", Extractor.OPENAPI), code("500", Extractor.TEST)], {}) == ()


def test_a_call_that_gives_more_is_another_one():
    source = 'def f(row, ref=UNSET):\n    """Do.\n\n    >>> f([])\n    True\n    """'
    assert found(source, "def test_f():\n    assert f([], 1) == False") == []
    assert len(found(source, "def test_f():\n    assert f([]) == False")) == 1
