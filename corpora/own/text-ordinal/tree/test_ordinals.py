import pytest

from ordinals import ordinal, placing


@pytest.mark.parametrize(("number", "text"), [
    (0, "0th"), (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (100, "100th"),
    (-2, "-2nd"), (101, "101st"),
])
def test_ordinal(number, text):
    assert ordinal(number) == text


@pytest.mark.parametrize(("number", "text"), [(111, "111th"), (212, "212th"), (-113, "-113th")])
def test_hundreds(number, text):
    assert ordinal(number) == text


def test_placing():
    assert placing(["ann", "bob"]) == ["1st ann", "2nd bob"]
    assert placing([]) == []
