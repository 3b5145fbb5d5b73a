import pytest

from urls import update_query


@pytest.mark.parametrize(
    "url, changes, want",
    [
        # values that are false
        ("/x?a=1", {"a": 0}, "/x?a=0"),
        ("/x?a=1", {"a": False}, "/x?a=false"),
        ("/x?a=1", {"a": ""}, "/x?a="),
        ("/x?a=1", {"a": 0.0}, "/x?a=0.0"),
        ("/x", {"a": 0}, "/x?a=0"),
        ("/x", {"a": False, "b": ""}, "/x?a=false&b="),
        ("/x?b=1&a=1&a=2", {"a": False}, "/x?b=1&a=false"),
        # items that are false
        ("/x", {"a": [0, 1]}, "/x?a=0&a=1"),
        ("/x", {"a": ["", False]}, "/x?a=&a=false"),
        ("/x?a=1&b=2", {"a": [0]}, "/x?a=0&b=2"),
        ("/x", {"a": [0, 0]}, "/x?a=0&a=0"),
        # nothing
        ("/x?a=1&b=2", {"a": None, "b": None}, "/x"),
        ("/x?a=1&b=2", {"a": [], "b": ()}, "/x"),
        ("/x", {"a": None}, "/x"),
        ("/x#f", {"a": None}, "/x#f"),
        ("/x?a=1#f", {"a": None}, "/x#f"),
        # ordinary ones
        ("/x?a=1", {"a": True}, "/x?a=true"),
        ("/x?a=1", {"a": ["x", True]}, "/x?a=x&a=true"),
        ("/x?a=1", {"a": "None"}, "/x?a=None"),
        ("/x?a=1", {"a": "0"}, "/x?a=0"),
        ("/x?a=&b", {"c": 1}, "/x?a=&b=&c=1"),
        ("/x?c=3&b=2&a=1", {"a": 7, "c": 9}, "/x?c=9&b=2&a=7"),
        ("/x", {"z": 1, "a": 2}, "/x?z=1&a=2"),
        ("/x?a=1&a=2&a=3", {"a": [4, 5]}, "/x?a=4&a=5"),
        ("/x?a=1", {"a": -1}, "/x?a=-1"),
        ("/x?a=1", {"a": 1.5}, "/x?a=1.5"),
        ("/x?a=1", {"a": "b=c&d"}, "/x?a=b%3Dc%26d"),
    ],
)
def test_update_query(url, changes, want):
    assert update_query(url, changes) == want


def test_twice():
    url = update_query("/x?page=2&q=a", {"page": 0, "q": ""})
    assert url == "/x?page=0&q="
    assert update_query(url, {"page": None, "q": "b"}) == "/x?q=b"


def test_changes_are_left_alone():
    changes = {"a": [0, 1], "b": None, "c": False}
    update_query("/x?a=3&b=1", changes)
    assert changes == {"a": [0, 1], "b": None, "c": False}
