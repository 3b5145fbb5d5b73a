import pytest

from gradebook.averages import course_total
from gradebook.book import Gradebook
from gradebook.scores import Category, Score


def works(*points):
    return [Score(f"w{i}", p, 100) for i, p in enumerate(points)]


A, B, C = Category("a", 20), Category("b", 30), Category("c", 50)
ALL = [A, B, C]


@pytest.mark.parametrize("given, total", [
    ({"a": 100, "b": 50, "c": 80}, 75),
    ({"a": 100, "b": 50}, 70),
    ({"b": 50, "c": 80}, 68.75),
    ({"a": 100, "c": 80}, 85.71),
    ({"a": 64}, 64), ({"b": 64}, 64), ({"c": 64}, 64),
    ({"a": 0, "b": 0, "c": 0}, 0),
    ({"a": 0}, 0),
    ({"a": 0, "b": 100}, 60),
    ({"a": 90, "c": 0}, 25.71),
    ({"a": 120, "b": 100}, 108),
])
def test_total(given, total):
    assert course_total(ALL, {k: works(v) for k, v in given.items()}) == total


@pytest.mark.parametrize("given", [{}, {"a": []}, {"a": [], "b": [], "c": []},
                                   {"a": [Score("x", 5, 10, excused=True)]}])
def test_nothing_at_all_is_none(given):
    assert course_total(ALL, given) is None


def test_no_categories():
    assert course_total([], {"a": works(3)}) is None


def test_scores_of_unknown_category_do_not_matter():
    assert course_total([A], {"a": works(50), "zzz": works(0)}) == 50


def test_excused_beside_counted():
    given = {"a": [Score("x", 0, 100, excused=True), Score("y", 70, 100)], "b": [Score("z", 1, 2, excused=True)]}
    assert course_total(ALL, given) == 70


def test_small_weights():
    cats = [Category("a", 0.2), Category("b", 0.3), Category("c", 0.5)]
    assert course_total(cats, {"a": works(100), "b": works(50)}) == 70


def test_zero_weight_beside_others():
    cats = [Category("extra", 0), Category("b", 4)]
    assert course_total(cats, {"extra": works(10), "b": works(81)}) == 81
    assert course_total(cats, {"b": works(81)}) == 81


def test_book_grade():
    book = Gradebook(ALL)
    assert book.grade("amy") == "-"
    book.record("amy", "a", "x", 9, 10)
    assert book.grade("amy") == "A"
    assert book.ranking() == [("amy", 90)]
