"""Arithmetic as tokens."""

SIGNS = "+-*/()"


class TokenError(ValueError):
    """A character that belongs to no token."""


def number_at(text, place):
    """The digits from that place on, with at most one point."""
    end = place
    while end < len(text) and (text[end].isdigit() or (text[end] == "." and "." not in text[place:end])):
        end += 1
    return text[place:end]


def tokens(text):
    """Numbers and signs, from left to right."""
    place = 0
    found = []
    while place < len(text):
        letter = text[place]
        if letter.isspace():
            continue
        elif letter in SIGNS:
            found.append(letter)
            place += 1
        elif letter.isdigit() or letter == ".":
            digits = number_at(text, place)
            found.append(float(digits))
            place += len(digits)
        else:
            raise TokenError(f"{letter!r} at {place}")
    return found
