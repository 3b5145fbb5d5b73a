"""Which paths a reply may name: below the folder, of plain letters, and the same file on every system.

Each refusal is one clause that a model can act on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from analysis.diagnosis import is_test_path
from repair.model.reply import make_plain

TESTS = "tests"
"""The folder of all tests."""

LONGEST_PATH, DEEPEST = 120, 8
"""Characters of a path, and its folders with the file."""

_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their ending."""

_DRIVE = re.compile(r"[A-Za-z]:|[/\\~]")
_HOOKS = frozenset(("sitecustomize", "usercustomize", "conftest", "setup"))
"""Files that a tool runs by their name alone."""

_RUNNERS = frozenset(("pytest", "_pytest", "pluggy", "iniconfig", "hypothesis", TESTS, "test"))


def refuse_path(path: str, *, is_test: bool) -> str:
    """Why no file of a reply may be written at such a path; empty where it may. A test ``is_test``.

    Examples: ``../a.py`` leaves the folder, ``nul.py`` is a device of Windows, ``json.py`` hides a module of Python.
    """
    shown = make_plain(path, LONGEST_PATH)
    parts = path.split("/")
    if not path:
        return "a file has no path"
    if "->" in path:
        return f"{shown}: links are not made"
    if _DRIVE.match(path):
        return f"{shown}: the path is absolute; it has to begin in the folder"
    if ".." in re.split(r"[/\\]", path):
        return f"{shown}: the path leaves the folder"
    if len(path) > LONGEST_PATH or len(parts) > DEEPEST:
        return f"{shown}: a path has {LONGEST_PATH} characters and {DEEPEST} parts at most"
    device = next((part for part in parts if _DEVICE.fullmatch(part.partition(".")[0].strip())), "")
    if device:
        return f"{shown}: {make_plain(device, 40)} is a reserved name, which Windows keeps for a device"
    if not path.endswith(".py"):
        return f"{shown}: only Python files (.py) are written"
    if not all(map(_PART.fullmatch, (*parts[:-1], parts[-1].removesuffix(".py")))):
        return f"{shown}: names of files and folders are of ASCII letters, digits and underscores"
    return _refuse_place(shown, parts, is_test=is_test)


def _refuse_place(path: str, parts: Sequence[str], *, is_test: bool) -> str:
    """Why a file of plain letters may not lie there."""
    first, name = parts[0].removesuffix(".py"), parts[-1].removesuffix(".py")
    if name.lower() in _HOOKS:
        return f"{path}: {name}.py is a reserved name, which tools run by itself"
    if is_test:
        inside = len(parts) > 1 and parts[0] == TESTS
        return "" if inside else f"{path}: the tests lie in {TESTS}/"
    if first.lower() != TESTS and (first in sys.stdlib_module_names or first.lower() in _RUNNERS):
        return f"{path}: {first} is a reserved name, which would hide a module of Python or of pytest"
    if is_test_path("/".join(parts)):
        return f"{path}: a file of tests has no place in the implementation"
    return ""


def refuse_together(paths: Sequence[str]) -> str:
    """Why files at these paths cannot lie beside each other; empty where they can."""
    seen: dict[str, str] = {}
    for path in paths:
        other = seen.setdefault(path.lower(), path)
        if other is not path:
            same = "stands twice" if other == path else f"and {other} differ in nothing but capitals"
            return f"{path} {same}"
    spelled: dict[str, str] = {}
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts)):
            folder = "/".join(parts[:end])
            other = spelled.setdefault(folder.lower(), folder)
            if other != folder:
                return f"the folders {folder} and {other} differ in nothing but capitals"
            if f"{folder}.py".lower() in seen:
                return f"{folder}.py and the folder {folder} have the same name for an import"
    return ""
