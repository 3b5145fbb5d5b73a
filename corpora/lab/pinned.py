"""Source packages by name, version and hash: fetched once and checked.

pip builds a package's metadata even for a plain download, so the pinned hash is handed to it: nothing is run that does
not match.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from corpora.source_package import download_archive


@dataclass(frozen=True, slots=True)
class SourcePackage:
    """One source distribution, named by what it must hash to."""

    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name}-{self.version}"


def fetch(package: SourcePackage, cache: Path) -> Path:
    """Path of the package's archive in the cache, downloaded if it is not there yet.

    Raises ``IndexUnreachableError`` where the index cannot be reached, ``TargetError`` for what is not the pinned file.
    """
    kept = cache / "sources" / f"{package}-{package.sha256[:16]}.tar.gz"
    if kept.is_file() and _sha256(kept) == package.sha256:
        return kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        wanted = Path(scratch, "wanted.txt")
        wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
        archive = download_archive(package.name, ("--requirement", str(wanted)), Path(scratch))
        if archive is None or _sha256(archive) != package.sha256:
            raise TargetError(f"The index holds no source archive of {package} with the pinned hash")
        os.replace(archive, kept)
    return kept


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
