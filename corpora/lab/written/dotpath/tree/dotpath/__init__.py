"""Reach into nested dictionaries and lists with paths such as ``users[0].name``."""
from dotpath.access import delete, exists, get, update
from dotpath.paths import PathError, join, split
from dotpath.walk import flatten, unflatten

__all__ = [
    "PathError", "delete", "exists", "flatten", "get", "join", "split", "unflatten", "update",
]
