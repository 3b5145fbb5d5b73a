"""Kitchen quantities as exact fractions."""
from fractions import Fraction

GLYPHS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}


def parse_quantity(text: str) -> Fraction:
    """Read "2", "1/2", "1 1/2", "0.5" or "1½".

    >>> parse_quantity("1 1/2")
    Fraction(3, 2)
    """
    total = Fraction(0)
    text = text.strip()
    if not text:
        raise ValueError("empty quantity")
    for glyph, value in GLYPHS.items():
        if glyph in text:
            total += value
            text = text.replace(glyph, " ")
    for part in text.split():
        total += Fraction(part)
    return total


def format_quantity(value: Fraction) -> str:
    """The mixed number a cook would write.

    >>> format_quantity(Fraction(7, 2))
    '3 1/2'
    """
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    if whole == 0:
        return str(rest)
    return f"{whole} {rest}"
