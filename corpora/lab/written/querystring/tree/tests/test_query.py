from querystring.query import build_query, get, get_all, parse_query, replace, without


def test_build():
    assert build_query([("q", "tea & milk"), ("n", 3)]) == "q=tea+%26+milk&n=3"


def test_build_nothing():
    assert build_query([]) == ""


def test_parse_simple():
    assert parse_query("a=1&b=2&a=3") == [("a", "1"), ("b", "2"), ("a", "3")]


def test_parse_question_mark():
    assert parse_query("?a=1") == [("a", "1")]


def test_parse_nothing():
    assert parse_query("") == []
    assert parse_query("?") == []


def test_parse_plus_and_escape():
    assert parse_query("q=green+tea&city=K%C3%B6ln") == [
        ("q", "green tea"),
        ("city", "Köln"),
    ]


def test_parse_escaped_plus():
    assert parse_query("sum=1%2B1&page=2") == [("sum", "1+1"), ("page", "2")]


def test_parse_equals_in_value():
    assert parse_query("f=a=b") == [("f", "a=b")]


def test_empty_parts():
    assert parse_query("a=1&&b=2&") == [("a", "1"), ("b", "2")]


def test_get():
    pairs = [("a", "1"), ("b", "2"), ("a", "3")]
    assert get(pairs, "a") == "1"
    assert get(pairs, "z", "none") == "none"
    assert get_all(pairs, "a") == ["1", "3"]


def test_replace():
    pairs = [("a", "1"), ("b", "2"), ("a", "3")]
    assert replace(pairs, "a", 9) == [("a", "9"), ("b", "2")]
    assert replace(pairs, "c", "x")[-1] == ("c", "x")


def test_without():
    assert without([("a", "1"), ("b", "2")], "a") == [("b", "2")]
