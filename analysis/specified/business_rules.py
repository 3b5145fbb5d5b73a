"""Rules that a project gives itself: a name, a sentence, and what holds it: a pattern that is forbidden, or tests.

A pattern is Python in which ``$X`` stands for any expression (the same one each time), and ``$...`` for further
arguments: ``float($X)``, ``eval($...)``, ``$X == None``.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from analysis.function_text import Unreadable, parse_module

FILE = "repair-rules.toml"
"""Where the rules stand, at the root of the project."""

_KEYS = frozenset(("name", "sentence", "forbid", "check", "paths"))
_ANY, _REST = "__any_", "__rest__"
MOST_RULES = 200


@dataclass(frozen=True, slots=True)
class BusinessRule:
    """A rule. ``forbid`` is a pattern, ``check`` names tests that hold it; ``paths`` are patterns of files."""

    name: str
    sentence: str
    forbid: str = ""
    check: tuple[str, ...] = ()
    paths: tuple[str, ...] = ("*.py",)

    def covers(self, path: str) -> bool:
        """Whether the rule speaks of the file."""
        return path.endswith(".py") and any(fnmatch(path, each) for each in self.paths)


@dataclass(frozen=True, slots=True)
class ForbiddenPlace:
    """Where a file holds what a rule forbids."""

    path: str
    line: int
    text: str


def read_rules(content: bytes) -> tuple[BusinessRule, ...]:
    """The rules of a file. Raises ``ValueError`` that says which rule is wrong, and how."""
    try:
        values = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as problem:
        raise ValueError("it is no UTF-8") from problem
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise ValueError(f"it is no TOML: {problem}") from problem
    listed = values.get("rules")
    if set(values) - {"rules"} or not isinstance(listed, list) or not listed:
        raise ValueError("it holds no `[[rules]]`, or something else beside them")
    if len(listed) > MOST_RULES:
        raise ValueError(f"{len(listed)} rules are more than the {MOST_RULES} that are read")
    found = tuple(_rule(each, number) for number, each in enumerate(listed, 1))
    twice = [name for name, count in Counter(rule.name for rule in found).items() if count > 1]
    if twice:
        raise ValueError(f"two rules are called {twice[0]!r}")
    return found


def _rule(values: Any, number: int) -> BusinessRule:
    named = f"rule {number}"
    if not isinstance(values, dict):
        raise ValueError(f"{named} is no table")
    unknown = sorted(set(values) - _KEYS)
    if unknown:
        raise ValueError(f"{named} has the key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}")
    texts = {key: values.get(key, "") for key in ("name", "sentence", "forbid")}
    if not all(isinstance(text, str) for text in texts.values()) or not (texts["name"] and texts["sentence"]):
        raise ValueError(f"{named} needs a name and a sentence, as texts")
    check = values.get("check", [])
    paths = values.get("paths", ["*.py"])
    for key, rows in (("check", check), ("paths", paths)):
        if not isinstance(rows, list) or not all(isinstance(each, str) and each for each in rows):
            raise ValueError(f"{named}: {key} is no list of texts")
    if bool(texts["forbid"]) == bool(check):
        raise ValueError(f"{named} needs either `forbid` or `check`")
    if texts["forbid"]:
        _pattern(texts["forbid"], named)
    return BusinessRule(**texts, check=tuple(check), paths=tuple(paths))


def _pattern(text: str, named: str) -> ast.AST:
    spelled = re.sub(r"\$([A-Z]\w*)", rf"{_ANY}\1", text.replace("$...", _REST))
    tree = parse_module(spelled)
    if isinstance(tree, Unreadable) or len(tree.body) != 1:
        raise ValueError(f"{named}: `forbid` is no expression or statement of Python: {text}")
    (statement,) = tree.body
    return statement.value if isinstance(statement, ast.Expr) else statement


def forbidden_in(rule: BusinessRule, path: str, source: bytes) -> tuple[ForbiddenPlace, ...] | None:
    """The places that the rule forbids, in source order; ``None`` where the file cannot be read.

    A file whose expressions are nested too deep for Python to compare or print is none that can be read.
    """
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return None
    pattern = _pattern(rule.forbid, rule.name)
    nodes = (node for node in ast.walk(tree) if isinstance(node, type(pattern)))
    try:
        found = [
            ForbiddenPlace(path, getattr(node, "lineno", 0), ast.unparse(node))
            for node in nodes
            if _matches(pattern, node, {})
        ]
    except (RecursionError, MemoryError):
        return None
    return tuple(sorted(found, key=lambda each: each.line))


def new_places(before: Sequence[ForbiddenPlace], after: Sequence[ForbiddenPlace]) -> tuple[ForbiddenPlace, ...]:
    """Those of the later places whose text did not stand there so often before."""
    left = Counter(each.text for each in before)
    found = []
    for each in after:
        left[each.text] -= 1
        if left[each.text] < 0:
            found.append(each)
    return tuple(found)


def _matches(pattern: Any, node: Any, bound: dict[str, str]) -> bool:
    if isinstance(pattern, ast.Name) and pattern.id.startswith(_ANY) and isinstance(node, ast.expr):
        return bound.setdefault(pattern.id, ast.dump(node)) == ast.dump(node)
    if isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and all(
            _fields_match(name, pattern, node, bound) for name in pattern._fields if name != "ctx"
        )
    if isinstance(pattern, list):
        return isinstance(node, list) and _rows_match(pattern, node, bound)
    return bool(pattern == node) and type(pattern) is type(node)


def _fields_match(name: str, pattern: ast.AST, node: ast.AST, bound: dict[str, str]) -> bool:
    own, other = getattr(pattern, name, None), getattr(node, name, None)
    if name == "keywords" and isinstance(pattern, ast.Call) and _is_open(pattern.args):
        given = {each.arg: each for each in other or ()}
        return all(each.arg in given and _matches(each, given[each.arg], bound) for each in own or ())
    return _matches(own, other, bound)


def _is_open(row: list[Any]) -> bool:
    return bool(row) and isinstance(row[-1], ast.Name) and row[-1].id == _REST


def _rows_match(pattern: list[Any], row: list[Any], bound: dict[str, str]) -> bool:
    if _is_open(pattern):
        pattern, row = pattern[:-1], row[: len(pattern) - 1]
    return len(pattern) == len(row) and all(_matches(p, n, bound) for p, n in zip(pattern, row, strict=True))
