import pytest

from minilang.lexer import Lexer
from minilang.reader import read_settings
from minilang.tokens import LexError


def places(source):
    return [(t.text, t.line, t.column) for t in Lexer(source).tokens()]


@pytest.mark.parametrize("source, expected", [
    ("/*\n*/a", ("a", 2, 3)),
    ("/* x\n\n\n*/ a", ("a", 4, 4)),
    ("   /*\n*/ a", ("a", 2, 4)),
    ("/* 1 */ /*\n2 */ a", ("a", 2, 6)),
    ("/*\n1 */ /*\n2 */ a", ("a", 3, 6)),
    ("/*\n1 */ /* 2 */ a", ("a", 2, 14)),
    ("/*\n1 */ # more\na", ("a", 3, 1)),
    ("/* # */ a", ("a", 1, 9)),
    ("# /*\na", ("a", 2, 1)),
    ("/**/a", ("a", 1, 5)),
    ("/* * / */ a", ("a", 1, 11)),
    ("/* /* */ a", ("a", 1, 10)),
    ("/*\t*/\ta", ("a", 1, 7)),
    ("\n\n/* x */ a", ("a", 3, 9)),
    ("\n\n  /* x\n   y */ a", ("a", 4, 9)),
    ("\n\n  /* x */ a", ("a", 3, 11)),
])
def test_first_token_place(source, expected):
    assert places(source)[0] == expected


def test_two_comments_then_tokens():
    assert places("a /*\n*/ b /*\n\n*/ c\nd") == [
        ("a", 1, 1), ("b", 2, 4), ("c", 4, 4), ("d", 5, 1), ("", 5, 2)]


def test_end_after_comment():
    assert places("a /* x\n*/") == [("a", 1, 1), ("", 2, 3)]


def test_only_a_comment():
    assert places("/*\n\n*/") == [("", 3, 3)]


def test_slash_star_slash_is_not_closed():
    with pytest.raises(LexError) as info:
        Lexer("/*/ a").tokens()
    assert (info.value.line, info.value.column) == (1, 1)


def test_unterminated_after_a_good_one():
    with pytest.raises(LexError) as info:
        Lexer("/*\n*/ b /* c\n").tokens()
    assert (info.value.line, info.value.column) == (2, 6)


def test_slash_alone_is_a_symbol():
    assert [t.text for t in Lexer("a / b").tokens()] == ["a", "/", "b", ""]


def test_error_place_in_reader():
    with pytest.raises(LexError) as info:
        read_settings("let a = 1; /* note\n   goes on */ lot b = 2;")
    assert (info.value.line, info.value.column) == (2, 15)


def test_error_after_comment_in_lexer():
    with pytest.raises(LexError) as info:
        Lexer("/*\n\n */ $").tokens()
    assert (info.value.line, info.value.column) == (3, 5)
