"""Corpora by name: ``LOADER:PATH`` to a corpus."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

from analysis.errors import TargetError, UsageError
from corpora.bug import Corpus
from corpora.loaders.flat import open_flat

LOADERS: tuple[tuple[str, Callable[[Path], Corpus]], ...] = (("flat", open_flat),)
"""Every loader by the word in front of the colon, in the order in which help lists them."""


def open_corpus(name: str) -> Corpus:
    """The corpus of that name; raises ``UsageError`` for an unknown loader, ``TargetError`` for a missing place."""
    loader, colon, path = name.partition(":")
    known = dict(LOADERS)
    if not (colon and path):
        raise UsageError(f"{name!r} names no corpus", remedy=f"Write LOADER:PATH; loaders are {', '.join(known)}.")
    if loader not in known:
        close = difflib.get_close_matches(loader, known, n=1)
        advice = f"Did you mean {close[0]}:{path}?" if close else f"Known are: {', '.join(known)}."
        raise UsageError(f"There is no loader {loader!r}", remedy=advice)
    place = Path(path)
    if not place.exists():
        raise TargetError("There is no such corpus", where=path, remedy="Check the path, or fetch the corpus first.")
    return known[loader](place)
