"""The statements of a function as spans of lines, and which of them ran.

A tracer reports a statement of several lines by any of them. So a statement has run where one line of its own has; for
a compound one, of its header. What is no code of its own is left out: docstrings, ``...``, and conditions that are
decided before the program runs. So is what ``# pragma: no cover`` excludes, and what only type checkers read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from analysis.constant_truth import constant_truth
from analysis.function_text import FunctionNode, blocks, first_line_of, last_name

EXCLUDED = re.compile(r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)")
"""The comment by which coverage.py is told to leave a line, or the block that it heads, out."""

Span = tuple[int, int]
"""First and last line of a statement's own text."""


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


def statement_spans(function: FunctionNode, lines: Sequence[str]) -> tuple[Span, ...]:
    """The spans of the body's statements in source order; ``lines`` are those of the whole file.

    None for a function that only stands for others: an overload, an abstract method, a stub.
    """
    if _is_excluded(function, lines) or any(last_name(d) == "overload" for d in function.decorator_list):
        return ()
    if all(_says_nothing(s) or _refuses(s) for s in function.body):
        return ()
    return tuple(_spans(function.body, lines))


def executed_share(spans: Sequence[Span], ran: Set[int]) -> Share:
    """How many of the statements have a line that ran."""
    return Share(sum(has_run(span, ran) for span in spans), len(spans))


def has_run(span: Span, ran: Set[int]) -> bool:
    """Whether a line of the statement is among those that ran."""
    return any(line in ran for line in range(span[0], span[1] + 1))


def _spans(body: Sequence[ast.stmt], lines: Sequence[str]) -> Iterator[Span]:
    for statement in body:
        if _says_nothing(statement) or _is_excluded(statement, lines):
            continue
        if isinstance(statement, ast.If) and last_name(statement.test) == "TYPE_CHECKING" and not statement.orelse:
            continue
        decided = constant_truth(statement.test) if isinstance(statement, (ast.If, ast.While)) else None
        if decided is None:
            yield _own_span(statement)
        for block in blocks(statement):
            if not (decided is False and block is getattr(statement, "body", None)):
                yield from _spans(block, lines)


def _own_span(statement: ast.stmt) -> Span:
    """The statement without the blocks in it; with decorators."""
    starts = [block[0].lineno for block in blocks(statement)]
    last = statement.end_lineno or statement.lineno
    return first_line_of(statement), max(statement.lineno, min([last + 1, *starts]) - 1)


def _is_excluded(node: ast.stmt, lines: Sequence[str]) -> bool:
    first, last = _own_span(node)
    return any(EXCLUDED.search(line) for line in lines[first - 1 : last])


def _says_nothing(statement: ast.stmt) -> bool:
    """Docstrings, ``...``, and declarations make no code."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Global() | ast.Nonlocal() | ast.AnnAssign(value=None):
            return True
    return False


def _refuses(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
    return isinstance(statement, ast.Pass)
