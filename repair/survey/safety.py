"""Which functions no test is grown for: a test calls them with made-up values, on the user's machine, again and again.

A filter, never a boundary: it reads the function, and the functions of the project that this one names. These stand in
its own file, and in those from which it imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from analysis.danger import DangerLevel
from analysis.facts import Files
from analysis.function_text import FunctionNode, Unreadable, names_in, parse_module
from analysis.project_files import ImportedName, imported_from_project
from analysis.reach import reach_of
from analysis.surroundings import ModuleNames, surroundings_of

KEPT_AWAY = frozenset(
    ("files", "network", "process", "threads", "signals", "exit", "environment", "clock", "chance", "pause")
)
"""Kinds of reach with which a made-up call may do harm, or gives another answer each time."""

GRAVE = frozenset(("dynamic", "interpreter", "runner"))
"""Kinds of reach that keep tests away where no fix may use them anew: ``eval``, and not the decoding of a literal."""

MOST_FOLLOWED = 300
"""Functions of the project that are read for one; no test is grown of what leads to more."""

_MAKING = ("__new__", "__init__", "__post_init__")
"""What runs where a class is called."""


def find_far_reach(path: str, sources: Files, qualname: str) -> str:
    """What the function makes use of that keeps tests away, with its line; ``""`` where there is nothing.

    Example: ``line 12 reads or writes files (in save of src/shop/store.py)``.
    """
    program = _Program(dict(sources))
    home = program.module(path)
    if home is None:
        return "its file cannot be read"
    owner, _, own = qualname.rpartition(".")
    asked = (qualname, *(f"{owner}.{each}" for each in _MAKING))  # a test of a method makes its instance
    waiting = [each for name in (own, *_MAKING) for each in home.functions.get(name, ()) if each.name in asked]
    known = {id(each.node) for each in waiting}
    while waiting:
        if len(known) > MOST_FOLLOWED:
            return f"it leads to more than {MOST_FOLLOWED} functions of the project"
        read = waiting.pop()
        if said := _far(read, is_own=read.home is home):
            other = "" if read.home is home else f" of {read.home.path}"
            return said if read.name == qualname and not other else f"{said} (in {read.name}{other})"
        for each in program.called_by(read):
            if id(each.node) not in known:
                known.add(id(each.node))
                waiting.append(each)
    return ""


@dataclass(frozen=True, slots=True)
class _Read:
    """A function that is read, and the file that it stands in."""

    name: str
    node: FunctionNode
    home: _Module


@dataclass(frozen=True, slots=True)
class _Module:
    """A file that is read: its functions by their last names, and what it imports from the project."""

    path: str
    names: ModuleNames
    functions: Mapping[str, tuple[_Read, ...]]
    imported: Mapping[str, tuple[ImportedName, ...]]


@dataclass(frozen=True, slots=True)
class _Program:
    """The project's files, each parsed when it is asked for."""

    sources: Mapping[str, bytes]
    modules: dict[str, _Module | None] = field(default_factory=dict)

    def module(self, path: str) -> _Module | None:
        """The file; ``None`` for one that cannot be read."""
        if path not in self.modules:
            self.modules[path] = _module(path, self.sources[path], self.sources.keys())
        return self.modules[path]

    def called_by(self, read: _Read) -> Iterator[_Read]:
        """The functions that a function names: those of its file, and those of the files that it imports from."""
        names = names_in(read.node)
        called = names | {each.attr for each in ast.walk(read.node) if isinstance(each, ast.Attribute)}
        for name in sorted(called):
            yield from read.home.functions.get(name, ())
        for name in sorted(names & read.home.imported.keys()):
            for each in read.home.imported[name]:
                yield from self._reached(each, called, set())

    def _reached(self, imported: ImportedName, called: Set[str], known: set[ImportedName]) -> Iterator[_Read]:
        """What is called of an imported name: the function itself, and what is named of its file besides."""
        module = self.module(imported.path)
        if module is None or imported in known:
            return
        known.add(imported)
        for name in sorted({imported.inner or imported.name, *called}):
            yield from module.functions.get(name, ())
            if name not in module.functions or name == imported.inner:
                for each in module.imported.get(name, ()):
                    yield from self._reached(each, called, known)


def _module(path: str, source: bytes, paths: Set[str]) -> _Module | None:
    tree = parse_module(source)
    around = surroundings_of(source.decode("utf-8", "replace"))
    if isinstance(tree, Unreadable) or isinstance(around, Unreadable):
        return None
    functions: dict[str, tuple[_Read, ...]] = {}
    imported: dict[str, tuple[ImportedName, ...]] = {}
    module = _Module(path, around, functions, imported)
    for name, node in _functions(tree, ""):
        read = _Read(name, node, module)
        functions[node.name] = (*functions.get(node.name, ()), read)
        if node.name in _MAKING and "." in name:  # a call names the class alone
            owner = name.split(".")[-2]
            functions[owner] = (*functions.get(owner, ()), read)
    for each in imported_from_project(path, tree, paths):
        first = each.name.partition(".")[0]
        imported[first] = (*imported.get(first, ()), each)
    return module


def _far(read: _Read, *, is_own: bool) -> str:
    """What keeps tests away. Other files may look at the environment, as a decorator does that asks for a setting."""
    uses = list(reach_of(read.node, read.home.names))
    changed = {use.line for use in uses if use.id == "patching"}
    for use in uses:
        if use.id == "environment" and not is_own and use.line not in changed:
            continue
        if use.id in KEPT_AWAY or (use.id in GRAVE and use.severity is DangerLevel.REJECT):
            return f"line {use.line} {use.claim}"
    return ""


def _functions(tree: ast.Module | ast.ClassDef, around: str) -> Iterator[tuple[str, FunctionNode]]:
    for node in tree.body:
        if isinstance(node, FunctionNode):
            yield f"{around}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{around}{node.name}.")
