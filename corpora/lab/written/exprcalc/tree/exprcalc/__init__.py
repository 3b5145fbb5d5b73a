"""A calculator for small arithmetic expressions."""
from .evaluate import calc

__all__ = ["calc"]
