from layout import column_width, two_columns


def test_bounds():
    assert column_width([], most=1) == 1
    assert column_width([("", "")]) == 2
    assert column_width([("abc", ""), ("abcd", "")], most=5) == 5
    assert two_columns(iter(())) == ""
