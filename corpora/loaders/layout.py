"""What published corpora share: how one looks on disk, what to say of another, and how a tree is laid out.

Of corpora with one JSON object a line, a line that cannot be used is set aside with its number. The rest goes on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from analysis.facts import Files
from corpora.bug import Fault, SetAside
from sandbox.workspace import overlay
from transforms.patch.foreign_change import split_change


@dataclass(frozen=True, slots=True)
class Layout:
    """How a corpus looks on disk, and the command that gets it where there is a network."""

    name: str
    expects: str
    fetch: str

    def refusal(self, found: str, where: Path) -> TargetError:
        """The error for a place that looks otherwise."""
        return TargetError(
            f"This is not laid out as {self.name}: {found}",
            where=str(where),
            remedy=f"Expected is {self.expects}. To get it: {self.fetch}",
        )


def lay_out(files: Files, root: Path) -> None:
    """Write the files as a new folder; one that is there already is an error."""
    root.mkdir(parents=True)
    for path, content in files:
        overlay(root, path, content)


def single_fault(before: Files, after: Files) -> Fault | None:
    """The one function outside tests that differs, as deep inside others as it stands; ``None`` for none or several."""
    functions = split_change(before, after, lambda path: False).functions
    return Fault(functions[0].function.path, functions[0].function.qualname) if len(functions) == 1 else None


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
        id = re.sub(r"[^A-Za-z0-9._-]+", "-", values[name]).strip("-.") or "bug"  # it has to name a file
        row = CorpusLine(number, id, values)
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
