"""What another signature means to callers: which kinds of call it loses, and which calls of the project are such."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.api import Parameter, Signature
from analysis.function_text import last_name

_KINDS = {
    "positional": inspect.Parameter.POSITIONAL_ONLY,
    "plain": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "*": inspect.Parameter.VAR_POSITIONAL,
    "keyword": inspect.Parameter.KEYWORD_ONLY,
    "**": inspect.Parameter.VAR_KEYWORD,
}
_STARS = ("*", "**")


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call in a file, and what becomes of it. ``sure`` says that it is one of this function, not one of its name."""

    path: str
    line: int
    text: str
    problem: str
    sure: bool


def callers_lost(old: Signature, new: Signature) -> tuple[str, ...]:
    """Callers that the new signature leaves behind, one clause each: ``callers that pass discount by name``.

    Empty where every call that the old one takes means the same under the new one. Annotations count for nothing.
    """
    return tuple(dict.fromkeys(_losses(old, new)))


def _losses(old: Signature, new: Signature) -> Iterator[str]:
    if old.is_async != new.is_async:
        yield "callers that await it" if old.is_async else "callers that do not await it"
    if old.is_generator != new.is_generator:
        yield "callers that take an iterator from it" if old.is_generator else "callers that take a value from it"
    if old.decorators != new.decorators:
        yield f"callers that count on {', '.join(f'@{name}' for name in old.decorators) or 'no decorator'}"
    before, after = _by_name(old), _by_name(new)
    named = {p.name for p in new.parameters if p.kind in ("plain", "keyword")}
    rest = {p.kind for p in new.parameters if p.kind in _STARS}
    for parameter in old.parameters:
        if parameter.kind in ("plain", "keyword") and parameter.name not in named and "**" not in rest:
            yield f"callers that pass {parameter.name} by name"
        elif parameter.kind in _STARS and parameter.kind not in rest:
            yield f"callers that pass more {'by position' if parameter.kind == '*' else 'by name'}"
    places, now = _positional(old), _positional(new)
    for place, parameter in enumerate(places):
        moved = place < len(now) and now[place].name != parameter.name
        renamed = moved and parameter.name not in after and now[place].name not in before
        if (place >= len(now) and "*" not in rest) or (moved and not renamed):
            yield f"callers that pass {parameter.name} by position"
    for place, parameter in enumerate(new.parameters):
        was = before.get(parameter.name)
        if was is None and place < len(places) and parameter in now and places[place].name not in after:
            was = places[place]  # under another name
        if parameter.kind in _STARS:
            continue
        if parameter.default is None and (was is None or was.default is not None):
            yield f"callers that leave {parameter.name} out"
        elif was is not None and was.default is not None and was.default != parameter.default:
            yield f"callers that leave {parameter.name} out, and get {parameter.default} for {was.default}"


def new_parameters(old: Signature, new: Signature) -> tuple[Parameter, ...]:
    """Parameters that only the new signature has."""
    before = _by_name(old)
    return tuple(p for p in new.parameters if p.name not in before)


def _by_name(signature: Signature) -> dict[str, Parameter]:
    return {p.name: p for p in signature.parameters}


def _positional(signature: Signature) -> list[Parameter]:
    return [p for p in signature.parameters if p.kind in ("positional", "plain")]


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function whose signature changes, and the file that it stands in."""

    path: str
    qualname: str
    old: Signature
    new: Signature
    is_method: bool = False

    def broken_calls(self, path: str, tree: ast.Module) -> Iterator[CallSite]:
        """Calls in a file that the old signature takes, and that fail or mean something else under the new one.

        Calls with ``*`` or ``**`` are left out: how many arguments they pass is open.
        """
        for call in calls_of(tree, self.qualname):
            problem = self._problem_of(call)
            if problem:
                yield CallSite(path, call.lineno, ast.unparse(call), problem, self._is_meant(path, tree, call))

    def is_passed(self, call: ast.Call, parameter: str) -> bool:
        """Whether the call passes the parameter: ``f(1, b=2)`` passes b. One with ``*`` or ``**`` may pass anything."""
        given = _given(call)
        if given is None:
            return True
        try:
            return parameter in self._bindable(self.new).bind(*given[0], **given[1]).arguments
        except TypeError:
            return False

    def _problem_of(self, call: ast.Call) -> str:
        given = _given(call)
        if given is None:
            return ""
        try:
            was = self._bindable(self.old).bind(*given[0], **given[1])
        except TypeError:
            return ""  # no call of this function, or one that never worked
        try:
            now = self._bindable(self.new).bind(*given[0], **given[1])
        except TypeError as problem:
            return str(problem)
        places = {mark: name for name, mark in was.arguments.items() if isinstance(mark, str)}
        for name, mark in now.arguments.items():
            other = places.get(mark, name) if isinstance(mark, str) else name
            if other != name and other in {p.name for p in self.new.parameters}:
                return f"it passes for {name} what was for {other}"
        return ""

    def _bindable(self, signature: Signature) -> inspect.Signature:
        """Python's own record of the signature, without the instance or class that a method gets."""
        found = list(signature.parameters)
        bound = self.is_method and "staticmethod" not in signature.decorators
        if bound and found and found[0].kind in ("positional", "plain"):
            found.pop(0)
        empty = inspect.Parameter.empty
        return inspect.Signature(
            [inspect.Parameter(p.name, _KINDS[p.kind], default=empty if p.default is None else "") for p in found]
        )

    def _is_meant(self, path: str, tree: ast.Module, call: ast.Call) -> bool:
        """Whether the file means this function by that name: it stands there, or is imported from its module."""
        if "." in self.qualname:
            return False
        module = self.path.removesuffix(".py").removesuffix("/__init__").rsplit("/", 1)[-1]
        match call.func:
            case ast.Name():
                return path == self.path or any(
                    isinstance(node, ast.ImportFrom)
                    and (node.module or module).rsplit(".", 1)[-1] == module
                    and any(alias.name == self.qualname for alias in node.names)
                    for node in ast.walk(tree)
                )
            case ast.Attribute(value=base):
                return last_name(base) == module
        return False


def calls_of(tree: ast.Module, qualname: str) -> Iterator[ast.Call]:
    """Calls of what has the function's last name: ``cart.add(1)`` for ``Cart.add``, ``Cart()`` for its ``__init__``."""
    *outer, name = qualname.split(".")
    wanted = outer[-1] if outer and name == "__init__" else name
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) == wanted:
            yield node


def _given(call: ast.Call) -> tuple[list[str], dict[str, str]] | None:
    """A mark for each argument; ``None`` where their number is open."""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return None
    return [f"#{n}" for n in range(len(call.args))], {str(each.arg): f"={each.arg}" for each in call.keywords}
