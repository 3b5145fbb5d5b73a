import pytest

from layout.blocks import Block, parse
from layout.render import render
from layout.wrapping import justify, wrap


def test_wrap_plain():
    assert wrap("the quick brown fox jumps", 10) == ["the quick", "brown fox", "jumps"]


def test_wrap_exact_fit():
    assert wrap("abc def", 7) == ["abc def"]
    assert wrap("abc def", 6) == ["abc", "def"]


def test_wrap_long_word():
    assert wrap("a incomprehensible b", 5) == ["a", "incomprehensible", "b"]


def test_wrap_nothing():
    assert wrap("   ", 10) == []


def test_wrap_bad_width():
    with pytest.raises(ValueError):
        wrap("a", 0)


def test_wrap_with_indent_keeps_the_width():
    assert wrap("aaa bbb ccc ddd", 9, "* ", "  ") == ["* aaa bbb", "  ccc ddd"]
    assert wrap("aaa bbb ccc ddd", 8, "* ", "  ") == ["* aaa", "  bbb", "  ccc", "  ddd"]


def test_justify():
    assert justify("a b c", 8) == "a   b  c"
    assert justify("word", 8) == "word"


def test_parse():
    assert parse("# T\nsome\ntext\n\n- one\n- two\nmore") == [
        Block("heading", "T", 1), Block("para", "some text"), Block("item", "one"), Block("item", "two more")]


def test_render():
    assert render("# Hi\nsome text\n- a\n- b", 20) == "Hi\n==\n\nsome text\n\n* a\n* b"


def test_render_justified():
    assert render("aa bb cc dd", 6, justified=True) == "aa  bb\ncc dd"
