"""Each test looked at once, with what a run shows of it."""

from __future__ import annotations

import pytest

from analysis.facts import TestId
from analysis.function_text import parse_function
from analysis.lines import Lines
from analysis.public_names import ProgramFunction
from analysis.quality.catalog import REJECTED_IF_GENERATED, RULES, TITLES
from analysis.quality.examined import examine_tests, name_of
from analysis.result_forms import results_of

CASE = TestId("t.py::test_it")


def look(source, ran, *, cases=(CASE,), passing=None, functions=(), generated=(), sources=None):
    return examine_tests(
        {"t.py": source.encode(), **(sources or {})},
        cases,
        set(cases) if passing is None else passing,
        tuple((case, (("t.py", Lines(ran)),)) for case in cases),
        dict.fromkeys(cases, functions),
        generated,
    )


def ids(source, ran, **more):
    return [smell.id for smell in look(source, ran, **more)[0].smells]


PARSE = ProgramFunction("m.py", "parse", 1, 1, 2, ((2, 2),), True)


@pytest.mark.parametrize(
    ("source", "ran", "expected"),
    [
        ("def test_it():\n    for x in found():\n        assert x\n", [2], ["T11", "T12", "T28"]),
        ("def test_it():\n    for x in found():\n        assert x == 1\n", [2, 3], []),
        ("def test_it():\n    def check(x):\n        assert x == 1\n    run(check)\n", [2, 4], ["T28"]),
        ("def test_it():\n    assert f() == 1\n    if g():\n        assert f() == 2\n", [2, 3], ["T28-some"]),
        ("def test_it():\n    assert (\n        f() == 1\n    )\n", [3], []),
        ("def test_it():\n    try:\n        f()\n    except E as e:\n        assert str(e) == 'x'\n", [2, 3], ["T28"]),
    ],
)
def test_assertions_that_did_not_run(source, ran, expected):
    assert ids(source, ran) == expected


@pytest.mark.parametrize(
    ("source", "ran"),
    [
        (
            "def test_it():\n    try:\n        f()\n    except E:\n        pass\n    else:\n        assert False\n",
            [2, 3],
        ),
        ("def test_it():\n    try:\n        f()\n        pytest.fail('no')\n    except E:\n        pass\n", [2, 3]),
        ("def test_it():\n    if f():\n        assert g() == 1\n    else:\n        assert g() == 2\n", [2, 5]),
        ("def test_it():\n    if f():\n        assert g() == 1\n    else:\n        assert g() == 2\n", []),
    ],
)
def test_what_is_not_meant_to_be_reached_or_was_not_seen_is_no_smell(source, ran):
    assert not {"T28", "T28-some"} & set(ids(source, ran))


def test_a_local_function_that_has_the_name_of_a_helper_of_another_test():
    source = (
        "def test_a():\n    def make():\n        assert f() == 1\n    make()\n"
        "def test_it():\n    def make():\n        return g()\n    assert make() == 2\n"
    )
    assert ids(source, [6, 7, 8]) == []


def test_all_cases_of_a_test_together_reach_its_assertions():
    source = "def test_it(x):\n    if x:\n        assert f(x) == 1\n    assert g(x) == 2\n"
    cases = (TestId("t.py::test_it[a]"), TestId("t.py::test_it[b]"))
    found = examine_tests(
        {"t.py": source.encode()},
        cases,
        set(cases),
        ((cases[0], (("t.py", Lines([2, 4])),)), (cases[1], (("t.py", Lines([2, 3, 4])),))),
        {},
    )
    assert [(test.name, test.cases, test.smells) for test in found] == [("t.py::test_it", cases, ())]


def test_nothing_is_said_of_the_run_of_a_test_that_fails():
    source = "def test_it():\n    f()\n    assert f() == 1\n"
    assert ids(source, [2], passing=set()) == []
    assert ids(source, [2]) == ["T28"]


def test_a_test_that_runs_the_program_calls_something():
    source = "def test_it():\n    assert LIMIT == 3\n"
    assert ids(source, [2]) == ["T13"]
    assert ids(source, [2], functions=(PARSE,)) == []


def test_an_assertion_that_ran_in_a_helper_of_another_file_is_one_of_the_test():
    sources = {
        "t.py": b"from tests.helper import Pair\ndef test_it():\n    Pair().send('x')\n",
        "tests/helper.py": b"class Pair:\n    def send(self, x):\n        assert parse(x) == 1\n",
    }

    def smells(*helper_lines):
        lines = (("t.py", Lines([3])), ("tests/helper.py", Lines(helper_lines)))
        return [s.id for s in examine_tests(sources, [CASE], {CASE}, ((CASE, lines),), {})[0].smells]

    assert smells() == ["T02"]
    assert smells(3) == []


def test_a_copied_implementation_is_told():
    text = "def total(items):\n    return sum(item.price * item.count for item in items)\n"
    results = results_of(parse_function(text))
    copied = "def test_it():\n    xs = make()\n    assert total(xs) == sum(x.price * x.count for x in xs)\n"
    other = "def test_it():\n    xs = make()\n    assert total(xs) == sum(x.price + x.count for x in xs)\n"
    program = ProgramFunction("m.py", "total", 1, 1, 2, ((2, 2),), True, results=results)
    assert ids(copied, [2, 3], functions=(program,)) == ["T19"]
    assert ids(other, [2, 3], functions=(program,)) == []
    assert ids(copied, [2, 3]) == []


def test_short_results_are_alike_by_chance():
    assert results_of(parse_function("def f(a, b):\n    return a + b\n")) == frozenset()


def test_comparing_a_thing_with_itself_is_a_test_of_its_comparison():
    source = "def test_it():\n    x = make()\n    assert x == x\n"
    compares = ProgramFunction("m.py", "Box.__eq__", 1, 1, 2, ((2, 2),), False)
    assert ids(source, [2, 3]) == ["T03"]
    assert ids(source, [2, 3], functions=(compares,)) == []


def test_more_is_asked_of_generated_tests():
    source = "def test_it():\n    parse('1')\n"
    (by_hand,) = look(source, [2])
    (generated,) = look(source, [2], generated={"t.py"})
    assert [s.id for s in by_hand.smells] == [s.id for s in generated.smells] == ["T02"]
    assert (by_hand.is_fake, generated.is_fake) == (False, True)
    assert {rule.id for rule in RULES} > REJECTED_IF_GENERATED
    assert all(TITLES.values())


def test_what_a_test_replaces_it_says_nothing_about():
    source = (
        "import m\ndef test_it(monkeypatch):\n    monkeypatch.setattr(m, 'parse', str)\n    assert m.read('1') == '1'\n"
    )
    (test,) = look(source, [3, 4], functions=(PARSE,))
    assert test.replaced == {"parse"}


def test_inherited_tests_have_the_smells_of_their_text():
    base = b"class TestBase:\n    def test_it(self):\n        pass\n"
    own = "from base import TestBase\nclass TestOwn(TestBase):\n    x = 1\n"
    cases = (TestId("base.py::TestBase::test_it"), TestId("t.py::TestOwn::test_it"), TestId("t.py::TestOwn::test_gone"))
    first, second, third = look(own, [], cases=cases, sources={"base.py": base})
    assert [s.id for s in first.smells] == ["T01"]
    assert second.smells == first.smells
    assert third.smells is None


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ("t.py::test_it[a::b-[1]]", "t.py::test_it"),
        ("t.py::TestIt::test_it", "t.py::TestIt::test_it"),
        ("a[1].txt", "a[1].txt"),
    ],
)
def test_the_name_of_a_case(case, name):
    assert name_of(TestId(case)) == name
