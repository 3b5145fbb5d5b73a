"""Telephone numbers as people write them."""

import re

NUMBER = re.compile(r"(?P<plus>\+|00)?(?P<digits>[\d\s()/.-]+)")


def normal(text, country="49"):
    """+COUNTRY and digits. A number without country loses its leading nought and gets the given country."""
    found = NUMBER.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"no telephone number: {text!r}")
    digits = re.sub(r"\D", "", found["digits"].replace("(0)", ""))
    if len(digits) < 4:
        raise ValueError(f"too short: {text!r}")
    if found["plus"]:
        return f"+{digits}"
    return f"+{country}{digits.removeprefix('0')}"


def same(one, other, country="49"):
    return normal(one, country) == normal(other, country)
