"""Where the words and the pieces of code that a change brings stood before it."""

from __future__ import annotations

import builtins
import keyword
from collections import Counter
from collections.abc import Iterator, Sequence

from corpora.lab.learning.producing import Wanted
from corpora.lab.learning.seen import Origin, sum_by_key
from corpora.lab.learning.squashed import squash, words_of
from transforms.enumerate.order import NEW, place_of_ingredient
from transforms.ingredients.word_counts import Ingredient

PIECES = ("statements", "conditions", "calls", "expressions", "attributes")
"""Kinds of ingredients that are more than one word, the largest first."""

SHORTEST_PIECE = 5

_OWN = frozenset((*dir(builtins), *keyword.kwlist, "self", "cls"))


def origins(goal: Wanted) -> tuple[Origin, ...]:
    """The origin of each word that the new text brings, and of the largest piece of each kind."""
    old, new = (words_of(text) for text in (goal.scope.tree.code, goal.text))
    start, end = _differing_words(old, new)
    removed = Counter(old[start : len(old) - end])
    found: list[Origin] = []
    for at in range(start, len(new) - end):
        if removed[new[at]]:
            removed[new[at]] -= 1
        else:
            found += _origins_of_word(goal, new, at)
    added, gone = squash(" ".join(new[start : len(new) - end])), squash(" ".join(old[start : len(old) - end]))
    return (*found, *_pieces(goal, added, gone))


def _differing_words(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many words are alike at the beginning, and how many at the end."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    return start, next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)


def _origins_of_word(goal: Wanted, words: Sequence[str], at: int) -> Iterator[Origin]:
    word, before, behind = words[at], words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    for kind in _kinds(word, before, behind):
        found = origin(kind, word, getattr(goal.near.ingredients, kind))
        if found is not None:
            yield found
            return
    kind = next(iter(_kinds(word, before, behind)), "")
    if kind:
        yield Origin(kind, NEW)


def _kinds(word: str, before: str, behind: str) -> tuple[str, ...]:
    """The kinds of ingredients that the word may be, by what stands around it; none for what is no ingredient."""
    if word[0].isdigit():
        return ("numbers",)
    if word[-1] in "'\"":
        return ("strings",)
    if not word.isidentifier() or behind == "=":  # a target, or the keyword of an argument
        return ()
    if before == ".":
        return ("methods", "attribute_names") if behind == "(" else ("attribute_names",)
    if before in ("raise", "except"):
        return ("exceptions",)
    if word in _OWN:
        return ()
    return ("callables", "names") if behind == "(" else ("names", "constants", "callables")


def origin(kind: str, text: str, table: Sequence[Ingredient]) -> Origin | None:
    """Where the text stands in the table of its kind; ``None`` where it does not."""
    wanted = squash(text)
    item = next((i for i in table if i.text == text or squash(i.text) == wanted), None)
    if item is None:
        return None
    total = sum(i.weight for i in table)
    expected = sum_by_key((place_of_ingredient(i.distance, i.times), i.weight / total) for i in table)
    return Origin(kind, place_of_ingredient(item.distance, item.times), expected)


def _pieces(goal: Wanted, added: str, gone: str) -> Iterator[Origin]:
    for kind in PIECES:
        table: tuple[Ingredient, ...] = getattr(goal.near.ingredients, kind)
        texts = ((squash(i.text), i.text) for i in table)
        held = [(short, text) for short, text in texts if short in added and short not in gone]
        short, text = max(held, key=lambda pair: len(pair[0]), default=("", ""))
        found = origin(kind, text, table) if len(short) >= SHORTEST_PIECE else None
        if found is not None:
            yield found
