"""How the project writes its tests: in functions or in classes of unittest, and how it imports what it tests."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.function_text import Unreadable, parse_module


@dataclass(frozen=True, slots=True)
class WritingStyle:
    """The habits of a project's tests. ``dotted`` are modules that they import whole: ``import shop``."""

    unittest: bool = False
    dotted: frozenset[str] = frozenset()


def read_style(texts: Iterable[bytes]) -> WritingStyle:
    """The habits that most of the files have; plain pytest where there is none, or as many of either."""
    cases: Counter[bool] = Counter()
    whole: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    for text in texts:
        tree = parse_module(text)
        if isinstance(tree, Unreadable):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.ClassDef(bases=bases):
                    held = sum(_is_test(each) for each in node.body)
                    cases[True] += held if any(_names_test_case(base) for base in bases) else 0
                case ast.Import(names=names):
                    whole.update(alias.name for alias in names if alias.asname is None)
                case ast.ImportFrom(module=str(module), level=0):
                    parts[module] += 1
        cases[False] += sum(_is_test(each) for each in tree.body)
    dotted = frozenset(name for name, count in whole.items() if count > parts[name])
    return WritingStyle(cases[True] > cases[False], dotted)


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _names_test_case(base: ast.expr) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name.endswith("TestCase")
