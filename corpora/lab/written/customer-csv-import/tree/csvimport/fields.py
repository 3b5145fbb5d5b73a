"""Description of the columns of an import file."""
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Callable, Optional


def parse_int(text):
    try:
        return int(text.replace(" ", ""))
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number") from None


def parse_decimal(text):
    """Accepts 1234.50 and the European 1.234,50."""
    cleaned = text.replace(" ", "")
    if "," in cleaned:
        cleaned = cleaned.replace(".", "").replace(",", ".")
    try:
        return Decimal(cleaned)
    except InvalidOperation:
        raise ValueError(f"{text!r} is not an amount") from None


def parse_date(text) -> date:
    for fmt in ("%Y-%m-%d", "%d.%m.%Y"):
        try:
            return datetime.strptime(text, fmt).date()
        except ValueError:
            continue
    raise ValueError(f"{text!r} is not a date")


@dataclass(frozen=True)
class Field:
    """One column.

    ``parse`` turns the text of a cell into the value; a ValueError becomes an
    error of the row.  ``check`` may return a message about a parsed value.
    A ``unique`` value may occur only once among the imported records; empty
    cells are no values and never collide.
    """

    name: str
    parse: Callable[[str], Any] = str
    required: bool = False
    unique: bool = False
    default: Any = None
    check: Optional[Callable[[Any], Optional[str]]] = None
