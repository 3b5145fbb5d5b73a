from fractions import Fraction

# in teaspoons
_SPOONS = {"tsp": 1, "tbsp": 3, "cup": 48}


def parse_quantity(text):
    """Read '2', '1/2', '1 1/2' or '0.5' as a Fraction."""
    total = Fraction(0)
    parts = text.split()
    if not parts:
        raise ValueError("empty quantity")
    for part in parts:
        total += Fraction(part)
    return total


def format_quantity(amount):
    """Show an amount the way a cook reads it, to the nearest eighth.

    Whole amounts are plain, others have a fraction in lowest terms:
    '2', '1/2', '1 3/4'.  What rounds to nothing is shown as 'a pinch',
    except for an exact zero, which is '0'.
    """
    if amount == 0:
        return "0"
    whole = int(amount)
    part = Fraction(round((Fraction(amount) - whole) * 8), 8)
    if whole and part:
        return f"{whole} {part}"
    if part:
        return str(part)
    return str(whole) if whole else "a pinch"


def convert(amount, unit, target):
    if unit not in _SPOONS or target not in _SPOONS:
        raise KeyError(f"cannot convert {unit} to {target}")
    return Fraction(amount) * _SPOONS[unit] / _SPOONS[target]


def best_unit(amount, unit):
    """The largest spoon measure that gives at least a quarter of itself."""
    if unit not in _SPOONS:
        return amount, unit
    for target in ("cup", "tbsp", "tsp"):
        value = convert(amount, unit, target)
        if value >= Fraction(1, 4):
            return value, target
    return convert(amount, unit, "tsp"), "tsp"
