"""The statements of a file and of a function as spans of lines, and which of them ran.

What a statement is, and what is excluded, coverage.py's own parser has said (``repair/observe/statements.py``). A
tracer reports a statement of several lines by any of them. So a statement has run where one line of its own has; for a
compound one, of its header.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set
from dataclasses import dataclass

from analysis.function_text import FunctionNode, last_name

Span = tuple[int, int]
"""First and last line of a statement's own text."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way out of a line that has several: ``end`` below 1 is the way out of the function. ``taken`` by a test."""

    start: int
    end: int
    taken: bool = False

    def __str__(self) -> str:
        """For readers: ``line 3 to line 5``."""
        return f"line {self.start} to {f'line {self.end}' if self.end > 0 else 'the end of the function'}"


@dataclass(frozen=True, slots=True)
class FileStatements:
    """One file as coverage.py sees it: its statements in source order, and the lines that are excluded.

    ``branches`` are known where the project measures them.
    """

    spans: tuple[Span, ...] = ()
    excluded: Set[int] = frozenset()
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """How many statements there are, and how many of them ran."""

    ran: int = 0
    statements: int = 0

    @property
    def value(self) -> float | None:
        """From 0 to 1; ``None`` where there is nothing to run."""
        return self.ran / self.statements if self.statements else None

    def __add__(self, other: Share) -> Share:
        """Both together."""
        return Share(self.ran + other.ran, self.statements + other.statements)


def statement_spans(function: FunctionNode, file: FileStatements) -> tuple[Span, ...]:
    """The spans of the body's statements in source order; the function stands in that file.

    None for a function that only stands for others: an overload, an abstract method, a stub.
    """
    if any(last_name(d) == "overload" for d in function.decorator_list):
        return ()
    if all(_says_nothing(s) or _refuses(s) for s in function.body):
        return ()
    first, last = function.body[0].lineno, function.end_lineno or function.lineno
    return tuple(span for span in file.spans if first <= span[0] <= last)


def executed_share(spans: Sequence[Span], ran: Set[int]) -> Share:
    """How many of the statements have a line that ran."""
    return Share(sum(has_run(span, ran) for span in spans), len(spans))


def has_run(span: Span, ran: Set[int]) -> bool:
    """Whether a line of the statement is among those that ran."""
    return any(line in ran for line in range(span[0], span[1] + 1))


def _says_nothing(statement: ast.stmt) -> bool:
    """Docstrings and ``...`` alone are no program."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Global() | ast.Nonlocal() | ast.AnnAssign(value=None):
            return True
    return False


def _refuses(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
    return isinstance(statement, ast.Pass)
