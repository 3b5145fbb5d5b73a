"""Every check flags its flagged examples and leaves the clean ones alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.behaviour import Returned
from analysis.calls import AgainstOld
from repair.checks import check as records
from repair.checks.catalog import CHECKS, RANKING, first_doubt
from repair.checks.check import PASSING, Behaved, Check, departed

FLAGGED = [
    pytest.param(check, each, id=f"{check.name}-{n}") for check in CHECKS for n, each in enumerate(check.flagged)
]
CLEAN = [pytest.param(check, each, id=f"{check.name}-{n}") for check in CHECKS for n, each in enumerate(check.clean)]


@pytest.mark.parametrize(("check", "example"), FLAGGED)
def test_what_is_flagged_has_a_witness_a_claim_and_a_question(check: Check, example: Behaved) -> None:
    witness = check.find(example)
    assert witness is not None
    assert check.says(witness)
    assert check.question is None or check.question(witness).endswith("?")


@pytest.mark.parametrize(("check", "example"), CLEAN)
def test_what_is_clean_is_left_alone(check: Check, example: Behaved) -> None:
    assert check.find(example) is None


def test_every_file_of_the_shelf_is_listed_under_its_own_name() -> None:
    shelf = Path(records.__file__).parent
    files = {path.stem for path in shelf.glob("*.py")} - {"__init__", "check", "catalog"}
    assert {check.name for check in CHECKS} == files
    assert len(CHECKS) == len(files)
    assert set(RANKING) <= set(CHECKS)


def test_of_several_doubts_the_first_in_order_is_named() -> None:
    unreached = departed("price('')", Returned("0"), Returned("1"), reached=False)
    both = Behaved(AgainstOld(first=unreached, unsteady=(unreached,)))
    found = first_doubt(both)
    assert found is not None
    assert found[0].name == "unsteady_answer"
    assert first_doubt(Behaved()) is None


def test_a_claim_names_the_test_that_makes_the_call() -> None:
    gone = departed("price('2')", Returned("2"), Returned("3"), records.CallOrigin.MADE)
    found = first_doubt(Behaved(AgainstOld(recorded=((PASSING, gone),))))
    assert found is not None
    assert found[0].says(found[1]).startswith("t.py::test_fails passes before and after")
