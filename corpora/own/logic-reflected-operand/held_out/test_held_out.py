import pytest

from money import Money


@pytest.mark.parametrize("number", [-3, 0, 4, 100])
def test_reflected(number):
    assert number - Money("2.5") == Money(number) - Money("2.5")
    assert (number - Money(1, "USD")).currency == "USD"


def test_refused():
    with pytest.raises(TypeError):
        1.5 - Money(1)
