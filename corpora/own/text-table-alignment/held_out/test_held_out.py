from tables import line, table


def test_mixed():
    assert table(["k", "value"], [["a", "1"], ["bb", "x"]]) == "k   value\n--  -----\na   1\nbb  x"
    assert table(["n"], [["-1.5"], ["20"]]) == "   n\n----\n-1.5\n  20"


def test_trailing_blanks():
    assert line(["a", ""], [1, 5], [False, False]) == "a"
