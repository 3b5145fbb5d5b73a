"""Mined corpora: a folder of ours with what was found, beside a clone or archives that hold all texts.

    source.json     the clone, its origin and licence; of releases the folder of their archives
    commits.jsonl   one line for each candidate that was examined: the commit, the function, and what came of it
    made/           files that a build makes and no commit holds, laid into every tree that lacks them

A tree is the commit (or new release) with one function as it was before; the reference is that file as it became.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from analysis.errors import TargetError
from analysis.facts import Files
from analysis.functions import FunctionSpan, find_function, functions_of
from corpora.bug import Bug, Environment, Oracle, Provenance, SetAside
from corpora.json_lines import JsonRecord
from corpora.loaders.layout import Layout
from corpora.mining.history import MinedChange
from corpora.mining.releases import Releases
from corpora.mining.repository import Repository
from repair.records.json_records import from_plain
from sandbox.workspace import overlay

SOURCE = "source.json"
COMMITS = "commits.jsonl"
MADE = "made"
OPTIONS = ("repository",)
LAYOUT = Layout("a mined corpus", f"a folder with {SOURCE} and {COMMITS}", "repair corpus mine --git REPO --out FOLDER")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a mined corpus comes from.

    ``repository`` is a clone on this machine, which an option can name anew, or the folder of the archives. ``python``
    and ``requirements`` are what the interpreter was and had that tried the candidates.
    """

    repository: str
    project: str
    origin: str = ""
    licence: str = ""
    kind: Literal["git", "releases"] = "git"
    python: str = ""
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExaminedCandidate(JsonRecord):
    """A candidate and what its tests said. ``reason`` says why it is no bug, and is empty for one that is."""

    called = "commit"
    candidate: MinedChange
    failing: tuple[str, ...] = ()
    reason: str = ""


class MinedCorpus:
    """Candidates of one repository as bugs."""

    def __init__(self, name: str, source: Source, examined: tuple[ExaminedCandidate, ...], made: Files = ()) -> None:
        self.name = name
        self._source = source
        self._made = made
        self._examined = {found.candidate.id: found for found in examined}

    def bugs(self) -> Iterator[Bug | SetAside]:
        """What was verified as bugs, the rest set aside, newest first."""
        for id, found in self._examined.items():
            yield SetAside(id, found.reason) if found.reason else self._bug(found)

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The commit's files, and those that a build makes, with the function as it was before."""
        candidate = self._examined[bug.id].candidate
        path, qualname = candidate.fault.path, candidate.fault.qualname
        with self._open() as texts:
            texts.write_tree(candidate.version, root)
            after, before = texts.blob(f"{candidate.version}:{path}"), texts.blob(candidate.before)
        for name, content in self._made:
            if not (root / name).exists():
                overlay(root, name, content)
        overlay(root, path, transplant_function(path, qualname, after, before))

    def oracle(self, bug: Bug) -> Oracle:
        """The file as the commit left it."""
        candidate = self._examined[bug.id].candidate
        with self._open() as texts:
            after = texts.blob(f"{candidate.version}:{candidate.fault.path}")
        return Oracle(reference=((candidate.fault.path, after),))

    def _open(self) -> Repository | Releases:
        place = Path(self._source.repository)
        return Repository(place) if self._source.kind == "git" else Releases(place)

    def _bug(self, found: ExaminedCandidate) -> Bug:
        candidate, source = found.candidate, self._source
        return Bug(
            id=candidate.id,
            failing=found.failing,
            fault=candidate.fault,
            environment=Environment(source.python, source.requirements, tests=() if found.failing else candidate.tests),
            provenance=Provenance(
                project=source.project,
                kind="mined" if source.kind == "git" else "release-pair",
                version=candidate.version,
                date=candidate.date,
                licence=source.licence,
                source=source.origin,
                marks=candidate.marks,
            ),
        )


def open_mined(folder: Path, options: Mapping[str, str]) -> MinedCorpus:
    """The corpus in that folder; the option ``repository`` names the clone where it has moved.

    A line that is broken off is passed over: its commit is examined again by the next mining.
    """
    try:
        source: Source = from_plain(Source, json.loads((folder / SOURCE).read_bytes()), "source")
        examined = read_examined(folder)
        made = made_files(folder / MADE)
    except FileNotFoundError as problem:
        raise LAYOUT.refusal(f"it has no {Path(problem.filename).name}", folder) from problem
    except ValueError as problem:
        raise LAYOUT.refusal(str(problem), folder) from problem
    if options.get("repository"):
        source = replace(source, repository=options["repository"])
    elif source.kind == "releases":
        source = replace(source, repository=str(folder / source.repository))
    if not Path(source.repository).is_dir():
        raise TargetError(
            f"The clone that the corpus was mined from is not at {source.repository}",
            where=str(folder),
            remedy=f"Name it: mined:{folder}?repository=PATH"
            + (f"; it was cloned from {source.origin}" if source.origin else ""),
        )
    return MinedCorpus(f"mined:{folder}", source, examined, made)


def transplant_function(path: str, qualname: str, into: bytes, source: bytes) -> bytes:
    """``into`` with the function's text, decorators included, from ``source``, in its own line endings.

    Raises ``TargetError`` where either file has no such function, both have the same text, or the indentation differs.
    """
    ours, theirs = _function(path, qualname, into), _function(path, qualname, source)
    replaced = into[ours.start : ours.end]
    newline = b"\r\n" if b"\r\n" in replaced else b"\n"
    lines = source[theirs.start : theirs.end].replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    text = newline.join(lines) + (newline if replaced.endswith(b"\n") else b"")
    if text.rstrip() == replaced.rstrip():
        raise TargetError(f"{qualname} is the same in both", where=path)
    if _indentation(text) != _indentation(replaced):
        raise TargetError(f"{qualname} is indented differently in both", where=path)
    return into[: ours.start] + text + into[ours.end :]


def _function(path: str, qualname: str, source: bytes) -> FunctionSpan:
    found = find_function(functions_of(path, source), qualname)
    if found is None:
        raise TargetError(f"There is no function {qualname}", where=path)
    return found


def _indentation(text: bytes) -> bytes:
    return text[: len(text) - len(text.lstrip(b" \t"))]


def read_examined(folder: Path) -> tuple[ExaminedCandidate, ...]:
    """Every whole line; raises ``ValueError`` for one that is whole and wrong."""
    lines = (folder / COMMITS).read_bytes().splitlines(keepends=True)
    return tuple(
        ExaminedCandidate.from_json(json.loads(line)) for line in lines if line.endswith(b"\n") and line.strip()
    )


def made_files(folder: Path) -> Files:
    """All files below the folder, by their paths in it; none where it is missing. Links are passed over."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in found)
