"""The lines that each test ran, kept between runs of one project: of the tests whose files are what they were.

The map is coverage.py's data, a context for each test. Beside it a sealed list names the data by its digest, and each
file that was traced. What is kept says which tests to run first, and decides nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.facts import LineMap, TestId
from analysis.lines import bits_of
from repair.store.atomic import replace_file, sha256
from repair.store.coverage_data import UnreadableData, read_coverage_data, write_line_map
from repair.store.stored_run import Seals

DATA, LIST = "lines.coverage", "lines.json"

MOST_MAP_BYTES = 64 << 20
"""A larger map is not kept: it would take longer to read than tests take to run."""

Digests = Mapping[str, str]
"""SHA-256 of each Python file, by its path below the project's root."""


@dataclass(frozen=True, slots=True)
class LineMaps:
    """The kept map of one project, in ``folder``. ``seals`` are the user's; ``root`` is where the project lies."""

    folder: Path
    seals: Seals
    root: str

    def load(self, digests: Digests) -> LineMap:
        """The lines of the tests whose traced files are unchanged, sorted; nothing where there is no sound map."""
        try:
            values: Any = json.loads((self.folder / LIST).read_bytes())
            known = {str(path): str(said) for path, said in values["digests"].items()}
            seal, data = str(values["seal"]), str(values["data"])
            if not self.seals.holds(seal, *_sealed(data, known)):
                return ()
            if sha256((self.folder / DATA).read_bytes()) != data:
                return ()
            found = read_coverage_data(self.folder / DATA, follow=False)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, UnreadableData):
            return ()
        return only_unchanged(line_map_of(found.files, self.root), known, digests)

    def keep(self, line_map: LineMap, digests: Digests) -> None:
        """Keep the map of what was run just now, and of other tests what was kept and still holds.

        Nothing is kept where the disk refuses, or where the map is too large.
        """
        now = {test for test, _ in line_map}
        kept = tuple(sorted((*line_map, *(each for each in self.load(digests) if each[0] not in now))))
        if map_bytes(kept) > MOST_MAP_BYTES:
            return
        traced = {path for _, files in kept for path, _ in files}
        known = {path: said for path, said in digests.items() if path in traced}
        with contextlib.suppress(OSError):
            (self.folder / LIST).unlink(missing_ok=True)
            write_line_map(self.folder / DATA, self.root, kept)
            data = sha256((self.folder / DATA).read_bytes())
            values = {"seal": self.seals.seal(*_sealed(data, known)), "data": data, "digests": known}
            replace_file(self.folder / LIST, json.dumps(values).encode() + b"\n")


def _sealed(data: str, digests: Digests) -> tuple[bytes, ...]:
    return (b"line map", data.encode(), *(f"{path}\0{said}".encode() for path, said in sorted(digests.items())))


def line_map_of(files: Mapping[str, Mapping[str, Any]], root: str) -> LineMap:
    """The map of what a data file says of files below the root. Each context is a test."""
    tests: dict[TestId, list[tuple[str, Any]]] = {}
    for recorded, contexts in files.items():
        path = os.path.relpath(recorded, root) if os.path.isabs(recorded) else recorded
        if not path.startswith(".."):
            for context, lines in contexts.items():
                tests.setdefault(TestId(context), []).append((path, lines))
    return tuple((test, tuple(sorted(found, key=lambda each: each[0]))) for test, found in sorted(tests.items()))


def only_unchanged(line_map: LineMap, then: Digests, now: Digests) -> LineMap:
    """The map of those tests all of whose files are now what they were then."""
    same = {path for path, said in then.items() if now.get(path) == said}
    return tuple((test, files) for test, files in line_map if all(path in same for path, _ in files))


def map_bytes(line_map: LineMap) -> int:
    """What the map's sets of lines take in a data file."""
    return sum(bits_of(lines).bit_length() // 8 + 1 for _, files in line_map for _, lines in files)
