"""Quotes for tours."""

from pricing.rates import BASE, mean_rate


class UnknownZone(ValueError):
    """A tour goes where nobody delivers."""


def quote(zones, weight):
    """What a tour through the zones costs for so many kilograms."""
    unknown = sorted(set(zones) - set(BASE))
    if unknown:
        raise UnknownZone(", ".join(unknown))
    if not zones:
        return 0.0
    return round(mean_rate(tuple(sorted(zones))) * weight / 100, 2)


def cheapest(tours, weight):
    """The name of the cheapest of {name: zones}."""
    return min(tours, key=lambda name: (quote(tours[name], weight), name))
