"""The lines that each test ran, known from earlier runs or from the project's own coverage data.

They say which tests a change can touch, so that these are run first. They decide nothing: what they may be wrong about,
runs find out. What was kept of earlier runs is coverage.py's data, a context for each test. A sealed list has the
digests of the files that were traced. In a file that has another text now a test may run any line.
"""

from __future__ import annotations

import configparser
import contextlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.facts import Files, LineMap, TestId
from analysis.lines import Lines, bits_of
from repair.store.atomic import read_plain, replace_file, sha256
from repair.store.coverage_data import UnreadableData, read_coverage_data, write_line_map
from repair.store.stored_run import Seals

DATA, LIST = "lines.coverage", "lines.json"

MOST_MAP_BYTES = 64 << 20
MOST_SETS = 300_000
"""A map of more bytes, or of more sets of lines, one for each test and file, is not kept: writing takes seconds."""

PROJECT_DATA = ".coverage"
"""The project's own data, where pytest-cov or `coverage run` leaves it unless its settings name another file."""

SETTINGS = ((".coveragerc", "run"), ("setup.cfg", "coverage:run"), ("tox.ini", "coverage:run"))
"""Where coverage.py looks for the name of that file, in its order; ``pyproject.toml`` comes after these."""

MOST_SETTINGS_BYTES = 1 << 20

Texts = Mapping[str, bytes]
"""The text of each Python file, by its path below the project's root."""


@dataclass(frozen=True, slots=True)
class LineMaps:
    """The kept map of one project, in ``folder``. ``seals`` are the user's; ``root`` is where the project lies."""

    folder: Path
    seals: Seals
    root: str

    def load(self, texts: Texts) -> LineMap:
        """The kept lines, sorted, by the texts as they are now; nothing where there is no sound map."""
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
        return _line_map(found.files, self.root, texts, lambda path: known.get(path) == sha256(texts[path]))

    def keep(self, line_map: LineMap, texts: Texts) -> None:
        """Keep the map of what was run just now, and of other tests what was kept.

        Nothing is kept where the disk refuses, or where the map is too large.
        """
        now = {test for test, _ in line_map}
        kept = tuple(sorted((*line_map, *(each for each in self.load(texts) if each[0] not in now))))
        if is_too_large(kept):
            return
        traced = {path for _, files in kept for path, _ in files}
        known = {path: sha256(text) for path, text in texts.items() if path in traced}
        with contextlib.suppress(OSError):  # a later run asks all tests where it could ask a few
            (self.folder / LIST).unlink(missing_ok=True)
            write_line_map(self.folder / DATA, self.root, kept)
            data = sha256((self.folder / DATA).read_bytes())
            values = {"seal": self.seals.seal(*_sealed(data, known)), "data": data, "digests": known}
            replace_file(self.folder / LIST, json.dumps(values).encode() + b"\n")


def known_lines(maps: LineMaps, sources: Files) -> LineMap:
    """The lines that each test ran, as earlier runs and the project's own data tell; the former where both do.

    They are of the texts that the sources have now, or of a whole file whose text is another one.
    """
    texts = dict(sources)
    kept = maps.load(texts)
    known = {test for test, _ in kept}
    return (*kept, *(each for each in read_project_data(maps.root, texts) if each[0] not in known))


def _sealed(data: str, digests: Mapping[str, str]) -> tuple[bytes, ...]:
    return (b"line map", data.encode(), *(f"{path}\0{said}".encode() for path, said in sorted(digests.items())))


def read_project_data(root: str, texts: Texts) -> LineMap:
    """The lines of the project's own coverage data; nothing where it has no contexts, or cannot be read.

    It is the file that the project's settings name, below the root, else ``.coverage``. Such data holds no digests. A
    file counts as unchanged where it was last written before the data was. That can be wrong of one whose time was set
    by hand.
    """
    try:
        found = read_coverage_data(find_project_data(Path(root)), follow=False, most_bytes=MOST_MAP_BYTES)
    except UnreadableData:
        return ()

    def is_older(path: str) -> bool:
        try:
            return os.lstat(Path(root, path)).st_mtime < found.modified
        except OSError:
            return False

    named = _names_of_modules(texts)
    files = {
        recorded: _by_test(contexts, named) for recorded, contexts in found.files.items() if contexts.keys() != {""}
    }
    return _line_map(files, root, texts, is_older)


