"""A second opinion: a model that does not see the patch mends the same function, and the two are compared.

Rivals that a search finds show what the tests leave open, and little of what the author meant. A model reads names,
docstring and tests as a person does. So it is asked for its own fix of the function as it was before the patch. Its
edits are read, placed and tried as in a repair. One that passes is a rival; that it agrees certifies nothing.

The question is sent at the very start, and the gates work meanwhile. The reply is read only when it is waited for:
two threads that make syntax trees at once disturb each other.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeVar

from analysis.errors import OutOfTimeError
from analysis.facts import Files, FunctionId, Suspect, TestId
from analysis.functions import span_of
from repair.engine.diagnosing import Diagnosed
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.records.config import LONGEST_SECONDS
from repair.records.plan import covering_tests
from repair.records.ports import Adviser, Context, Proposer, SecondOpinion
from repair.records.result import ModelAttempt
from repair.records.task import Baseline, Budget, PatchPlan, Pause
from repair.records.wording import count_noun
from sandbox.deadline import Deadline
from transforms.rules.antipatterns import antipatterns
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Proposal

SECOND_SHARE = 0.7
"""Of the time that is left all second opinions may take a share; the rest is for comparing them with the patch."""

PREPARING_SHARE = 0.15
"""Of the time that is left then, how long a check waits at most until all questions are sent."""

ENDING_SHARE = 0.1
"""The last part of an opinion's time, in which no trial is begun: one that has begun may end."""

CLOSING_SECONDS = 3.0
"""How long a check waits at its end for the servers of opinions that it needs no more, while it has time."""

MOST_REASON = 240
"""Characters of a reason that are told."""

NO_FAILURE = "no failing test asks for the change, so the model was not asked"

NOT_RUN = "no failing test runs this function, so the model was not asked about it"

LATE = "it did not come in the time that is kept for it"

UNASKED = "no time was left to ask the model about it"

Answer = TypeVar("Answer")


class Asked(Protocol):
    """A second opinion that somebody was asked for."""

    def wait(self) -> SecondOpinion:
        """What it comes to, waited for no longer than its time lasts."""

    def drop(self) -> None:
        """Nobody waits for it any more: what runs for it is told to end."""

    def close(self, seconds: float) -> None:
        """Wait so long until nothing runs for it; it was dropped."""


@dataclass(frozen=True, slots=True)
class AskingTime:
    """How long an opinion may take, and how long whoever asks waits until its question is sent. In seconds."""

    seconds: float
    preparing: float


AskSecond = Callable[[SearchParts, Diagnosed, Files, FunctionId, AskingTime], "Asked | None"]
"""Asks for a fix of one function in this time; ``None`` where no model is named."""


def ask_second(
    parts: SearchParts, seen: Diagnosed, sources: Files, function: FunctionId, time: AskingTime
) -> Asked | None:
    """Ask the model of these parts for its own fix, and return when the question is sent.

    ``seen`` and ``sources`` are the program without the patch.
    """
    model = next((each for each in parts.proposers if isinstance(each, Adviser)), None)
    if model is None:
        return None
    if not _is_run(seen, function):
        return Given(SecondOpinion(silence=NOT_RUN))
    if min(time.seconds, time.preparing) <= 0:
        return Given(SecondOpinion(silence=UNASKED))
    under_way = OpinionUnderWay(time.seconds, parts.clock)
    seconds = (1 - ENDING_SHARE) * time.seconds
    under_way.begin(lambda: _find_fix(parts, model, seen, sources, function, seconds, under_way), time.preparing)
    return under_way


def _is_run(seen: Diagnosed, function: FunctionId) -> bool:
    span = span_of(seen.localized.index.get(function.path, ()), function)
    return span is not None and bool(covering_tests(seen.baseline.traced.line_map, seen.baseline.failing, span))


