import pytest

from finder import SearchIndex


@pytest.fixture
def index():
    index = SearchIndex()
    index.add("a", "The red fox and the red dog")
    index.add("b", "A red house")
    index.add("c", "The dog in the house")
    return index


def test_search_orders_by_score(index):
    assert index.search("red") == ["a", "b"]
    assert index.search("red dog") == ["a"]
    assert index.search("the") == []


def test_replace(index):
    index.add("b", "a green house")
    assert index.search("red") == ["a"]
    assert len(index) == 3


def test_remove(index):
    index.remove("a")
    assert index.search("fox") == []


def test_search_page():
    index = SearchIndex()
    for i in range(95):
        index.add(i, "needle")
    page, bar = index.search_page("needle", 10)
    assert page.items == (90, 91, 92, 93, 94)
    assert bar == [1, None, 8, 9, 10]
