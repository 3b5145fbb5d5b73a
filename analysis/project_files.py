"""Which files of a project are its program, which a module imports, and under which names it knows what is in them.

A program is neither tests, nor what only builds or documents it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.public_names import SOURCE_FOLDERS, parts_below_sources

ROOTS = ("", *(f"{folder}/" for folder in SOURCE_FOLDERS))
"""Folders of a project below which its packages lie."""


@dataclass(frozen=True, slots=True)
class ImportedName:
    """``name`` stands for ``inner`` of the file at ``path``; without ``inner``, for the whole module."""

    name: str
    path: str
    inner: str


def imported_from_project(path: str, module: ast.Module, paths: Collection[str]) -> tuple[ImportedName, ...]:
    """What the module imports from files among ``paths``, outermost statements first; star imports left out."""
    return tuple(found for node in ast.walk(module) for found in _of_statement(node, path, paths) if found.path != path)


def _of_statement(node: ast.AST, path: str, paths: Collection[str]) -> Iterator[ImportedName]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if file := _file(ROOTS, alias.name, paths):
                yield ImportedName(alias.asname or alias.name, file, "")
    elif isinstance(node, ast.ImportFrom):
        folders, base = ROOTS, node.module or ""
        if node.level:
            parts = path.split("/")[: -node.level]
            folders = ("".join(f"{part}/" for part in parts),)
        for alias in (a for a in node.names if a.name != "*"):
            name = alias.asname or alias.name
            if file := _file(folders, ".".join(filter(None, (base, alias.name))), paths):
                yield ImportedName(name, file, "")
            elif file := _file(folders, base, paths):
                yield ImportedName(name, file, alias.name)


def _file(folders: tuple[str, ...], dotted: str, paths: Collection[str]) -> str:
    """The file of a module, or nothing."""
    inside = dotted.replace(".", "/")
    forms = (f"{inside}.py", f"{inside}/__init__.py") if inside else ("__init__.py",)
    return next((f"{folder}{form}" for folder in folders for form in forms if f"{folder}{form}" in paths), "")


_AUXILIARY_NAMES = """
bench benchmark benchmarks build ci contrib demo demos dist doc docs documentation example examples noxfile.py
release.py sample samples scripts setup.py tasks.py tools utils versioneer.py
"""
AUXILIARY = frozenset(_AUXILIARY_NAMES.split())
"""Folders and files that usually stand beside a program and are none of it, unless tests run them."""


def program_files(paths: Iterable[str], holding: Set[str], run: Set[str]) -> tuple[str, ...]:
    """Those of the project's Python files that are the program.

    ``holding`` are the files that hold tests, ``run`` those of which tests ran a line. At the top of the project (or of
    its folder of sources) a package or module counts where tests run any of it. A package that they do not run counts
    too, unless it is named like what stands beside programs.
    """
    candidates = [p for p in paths if not (p in holding or is_test_path(p) or p.startswith("/"))]
    top = {path: parts_below_sources(path)[0] for path in candidates}
    packages = {top[p] for p in candidates if p.endswith("/__init__.py")}
    counted = {top[p] for p in candidates if p in run} | (packages - AUXILIARY)
    return tuple(p for p in candidates if top[p] in counted)
