"""A pocket calculator for the command line."""

from .engine import Calculator, evaluate
from .tokens import CalcError, tokenize

__all__ = ["CalcError", "Calculator", "evaluate", "tokenize"]
