"""Layered configuration: defaults, then files, then overrides."""
from .merge import merge
from .settings import Settings

__all__ = ["merge", "Settings"]
