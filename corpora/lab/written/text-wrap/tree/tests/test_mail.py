from textfmt.mail import bullets, quote, signature
from textfmt.table import TwoColumns, rule


def test_quote():
    assert quote("hello world\n\nbye", 10) == "> hello\n> world\n>\n> bye"


def test_quote_with_link():
    text = quote("at http://example.org/page", 20)
    assert text == "> at\n> http://example.org\n> /page"


def test_bullets():
    assert bullets(["one two three", "four"], 10) == "* one two\n  three\n* four"


def test_signature():
    assert signature("Ann", "Tel. 12") == "-- \nAnn\nTel. 12"


def test_two_columns():
    table = TwoColumns(left=6, right=10).add("-v", "print a lot more")
    assert table.render() == "-v      print a\n        lot more"


def test_rule():
    assert rule(5) == "-----"
    assert rule(5, "=-") == "=-=-="
