"""Keeps the copy and the original project apart."""

from __future__ import annotations

import os
import sys

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

OURS = os.path.dirname(os.path.dirname(os.path.realpath(__file__))) + os.sep
"""The folder of the probe's own files."""


def is_within(path: str, folder: str) -> bool:
    """Whether the path lies in the folder or is the folder."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def is_installed(path: str, original: str) -> bool:
    """Whether the path belongs to an environment (which may lie inside the project) and not to the project."""
    packages = "site-packages" in path or "dist-packages" in path
    library = is_within(path, os.path.dirname(os.__file__))
    return packages or library or (is_within(path, sys.prefix) and is_within(sys.prefix, original))


def redirect(original: str, copy: str) -> None:
    """Point editable installs of the original project at the copy: plain path entries and setuptools' finders."""

    def moved(path: Any) -> Any:
        if not isinstance(path, str) or not path:
            return path
        real = os.path.realpath(path)
        if not is_within(real, original) or is_within(real, copy) or is_installed(path, original):
            return path
        return copy if real == original else os.path.join(copy, os.path.relpath(real, original))

    sys.path[:] = [moved(entry) for entry in sys.path]
    for name, module in list(sys.modules.items()):
        if name.startswith("__editable___") and name.endswith("_finder"):
            _redirect_finder(module, moved)


def _redirect_finder(finder: ModuleType, moved: Callable[[Any], Any]) -> None:
    mapping = getattr(finder, "MAPPING", None)
    if isinstance(mapping, dict):
        for package, path in list(mapping.items()):
            mapping[package] = moved(path)
    namespaces = getattr(finder, "NAMESPACES", None)
    if isinstance(namespaces, dict):
        for package, paths in list(namespaces.items()):
            namespaces[package] = [moved(path) for path in paths]


def leaked_modules(original: str, copy: str) -> list[str]:
    """Names of loaded modules that came from the original project instead of the copy."""
    found = []
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and _is_original(path, original, copy):
            found.append("%s (%s)" % (name, path))
    return found[:20]


def _is_original(path: str, original: str, copy: str) -> bool:
    real = os.path.realpath(path)
    return is_within(real, original) and not is_within(real, copy) and not is_installed(path, original)


def is_own(path: str, root: str, original: str) -> bool:
    """Whether a module's file is the project's, in the copy or where it was copied from."""
    real = os.path.realpath(path)
    return (is_within(real, root) and "site-packages" not in real) or (
        is_within(real, original) and not is_installed(real, original)
    )