@dataclass(frozen=True, slots=True)
class Given:
    """An opinion that is there."""

    opinion: SecondOpinion

    def wait(self) -> SecondOpinion:
        """It."""
        return self.opinion

    def drop(self) -> None:
        """Nothing runs."""

    def close(self, seconds: float) -> None:
        """Nothing has to end."""


class SecondOpinions:
    """The second opinions of one check. They share one time, and a question that was asked is not asked again.

    A check that begins again, since a slow test was taken to hang, goes on with what it asked before. What it asked of
    other failing tests is dropped.
    """

    _asked: dict[tuple[FunctionId, tuple[TestId, ...]], Asked]

    def __init__(self, ask: AskSecond, parts: SearchParts, sources: Files, deadline: Deadline) -> None:
        self._ask, self._parts, self._sources, self._deadline = ask, parts, sources, deadline
        self._until: float | None = None
        self._asked = {}

    def __enter__(self) -> SecondOpinions:
        return self

    def __exit__(self, *_: object) -> None:
        self._drop([*self._asked.values()])

    def of(self, owned: Mapping[FunctionId, Diagnosed]) -> Mapping[FunctionId, Asked]:
        """Opinions on the functions for which a test fails, on their way; none where no model is named."""
        wanted = {(function, seen.baseline.failing): seen for function, seen in owned.items() if seen.baseline.failing}
        self._drop([self._asked.pop(each) for each in [*self._asked] if each not in wanted])
        clock, left = self._parts.clock, min(self._deadline.left, LONGEST_SECONDS)
        if self._until is None:
            self._until = clock() + SECOND_SHARE * left
        sent_by = clock() + PREPARING_SHARE * left
        found: dict[FunctionId, Asked] = {}
        for question, seen in wanted.items():
            function = question[0]
            time = AskingTime(self._until - clock(), sent_by - clock())
            opinion = self._asked.get(question) or self._ask(self._parts, seen, self._sources, function, time)
            if opinion is not None:
                found[function] = opinion
            if opinion is not None and not isinstance(opinion, Given):  # that one is made anew for nothing
                self._asked[question] = opinion
        return found

    def _drop(self, opinions: Sequence[Asked]) -> None:
        """End them all at once; none is waited for beyond the time of the whole run."""
        for each in opinions:
            each.drop()
        until = self._parts.clock() + min(CLOSING_SECONDS, self._deadline.left)
        for each in opinions:
            each.close(until - self._parts.clock())


class OpinionUnderWay:
    """Work on a second opinion in a thread of its own. It conforms to ``FurtherRuns``: dropped work is contradicted.

    The thread works only while somebody waits for it: until its first question is sent, and when its opinion is wanted.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock, self._until = clock, clock() + seconds
        self._sent, self._heard, self._done = threading.Event(), threading.Event(), threading.Event()
        self._dropped = False
        self._opinion = SecondOpinion(silence=LATE)

    def begin(self, work: Callable[[], SecondOpinion], preparing: float) -> None:
        """Begin the work, and wait until its question is sent, or it is over; after so many seconds it is dropped."""

        def run() -> None:
            try:
                self._opinion = work()
            except OutOfTimeError:
                pass  # it is as late as it is taken to be
            except Exception as problem:  # noqa: BLE001 - the edge of a thread: it costs the second opinion alone
                self._opinion = SecondOpinion(silence=f"it failed: {_one_line(str(problem))}")
            finally:
                self._done.set()
                self._sent.set()

        threading.Thread(target=run, daemon=True, name="second opinion").start()
        sent = False
        try:
            sent = self._sent.wait(_bound_wait(preparing))
        finally:
            if not sent:
                self.drop()

    def hold(self, ask: Callable[[], Answer]) -> Answer:
        """The answer, once somebody waits for the opinion. Raises ``OutOfTimeError`` where nobody will."""
        if self._dropped:
            raise OutOfTimeError("nobody waits for a second opinion")
        self._sent.set()
        answer = ask()
        self._heard.wait()
        if self._dropped:
            raise OutOfTimeError("nobody waits for a second opinion")
        return answer

    def is_contradicted(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._dropped

    def wider_baseline(self) -> Baseline | None:
        """Nothing more becomes known of the unpatched program."""
        return None

    def wait(self) -> SecondOpinion:
        """What it comes to; that it is late, where it is: then it works on no more."""
        self._heard.set()
        if self._done.wait(0.0 if self._dropped else _bound_wait(self._until - self._clock())):
            return self._opinion
        self._dropped = True
        return SecondOpinion(silence=LATE)

    def drop(self) -> None:
        """End the work, without waiting for that."""
        self._dropped = True
        self._heard.set()

    def close(self, seconds: float) -> None:
        """Wait until the work has ended; its servers are gone then, unless one hangs."""
        self._done.wait(_bound_wait(seconds))


def _bound_wait(seconds: float) -> float:
    """Seconds that a lock can be waited for."""
    return min(max(0.0, seconds), threading.TIMEOUT_MAX)


class _Author:
    """The model as a proposer of edits for one function, and for those that it names instead."""

    eager: ClassVar[bool] = False

    def __init__(self, model: Proposer, function: FunctionId) -> None:
        self.name = model.name
        self._model = model
        self._asked = [function]
        self.elsewhere = ""

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """The model's edits of the function; none of another that it did not name."""
        if plan.function not in self._asked:
            return
        for given in self._model.propose(plan, context):
            if isinstance(given, Pause) and given.elsewhere is not None:
                self.elsewhere = self.elsewhere or _one_line(given.said)
                self._asked.append(given.elsewhere)
            yield given


