"""Who vouches for what, from lines alone."""

from __future__ import annotations

from analysis.facts import TestId
from analysis.lines import Lines
from analysis.public_names import ProgramFunction
from analysis.quality.vouching import find_vouching_tests, specific_first, without_alternatives
from analysis.statement_lines import Share

A, B, C = (TestId(f"t.py::test_{name}") for name in "abc")


def function(name, first, last, **more):
    spans = tuple((line, line) for line in range(first + 1, last + 1))
    return ProgramFunction("m.py", name, first, first, last, spans, True, **more)


F, G = function("f", 1, 3), function("g", 5, 7)
LINES = ((A, (("m.py", Lines([2, 3])),)), (B, (("m.py", frozenset([1, 2, 6])), ("o.py", Lines([6])))))


def test_a_test_vouches_for_what_it_ran():
    f, g = find_vouching_tests((F, G), LINES, {A, B})
    assert (f.tests, f.others, list(f.ran), f.share) == ((A, B), (), [2, 3], Share(2, 2))
    assert (g.tests, list(g.ran), g.share) == ((B,), [6], Share(1, 2))


def test_the_line_of_the_definition_is_run_by_the_import():
    (f,) = find_vouching_tests((F,), ((A, (("m.py", Lines([1])),)),), {A})
    assert f.tests == ()


def test_fakes_and_tests_that_replace_it_do_not_vouch():
    f, g = find_vouching_tests((F, G), LINES, {B}, {(B, "g")})
    assert (f.tests, f.others, list(f.ran)) == ((B,), (A,), [2])
    assert (g.tests, g.others, g.share) == ((), (B,), Share(0, 2))


def test_of_two_definitions_that_exclude_each_other_one_is_told():
    other, setter = function("f", 10, 12), function("f", 20, 22, is_accessor=True)
    run = without_alternatives(find_vouching_tests((F, other, setter), LINES, {A}))
    assert [v.function for v in run] == [F, setter]
    idle = without_alternatives(find_vouching_tests((F, other), (), {A}))
    assert [v.function for v in idle] == [other]


def test_tests_of_few_functions_come_first():
    found = find_vouching_tests((F, G), LINES, {A, B})
    assert specific_first((B, A), found) == (A, B)
