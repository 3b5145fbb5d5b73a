from typing import NamedTuple


class UnknownUnit(LookupError):
    pass


class Unit(NamedTuple):
    """``base = value * factor + offset``"""
    symbol: str
    kind: str
    factor: float
    offset: float = 0.0


UNITS = {}
ALIASES = {}


def define(symbol, kind, factor, offset=0.0, *aliases):
    UNITS[symbol] = Unit(symbol, kind, factor, offset)
    for alias in aliases:
        ALIASES[alias] = symbol


# base: metre
define("m", "length", 1.0, 0.0, "metre", "meter")
define("km", "length", 1000.0)
define("cm", "length", 0.01)
define("in", "length", 0.0254, 0.0, "inch")
define("ft", "length", 0.3048, 0.0, "foot", "feet")
define("mi", "length", 1609.344, 0.0, "mile")

# base: kilogram
define("kg", "mass", 1.0)
define("g", "mass", 0.001, 0.0, "gram")
define("lb", "mass", 0.45359237, 0.0, "pound")
define("oz", "mass", 0.028349523125, 0.0, "ounce")

# base: kelvin
define("K", "temperature", 1.0, 0.0, "kelvin")
define("C", "temperature", 1.0, 273.15, "celsius")
define("F", "temperature", 5 / 9, 459.67 * 5 / 9, "fahrenheit")

# base: second
define("s", "time", 1.0)
define("min", "time", 60.0)
define("h", "time", 3600.0, 0.0, "hour")


def find(name):
    name = name.strip()
    if name in UNITS:
        return UNITS[name]
    lowered = name.lower()
    for candidate in (lowered, lowered.rstrip("s")):
        if candidate in ALIASES:
            return UNITS[ALIASES[candidate]]
    raise UnknownUnit(name)
