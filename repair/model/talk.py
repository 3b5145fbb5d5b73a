"""One conversation as it stands: its rounds, the turns of its thread, and the edit that is being tried.

What is asked next follows from the rounds alone (`repair/model/conversation.py`). Here is kept what a turn is made of.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from analysis.facts import FailureClass, FunctionId
from analysis.failure import stable_message
from repair.model.backend import Message
from repair.model.conversation import Doubted, End, Failed, NextRequest, Passed, Repeated, Round, Sent, Unread, Untried
from repair.model.feedback import one_line
from repair.model.patterns import Pattern
from repair.model.reply import UnusableKind
from repair.records.result import ModelAttempt
from repair.records.task import Attempt, kind_of_words
from transforms.tree.proposal import EditKind

MOST_KEPT = 20_000
"""Characters of a prompt or a reply that are kept with an attempt; the record of the requests has all of it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request with its reply, and what was read of it.

    ``text`` is the function with the edit, ``elsewhere`` a function that the reply names beside its edit, with the
    reason.
    """

    asked: NextRequest
    messages: tuple[Message, ...]
    reply: str
    kind: str = ""
    why: str = ""
    reasoning: str = ""
    text: str = ""
    elsewhere: Sent | None = None
    category: str = ""
    """The kind of failure, of the closed list, that the model says it is; empty where it was not asked."""
    model: str = ""


@dataclass(slots=True)
class Talk:
    """The conversation about one function for the failing tests of one cause."""

    tests: tuple[str, ...] = ()
    rounds: list[Round] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    """The normal form of each text that was proposed, and the number of its round, counted from 1."""
    about: FailureClass = FailureClass.LOGIC
    begins: int = 0
    """The number of the model that its first thread asks."""
    least: EditKind = EditKind.UPDATE
    """The smallest kind of edit that is taken next."""
    heard: int = 0
    """How many attempts of the search were heard of by now."""
    last: Attempt | None = None
    """What became of the last edit, where it was run."""
    words: tuple[str, ...] = ()
    """What the last reply names for a fix, until the search has it."""
    pattern: Pattern | None = None
    """What the model has said the failure is like, where no rule of ours knows it."""
    tried: Callable[[], Sequence[Attempt]] = tuple
    """What the search has told of edits by now."""

    def close(self, turn: Turn, end: End) -> None:
        """The turn is over, and ended so."""
        self.turns.append(turn)
        self.rounds.append(Round(turn.asked, end))
        self.last = None

    def propose(self, turn: Turn, heard: int) -> None:
        """The turn's edit is going to be tried; it counts as untried until something is heard."""
        self.close(turn, Untried())
        self.known[normal_form(turn.text)] = len(self.rounds)
        self.heard = heard

    def hear(self, attempts: Sequence[Attempt], own: object) -> None:
        """What became of the last edit of this function (``own``), by what was heard since it was proposed."""
        found = self._find_news(attempts, own)
        self.heard = len(attempts)
        if found is not None:
            self.last = found
            self.rounds[-1] = Round(self.rounds[-1].asked, self._end_of(found))

    def _find_news(self, attempts: Sequence[Attempt], own: object) -> Attempt | None:
        """The last that was heard of an edit that was proposed; ``None`` where nothing was."""
        new = [each for each in attempts[self.heard :] if each.function == own]
        is_open = bool(self.rounds) and isinstance(self.rounds[-1].end, Untried | Passed | Failed | Doubted)
        return new[-1] if new and is_open else None

    def _end_of(self, attempt: Attempt) -> End:
        end: End = end_of(attempt)
        named = self.turns[-1].elsewhere
        return named if isinstance(end, Failed) and named is not None else end

    def lines(self) -> tuple[str, ...]:
        """One line for each round, in order."""
        pairs = zip(self.turns, self.rounds, strict=True)
        return tuple(one_line(n, turn.kind, turn.why, r.end) for n, (turn, r) in enumerate(pairs, 1))

    def history(self, own: FunctionId) -> tuple[ModelAttempt, ...]:
        """All rounds as they are told with the result, with what was heard of the last one by now."""
        rounds, news = list(self.rounds), self._find_news(self.tried(), own)
        if news is not None:
            rounds[-1] = Round(rounds[-1].asked, self._end_of(news))
        return tuple(
            ModelAttempt(
                own.path,
                own.qualname,
                self.tests,
                round_.asked.stage.value,
                round_.asked.thread,
                round_.asked.turn,
                turn.kind,
                turn.why,
                turn.reasoning,
                *describe_end(round_.end),
                "\n\n".join(f"[{m.role}]\n{m.text}" for m in turn.messages)[:MOST_KEPT],
                turn.reply[:MOST_KEPT],
                turn.category,
                turn.model,
            )
            for turn, round_ in zip(self.turns, rounds, strict=False)  # a thread of the model may go on
        )


def kinds_that_worked(talks: Iterable[Talk], about: FailureClass) -> tuple[EditKind, ...]:
    """The kinds of edits that made tests pass which failed in this way; of several in one reply the largest."""
    found: list[EditKind] = []
    for talk in talks:
        for turn, round_ in zip(talk.turns, talk.rounds, strict=True) if talk.about is about else ():
            if turn.kind and isinstance(round_.end, Passed | Doubted):
                found.append(kind_of_words(turn.kind))
    return tuple(found)


def what_models_did(talks: Iterable[Talk], about: FailureClass) -> tuple[tuple[str, bool], ...]:
    """Each request about failures of this class, by the model that was asked, and whether its edit passed.

    What was not tried, or named another function, says nothing of a model.
    """
    return tuple(
        (turn.model, isinstance(round_.end, Passed | Doubted))
        for talk in talks
        for turn, round_ in (zip(talk.turns, talk.rounds, strict=False) if talk.about is about else ())
        if not isinstance(round_.end, Untried | Sent)
    )


def end_of(attempt: Attempt) -> Failed | Passed | Doubted | Repeated | Unread:
    """How the round of an attempt ended."""
    match attempt.state:
        case "passed":
            return Passed()
        case "doubted":
            return Doubted(attempt.doubt, attempt.witness, attempt.question)
        case "repeated":
            return Repeated(attempt.reason)
        case "refused":
            return Unread(UnusableKind.OUTSIDE, attempt.reason)
        case "failed":
            seen = stable_message(attempt.seen or attempt.reason)
            return Failed(frozenset(map(str, attempt.failing)), seen, tuple(map(str, attempt.broke)))


def normal_form(text: str) -> str:
    """The function without comments and layout; two texts with one normal form are the same program.

    The text was parsed before, where that could do no harm. What only a newer grammar reads is compared as it stands.
    """
    try:
        return ast.unparse(ast.parse(textwrap.dedent(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return " ".join(text.split())


def describe_end(end: End) -> tuple[str, str]:
    """How a round ended in one word, and the reason."""
    match end:
        case Failed(_, failure, broke):
            return "failed", "; ".join(filter(None, (failure, f"breaks {', '.join(broke)}" if broke else "")))
        case Doubted(claim, witness, question):
            return "doubted", "; ".join(filter(None, (claim, witness, question)))
        case Repeated(reason):
            return "repeated", reason
        case Unread(kind, reason):
            return kind.value, reason
        case Sent(place, reason):
            return "elsewhere", f"{place}: {reason}"
        case Passed():
            return "passed", ""
        case Untried():
            return "not tried", "the search ended before its edit was tried to the end"
        case _:
            return "not there", f"{end.name}: {end.reason}"
