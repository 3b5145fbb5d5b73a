import unittest

from markbook.book import MarkBook
from markbook.report import ranking, report
from markbook.scheme import Category, Scheme


def make_book(*students):
    scheme = Scheme([
        Category("homework", 1, drop_lowest=1),
        Category("exam", 3),
    ])
    book = MarkBook(scheme)
    for student in students:
        book.enrol(student)
    return book


class SchemeTest(unittest.TestCase):
    def test_letters(self):
        scheme = Scheme([])
        self.assertEqual(scheme.letter(90), "A")
        self.assertEqual(scheme.letter(89.9), "B")
        self.assertEqual(scheme.letter(12), "F")
        self.assertEqual(scheme.letter(None), "-")

    def test_drop_lowest(self):
        category = Category("quiz", 1, drop_lowest=1)
        self.assertEqual(category.average([50, 100, 80]), 90)
        self.assertEqual(category.average([50]), 50)

    def test_negative_weight(self):
        with self.assertRaises(ValueError):
            Category("quiz", -1)


class BookTest(unittest.TestCase):
    def test_record_unknown(self):
        book = make_book("kim")
        with self.assertRaises(KeyError):
            book.record("kim", "essay", 10)
        with self.assertRaises(KeyError):
            book.record("lee", "exam", 10)

    def test_percents(self):
        book = make_book("kim")
        book.record("kim", "exam", 15, out_of=20)
        book.record("kim", "exam", None)
        self.assertEqual(book.percents("kim", "exam"), [75])

    def test_total(self):
        book = make_book("kim")
        book.record("kim", "homework", 100)
        book.record("kim", "exam", 80)
        self.assertEqual(book.total("kim"), 85)

    def test_total_without_exam(self):
        book = make_book("kim")
        book.record("kim", "homework", 90)
        self.assertEqual(book.total("kim"), 90)
        self.assertEqual(book.letter("kim"), "A")

    def test_ranking(self):
        book = make_book("kim", "lee", "max", "new")
        for student, points in (("kim", 70), ("lee", 90), ("max", 70)):
            book.record(student, "homework", points)
            book.record(student, "exam", points)
        self.assertEqual(ranking(book)[0], (1, "lee"))

    def test_report(self):
        book = make_book("kim")
        book.record("kim", "homework", 80)
        book.record("kim", "exam", 80)
        self.assertEqual(report(book).splitlines()[0], "kim           80.0 B")


if __name__ == "__main__":
    unittest.main()
