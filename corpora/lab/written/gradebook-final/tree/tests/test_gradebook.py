import io
from decimal import Decimal

import pytest

from gradebook.book import GradeBook, letter
from gradebook.report import read_scores, write_report


@pytest.fixture
def book():
    b = GradeBook("maths")
    b.add_category("homework", 40, drop_lowest=1)
    b.add_category("exam", 60)
    b.add_assignment("hw1", "homework", 10)
    b.add_assignment("hw2", "homework", 10)
    b.add_assignment("final", "exam", 100)
    return b


def test_letter():
    assert letter(Decimal("95")) == "A"
    assert letter(Decimal("12")) == "F"
    assert letter(None) == "-"


def test_weights_are_checked(book):
    with pytest.raises(ValueError):
        book.add_category("extra", 10)


def test_category_average_drops_lowest(book):
    book.record("ann", "hw1", 5)
    book.record("ann", "hw2", 9)
    assert book.category_average("ann", "homework") == 90


def test_late(book):
    book.record("ann", "final", 100, late=True)
    assert book.category_average("ann", "exam") == 90


def test_excused(book):
    book.record("ann", "final", None)
    assert book.category_average("ann", "exam") is None


def test_final_percent(book):
    book.record("ann", "hw1", 10)
    book.record("ann", "final", 50)
    assert book.final_percent("ann") == 70


def test_final_percent_without_exam(book):
    book.record("ann", "hw1", 8)
    assert book.final_percent("ann") == 80


def test_report(book):
    read_scores(book, io.StringIO("# x\nann,hw1,10\nann,final,50\n"))
    assert "ann" in write_report(book)
