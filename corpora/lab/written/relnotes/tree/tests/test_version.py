import pytest

from relnotes.version import Version

V = Version.parse


@pytest.mark.parametrize("text", ["1.2.3", "0.0.1", "10.20.30-rc.1", "1.0.0-alpha-2"])
def test_round_trip(text):
    assert str(V(text)) == text


def test_leading_v():
    assert V("v1.2.3") == Version(1, 2, 3)


@pytest.mark.parametrize("text", ["1.2", "1.2.x", "", "1.2.3-", "1.2.3-a..b"])
def test_bad(text):
    with pytest.raises(ValueError):
        V(text)


@pytest.mark.parametrize("low, high", [
    ("1.2.3", "1.2.4"),
    ("1.9.0", "1.10.0"),
    ("1.0.0-rc.1", "1.0.0"),
    ("1.0.0", "1.0.1-rc.1"),
    ("1.0.0-alpha", "1.0.0-beta"),
    ("1.0.0-alpha", "1.0.0-alpha.1"),
    ("1.0.0-rc.2", "1.0.0-rc.10"),
    ("1.0.0-1", "1.0.0-alpha"),
])
def test_order(low, high):
    assert V(low) < V(high)
    assert V(high) > V(low)
    assert not V(high) < V(low)


def test_bump():
    assert V("1.2.3").bump("minor") == V("1.3.0")
    assert V("2.0.0-rc.1").bump("major") == V("2.0.0")
    assert V("1.2.3-rc.1").bump("patch") == V("1.2.3")
