import pytest

from passcheck import Policy


def codes(password, username="", **limits):
    return [v.code for v in Policy(**limits).check(password, username)]


def test_good_password():
    assert codes("Mzk8-qtwLp") == []


def test_everything_is_reported():
    assert codes("aaaa") == ["short", "classes", "run"]


def test_too_long():
    assert codes("Mzk8-qtwLp", max_length=9) == ["long"]


def test_username_any_case():
    assert codes("Mzk8-EVEqp", "eve") == ["username"]


def test_banned():
    assert "banned" in codes("LetMeIn", banned={"letmein"})


def test_sequence_reported():
    assert codes("Mzk-1234-Lp") == ["sequence"]


def test_sequence_down_after_a_pair():
    assert codes("Tu-8765-Lp") == ["sequence"]


def test_accepts():
    assert Policy().accepts("Mzk8-qtwLp")
    assert not Policy().accepts("short")
