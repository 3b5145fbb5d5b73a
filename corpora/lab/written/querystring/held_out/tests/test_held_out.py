import pytest

from querystring import Url, build_query, parse_query


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ("&&", []),
        ("a", [("a", "")]),
        ("a=", [("a", "")]),
        ("a=&b=1", [("a", ""), ("b", "1")]),
        ("debug&x=1", [("debug", ""), ("x", "1")]),
        ("?a=b%26c=d", [("a", "b&c=d")]),
        ("a%26b=1", [("a&b", "1")]),
        ("a%3Db=1", [("a=b", "1")]),
        ("a=1%3D2", [("a", "1=2")]),
        ("first+name=Jo", [("first name", "Jo")]),
        ("first%20name=Jo", [("first name", "Jo")]),
        ("sum=1%2B1", [("sum", "1+1")]),
        ("c%2B%2B=yes", [("c++", "yes")]),
        ("p=100%2525", [("p", "100%25")]),
        ("x=a=b=c", [("x", "a=b=c")]),
        ("k%C3%B6ln=1", [("köln", "1")]),
        ("a=%3F", [("a", "?")]),
        ("a=1&a=1", [("a", "1"), ("a", "1")]),
    ],
)
def test_parse(text, expected):
    assert [tuple(pair) for pair in parse_query(text)] == expected


@pytest.mark.parametrize(
    "pairs",
    [
        [("a&b", "c=d"), ("e", "")],
        [("1+1", "2"), ("x y", "z&")],
        [("ü", "%26"), ("=", "==")],
    ],
)
def test_round_trip(pairs):
    assert parse_query(build_query(pairs)) == pairs


def test_url_keeps_its_text():
    text = "/s?q=tea+%26+milk&flag=&n=1%2B1"
    assert str(Url.parse(text)) == text
