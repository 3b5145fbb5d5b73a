from report import footer, table


def test_columns_without_numbers():
    assert footer(["a", "b", "c"], [["x", "y", 1], ["x", None, 2.5]]) == "total\t\t3.50"


def test_integers_stay_integers():
    assert footer(["a", "b"], [["x", 10], ["y", -3]]) == "total\t7"


def test_only_a_name():
    assert table(["a"], [["x"], ["y"]]) == "a\nx\ny\ntotal\n"
