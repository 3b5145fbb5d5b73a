import pytest

from markbook.book import MarkBook
from markbook.report import ranking, report
from markbook.scheme import Category, Scheme


def make(weights, scores, drop=0):
    """A book with the one student "s"; scores: category -> list of points."""
    book = MarkBook(Scheme([Category(n, w, drop) for n, w in weights.items()]))
    book.enrol("s")
    for category, points in scores.items():
        for p in points:
            book.record("s", category, p)
    return book


WEIGHTS = {"homework": 1, "quiz": 2, "exam": 5}


@pytest.mark.parametrize("scores, expected", [
    ({}, None),
    ({"homework": [80]}, 80),
    ({"quiz": [70]}, 70),
    ({"exam": [55]}, 55),
    ({"homework": [90], "quiz": [60]}, 70),
    ({"homework": [90], "exam": [60]}, 65),
    ({"quiz": [80], "exam": [45]}, 55),
    ({"homework": [80], "quiz": [80], "exam": [80]}, 80),
    ({"homework": [100], "quiz": [50], "exam": [40]}, 50),
    ({"homework": [0], "quiz": [90]}, 60),
    ({"homework": [0]}, 0),
    ({"exam": [0], "quiz": [70]}, 20),
    ({"homework": [0], "quiz": [0], "exam": [0]}, 0),
    ({"homework": [None]}, None),
    ({"homework": [None], "quiz": [None, None], "exam": [None]}, None),
    ({"homework": [None, 90], "quiz": [60]}, 70),
    ({"homework": [None], "quiz": [60]}, 60),
    ({"exam": [None], "quiz": [60], "homework": [90]}, 70),
])
def test_total(scores, expected):
    total = make(WEIGHTS, scores).total("s")
    if expected is None:
        assert total is None
    else:
        assert total == pytest.approx(expected)


def test_weights_are_relative():
    small = make({"a": 0.1, "b": 0.3}, {"a": [40], "b": [80]})
    large = make({"a": 25, "b": 75}, {"a": [40], "b": [80]})
    assert small.total("s") == pytest.approx(70)
    assert large.total("s") == pytest.approx(70)


def test_dropped_scores():
    book = make(WEIGHTS, {"quiz": [50, 100, 90]}, drop=1)
    assert book.total("s") == pytest.approx(95)


def test_only_weightless_category_counts_nothing():
    assert make({"a": 0, "b": 1}, {"a": [50]}).total("s") is None


def test_weightless_category_does_not_change_total():
    assert make({"a": 0, "b": 1}, {"a": [50], "b": [90]}).total("s") == 90


def test_letters():
    assert make(WEIGHTS, {"quiz": [90]}).letter("s") == "A"
    assert make(WEIGHTS, {}).letter("s") == "-"
    assert make(WEIGHTS, {"quiz": [0]}).letter("s") == "F"


def test_class_average_leaves_new_students_out():
    book = make(WEIGHTS, {"quiz": [80]})
    book.enrol("new")
    book.enrol("zero")
    book.record("zero", "exam", 0)
    assert book.class_average() == pytest.approx(40)


def test_class_average_of_nobody():
    assert make(WEIGHTS, {}).class_average() is None


def test_ranking():
    book = make(WEIGHTS, {"quiz": [80]})
    for name, category, points in (("t", "exam", 80), ("u", "homework", 95), ("v", "exam", 0)):
        book.enrol(name)
        book.record(name, category, points)
    book.enrol("new")
    assert ranking(book) == [(1, "u"), (2, "s"), (2, "t"), (4, "v")]


def test_report():
    book = make(WEIGHTS, {"exam": [72]})
    book.enrol("t")
    assert report(book).splitlines() == [
        "s             72.0 C",
        "t               -- -",
        "average       72.0",
    ]


def test_two_students_do_not_mix():
    book = make(WEIGHTS, {"quiz": [80]})
    book.enrol("t")
    book.record("t", "homework", 50)
    assert book.total("s") == 80
    assert book.total("t") == 50
