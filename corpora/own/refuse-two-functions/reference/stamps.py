"""Stamps: a checked text of name and number."""


def checksum(text):
    """A digit that notices one wrong letter."""
    return sum(ord(letter) * place for place, letter in enumerate(text, 1)) % 10


def write(name, number):
    """NAME-0042-7: the name in capitals, four digits, the checksum of both."""
    body = f"{name.upper()}-{number:04d}"
    return f"{body}-{checksum(body)}"


def read(stamp):
    """(name, number) of a stamp; the name in small letters."""
    body, _, digit = stamp.rpartition("-")
    if not digit.isdigit() or int(digit) != checksum(body):
        raise ValueError(f"not a stamp: {stamp!r}")
    name, _, number = body.rpartition("-")
    return name.lower(), int(number)
