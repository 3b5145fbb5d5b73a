from roman import from_roman, to_roman


def test_round_trips():
    seen = {to_roman(number) for number in range(1, 4000)}
    assert len(seen) == 3999
    assert all(from_roman(to_roman(number)) == number for number in range(1, 4000, 7))


def test_known():
    assert to_roman(3999) == "MMMCMXCIX"
    assert to_roman(444) == "CDXLIV"
