"""Exception handlers that a function newly has, and that let nothing of the exception out."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass

from analysis.function_text import FunctionNode, Unreadable, own_nodes, parse_function

_ABSENT = ("ImportError", "ModuleNotFoundError")
"""Whether these come depends on what is installed: no test can ask for both."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One ``except`` clause: what it catches, and its lines, counted from the first of the function's text."""

    caught: str
    first: int
    last: int

    def has_run(self, executed: Set[int]) -> bool:
        """Whether an exception ever came to it."""
        return any(line in executed for line in range(self.first, self.last + 1))


def new_handlers(old: str, new: str) -> tuple[Handler, ...]:
    """Handlers of the new text that the old one does not have and that do not raise; none where one cannot be read."""
    before, after = parse_function(old), parse_function(new)
    if isinstance(before, Unreadable) or isinstance(after, Unreadable):
        return ()
    known = Counter(map(ast.unparse, _handlers(before)))
    found = []
    for handler in _handlers(after):
        text = ast.unparse(handler)
        if known[text]:
            known[text] -= 1
            continue
        caught = ast.unparse(handler.type) if handler.type else "anything"
        if not isinstance(handler.body[-1], ast.Raise) and caught not in _ABSENT:
            found.append(Handler(caught, handler.lineno, handler.end_lineno or handler.lineno))
    return tuple(found)


def _handlers(function: FunctionNode) -> Iterator[ast.ExceptHandler]:
    """All of them in the order of the text."""
    return (node for node in own_nodes(function, ()) if isinstance(node, ast.ExceptHandler))
