"""One test function found in its file, with what the rules need to look around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.facts import TestId
from analysis.function_text import FunctionNode, Unreadable, own_nodes, parse_module, statements
from analysis.quality.assertions import is_assertion


@dataclass(frozen=True, slots=True)
class TestFile:
    """A file of tests, read once; ``asserting`` names its functions and methods that hold an assertion."""

    __test__ = False

    tree: ast.Module
    asserting: frozenset[str]


@dataclass(frozen=True, slots=True)
class Case:
    """A test function, the classes around it (outermost first), its module, and the name of its subject.

    ``subject`` is the qualified name of the function that the test is meant to exercise, or ``""``. ``nodes`` are those
    of the test's body, without what stands in classes that it defines. ``assertions`` are those of them that can fail
    the test. Calls of ``helpers`` (functions of this file that assert) are among them.
    """

    module: ast.Module
    classes: tuple[ast.ClassDef, ...]
    function: FunctionNode
    subject: str
    helpers: frozenset[str]
    nodes: tuple[ast.AST, ...]
    assertions: tuple[ast.AST, ...]

    @property
    def siblings(self) -> list[ast.stmt]:
        """The statements of the scope that the test stands in."""
        return self.classes[-1].body if self.classes else self.module.body

    @property
    def subject_name(self) -> str:
        """The subject's own name."""
        return self.subject.rsplit(".", 1)[-1]


def read_tests(source: bytes) -> TestFile | Unreadable:
    """The file's tests, to be looked up by ``find_case``."""
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return tree
    functions = [n for n in ast.walk(tree) if isinstance(n, FunctionNode)]
    return TestFile(tree, frozenset(f.name for f in functions if any(is_assertion(n) for n in ast.walk(f))))


def find_case(file: TestFile, test: TestId, subject: str = "") -> Case | None:
    """The function that a node id names; ``None`` where the file does not hold it.

    Methods are also looked for in base classes of the same file. Where a name is defined twice, the
    last definition is the test.
    """
    *class_names, name = names_of(test)
    scope: list[ast.stmt] = file.tree.body
    classes: list[ast.ClassDef] = []
    for class_name in class_names:
        found = _class(scope, class_name)
        if found is None:
            return None
        classes.append(found)
        scope = found.body
    if not classes:
        function = _function(scope, name)
        return None if function is None else _case(file, (), function, subject)
    for owner in _with_bases(classes[-1], file.tree):
        function = _function(owner.body, name)
        if function is not None:
            return _case(file, (*classes[:-1], owner), function, subject)
    return None


def _case(file: TestFile, classes: tuple[ast.ClassDef, ...], function: FunctionNode, subject: str) -> Case:
    helpers = file.asserting - {function.name}
    nodes: list[ast.AST] = []
    for statement in function.body:
        nodes += [statement, *(() if isinstance(statement, ast.ClassDef) else own_nodes(statement, (ast.ClassDef,)))]
    assertions = tuple(node for node in nodes if is_assertion(node, helpers))
    return Case(file.tree, classes, function, subject, helpers, tuple(nodes), assertions)


def names_of(test: TestId) -> list[str]:
    """Class names and function name of a node id, the parameters in brackets left out."""
    _, _, rest = test.partition("::")
    return rest.split("[", 1)[0].split("::")


def _class(scope: Sequence[ast.stmt], name: str) -> ast.ClassDef | None:
    same = [s for s in statements(scope) if isinstance(s, ast.ClassDef) and s.name == name]
    return same[-1] if same else None


def _function(scope: Sequence[ast.stmt], name: str) -> FunctionNode | None:
    same = [s for s in statements(scope) if isinstance(s, FunctionNode) and s.name == name]
    return same[-1] if same else None


def _with_bases(owner: ast.ClassDef, tree: ast.Module) -> Iterator[ast.ClassDef]:
    """The class and the base classes that the same module defines, nearest first; circles end."""
    waiting, seen = [owner], set[str]()
    while waiting:
        current = waiting.pop(0)
        yield current
        seen.add(current.name)
        bases = (_class(tree.body, base.id) for base in current.bases if isinstance(base, ast.Name))
        waiting += [base for base in bases if base is not None and base.name not in seen]
