"""Corpora by name: ``LOADER:PATH`` or ``LOADER:PATH?KEY=VALUE&KEY=VALUE`` to a corpus."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError, UsageError
from corpora.bug import Corpus
from corpora.loaders import bugsinpy, humaneval, mined, quixbugs, refactory, swebench
from corpora.loaders.flat import FlatCorpus
from corpora.loaders.layout import Layout

FLAT = Layout("a flat corpus", "a folder with one folder for each bug", "write it by hand")


@dataclass(frozen=True, slots=True)
class Loader:
    """One form of a corpus: the word in front of the colon, what its place looks like, which options it takes."""

    word: str
    open: Callable[[Path, Mapping[str, str]], Corpus]
    layout: Layout
    options: tuple[str, ...] = ()


LOADERS = (
    Loader("flat", lambda path, _: FlatCorpus(path), FLAT),
    Loader("quixbugs", lambda path, _: quixbugs.QuixBugs(path), quixbugs.LAYOUT),
    Loader("humaneval", lambda path, _: humaneval.HumanEval(path), humaneval.LAYOUT),
    Loader("refactory", lambda path, _: refactory.Refactory(path), refactory.LAYOUT),
    Loader("swebench", swebench.SweBench, swebench.LAYOUT, swebench.OPTIONS),
    Loader("bugsinpy", bugsinpy.BugsInPy, bugsinpy.LAYOUT, bugsinpy.OPTIONS),
    Loader("mined", mined.open_mined, mined.LAYOUT, mined.OPTIONS),
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
    known = {loader.word: loader for loader in LOADERS}
    if parts.loader not in known:
        close = difflib.get_close_matches(parts.loader, known, n=1)
        advice = f"Did you mean {close[0]}:{parts.path}?" if close else f"Known are: {', '.join(known)}."
        raise UsageError(f"There is no loader {parts.loader!r}", remedy=advice)
    loader = known[parts.loader]
    unknown = [key for key, _ in parts.options if key not in loader.options]
    if unknown:
        options = ", ".join(loader.options) or "none"
        raise UsageError(f"{loader.word} knows no option {unknown[0]!r}", where=name, remedy=f"Known are: {options}.")
    if not parts.path.exists():
        form = loader.layout
        raise TargetError(
            "There is no such corpus",
            where=str(parts.path),
            remedy=f"Check the path. {form.name} is {form.expects}; to get it: {form.fetch}",
        )
    return loader.open(parts.path, dict(parts.options))
