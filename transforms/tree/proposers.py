"""The names of those who propose edits, for who loads nothing else of edits."""

from __future__ import annotations

SEARCHED = ("search", "synthesis")
"""The proposers whose edits the search finds; they only rearrange what the project holds already."""
