"""How patiently a model is asked about one function, by the kind of error: a table, and nothing else.

A rung is a thread of two requests at most. The kinds differ in how often a mend is missed and then found. A missing
name is mended at once or never; a wrong value may need other facts. What no edit can answer is not asked about.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.exception_kinds import Subclass
from analysis.facts import Diagnosis, FailureClass
from repair.model.reply import UnusableKind


@dataclass(frozen=True, slots=True)
class Ladder:
    """The bounds of one conversation.

    - ``attempts`` are edits of one function that come to be tried; a doubt of the judge allows one more.
    - After ``unchanged`` edits in a row that leave the same tests failing, a fresh thread gets other facts. After twice
      as many the function is written anew.
    - ``temperatures`` are those of the threads, in turn; the last is that of all further ones.
    - ``begins_anew`` says that there is no text to edit, so that the function is written anew at once.
    """

    attempts: int = 5
    unchanged: int = 2
    temperatures: tuple[float, ...] = (0.0, 0.7, 1.0)
    begins_anew: bool = False

    @property
    def requests(self) -> int:
        """How many requests there are at most, with those whose reply cannot be used."""
        return self.attempts + MOST_WASTED


MOST_WASTED = 2
"""Replies about one function that may be of no use."""

USUAL = Ladder()

NOTHING = Ladder(attempts=0)
"""Of what no edit of a function can answer."""

BY_SUBCLASS: dict[Subclass, Ladder] = {
    Subclass.NAME: Ladder(attempts=3, unchanged=1),
    Subclass.UNBOUND: Ladder(attempts=3, unchanged=1),
    Subclass.IMPORT: Ladder(attempts=3, unchanged=1),
    Subclass.ATTRIBUTE: Ladder(attempts=4, unchanged=1),
    Subclass.DIVISION: Ladder(attempts=4, unchanged=1),
    Subclass.MESSAGE: Ladder(attempts=4),
    Subclass.TIMEOUT: Ladder(attempts=5, unchanged=1),
}

BY_CLASS: dict[FailureClass, Ladder] = {
    FailureClass.CONTRACT: Ladder(attempts=4),
    FailureClass.RUNTIME_SAFETY: USUAL,
    FailureClass.LOGIC: USUAL,
    FailureClass.FORMAT: Ladder(attempts=3, begins_anew=True),
    FailureClass.ENVIRONMENT: NOTHING,
    FailureClass.TEST_DEFECT: NOTHING,
}


def ladder_of(diagnosis: Diagnosis, *, is_stub: bool = False) -> Ladder:
    """The ladder for one failure: the subclass decides where it is listed, else the class.

    A function that is a stub has no text to edit: it is written anew at once, as one that could not be parsed.
    """
    whole = BY_CLASS[diagnosis.failure_class]
    if whole is not NOTHING and is_stub:
        return BY_CLASS[FailureClass.FORMAT]
    if whole is NOTHING or whole.begins_anew:
        return whole
    return next((ladder for name, ladder in BY_SUBCLASS.items() if name == diagnosis.subclass), whole)


UNREAD_PAUSES: dict[UnusableKind, tuple[float, ...]] = {UnusableKind.EMPTY: (1.0, 2.0, 4.0)}
"""Seconds before another request after so many replies in a row of that kind that could not be used.

A server that sends nothing may be busy. What a model wrote in a wrong form is its own, and waiting changes nothing.
"""

LAST_WORDS = frozenset({UnusableKind.HOSTILE})
"""Kinds of unusable replies that end the conversation at once, the model's turn with it."""
