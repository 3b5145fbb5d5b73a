"""Dialling rules of the countries we deal with."""
from collections import namedtuple

Country = namedtuple("Country", "iso code trunk lengths")

COUNTRIES = {
    c.iso: c
    for c in [
        Country("DE", "49", "0", range(6, 12)),
        Country("GB", "44", "0", range(9, 11)),
        Country("US", "1", "1", range(10, 11)),
        Country("IT", "39", "", range(6, 12)),
    ]
}


def by_code(digits):
    """The country whose code the digits start with, or None."""
    for country in COUNTRIES.values():
        if digits.startswith(country.code):
            return country
    return None
