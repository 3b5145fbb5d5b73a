"""Prices as text and in cents."""

import re

SIGNS = "€$£"
_DIGITS = re.compile(r"[0-9]*")


def parse_price(text):
    """Cents of a price such as ``12.50``; raises for what is no price."""
    if not isinstance(text, str):
        raise TypeError("a price is text")
    cleaned = text.strip().lstrip(SIGNS)
    whole, _, part = cleaned.partition(".")
    if not whole or not whole.isdigit() or not _DIGITS.fullmatch(part):
        raise ValueError(f"no price: {text!r}")
    return int(whole) * 100 + int(part or 0)


def show_price(cents):
    """The price as text."""
    return f"{cents // 100}.{cents % 100:02}"
