"""Which Python files of a project are its program: neither tests, nor what only builds or documents it."""

from __future__ import annotations

from collections.abc import Iterable, Set

from analysis.diagnosis import is_test_path
from analysis.public_names import SOURCE_FOLDERS

AUXILIARY = frozenset(
    {
        "bench",
        "benchmark",
        "benchmarks",
        "build",
        "ci",
        "contrib",
        "demo",
        "demos",
        "dist",
        "doc",
        "docs",
        "documentation",
        "example",
        "examples",
        "noxfile.py",
        "release.py",
        "sample",
        "samples",
        "scripts",
        "setup.py",
        "tasks.py",
        "tools",
        "utils",
        "versioneer.py",
    }
)
"""Folders and files that usually stand beside a program and are none of it, unless tests run them."""


def program_files(paths: Iterable[str], holding: Set[str], run: Set[str]) -> tuple[str, ...]:
    """Those of the project's Python files that are the program.

    ``holding`` are the files that hold tests, ``run`` those of which tests ran a line. At the top of the project (or of
    its folder of sources) a package or module counts where tests run any of it. A package that they do not run counts
    too, unless it is named like what stands beside programs.
    """
    candidates = [p for p in paths if not (p in holding or is_test_path(p) or p.startswith("/"))]
    packages = {_top(p) for p in candidates if p.endswith("/__init__.py")}
    tops = {_top(p) for p in candidates if p in run}
    tops |= {top for top in packages if top not in AUXILIARY}
    return tuple(p for p in candidates if _top(p) in tops)


def _top(path: str) -> str:
    parts = path.split("/")
    if parts[0] in SOURCE_FOLDERS and len(parts) > 1:
        return parts[1]
    return parts[0]
