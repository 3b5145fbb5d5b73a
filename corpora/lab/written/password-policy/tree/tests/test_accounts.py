import pytest

from policy.accounts import Accounts, PolicyError
from policy.policy import LENIENT, Policy


def test_good_password():
    assert Policy().problems("gr8-Horse!tea") == []


def test_problems_are_listed():
    problems = Policy().problems("abcd")
    assert "shorter than 10 characters" in problems
    assert "contains the sequence abcd" in problems


def test_sequence_hidden_behind_turn():
    assert Policy().problems("Tea!56-dcdefg") == ["contains the sequence cdef"]


def test_lenient_allows_four():
    assert LENIENT.accepts("tree1234x")


def test_set_and_check():
    accounts = Accounts()
    accounts.set_password("anna", "gr8-Horse!tea")
    assert accounts.check("anna", "gr8-Horse!tea")
    assert not accounts.check("anna", "other")


def test_reuse_is_refused():
    accounts = Accounts()
    accounts.set_password("anna", "gr8-Horse!tea")
    with pytest.raises(PolicyError) as info:
        accounts.set_password("anna", "gr8-Horse!tea")
    assert info.value.problems == ["was used before"]
