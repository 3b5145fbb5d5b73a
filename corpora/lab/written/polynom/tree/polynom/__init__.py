"""Polynomials in one variable with exact (Fraction) coefficients."""
from .poly import Poly
from .reader import read

__all__ = ["Poly", "read"]
