import pytest

from gradebook.averages import category_average, counted, course_total
from gradebook.book import Gradebook, letter
from gradebook.scores import Category, Score

HW = Category("hw", 40, drop_lowest=1)
EXAM = Category("exam", 60)


def scores(*points):
    return [Score(f"w{i}", p, 100) for i, p in enumerate(points)]


def test_drop_lowest():
    assert category_average(HW, scores(50, 90, 100)) == 95


def test_drop_is_by_percent():
    works = [Score("a", 9, 10), Score("b", 40, 100)]
    assert [s.name for s in counted(HW, works)] == ["a"]


def test_last_score_is_never_dropped():
    assert category_average(HW, scores(70)) == 70


def test_empty_category_has_no_average():
    assert category_average(HW, []) is None


def test_total_of_both():
    assert course_total([HW, EXAM], {"hw": scores(50, 100), "exam": scores(80)}) == 88


def test_total_without_exam_yet():
    assert course_total([HW, EXAM], {"hw": scores(50, 90)}) == 90


def test_total_with_excused_only():
    works = {"hw": scores(100), "exam": [Score("final", 0, 100, excused=True)]}
    assert course_total([HW, EXAM], works) == 100


def test_zero_is_a_score():
    assert course_total([HW, EXAM], {"hw": scores(100), "exam": scores(0)}) == 40


def test_no_scores_no_total():
    assert course_total([Category("a", 0)], {}) is None


def test_weights_need_not_be_hundred():
    cats = [Category("a", 1), Category("b", 3)]
    assert course_total(cats, {"a": scores(100), "b": scores(60)}) == 70


def test_rounding():
    cats = [Category("a", 1), Category("b", 2)]
    assert course_total(cats, {"a": scores(100), "b": scores(50)}) == 66.67


@pytest.mark.parametrize("percent, name", [(95, "A"), (90, "A"), (89.99, "B"), (60, "D"), (0, "F")])
def test_letter(percent, name):
    assert letter(percent) == name


def test_book():
    book = Gradebook([HW, EXAM])
    book.record("zoe", "hw", "w1", 80)
    book.record("zoe", "exam", "e1", 45, 50)
    book.record("amy", "hw", "w1", 86)
    book.record("amy", "exam", "e1", 86)
    assert book.ranking() == [("amy", 86), ("zoe", 86)]
    assert book.grade("zoe") == "B"


def test_rerecord_replaces():
    book = Gradebook([EXAM])
    book.record("amy", "exam", "e1", 10)
    book.record("amy", "exam", "e1", 90)
    assert book.total("amy") == 90


def test_unknown_category():
    with pytest.raises(KeyError):
        Gradebook([HW]).record("amy", "lab", "l1", 3)
