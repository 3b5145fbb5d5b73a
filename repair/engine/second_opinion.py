"""A second opinion: a model that does not see the patch mends the same function, and the two are compared.

Rivals that a search finds show what the tests leave open, and little of what the author meant. A model reads names,
docstring and tests as a person does. So it is asked for its own fix of the function as it was before the patch. Its
edits are read, placed and tried as in a repair. One that passes is a rival; that it agrees certifies nothing.

The question is sent at the very start, and the gates work meanwhile. The reply is read only when it is waited for:
two threads that make syntax trees at once disturb each other.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeVar

from analysis.errors import OutOfTimeError
from analysis.facts import Files, FunctionId, Suspect
from analysis.functions import span_of
from repair.engine.diagnosing import Diagnosed
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.records.plan import covering_tests
from repair.records.ports import Adviser, Context, Proposer, SecondOpinion
from repair.records.result import ModelAttempt
from repair.records.task import Baseline, Budget, PatchPlan, Pause
from repair.records.wording import count_noun
from transforms.rules.antipatterns import antipatterns
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Proposal

SECOND_SHARE = 0.7
"""Of the time that is left a second opinion may take a share; the rest is for comparing it with the patch."""

LATE_SECONDS = 3.0
"""So much longer it is waited for: a trial that has begun may end."""

MOST_REASON = 240
"""Characters of a reason that are told."""

NO_FAILURE = "no failing test asks for the change, so the model was not asked"

NOT_RUN = "no failing test runs this function, so the model was not asked about it"

LATE = "the model did not answer in the time that is kept for it"

Answer = TypeVar("Answer")


class Asked(Protocol):
    """A second opinion that somebody was asked for."""

    def wait(self) -> SecondOpinion:
        """What it comes to, waited for no longer than its time lasts."""

    def drop(self) -> None:
        """Nobody waits for it any more: what runs for it ends."""


AskSecond = Callable[[SearchParts, Diagnosed, Files, FunctionId, float], "Asked | None"]
"""Asks for a fix of one function in so many seconds; ``None`` where no model is named."""


def ask_second(
    parts: SearchParts, seen: Diagnosed, sources: Files, function: FunctionId, seconds: float
) -> Asked | None:
    """Ask the model of these parts for its own fix, and return when the question is sent.

    ``seen`` and ``sources`` are the program without the patch.
    """
    model = next((each for each in parts.proposers if isinstance(each, Adviser)), None)
    if model is None:
        return None
    if not _is_run(seen, function):
        return Given(SecondOpinion(silence=NOT_RUN))
    under_way = OpinionUnderWay(seconds, parts.clock)
    under_way.begin(lambda: _find_fix(parts, model, seen, sources, function, seconds, under_way))
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


class OpinionUnderWay:
    """Work on a second opinion in a thread of its own. It conforms to ``FurtherRuns``: dropped work is contradicted.

    The thread works only while somebody waits for it: until its first question is sent, and when its opinion is wanted.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock, self._until = clock, clock() + seconds
        self._sent, self._heard, self._done = threading.Event(), threading.Event(), threading.Event()
        self._dropped = False
        self._opinion = SecondOpinion(silence=LATE)

    def begin(self, work: Callable[[], SecondOpinion]) -> None:
        """Begin the work, and wait until its question is sent or it is over."""

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
        self._sent.wait(self._left())

    def hold(self, ask: Callable[[], Answer]) -> Answer:
        """The answer, once somebody waits for the opinion. Raises ``OutOfTimeError`` where nobody will."""
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
        if self._done.wait(self._left()):
            return self._opinion
        self._dropped = True
        return SecondOpinion(silence=LATE)

    def drop(self) -> None:
        """End the work; its servers are gone then, unless one hangs."""
        self._dropped = True
        self._heard.set()
        self._done.wait(LATE_SECONDS)

    def _left(self) -> float:
        left = self._until - self._clock() + LATE_SECONDS
        return min(max(0.0, left), threading.TIMEOUT_MAX) if left < math.inf else threading.TIMEOUT_MAX


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
