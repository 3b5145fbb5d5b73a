import pytest

from minilang.lexer import Lexer
from minilang.tokens import LexError, Token


def kinds(source):
    return [(t.kind, t.text) for t in Lexer(source).tokens()[:-1]]


def places(source):
    return [(t.text, t.line, t.column) for t in Lexer(source).tokens()]


def test_empty():
    assert Lexer("").tokens() == [Token("end", "", 1, 1)]


def test_let():
    assert kinds("let x = 12;") == [
        ("keyword", "let"), ("name", "x"), ("symbol", "="), ("number", "12"), ("symbol", ";")]


@pytest.mark.parametrize("source, expected", [
    ("a==b", ["a", "==", "b"]),
    ("a=b", ["a", "=", "b"]),
    ("a<=b", ["a", "<=", "b"]),
    ("a->b", ["a", "->", "b"]),
    ("a-b", ["a", "-", "b"]),
])
def test_symbols(source, expected):
    assert [text for _, text in kinds(source)] == expected


@pytest.mark.parametrize("source", ["7", "12.5", "0.25"])
def test_numbers(source):
    assert kinds(source) == [("number", source)]


def test_number_then_name_is_wrong():
    with pytest.raises(LexError) as info:
        Lexer("x = 12ab").tokens()
    assert (info.value.line, info.value.column) == (1, 5)


def test_string_escapes():
    assert kinds(r'"a\n\"b\"\\"') == [("string", 'a\n"b"\\')]


def test_unterminated_string():
    with pytest.raises(LexError, match="1:3: unterminated string"):
        Lexer('a "bc\n"').tokens()


def test_bad_escape():
    with pytest.raises(LexError, match="bad escape"):
        Lexer(r'"\q"').tokens()


def test_positions_on_lines():
    assert places("a b\n  c") == [("a", 1, 1), ("b", 1, 3), ("c", 2, 3), ("", 2, 4)]


def test_line_comment():
    assert places("a # b c\nd") == [("a", 1, 1), ("d", 2, 1), ("", 2, 2)]


def test_line_comment_at_end():
    assert kinds("a # last") == [("name", "a")]


def test_block_comment_on_one_line():
    assert places("a /* x */ b") == [("a", 1, 1), ("b", 1, 11), ("", 1, 12)]


def test_block_comment_over_lines():
    assert places("a /* x\ny\n*/\n  b") == [("a", 1, 1), ("b", 4, 3), ("", 4, 4)]


def test_token_after_long_comment_on_its_last_line():
    assert places("/*\n one\n two */ b") == [("b", 3, 9), ("", 3, 10)]


def test_comment_of_stars():
    assert kinds("/***/ a /**/ b") == [("name", "a"), ("name", "b")]


def test_unterminated_comment():
    with pytest.raises(LexError) as info:
        Lexer("a\n /* b\n").tokens()
    assert (info.value.line, info.value.column) == (2, 2)
    assert info.value.message == "unterminated comment"


def test_unexpected_character():
    with pytest.raises(LexError, match="2:1"):
        Lexer("a\n$").tokens()
