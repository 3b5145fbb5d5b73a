import pytest

from layout import column_width, entry_lines, two_columns


@pytest.mark.parametrize(("names", "expected"), [(["-v"], 4), (["-v", "--quiet"], 9), (["--" + "x" * 40], 24)])
def test_column_width(names, expected):
    assert column_width([(name, "") for name in names]) == expected


def test_short_names():
    assert two_columns([("-v", "say more"), ("-q", "say less")]) == "-v  say more\n-q  say less"


def test_wrapped_text():
    lines = entry_lines("-v", "one two three", 4, 12)
    assert lines == ["-v  one two", "    three"]


def test_long_names_have_a_line_of_their_own():
    assert entry_lines("--verbose", "more", 4, 30) == ["--verbose", "    more"]


def test_without_text():
    assert two_columns([("-v", "")]) == "-v"


def test_without_entries():
    assert two_columns([]) == ""


def test_generators_do():
    assert two_columns((name, name) for name in "ab") == "a  a\nb  b"


def test_width_without_entries():
    assert column_width([]) == 2
