"""Tokenizer for filter expressions such as ``age >= 18 and not name == "Bob"``."""
from typing import NamedTuple


class Token(NamedTuple):
    kind: str
    value: object
    pos: int


class FilterSyntaxError(ValueError):
    def __init__(self, message, pos):
        super().__init__(f"{message} at {pos}")
        self.pos = pos


KEYWORDS = {"and", "or", "not", "in", "true", "false", "null"}
TWO_CHARS = ("<=", ">=", "==", "!=")
ONE_CHAR = "<>()[],"


def tokenize(text):
    tokens = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif text[i:i + 2] in TWO_CHARS:
            tokens.append(Token("op", text[i:i + 2], i))
            i += 2
        elif c in ONE_CHAR:
            tokens.append(Token("op", c, i))
            i += 1
        elif c in "\"'":
            value, i2 = read_string(text, i)
            tokens.append(Token("string", value, i))
            i = i2
        elif c.isdigit() or (c == "-" and text[i + 1:i + 2].isdigit()):
            value, i2 = read_number(text, i)
            tokens.append(Token("number", value, i))
            i = i2
        elif c.isalpha() or c == "_":
            start = i
            while i < len(text) and (text[i].isalnum() or text[i] in "_."):
                i += 1
            word = text[start:i]
            kind = "keyword" if word in KEYWORDS else "name"
            tokens.append(Token(kind, word, start))
        else:
            raise FilterSyntaxError(f"unexpected character {c!r}", i)
    tokens.append(Token("end", None, len(text)))
    return tokens


def read_string(text, start):
    """Read the quoted string that opens at ``start``.

    A backslash takes the next character literally. Returns the value and the
    index after the closing quote; FilterSyntaxError (at the opening quote)
    when the string is not closed.
    """
    quote = text[start]
    out = []
    i = start + 1
    while i < len(text):
        c = text[i]
        if c == "\\":
            i += 1
        elif c == quote:
            return "".join(out), i + 1
        out.append(c)
        i += 1
    raise FilterSyntaxError("unterminated string", start)


def read_number(text, start):
    i = start + 1
    while i < len(text) and (text[i].isdigit() or text[i] == "."):
        i += 1
    raw = text[start:i]
    try:
        return (float(raw) if "." in raw else int(raw)), i
    except ValueError:
        raise FilterSyntaxError(f"bad number {raw!r}", start) from None
