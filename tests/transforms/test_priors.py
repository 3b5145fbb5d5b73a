"""The weights written down by hand: every entry is an operator's, every factor a family's that exists."""

from __future__ import annotations

from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass
from transforms.operators.catalog import MENDING, OPERATORS
from transforms.operators.priors import BASE, BY_CLASS, BY_SUBCLASS, class_factor, subclass_factor


def test_every_weight_is_of_an_operator_that_mends() -> None:
    assert set(BASE) <= {o.name for o in MENDING}


def test_factors_name_families_and_subclasses_that_exist() -> None:
    families = {o.family for o in OPERATORS}
    for table in (*BY_CLASS.values(), *BY_SUBCLASS.values()):
        assert set(table) <= families
    assert set(BY_SUBCLASS) <= {s.value for s in Subclass}


def test_what_failed_moves_the_weights() -> None:
    assert class_factor("guard", FailureClass.RUNTIME_SAFETY) > class_factor("guard", FailureClass.LOGIC) > 0
    assert subclass_factor("guard", "none") > 1 == subclass_factor("guard", "unheard of")
