import pytest

from noteindex.index import Note, NoteIndex
from noteindex.search import parse_query, search


@pytest.fixture
def index():
    ix = NoteIndex()
    ix.add(Note("n1", "Fish soup", "Soup of the day with fish and leek", ("lunch", "Soup")))
    ix.add(Note("n2", "Leek pie", "A pie for lunch", ("#lunch",)))
    ix.add(Note("n3", "Reading list", "Books on fish", ("books",)))
    return ix


def test_parse_query():
    assert parse_query("fish #Lunch the soup") == (["fish", "soup"], ["lunch"])


def test_ranking(index):
    assert search(index, "fish") == [("n1", 4), ("n3", 1)]


def test_two_words(index):
    assert search(index, "leek fish") == [("n1", 5), ("n2", 3), ("n3", 1)]


def test_tag_filter(index):
    assert search(index, "fish #books") == [("n3", 1)]


def test_only_tags(index):
    assert search(index, "#lunch") == [("n1", 0), ("n2", 0)]


def test_limit(index):
    assert search(index, "leek fish", limit=1) == [("n1", 5)]
