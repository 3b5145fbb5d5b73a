"""argkit - a small command-line parser."""
from .errors import MissingValue, UnknownOption, UsageError
from .options import Kind, Option
from .parser import Parser

__all__ = ["Kind", "Option", "Parser", "UsageError", "UnknownOption", "MissingValue"]
