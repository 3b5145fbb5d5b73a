"""Values of arithmetic."""

from calc.tokens import tokens


def value(text):
    """What sums and products of numbers come to, without brackets."""
    parts = tokens(text)
    total, product, sign = 0.0, None, 1
    operator = "+"
    for part in parts:
        if not isinstance(part, float):
            operator = part
        elif operator == "*":
            product *= part
        elif operator == "/":
            product /= part
        else:
            total += sign * (product or 0.0)
            sign = -1 if operator == "-" else 1
            product = part
    return total + sign * (product or 0.0)
