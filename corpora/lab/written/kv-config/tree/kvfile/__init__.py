from .document import Document, load, save
from .escapes import escape, unescape
from .reader import FormatError, parse

__all__ = ["Document", "FormatError", "escape", "load", "parse", "save", "unescape"]
