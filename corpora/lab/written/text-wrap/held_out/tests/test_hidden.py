import random

import pytest

from textfmt.mail import bullets, quote
from textfmt.table import TwoColumns, centre
from textfmt.wrap import fill, wrap


@pytest.mark.parametrize("text, width, expected", [
    ("", 5, []),
    ("abc", 5, ["abc"]),
    ("abcde", 5, ["abcde"]),
    ("ab cd", 5, ["ab cd"]),
    ("ab cde", 5, ["ab", "cde"]),
    ("ab cd ef", 5, ["ab cd", "ef"]),
    ("a abcde b", 5, ["a", "abcde", "b"]),
    ("a bc d", 1, ["a", "b", "c", "d"]),
])
def test_short_words(text, width, expected):
    assert wrap(text, width) == expected


@pytest.mark.parametrize("text, expected", [
    ("abcdefg", ["abcde", "fg"]),
    ("abcdefghij", ["abcde", "fghij"]),
    ("abcdefghijkl", ["abcde", "fghij", "kl"]),
    ("x abcdefg", ["x", "abcde", "fg"]),
    ("x abcdefghij", ["x", "abcde", "fghij"]),
    ("x abcdefghijklmnopq", ["x", "abcde", "fghij", "klmno", "pq"]),
    ("one two abcdefg", ["one", "two", "abcde", "fg"]),
    ("one two six abcdefghijkl", ["one", "two", "six", "abcde", "fghij", "kl"]),
    ("abcdefg hi", ["abcde", "fg hi"]),
    ("x abcdefg hi", ["x", "abcde", "fg hi"]),
    ("abcdefg hij", ["abcde", "fg", "hij"]),
    ("abcdef ghijklm n", ["abcde", "f", "ghijk", "lm n"]),
    ("a b abcdefgh c d", ["a b", "abcde", "fgh c", "d"]),
])
def test_long_words(text, expected):
    assert wrap(text, 5) == expected


def test_nothing_lost_and_nothing_too_long():
    rng = random.Random(1)
    for _ in range(300):
        words = ["".join(rng.choice("abc") for _ in range(rng.choice([1, 2, 3, 4, 9, 14])))
                 for _ in range(rng.randint(0, 8))]
        width = rng.randint(1, 8)
        lines = wrap(" ".join(words), width)
        assert all(0 < len(line) <= width for line in lines)
        assert "".join(lines).replace(" ", "") == "".join(words)


def test_every_line_takes_as_many_words_as_fit():
    rng = random.Random(2)
    for _ in range(200):
        words = ["x" * rng.randint(1, 5) for _ in range(rng.randint(1, 10))]
        width = rng.randint(5, 12)
        lines = wrap(" ".join(words), width)
        for line, following in zip(lines, lines[1:]):
            assert len(line) + 1 + len(following.split()[0]) > width


def test_width_below_one():
    for width in (0, -3):
        with pytest.raises(ValueError):
            wrap("a", width)


def test_fill():
    assert fill("a abcdefg\n\nabcdefg b\n", 5) == "a\nabcde\nfg\n\nabcde\nfg b"


def test_quote_with_links():
    assert quote("http://example.org/page", 20) == "> http://example.org\n> /page"
    assert quote("look here and there at http://example.org/page for it", 20) == (
        "> look here and\n> there at\n> http://example.org\n> /page for it")


def test_bullets_with_long_words():
    assert bullets(["a bbbbbbbbbbbb c", "d"], 7) == "* a\n  bbbbb\n  bbbbb\n  bb c\n* d"


def test_table_with_long_term():
    table = TwoColumns(left=4, right=6).add("a --verbose", "say it all")
    assert table.render() == "a     say it\n--ve  all\nrbos\ne"


def test_centre():
    assert centre("ab abcdefgh", 6) == "  ab\nabcdef\n  gh"
