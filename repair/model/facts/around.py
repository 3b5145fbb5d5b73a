"""What stands around a function: the class with what sets its attributes, the enclosing function, what it uses."""

from __future__ import annotations

import ast
import builtins

from analysis.function_text import FunctionNode, first_line_of, names_in
from analysis.surroundings import imported_names
from repair.model.facts.matter import Matter, clip, first_sentence, from_margin, one_line, shown_value, signature

MOST_METHODS, MOST_CONSTANTS, MOST_OTHER_NAMES, MOST_INIT = 25, 8, 24, 1200
_SETS_UP = ("__init__", "__new__", "__post_init__", "__attrs_post_init__")


def its_class(matter: Matter) -> str:
    """The header of its class with the docstring's line, attributes, ``__init__`` and the heads of other methods."""
    owner = matter.owner
    if owner is None:
        return ""
    path = matter.plan.function.path
    bases = ", ".join(map(ast.unparse, [*owner.bases, *(k.value for k in owner.keywords)]))
    lines = [
        *(f"@{ast.unparse(each)}" for each in owner.decorator_list),
        f"class {owner.name}({bases}):".replace("()", ""),
    ]
    lines += [f'    """{sentence}"""' for sentence in [first_sentence(owner)] if sentence]
    for part in owner.body:
        if isinstance(part, ast.Assign | ast.AnnAssign):
            lines.append(f"    {_assignment(part)}")
    methods = [part for part in owner.body if isinstance(part, FunctionNode) and part is not matter.node]
    setting = [part for part in methods if _sets_up(part)]
    for part in setting:
        shown = clip(matter.source_of(path, part), MOST_INIT)
        lines += [f"    {line}".rstrip() for line in shown.split("\n")]
    rest = [part for part in methods if part not in setting][:MOST_METHODS]
    lines += [f"    {_decorators(part)}{one_line(signature(part), 140)}: ..." for part in rest]
    base = _base_in_module(matter, owner)
    return "\n".join([*lines, *base]) if len(lines) > 1 or base else ""


def _assignment(node: ast.Assign | ast.AnnAssign) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    name = ast.unparse(target)
    annotation = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
    value = f" = {shown_value(name, ast.unparse(node.value))}" if node.value is not None else ""
    return f"{name}{annotation}{value}"


def _decorators(node: FunctionNode) -> str:
    return "".join(
        f"@{ast.unparse(each)} " for each in node.decorator_list if isinstance(each, ast.Name | ast.Attribute)
    )


def _base_in_module(matter: Matter, owner: ast.ClassDef) -> list[str]:
    """The ``__init__`` of the nearest base class in the same module, where the class has none of its own."""
    if matter.module is None or any(_sets_up(part) for part in owner.body):
        return []
    known = {node.name: node for node in matter.module.body if isinstance(node, ast.ClassDef)}
    base = next((known[b.id] for b in owner.bases if isinstance(b, ast.Name) and b.id in known), None)
    found = [part for part in base.body if _sets_up(part)] if base is not None else []
    if base is None or not found:
        return []
    shown = clip(matter.source_of(matter.plan.function.path, found[0]), MOST_INIT)
    return [f"its base {base.name} has:", *(f"    {line}" for line in shown.split("\n"))]


def _sets_up(node: ast.stmt) -> bool:
    return isinstance(node, FunctionNode) and node.name in _SETS_UP


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
    return "\n".join([*_imports(matter.module, used), *_constants(matter.module, used), *also])


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


def _constants(module: ast.Module, used: frozenset[str]) -> list[str]:
    """Module-level assignments of names that are used: each value on one line, those that may be secret hidden."""
    wanted = used - frozenset(dir(builtins))
    found = []
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if name in wanted:
                found.append(_assignment(node))
    return found[:MOST_CONSTANTS]
