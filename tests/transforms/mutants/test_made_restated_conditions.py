"""Conditions that a change restates are none that it brings in."""

import libcst as cst
import pytest

from transforms.mutants.made import restates_condition


@pytest.mark.parametrize(
    ("new", "old", "same"),
    [
        ("width < sum(row)", "sum(row) > width", True),
        ("done.issuperset(node.before)", "done.issuperset(node.after)", True),
        ("a == b or b == c", "a == b and b == c", True),
        ("left <= right", "left < right", True),
        ("text[:size]", "text[:most]", True),
        ("size == 3", "size > 3", False),  # it picks one out
        ("size > 4", "size > 3", False),
        ("len(text) in (3, 4)", "not text", False),
        ("text.isdigit()", "text.strip()", False),
        ("len(row) > width", "row > width", False),
        ("not seen", "seen", False),
        ("a and b", "a", False),
    ],
)
def test_what_an_old_condition_asked_too(new, old, same):
    assert restates_condition(cst.parse_expression(new), [cst.parse_expression(old)]) is same


def test_nothing_is_restated_where_nothing_went():
    assert not restates_condition(cst.parse_expression("a < b"), [])
