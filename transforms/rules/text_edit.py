"""Whether an edit only touches text: strings, how values are formatted into them, how they are stripped and joined."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analysis.function_text import last_name
from transforms.patch.statement_diff import Change, ChangeKind, is_simple

_TEXT_CALLS = ("format", "join", "strip", "lstrip", "rstrip", "round", "replace", "ljust", "rjust", "zfill", "title")


def is_text_only(changes: Sequence[Change]) -> bool:
    """The same statements, differing only inside strings, formatting and the arguments of text methods."""
    for change in changes:
        if change.kind is not ChangeKind.EDITED or change.old is None or change.new is None:
            return False
        if not is_simple(change.old) or type(change.old) is not type(change.new):
            return False
        if _without_text(change.old) != _without_text(change.new):
            return False
    return True


def _without_text(node: object) -> object:
    """The tree as nested tuples with every text, and what only shapes text, replaced by one mark."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return "text"
        case ast.BinOp(left=ast.Constant(value=str()) | ast.JoinedStr(), op=ast.Mod()):
            return "text"
        case ast.Call(func=ast.Attribute(value=value)) if last_name(node.func) in _TEXT_CALLS:
            return "text" if _without_text(value) == "text" else _without_text(value)
        case ast.Call(func=ast.Name(id="round" | "str" | "format" | "repr"), args=[value, *_]):
            return _without_text(value)
        case ast.AST():
            return (type(node).__name__, *(_without_text(v) for _, v in ast.iter_fields(node)))
        case list():
            return tuple(_without_text(v) for v in node)
    return repr(node)
