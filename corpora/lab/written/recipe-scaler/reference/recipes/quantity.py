"""Amounts as people write them in recipes: "2", "0,5", "1 1/2", "1½", "2-3"."""
import re
from fractions import Fraction

GLYPHS = {
    "½": "1/2",
    "⅓": "1/3",
    "⅔": "2/3",
    "¼": "1/4",
    "¾": "3/4",
    "⅛": "1/8",
}

_DECIMAL = re.compile(r"^\d+(?:[.,]\d+)?$")
_FRACTION = re.compile(r"^(\d+)/(\d+)$")


class QuantityError(ValueError):
    """The text is no amount we understand."""


def parse_number(text):
    """A single number, "3", "2.5", "2,5" or "3/4", as a Fraction."""
    if _DECIMAL.match(text):
        return Fraction(text.replace(",", "."))
    match = _FRACTION.match(text)
    if match and int(match.group(2)) != 0:
        return Fraction(int(match.group(1)), int(match.group(2)))
    raise QuantityError(f"not a number: {text!r}")


def parse_quantity(text):
    """Turn the amount of an ingredient into a Fraction.

    Understood are whole numbers, decimals (point or comma), fractions
    ("3/4"), the fraction characters in GLYPHS and mixed numbers, that is a
    whole number followed by a fraction of either kind, with or without a
    space before the character: "1 1/2", "1 ½", "1½".  For a range ("2-3")
    the larger end counts.  Anything else raises QuantityError.
    """
    low, dash, high = text.partition("-")
    if dash:
        return max(parse_quantity(low), parse_quantity(high))
    for glyph, plain in GLYPHS.items():
        text = text.replace(glyph, " " + plain)
    parts = text.split()
    if len(parts) == 1:
        return parse_number(parts[0])
    if len(parts) == 2 and parts[0].isdigit() and "/" in parts[1]:
        return int(parts[0]) + parse_number(parts[1])
    raise QuantityError(f"cannot read the amount {text!r}")


def format_quantity(amount):
    """Write a Fraction the way a cook would: 3/2 becomes "1 1/2"."""
    amount = Fraction(amount)
    whole, rest = divmod(amount.numerator, amount.denominator)
    if rest == 0:
        return str(whole)
    fraction = f"{rest}/{amount.denominator}"
    return f"{whole} {fraction}" if whole else fraction
