from .errors import ConfError, CycleError, MissingFile, SyntaxProblem
from .loader import Loader, load

__all__ = ["ConfError", "CycleError", "MissingFile", "SyntaxProblem", "Loader", "load"]
