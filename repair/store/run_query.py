"""What ``repair runs --where`` takes: a small closed language of its own, made into SQL with parameters.

    exception = "KeyError" and not (status = certified or seconds > 60)

No text of the user gets into the SQL. A name stands for a column of ours or is refused, and a value is a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from analysis.errors import UsageError

TEXTS = {
    "run": "runs.id",
    "started": "runs.started",
    "status": "runs.status",
    "function": "coalesce(errors.function, runs.function)",
    "test": "coalesce(errors.test, runs.test)",
    "exception": "coalesce(errors.exception, '')",
    "message": "coalesce(errors.message, '')",
    "class": "coalesce(errors.class, '')",
    "subclass": "coalesce(errors.subclass, '')",
    "file": "coalesce(errors.file, '')",
    "root_cause": "coalesce(errors.root_cause, '')",
    "category": "coalesce(errors.category, '')",
    "explanation": "coalesce(errors.explanation, '')",
    "reasoning": "coalesce(errors.reasoning, '')",
    "outcome": "coalesce(errors.outcome, '')",
}
NUMBERS = {
    "seconds": "runs.seconds",
    "applied": "runs.applied",
    "line": "coalesce(errors.line, 0)",
    "attempts": "coalesce(errors.attempts, 0)",
    "cause": "coalesce(errors.cause, 0)",
}
"""The fields, and what each stands for: those of a run, and those of its error reports."""

LONGEST, DEEPEST = 2_000, 50
"""Characters of a query, and brackets and ``not`` within each other."""

JOINING = ("and", "or", "not")
COMPARED = ("=", "!=", "<", "<=", ">", ">=")
CONTAINS = "~"

TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>-?\d+(?:\.\d+)?(?![\w.]))"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<sign><=|>=|!=|[=<>~()])|(?P<other>\S))""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class RunQuery:
    """A condition in SQL over ``runs`` and ``errors``, and the values of its parameters. Without one all is meant."""

    condition: str = "1"
    values: tuple[str | float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


def read_query(text: str) -> RunQuery:
    """The query that a person wrote; ``UsageError`` says at which column it cannot be read, and what could stand there.

    ``and`` binds closer than ``or``. ``~`` means that a text contains another one, where letters from A to Z may be
    large or small.
    """
    if len(text) > LONGEST:
        raise UsageError(
            f"The query has {len(text)} characters, and {LONGEST} may be", where="--where", remedy="Ask for less."
        )
    if not text.isprintable():
        raise UsageError("The query holds a character that cannot be printed", where="--where", remedy="Leave it out.")
    reader = _Reader(_tokens(text))
    query = reader.alternatives(0)
    reader.end()
    return query


def _tokens(text: str) -> Sequence[_Token]:
    found = [
        _Token(match.lastgroup or "", match[match.lastgroup or 0], match.start(match.lastgroup or 0) + 1)
        for match in TOKEN.finditer(text)
    ]
    return (*found, _Token("end", "", len(text) + 1))


class _Reader:
    """Reads the tokens from left to right, one rule of the language a method."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self) -> _Token:
        token = self._next
        self._place += token.kind != "end"
        return token

    def _takes_word(self, word: str) -> bool:
        is_here = self._next.kind == "word" and self._next.text.lower() == word
        self._place += is_here
        return is_here

    def end(self) -> None:
        """There is nothing more."""
        if self._next.kind != "end":
            _refuse(self._next, "`and`, `or` or the end")

    def alternatives(self, depth: int) -> RunQuery:
        """Parts with ``or`` between them."""
        found = [self._conditions(depth)]
        while self._takes_word("or"):
            found.append(self._conditions(depth))
        return _join(" OR ", found)

    def _conditions(self, depth: int) -> RunQuery:
        found = [self._condition(depth)]
        while self._takes_word("and"):
            found.append(self._condition(depth))
        return _join(" AND ", found)

    def _condition(self, depth: int) -> RunQuery:
        if depth > DEEPEST:
            _refuse(self._next, f"at most {DEEPEST} brackets and `not` within each other")
        if self._takes_word("not"):
            inner = self._condition(depth + 1)
            return RunQuery(f"NOT ({inner.condition})", inner.values)
        if self._next.text == "(" and self._next.kind == "sign":
            self._take()
            inner = self.alternatives(depth + 1)
            closing = self._take()
            if closing.text != ")":
                _refuse(closing, "`)`, `and` or `or`")
            return inner
        return self._comparison()

    def _comparison(self) -> RunQuery:
        name = self._take()
        field = name.text.lower()
        if name.kind != "word" or (field not in TEXTS and field not in NUMBERS):
            _refuse(name, "a field, `not` or `(`")
        sign = self._take()
        if field in NUMBERS:
            if sign.text not in COMPARED:
                _refuse(sign, f"one of {' '.join(COMPARED)}")
            value = self._take()
            if value.kind != "number":
                _refuse(value, "a number")
            return RunQuery(f"{NUMBERS[field]} {sign.text} ?", (float(value.text),))
        if sign.text not in (*COMPARED, CONTAINS):
            _refuse(sign, f"one of {' '.join((*COMPARED, CONTAINS))}")
        value = self._take()
        if value.kind not in ("text", "word") or value.text.lower() in JOINING:
            _refuse(value, "a text in quotes")
        said = re.sub(r"\\(.)", r"\1", value.text[1:-1], flags=re.DOTALL) if value.kind == "text" else value.text
        if sign.text == CONTAINS:
            return RunQuery(f"instr(lower({TEXTS[field]}), lower(?)) > 0", (said,))
        return RunQuery(f"{TEXTS[field]} {sign.text} ?", (said,))


def _join(word: str, parts: Sequence[RunQuery]) -> RunQuery:
    if len(parts) == 1:
        return parts[0]
    return RunQuery(
        word.join(f"({part.condition})" for part in parts), tuple(value for part in parts for value in part.values)
    )


def _refuse(token: _Token, expected: str) -> NoReturn:
    found = f"{token.text!r}" if token.kind != "end" else "the end"
    raise UsageError(
        f"The query cannot be read at column {token.column}: {found} stands where {expected} is expected",
        where="--where",
        remedy=f'Fields: {", ".join((*TEXTS, *NUMBERS))}. Example: exception = "KeyError" and seconds > 10.',
    )
