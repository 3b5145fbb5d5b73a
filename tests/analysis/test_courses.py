"""Where a failing call parts from a passing one: values by class, control flow by statements."""

from __future__ import annotations

from analysis.courses import (
    CallPair,
    Course,
    CourseStep,
    FlowParting,
    Followed,
    Glance,
    Parting,
    ValueParting,
    pair_up,
    part,
)
from analysis.facts import TestId

RETURNED = ("returned", "positive int", "3")


def course(*steps: CourseStep, given: tuple[Glance, ...] = (), cut: bool = False, test: str = "t.py::test_a") -> Course:
    return Course(TestId(test), given, steps, RETURNED, cut)


def text(name: str, value: str) -> Glance:
    return Glance(name, "str" if value else "empty str", repr(value))


def parting(failing: Course, passing: Course) -> Parting:
    return part(CallPair(failing, passing), lambda line: f"s{line}" if line else "")


def test_the_first_value_of_another_class_is_told_and_the_first_other_way() -> None:
    here = course(CourseStep(1, (text("rest", ""),)), CourseStep(2), CourseStep(4, (text("late", ""),)))
    there = course(CourseStep(1, (text("rest", "b"),)), CourseStep(2), CourseStep(3))
    assert parting(here, there) == Parting(
        (), ValueParting("s1", 1, text("rest", ""), text("rest", "b")), FlowParting("s2", 1, "s4", "s3")
    )


def test_values_of_one_class_do_not_part() -> None:
    here = course(CourseStep(1, (text("rest", "x"),)), CourseStep(2))
    there = course(CourseStep(1, (text("rest", "yz"),)), CourseStep(2))
    assert parting(here, there) == Parting((), None, None)


def test_a_round_of_a_loop_is_counted() -> None:
    rounds = [CourseStep(2), CourseStep(3, (Glance("n", "positive int", "1"),))]
    here = course(*rounds, CourseStep(2), CourseStep(3, (Glance("n", "zero int", "0"),)), CourseStep(4))
    there = course(
        *rounds,
        CourseStep(2),
        CourseStep(3, (Glance("n", "positive int", "2"),)),
        CourseStep(2),
        CourseStep(3),
        CourseStep(4),
    )
    found = parting(here, there)
    assert found.value == ValueParting("s3", 2, Glance("n", "zero int", "0"), Glance("n", "positive int", "2"))
    assert found.flow == FlowParting("s3", 2, "s4", "s2")


def test_what_was_given_otherwise_is_no_value_that_a_statement_made() -> None:
    here = course(CourseStep(1, (Glance("limit", "None", "None"),)), given=(Glance("limit", "None", "None"),))
    there = course(
        CourseStep(1, (Glance("limit", "positive int", "3"),)), given=(Glance("limit", "positive int", "3"),)
    )
    assert parting(here, there) == Parting(("limit",), None, None)


def test_one_that_ends_earlier_parts_there_unless_it_was_cut() -> None:
    assert parting(course(CourseStep(1)), course(CourseStep(1), CourseStep(2))).flow == FlowParting("s1", 1, "", "s2")
    assert parting(course(CourseStep(1), cut=True), course(CourseStep(1), CourseStep(2))).flow is None
    assert parting(course(CourseStep(1)), course(CourseStep(2))).flow == FlowParting("", 0, "s1", "s2")


def test_a_value_that_only_one_of_them_has_parts() -> None:
    found = parting(course(CourseStep(1, (text("x", "a"),))), course(CourseStep(1)))
    assert found.value == ValueParting("s1", 1, text("x", "a"), None)


def test_lines_of_one_statement_are_one_step_and_lines_of_none_are_left_out() -> None:
    statements = {1: "s1", 2: "s1", 3: ""}
    here = course(CourseStep(1), CourseStep(2, (text("x", ""),)), CourseStep(3))
    there = course(CourseStep(1, (text("x", "a"),)))
    found = part(CallPair(here, there), lambda line: statements[line])
    assert found == Parting((), ValueParting("s1", 1, text("x", ""), text("x", "a")), None)


def test_a_call_that_passing_tests_make_just_so_is_told_only_where_there_is_no_other() -> None:
    same, other, near = (
        course(given=(text("a", "x"),)),
        course(given=(text("a", "y"),)),
        course(given=(text("a", "z"),)),
    )
    passing = Followed(((0, same), (1, near)))
    assert pair_up(Followed(((0, same), (1, other))), passing) == CallPair(other, near)
    assert pair_up(Followed(((0, same),)), passing) == CallPair(same, same)
    assert pair_up(Followed(((0, same),)), Followed()) is None
    assert pair_up(Followed(), passing) is None
