from textcols.layout import columns, shape
from textcols.wrap import wrap

__all__ = ["columns", "shape", "wrap"]
