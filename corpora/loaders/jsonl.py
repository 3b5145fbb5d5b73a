"""Corpora of one JSON object a line: a line that cannot be used is set aside with its number, the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from corpora.bug import SetAside
from corpora.loaders.layout import Layout, file_name


@dataclass(frozen=True, slots=True)
class CorpusLine:
    """One line: its number, the id that its bug has, and what it says."""

    number: int
    id: str
    values: Mapping[str, Any]


def read_rows(path: Path, name: str, texts: Sequence[str], layout: Layout) -> tuple[CorpusLine | SetAside, ...]:
    """The lines in order. ``name`` is the key that tells them apart, ``texts`` are keys whose values must be texts.

    Raises ``TargetError`` where the file cannot be read or no line has these keys.
    """
    try:
        lines = path.read_text("utf-8").split("\n")  # U+2028 and the like may stand in a JSON text
    except (OSError, UnicodeDecodeError) as problem:
        raise TargetError(
            f"The corpus cannot be read: {problem}", where=str(path), remedy=f"To get it: {layout.fetch}"
        ) from problem
    found = tuple(_rows(lines, name, (name, *texts)))
    if not any(isinstance(row, CorpusLine) for row in found):
        said = next((row.reason for row in found if isinstance(row, SetAside)), "it is empty")
        raise layout.refusal(said, path)
    return found


def _rows(lines: Sequence[str], name: str, texts: Sequence[str]) -> Iterator[CorpusLine | SetAside]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        values = _object(line, texts)
        if isinstance(values, str):
            yield SetAside(f"line-{number}", f"Line {number} {values}")
            continue
        row = CorpusLine(number, file_name(values[name]), values)
        if row.id in seen:
            yield SetAside(f"line-{number}", f"Line {number} has the same {name} as line {seen[row.id]}")
            continue
        seen[row.id] = number
        yield row


def _object(line: str, texts: Sequence[str]) -> Mapping[str, Any] | str:
    """The object with these texts in it, or what is wrong with the line."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return f"is not JSON: {problem}"
    if not isinstance(values, dict):
        return "is no JSON object"
    lost = next((key for key in texts if not isinstance(values.get(key), str)), None)
    return f"has no text under {lost!r}" if lost else values
