"""What a growing says of what it could not do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from repair.records.grown import GrownFunction
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.function_growth import Grown
from repair.survey.growing.growth import describe_rewritings, say_late

ONE = Grown(GrownFunction("shop.py", "total", 1), (CallCase("total", "shop.total([])", Claim(ClaimKind.EQUALS, "0")),))


@pytest.mark.parametrize(
    ("late", "unrun", "said"),
    [
        (0, 0, []),
        (2, 0, ["2 of 3 functions had no turn: the time was over"]),
        (0, 2, ["2 tests left out, not run as they would lie in the project: the time was over"]),
    ],
)
def test_what_the_time_cut_off_is_said(late, unrun, said):
    assert list(say_late(late, 3, unrun)) == said


def test_too_few_rewritings_are_said():
    many = replace(ONE, function=replace(ONE.function, rewritings=3))
    assert describe_rewritings([many]) == "the tests held on 3 or more texts of their function that do the same"
    assert describe_rewritings([many, ONE]).endswith("the same, but for total (0), of which there are not so many")
    assert "total" not in describe_rewritings([replace(ONE, cases=())])
