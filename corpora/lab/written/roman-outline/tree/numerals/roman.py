_STEPS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def to_roman(number):
    """The usual roman numeral of a number from 1 to 3999."""
    if not 1 <= number <= 3999:
        raise ValueError(f"no roman numeral for {number}")
    out = []
    for value, letters in _STEPS:
        count, number = divmod(number, value)
        out.append(letters * count)
    return "".join(out)


def from_roman(text):
    """The value of a roman numeral, in upper or lower case.

    Only the one usual way to write a number is taken; whatever to_roman()
    would never write, such as 'IIII', 'VX' or 'MMMM', raises ValueError.
    """
    letters = text.upper()
    total = 0
    previous = 0
    for letter in reversed(letters):
        if letter not in _VALUES:
            raise ValueError(f"not a roman numeral: {text!r}")
        value = _VALUES[letter]
        if value < previous:
            total -= value
        else:
            total += value
            previous = value
    if not total:
        raise ValueError(f"not a roman numeral: {text!r}")
    return total


def is_roman(text):
    try:
        from_roman(text)
    except ValueError:
        return False
    return True
