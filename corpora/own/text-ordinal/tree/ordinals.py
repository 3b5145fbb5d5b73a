"""Numbers in words of rank."""

SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number):
    """1st, 2nd, 3rd, 4th, 11th, 21st and so on."""
    if number < 0:
        return "-" + ordinal(-number)
    if 10 <= number <= 20:
        return f"{number}th"
    return f"{number}{SUFFIXES.get(number % 10, 'th')}"


def placing(names):
    """Lines of a ranking."""
    return [f"{ordinal(place)} {name}" for place, name in enumerate(names, 1)]
