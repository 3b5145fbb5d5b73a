import pytest

from conf.errors import SyntaxProblem
from conf.syntax import Include, Section, Setting, convert, statements, strip_comment


@pytest.mark.parametrize("text, value", [
    ("12", 12), ("yes", True), ("Off", False), ('"12"', "12"), ("a b", "a b"), ('""', ""),
])
def test_convert(text, value):
    assert convert(text) == value


def test_comment_in_quotes_stays():
    assert strip_comment('a = "x # y"  # z') == 'a = "x # y"'


def test_statements():
    text = "a = 1\n\n[web]\ninclude b.conf\ninclude? c.conf\n"
    assert list(statements(text)) == [
        Setting("a", 1), Section("web"), Include("b.conf", False), Include("c.conf", True)]


def test_syntax_problem_has_line():
    with pytest.raises(SyntaxProblem) as info:
        list(statements("a = 1\n!!\n"))
    assert info.value.lineno == 2
