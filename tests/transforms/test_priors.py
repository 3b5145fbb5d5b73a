"""The written-down weights: every operator has one, and every entry an operator."""

from __future__ import annotations

from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass
from transforms.operators.catalog import MENDING, OPERATORS
from transforms.operators.priors import BASE, BY_CLASS, BY_SUBCLASS, prior


def test_every_mending_operator_is_weighed() -> None:
    own = {o.name for o in MENDING if o.family != "mutmut"}
    assert own == set(BASE)


def test_factors_name_families_and_subclasses_that_exist() -> None:
    families = {o.family for o in OPERATORS}
    for table in (*BY_CLASS.values(), *BY_SUBCLASS.values()):
        assert set(table) <= families
    assert set(BY_SUBCLASS) <= {s.value for s in Subclass}


def test_what_failed_moves_the_weights() -> None:
    by_name = {o.name: o for o in OPERATORS}
    guard, number = by_name["guard_statement"], by_name["number"]
    safety, logic = FailureClass.RUNTIME_SAFETY, FailureClass.LOGIC
    assert prior(guard, safety, "none") > prior(guard, logic, "") > 0
    assert prior(number, safety, "unheard of") == BASE["number"]
