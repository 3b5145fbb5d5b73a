"""Words that commits put into functions: what is new, whose it is, and which come first."""

from __future__ import annotations

from transforms.ingredients.history_words import HistoryWord, fresh_words, merge_words, rank_words, words_added

BEFORE = "def f(row):\n    return row.name\n"


def test_words_are_what_the_new_text_brings() -> None:
    after = (
        '    def f(row):\n        """About it."""\n        return row.name.strip(" ") if row.size > LIMIT else None\n'
    )
    found = words_added(BEFORE, after)
    assert set(found) == {"row.size > LIMIT", "row.name.strip(' ')", "row.name.strip", "row.size", "LIMIT", "' '"}


def test_what_any_search_has_is_no_word() -> None:
    assert words_added(BEFORE, "def f(row):\n    return len(row.name), True, 1, ''\n") == ("len(row.name)",)


def test_a_text_that_is_no_python_brings_none() -> None:
    for text in ("def f(:\n", "\0", "(" * 500, ""):
        assert words_added(BEFORE, text) == ()


def test_a_word_is_merged_with_its_latest_place() -> None:
    words = [HistoryWord("LIMIT", "a.py", 10), HistoryWord("LIMIT", "b.py", 20), HistoryWord("x.y", "a.py", 5)]
    assert merge_words(words, 10) == (HistoryWord("LIMIT", "b.py", 20, 2), HistoryWord("x.y", "a.py", 5, 1))
    assert len(merge_words(words, 1)) == 1


def test_the_own_module_and_what_is_young_come_first() -> None:
    old, young, near = HistoryWord("a.b", "x.py", 0), HistoryWord("c.d", "x.py", 700), HistoryWord("e.f", "m.py", 600)
    assert rank_words((old, young, near), "m.py", 700) == (near, young, old)
    assert fresh_words((near, young), {"e.f"}) == ("c.d",)
