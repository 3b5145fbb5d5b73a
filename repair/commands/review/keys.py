"""The keys of a review: one for each deed, the same on the screen and line by line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReviewKey:
    """One key, what its line at the foot calls it, and what it does. With ``asks`` a text is asked for first."""

    key: str
    word: str
    does: str
    asks: str = ""


KEYS = (
    ReviewKey("a", "apply", "The patch is right: write it into the project"),
    ReviewKey("c", "commit", "The patch is right: write it, and commit exactly its files"),
    ReviewKey("e", "edit", "Change it in your editor ($VISUAL, $EDITOR), and have it judged again"),
    ReviewKey("r", "reject", "The patch is wrong; you are asked why", asks="Why is it wrong?"),
    ReviewKey("n", "another", "Look at another patch; where the run has no more, look for one"),
    ReviewKey("h", "hand on", "Write a brief for an expert", asks="To whom?"),
    ReviewKey("1", "this patch", "The question's first reading is right: judge again with that answer"),
    ReviewKey("2", "otherwise", "The question's other reading is right: judge again with that answer"),
    ReviewKey("v", "all", "Everything that is known, or one screen of it"),
    ReviewKey("l", "list", "All patches of the run"),
    ReviewKey("?", "help", "These lines"),
    ReviewKey("q", "quit", "Leave; what was decided stays"),
)

FOOT = "a apply  c commit  e edit  r reject  n another  h hand on  12 answer  ? help"
"""The line at the foot of a screen: 80 columns take it."""


def help_lines() -> tuple[str, ...]:
    """What each key does."""
    return (*(f"{each.key:>2}  {each.does}" for each in KEYS), " +  the next patch of the run, - the one before")
