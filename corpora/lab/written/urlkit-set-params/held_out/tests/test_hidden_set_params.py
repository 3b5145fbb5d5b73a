import pytest

from urlkit import set_params
from urlkit.pager import Pager, sort_link


@pytest.mark.parametrize("url, params, expected", [
    ("/p", {"a": "1"}, "/p?a=1"),
    ("/p?x=1", {"a": 2}, "/p?x=1&a=2"),
    ("/p?a=1&b=2&c=3", {"b": 9}, "/p?a=1&b=9&c=3"),
    ("/p?a=1&b=2", {"a": 9, "z": 8}, "/p?a=9&b=2&z=8"),
    ("/p?t=1&t=2&t=3", {"page": 1}, "/p?t=1&t=2&t=3&page=1"),
    ("/p?t=1&b=5&t=2", {"page": 1}, "/p?t=1&b=5&t=2&page=1"),
    ("/p?t=1&b=5&t=1", {"page": 1}, "/p?t=1&b=5&t=1&page=1"),
    ("/p?a=1&t=x&a=2&t=y", {"a": 3}, "/p?a=3&t=x&t=y"),
    ("/p?a=1&a=2&a=3", {"a": 0}, "/p?a=0"),
    ("/p?a=1&b=2", {"a": 0}, "/p?a=0&b=2"),
    ("/p?a=1&b=2", {"a": ""}, "/p?a=&b=2"),
    ("/p?b=2", {"a": False}, "/p?b=2&a=False"),
    ("/p?a=1&b=2", {"a": None}, "/p?b=2"),
    ("/p?a=1&b=2&a=3", {"a": None}, "/p?b=2"),
    ("/p?a=1", {"a": None}, "/p"),
    ("/p?b=1", {"a": None}, "/p?b=1"),
    ("/p?b=1", {"a": [1, 2]}, "/p?b=1&a=1&a=2"),
    ("/p?a=7&b=1", {"a": [1, 2]}, "/p?a=1&a=2&b=1"),
    ("/p?a=7&b=1&a=8", {"a": (1, 2)}, "/p?a=1&a=2&b=1"),
    ("/p?a=7&b=1", {"a": []}, "/p?b=1"),
    ("/p?empty=&b=1", {"b": 2}, "/p?empty=&b=2"),
    ("/p?empty=&b=1&empty=", {"c": 2}, "/p?empty=&b=1&empty=&c=2"),
    ("/p?a=1#top", {"b": 2}, "/p?a=1&b=2#top"),
    ("/p#top", {"b": 2}, "/p?b=2#top"),
    ("/p?a=1&a=2", {}, "/p?a=1&a=2"),
    ("/p?q=x%26y&q=a+b", {"z": "c d"}, "/p?q=x%26y&q=a+b&z=c+d"),
    ("/p?a%20b=1&c=2", {"a b": 3}, "/p?a+b=3&c=2"),
    ("/p?a=b=c", {"d": 1}, "/p?a=b%3Dc&d=1"),
    ("/p", {"x": 1, "y": 2, "w": 3}, "/p?x=1&y=2&w=3"),
])
def test_table(url, params, expected):
    assert set_params(url, params) == expected


def test_params_not_changed():
    params = {"a": 1, "b": None, "c": [1, 2]}
    for _ in range(2):
        assert set_params("/p?a=0&b=1", params) == "/p?a=1&c=1&c=2"
    assert params == {"a": 1, "b": None, "c": [1, 2]}


def test_twice_is_same():
    once = set_params("/p?t=1&a=1&t=2", {"a": [5, 6]})
    assert set_params(once, {"a": [5, 6]}) == once


def test_pager_keeps_filters():
    pager = Pager("/l?tag=a&page=2&tag=b", 60)
    assert pager.next == "/l?tag=a&page=3&tag=b"
    assert pager.previous == "/l?tag=a&tag=b"
    assert pager.all() == ["/l?tag=a&tag=b", "/l?tag=a&page=2&tag=b", "/l?tag=a&page=3&tag=b"]


def test_pager_ends():
    assert Pager("/l?tag=a&tag=b", 60).previous is None
    assert Pager("/l?page=3", 60).next is None


def test_sort_link():
    assert sort_link("/l?t=1&t=2&page=4", "name") == "/l?t=1&t=2&sort=name&desc=0"
    assert sort_link("/l?sort=name&desc=0&t=1&t=2", "name") == "/l?sort=name&desc=1&t=1&t=2"
    assert sort_link("/l?sort=name&desc=1", "name") == "/l?sort=name&desc=0"
