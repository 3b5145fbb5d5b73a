import io
from decimal import Decimal as D

import pytest

from gradebook.book import GradeBook
from gradebook.report import class_average, read_scores, write_report


def make(weights, **drops):
    b = GradeBook("c")
    for name, weight in weights.items():
        b.add_category(name, weight, drop_lowest=drops.get(name, 0))
        for i in range(1, 5):
            b.add_assignment(f"{name}{i}", name, 100)
    b.add_student("ann")
    return b


@pytest.fixture
def book():
    return make({"hw": 20, "quiz": 30, "exam": 50})


CASES = [
    ({"hw1": 100, "quiz1": 50, "exam1": 80}, "75.0"),
    ({"hw1": 80}, "80.0"),
    ({"quiz1": 70}, "70.0"),
    ({"exam1": 90}, "90.0"),
    ({"hw1": 100, "quiz1": 50}, "70.0"),
    ({"hw1": 100, "exam1": 30}, "50.0"),
    ({"quiz1": 80, "exam1": 40}, "55.0"),
    ({"hw1": 0}, "0.0"),
    ({"hw1": 100, "exam1": 0}, "28.6"),
    ({"hw1": 0, "quiz1": 0, "exam1": 0}, "0.0"),
    ({"quiz1": 0, "exam1": 80}, "50.0"),
    ({"hw1": 100, "quiz1": 100, "exam1": 0}, "50.0"),
    ({"hw1": 100, "exam1": None}, "100.0"),
    ({"hw1": 60, "quiz1": None, "exam1": 60}, "60.0"),
    ({"hw1": 90, "hw2": 70, "hw3": None, "exam1": 45}, "55.0"),
    ({"exam1": "66.25"}, "66.3"),
    ({"exam1": "66.24"}, "66.2"),
    ({"hw1": "88.44", "quiz1": "88.46"}, "88.5"),
    ({"hw1": "80.04", "quiz1": "80.05"}, "80.0"),
    ({"hw1": "50.05", "quiz1": "50.04"}, "50.0"),
]


@pytest.mark.parametrize("scores, expected", CASES)
def test_final(book, scores, expected):
    for title, points in scores.items():
        book.record("ann", title, points)
    result = book.final_percent("ann")
    assert result == D(expected)
    assert str(result) == expected


def test_nothing_graded(book):
    assert book.final_percent("ann") is None
    assert book.final_letter("ann") == "-"


def test_only_excused(book):
    book.record("ann", "hw1", None)
    book.record("ann", "exam1", None)
    assert book.final_percent("ann") is None


def test_zero_is_a_grade(book):
    book.record("ann", "hw1", 0)
    assert book.final_percent("ann") is not None
    assert book.final_letter("ann") == "F"


def test_weights_below_hundred():
    b = make({"a": 10, "b": 30})
    b.record("ann", "a1", 100)
    b.record("ann", "b1", 60)
    assert b.final_percent("ann") == 70


def test_fractional_weights():
    b = make({"a": "12.5", "b": "37.5", "c": 50})
    b.record("ann", "a1", 100)
    b.record("ann", "b1", 60)
    assert b.final_percent("ann") == 70


def test_more_work_in_one_category_has_no_more_weight(book):
    for i in range(1, 5):
        book.record("ann", f"hw{i}", 100)
    book.record("ann", "exam1", 30)
    assert book.final_percent("ann") == 50


def test_category_without_assignments():
    b = GradeBook("c")
    b.add_category("a", 50)
    b.add_category("empty", 50)
    b.add_assignment("a1", "a", 10)
    b.record("bob", "a1", 9)
    assert b.final_percent("bob") == 90


def test_drop_lowest_counts():
    b = make({"hw": 25, "exam": 25, "x": 50}, hw=2)
    for i, points in enumerate((10, 20, 60), start=1):
        b.record("ann", f"hw{i}", points)
    b.record("ann", "exam1", 100)
    assert b.final_percent("ann") == 80


def test_late_work(book):
    book.record("ann", "exam1", 100, late=True)
    book.record("ann", "hw1", 20)
    assert book.final_percent("ann") == 70


def test_other_students_do_not_matter(book):
    book.record("ann", "hw1", 80)
    book.record("bob", "exam1", 40)
    book.record("cid", "hw1", 100)
    book.record("cid", "exam1", 30)
    assert [book.final_percent(s) for s in book.students] == [80, 40, 50]


def test_new_grade_changes_the_result(book):
    book.record("ann", "hw1", 100)
    assert book.final_percent("ann") == 100
    book.record("ann", "exam1", 30)
    assert book.final_percent("ann") == 50
    book.record("ann", "exam1", None)
    assert book.final_percent("ann") == 100


def test_unknown_student(book):
    with pytest.raises(KeyError):
        book.final_percent("nobody")


def test_letter_after_rounding(book):
    book.record("ann", "exam1", "89.95")
    assert book.final_letter("ann") == "A"


def test_report(book):
    read_scores(book, io.StringIO("bob,hw1,100\nbob,exam1,30,late\ncid,quiz1,ex\n"))
    assert write_report(book).splitlines() == [
        "student,hw,quiz,exam,final,letter",
        "ann,,,,,-",
        "bob,100.0,,27.0,47.9,F",
        "cid,,,,,-",
    ]


def test_class_average(book):
    assert class_average(book) is None
    book.record("ann", "hw1", 80)
    book.record("bob", "exam1", 0)
    book.add_student("cid")
    assert class_average(book) == 40
