"""Opening one function for editing: its text, its tree, and how its file is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

import libcst as cst

from analysis.facts import FunctionId
from analysis.functions import FunctionSpan
from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.node_path import NodePath, steps


@dataclass(frozen=True, slots=True)
class EditScope:
    """One function, parsed alone.

    ``source`` is the whole file; ``source[start:end]`` are the function's full lines, decorators included. ``tree``
    parses exactly that text. An indented function sits in one ``if`` for each level, all of them cut off again when the
    tree is printed. So the text keeps its own indentation and its strings stay untouched. ``node`` is the function
    inside it and ``root`` the path from the tree to it.
    """

    function: FunctionId
    source: bytes
    start: int
    end: int
    encoding: str
    newline: str
    header: str
    tree: cst.Module
    node: cst.FunctionDef
    root: NodePath

    @property
    def text(self) -> bytes:
        """The function's bytes as they stand in the file."""
        return self.source[self.start : self.end]

    @property
    def lines_above(self) -> int:
        """How many lines of header the tree has above the function's text."""
        return len(_NEWLINES.findall(self.header))

    def line_of(self, offset_line: int) -> int:
        """Line in the file of a line (from 1) of the function's text."""
        return self.function.first_line + offset_line - 1


def reopen(scope: EditScope, text: bytes) -> EditScope | Rejected:
    """The function with another text in its place, without reading the rest of its file once more."""
    source = scope.source[: scope.start] + text + scope.source[scope.end :]
    return _open(scope.function, scope.node.name.value, source, scope.start, scope.start + len(text), scope.encoding)


DEEPEST = 300
"""Levels of nodes in one function. Trees are walked by recursion, which the interpreter bounds."""


def open_scope(source: bytes, span: FunctionSpan) -> EditScope | Rejected:
    """Parse one function of a file. Refuses what does not print back byte for byte.

    The text is handed to the parser in this process: whoever cannot vouch for it has it checked in a
    child process first.
    """
    return _open(span.function, span.name, source, span.start, span.end, span.encoding)


def _open(function: FunctionId, name: str, source: bytes, start: int, end: int, encoding: str) -> EditScope | Rejected:
    raw = source[start:end]
    where = f"{function.path}:{function.first_line}"
    try:
        text = raw.decode(encoding)
        survives = text.encode(encoding) == raw
    except UnicodeError as problem:
        return Rejected(RejectReason.UNPARSEABLE, f"{where} is not valid {encoding}: {problem}")
    line_end = _NEWLINES.search(text) or _NEWLINES.search(source.decode("latin-1"))
    newline = line_end.group() if line_end else "\n"
    try:
        header, tree = _parse_function(text, newline)
        survives = survives and tree.code == header + text
    except (cst.ParserSyntaxError, RecursionError, ValueError) as problem:
        return Rejected(RejectReason.UNPARSEABLE, f"{where}: {problem}")
    if not survives:
        return Rejected(RejectReason.UNPARSEABLE, f"{function.qualname} at {where} does not survive parse and print")
    if _depth(tree) > DEEPEST:
        return Rejected(RejectReason.UNPARSEABLE, f"{function.qualname} at {where} is nested too deeply")
    found = _only_function(tree, len(_NEWLINES.findall(header)))
    if found is None or found[1].name.value != name:
        return Rejected(RejectReason.NOT_FOUND, f"the lines at {where} are not the function {name!r} alone")
    root, node = found
    return EditScope(function, source, start, end, encoding, newline, header, tree, node, root)


def _depth(tree: cst.CSTNode) -> int:
    level, depth = [tree], 0
    while level:
        level, depth = [child for node in level for _, child in steps(node)], depth + 1
    return depth


_NEWLINES = re.compile(r"\r\n|\n|\r")


def _parse_function(text: str, newline: str) -> tuple[str, cst.Module]:
    """The header and the tree of header and text.

    The parser takes the first indentation that it meets for the file's unit and prints new blocks with it. So a
    function two levels deep needs two headers, or its new blocks would be twice as deep.
    """
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    header = f"if 1:{newline}" if indent else ""
    tree = cst.parse_module(header + text)
    found = _only_function(tree, 1) if header else None
    # How much deeper the body of the function in the header's block is than the function.
    unit = found[1].body.indent if found and isinstance(found[1].body, cst.IndentedBlock) else None
    if not unit or unit == indent or unit * (len(indent) // len(unit)) != indent:
        return header, tree
    header = "".join(f"{unit * level}if 1:{newline}" for level in range(len(indent) // len(unit)))
    return header, cst.parse_module(header + text)


def _only_function(tree: cst.CSTNode, levels: int) -> tuple[NodePath, cst.FunctionDef] | None:
    """The function and its path, when nothing else is in the tree."""
    match tree:
        case cst.Module(body=[only]) | cst.IndentedBlock(body=[only]):
            if not levels:
                return (("body", 0), only) if isinstance(only, cst.FunctionDef) else None
            if isinstance(only, cst.If) and only.orelse is None:
                found = _only_function(only.body, levels - 1)
                return found and (("body", 0, "body", *found[0]), found[1])
    return None
