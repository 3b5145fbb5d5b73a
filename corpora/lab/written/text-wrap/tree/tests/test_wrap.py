import pytest

from textfmt.wrap import fill, split_paragraphs, wrap


def test_short_text_is_one_line():
    assert wrap("hello there", 20) == ["hello there"]


def test_breaks_between_words():
    assert wrap("the quick brown fox jumps", 12) == ["the quick", "brown fox", "jumps"]


def test_white_space_is_squeezed():
    assert wrap("  a \n b\t c ", 10) == ["a b c"]


def test_blank_text():
    assert wrap("   ", 10) == []


def test_width_must_be_positive():
    with pytest.raises(ValueError):
        wrap("x", 0)


def test_long_word_stands_behind_the_text_before_it():
    assert wrap("see abcdefghijklm", 10) == ["see", "abcdefghij", "klm"]


def test_paragraphs():
    assert split_paragraphs("a\nb\n\n\nc\n") == ["a\nb", "c"]


def test_fill():
    assert fill("one two\n\nthree four", 6) == "one\ntwo\n\nthree\nfour"
