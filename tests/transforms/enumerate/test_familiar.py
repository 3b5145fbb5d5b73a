"""How familiar an edit makes a text, and that the familiar ones come first."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from analysis.functions import find_function, functions_of
from transforms.enumerate.familiar import Familiarity
from transforms.enumerate.proposals import proposals_and_pauses
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.tree.candidate import Rejected
from transforms.tree.scope import EditScope, open_scope

GROUPING = """
def groupby(key, seq):
    if not callable(key):
        key = getter(key)
    return group(key, seq)


def countby(key, seq):
    if not callable(key):
        key = getter(key)
    return frequencies(map(key, seq))


def isiterable(x):
    return hasattr(x, "__iter__")


def reduceby(key, binop, seq):
    if callable(key):
        key = getter(key)
    return fold(key, binop, seq)
"""


def opened(source: str, name: str) -> EditScope:
    span = find_function(functions_of("m.py", source.encode()), name)
    assert span is not None
    scope = open_scope(source.encode(), span)
    assert not isinstance(scope, Rejected)
    return scope


def gain(source: str, name: str, old: str, new: str) -> float:
    scope = opened(source, name)
    assert old in scope.tree.code
    return Familiarity(scope).gain(scope.tree.code.replace(old, new))


def test_what_is_written_elsewhere_gains_and_what_is_written_nowhere_loses():
    assert gain(GROUPING, "reduceby", "if callable", "if not callable") > 0.3
    assert gain(GROUPING, "reduceby", "if callable", "if isiterable") <= 0.0
    assert gain(GROUPING, "groupby", "if not callable", "if not isiterable") < -0.3


def test_a_text_that_does_not_change_gains_nothing():
    assert gain(GROUPING, "reduceby", "callable", "callable") == 0.0
    assert gain("def f():\n    pass\n", "f", "pass", "pass") == 0.0


def test_what_the_edit_takes_out_makes_nothing_familiar():
    """The place of the change itself is no other place: a line that moves is as familiar as it was."""
    alone = "def f(a, b):\n    a.push(b)\n    return a\n"
    assert gain(alone, "f", "a.push(b)", "a.pull(b)") <= 0.0
    assert gain(alone + "\n\ndef g(a, b):\n    a.pull(b)\n", "f", "a.push(b)", "a.pull(b)") > 0.0


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_methods_other_line_ends_and_texts_beyond_ascii_are_read(ending):
    source = (
        "class Café:\n    def add(self, x):\n        self.n += x  # é\n\n    def take(self, x):\n        self.n += x\n"
    )
    scope = opened(source.replace("\n", ending), "Café.take")
    assert Familiarity(scope).gain(scope.tree.code.replace("+=", "-=")) < 0.0


def test_the_familiar_edit_comes_before_one_that_nothing_speaks_for():
    scope = opened(GROUPING, "reduceby")
    near = Neighbourhood(ingredients_of(GROUPING.encode(), scope.function))
    found = [p.explanation for p in islice(filter(None, proposals_and_pauses(scope, near)), 400)]
    negated = found.index("negates the condition `callable(key)`")
    assert negated < found.index("calls `isiterable` instead of `callable`")
    assert negated < 20


def test_the_order_of_a_real_module_is_lazy_without_repeats_and_the_same_each_time():
    source = Path(__file__).parents[3].joinpath("analysis/siblings.py").read_text("utf-8")
    scope = opened(source, "are_mirrored")
    near = Neighbourhood(ingredients_of(source.encode(), scope.function))
    one, other = (
        [each.explanation for each in islice(filter(None, proposals_and_pauses(scope, near)), 200)] for _ in range(2)
    )
    assert one == other
    weights = [each.weight for each in islice(filter(None, proposals_and_pauses(scope, near)), 200)]
    assert weights[0] == max(weights)
