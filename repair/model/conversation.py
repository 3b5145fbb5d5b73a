"""What is asked of a model next about one function: a pure machine over what was said, and what became of it.

A conversation is the tuple of its rounds, each one request with its end; from them alone the next step follows. Its
rules come from what is known of models that repair:

- Late turns of one thread are wasted (Adnan and Kuhn, "Measuring and mitigating debugging effectiveness decay", 2025).
  A thread has two turns at most. The next one is fresh: it has other facts, and one line for each earlier attempt.
- A reply that cannot be used costs one cheap turn in its thread.
- The same failure again makes the next request stricter. Failing tests that stay the same lead to other facts and a
  higher temperature. Then the function is written anew with its old text hidden, and then it is the end.
- Who says that another function is at fault ends the conversation about this one, for good.
- A doubt of the judge comes back once for each time that it is raised, whatever was asked before.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from repair.model.ladder import LAST_WORDS, UNREAD_PAUSES, Ladder
from repair.model.reply import UnusableKind
from repair.records.wording import count_noun

MOST_TURNS = 2
"""Requests in one thread."""

LEAST_BEFORE_ANEW = 2
"""Edits that are tried before a function is written anew because it is the last attempt."""


class Stage(enum.StrEnum):
    """Which facts a request brings.

    ``FIRST`` are those that suit the failure, ``LATER`` are others. With ``REGENERATE`` the body is written anew, and
    the old one is hidden. ``WHERE`` asks which function is at fault, and for an edit where it is the one shown. It
    has the other suspects beside the facts of ``FIRST``, so that the question costs no request of its own.
    """

    FIRST = "first"
    LATER = "later"
    REGENERATE = "regenerate"
    WHERE = "where"


class Stress(enum.StrEnum):
    """What a request says the more plainly for what came before."""

    NOTHING = ""
    SAME_FAILURE = "the same failure again"
    BROKE_OTHERS = "other tests break"
    DOUBTED = "the judge doubts it"
    REPEATED = "the same change again"
    UNREAD = "it cannot be used"
    NOT_THERE = "that function cannot be it"


@dataclass(frozen=True, slots=True)
class NextRequest:
    """One request is to be made: the ``turn`` of a ``thread``, both counted from 1, after a ``pause`` in seconds.

    The first turn of a thread is a fresh packet of its ``stage``; a later one answers what the model said before.
    """

    stage: Stage = Stage.FIRST
    thread: int = 1
    turn: int = 1
    stress: Stress = Stress.NOTHING
    temperature: float = 0.0
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more is asked about this function, and why; with ``silenced`` the model is asked about no other."""

    reason: str
    silenced: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """The reply could not be used, or its edit not be placed: nothing was run. ``kind`` is the reader's word."""

    kind: UnusableKind
    reason: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """It is the same change as one before, but for layout, and was not run. ``reason`` says which, and its end."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The edit was run. These of the failing tests still fail, ``broke`` are others; ``failure`` is what is seen.

    ``failure`` is free of what changes from run to run: equal texts are the same failure.
    """

    failing: frozenset[str]
    failure: str
    broke: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubted:
    """The edit passes its tests, and the judge does not certify it: the claim, with what would settle it."""

    claim: str
    witness: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """The model says that this other function is at fault, and it may be."""

    place: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NotThere:
    """The model says that another function is at fault, and that cannot be: the reason."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Passed:
    """The edit passes, and nobody has said anything against it yet."""


@dataclass(frozen=True, slots=True)
class Untried:
    """Nothing was heard of the edit: the search ended before it was tried, or tried to its end."""


End = Unread | Repeated | Failed | Doubted | Sent | NotThere | Passed | Untried


@dataclass(frozen=True, slots=True)
class Round:
    """One request and what came of it."""

    asked: NextRequest
    end: End


def next_step(
    rounds: Sequence[Round],
    ladder: Ladder,
    failing: frozenset[str],
    failure: str = "",
    *,
    is_close: bool = False,
) -> NextRequest | Over:
    """What follows on these rounds. ``failing`` are the tests to mend, ``failure`` what the unpatched program shows.

    Where it ``is_close`` which function is at fault, the first request asks for that, too.
    """
    if not ladder.attempts:
        return Over("no edit of a function answers such a failure", silenced=True)
    if not rounds:
        first = Stage.REGENERATE if ladder.begins_anew else Stage.WHERE if is_close else Stage.FIRST
        return NextRequest(first, temperature=ladder.temperatures[0])
    last = rounds[-1]
    if isinstance(last.end, Sent):
        return Over(f"the model says that {last.end.place} is at fault")
    if isinstance(last.end, Unread) and last.end.kind in LAST_WORDS:
        return Over(f"the model's reply ends its turn: {last.end.reason}", silenced=True)
    if isinstance(last.end, Passed):
        return Over("its last edit passes")
    if isinstance(last.end, Untried):
        return Over("its last edit was not tried to its end")
    stress = _stress(rounds, failure)
    if isinstance(last.end, Doubted):
        return _follow(rounds, ladder, stress)
    if _is_asked_about_doubt(rounds):
        if isinstance(last.end, Repeated):
            return Over("its author stands by the change that is in doubt")
        return _mend_form(rounds, ladder, stress) or Over("the doubt was asked about, and the answer fails")
    tried = sum(not isinstance(each.end, Unread | NotThere) for each in rounds)
    if tried >= ladder.attempts or len(rounds) >= ladder.requests:
        return Over(f"{count_noun(tried, 'edit')} in {count_noun(len(rounds), 'request')} did not mend it")
    if last.asked.stage is Stage.REGENERATE:
        anew = _mend_form(rounds, ladder, stress)
        if anew is None and ladder.begins_anew:
            anew = _follow(rounds, ladder, stress)
        return anew or Over("it was written anew, and fails")
    unchanged = _count_unchanged(rounds, failing)
    is_last = tried == ladder.attempts - 1 >= LEAST_BEFORE_ANEW
    if unchanged >= 2 * ladder.unchanged or is_last:
        return _begin(rounds, ladder, Stage.REGENERATE, stress)
    if unchanged and unchanged % ladder.unchanged == 0 and not isinstance(last.end, Unread | NotThere):
        return _begin(rounds, ladder, Stage.LATER, stress)
    return _follow(rounds, ladder, stress)


def _follow(rounds: Sequence[Round], ladder: Ladder, stress: Stress) -> NextRequest:
    """The second turn of the thread, or a fresh one where that was taken."""
    last = rounds[-1].asked
    if last.turn >= MOST_TURNS:
        stage = Stage.REGENERATE if last.stage is Stage.REGENERATE else Stage.LATER
        return _begin(rounds, ladder, stage, stress)
    return NextRequest(last.stage, last.thread, last.turn + 1, stress, last.temperature, _pause(rounds))


def _begin(rounds: Sequence[Round], ladder: Ladder, stage: Stage, stress: Stress) -> NextRequest:
    """The first turn of a fresh thread."""
    thread = rounds[-1].asked.thread + 1
    temperature = ladder.temperatures[min(thread, len(ladder.temperatures)) - 1]
    return NextRequest(stage, thread, 1, stress, temperature, _pause(rounds))


def _mend_form(rounds: Sequence[Round], ladder: Ladder, stress: Stress) -> NextRequest | None:
    """The second turn, where the last reply could merely not be used and its thread has one left."""
    last = rounds[-1]
    is_form = isinstance(last.end, Unread | NotThere | Repeated)
    return _follow(rounds, ladder, stress) if is_form and last.asked.turn < MOST_TURNS else None


def _is_asked_about_doubt(rounds: Sequence[Round]) -> bool:
    """Whether some round before the last one ended in a doubt."""
    return any(isinstance(each.end, Doubted) for each in rounds[:-1])


def _count_unchanged(rounds: Sequence[Round], failing: frozenset[str]) -> int:
    """How many edits in a row, up to the last one, have left all of these tests failing."""
    count = 0
    for each in reversed(rounds):
        match each.end:
            case Failed(still, _, broke):
                if still != failing or broke:
                    break
                count += 1
            case Repeated():
                count += 1
            case _:
                continue
    return count


def _stress(rounds: Sequence[Round], failure: str) -> Stress:
    match rounds[-1].end:
        case Failed(_, seen, broke):
            before = [each.end.failure for each in rounds[:-1] if isinstance(each.end, Failed)]
            if seen and seen in (failure, *before):
                return Stress.SAME_FAILURE
            return Stress.BROKE_OTHERS if broke else Stress.NOTHING
        case Doubted():
            return Stress.DOUBTED
        case Repeated():
            return Stress.REPEATED
        case NotThere():
            return Stress.NOT_THERE
        case Unread():
            return Stress.UNREAD
        case _:
            return Stress.NOTHING


def _pause(rounds: Sequence[Round]) -> float:
    """Seconds to wait, for so many unusable replies of one kind in a row."""
    last = rounds[-1].end
    if not isinstance(last, Unread):
        return 0.0
    pauses, row = UNREAD_PAUSES.get(last.kind, (0.0,)), 0
    for each in reversed(rounds):
        if not (isinstance(each.end, Unread) and each.end.kind == last.kind):
            break
        row += 1
    return pauses[min(row, len(pauses)) - 1]
