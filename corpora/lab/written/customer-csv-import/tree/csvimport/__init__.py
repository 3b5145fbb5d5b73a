from .fields import Field, parse_date, parse_decimal, parse_int
from .importer import ImportAborted, Importer
from .report import Report, RowError

__all__ = [
    "Field", "ImportAborted", "Importer", "Report", "RowError",
    "parse_date", "parse_decimal", "parse_int",
]
