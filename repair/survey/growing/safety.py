"""Which functions no test is grown for: a test calls them with made-up values, on the user's machine, again and again.

A filter, never a boundary: it reads the function, and the functions of its file that this one names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.danger import DangerLevel
from analysis.function_text import FunctionNode, Unreadable, names_in, parse_module
from analysis.reach import reach_of
from analysis.surroundings import surroundings_of

KEPT_AWAY = frozenset(
    ("files", "network", "process", "threads", "signals", "exit", "environment", "clock", "chance", "pause")
)
"""Kinds of reach with which a made-up call may do harm, or gives another answer each time."""

GRAVE = frozenset(("dynamic", "interpreter", "runner"))
"""Kinds of reach that keep tests away where no fix may use them anew: ``eval``, and not the decoding of a literal."""

MOST_FOLLOWED = 300
"""Functions of the file that are read for one; no test is grown of what leads to more."""

_MAKING = ("__new__", "__init__", "__post_init__")
"""What runs where a class is called."""


def find_far_reach(source: bytes, qualname: str) -> str:
    """What the function makes use of that keeps tests away, with its line; ``""`` where there is nothing.

    Example: ``line 12 reads or writes files (in save)``.
    """
    tree = parse_module(source)
    around = surroundings_of(source.decode("utf-8", "replace"))
    if isinstance(tree, Unreadable) or isinstance(around, Unreadable):
        return "its file cannot be read"
    functions: dict[str, list[tuple[str, FunctionNode]]] = {}
    for name, node in _functions(tree, ""):
        functions.setdefault(node.name, []).append((name, node))
        if node.name in _MAKING and "." in name:  # a call names the class alone
            functions.setdefault(name.split(".")[-2], []).append((name, node))
    owner, _, own = qualname.rpartition(".")
    asked = (qualname, *(f"{owner}.{each}" for each in _MAKING))  # a test of a method makes its instance
    waiting = [each for name in (own, *_MAKING) for each in functions.get(name, []) if each[0] in asked]
    known = {id(node) for _, node in waiting}
    while waiting:
        if len(known) > MOST_FOLLOWED:
            return f"it leads to more than {MOST_FOLLOWED} functions of its file"
        name, node = waiting.pop()
        for use in reach_of(node, around):
            if use.id in KEPT_AWAY or (use.id in GRAVE and use.severity is DangerLevel.REJECT):
                where = "" if name == qualname else f" (in {name})"
                return f"line {use.line} {use.claim}{where}"
        attributes = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
        for called in sorted(names_in(node) | attributes):
            for each in functions.get(called, ()):
                if id(each[1]) not in known:
                    known.add(id(each[1]))
                    waiting.append(each)
    return ""


def _functions(tree: ast.Module | ast.ClassDef, around: str) -> Iterator[tuple[str, FunctionNode]]:
    for node in tree.body:
        if isinstance(node, FunctionNode):
            yield f"{around}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{around}{node.name}.")
