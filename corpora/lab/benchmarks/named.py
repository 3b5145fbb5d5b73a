"""Libraries that the user names: `NAME==VERSION:FILE:QUALNAME:TEST`, from the index's source package."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import TargetError
from corpora.lab.benchmarks.work import PLUGINS, Work
from corpora.lab.pinned import SourcePackage
from corpora.source_package import run_pip

FORM = "NAME==VERSION:FILE:QUALNAME:TEST"
_NAMED = re.compile(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.!+_-]+):([^:]+\.py):([^:]+):(.+)")


def parts_of(text: str) -> tuple[str, str, str, str, str]:
    """Name, version, file, function and test. Raises ``ValueError`` for another form."""
    found = _NAMED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not of the form {FORM}")
    name, version, path, qualname, test = found.groups()
    return name, version, path, qualname, test


def named_work(text: str, requirements: Sequence[str] = (), *, build: bool = False) -> Work:
    """The work that the text names; what the index holds now becomes its pinned hash.

    ``requirements`` are what its tests need beside pytest; with ``build`` its extensions are built in the tree.
    """
    name, version, path, qualname, test = parts_of(text)
    package = pin_package(name, version)
    chosen = {requirement.partition("==")[0]: requirement for requirement in (*PLUGINS, *requirements)}
    named = f"{package}:{qualname}"
    return Work(named, package, path, (qualname,), (test,), tuple(chosen.values()), build=build)


def pin_package(name: str, version: str) -> SourcePackage:
    """The source package with the hash that it has now."""
    with tempfile.TemporaryDirectory() as scratch:
        run_pip("download", "--no-deps", "--no-binary", name, "--dest", scratch, f"{name}=={version}")
        archives = sorted(Path(scratch).glob("*.tar.gz"))
        if len(archives) != 1:
            raise TargetError(f"The index holds no source archive of {name} {version}")
        return SourcePackage(name, version, hashlib.sha256(archives[0].read_bytes()).hexdigest())
