"""A function whose text cannot be parsed: found where the file reads once that function's body is taken out.

No tree says where such a function ends, so its lines do. It goes from a head that can be read to the first line behind
which the rest of the file compiles again. Nothing outside of it is touched.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.errors import UnparseableError
from analysis.facts import FunctionId
from analysis.function_text import Unreadable, parse_function, without_docstring
from analysis.functions import FunctionSpan, functions_of

STUB = b'raise NotImplementedError("its text could not be parsed")'
"""The body of a function whose text was taken out: whoever calls it is told so."""

MOST_COMPILED = 200
"""Texts of one file that are tried."""

_HEAD = re.compile(rb"([ \t]*)(?:async[ \t]+)?def[ \t]+\w+")
_DEFINES = re.compile(rb"[ \t]*(?:@|class\b|def\b|async[ \t]+def\b)")
_MOST_HEAD_LINES = 25
_DOCSTRING = re.compile(rb"(?:[ \t]*\r?\n)*([ \t]+)[rRuU]?(\"\"\"|''')(?:[^\\]|\\.)*?\2[ \t]*\r?\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UnreadFunction:
    """The function, its text as it stands, and the whole file with a stub in place of its body."""

    function: FunctionId
    text: bytes
    stubbed: bytes


def find_malformed(path: str, source: bytes) -> UnreadFunction | None:
    """The one function for whose body alone the file does not compile; ``None`` where there is none such."""
    line = _broken_line(source)
    if not line:
        return None
    lines = source.splitlines(keepends=True)
    tried = 0
    for head in _heads(lines, line):
        for start, stubbed in _stubbings(lines, head):
            tried += 1
            if tried > MOST_COMPILED:
                return None
            if not _broken_line(stubbed):
                return _made(path, lines, head, start, stubbed)
    return None


def is_stub(function: str) -> bool:
    """Whether the function has nothing to edit: beside a docstring only ``pass``, ``...`` or a NotImplementedError."""
    tree = parse_function(function)
    if isinstance(tree, Unreadable):
        return False
    code = [ast.unparse(statement) for statement in without_docstring(tree.body)]
    left = [text for text in code if text not in ("pass", "...")]
    return not left or (len(left) == 1 and re.fullmatch(r"raise NotImplementedError(\(.*\))?", left[0]) is not None)


def _broken_line(source: bytes) -> int:
    """The line at which the file does not compile; 0 where it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "file", "exec", dont_inherit=True)
        except SyntaxError as problem:
            return max(1, problem.lineno or 1)
        except (ValueError, RecursionError, MemoryError):
            return 1
    return 0


def _heads(lines: Sequence[bytes], broken: int) -> list[int]:
    """The numbers of lines, from 0, on which a function begins: the one above the broken line first."""
    found = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    above = [number for number in reversed(found) if number < broken]
    return [*above, *(number for number in found if number >= broken)]


def _stubbings(lines: Sequence[bytes], head: int) -> Iterator[tuple[int, bytes]]:
    """Where the text behind it begins, and the file with a stub: the nearest end first, each with the docstring."""
    found, body = _HEAD.match(lines[head]), _body_start(lines, head)
    if found is None or not body:
        return
    indent = found[1]
    newline = b"\r\n" if lines[head].endswith(b"\r\n") else b"\n"
    docstring = _DOCSTRING.match(b"".join(lines[body:]))
    inner = docstring[1] if docstring else _inner_indent(lines, body, indent)
    stub = inner + STUB + newline
    for end in _ends(lines, body, len(indent.expandtabs())):
        rest = b"".join(lines[end:])
        for kept in (docstring[0], b"") if docstring else (b"",):
            yield end, b"".join(lines[:body]) + kept + stub + rest


def _body_start(lines: Sequence[bytes], head: int) -> int:
    """The line behind a head that can be read; 0 where none can."""
    for end in range(head + 1, min(head + 1 + _MOST_HEAD_LINES, len(lines) + 1)):
        text = b"".join(lines[head:end]).rstrip()
        if text.split(b"#")[0].rstrip().endswith(b":") and not isinstance(
            parse_function(text.decode("utf-8", "replace") + " pass"), Unreadable
        ):
            return end
    return 0


def _inner_indent(lines: Sequence[bytes], body: int, indent: bytes) -> bytes:
    first = next((line for line in lines[body:] if line.strip()), b"")
    found = first[: len(first) - len(first.lstrip(b" \t"))]
    return found if len(found.expandtabs()) > len(indent.expandtabs()) else indent + b"    "


def _ends(lines: Sequence[bytes], body: int, width: int) -> Iterator[int]:
    """Where the body may end: before a line that stands no deeper than the head, blank lines left out.

    Behind the next definition of that depth it does not: that one is another function.
    """
    for number in range(body, len(lines)):
        line = lines[number].expandtabs()
        if line.strip() and len(line) - len(line.lstrip(b" ")) <= width:
            yield _without_blanks(lines, body, number)
            if _DEFINES.match(line):
                return
    yield _without_blanks(lines, body, len(lines))


def _without_blanks(lines: Sequence[bytes], body: int, end: int) -> int:
    while end > body and not lines[end - 1].strip():
        end -= 1
    return end


def _made(path: str, lines: Sequence[bytes], head: int, end: int, stubbed: bytes) -> UnreadFunction | None:
    try:
        spans = functions_of(path, stubbed)
    except UnparseableError:
        return None
    own: FunctionSpan | None = next((span for span in spans if span.def_line == head + 1), None)
    if own is None:
        return None
    return UnreadFunction(own.function, b"".join(lines[own.function.first_line - 1 : end]), stubbed)
