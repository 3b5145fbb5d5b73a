"""One function's text from one version of a file into another."""

from __future__ import annotations

from analysis.errors import TargetError
from analysis.functions import FunctionSpan, find_function, functions_of


def transplant_function(path: str, qualname: str, into: bytes, source: bytes) -> bytes:
    """``into`` with the function's text, decorators included, from ``source``, in its own line endings.

    Raises ``TargetError`` where either file has no such function, both have the same text, or the indentation differs.
    """
    ours, theirs = _function(path, qualname, into), _function(path, qualname, source)
    text, replaced = source[theirs.start : theirs.end], into[ours.start : ours.end]
    text = _with_newlines_of(replaced, text)
    if text.rstrip() == replaced.rstrip():
        raise TargetError(f"{qualname} is the same in both", where=path)
    if _indentation(text) != _indentation(replaced):
        raise TargetError(f"{qualname} is indented differently in both", where=path)
    return into[: ours.start] + text + into[ours.end :]


def _function(path: str, qualname: str, source: bytes) -> FunctionSpan:
    found = find_function(functions_of(path, source), qualname)
    if found is None:
        raise TargetError(f"There is no function {qualname}", where=path)
    return found


def _with_newlines_of(model: bytes, text: bytes) -> bytes:
    newline = b"\r\n" if b"\r\n" in model else b"\n"
    lines = text.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    return newline.join(lines) + (newline if model.endswith(b"\n") else b"")


def _indentation(text: bytes) -> bytes:
    return text[: len(text) - len(text.lstrip(b" \t"))]