def find_project_data(root: Path) -> Path:
    """Where the project's own data lie. A name that leads out of ``root``, or asks for a variable, is not heeded."""
    named = next(filter(None, _named_data(root)), PROJECT_DATA)
    try:
        is_inside = not {"$", "\0"} & {*named} and (root / named).parent.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle, a folder's name with a zero byte
        is_inside = False
    return root / (named if is_inside else PROJECT_DATA)


def _named_data(root: Path) -> Iterator[str]:
    """What the first file with settings of coverage.py calls the data; ``""`` where that says nothing."""
    for name, section in SETTINGS:
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        text = _read_settings(root / name)
        with contextlib.suppress(configparser.Error):
            parser.read_string(text)
        if (text and name == ".coveragerc") or any(each.startswith("coverage:") for each in parser.sections()):
            yield parser.get(section, "data_file", fallback="").strip()
            return
    with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):  # beside TOML's own: numbers without end
        found = tomllib.loads(_read_settings(root / "pyproject.toml"))["tool"]["coverage"]["run"]["data_file"]
        yield found if isinstance(found, str) else ""


def _read_settings(path: Path) -> str:
    """The text of a file that somebody else wrote; ``""`` where it is none, or too long to be read."""
    try:
        content = read_plain(path, MOST_SETTINGS_BYTES)
    except OSError:
        return ""
    return (content or b"").decode("utf-8", "replace")


def _by_test(contexts: Mapping[str, Lines], named: Mapping[str, str]) -> dict[str, Lines]:
    """The lines of each test, of all of its phases together."""
    found: dict[str, Lines] = {}
    for context, lines in contexts.items():
        test = _test_of(context, named)
        if test:
            found[test] = Lines.from_bits(found.get(test, Lines()).bits | lines.bits)
    return found


def _test_of(context: str, named: Mapping[str, str]) -> str:
    """The node id that a context means: ``t.py::test_a`` of ``t.py::test_a|run`` and of ``t.test_a``, else nothing."""
    context = re.sub(r"\|(setup|run|teardown)$", "", context)
    if "::" in context:
        return context
    parts = context.split(".")
    for end in range(len(parts) - 1, 0, -1):
        path = named.get(".".join(parts[:end]))
        if path:
            return "::".join((path, *parts[end:]))
    return ""


def _names_of_modules(texts: Texts) -> dict[str, str]:
    """The paths by each dotted name under which their modules may be imported, where that means one of them."""
    found: dict[str, list[str]] = {}
    for path in texts:
        parts = path.removesuffix(".py").split("/")
        for start in range(len(parts)):
            found.setdefault(".".join(parts[start:]), []).append(path)
    return {name: paths[0] for name, paths in found.items() if len(paths) == 1}


def _line_map(
    files: Mapping[str, Mapping[str, Lines]], root: str, texts: Texts, is_unchanged: Callable[[str], bool]
) -> LineMap:
    """The map of what is said of files that are there now. Each context is a test."""
    tests: dict[TestId, list[tuple[str, Lines]]] = {}
    for path, contexts in _below(files, root, texts):
        anywhere = None if is_unchanged(path) else Lines.from_ranges(((1, texts[path].count(b"\n") + 1),))
        for context, lines in contexts.items():
            tests.setdefault(TestId(context), []).append((path, anywhere or lines))
    return tuple((test, tuple(sorted(found, key=lambda each: each[0]))) for test, found in sorted(tests.items()))


def _below(
    files: Mapping[str, Mapping[str, Lines]], root: str, texts: Texts
) -> Iterator[tuple[str, Mapping[str, Lines]]]:
    """The recorded files that the project has, by their paths in it."""
    for recorded, contexts in files.items():
        path = os.path.relpath(recorded, root) if os.path.isabs(recorded) else os.path.normpath(recorded)
        if path in texts:
            yield path, contexts


def is_too_large(line_map: LineMap) -> bool:
    """Whether the map takes too long to be kept."""
    if sum(len(files) for _, files in line_map) > MOST_SETS:
        return True
    return sum(bits_of(lines).bit_length() // 8 + 1 for _, files in line_map for _, lines in files) > MOST_MAP_BYTES
