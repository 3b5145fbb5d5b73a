"""Where the nodes of a standard tree stand in the file that it was parsed from, and splices of that file."""

from __future__ import annotations

import ast
import codecs
import re
from collections.abc import Iterable

from analysis.functions import source_encoding

_NEWLINE = re.compile(r"\r\n?|\n")


class Places:
    """Offsets in one file, in characters. The tree counts columns in bytes of UTF-8, however the file is encoded."""

    def __init__(self, source: bytes) -> None:
        self._encoding = source_encoding(source)
        self._mark = codecs.BOM_UTF8 if source.startswith(codecs.BOM_UTF8) else b""
        self._text = source[len(self._mark) :].decode(self._encoding)
        self._starts = [0, *(found.end() for found in _NEWLINE.finditer(self._text)), len(self._text)]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Start and end of a statement or expression."""
        assert isinstance(node, (ast.stmt, ast.expr)), "other nodes have no place of their own"
        last, column = node.end_lineno or 0, node.end_col_offset or 0  # parsed nodes have an end
        return self._offset(node.lineno, node.col_offset), self._offset(last, column)

    def text(self, node: ast.AST) -> str:
        """What the file says there."""
        start, end = self.span(node)
        return self._text[start:end]

    def splice(self, splices: Iterable[tuple[int, int, str]]) -> bytes:
        """The file with each of these parts, which do not overlap, replaced."""
        parts, done = [], 0
        for start, end, new in sorted(splices):
            parts += [self._text[done:start], new]
            done = end
        return self._mark + "".join([*parts, self._text[done:]]).encode(self._encoding)

    def _offset(self, line: int, column: int) -> int:
        start = self._starts[line - 1]
        bytes_before = self._text[start : self._starts[line]].encode("utf-8", "surrogatepass")[:column]
        return start + len(bytes_before.decode("utf-8", "surrogatepass"))
