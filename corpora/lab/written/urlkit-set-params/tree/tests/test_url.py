from urlkit import build_query, get_param, get_params, parse_query, remove_params, set_params, split_url
from urlkit.pager import Pager
from urlkit.url import same_page


def test_parse():
    assert parse_query("a=1&b=2") == [("a", "1"), ("b", "2")]


def test_build():
    assert build_query([("a", "x y"), ("b", 1)]) == "a=x+y&b=1"


def test_split():
    assert split_url("http://x.org/p?a=1#top") == ("http://x.org/p", "a=1", "top")


def test_get():
    assert get_param("/p?a=1&a=2", "a") == "1"
    assert get_params("/p?a=1&a=2", "a") == ["1", "2"]


def test_set_new():
    assert set_params("/p", {"a": 1}) == "/p?a=1"


def test_set_replaces():
    assert get_param(set_params("/p?page=1", {"page": 2}), "page") == "2"


def test_set_keeps_repeated():
    assert set_params("/p?tag=red&tag=blue", {"page": 3}) == "/p?tag=red&tag=blue&page=3"


def test_remove():
    assert remove_params("/p?a=1&b=2", "a") == "/p?b=2"


def test_same_page():
    assert same_page("/p?a=1&b=2", "/p/?b=2&a=1&gclid=7")


def test_pager():
    pager = Pager("/list?page=2", 50)
    assert pager.pages == 3
    assert "page=3" in pager.next
