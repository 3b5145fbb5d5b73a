import pytest

from evaluate import select
from tokens import FilterSyntaxError, read_string, tokenize


@pytest.mark.parametrize("text, value", [
    (r"''", ""),
    (r"'abc'", "abc"),
    (r"'a\'b'", "a'b"),
    (r'"a\"b"', 'a"b'),
    (r"'a\\b'", "a\\b"),
    (r"'a\\'", "a\\"),
    (r"'\\\''", "\\'"),
    (r"'\\\\'", "\\\\"),
    (r"'\'\''", "''"),
    (r"'\a\n'", "an"),
    (r"'a\"b'", 'a"b'),
    (r'"a\'b"', "a'b"),
    (r"'\ x'", " x"),
])
def test_value(text, value):
    assert read_string(text, 0) == (value, len(text))


def test_stops_at_closing_quote():
    assert read_string(r"'a\\' and 'b'", 0) == ("a\\", 5)


def test_start_inside_text():
    assert read_string(r"x == 'a\'b' y", 5) == ("a'b", 11)


@pytest.mark.parametrize("text", ["'", "'abc", r"'abc\'", "'abc\\", "'\\", r"'\\\'", "'abc\""])
def test_unterminated(text):
    with pytest.raises(FilterSyntaxError) as caught:
        read_string("x " + text, 2)
    assert caught.value.pos == 2


def test_tokens_after_backslash():
    assert [t.value for t in tokenize(r"a == 'x\\' or b == 'y'")] == ["a", "==", "x\\", "or", "b", "==", "y", None]


def test_select_path():
    records = [{"p": "C:\\tmp"}, {"p": "C:tmp"}]
    assert select(r"p == 'C:\\tmp'", records) == [records[0]]
