"""What is left of a module when its functions are taken out, and how two such remains differ."""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.functions import FunctionSpan, functions_of, source_encoding, syntax_tree

Key = tuple[str, int]
"""A function's qualified name, and how many of that name stand above it."""

Keyed = tuple[tuple[Key, FunctionSpan], ...]

HARMLESS = ("layout", "documentation")


@dataclass(frozen=True, slots=True)
class Outline:
    """One module: all its functions, the outermost of them by key, and the rest.

    In ``rows``, the lines of the rest, one definition of one line stands for each outermost function. For each row,
    ``lines`` gives the line of the file, and ``keys`` the function that it stands for.
    """

    path: str
    source: bytes
    functions: tuple[FunctionSpan, ...]
    outermost: Keyed
    rows: tuple[bytes, ...]
    lines: tuple[int, ...]
    keys: tuple[Key | None, ...]


@dataclass(frozen=True, slots=True)
class LineChange:
    """Lines outside of any function that differ. ``line`` counts in the new file."""

    kind: str
    line: int
    claim: str


def outline_of(path: str, source: bytes) -> Outline:
    """The module taken apart. Raises ``UnparseableError`` when it does not parse."""
    functions = functions_of(path, source)
    outermost = spans_by_key(functions)
    rows: list[tuple[bytes, int, Key | None]] = []
    position, line = 0, 1
    for key, span in outermost:
        *between, before = [*_lines(source[position : span.start]), b""][: span.function.first_line - line + 1]
        rows += [(text, line + index, None) for index, text in enumerate(between)]
        text = source[span.start : span.end]
        indent = text[: len(text) - len(text.lstrip(b" \t"))]
        placeholder = before + indent + f"def {span.name}(): ...\n".encode(span.encoding)
        rows.append((placeholder, span.function.first_line, key))
        position, line = span.end, span.end_line + 1
    rows += [(text, line + index, None) for index, text in enumerate(_lines(source[position:]))]
    texts, lines, keys = zip(*rows, strict=True) if rows else ((), (), ())
    return Outline(path, source, functions, outermost, tuple(texts), tuple(lines), tuple(keys))


def spans_by_key(spans: Sequence[FunctionSpan]) -> Keyed:
    """Those of the spans that lie in no other of them, by key, in order."""
    seen: Counter[str] = Counter()
    found: list[tuple[Key, FunctionSpan]] = []
    end = 0
    for span in spans:
        if span.start >= end:
            name = span.function.qualname
            found.append(((name, seen[name]), span))
            seen[name] += 1
            end = span.end
    return tuple(found)


def line_changes(before: Outline, after: Outline) -> tuple[LineChange, ...]:
    """How the rests differ, hunk by hunk: one change for each kind of line in it."""
    old, new = before.rows, after.rows
    old_kinds, new_kinds = _kinds(before), _kinds(after)
    changes: list[LineChange] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            place = after.lines[min(j1, len(after.lines) - 1)] if after.lines else 1
            removed = [(kind, place, old[i]) for i, kind in zip(range(i1, i2), old_kinds[i1:i2], strict=True)]
            added = [(kind, after.lines[j], new[j]) for j, kind in zip(range(j1, j2), new_kinds[j1:j2], strict=True)]
            changes += _changes_of_hunk(
                removed, added, set(before.keys) & set(after.keys), before.keys[i1:i2], after.keys[j1:j2]
            )
    if changes and all(c.kind in HARMLESS for c in changes) and not _means_the_same(before, after):
        return tuple(LineChange("module_level", c.line, c.claim) for c in changes)
    return tuple(changes)


_Line = tuple[str, int, bytes]


def _changes_of_hunk(
    removed: Sequence[_Line],
    added: Sequence[_Line],
    kept: set[Key | None],
    gone: Sequence[Key | None],
    come: Sequence[Key | None],
) -> Iterator[LineChange]:
    for key in sorted(key for key in {*gone} if key is not None and key in kept and key not in come):
        yield LineChange("function_moved", removed[0][1], f"the function {key[0]} stands elsewhere")
    for kind in dict.fromkeys(kind for kind, _, _ in (*added, *removed) if kind != "function"):
        new = [line for line in added if line[0] == kind]
        old = [line for line in removed if line[0] == kind]
        word = "changed" if new and old else "added" if new else "removed"
        _, line, text = (new or old)[0]
        shown = text.decode("utf-8", "replace").strip()[:80]
        yield LineChange(kind, line, f"{_NAMES[kind]} {word}{': ' + shown if shown else ''}")


_NAMES = {
    "layout": "comments or blank lines",
    "documentation": "documentation",
    "imports": "imports",
    "module_level": "code outside any function",
}


def _kinds(outline: Outline) -> list[str]:
    """For each line of the rest what it means to the program."""
    count = len(outline.lines)
    kinds = ["layout"] * count
    for first, last in _code_ranges(_text(outline)):
        kinds[first - 1 : last] = ["module_level"] * (min(last, count) - first + 1)
    for kind, first, last in _named_ranges(_text(outline)):
        for index in range(first - 1, min(last, count)):
            kinds[index] = kind if kinds[index] == "module_level" else kinds[index]
    return ["function" if key is not None else kind for kind, key in zip(kinds, outline.keys, strict=True)]


_SILENT = (
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
)


def _code_ranges(source: bytes) -> Iterator[tuple[int, int]]:
    """Ranges of lines that carry code. Where the tokens cannot be told, every line does."""
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(source).readline))
    except (tokenize.TokenError, SyntaxError, UnicodeError):
        yield 1, max(1, source.count(b"\n") + 1)
        return
    for token in tokens:
        if token.type not in _SILENT:
            yield token.start[0], token.end[0]


def _named_ranges(source: bytes) -> Iterator[tuple[str, int, int]]:
    try:
        tree = syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield "imports", node.lineno, node.end_lineno or node.lineno
        elif isinstance(node, (ast.Module, ast.ClassDef)) and (text := _docstring(node)) is not None:
            yield "documentation", text.lineno, text.end_lineno or text.lineno


def _docstring(node: ast.Module | ast.ClassDef) -> ast.Expr | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def _means_the_same(before: Outline, after: Outline) -> bool:
    """Whether the rests are the same program but for documentation: what looks like layout may still join two lines.

    Example: with one more blank line they are, with a backslash at the end of a line they may not be. Functions that
    only one of them has are findings of their own, and count for nothing here.
    """
    if source_encoding(before.source) != source_encoding(after.source):
        return False
    try:
        return _program(_common_text(before, after)) == _program(_common_text(after, before))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _common_text(outline: Outline, other: Outline) -> bytes:
    """The rest without the functions that the other one lacks."""
    kept = (row for row, key in zip(outline.rows, outline.keys, strict=True) if key is None or key in other.keys)
    return _plain_ends(b"".join(kept))


def _program(source: bytes) -> str:
    tree = syntax_tree(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef)):
            node.body = node.body[1 if _docstring(node) is not None else 0 :] or [ast.Pass()]
    return ast.dump(tree)


def _text(outline: Outline) -> bytes:
    """The rest as a source of its own; its line ends are those that every tokenizer counts alike."""
    return _plain_ends(b"".join(outline.rows))


def _plain_ends(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _lines(source: bytes) -> list[bytes]:
    return re.findall(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", source)
