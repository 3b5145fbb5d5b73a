"""Cell references such as ``B7`` and ``$C$3``."""
import re
from typing import NamedTuple

_CELL = re.compile(r"^\$?([A-Za-z]{1,3})\$?([1-9][0-9]*)$")


class RefError(ValueError):
    pass


class Cell(NamedTuple):
    """Column and row, both counted from 1."""
    col: int
    row: int


def column_number(letters: str) -> int:
    """
    >>> column_number("A"), column_number("Z"), column_number("AA")
    (1, 26, 27)
    """
    number = 0
    for ch in letters.upper():
        number = number * 26 + ord(ch) - ord("A") + 1
    return number


def column_letters(number: int) -> str:
    """The reverse of column_number.

    >>> column_letters(28)
    'AB'
    """
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def parse_cell(text: str) -> Cell:
    match = _CELL.match(text.strip())
    if not match:
        raise RefError(f"bad reference: {text!r}")
    return Cell(column_number(match[1]), int(match[2]))


def cell_name(cell: Cell) -> str:
    return f"{column_letters(cell.col)}{cell.row}"
