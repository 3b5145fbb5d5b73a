"""Public names and signatures: what a patch must leave as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass

from analysis.errors import UnparseableError
from analysis.function_text import FunctionNode

Definition = FunctionNode | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. ``kind`` is ``positional``, ``plain``, ``*``, ``keyword`` or ``**``."""

    name: str
    kind: str
    default: str | None
    annotation: str | None


@dataclass(frozen=True, slots=True)
class Signature:
    """What callers of a function may rely on. Expressions are printed from the tree, so layout never shows."""

    name: str
    is_async: bool
    is_generator: bool
    decorators: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    returns: str | None


def signature_of(text: str) -> Signature:
    """The signature of a function's source text, decorators included, at any indentation.

    Raises ``UnparseableError`` where the text is not one function.
    """
    node = _function(text)
    return Signature(
        node.name,
        isinstance(node, ast.AsyncFunctionDef),
        any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in _own_nodes(node)),
        tuple(_canonical(d) for d in node.decorator_list),
        tuple(_parameters(node.args)),
        _canonical(node.returns) if node.returns else None,
    )


def signature_changes(old: Signature, new: Signature) -> tuple[str, ...]:
    """What differs, one readable sentence each; empty when callers cannot tell the two apart."""
    changes = []
    if old.name != new.name:
        changes.append(f"the name changed from {old.name} to {new.name}")
    if old.is_async != new.is_async:
        changes.append(f"the function is {'no longer' if old.is_async else 'now'} async")
    if old.is_generator != new.is_generator:
        changes.append(f"the function is {'no longer' if old.is_generator else 'now'} a generator")
    if old.decorators != new.decorators:
        changes.append(f"the decorators changed from {_list_names(old.decorators)} to {_list_names(new.decorators)}")
    changes.extend(_parameter_changes(old.parameters, new.parameters))
    if old.returns != new.returns:
        changes.append(f"the return annotation changed from {old.returns or 'none'} to {new.returns or 'none'}")
    return tuple(changes)


def public_definitions(tree: ast.Module, listed: Set[str] | None) -> Iterator[tuple[str, Definition]]:
    """Public functions, methods and classes with their qualified names, in source order; a class before its methods.

    ``listed`` says which names of the module are public; ``None`` means those without a leading underscore.
    """
    yield from _public(tree, "", listed)


def listed_names(tree: ast.Module) -> frozenset[str] | None:
    """What ``__all__`` lists; ``None`` where the module has none, or one that is computed."""
    found: set[str] | None = None
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                found = None
            case ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value):
                found = None
            case ast.AugAssign(target=ast.Name(id="__all__"), op=ast.Add(), value=value) if found is not None:
                pass
            case _:
                continue
        if not isinstance(value, (ast.List, ast.Tuple)):
            return None
        texts = (e.value for e in value.elts if isinstance(e, ast.Constant) and isinstance(e.value, str))
        found = {*(found or ()), *texts}
    return None if found is None else frozenset(found)


def _function(text: str) -> FunctionNode:
    indented = text[:1].isspace() and text.lstrip() != ""
    try:
        tree = ast.parse(f"if 1:\n{text}" if indented and not text.startswith(("\n", "\r")) else text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise UnparseableError(f"The function cannot be parsed: {problem}") from problem
    body = tree.body
    if len(body) == 1 and isinstance(body[0], ast.If):
        body = body[0].body
    if len(body) != 1 or not isinstance(body[0], FunctionNode):
        raise UnparseableError("The text is not one function")
    return body[0]


def _canonical(node: ast.AST) -> str:
    # Printed from the tree and not dumped: as independent of layout as ``ast.dump``, and fit to be read.
    try:
        return ast.unparse(node)
    except RecursionError as problem:
        raise UnparseableError("The signature is nested too deeply") from problem


def _parameters(args: ast.arguments) -> Iterator[Parameter]:
    plain = [*args.posonlyargs, *args.args]
    kinds = ["positional"] * len(args.posonlyargs) + ["plain"] * len(args.args)
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    every: list[tuple[ast.arg | None, str, ast.expr | None]] = [
        *zip(plain, kinds, defaults, strict=True),
        (args.vararg, "*", None),
        *((arg, "keyword", default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)),
        (args.kwarg, "**", None),
    ]
    for arg, kind, default in every:
        if arg is not None:
            yield Parameter(arg.arg, kind, *(_canonical(n) if n else None for n in (default, arg.annotation)))


def _own_nodes(node: FunctionNode) -> Iterator[ast.AST]:
    """Nodes of the function's own body: a nested function or lambda yields for itself."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        current = waiting.pop()
        yield current
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(current))


def _parameter_changes(old: tuple[Parameter, ...], new: tuple[Parameter, ...]) -> Iterator[str]:
    before, after = {p.name: p for p in old}, {p.name: p for p in new}
    yield from (f"the parameter {name} is gone" for name in before if name not in after)
    yield from (f"the parameter {name} is new" for name in after if name not in before)
    if before.keys() == after.keys() and list(before) != list(after):
        yield f"the order of the parameters changed from ({', '.join(before)}) to ({', '.join(after)})"
    for name in (n for n in before if n in after):
        for what in ("kind",) if _unshares(before[name], after[name]) else ("kind", "default", "annotation"):
            was, now = getattr(before[name], what), getattr(after[name], what)
            if was != now:
                yield f"the {what} of {name} changed from {was or 'none'} to {now or 'none'}"


_SHARED = frozenset(("[]", "{}", "list()", "dict()", "set()", "bytearray()"))


def _unshares(old: Parameter, new: Parameter) -> bool:
    """Whether a default that all calls share becomes nothing: ``seen: list = []``, then ``seen: list | None = None``.

    Who leaves it out still gets an empty one, made by the body; whether that is so the tests and gates say.
    """
    allowed = (old.annotation, f"{old.annotation} | None", f"Optional[{old.annotation}]")
    return old.default in _SHARED and new.default == "None" and new.annotation in allowed


def _list_names(names: tuple[str, ...]) -> str:
    return ", ".join(f"@{name}" for name in names) or "none"


def _public(tree: ast.AST, parent: str, listed: Set[str] | None) -> Iterator[tuple[str, Definition]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if _is_public(node.name, parent, listed):
                qualname = f"{parent}.{node.name}" if parent else node.name
                yield qualname, node
                if isinstance(node, ast.ClassDef):
                    yield from _public(node, qualname, None)
            continue
        match node:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()])):
                continue  # what it holds is there only for whoever runs the module as a program
            case ast.If() | ast.Try() | ast.ExceptHandler() | ast.With():
                yield from _public(node, parent, listed)


def _is_public(name: str, parent: str, listed: Set[str] | None) -> bool:
    if not parent and listed is not None:
        return name in listed
    return not name.startswith("_") or (bool(parent) and name in ("__init__", "__call__"))
