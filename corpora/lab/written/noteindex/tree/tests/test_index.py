import pytest

from noteindex.index import Note, NoteIndex


@pytest.fixture
def index():
    ix = NoteIndex()
    ix.add(Note("n1", "Fish soup", "Soup of the day with fish and leek", ("lunch", "Soup")))
    ix.add(Note("n2", "Leek pie", "A pie for lunch", ("#lunch",)))
    ix.add(Note("n3", "Reading list", "Books on fish", ("books",)))
    return ix


def test_len_and_contains(index):
    assert len(index) == 3
    assert "n2" in index
    assert "n9" not in index


def test_occurrences(index):
    assert index.occurrences("fish") == {"n1": 2, "n3": 1}
    assert index.occurrences("zebra") == {}


def test_tag_counts(index):
    assert index.tag_counts() == [("lunch", 2), ("books", 1), ("soup", 1)]


def test_tagged(index):
    assert index.tagged("lunch") == {"n1", "n2"}
    assert index.tagged("lunch", "soup") == {"n1"}
    assert index.tagged("dinner") == set()


def test_remove(index):
    index.remove("n1")
    assert index.occurrences("fish") == {"n3": 1}
    assert index.tagged("soup") == set()
    with pytest.raises(KeyError):
        index.remove("n1")


def test_replace_note(index):
    index.add(Note("n3", "Reading list", "Books on birds", ("books",)))
    assert len(index) == 3
    assert index.occurrences("fish") == {"n1": 2}
    assert index.occurrences("birds") == {"n3": 1}
