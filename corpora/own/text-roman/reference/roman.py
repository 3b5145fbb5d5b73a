"""Roman numerals."""

VALUES = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
PAIRS = {"CM": 900, "CD": 400, "XC": 90, "XL": 40, "IX": 9, "IV": 4}


def to_roman(number):
    """The numeral of 1 to 3999."""
    if not 0 < number < 4000:
        raise ValueError(f"{number} has no numeral")
    steps = sorted({**VALUES, **PAIRS}.items(), key=lambda item: -item[1])
    for sign, value in steps:
        if number == value:
            return sign
        if number > value:
            return sign + to_roman(number - value)
    raise AssertionError("every number is at least one")


def from_roman(text):
    """The number of a numeral; raises for what ``to_roman`` would not write."""
    values = [VALUES.get(letter, 0) for letter in text.upper()]
    total = sum(-v if any(v < w for w in values[n + 1 : n + 2]) else v for n, v in enumerate(values))
    if total < 1 or to_roman(total) != text.upper():
        raise ValueError(f"{text!r} is no numeral")
    return total
