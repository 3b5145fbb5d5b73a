"""Parameters and free variables that no test gives: callables that note their calls, and values of the kinds named.

Tests often leave an option at its default. What the function does with it is behaviour all the same. It is passed here
by name, as what its annotation or its default says. Where the body calls or awaits it, it is passed as a callable whose
calls are part of what was observed.

Small files that a call's arguments name: what a program does to them is part of what it does, and is undone.
"""

from __future__ import annotations

import ast
import itertools
import os
import pathlib

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from _repair_probe.ground.words import Value

    Held = tuple[bytes | None, int]


_MOST_CALLS = 100
_MOST_SAMPLES = 4
_SAMPLES: dict[str, tuple[Value, ...]] = {
    "bool": (True, False),
    "int": (1, 0, -1, 7),
    "float": (0.5, 0.0, -1.5),
    "str": ("a", "", "b c"),
    "bytes": (b"a", b""),
    "list": ([], ["a"]),
    "dict": ({}, {"a": 1}),
    "set": (set(), {1}),
    "tuple": ((), (1,)),
}
_ALIASES = {
    "List": "list",
    "Sequence": "list",
    "Iterable": "list",
    "Collection": "list",
    "Dict": "dict",
    "Mapping": "dict",
    "Set": "set",
    "Tuple": "tuple",
}


class Recorder:
    """A callable that notes what it is called with. It gives its first argument back, or nothing."""

    calls: list[str]

    def __init__(self, echoes: bool) -> None:
        self.echoes, self.calls = echoes, []

    def __call__(self, *args: Value, **kwargs: Value) -> Value:
        self._note(args, kwargs)
        return args[0] if self.echoes and args else None

    def _note(self, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
        if len(self.calls) < _MOST_CALLS:
            self.calls.append(picture((args, kwargs) if kwargs else args))


class AwaitedRecorder(Recorder):
    """The same for what is awaited."""

    async def __call__(self, *args: Value, **kwargs: Value) -> Value:
        self._note(args, kwargs)
        return args[0] if self.echoes and args else None


class PassableOptions:
    """What can be passed to one function besides what its tests pass. ``node`` is its tree."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._called, self._awaited = _called_names(node)
        self.attributes = frozenset(part.attr.strip("_") for part in ast.walk(node) if isinstance(part, ast.Attribute))
        self._asked = list(_compared_texts(node))
        arguments = node.args
        self._hints = {a.arg: a.annotation for a in [*arguments.args, *arguments.kwonlyargs] if a.annotation}
        self._names = [a.arg for a in [*arguments.args, *arguments.kwonlyargs]]
        self._before = [a.arg for a in getattr(arguments, "posonlyargs", [])]

    def left_out(self, args: Sequence[Value], kwargs: dict[str, Value]) -> list[str]:
        """Names of the parameters that a call leaves at their defaults."""
        return [
            name for name in (self._before + self._names)[len(args) :] if name in self._names and name not in kwargs
        ]

    def values(self, name: str, default: Value, near: Callable[[Value], Iterable[Value]]) -> list[Value]:
        """Values for a parameter that has this default; ``near`` gives those like a plain one."""
        if name in self._called and (default is None or callable(default)):
            return self.recorders(name)
        found = [] if default is None else [*self._asked_for(name, default), *near(default)]
        return (found or _samples(self._hints.get(name)))[:_MOST_SAMPLES]

    def _asked_for(self, name: str, default: Value) -> list[str]:
        """Other texts that the body holds the parameter against: hardly another one means anything to it."""
        texts = dict.fromkeys(text for asked, text in self._asked if asked == name and text != default)
        return list(texts) if isinstance(default, str) else []

    def recorders(self, name: str) -> list[Recorder]:
        """Callables for a name that the body calls; none for others."""
        if name not in self._called:
            return []
        kind = AwaitedRecorder if name in self._awaited else Recorder
        return [kind(False), kind(True)]


def _compared_texts(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names with the texts that they are compared with."""
    for part in ast.walk(node):
        if isinstance(part, ast.Compare):
            inside = list(ast.walk(part))
            names = [each.id for each in inside if isinstance(each, ast.Name)]
            texts = [each.value for each in inside if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield from itertools.product(names, texts)


def _called_names(node: ast.AST) -> tuple[set[str], set[str]]:
    """Names that the body calls, and those of them whose result it awaits."""
    called: set[str] = set()
    awaited: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            called.add(part.func.id)
        if isinstance(part, ast.Await) and isinstance(part.value, ast.Call) and isinstance(part.value.func, ast.Name):
            awaited.add(part.value.func.id)
    return called, awaited


def _samples(hint: ast.AST | None) -> list[Value]:
    """Values of the plain kinds that an annotation names at its top or as a member of a union."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        try:
            return _samples(ast.parse(hint.value, mode="eval").body)
        except (SyntaxError, ValueError):
            return []
    if isinstance(hint, ast.BinOp):
        return _samples(hint.left) + _samples(hint.right)
    if isinstance(hint, ast.Subscript):
        inside: Any = hint.slice
        if type(inside).__name__ == "Index":  # before Python 3.9
            inside = inside.value
        parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
        if _last_name(hint.value) == "Literal":
            return [part.value for part in parts if isinstance(part, ast.Constant)]
        if _last_name(hint.value) in ("Optional", "Union"):
            return [value for part in parts for value in _samples(part)]
        hint = hint.value
    name = _last_name(hint)
    return list(_SAMPLES.get(_ALIASES.get(name, name), ()))


def _last_name(node: ast.AST | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


_MOST_FILES, _MOST_BYTES = 6, 1 << 16


class Written:
    """The files as they are before a call. Links, folders and large files are left out."""

    def __init__(self, args: Sequence[Value], kwargs: dict[str, Value]) -> None:
        self._before: dict[str, Held] = {}
        for value in [*args, *kwargs.values()]:
            path = _path(value)
            if path and len(self._before) < _MOST_FILES:
                self._add(path)

    @property
    def paths(self) -> list[str]:
        """Which files they are."""
        return [*self._before]

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
