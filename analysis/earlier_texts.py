"""What a function was before the change that broke it: which patch gives an earlier text of it back.

Texts are compared as programs: comments, quotes, blank lines and the docstring do not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from analysis.errors import UnparseableError
from analysis.facts import FunctionId
from analysis.function_text import Unreadable, parse_function, without_docstring
from analysis.functions import functions_of, span_of


@dataclass(frozen=True, slots=True)
class EarlierText:
    """A function as some commit had it: its lines, printed anew."""

    commit: str
    lines: tuple[str, ...]


def earlier_texts(
    function: FunctionId, old: bytes, versions: Sequence[tuple[str, bytes]], *, whole: bool
) -> tuple[EarlierText, ...]:
    """The unlike texts that the function had before ``old``, the newest first.

    ``versions`` are the file's contents by commit, the newest first, and ``whole`` says that there are no others. A
    version that is not known to be earlier than ``old`` gives none: a later one may hold the very patch.
    """
    now = printed(old)
    found = [EarlierText(commit, lines) for commit, content in versions if (lines := _printed_in(content, function))]
    if not now or not found:
        return ()
    held = next((place for place, each in enumerate(found) if each.lines == now), None)
    if held is None and not whole:
        return ()
    earlier = found[held:] if held is not None else found
    unlike = {each.lines: each for each in reversed(earlier) if each.lines != now}
    return tuple(each for each in earlier if unlike.get(each.lines) is each)


def gives_back(old: Sequence[str], new: Sequence[str], earlier: Sequence[EarlierText]) -> str:
    """The commit whose text the new one is, or whose text it takes a part of right before the latest change.

    Empty where it is none. Example: a commit made ``<`` out of ``<=`` and renamed a variable. The patch only makes
    ``<=`` of it again.
    """
    same = next((each.commit for each in earlier if each.lines == tuple(new)), "")
    if same or not earlier:
        return same
    made, undone = set(_replacements(old, new)), set(_replacements(old, earlier[0].lines))
    return earlier[0].commit if made and made <= undone else ""


def printed(text: bytes) -> tuple[str, ...]:
    """The lines of a function's text, printed anew; none where it cannot be read or printed."""
    node = parse_function(text.decode("utf-8", "replace"))
    if isinstance(node, Unreadable):
        return ()
    node.body = without_docstring(node.body) or [ast.Pass()]
    try:
        return tuple(ast.unparse(node).splitlines())
    except (ValueError, RecursionError, MemoryError):  # a sum of 400 terms is too deep
        return ()


def _printed_in(content: bytes, function: FunctionId) -> tuple[str, ...]:
    try:
        span = span_of(functions_of(function.path, content), function)
    except UnparseableError:
        return ()
    return printed(content[span.start : span.end]) if span is not None else ()


def _replacements(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Which lines stand for which, run by run."""
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield tuple(old[i:j]), tuple(new[k:m])
