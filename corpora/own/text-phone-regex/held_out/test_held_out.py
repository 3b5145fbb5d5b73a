import pytest

from phones import normal


@pytest.mark.parametrize(("text", "expected"), [
    ("+49(0)30/12-34.56", "+4930123456"), ("00 1 555 0100", "+15550100"), ("1.2.3.4", "+491234"), ("(030) 9999", "+49309999"),
])
def test_normal(text, expected):
    assert normal(text) == expected
