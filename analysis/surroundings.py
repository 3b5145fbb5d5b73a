"""What a function finds around it in its module: imports, bindings, literals."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.function_text import SCOPES, FunctionNode, Unreadable, dotted_name, own_nodes, parse_module
from analysis.literals import Literal, literals_in


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """The names of a module.

    ``imports`` maps names to the dotted names that they stand for. ``bound`` are all names that are bound anywhere in
    the module, ``top`` those that it binds itself. ``classes`` and ``functions`` are code. ``methods`` are the
    functions right in a class that nothing decorates. ``has_star`` says that there may be more.
    """

    imports: tuple[tuple[str, str], ...] = ()
    bound: frozenset[str] = frozenset()
    top: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    literals: frozenset[Literal] = frozenset()
    has_star: bool = False


def surroundings_of(module: str) -> ModuleNames | Unreadable:
    """What the module's text offers to its functions."""
    tree = parse_module(module)
    if isinstance(tree, Unreadable):
        return tree
    nodes = list(ast.walk(tree))
    imports = dict(imported_names(tree))
    for node in nodes:  # a module-level alias, ``_os = os``, is the thing itself
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if node in tree.body and dotted_name(value):
                root, _, rest = dotted_name(value).partition(".")
                if root in imports:
                    imports[name] = ".".join(p for p in (imports[root], rest) if p)
    return ModuleNames(
        tuple(sorted(imports.items())),
        frozenset(_bound_names(nodes)) | set(imports),
        frozenset(_bound_names([tree, *own_nodes(tree, SCOPES)])) | set(imports),
        frozenset(n.name for n in nodes if isinstance(n, ast.ClassDef)),
        frozenset(n.name for n in nodes if isinstance(n, FunctionNode)),
        frozenset(
            part.name
            for node in nodes
            if isinstance(node, ast.ClassDef)
            for part in node.body
            if isinstance(part, FunctionNode) and not part.decorator_list
        ),
        frozenset(literals_in(tree)),
        any(isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names) for n in nodes),
    )


def imported_names(root: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that an import below the root binds, with the dotted name that it stands for."""
    for node in ast.walk(root):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            for alias in node.names:
                dot = "" if base.endswith(".") else "."
                yield alias.asname or alias.name, f"{base}{dot}{alias.name}"


def _bound_names(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
