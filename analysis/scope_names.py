"""What the names in a function stand for: its own, its module's, what either imports, and builtins."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.function_text import FunctionNode, parameters_of
from analysis.surroundings import ModuleNames, imported_names

_FURTHER = {"__debug__", "__builtins__", "__file__", "__name__", "WindowsError", "__class__"}
BUILTINS = frozenset(dir(builtins)) | _FURTHER
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class View:
    """The function's own names over those of its module."""

    function: FunctionNode
    around: ModuleNames
    imports: dict[str, str]
    local: frozenset[str]
    methods: frozenset[ast.AST] = frozenset()
    """The functions that stand in a class of the function."""

    def resolve(self, name: str) -> str:
        """The dotted name that a plain name stands for; ``""`` for a local, ``module.name`` for a module's own."""
        if name in self.imports:
            return self.imports[name]
        if name in self.local:
            return ""
        if name in BUILTINS:
            return f"module.{name}" if name in self.around.top else f"builtins.{name}"
        return f"module.{name}" if name in self.around.bound else ""


def view_of(function: FunctionNode, around: ModuleNames) -> View:
    """The names of a function within its module."""
    own = dict(imported_names(function))
    outer = {n for node in ast.walk(function) if isinstance(node, ast.Global) for n in node.names}
    local = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    local |= {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    local |= {n.name for n in ast.walk(function) if isinstance(n, (*_DEFINITIONS, ast.ExceptHandler)) and n.name}
    local |= {n.name for n in ast.walk(function) if isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name}
    local = (local - {function.name} - outer) | {a.arg for a in parameters_of(function)}
    imports = {k: v for k, v in around.imports if k not in local} | own
    imports |= _aliases(function, imports)
    classes = [node for node in ast.walk(function) if isinstance(node, ast.ClassDef)]
    methods = frozenset(node for each in classes for node in each.body if isinstance(node, FunctionNode))
    return View(function, around, imports, frozenset(local), methods)


def _aliases(function: FunctionNode, imports: dict[str, str]) -> dict[str, str]:
    """Names of its own that stand for imported things, in the order of the text: ``log = logging; out = log.os``."""
    found: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ) if chain := chain_of(value):
                known = {**imports, **found}
                if chain[0] in known:
                    found[name] = ".".join([known[chain[0]], *chain[1:]])
    return found


def chain_of(node: ast.AST) -> list[str]:
    """``a.b.c`` as its parts; ``getattr(a, "b")`` is read as ``a.b``."""
    match node:
        case ast.Name(id=name):
            return [name]
        case (
            ast.Attribute(value=value, attr=name)
            | ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(name)), *_])
        ):
            inner = chain_of(value)
            return [*inner, name] if inner else []
    return []


def getattr_defaults(node: ast.AST) -> Iterator[ast.AST]:
    """What a chain holds besides its parts: the defaults of ``getattr`` calls."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):
            yield from node.args[2:]
            node = node.args[0]
        else:
            node = node.value
