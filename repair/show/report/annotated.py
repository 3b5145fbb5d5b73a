"""Source as a page shows it: each line with a note and a shade, and below it what the notes stand for.

A shade never says anything alone: the number that it shows stands beside it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.mutant_view import MutantView
from analysis.mutation_score import MutantState
from repair.records.run_details import SuspectSource
from repair.show.report.code import Piece, colour_lines

SHADES = 5
"""Steps of a shade; 0 is none."""

AROUND, LEAST_SKIPPED = 2, 4
"""Lines that are shown around one with a note, and how many in a row are worth skipping."""

MOST_MUTANTS = 200
"""Mutants of one text that are listed: those that no test noticed come first."""

_ORDER = (MutantState.SURVIVED, MutantState.NO_COVERAGE, MutantState.TIMEOUT, MutantState.KILLED, MutantState.INVALID)
WORDS = {
    MutantState.SURVIVED: "no test notices",
    MutantState.NO_COVERAGE: "no test runs it",
    MutantState.TIMEOUT: "did not end",
    MutantState.KILLED: "killed",
    MutantState.INVALID: "no program",
}
"""What is said of a mutant's state."""


@dataclass(frozen=True, slots=True)
class AnnotatedLine:
    """One line: its anchor (``""`` where nothing leads there), its notes from the left, its shade, and its text."""

    anchor: str
    number: int
    notes: tuple[str, ...]
    shade: int
    pieces: tuple[Piece, ...]
    tests: str = ""
    """The letter of the tests that run it."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Lines in a row of which nothing is noted."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A text with notes. ``tests`` has for each letter the tests, and how many more there are."""

    anchor: str
    headings: tuple[str, ...]
    lines: tuple[AnnotatedLine | Skipped, ...]
    left: int = 0
    tests: tuple[tuple[str, tuple[str, ...], int], ...] = ()


@dataclass(frozen=True, slots=True)
class MutantRow:
    """One mutant: the anchor of its line (``""`` where that is not shown), its place, and what became of it."""

    link: str
    view: MutantView
    old: str
    new: str
    word: str
    tone: str


@dataclass(frozen=True, slots=True)
class MutantTable:
    """The mutants of one text, those first that no test noticed; ``left`` are not listed."""

    rows: tuple[MutantRow, ...]
    summary: str
    listing: Listing | None = None
    left: int = 0


def list_suspect(source: SuspectSource, anchor: str) -> Listing:
    """A suspect's text with its suspiciousness line by line, and which tests run each line."""
    pieces = colour_lines([line.text for line in source.lines])
    letters: dict[tuple[str, ...], str] = {}
    runs: dict[str, tuple[tuple[str, ...], int]] = {}
    lines = []
    for line, coloured in zip(source.lines, pieces, strict=True):
        count = line.failing + line.passing
        letter = ""
        if count:
            letter = letters.setdefault((*line.tests, str(count)), _letter(len(letters)))
            runs[letter] = (line.tests, count - len(line.tests))
        notes = (f"{line.suspiciousness:.2f}", str(line.failing), str(line.passing)) if count else ("", "", "")
        lines.append(AnnotatedLine("", line.number, notes, shade_of(line.suspiciousness), coloured, letter))
    noted = [place for place, line in enumerate(lines) if any(line.notes)]
    told = tuple((letter, tests, left) for letter, (tests, left) in runs.items())
    return Listing(anchor, ("suspicious", "fail", "pass"), tuple(_fold(lines, noted)), source.left, told)


def _letter(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def shade_of(share: float) -> int:
    """The step of a number from 0 to 1; anything above 0 has one."""
    return -int(-min(share, 1.0) * SHADES // 1) if share > 0 else 0


def list_mutants(
    mutants: Sequence[MutantView], anchor: str, first_line: int, text: Sequence[str] = (), *, only_open: bool = False
) -> MutantTable:
    """The mutants by line, and the text that they were made of, where it is known, with their numbers in each line.

    With ``only_open`` the text is shown around lines with a mutant that no test notices.
    """
    listing = _listing(mutants, anchor, first_line, text, only_open=only_open) if text else None
    lines = listing.lines if listing is not None else ()
    shown = {line.number for line in lines if isinstance(line, AnnotatedLine)}
    ordered = sorted(mutants, key=lambda each: (_ORDER.index(each.state), each.line, each.column))
    rows = tuple(
        MutantRow(
            f"{anchor}-{each.line}" if each.line in shown else "",
            each,
            *_changed(each),
            WORDS[each.state],
            "bad" if each.state in _ORDER[:2] else "good" if each.state in _ORDER[2:4] else "plain",
        )
        for each in ordered[:MOST_MUTANTS]
    )
    counts = Counter(each.state for each in mutants)
    summary = ", ".join(f"{counts[state]} {WORDS[state]}" for state in _ORDER if counts[state])
    return MutantTable(rows, summary, listing, len(mutants) - len(rows))


def _changed(each: MutantView) -> tuple[str, str]:
    """The old and the new text in one line each; ``nothing`` is said in words by the template."""
    return " ".join(each.old.split()), " ".join(each.new.split())


def _listing(
    mutants: Sequence[MutantView], anchor: str, first_line: int, text: Sequence[str], *, only_open: bool
) -> Listing | None:
    by_line: dict[int, list[MutantView]] = {}
    for each in mutants:
        by_line.setdefault(each.line, []).append(each)
    lines = list(_annotate(by_line, anchor, text, first_line))
    noted = [place for place, line in enumerate(lines) if any(line.notes[only_open:])]
    return Listing(anchor, ("noticed", "not noticed"), tuple(_fold(lines, noted))) if noted else None


def _fold(lines: Sequence[AnnotatedLine], noted: Sequence[int]) -> Iterator[AnnotatedLine | Skipped]:
    """The lines with those at the ``noted`` places and a few around them; of the others, long rows are skipped."""
    near = {place + step for place in (0, *noted) for step in range(-AROUND, AROUND + 1)}
    for kept, row in itertools.groupby(range(len(lines)), key=lambda place: place in near):
        places = list(row)
        if kept or len(places) < LEAST_SKIPPED:
            yield from (lines[place] for place in places)
        else:
            yield Skipped(lines[places[0]].number, lines[places[-1]].number)


def _annotate(
    by_line: Mapping[int, Sequence[MutantView]], anchor: str, text: Sequence[str], first_line: int
) -> Iterator[AnnotatedLine]:
    for number, pieces in enumerate(colour_lines(text), first_line):
        own = [each for each in by_line.get(number, ()) if each.state is not MutantState.INVALID]
        alive = sum(each.state in _ORDER[:2] for each in own)
        notes = (str(len(own) - alive) if own else "", str(alive) if alive else "")
        share = alive / len(own) if own else 0.0
        yield AnnotatedLine(f"{anchor}-{number}", number, notes, shade_of(share), pieces)
