"""What an edit is refused for before anything is run: its size, its form, and what the prompt would give away by it."""

from __future__ import annotations

from collections.abc import Set

from corpora.tuning.leaks import TaskText, find_leak
from corpora.tuning.prompt_text import PromptEdit, apply_edit, holes, normal_form, sentences

MOST_WORDS, MOST_CHARACTERS = 40, 240
MOST_WORDS_BOLD, MOST_CHARACTERS_BOLD = 80, 480
GROWTH = 0.10
"""Of the first prompt: so much longer may all edits together make it, or by one edit where that is more."""


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
    return find_leak(after, tasks, first)


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
