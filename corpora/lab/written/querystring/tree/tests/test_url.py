from querystring import Url


def test_parse():
    url = Url.parse("http://x.org/s?q=tea#top")
    assert url == Url("http://x.org/s", (("q", "tea"),), "top")


def test_str():
    text = "http://x.org/s?q=green+tea&page=2#top"
    assert str(Url.parse(text)) == text
    assert str(Url("http://x.org")) == "http://x.org"


def test_next_page():
    assert str(Url.parse("/s?page=2&q=x").next_page()) == "/s?page=3&q=x"
    assert str(Url.parse("/s?page=two").next_page()) == "/s?page=2"


def test_without_params():
    assert str(Url.parse("/s?a=1&b=2").without_params("a")) == "/s?b=2"
