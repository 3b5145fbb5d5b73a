from .config import Config
from .reader import ParseError, parse

__all__ = ["Config", "ParseError", "parse"]
