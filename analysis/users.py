"""Which functions of a program use which, as far as names tell without running anything.

A use is a name or an attribute that is read: a call, a decorator, a function that is handed on. It is followed where
the module defines or imports the name. It is followed through ``self`` and ``cls``, too. A method that is called on
another value is followed where one class alone has a method of that name, and no built-in type has. The rest is left
out.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Set

from analysis.api import Definition
from analysis.function_text import FunctionNode, dotted_name, statements
from analysis.project_files import imported_from_project

Place = tuple[str, str]
"""A file and the qualified name of a function in it; ``""`` for the code outside of functions."""

MOST_USERS = 500
"""Functions that are counted as using one, directly or through others."""

_LONGEST_ROAD = 10
"""Modules that a name may be handed on through."""

_BUILT_IN = frozenset(name for kind in (str, bytes, list, dict, set, int, float, object) for name in dir(kind))
"""Methods that any value may have: who calls one need not mean the program's own."""


def find_users(trees: Mapping[str, ast.Module]) -> dict[Place, frozenset[Place]]:
    """Who uses each function or method of the program, itself left out. ``trees`` are those of its files."""
    program = _Program(trees)
    found: dict[Place, set[Place]] = {place: set() for place in program.functions}
    for path, tree in trees.items():
        names = program.names_in(path)
        for user, owner, node in _parts(path, tree):
            for used in program.used_in(node, path, names, owner):
                if used != user:
                    found[used].add(user)
    return {place: frozenset(users) for place, users in found.items()}


def count_users(users: Mapping[Place, Set[Place]], place: Place) -> int:
    """How many functions use it, directly or through others; ``MOST_USERS`` at most."""
    seen = {place}
    waiting = deque([place])
    while waiting and len(seen) <= MOST_USERS:
        for each in users.get(waiting.popleft(), ()):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return min(len(seen) - 1, MOST_USERS)


class _Program:
    """The definitions of all files, and what a name in one of them stands for."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self._trees = trees
        self.functions: set[Place] = set()
        self._bases: dict[Place, list[str]] = {}
        """The bases of each class, as they are written."""
        for path, tree in trees.items():
            for qualname, node in _definitions(tree.body, ""):
                if isinstance(node, ast.ClassDef):
                    self._bases[path, qualname] = [dotted_name(base) for base in node.bases]
                else:
                    self.functions.add((path, qualname))
        self._imported = {
            path: {each.name: (each.path, each.inner) for each in imported_from_project(path, tree, trees)}
            for path, tree in trees.items()
        }
        methods: dict[str, list[Place]] = defaultdict(list)
        for place in sorted(self.functions):
            methods[place[1].rpartition(".")[2]].append(place)
        self._only = {
            name: found[0]
            for name, found in methods.items()
            if len(found) == 1 and "." in found[0][1] and name not in _BUILT_IN
        }
        """Methods whose name is their own."""

    def names_in(self, path: str) -> dict[str, Place]:
        """What the names of a module stand for: a function, a class, or a module (with ``""``)."""
        own = {qualname: (path, qualname) for qualname, _ in _definitions(self._trees[path].body, "")}
        brought = {name: self._follow(*target) for name, target in self._imported[path].items()}
        return {**brought, **{name: place for name, place in own.items() if "." not in name}}

    def used_in(self, node: ast.AST, path: str, names: Mapping[str, Place], owner: str) -> Iterator[Place]:
        """The functions that a part of a module uses; ``owner`` is the class around it."""
        every = list(ast.walk(node))
        called = {id(each.func) for each in every if isinstance(each, ast.Call)}
        for each in every:
            found = None
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                found = self._as_function(names.get(each.id))
            elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load):
                found = self._of_attribute(each, path, names, owner)
                found = found or (self._only.get(each.attr) if id(each) in called else None)
            if found is not None:
                yield found

    def _of_attribute(self, node: ast.Attribute, path: str, names: Mapping[str, Place], owner: str) -> Place | None:
        first, *rest = dotted_name(node).split(".")
        if first in ("self", "cls") and owner:
            return self._method((path, owner), node.attr) if len(rest) == 1 else None
        place = names.get(first)
        for name in rest:
            place = self._within(place, name) if place is not None else None
        return self._as_function(place)

    def _within(self, place: Place, name: str) -> Place | None:
        """What an attribute of a module or a class is."""
        path, inner = place
        if not inner:
            return self._follow(path, name)
        return self._method(place, name) if place in self._bases else None

    def _method(self, owner: Place, name: str, depth: int = 0) -> Place | None:
        """The method of a class, or of the first of its bases that has it."""
        found = (owner[0], f"{owner[1]}.{name}")
        if found in self.functions or depth > _LONGEST_ROAD:
            return found if found in self.functions else None
        for base in self._bases.get(owner, ()):
            above = self._follow(owner[0], base) if base and "." not in base else None
            inherited = self._method(above, name, depth + 1) if above is not None and above in self._bases else None
            if inherited is not None:
                return inherited
        return None

    def _as_function(self, place: Place | None) -> Place | None:
        """The function; of a class that which makes an instance."""
        if place is None or place in self.functions:
            return place
        return self._method(place, "__init__") if place in self._bases else None

    def _follow(self, path: str, name: str) -> Place:
        """Where a name of a module is defined, as far as imports tell."""
        for _ in range(_LONGEST_ROAD):
            if not name or (path, name) in self.functions or (path, name) in self._bases:
                break
            following = self._imported.get(path, {}).get(name)
            if following is None:
                break
            path, name = following
        return path, name


def _definitions(body: Iterable[ast.stmt], parent: str) -> Iterator[tuple[str, Definition]]:
    """Functions and classes that stand in no function, with their qualified names."""
    for node in statements(list(body)):
        if isinstance(node, Definition):
            yield parent + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{parent}{node.name}.")


def _parts(path: str, tree: ast.Module) -> Iterator[tuple[Place, str, ast.AST]]:
    """Each function of a file with the class around it, and what stands outside of functions, piece by piece."""
    waiting: list[tuple[str, ast.AST]] = [("", each) for each in tree.body]
    while waiting:
        owner, node = waiting.pop()
        if isinstance(node, FunctionNode):
            yield (path, f"{owner}.{node.name}" if owner else node.name), owner, node
        elif isinstance(node, ast.ClassDef):
            inside = f"{owner}.{node.name}" if owner else node.name
            waiting += [(inside, each) for each in node.body]
            yield from (((path, ""), "", each) for each in (*node.bases, *node.decorator_list))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            waiting += [(owner, each) for each in ast.iter_child_nodes(node)]
        else:
            yield (path, ""), owner, node
