from .outline import number_lines
from .roman import from_roman, to_roman

__all__ = ["from_roman", "number_lines", "to_roman"]
