"""Flat folders: the form in which anyone can write a corpus by hand.

One folder a bug::

    corpus.toml        optional: provenance and environment that all bugs share; base
    BASE/              optional, named by base as in base = "__base": files under every tree
    BUG-ID/
      bug.toml         optional: failing, passing, function, description, group, [provenance], [environment]
      tree/            what the engine sees; without it the bug's folder itself, but for what is named here
      reference/       optional, held out: files as the fix leaves them
      alternatives/N/  optional, held out: other fixes that are as good
      held_out/        optional, held out: test files that the engine does not see
      patches/         optional, held out: right/NAME.diff and wrong/NAME.diff, for judging judges

Held out too are two keys of ``bug.toml``: ``held_out_tests`` and ``expected``. The latter has the words of a result
that are right where no patch of one function is.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from analysis.facts import Files
from corpora.bug import Bug, Environment, Fault, Oracle, Provenance, SetAside
from repair.records.json_records import from_plain

SETTINGS = "bug.toml"
SHARED = "corpus.toml"
HELD_OUT = ("reference", "alternatives", "held_out", "patches")
NOT_THE_TREE = (SETTINGS, *HELD_OUT)
ANSWERS = ("held_out_tests", "expected")
KEYS = frozenset(("failing", "passing", "function", "description", "group", "provenance", "environment", *ANSWERS))
LITTER = ("__pycache__", ".pytest_cache", ".repair", ".git")


class FlatCorpus:
    """A folder of bug folders. Reads nothing but the settings until a tree or an answer is asked for."""

    def __init__(self, folder: Path) -> None:
        self.name = f"flat:{folder}"
        self._folder = folder
        self._shared = _settings(folder / SHARED, frozenset({"provenance", "environment", "base"}))
        self._base = _base(folder, self._shared)
        if not self._places():
            raise TargetError(
                "No bug is there",
                where=str(folder),
                remedy="Give each bug a folder of its own with its files and tests.",
            )

    def bugs(self) -> Iterator[Bug | SetAside]:
        """The bugs in the order of their names; a folder with wrong settings is set aside."""
        for place in self._places():
            try:
                yield self._bug(place)
            except TargetError as problem:
                yield SetAside(place.name, str(problem))

    def write_tree(self, bug: Bug, root: Path) -> None:
        """Copy the bug's tree to ``root``, over what all trees share."""
        place = self._folder / bug.id

        def outside(directory: str, names: list[str]) -> list[str]:
            at_top = NOT_THE_TREE if Path(directory) == place else ()
            return [name for name in names if name in (*LITTER, *at_top)]

        for number, tree in enumerate(filter(None, (self._base, _tree(place)))):
            shutil.copytree(tree, root, symlinks=True, ignore=outside, dirs_exist_ok=number > 0)

    def oracle(self, bug: Bug) -> Oracle:
        """What lies in the held-out folders."""
        place = self._folder / bug.id
        others = sorted(path for path in (place / "alternatives").glob("*") if path.is_dir())
        settings = _settings(place / SETTINGS, KEYS)
        return Oracle(
            reference=files_below(place / "reference"),
            alternatives=tuple(files_below(other) for other in others),
            held_out=files_below(place / "held_out"),
            held_out_tests=_strings(settings, "held_out_tests", place.name),
            expected=_strings(settings, "expected", place.name),
        )

    def _places(self) -> list[Path]:
        return sorted(
            path for path in self._folder.iterdir() if path.is_dir() and not path.name.startswith((".", "__"))
        )

    def _bug(self, place: Path) -> Bug:
        settings = _settings(place / SETTINGS, KEYS)
        if not any(path.suffix == ".py" for path in _tree(place).rglob("*.py")):
            raise TargetError(
                "No Python file is there", where=place.name, remedy="Put the buggy file and its tests there."
            )
        project = {"project": self._folder.name, "kind": "handwritten"}
        return Bug(
            id=place.name,
            failing=_strings(settings, "failing", place.name),
            passing=_strings(settings, "passing", place.name) if "passing" in settings else None,
            fault=_fault(settings, place.name),
            provenance=_record(Provenance, project | self._table("provenance", settings), place.name),
            environment=_record(Environment, self._table("environment", settings), place.name),
            description=str(settings.get("description", "")),
            group=str(settings.get("group", "")),
        )

    def _table(self, key: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        return {**self._shared.get(key, {}), **settings.get(key, {})}


def files_below(folder: Path) -> Files:
    """All files below a folder by their path in it; nothing where it is not there."""
    found = (path for path in folder.rglob("*") if path.is_file() and not set(path.parts) & set(LITTER))
    return tuple(sorted((path.relative_to(folder).as_posix(), path.read_bytes()) for path in found))


def _base(folder: Path, shared: Mapping[str, Any]) -> Path | None:
    """The folder under every tree: one of the corpus itself that holds no bug."""
    if "base" not in shared:
        return None
    name = str(shared["base"])
    if Path(name).name != name or not name.startswith("__") or not (folder / name).is_dir():
        raise TargetError(
            f"{name!r} is no folder under all trees",
            where=str(folder / SHARED),
            remedy="Name a folder of the corpus that begins with two underscores.",
        )
    return folder / name


def _tree(place: Path) -> Path:
    return place / "tree" if (place / "tree").is_dir() else place


def _settings(path: Path, known: frozenset[str]) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise TargetError(f"Not valid TOML: {problem}", where=str(path), remedy="Mend the file.") from problem
    unknown = sorted(set(table) - known)
    if unknown:
        raise TargetError(
            f"Unknown key {unknown[0]!r}", where=str(path), remedy=f"Known are: {', '.join(sorted(known))}."
        )
    return table


def _strings(settings: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    try:
        found: tuple[str, ...] = from_plain(tuple[str, ...], settings.get(key, []), key)
    except ValueError as problem:
        raise TargetError(str(problem), where=where, remedy="Write a list of strings.") from problem
    return found


def _fault(settings: Mapping[str, Any], where: str) -> Fault | None:
    if "function" not in settings:
        return None
    path, colon, qualname = str(settings["function"]).rpartition(":")
    if not (path and colon and qualname):
        raise TargetError(f"{settings['function']!r} names no function", where=where, remedy="Write PATH:QUALNAME.")
    return Fault(path, qualname)


def _record(kind: Any, table: Mapping[str, Any], where: str) -> Any:
    try:
        return from_plain(kind, dict(table), where)
    except ValueError as problem:
        raise TargetError(str(problem), remedy="See the layout in `repair corpus --help`.") from problem
