import pytest

from urls import decode, encode, join_path, update_query, with_fragment
from urls.build import page_links


def test_decode():
    assert decode("a=1&b=x+y&c=%26") == [("a", "1"), ("b", "x y"), ("c", "&")]
    assert decode("flag&&a=") == [("flag", ""), ("a", "")]
    assert decode("") == []


def test_encode():
    assert encode([("a b", "c&d"), ("e", "")]) == "a+b=c%26d&e="


@pytest.mark.parametrize(
    "url, changes, expected",
    [
        ("/x", {"a": 1}, "/x?a=1"),
        ("/x?a=1", {"a": 2}, "/x?a=2"),
        ("/x?a=1&b=2", {"a": 3}, "/x?a=3&b=2"),
        ("/x?a=1&b=2", {"a": None}, "/x?b=2"),
        ("/x?a=1", {"a": None}, "/x"),
        ("/x?a=1", {"b": None}, "/x?a=1"),
        ("/x?a=1&b=2&a=3", {"a": 9}, "/x?a=9&b=2"),
        ("/x?a=1&b=2&a=3", {"a": None}, "/x?b=2"),
        ("/x?a=1&b=2&a=3", {"b": 5}, "/x?a=1&b=5&a=3"),
        ("/x?a=1", {"a": [1, 2]}, "/x?a=1&a=2"),
        ("/x?a=1&b=2", {"a": (7, 8)}, "/x?a=7&a=8&b=2"),
        ("/x?b=2", {"a": ["p q", "r"]}, "/x?b=2&a=p+q&a=r"),
        ("/x?a=1&b=2", {"a": []}, "/x?b=2"),
        ("/x?a=1#top", {"b": 2}, "/x?a=1&b=2#top"),
        ("/x#top", {"b": 2}, "/x?b=2#top"),
        ("/x?a=1", {"c": True}, "/x?a=1&c=true"),
        ("/x?page=3", {"page": 0}, "/x?page=0"),
        ("/x?q=abc", {"q": ""}, "/x?q="),
        ("/x?a=1", {}, "/x?a=1"),
    ],
)
def test_update_query(url, changes, expected):
    assert update_query(url, changes) == expected


def test_update_keeps_the_changes():
    changes = {"a": 1}
    update_query("/x?a=0", changes)
    assert changes == {"a": 1}


def test_join_path():
    assert join_path("https://x.org/", "a", "b/c") == "https://x.org/a/b%2Fc"
    assert join_path("/a?q=1#f", "", "b") == "/a/b?q=1#f"


def test_with_fragment():
    assert with_fragment("/a?b=1#c", "d") == "/a?b=1#d"
    assert with_fragment("/a#c", "") == "/a"


def test_page_links():
    assert page_links("/l?page=1&n=5", 1, 3) == (None, "/l?page=2&n=5")
    assert page_links("/l?page=3", 3, 3) == ("/l?page=2", None)
