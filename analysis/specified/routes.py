"""Which functions answer which operations: the decorators of FastAPI and Flask, read from trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.function_text import FunctionNode, last_name

METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")


@dataclass(frozen=True, slots=True)
class WebRoute:
    """A function that answers an operation; ``status`` is the code that its decorator names, if any."""

    method: str
    path: str
    subject: str
    line: int
    status: str = ""
    operation: str = ""
    quote: str = ""


def routes_in(path: str, tree: ast.Module) -> Iterator[WebRoute]:
    """The routes that the functions of a file are decorated with."""
    prefixes = dict(_prefixes(tree))
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode):
            for decorator in node.decorator_list:
                yield from _routes(decorator, node, path, prefixes)


def _prefixes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What ``APIRouter(prefix=…)`` and ``Blueprint(url_prefix=…)`` put before each path, by name."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(keywords=keywords)):
                for each in keywords:
                    if each.arg in ("prefix", "url_prefix") and isinstance(each.value, ast.Constant):
                        yield name, str(each.value.value)


def _routes(decorator: ast.expr, node: FunctionNode, path: str, prefixes: Mapping[str, str]) -> Iterator[WebRoute]:
    match decorator:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[ast.Constant(value=str(road)), *_]):
            if name in METHODS:
                methods = [name]
            elif name in ("route", "api_route"):
                methods = _methods(decorator) or ["get"]
            else:
                return
            said = {each.arg: each.value for each in decorator.keywords if each.arg}
            whole = plain_path(prefixes.get(last_name(owner), "") + road)
            for method in methods:
                yield WebRoute(
                    method.upper(),
                    whole,
                    f"{path}:{node.name}",
                    decorator.lineno,
                    _code(said.get("status_code")),
                    _text(said.get("operation_id")),
                    f"@{ast.unparse(decorator)}",
                )


def _methods(call: ast.Call) -> list[str]:
    for keyword in call.keywords:
        if keyword.arg == "methods" and isinstance(keyword.value, ast.List | ast.Tuple | ast.Set):
            return [str(each.value).lower() for each in keyword.value.elts if isinstance(each, ast.Constant)]
    return []


def _code(node: ast.expr | None) -> str:
    """``201`` for ``201`` and for ``status.HTTP_201_CREATED``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value)
    found = re.search(r"HTTP_(\d{3})", last_name(node))
    return found[1] if found else ""


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def plain_path(road: str) -> str:
    """A path with its variables in braces: ``/a/{id}`` for Flask's ``/a/<int:id>``, without FastAPI's converters."""
    return re.sub(r"\{(\w+):\w+\}", r"{\1}", re.sub(r"<(?:\w+(?:\([^)]*\))?:)?(\w+)>", r"{\1}", road))


def find_route(routes: Sequence[WebRoute], method: str, road: str, operation: str) -> WebRoute | None:
    """The one function for an operation: by its id, else by path, else by the end of a path.

    A part of a path may be mounted elsewhere: ``/v1/carts`` is answered where ``/carts`` is, and the other way round.
    """
    named = [each for each in routes if operation and each.operation == operation]
    if len(named) == 1:
        return named[0]
    own = [each for each in routes if each.method == method]
    wanted = _nameless(road)
    same = [each for each in own if _nameless(each.path) == wanted]
    if not same:
        same = [each for each in own if len(each.path) > 1 and wanted.endswith(_nameless(each.path))]
    if not same and wanted:
        same = [each for each in own if _nameless(each.path).endswith(wanted)]  # below the address of a server
    return same[0] if len(same) == 1 else None


def _nameless(road: str) -> str:
    return re.sub(r"\{\w+\}", "{}", road).rstrip("/")
