import pytest

from versions import Version, newest

V = Version.parse


@pytest.mark.parametrize("text", ["1", "1.2", "1.10.0rc2", "2.0b1"])
def test_round_trip(text):
    assert str(V(text)) == text


@pytest.mark.parametrize("text", ["", "v1", "1.x", "1.2dev"])
def test_refused(text):
    with pytest.raises(ValueError, match="no version"):
        V(text)


@pytest.mark.parametrize(("older", "newer"), [("1.2", "1.10"), ("1.9.9", "2"), ("1a1", "1b1"), ("1rc1", "1rc2")])
def test_order(older, newer):
    assert V(older) < V(newer)


def test_trailing_noughts_do_not_count():
    assert V("1.0") == V("1")
    assert len({V("1.0"), V("1")}) == 1


def test_candidates_come_before_the_release():
    assert V("1.0rc1") < V("1.0")


def test_newest():
    assert newest(["1.9", "1.10", "1.2"]) == "1.10"


def test_newest_is_no_candidate():
    assert newest(["2.0rc1", "2.0", "2.0b3"]) == "2.0"
