"""Whether a generated test fits a program, before it is run."""

import pytest
from fakes.generated import SHOP, generated, program

from repair.survey.healing.program_version import subject_of, why_unfit


@pytest.mark.parametrize(
    ("new", "test", "why"),
    [
        (SHOP, "test_total", ""),
        (SHOP.replace("def total", "def add"), "test_total", "there is no shop.total"),
        ("from sums import total\n", "test_total", "shop.py does not say what the test quotes"),
        (SHOP.replace("percent", "rate"), "test_discount_2", "shop.discount takes no percent"),
        (SHOP.replace("price, percent=10", "price, percent, vat"), "test_discount_2", "shop.discount needs vat"),
        (SHOP.replace("(price, percent=10)", "()"), "test_discount", "shop.discount takes fewer arguments"),
        (SHOP.replace("dear", "costly"), "test_cart_dear", "there is no shop.Cart.dear"),
        (SHOP.replace("class Cart", "class Cart(Base)").replace("dear", "costly"), "test_cart_dear", ""),
        (SHOP.replace("empty list", "empty row"), "test_total", "shop.py does not say what the test quotes"),
    ],
)
def test_whether_it_fits(new, test, why):
    file = generated()
    own = next(each for each in file.tests if each.name == test)
    assert why_unfit(own, file, program(shop=new)) == why


def test_words_that_another_function_says_do_not_count():
    new = SHOP.replace("Returns 0 for", "Returns 1 for") + '\n\ndef f(a):\n    """Returns 0 for an empty list."""\n'
    file = generated()
    assert "does not say" in why_unfit(file.tests[0], file, program(shop=new))


def test_what_a_test_is_about():
    file, seen = generated(), program(shop=SHOP)
    subjects = [subject_of(test, file, seen) for test in file.tests]
    assert [each and each[0] for each in subjects] == [
        "shop.total", "shop.discount", "shop.discount", "shop.discount", "shop.Cart.dear",
    ]  # fmt: skip
