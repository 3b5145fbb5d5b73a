import pytest

from ordinals import ordinal


@pytest.mark.parametrize(("number", "text"), [
    (1011, "1011th"), (1021, "1021st"), (312, "312th"), (1000, "1000th"), (1002, "1002nd"), (513, "513th"), (523, "523rd"),
    (31, "31st"), (52, "52nd"), (1033, "1033rd"), (-71, "-71st"),
])
def test_ordinal(number, text):
    assert ordinal(number) == text
