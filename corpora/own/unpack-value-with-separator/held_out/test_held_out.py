from query import parse_query


def test_forms():
    assert parse_query("=x") == {"": ["x"]}
    assert parse_query("a==") == {"a": ["="]}
    assert parse_query("a&a&b") == {"a": ["", ""], "b": [""]}
    assert parse_query("t=YWJj%3D=&u=1") == {"t": ["YWJj=="], "u": ["1"]}
    assert parse_query("") == {}
