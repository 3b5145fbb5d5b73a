"""Which files of a project a module imports, and under which names it knows what is in them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from posixpath import dirname

ROOTS = ("", "src/", "lib/", "python/")
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
        folders, base = _base(node, path), node.module or ""
        for alias in (a for a in node.names if a.name != "*"):
            name = alias.asname or alias.name
            if file := _file(folders, ".".join(filter(None, (base, alias.name))), paths):
                yield ImportedName(name, file, "")
            elif file := _file(folders, base, paths):
                yield ImportedName(name, file, alias.name)


def _base(node: ast.ImportFrom, path: str) -> tuple[str, ...]:
    """The folders below which the statement's module lies."""
    if not node.level:
        return ROOTS
    folder = path
    for _ in range(node.level):
        folder = dirname(folder)
    return (f"{folder}/" if folder else "",)


def _file(folders: tuple[str, ...], dotted: str, paths: Collection[str]) -> str:
    """The file of a module, or nothing."""
    inside = dotted.replace(".", "/")
    forms = (f"{inside}.py", f"{inside}/__init__.py") if inside else ("__init__.py",)
    return next((f"{folder}{form}" for folder in folders for form in forms if f"{folder}{form}" in paths), "")
