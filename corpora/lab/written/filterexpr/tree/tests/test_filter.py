import unittest

from evaluate import select
from parser_ import Parser
from tokens import FilterSyntaxError, read_string, tokenize

PEOPLE = [
    {"name": "Ann", "age": 31, "home": {"city": "Oslo"}},
    {"name": "Bob", "age": 17, "home": {"city": "Rome"}},
    {"name": "O'Neil", "age": 45},
]


def names(text):
    return [p["name"] for p in select(text, PEOPLE)]


class TokenizeTest(unittest.TestCase):
    def kinds(self, text):
        return [(t.kind, t.value) for t in tokenize(text)][:-1]

    def test_operators(self):
        self.assertEqual(self.kinds("a<=1"), [("name", "a"), ("op", "<="), ("number", 1)])

    def test_negative_number(self):
        self.assertEqual(self.kinds("-2.5"), [("number", -2.5)])

    def test_bad_number(self):
        with self.assertRaises(FilterSyntaxError):
            tokenize("1.2.3")

    def test_string(self):
        self.assertEqual(self.kinds("'it' \"is\""), [("string", "it"), ("string", "is")])

    def test_other_quote_inside(self):
        self.assertEqual(read_string('"O\'Neil"', 0), ("O'Neil", 8))

    def test_escaped_quote(self):
        self.assertEqual(read_string(r"'O\'Neil' x", 0), ("O'Neil", 9))

    def test_escaped_backslash(self):
        self.assertEqual(read_string(r"'a\\b'", 0), ("a\\b", 6))

    def test_unterminated(self):
        with self.assertRaises(FilterSyntaxError) as caught:
            tokenize("name == 'Ann")
        self.assertEqual(caught.exception.pos, 8)

    def test_unexpected(self):
        with self.assertRaises(FilterSyntaxError):
            tokenize("a ; b")


class SelectTest(unittest.TestCase):
    def test_compare(self):
        self.assertEqual(names("age >= 18"), ["Ann", "O'Neil"])

    def test_precedence(self):
        self.assertEqual(names("age < 18 or age > 40 and name == 'x'"), ["Bob"])

    def test_not(self):
        self.assertEqual(names("not name in ['Ann', 'Bob']"), ["O'Neil"])

    def test_nested(self):
        self.assertEqual(names("home.city == 'Oslo'"), ["Ann"])

    def test_null(self):
        self.assertEqual(names("home == null"), ["O'Neil"])

    def test_escape(self):
        self.assertEqual(names(r"name == 'O\'Neil'"), ["O'Neil"])

    def test_trailing(self):
        with self.assertRaises(FilterSyntaxError):
            Parser("a == 1 b").parse()


if __name__ == "__main__":
    unittest.main()
