import pytest

from access import matches


def test_exact():
    assert matches("invoice:read", "invoice:read")
    assert not matches("invoice:read", "invoice:write")


def test_wildcards():
    assert matches("invoice:*", "invoice:delete")
    assert matches("*:read", "order:read")
    assert not matches("*:read", "order:write")
    assert matches("*:*", "order:write")


@pytest.mark.parametrize("name", ["", "invoice", ":read", "invoice:", "a:b:c"])
def test_malformed(name):
    with pytest.raises(ValueError):
        matches(name, "invoice:read")
