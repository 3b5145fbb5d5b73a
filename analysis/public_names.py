"""The public functions and classes of a whole project, as far as its files tell.

A name is public where a public module defines it so (see ``api``). It is public too where a public module hands on what
a private one defines. A package's ``__init__`` hands on by importing, any other module by listing in ``__all__``. A
module is private where it or a package around it begins with an underscore.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from analysis.api import Definition, listed_names, public_definitions
from analysis.function_text import FunctionNode, first_line_of, last_name, statements
from analysis.result_forms import results_of
from analysis.statement_lines import FileStatements, Span, statement_spans

SOURCE_FOLDERS = ("src", "lib", "python")
_LONGEST_ROAD = 10
"""Modules that a name may be handed on through."""


@dataclass(frozen=True, slots=True)
class ProgramFunction:
    """A function or method of the program. ``statements`` are empty where there is nothing of its own to run.

    ``first_line`` is that of its first decorator.
    """

    path: str
    qualname: str
    first_line: int
    line: int
    end_line: int
    statements: tuple[Span, ...]
    public: bool
    is_accessor: bool = False
    """Whether it is a setter or deleter: one name with a getter beside it."""
    results: frozenset[str] = frozenset()
    """The forms of what it returns."""
    called_at_import: bool = False
    """Whether code outside functions calls something of its name, or decorates with it: no test's lines show that."""

    @property
    def owner(self) -> str:
        """The qualified name of the class around it, or ``""``."""
        return self.qualname.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class ProgramClass:
    """A public class."""

    path: str
    qualname: str
    line: int


Trees = Mapping[str, ast.Module]


def parts_below_sources(path: str) -> list[str]:
    """Folders and name of a file, from the project's root or a folder of sources."""
    parts = path.split("/")
    return parts[1:] if parts[0] in SOURCE_FOLDERS and len(parts) > 1 else parts


def module_name(path: str) -> str:
    """The dotted name that a file is imported by, from the project's root or a folder of sources."""
    parts = parts_below_sources(path.removesuffix(".py"))
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def is_private(path: str) -> bool:
    """Whether the module or a package around it begins with an underscore."""
    return any(part.startswith("_") for part in module_name(path).split("."))


def functions_in(
    path: str,
    tree: ast.Module,
    statements: FileStatements,
    exported: Set[str] | None,
    called: Set[str] = frozenset(),
) -> list[ProgramFunction]:
    """All functions and methods of a file that stand in no other function, in source order.

    ``statements`` are those of the file. ``exported`` are the module's names that are public; ``None`` leaves that to
    the module itself. ``called`` are names that are called while the program is imported.
    """
    public = {node for _, node in public_definitions(tree, listed_names(tree) if exported is None else exported)}
    return [
        ProgramFunction(
            path,
            qualname,
            first_line_of(node),
            node.lineno,
            node.end_lineno or node.lineno,
            statement_spans(node, statements),
            node in public,
            any(isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter") for d in node.decorator_list),
            results_of(node),
            node.name in called,
        )
        for qualname, node in _definitions(tree, "")
    ]


def classes_in(path: str, tree: ast.Module, exported: Set[str] | None) -> list[ProgramClass]:
    """The public classes of a file, in source order."""
    listed = listed_names(tree) if exported is None else exported
    return [
        ProgramClass(path, qualname, node.lineno)
        for qualname, node in public_definitions(tree, listed)
        if isinstance(node, ast.ClassDef)
    ]


def exported_names(trees: Trees) -> dict[str, frozenset[str] | None]:
    """For each file the names that are public in it; ``None`` for a public module, which says that itself."""
    modules = {module_name(path): path for path in trees}
    handed_on: dict[str, set[str]] = {}
    for path in trees:
        if not is_private(path):
            for module, name in _exported_from(path, trees, modules):
                owner = _definer(module, name, trees, modules)
                if owner is not None:
                    handed_on.setdefault(owner[0], set()).add(owner[1])
    return {path: frozenset(handed_on.get(path, ())) if is_private(path) else None for path in trees}


def called_at_import(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The last names of what code outside functions calls or decorates with."""
    found = set()
    for tree in trees:
        waiting: list[ast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Call):
                found.add(last_name(node.func))
            decorators = getattr(node, "decorator_list", [])
            found.update(last_name(decorator) for decorator in decorators)
            inner = decorators if isinstance(node, FunctionNode) else ast.iter_child_nodes(node)
            waiting.extend(n for n in inner if not isinstance(n, ast.Lambda))
    return frozenset(found - {""})


def _definitions(scope: ast.Module | ast.ClassDef, parent: str) -> Iterator[tuple[str, FunctionNode]]:
    for node in statements(scope.body):
        if isinstance(node, FunctionNode):
            yield parent + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{parent}{node.name}.")


def _exported_from(path: str, trees: Trees, modules: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Module and name of each import by which a public module makes a name of another its own."""
    listed = listed_names(trees[path])
    is_package = path.endswith("__init__.py")
    for module, name, bound in _imports(path, trees[path]):
        if name == "*":
            star = trees.get(modules.get(module, ""))
            for each in _star(star) if star is not None else ():
                if listed is None or each in listed:
                    yield module, each
        elif bound in listed if listed is not None else is_package and not bound.startswith("_"):
            yield module, name


def _star(tree: ast.Module) -> Iterable[str]:
    """The names that a star brings in."""
    listed = listed_names(tree)
    if listed is not None:
        return listed
    bound = [n.name for n in statements(tree.body) if isinstance(n, Definition)]
    imported = [b for _, _, b in _imports("", tree)]
    return [name for name in (*bound, *imported) if not name.startswith("_")]


def _imports(path: str, tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Module, name there and name here of each ``from … import``."""
    package = module_name(path).split(".") if path else []
    if package and not path.endswith("__init__.py"):
        package = package[:-1]
    for node in statements(tree.body):
        if isinstance(node, ast.ImportFrom):
            around = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*around, *([node.module] if node.module else [])])
            for alias in node.names:
                yield module, alias.name, alias.asname or alias.name


def _definer(module: str, name: str, trees: Trees, modules: Mapping[str, str]) -> tuple[str, str] | None:
    """The file that defines the name, and what it is called there; ``None`` where the project does not tell."""
    for _ in range(_LONGEST_ROAD):
        path = modules.get(module)
        if path is None:
            return None
        tree = trees[path]
        if any(isinstance(n, Definition) and n.name == name for n in statements(tree.body)):
            return path, name
        following = next(((m, n) for m, n, bound in _imports(path, tree) if bound == name), None)
        if following is None:
            stars = [m for m, n, _ in _imports(path, tree) if n == "*" and m in modules]
            following = next(((m, name) for m in stars if name in set(_star(trees[modules[m]]))), None)
        if following is None:
            return None
        module, name = following
    return None
