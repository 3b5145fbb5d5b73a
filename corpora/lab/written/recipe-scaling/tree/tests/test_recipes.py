import unittest
from fractions import Fraction

from recipes.model import Recipe
from recipes.quantity import format_quantity, parse_quantity
from recipes.scaling import missing, scale, shopping_list


def soup():
    return (Recipe("Soup", 4, notes=["serve hot"])
            .add("onion", "2").add("stock", "1 1/2", "l")
            .add("bay leaf", "1", fixed=True).add("salt"))


class QuantityTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_quantity("1½"), Fraction(3, 2))
        self.assertEqual(parse_quantity("0.25"), Fraction(1, 4))

    def test_parse_empty(self):
        with self.assertRaises(ValueError):
            parse_quantity("  ")

    def test_format(self):
        self.assertEqual(format_quantity(Fraction(7, 2)), "3 1/2")
        self.assertEqual(format_quantity(Fraction(3)), "3")
        self.assertEqual(format_quantity(Fraction(1, 3)), "1/3")


class ScaleTest(unittest.TestCase):
    def test_double(self):
        big = scale(soup(), 8)
        self.assertEqual(big.lines(), ["4 onion", "3 l stock", "1 bay leaf", "salt, to taste"])
        self.assertEqual(big.servings, 8)

    def test_half(self):
        self.assertEqual(scale(soup(), 2).find("stock").amount, Fraction(3, 4))

    def test_notes(self):
        self.assertEqual(scale(soup(), 8).notes, ["serve hot", "scaled from 4 servings"])
        self.assertEqual(scale(soup(), 4).notes, ["serve hot"])

    def test_original_is_untouched(self):
        recipe = soup()
        scale(recipe, 8)
        self.assertEqual(recipe.find("onion").amount, 2)
        self.assertEqual(recipe.notes, ["serve hot"])

    def test_bad_servings(self):
        with self.assertRaises(ValueError):
            scale(soup(), 0)


class ShoppingTest(unittest.TestCase):
    def test_sum(self):
        totals = shopping_list([soup(), soup()])
        self.assertEqual(totals[("onion", "")], 4)
        self.assertNotIn(("salt", ""), totals)

    def test_missing(self):
        need = missing(shopping_list([soup()]), {("onion", ""): Fraction(2), ("stock", "l"): Fraction(1)})
        self.assertEqual([i.line() for i in need], ["1 bay leaf", "1/2 l stock"])
