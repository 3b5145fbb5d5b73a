"""How the project writes its tests: functions or classes of unittest, its way to import, fixtures that give objects."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

from analysis.facts import Files, TestId
from analysis.function_text import FunctionNode, Unreadable, last_name, parameters_of, parse_module


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


def fixtures_taken(files: Files, tests: Sequence[TestId], method: str, place: str) -> tuple[str, ...]:
    """The fixtures on whose objects the tests call the method, as far as a file at ``place`` may take them.

    A file may take those of each ``conftest.py`` in its folder and above. Fixtures that give one object after the
    other, by parameters, are left out.
    """
    folders = {parent.as_posix() for parent in PurePosixPath(place).parents}
    homes = [text for path, text in files if _is_conftest(path) and PurePosixPath(path).parent.as_posix() in folders]
    known = frozenset(name for text in homes for name in _fixtures_in(text))
    wanted: dict[str, set[str]] = {}
    for test in tests if known else ():
        path, _, name = test.partition("[")[0].partition("::")
        wanted.setdefault(path, set()).add(name.rpartition("::")[2])
    texts = dict(files)
    found = {name for path, names in wanted.items() for name in _objects(texts.get(path, b""), names, method, known)}
    return tuple(sorted(found))


def _is_conftest(path: str) -> bool:
    return PurePosixPath(path).name == "conftest.py"


def _fixtures_in(text: bytes) -> Iterator[str]:
    tree = parse_module(text)
    for node in () if isinstance(tree, Unreadable) else tree.body:
        if isinstance(node, FunctionNode):
            for each in node.decorator_list:
                given = each.keywords if isinstance(each, ast.Call) else []
                named = each.func if isinstance(each, ast.Call) else each
                if last_name(named) == "fixture" and not {k.arg for k in given} & {"params", "name"}:
                    yield node.name


def _objects(text: bytes, tests: Set[str], method: str, known: Set[str]) -> Iterator[str]:
    """Fixtures among the parameters of these tests on which they name the method."""
    tree = parse_module(text)
    for test in () if isinstance(tree, Unreadable) else ast.walk(tree):
        if isinstance(test, FunctionNode) and test.name in tests:
            taken = known & {each.arg for each in parameters_of(test)}
            for node in ast.walk(test):
                match node:
                    case ast.Attribute(value=ast.Name(id=name), attr=called) if called == method and name in taken:
                        yield name


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _names_test_case(base: ast.expr) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name.endswith("TestCase")
