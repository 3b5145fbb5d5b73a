from .sheet import CellError, Sheet

__all__ = ["CellError", "Sheet"]
