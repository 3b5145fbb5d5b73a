"""What stands around a function: the enclosing function, and the names of modules that it uses."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Set

from analysis.function_text import FunctionNode, first_line_of, names_in
from analysis.project_files import imported_from_project
from analysis.surroundings import imported_names
from repair.model.facts.matter import Matter, assignment, from_margin

MOST_CONSTANTS, MOST_VALUE, MOST_OTHER_NAMES = 8, 480, 24
"""Constants that are told with their values, characters of one value, and names that are told alone."""


def enclosing_function(matter: Matter) -> str:
    """The function around a nested one, with the nested one left out."""
    outer = next((each for each in reversed(matter.around) if isinstance(each, FunctionNode)), None)
    if outer is None or matter.node is None:
        return ""
    lines = matter.lines_of(matter.plan.function.path)
    first, last = first_line_of(matter.node), matter.node.end_lineno or matter.node.lineno
    head = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    above, below = lines[first_line_of(outer) - 1 : first - 1], lines[last : outer.end_lineno]
    return from_margin([*above, f"{head}… # {matter.node.name}, shown above", *below])


def names_of_module(matter: Matter) -> str:
    """The imports of its module that the function uses, and the constants; of other constants and imports the names."""
    if matter.module is None or matter.node is None:
        return ""
    used = names_in(matter.node) | {name for each in matter.node.decorator_list for name in names_in(each)}
    others = _other_names(matter.module, used | {matter.plan.function.qualname.split(".")[0]})
    also = [f"also bound there: {', '.join(others)}"] if others else []
    return "\n".join([*_imports(matter.module, used), *_constants(matter, used), *also])


def _other_names(module: ast.Module, used: frozenset[str]) -> list[str]:
    """Constants, functions and imports of the module that the function does not use, constants first: names alone."""
    constants, functions, imports = [], [], []
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                constants.append(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                functions.append(name)
            case ast.Import() | ast.ImportFrom():
                imports += [name for name, _ in imported_names(node)]
    found = (name for name in dict.fromkeys([*constants, *functions, *imports]) if name not in used)
    return [name for name in found if not name.startswith("__")][:MOST_OTHER_NAMES]


def _imports(module: ast.Module, used: frozenset[str]) -> list[str]:
    found = []
    for node in module.body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        bound = [name for name, _ in imported_names(node)]
        kept = [alias for alias, name in zip(node.names, bound, strict=True) if name in used]
        if kept and isinstance(node, ast.Import):
            found.append(ast.unparse(ast.Import(kept)))
        elif kept and isinstance(node, ast.ImportFrom):
            found.append(ast.unparse(ast.ImportFrom(node.module, kept, node.level)))
    return found


def _constants(matter: Matter, used: frozenset[str]) -> list[str]:
    """Module-level assignments of names that are used: each value on one line, those that may be secret hidden.

    Those of the project's other modules are told, too, with their files.
    """
    if matter.module is None or matter.node is None:
        return []
    wanted = used - frozenset(dir(builtins))
    found = _assigned(matter.module, wanted)
    for known in imported_from_project(matter.plan.function.path, matter.module, matter.texts):
        tree = matter.tree_of(known.path) if known.name in wanted else None
        if tree is not None:
            names = {known.inner} if known.inner else _taken_of(matter.node, known.name)
            found += [f"{text}  # {known.path}" for text in _assigned(tree, names)]
    return found[:MOST_CONSTANTS]


def _assigned(module: ast.Module, names: Set[str]) -> list[str]:
    found = []
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if name in names:
                found.append(assignment(node, MOST_VALUE))
    return found


def _taken_of(node: FunctionNode, module: str) -> set[str]:
    """The attributes that a function takes of a module that it knows by this name."""
    taken = (each for each in ast.walk(node) if isinstance(each, ast.Attribute))
    return {each.attr for each in taken if isinstance(each.value, ast.Name) and each.value.id == module}
