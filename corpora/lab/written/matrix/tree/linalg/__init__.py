from .matrix import Matrix, identity
from .solve import determinant, inverse, rank, solve

__all__ = ["Matrix", "identity", "determinant", "inverse", "rank", "solve"]
