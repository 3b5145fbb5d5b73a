"""Bug trees from two releases: the new one, with one function's text as it stood in the old one.

The fix is known but held out: it is written beside the tree, never into it, and only where a caller asks for it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.errors import TargetError
from corpora.lab.pinned import SourcePackage, fetch
from corpora.loaders.mined import transplant_function
from corpora.source_package import unpack
from transforms.patch.diff import as_bytes, unified_diff


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """Which function of the new release gets its text from the old one. ``path`` is relative to the package's top."""

    new: SourcePackage
    old: SourcePackage
    path: str
    qualname: str


@dataclass(frozen=True, slots=True)
class BugTree:
    """A tree with one historical fault, and the upstream fix that is held out of it."""

    root: Path
    pair: ReleasePair
    before: bytes
    after: bytes

    @property
    def fix(self) -> str:
        """The upstream fix as a unified diff against the tree."""
        return unified_diff(self.pair.path, self.before, self.after)


def make_bug_tree(pair: ReleasePair, root: Path, cache: Path) -> BugTree:
    """Unpack the new release as ``root`` and put the old text of the function into it.

    ``root`` must not exist. Raises ``IndexUnreachableError`` where the packages cannot be had. Raises ``TargetError``
    where the pair gives no such tree: no such function, the same text in both, or another indentation.
    """
    new_archive, old_archive = fetch(pair.new, cache), fetch(pair.old, cache)
    unpack(new_archive, root)
    old_root = root.with_name(root.name + ".old")
    unpack(old_archive, old_root)
    try:
        file = root / pair.path
        after = _read(file, pair.new)
        before = with_old_text(pair, after, _read(old_root / pair.path, pair.old))
        file.write_bytes(before)
    finally:
        _remove(old_root)
    return BugTree(root, pair, before, after)


def write_provenance(tree: BugTree) -> Path:
    """Write where the tree comes from beside it, as JSON; gives the path."""
    path = tree.root.with_name(tree.root.name + ".provenance.json")
    path.write_text(json.dumps({"kind": "release_pair", **asdict(tree.pair)}, indent=2) + "\n", encoding="utf-8")
    return path


def write_fix(tree: BugTree, directory: Path) -> Path:
    """Write the held-out fix as ``fix.diff`` into a directory, which may not lie in the tree; gives the path."""
    if directory.resolve().is_relative_to(tree.root.resolve()):
        raise TargetError("The held-out fix may not lie in the tree that is repaired", where=str(directory))
    path = directory / "fix.diff"
    path.write_bytes(as_bytes(tree.fix))
    return path


def with_old_text(pair: ReleasePair, new: bytes, old: bytes) -> bytes:
    """The new file with the function's text, decorators included, taken from the old file, in its own line endings."""
    try:
        return transplant_function(pair.path, pair.qualname, new, old)
    except TargetError as problem:
        raise TargetError(f"{pair.old} into {pair.new}: {problem.found}", where=pair.path) from problem


def _read(file: Path, package: SourcePackage) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise TargetError(f"{package} has no such file", where=str(file)) from problem


def _remove(directory: Path) -> None:
    for path in sorted(directory.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    directory.rmdir()
