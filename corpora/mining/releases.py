"""Two releases of a package: the new one, with one function's text as it stood in the old one.

New tests of the new release that fail then are a bug that the release mended. The archives lie in the corpus' folder,
so that it can be read again without a network.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from analysis.errors import TargetError, UnparseableError, UsageError
from analysis.functions import find_function, functions_of, syntax_tree
from corpora.bench.matching import changed_functions
from corpora.bug import Fault
from corpora.mining.history import MinedChange, holds_tests, is_beside, marks_of
from corpora.source_package import download, unpack

LARGEST = 1 << 20
"""Bytes of one source file that are looked at."""


class Releases:
    """Archives of one package by version. Texts are named ``VERSION:PATH``."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise TargetError("The archives of the releases are gone", where=str(folder), remedy="Mine them again.")
        self._folder = folder

    def __enter__(self) -> Releases:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""

    def write_tree(self, version: str, root: Path) -> None:
        """Unpack a release as ``root``, which must not exist."""
        unpack(self._archive(version), root)

    def blob(self, name: str) -> bytes:
        """The text ``VERSION:PATH``."""
        version, _, path = name.partition(":")
        texts = dict(python_files(self._archive(version), path))
        if path not in texts:
            raise TargetError(f"The release {version} has no such file", where=path)
        return texts[path]

    def _archive(self, version: str) -> Path:
        found = self._folder / f"{version}.tar.gz"
        if not found.is_file():
            raise TargetError(f"The archive of {version} is gone", where=str(found), remedy="Mine the releases again.")
        return found


def fetch_releases(package: str, versions: tuple[str, str], folder: Path) -> None:
    """Have the source archives of both versions in the folder."""
    if versions[0] == versions[1]:
        raise UsageError("Both releases are the same", where=versions[0], remedy="Name an old and a new version.")
    folder.mkdir(parents=True, exist_ok=True)
    for version in versions:
        kept = folder / f"{version}.tar.gz"
        if not kept.is_file():
            download(package, version, kept)


def release_candidates(package: str, old: str, new: str, folder: Path) -> Iterator[MinedChange]:
    """Every function that both releases have with different texts, one candidate each; all test files are run."""
    before = dict(python_files(folder / f"{old}.tar.gz"))
    after = dict(python_files(folder / f"{new}.tar.gz"))
    tests = tuple(sorted(path for path in after if holds_tests(path)))
    if not tests:
        raise TargetError(
            f"{package} {new} ships no tests", where=new, remedy="Mine its repository: repair corpus mine --git."
        )
    for path in sorted(before.keys() & after.keys()):
        if not holds_tests(path) and not is_beside(path) and before[path] != after[path]:
            yield from _in_file(path, before[path], after[path], (package, old, new), tests)


def _in_file(
    path: str, before: bytes, after: bytes, release: tuple[str, str, str], tests: tuple[str, ...]
) -> Iterator[MinedChange]:
    package, old, new = release
    try:
        syntax_tree(after)
        theirs = functions_of(path, before)
        changed = changed_functions(path, before, after)
    except (UnparseableError, SyntaxError, ValueError, RecursionError):
        return  # an old dialect: what this Python cannot parse, the tests cannot run either
    for span in changed:
        name = span.function.qualname
        mine = find_function(theirs, name)
        if mine is not None:
            marks = tuple(marks_of(before[mine.start : mine.end], after[span.start : span.end], before, ""))
            subject = f"{package} {old} to {new}"
            id = f"{new}-{path.removesuffix('.py').replace('/', '.')}-{name}"
            yield MinedChange(id, new, "", subject, Fault(path, name), f"{old}:{path}", tests, marks)


def python_files(archive: Path, only: str = "") -> Iterator[tuple[str, bytes]]:
    """The Python files below the archive's one top folder, by their paths in it; ``only`` names a single one."""
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for member in tar:
                path = "/".join(PurePosixPath(member.name).parts[1:])
                if member.isfile() and path.endswith(".py") and member.size <= LARGEST and only in ("", path):
                    content = tar.extractfile(member)
                    assert content is not None, "a plain file has content"
                    yield path, content.read()
    except (tarfile.TarError, OSError, EOFError) as problem:
        raise TargetError(f"The archive cannot be read: {problem}", where=str(archive)) from problem
