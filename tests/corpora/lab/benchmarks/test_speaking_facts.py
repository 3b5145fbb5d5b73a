"""What a function states beside the question that keeps a right patch from its certificate."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from analysis.functions import functions_of
from analysis.stated.function import stated_of
from corpora.lab.benchmarks.speaking_facts import ELSEWHERE, NO_FACT, OF_ALL, SPEAKS, UNDECIDED, kind_of, main

SOURCE = b'''
def total(prices):
    """Add up prices. Returns 0 for an empty list."""

def bare(prices):
    """Add up prices."""

def found(text):
    """The fields of a line as a dict; None for a line of another form."""

def count(prices) -> int:
    """Count prices."""

class Cart:
    def share(self, people):
        """Returns None if people is 0."""
'''


@pytest.mark.parametrize(
    ("qualname", "call", "kind"),
    [
        ("total", "total([])", SPEAKS),
        ("total", "total([1])", ELSEWHERE),
        ("total", "", ELSEWHERE),
        ("total", "total(Cart(items=[]))", ELSEWHERE),
        ("bare", "bare([])", NO_FACT),
        ("found", "found('x')", UNDECIDED),
        ("count", "count([])", OF_ALL),
        ("Cart.share", "share(0) on Cart(items=[(1, ' on ')])", SPEAKS),
        ("Cart.share", "share(2) on Cart(items=[0])", ELSEWHERE),
        ("Cart.share", "share(", ELSEWHERE),
        ("bare", "no call", NO_FACT),
    ],
)
def test_what_a_function_states_beside_a_question(qualname, call, kind):
    [function] = [e.function for e in functions_of("shop.py", SOURCE) if e.function.qualname == qualname]
    assert kind_of(stated_of(function, SOURCE), call) == kind


def test_a_folder_without_results_is_told(tmp_path):
    answer = CliRunner().invoke(main, [str(tmp_path)])
    assert answer.exit_code != 0
    assert "No records are there" in str(answer.exception)
