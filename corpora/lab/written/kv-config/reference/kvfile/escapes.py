r"""Escapes of the format.

Backslash, new line, tab and the characters with a meaning of their own are
written with a backslash in front: ``\\``, ``\n``, ``\t``, ``\=``, ``\#``, ``\;``.
"""

import re

ESCAPES = {
    "\\": "\\",
    "n": "\n",
    "t": "\t",
    "=": "=",
    "#": "#",
    ";": ";",
}
_TO_WRITE = {char: "\\" + letter for letter, char in ESCAPES.items()}
_PAIR = re.compile(r"(?:[^\\=]|\\.)*=")


def escape(text):
    """Make a key or value fit into one line of the file."""
    return "".join(_TO_WRITE.get(char, char) for char in text)


def unescape(text):
    r"""Undo what ``escape`` did.

    People edit these files by hand, so we are patient: a backslash in front
    of any other character (``\d``) and one at the very end are kept as they
    are.
    """
    out = []
    pos = 0
    while pos < len(text):
        pair = text[pos : pos + 2]
        if len(pair) == 2 and pair[0] == "\\" and pair[1] in ESCAPES:
            out.append(ESCAPES[pair[1]])
            pos += 2
        else:
            out.append(text[pos])
            pos += 1
    return "".join(out)


def split_pair(line):
    """Cut at the first "=" without a backslash; (raw key, raw value) or None."""
    match = _PAIR.match(line)
    if match is None:
        return None
    return line[: match.end() - 1].strip(), line[match.end() :].strip()
