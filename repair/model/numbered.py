"""The function as a model sees it: the number of each statement before the line on which it begins."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from transforms.tree.scope import EditScope
from transforms.tree.spans import NEWLINE
from transforms.tree.statement_list import Statement, statements_of


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """One line of the function's text, from 1, with the numbers of the statements that begin on it."""

    ids: tuple[str, ...]
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class NumberedFunction:
    """A function whose statements have numbers: ``s1`` is the first of ``statements``. They mean this text alone."""

    lines: tuple[NumberedLine, ...]
    statements: tuple[Statement, ...]

    @property
    def text(self) -> str:
        """All lines, the numbers in a column of their own."""
        return self.show(range(1, len(self.lines) + 1))

    def show(self, lines: Container[int], starred: Container[int] = ()) -> str:
        """Those of the lines, as in ``text``; one line says how many are left out at a place.

        A star stands before the bar of those that are ``starred``.
        """
        width = max([6, *(len(" ".join(line.ids)) for line in self.lines)])
        shown: list[str] = []
        missing = 0
        for line in self.lines:
            if line.line not in lines:
                missing += 1
                continue
            shown += [_gap(missing, width)] if missing else []
            missing = 0
            mark = "*" if line.line in starred else " "
            shown.append(f"{' '.join(line.ids):{width}}{mark}| {line.text}".rstrip())
        shown += [_gap(missing, width)] if missing else []
        return "\n".join(shown)

    def find(self, id: str) -> Statement | None:
        """The statement with that number."""
        number = int(id[1:]) if id[:1] == "s" and id[1:].isdecimal() and len(id) < 8 else 0
        return self.statements[number - 1] if 1 <= number <= len(self.statements) else None

    def id_of(self, statement: Statement) -> str:
        """The statement's number."""
        return f"s{self.statements.index(statement) + 1}"

    def at_line(self, line: int) -> str:
        """The innermost statement that the line (from 1) belongs to, the last one that begins on it; else empty."""
        holding = [i for i, s in enumerate(self.statements) if s.first_line <= line <= s.last_line]
        return f"s{holding[-1] + 1}" if holding else ""

    def code_of(self, statement: Statement) -> str:
        """The lines of the statement, without numbers."""
        return "\n".join(line.text for line in self.lines[statement.first_line - 1 : statement.last_line])


def number_function(scope: EditScope) -> NumberedFunction:
    """The scope's function with its statements numbered from ``s1`` in source order."""
    statements = statements_of(scope)
    texts = NEWLINE.split(scope.text.decode(scope.encoding, "replace"))
    if texts and not texts[-1]:
        del texts[-1]
    begin: dict[int, list[str]] = {}
    for number, statement in enumerate(statements, 1):
        begin.setdefault(statement.first_line, []).append(f"s{number}")
    lines = (NumberedLine(tuple(begin.get(line, ())), line, text) for line, text in enumerate(texts, 1))
    return NumberedFunction(tuple(lines), statements)


def _gap(missing: int, width: int) -> str:
    return f"{'':{width}} | … {missing} line{'s' if missing > 1 else ''} left out"
