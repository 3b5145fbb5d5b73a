def to_letters(number):
    """1 is a, 26 is z, 27 is aa ..."""
    if number < 1:
        raise ValueError("letters start at 1")
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(ord("a") + rest) + out
    return out


def ordinal(number):
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
