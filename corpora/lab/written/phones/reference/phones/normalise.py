"""Bring phone numbers into the form +CCNNNN (E.164)."""
import re

from .countries import COUNTRIES, by_code


class BadNumber(ValueError):
    pass


EXTENSION = re.compile(r"\s*(?:ext\.?|x)\s*(\d+)\s*$", re.I)


def split_extension(text):
    """('030 123', '45') for '030 123 ext. 45'; the extension may be None."""
    m = EXTENSION.search(text)
    if m:
        return text[: m.start()], m.group(1)
    return text, None


def normalise(text, country="DE"):
    """Normalise a number; ``country`` is where national numbers belong to.

    International numbers start with + or 00. The trunk prefix of a country
    (the 0 in 030 ...) is dropped, also in the common but wrong spelling
    +49 (0)30 ...; Italian numbers have none and keep their 0.

    >>> normalise("030 / 1234-567")
    '+49301234567'
    """
    number, _ = split_extension(text)
    number = number.strip()
    if re.search(r"[^\d\s()/.+-]", number) or "+" in number[1:]:
        raise BadNumber(text)
    digits = re.sub(r"\D", "", number)
    if number.startswith("+"):
        home = by_code(digits)
        national = digits[len(home.code):] if home else ""
    elif digits.startswith("00"):
        home = by_code(digits[2:])
        national = digits[2 + len(home.code):] if home else ""
    else:
        home = COUNTRIES[country]
        national = digits
    if home and home.trunk and national.startswith(home.trunk):
        national = national[len(home.trunk):]
    if home is None or len(national) not in home.lengths:
        raise BadNumber(text)
    return "+" + home.code + national
