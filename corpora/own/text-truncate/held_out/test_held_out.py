import pytest

from shorten import truncate


@pytest.mark.parametrize("width", range(1, 12))
def test_never_wider(width):
    cut = truncate("one two three four", width)
    assert len(cut) <= width
    assert cut.endswith("…")


def test_exact():
    assert truncate("abc", 3, "...") == "abc"
    assert truncate("abcd", 3, "...") == "..."
    assert truncate("ab cd", 4) == "ab…"
