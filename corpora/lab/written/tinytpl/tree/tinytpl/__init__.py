"""A tiny template language: {{ name }}, {% for x in xs %}, {% if x %}."""
from .render import render

__all__ = ["render"]
