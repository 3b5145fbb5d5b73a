"""Words that a project's own commits put into its functions: names, texts and small expressions, with when and where.

Half of what a fix needs stands nowhere near the fault (Yang et al., 2021). A project's history brings the same words
again in other places.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

LONGEST = 60
"""Characters of a word; a longer one is hardly needed twice."""

HALF_LIFE_DAYS = 365.0
"""After so many days a word counts half."""

OWN_MODULE = 3.0
"""So many times more counts a word that was put into the same file."""

_TELLING = (
    ast.Name,
    ast.Attribute,
    ast.Call,
    ast.Compare,
    ast.BoolOp,
    ast.Subscript,
    ast.BinOp,
    ast.UnaryOp,
    ast.Constant,
)
_BUILTINS = frozenset(dir(builtins))
_COMMON = (None, "", 0, 1, -1, 2)
"""Constants that operators bring; ``True`` and ``False`` are equal to two of them."""


@dataclass(frozen=True, slots=True)
class HistoryWord:
    """One word: the file that it was put into last, on which ``day`` (from 1970), and how often it was put anywhere."""

    text: str
    module: str
    day: int
    count: int = 1


def words_added(before: str, after: str) -> tuple[str, ...]:
    """The words of a function's text that its text before a change had not; none where a text is no function."""
    known = set(_words(before))
    return tuple(dict.fromkeys(word for word in _words(after) if word not in known))


def merge_words(words: Iterable[HistoryWord], most: int) -> tuple[HistoryWord, ...]:
    """Each word once, by how much it counts on the last of their days; at most so many."""
    found: dict[str, HistoryWord] = {}
    for each in words:
        known = found.setdefault(each.text, HistoryWord(each.text, each.module, each.day, 0))
        newest = max(known, each, key=lambda word: word.day)
        found[each.text] = HistoryWord(each.text, newest.module, newest.day, known.count + each.count)
    return rank_words(found.values(), "", max((each.day for each in found.values()), default=0))[:most]


def rank_words(words: Iterable[HistoryWord], module: str, today: int) -> tuple[HistoryWord, ...]:
    """The words for a function of the module, those first that were put in often, lately, and into the same file."""

    def worth(word: HistoryWord) -> float:
        age = max(0, today - word.day)
        near = OWN_MODULE if word.module == module else 1.0
        return float(near * (1 + word.count) ** 0.5 * 0.5 ** (age / HALF_LIFE_DAYS))

    return tuple(sorted(words, key=lambda word: (-worth(word), word.text)))


def fresh_words(words: Sequence[HistoryWord], known: Collection[str]) -> tuple[str, ...]:
    """The texts of those words that a search does not have anyway."""
    return tuple(each.text for each in words if each.text not in known)


def _words(function: str) -> Iterator[str]:
    try:
        tree = ast.parse(textwrap.dedent(function))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, _TELLING) and id(node) not in documents and _is_read(node):
            text = ast.unparse(node)
            if len(text) <= LONGEST and "\n" not in text and text.isprintable():
                yield text


def _is_read(node: ast.AST) -> bool:
    """Whether it gives a value that a search has not anyway: no target, no built-in name, no ``None``, no ``1``."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return False
    if isinstance(node, ast.Constant) and (node.value in _COMMON or node.value is ...):
        return False
    if isinstance(node, ast.Name) and node.id in _BUILTINS:
        return False
    return isinstance(getattr(node, "ctx", None), (ast.Load, type(None)))
