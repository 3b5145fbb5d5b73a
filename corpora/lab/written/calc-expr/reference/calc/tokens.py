"""Cutting an expression into tokens."""

import re

_NUMBER = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_SINGLE = {"(": "lparen", ")": "rparen", ",": "comma"}
_OPERATORS = "+-*/%^"


class CalcError(ValueError):
    """Something is wrong with the expression."""

    def __init__(self, message, position=None):
        if position is not None:
            message = f"{message} at {position}"
        super().__init__(message)
        self.position = position


def tokenize(text):
    """Return a list of (kind, value) pairs.

    Kinds are "num" (value is a float), "name", "op", "neg", "lparen",
    "rparen" and "comma". A minus sign is "neg" where an operand has to
    follow and there is no left side for it (``-3``, ``2 * -3``), everywhere
    else it is the "op" of a subtraction. White space means nothing.
    """
    tokens = []
    pos = 0
    while pos < len(text):
        char = text[pos]
        if char.isspace():
            pos += 1
            continue
        match = _NUMBER.match(text, pos)
        if match:
            tokens.append(("num", float(match.group())))
            pos = match.end()
            continue
        match = _NAME.match(text, pos)
        if match:
            tokens.append(("name", match.group()))
            pos = match.end()
            continue
        if char == "-" and (
            not tokens or tokens[-1][0] in ("op", "neg", "lparen", "comma")
        ):
            tokens.append(("neg", char))
        elif char in _OPERATORS:
            tokens.append(("op", char))
        elif char in _SINGLE:
            tokens.append((_SINGLE[char], char))
        else:
            raise CalcError(f"unexpected {char!r}", pos)
        pos += 1
    return tokens


def render(tokens):
    """Back to text, normalised; used in error messages and the history."""
    parts = []
    for kind, value in tokens:
        if kind == "num":
            parts.append(f"{value:g}")
        elif kind == "op":
            parts.append(f" {value} ")
        elif kind == "comma":
            parts.append(", ")
        else:
            parts.append(value)
    return "".join(parts)
