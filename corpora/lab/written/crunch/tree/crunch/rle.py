"""Run-length coding of text.

Runs of three or more equal characters become ``<count><char>``; shorter runs
are written out.  Characters that would be misread by the decoder, the ASCII
digits and the backslash, are always escaped with a backslash.

>>> encode("aaaabcc")
'4abcc'
>>> encode("a7")
'a\\\\7'
"""
from itertools import groupby

ESCAPE = "\\"
DIGITS = "0123456789"
MIN_RUN = 3


class DecodeError(ValueError):
    """The coded text is malformed; ``position`` says where."""

    def __init__(self, message, position):
        super().__init__(f"{message} at {position}")
        self.position = position


def _symbol(ch):
    """How one character looks in the coded text."""
    if ch in DIGITS:
        return ESCAPE + ch
    return ch


def encode(text):
    out = []
    for ch, run in groupby(text):
        length = sum(1 for _ in run)
        if length >= MIN_RUN:
            out.append(f"{length}{_symbol(ch)}")
        else:
            out.append(_symbol(ch) * length)
    return "".join(out)


def decode(coded):
    """Inverse of encode(). Raises DecodeError for text encode() cannot have made sense of."""
    out = []
    count = ""
    i = 0
    while i < len(coded):
        ch = coded[i]
        if ch in DIGITS:
            if not count and ch == "0":
                raise DecodeError("count starts with zero", i)
            count += ch
            i += 1
            continue
        if ch == ESCAPE:
            i += 1
            if i >= len(coded):
                raise DecodeError("escape at the end", i - 1)
            ch = coded[i]
        out.append(ch * (int(count) if count else 1))
        count = ""
        i += 1
    if count:
        raise DecodeError("count without a character", len(coded))
    return "".join(out)
