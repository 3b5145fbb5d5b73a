"""Which tests are left of a suite that takes too long."""

from dataclasses import replace

import pytest
from fakes.sandbox import hang_of, run_of

from analysis.facts import Outcome
from repair.observe.nearest_first import nearest_part

ALL = tuple(f"{file}.py::t{n}" for file in "abc" for n in range(10))


def late(ended):
    return replace(hang_of(ALL[0], ALL), late=True, partial=run_of(dict.fromkeys(ALL[:ended], Outcome.PASSED)).results)


@pytest.mark.parametrize(
    ("wanted", "ended", "part"),
    [
        (("b.py::t5",), 5, ("b.py::t4", "b.py::t5", "b.py::t6")),
        (("b.py::t0",), 5, ("b.py::t0", "b.py::t1", "b.py::t2")),
        (("a.py::t1", "c.py::t9"), 7, ("a.py::t0", "a.py::t1", "a.py::t2", "c.py::t9")),
        (("a.py::t1", "c.py::t9"), 1, ("a.py::t1", "c.py::t9")),
        (("b.py::t5",), 20, (*ALL[9:21],)),
        ((), 3, ("a.py::t0",)),
    ],
)
def test_the_part_is_as_large_as_the_pace_allows_and_lies_around_the_wanted_tests(wanted, ended, part):
    """Six for ten that ended; the file of a wanted test comes before its neighbours."""
    assert nearest_part(late(ended), wanted) == part


def test_tests_that_hang_are_left_out_but_for_wanted_ones():
    hanging = run_of({ALL[13]: Outcome.HANG, **dict.fromkeys(ALL[:9], Outcome.PASSED)}).results
    run = replace(late(10), partial=hanging, running=ALL[14])
    assert nearest_part(run, ("b.py::t5",)) == (*ALL[12:13], *ALL[14:19])
    assert nearest_part(replace(run, late=False), ("b.py::t5",)) == (*ALL[11:13], *ALL[15:19])
    assert nearest_part(run, ("b.py::t3",)) == ALL[10:16]


def test_a_run_that_says_nothing_leaves_nothing():
    assert nearest_part(late(0), ALL[:1]) == ()
    assert nearest_part(replace(late(3), collected=()), ALL[:1]) == ()
    assert nearest_part(late(3), ("d.py::t1",)) == ()
