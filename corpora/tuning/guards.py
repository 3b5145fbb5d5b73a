"""What an edit is refused for before anything is run: its size, and text of the tasks that it would give away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass

from corpora.json_lines import JsonRecord
from corpora.tuning.prompt_text import PromptEdit, apply_edit, holes, normal_form, sentences

MOST_WORDS, MOST_CHARACTERS = 40, 240
MOST_WORDS_BOLD, MOST_CHARACTERS_BOLD = 80, 480
GROWTH = 0.10
"""Of the first prompt: so much longer may all edits together make it, or by one edit where that is more."""
GRAM = 5
COMMON = 3
"""A plain word that so many projects use is anybody's, and gives none of them away."""

_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W\d]\w*(?:[.-]\w+)*")
_CODE = re.compile(r"[_.\d-]|[a-z][A-Z]")
_DEFINED = re.compile(r"\b(?:def|class|import|from)\s+([\w.]+)|\b(\w+)\s*(?:\(|=(?!=))")
_LITERAL = re.compile(r"\"([^\"\n]{2,80})\"|'([^'\n]{2,80})'|`([^`\n]{2,80})`|(?<![\w.])(\d[\d_.]+)(?!\w)")


@dataclass(frozen=True, slots=True)
class TaskText(JsonRecord):
    """What edits must not give away of the tasks: runs of five words, names that they define, and literals."""

    called = "the text of the tasks"
    grams: tuple[str, ...]
    names: tuple[str, ...]
    literals: tuple[str, ...]


def read_tasks(texts: Iterable[str], names: Iterable[str] = ()) -> TaskText:
    """The words of all tasks, a text for each project.

    ``names`` are further ones that nobody may say, such as functions that are required.
    """
    grams: set[str] = set()
    known, literals = set[str](), set[str]()
    uses: Counter[str] = Counter()
    for text in texts:
        uses.update({word.casefold() for word in _WORD.findall(text) if word.isalpha()})
        grams.update(_grams(text))
        known.update(_plain(word) for word in _NAME.findall(text) if _CODE.search(word.strip(".-")))
        known.update(_plain(part) for found in _DEFINED.findall(text) for word in found for part in word.split("."))
        literals.update(_literals(text))
    common = {word for word, count in uses.items() if count >= COMMON}
    names_of = sorted(word for word in (known - common) | {_plain(name) for name in names} if len(word) >= 4)
    return TaskText(tuple(sorted(grams)), tuple(names_of), tuple(sorted(literals - common)))


def find_leak(text: str, tasks: TaskText, known: str) -> str:
    """What the text gives away of a task, as a clause; empty where that is nothing.

    What stands in ``known``, the first prompt, is no secret.
    """
    if shared := sorted((_grams(text) & set(tasks.grams)) - _grams(known)):
        return f"it repeats words of a task: {shared[0]!r}"
    said = {_plain(word) for word in [*_NAME.findall(text), *_WORD.findall(text)]}
    public = {_plain(word) for word in [*_NAME.findall(known), *_WORD.findall(known)]}
    if shared := sorted((said & set(tasks.names)) - public):
        return f"it names what a task names: {shared[0]!r}"
    spoken = _plain(text)
    told = (word for word in tasks.literals if len(_plain(word)) >= 6 and _plain(word) in spoken)
    if shared := sorted({*(_literals(text) & set(tasks.literals)), *told} - _literals(known)):
        return f"it has a value of a task: {shared[0]!r}"
    return ""


def find_breach(edit: PromptEdit, body: str, first: str, tasks: TaskText, refused: Set[str], *, bold: bool) -> str:
    """Why the edit is not tried, as a clause; empty where it may be.

    ``first`` is the prompt at the beginning, ``refused`` the normal forms of earlier edits. Larger edits are allowed
    where the campaign has come to a plateau and says so (``bold``).
    """
    words, letters = (MOST_WORDS_BOLD, MOST_CHARACTERS_BOLD) if bold and edit.bold else (MOST_WORDS, MOST_CHARACTERS)
    try:
        after = apply_edit(body, edit)
    except ValueError as problem:
        return str(problem)
    if edit.bold and not bold:
        return "bolder edits are for a plateau"
    if edit.kind == "delete":
        if edit.text:
            return "a deletion has no text"
        if len(sentences(body)) == 1:
            return "the last sentence stays"
    elif breach := _size_problem(edit.text, words, letters, several=edit.bold):
        return breach
    if holes(after) != holes(body):
        return "what is filled in has to stay as it is"
    if after == body:
        return "it changes nothing"
    most = len(first) + max(GROWTH * len(first), MOST_CHARACTERS)
    if len(after) > most and len(after) > len(body):
        return f"the prompt would grow to {len(after)} characters; {most:.0f} are allowed"
    if normal_form(edit, body) in refused:
        return "it was tried before"
    return find_leak(edit.text, tasks, first)


def _size_problem(text: str, words: int, letters: int, *, several: bool) -> str:
    if not text.strip() or not any(c.isalpha() for c in text):
        return "it has no words"
    if not all(c.isprintable() or c == " " for c in text):
        return "it has characters that nobody sees"
    if len(text) > letters:
        return f"it has {len(text)} characters; {letters} are allowed"
    if len(text.split()) > words:
        return f"it has {len(text.split())} words; {words} are allowed"
    if text.lstrip().startswith(("#", "```", "~~~")):
        return "a heading or fence is no sentence"
    return "" if several or len(sentences(text)) <= 1 else "it has several sentences"


def _plain(word: str) -> str:
    return "".join(c for c in word.casefold() if c.isalnum())


def _grams(text: str) -> frozenset[str]:
    words = _WORD.findall(text.casefold())
    return frozenset(" ".join(words[n : n + GRAM]) for n in range(len(words) - GRAM + 1))


def _literals(text: str) -> frozenset[str]:
    found = ("".join(groups).strip().casefold().strip(".") for groups in _LITERAL.findall(text))
    return frozenset(word for word in found if len(word) >= 2)
