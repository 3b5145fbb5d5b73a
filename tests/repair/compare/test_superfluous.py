"""Branches that a patch leaves alone and makes superfluous."""

import pytest
from fakes.behaviours import comparison, differs
from fakes.sandbox import FakeSession
from fakes.submission import submission_of

from repair.compare.comparing import open_versions
from repair.compare.patch_parts import find_superfluous

OLD = b"def price(text):\n    return int(text)\n"
NEW = b"def price(text):\n    return float(text)\n"
TOLD = differs("price('5')", "returns 5", "returns 6")


def found(*, new_needs_it: bool, old_needs_it: bool, inputs: int = 9, unknown: bool = False) -> tuple[str, ...]:
    """What is found where inputs tell the texts with and without the branch apart or do not."""

    def compare(mine, rivals):
        needs = new_needs_it if b"float" in mine.text else old_needs_it
        assert [b"if" in rival.text for rival in rivals] == [False], "the one branch is left out"
        told = tuple((rival.digest, TOLD) for rival in rivals if needs)
        silent = frozenset(rival.digest for rival in rivals) if unknown else frozenset()
        return comparison(inputs, told, unknown=silent)

    session = FakeSession(lambda trial: True, compare)
    return find_superfluous(session, open_versions(submission_of()), seed=0, effort=1)


def test_a_branch_that_the_old_function_alone_needs_is_told():
    assert found(new_needs_it=False, old_needs_it=True) == ("if not text:",)


@pytest.mark.parametrize(
    "given",
    [
        {"new_needs_it": True, "old_needs_it": True},
        {"new_needs_it": False, "old_needs_it": False},
        {"new_needs_it": False, "old_needs_it": True, "inputs": 0},
        {"new_needs_it": False, "old_needs_it": True, "unknown": True},
    ],
)
def test_one_that_both_need_or_neither_or_nobody_knows_is_not(given):
    assert found(**given) == ()


def test_without_a_branch_nothing_is_compared():
    session = FakeSession(lambda trial: True, lambda mine, rivals: pytest.fail("there is nothing to compare"))
    both = open_versions(submission_of(new=NEW, old=OLD))
    assert find_superfluous(session, both, seed=0, effort=1) == ()