def _find_fix(
    parts: SearchParts,
    model: Adviser,
    seen: Diagnosed,
    sources: Files,
    function: FunctionId,
    seconds: float,
    under_way: OpinionUnderWay,
) -> SecondOpinion:
    """What the model makes of the function, tried as the edits of a repair are."""
    before = len(model.attempts)
    author = _Author(model.apart(under_way.hold), function)
    known = seen.localized.suspects
    own = next((s for s in known if s.function == function), Suspect(function, 1.0, ("a change edits it",)))
    suspects = (replace(own, suspiciousness=1.0), *(s for s in known if s.function != function))
    around, budget = replace(seen.localized, suspects=suspects), Budget(max_seconds=seconds)
    alone = replace(parts, proposers=(author,), joins=False, jobs=1)
    with contextlib.closing(parts.open_pool(seen.baseline, sources)) as pool:
        result = SearchLoop(alone, seen.baseline, around, sources, budget, pool, under_way).run()
    return _opinion_of(result, author.elsewhere, model.attempts[before:], model.stopped)


def _opinion_of(result: SearchResult, elsewhere: str, attempts: Sequence[ModelAttempt], stopped: str) -> SecondOpinion:
    found = [each.candidate for each in result.survivors]
    fixes = tuple(each for each in found if not _hindrance(each))
    if fixes or elsewhere:
        return SecondOpinion(fixes, elsewhere)
    if found:
        return SecondOpinion(silence=f"the model's own fix passes, and {_hindrance(found[0])}")
    if result.failure:
        return SecondOpinion(silence=_one_line(result.failure))
    if not attempts:
        return SecondOpinion(silence=_one_line(stopped) or LATE)
    last = attempts[-1]
    said = f"the last of {count_noun(len(attempts), 'reply', 'replies')} of the model came to nothing ({last.outcome})"
    return SecondOpinion(silence=_one_line(f"{said}: {last.reason}" if last.reason else said))


def _hindrance(candidate: Candidate) -> str:
    """Why a fix cannot stand beside the patch, else ``""``."""
    if candidate.imports:
        return "it needs an import that the patched module does not have"
    shapes = antipatterns(candidate.before, candidate.text, candidate.encoding)
    return f"its shape speaks against it: {shapes[0]}" if shapes else ""


def _one_line(text: str) -> str:
    """A text from outside as the end of a sentence."""
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= MOST_REASON else f"{line[:MOST_REASON]}…"
