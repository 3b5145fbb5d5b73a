"""What a written file does, read on its tree: calls of test runners are taken out, stubs and imports of tests found."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from analysis.danger import danger_of
from analysis.function_text import dotted_name, last_name, without_docstring
from analysis.malformed import is_stub
from repair.model.writing.file_names import TESTS

_RUNNERS = frozenset(("pytest.main", "unittest.main", "pytest.console_main", "doctest.testmod"))
_RUNS = "runner"
"""The family of what reaches into the test runner."""


def without_runners(text: str, tree: ast.Module) -> str | None:
    """The file without statements at its top that run tests; ``None`` where one shares its line with another.

    Taken out are ``pytest.main()``, ``unittest.main()``, either within ``sys.exit(…)``, and an ``if`` on ``__name__``
    that does so. A block ``if __name__ == "__main__"`` that runs no tests is a command of the program, and stays.
    """
    lines = text.splitlines(keepends=True)
    gone = [node for node in tree.body if _runs_tests(node)]
    for node in gone:
        others = (each for each in tree.body if each is not node)
        last = node.end_lineno or node.lineno
        if any(each.lineno <= last and (each.end_lineno or each.lineno) >= node.lineno for each in others):
            return None
        lines[node.lineno - 1 : last] = [""] * (last - node.lineno + 1)
    return "".join(lines)


def _runs_tests(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call() as call):
            within = (call, *(arg for arg in call.args if isinstance(arg, ast.Call)))
            return any(dotted_name(each.func) in _RUNNERS for each in within)
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
            return any(dotted_name(call.func) in _RUNNERS for call in calls)
    return False


def is_empty(trees: Sequence[ast.Module], texts: Sequence[str]) -> bool:
    """Whether these files hold nothing that does anything: no function that is more than a stub, and no value."""
    return not any(_does_something(node, text) for tree, text in zip(trees, texts, strict=True) for node in _all(tree))


def _all(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a file and of its classes, docstrings left out."""
    waiting = list(without_docstring(tree.body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.ClassDef):
            waiting.extend(without_docstring(node.body))


def _does_something(node: ast.stmt, text: str) -> bool:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return not is_stub(ast.get_source_segment(text, node, padded=True) or "")
        case ast.ClassDef() | ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Raise():
            return False
        case ast.AnnAssign(value=None) | ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(targets=[ast.Name(id="__all__" | "__version__")]):
            return False
    return True


def imported_tests(tree: ast.Module) -> str:
    """What the file imports of tests or of their runner: ``tests.test_total``; empty where it imports none."""
    return next((name for name in _imported(tree) if _is_of_tests(name)), "")


def watched_runner(tree: ast.Module) -> str:
    """The word by which the file asks whether tests are running: ``PYTEST_CURRENT_TEST``; empty where it does not."""
    words = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return next((word for word in words if word in ("pytest", "_pytest") or word.startswith("PYTEST_")), "")


def _is_of_tests(name: str) -> bool:
    found = danger_of(name)
    parts = name.split(".")
    return (
        TESTS in parts or any(part.startswith("test_") for part in parts) or (found is not None and found.id == _RUNS)
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=module, names=names):
                yield from (".".join(filter(None, (module, each.name))) for each in names)
            case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]):
                if last_name(func) in ("import_module", "__import__"):
                    yield name.lstrip(".")
