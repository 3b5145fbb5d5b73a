from argline.options import Option, UsageError
from argline.parser import Parser

__all__ = ["Option", "Parser", "UsageError"]
