"""What a growing says of what it could not do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.grown import grow_one, growing

from analysis.change_history import History
from analysis.errors import UsageError
from repair.records.grown import GrownFunction, GrownReport
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.file_maker import MadeFiles
from repair.survey.growing.function_growth import Grown
from repair.survey.growing.growth import (
    _far_answers,
    _list_checked,
    choose_functions,
    describe_rewritings,
    say_late,
)

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


SHOP = b"""
def total(prices):
    return sum(prices)

class Cart:
    def total(self):
        return 1

    @property
    def size(self):
        return 2

    @size.setter
    def size(self, size):
        self.kept = size

class Van(Cart):
    @property
    def size(self):
        return 3
"""


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("total", ["total"]),
        ("Cart.total", ["Cart.total"]),
        ("Cart.size", ["Cart.size", "Cart.size"]),
        ("shop.py:Cart.size", ["Cart.size", "Cart.size"]),
        ("shop.Cart.size", ["Cart.size", "Cart.size"]),
        ("Van.size", ["Van.size"]),
        ("size", "Several functions are called 'size'"),
        ("none", "There is no path and no function 'none'"),
    ],
)
def test_a_name_means_one_function_or_a_property_with_its_setter(name, chosen):
    grower, _ = growing(SHOP, b"from shop import total\n\ndef test_total():\n    assert total([1]) == 1\n")
    if isinstance(chosen, str):
        with pytest.raises(UsageError, match=chosen):
            choose_functions(grower.seen, [name])
    else:
        assert [each.function.qualname for each in choose_functions(grower.seen, [name])] == chosen


LONELY = b"def aaa(n):\n    return n + 1\n\n\ndef bbb(n):\n    return n + 2\n"


def test_what_was_often_changed_comes_first():
    grower, _ = growing(LONELY, b"from shop import aaa, bbb\n\ndef test_one():\n    assert aaa(bbb(1)) == 4\n")
    quiet = {("shop.py", "aaa"): History(), ("shop.py", "bbb"): History()}
    often = {**quiet, ("shop.py", "bbb"): History(changes=9, fixes=4)}
    names = [[each.function.qualname for each in choose_functions(replace(grower.seen, histories=h), ())]
             for h in (quiet, often)]  # fmt: skip
    assert names == [["aaa", "bbb"], ["bbb", "aaa"]]


def test_each_function_tells_its_priority():
    grown = grow_one("aaa", LONELY, b"from shop import aaa\n\ndef test_one():\n    assert aaa(1) == 2\n").function
    assert [part.name for part in grown.priority.parts] == ["reach", "history", "open"]
    assert GrownReport.from_json(GrownReport(functions=(grown,)).to_json()).functions == (grown,)


def test_a_layer_that_looked_at_nothing_says_nothing():
    made = MadeFiles()
    assert _list_checked([], made) == ()
    assert [each.partition(":")[0] for each in _list_checked([replace(ONE, cases=())], made)] == ["security"]


def test_an_answer_that_reaches_out_is_warned_of():
    sources = (("shop.py", b"def save(name):\n    open(name, 'w').close()\n\n\ndef plain(n):\n    return n\n"),)
    cases = [("shop.py", replace(ONE.cases[0], function=name, call=f"shop.{name}(1)")) for name in ("save", "plain")]
    made = MadeFiles(tests={case: "test" for _, case in cases})
    [said] = _far_answers(cases, made, sources)
    assert said.startswith("the test of shop.save(1) may reach out of the program each time it runs: line 2")
    assert not list(_far_answers(cases, MadeFiles(), sources)), "of what no test was made, nothing runs"
    assert not list(_far_answers(cases, made, ())), "nobody knows what it does"
