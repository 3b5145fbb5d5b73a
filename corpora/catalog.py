"""Corpora by name: ``LOADER:PATH`` or ``LOADER:PATH?KEY=VALUE&KEY=VALUE`` to a corpus."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError, UsageError
from corpora.bug import Corpus
from corpora.loaders import bugsinpy, humaneval, mined, quixbugs, refactory, swebench
from corpora.loaders.bugsinpy import open_bugsinpy
from corpora.loaders.flat import open_flat
from corpora.loaders.humaneval import open_humaneval
from corpora.loaders.layout import Layout
from corpora.loaders.mined import open_mined
from corpora.loaders.quixbugs import open_quixbugs
from corpora.loaders.refactory import open_refactory
from corpora.loaders.swebench import open_swebench

FLAT = Layout("a flat corpus", "a folder with one folder for each bug", "write it by hand")


@dataclass(frozen=True, slots=True)
class Loader:
    """One form of a corpus: the word in front of the colon, what its place looks like, which options it takes."""

    word: str
    open: Callable[[Path, Mapping[str, str]], Corpus]
    layout: Layout
    options: tuple[str, ...] = ()


def _plain_opener(opener: Callable[[Path], Corpus]) -> Callable[[Path, Mapping[str, str]], Corpus]:
    return lambda path, _: opener(path)


def _open_mined(path: Path, options: Mapping[str, str]) -> Corpus:
    return open_mined(path, options.get("repository", ""))


LOADERS = (
    Loader("flat", _plain_opener(open_flat), FLAT),
    Loader("quixbugs", _plain_opener(open_quixbugs), quixbugs.LAYOUT),
    Loader("humaneval", _plain_opener(open_humaneval), humaneval.LAYOUT),
    Loader("refactory", _plain_opener(open_refactory), refactory.LAYOUT),
    Loader("swebench", open_swebench, swebench.LAYOUT, swebench.OPTIONS),
    Loader("bugsinpy", open_bugsinpy, bugsinpy.LAYOUT, bugsinpy.OPTIONS),
    Loader("mined", _open_mined, mined.LAYOUT, ("repository",)),
)
"""Every loader, in the order in which help lists them."""


@dataclass(frozen=True, slots=True)
class CorpusName:
    """A corpus' name, taken apart."""

    loader: str
    path: Path
    options: tuple[tuple[str, str], ...] = ()


def parse_name(name: str) -> CorpusName:
    """The parts of the name; raises ``UsageError`` where it has none. A ``?`` of the path itself stays there."""
    loader, colon, rest = name.partition(":")
    if not (colon and rest):
        known = ", ".join(found.word for found in LOADERS)
        raise UsageError(f"{name!r} names no corpus", remedy=f"Write LOADER:PATH; loaders are {known}.")
    path, _, query = (rest, "", "") if Path(rest).exists() else rest.partition("?")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    wrong = [key for key, _, value in pairs if not (key and value)]
    if wrong:
        raise UsageError(f"{wrong[0]!r} is no option of a corpus", where=name, remedy="Write KEY=VALUE.")
    return CorpusName(loader, Path(path), tuple((key, value) for key, _, value in pairs))


def open_corpus(name: str) -> Corpus:
    """The corpus of that name; raises ``UsageError`` for an unknown loader, ``TargetError`` for a missing place."""
    parts = parse_name(name)
    loader = _loader(parts)
    unknown = [key for key, _ in parts.options if key not in loader.options]
    if unknown:
        known = ", ".join(loader.options) or "none"
        raise UsageError(f"{loader.word} knows no option {unknown[0]!r}", where=name, remedy=f"Known are: {known}.")
    if not parts.path.exists():
        raise TargetError(
            "There is no such corpus",
            where=str(parts.path),
            remedy=f"Check the path. {loader.layout.name} is {loader.layout.expects}; to get it: {loader.layout.fetch}",
        )
    return loader.open(parts.path, dict(parts.options))


def _loader(parts: CorpusName) -> Loader:
    known = {loader.word: loader for loader in LOADERS}
    if parts.loader not in known:
        close = difflib.get_close_matches(parts.loader, known, n=1)
        advice = f"Did you mean {close[0]}:{parts.path}?" if close else f"Known are: {', '.join(known)}."
        raise UsageError(f"There is no loader {parts.loader!r}", remedy=advice)
    return known[parts.loader]
