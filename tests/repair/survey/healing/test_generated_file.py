"""Files of generated tests, read; those of persons are told from them."""

import ast

import pytest
from fakes.generated import SHOP, TESTS, generated, program

from repair.records.grown import SaidBy
from repair.survey.growing.new_files import marked
from repair.survey.healing.generated_file import is_generated, meaning, read_generated, used_names


def test_who_says_what_each_test_claims():
    found = {test.name: (test.standing, str(test.cited or test.said)) for test in generated().tests}
    assert found == {
        "test_total": (SaidBy.REQUIRED, 'shop.py:7 says "Returns 0 for an empty list."'),
        "test_discount_raises_value_error": (SaidBy.REQUIRED, 'shop.py:18 says "ValueError: If price is negative."'),
        "test_discount": (SaidBy.REQUIRED, 'shop.py:20 says ">>> discount(50) 45"'),
        "test_discount_2": (SaidBy.PINNED, ""),
        "test_cart_dear": (SaidBy.ASKED, 'a person answered "shop.Cart(items=[1, 5]).dear(2) == [5]"'),
    }


def test_a_quote_on_several_lines_and_a_class_of_unittest():
    text = (
        "import unittest\n\nimport shop\n\n\nclass TestGrown(unittest.TestCase):\n    def test_total(self):\n"
        '        # Required: shop.py:7 says "Returns 0\n        # for an empty list."\n'
        "        self.assertEqual(shop.total([]), 0)\n"
    )
    (test,) = generated(text).tests
    assert (test.name, test.cited and test.cited.quote) == ("TestGrown::test_total", "Returns 0 for an empty list.")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (marked(TESTS).replace("== 0", "== 1").encode(), "a person edited it"),
        (marked("def test(: pass\n").encode(), "it cannot be read"),
        (marked("x = 1\n").encode() + b"\xff", "not UTF-8"),
        (marked("x = 1\n").replace("\n", "\r\n").encode(), "a person edited it"),
    ],
)
def test_what_is_no_generated_file(content, why):
    assert is_generated(content)
    assert why in str(read_generated("test_grown.py", content))


def test_a_file_of_a_person_is_none():
    assert not is_generated(TESTS.encode())


def test_what_names_stand_for():
    file, names = generated(), program(shop=SHOP).names
    for text, dotted in [
        ("total", "shop.total"),
        ("Cart(items=[1]).dear", "shop.Cart.dear"),
        ("Cart.dear", "shop.Cart.dear"),
        ("other(1).dear", ""),
        ("1 + 1", ""),
    ]:
        assert meaning(ast.parse(text, mode="eval").body, file, names) == dotted
    used = {name for test in file.tests for name in used_names(test, file, names)}
    assert used == {"shop.total", "shop.discount", "shop.Cart", "shop.Cart.dear"}
