"""Read polynomials from text such as "3x^2 - x + 1/2"."""
import re

from .poly import Poly

_term = re.compile(r"([+-])(\d+(?:/\d+)?)?(?:(x)(?:\^(\d+))?)?")


def read(text):
    text = text.replace(" ", "")
    if not text:
        raise ValueError("empty polynomial")
    if text[0] not in "+-":
        text = "+" + text
    result = Poly()
    pos = 0
    while pos < len(text):
        match = _term.match(text, pos)
        if not match or match.end() == pos + 1:
            raise ValueError(f"cannot read {text[pos:]!r}")
        sign, number, x, power = match.groups()
        degree = int(power) if power else (1 if x else 0)
        term = Poly.monomial(1, degree) * Poly([number or 1])
        result = result - term if sign == "-" else result + term
        pos = match.end()
    return result
