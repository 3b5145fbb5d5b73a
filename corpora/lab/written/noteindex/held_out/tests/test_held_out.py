import pytest

from noteindex.index import Note, NoteIndex
from noteindex.search import search


@pytest.fixture
def index():
    ix = NoteIndex()
    ix.add(Note("a", "Garden plan", "Plan beds and plan paths", ("home", "Garden")))
    ix.add(Note("b", "Shopping", "Seeds for the garden", ("home",)))
    return ix


def test_first_add(index):
    assert index.occurrences("plan") == {"a": 3}
    assert index.occurrences("garden") == {"a": 1, "b": 1}
    assert index.tagged("home") == {"a", "b"}


def test_same_note_again_does_not_double(index):
    index.add(index.get("a"))
    assert index.occurrences("plan") == {"a": 3}
    assert index.tag_counts() == [("home", 2), ("garden", 1)]


def test_same_note_three_times(index):
    for _ in range(3):
        index.add(Note("b", "Shopping", "Seeds for the garden", ("home",)))
    assert index.occurrences("seeds") == {"b": 1}
    assert len(index) == 2


def test_shared_words_counted_from_new_note_only(index):
    index.add(Note("a", "Plan", "short", ()))
    assert index.occurrences("plan") == {"a": 1}


def test_old_title_words_go(index):
    index.add(Note("b", "Errands", "Seeds for the garden", ("home",)))
    assert index.occurrences("shopping") == {}
    assert search(index, "shopping") == []


def test_old_body_words_go(index):
    index.add(Note("a", "Garden plan", "", ("home",)))
    assert index.occurrences("beds") == {}
    assert index.occurrences("plan") == {"a": 1}


def test_old_tags_go(index):
    index.add(Note("a", "Garden plan", "", ("work",)))
    assert index.tagged("garden") == set()
    assert index.tagged("home") == {"b"}
    assert index.tagged("work") == {"a"}


def test_tag_counts_after_replacing(index):
    index.add(Note("a", "Garden plan", "", ("work",)))
    assert index.tag_counts() == [("home", 1), ("work", 1)]


def test_words_list_after_replacing(index):
    index.add(Note("a", "Nothing", "", ()))
    assert index.words() == ["garden", "nothing", "seeds", "shopping"]


def test_other_notes_untouched(index):
    index.add(Note("a", "Nothing", "", ()))
    assert index.occurrences("garden") == {"b": 1}
    assert index.get("b").title == "Shopping"


def test_remove_after_replacing(index):
    index.add(Note("a", "Roof", "Tiles", ("work",)))
    index.remove("a")
    assert "a" not in index
    assert index.words() == ["garden", "seeds", "shopping"]
    assert index.tag_counts() == [("home", 1)]


def test_search_after_replacing_and_removing(index):
    index.add(Note("a", "Roof", "Tiles", ("work",)))
    index.remove("a")
    assert search(index, "plan beds tiles") == []
    assert search(index, "#garden") == []


def test_get_returns_new_note(index):
    index.add(Note("a", "Roof"))
    assert index.get("a").title == "Roof"
    assert len(index) == 2


def test_ranking_after_replacing(index):
    index.add(Note("a", "Paths", "garden garden", ("home",)))
    assert search(index, "garden") == [("a", 2), ("b", 1)]


def test_tag_spelling_when_replacing(index):
    index.add(Note("a", "Garden plan", "", ("#GARDEN",)))
    assert index.tagged("garden") == {"a"}
    assert index.tag_counts() == [("garden", 1), ("home", 1)]
