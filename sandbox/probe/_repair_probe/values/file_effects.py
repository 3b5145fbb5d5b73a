"""Small files that a call's arguments name: what a program does to them is part of what it does, and is undone."""

from __future__ import annotations

import os
import pathlib

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _repair_probe.ground.words import Value

    Held = tuple[bytes | None, int]

_MOST_FILES, _MOST_BYTES = 6, 1 << 16


class Written:
    """The files as they are before a call. Links, folders and large files are left out."""

    def __init__(self, args: Sequence[Value], kwargs: dict[str, Value]) -> None:
        self._before: dict[str, Held] = {}
        for value in [*args, *kwargs.values()]:
            path = _path(value)
            if path and len(self._before) < _MOST_FILES:
                self._add(path)

    def changed_text(self) -> str:
        """What the files hold now, as text; empty where they are as they were."""
        now = {path: _read_held(path) for path in self._before}
        if all(now[path][0] == held for path, (held, _) in self._before.items()):
            return ""
        return ", files %s" % picture([_readable_text(held) for held, _ in now.values()])

    def put_back(self) -> None:
        """Make the files what they were before."""
        for path, (held, mode) in self._before.items():
            try:
                if _read_held(path) == (held, mode):
                    continue
                if held is None or not _is_plain(path):  # opening a pipe might never end
                    _remove(path)
                if held is None:
                    continue
                with open(path, "wb") as file:
                    file.write(held)
                os.chmod(path, mode)
            except OSError:
                continue

    def _add(self, path: str) -> None:
        try:
            absent = not os.path.lexists(path)
            if (absent or _is_plain(path)) and os.path.isdir(os.path.dirname(path)):
                held = _read_held(path)
                # What cannot be read is not to be taken for what was not there, and deleted.
                if absent if held[0] is None else len(held[0]) <= _MOST_BYTES:
                    self._before[path] = held
        except (OSError, ValueError):
            return


def _path(value: Value) -> str:
    """The absolute path that the value is, if it is one."""
    if isinstance(value, pathlib.Path) or (type(value) is str and os.sep in value):
        text = str(value)
        return text if os.path.isabs(text) and "\0" not in text else ""
    return ""


def _is_plain(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def _remove(path: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)


def _read_held(path: str) -> Held:
    """Bytes and mode of a file, no more of a large one than shows that it is; ``(None, 0)`` where there is none."""
    if not _is_plain(path):
        return None, 0
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES + 1), os.fstat(file.fileno()).st_mode & 0o7777
    except OSError:
        return None, 0


def _readable_text(held: bytes | None) -> str | bytes | None:
    try:
        return held.decode("utf-8") if held is not None else None
    except UnicodeDecodeError:
        return held
