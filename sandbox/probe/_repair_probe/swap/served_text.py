"""One file's text served in place of what the disk says, to everything in this process that reads it.

A trial of a fresh import runs on a copy that other trials share, so its text cannot be written there.
Whoever imports, opens or quotes the file gets the new bytes: under whatever path and module name, by
whatever loader that reads files. Bytecode of that file is neither read nor written.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import io
import linecache
import os
import tokenize

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def serve_text(path: str, content: bytes) -> None:
    """From now on the file at that path has this content, as far as this process can see."""
    served = Served(path, content)
    _serve_imports(served)
    opener = _Opener(served, io.open)
    builtins.open = io.open = opener
    tokenize._builtin_open = opener  # type: ignore[attr-defined]  # its own name for ``open``
    if hasattr(io, "open_code"):
        io.open_code = _Opener(served, io.open_code, "rb")  # type: ignore[assignment]  # stands in for it
    # Entries without a time of change are never checked against the disk.
    lines = content.decode(served.encoding, "replace").splitlines(True)
    linecache.cache[path] = (len(content), None, lines, path)


class Served:
    """The file and its bytes; knows the file under its other names."""

    def __init__(self, path: str, content: bytes) -> None:
        self._real, self._base = os.path.realpath(path), os.path.basename(path)
        self._known: dict[str, bool] = {}
        self.content = content
        try:
            self.encoding = tokenize.detect_encoding(io.BytesIO(content).readline)[0]
        except SyntaxError:
            self.encoding = "utf-8"

    def has(self, path: Any) -> bool:
        """Whether the path leads to the file."""
        if isinstance(path, int):
            return False
        try:
            name = os.fspath(path)
            name = os.fsdecode(name)
        except (TypeError, ValueError):
            return False
        if os.path.basename(name) != self._base:
            return False
        name = os.path.abspath(name)
        if name not in self._known:
            self._known[name] = os.path.realpath(name) == self._real
        return self._known[name]


def _serve_imports(served: Served) -> None:
    """Let every loader that reads files see the text, and none a stamp that bytecode could be looked up by."""
    loader = importlib.machinery.SourceFileLoader
    get_data, path_stats = loader.get_data, loader.path_stats

    def read(self: Any, path: str) -> bytes:
        return served.content if served.has(path) else get_data(self, path)

    def stamp(self: Any, path: str) -> Any:
        if served.has(path):
            raise OSError("bytecode of this file is not used")
        return path_stats(self, path)

    loader.get_data, loader.path_stats = read, stamp  # type: ignore[method-assign]  # for every instance


class _Opener:
    """Stands in for ``open``. Not a function, so that a class which keeps it does not make it a method."""

    def __init__(self, served: Served, plain: Callable[..., Any], mode: str = "r") -> None:
        self._served, self._plain, self._mode = served, plain, mode

    def __call__(self, file: Any, *args: Any, **options: Any) -> Any:
        mode = options.get("mode", args[0] if args else self._mode)
        if not self._served.has(file) or not set(str(mode)) <= set("rbtU"):
            return self._plain(file, *args, **options)
        stream = io.BytesIO(self._served.content)
        if "b" in mode:
            return stream
        given = dict(zip(("mode", "buffering", "encoding", "errors", "newline"), (mode, *args[1:])), **options)
        text = io.TextIOWrapper(stream, given.get("encoding"), given.get("errors"), given.get("newline"))
        text.mode = mode  # type: ignore[misc]  # as ``open`` itself does
        return text
