"""What one run takes from the memory, and gives to it: an order of the search, a word on the chances, attempts.

It never has a say in a verdict: gates are not asked by way of it, and nothing of theirs reads it. Whatever is wrong
with a file is said once, and the run goes on as though there were no memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar

from analysis.errors import UsageError
from analysis.facts import Diagnosis, Files, FunctionId
from repair.memory.ledger import NOBODY, LedgerEntry, RunLedger
from repair.memory.prediction import LEAST, Chance, Tally, chance_of, factors_of
from repair.memory.signature import FailureSignature, signature_of
from repair.records.outcome import Cause, RunOutcome
from repair.records.result import Status
from repair.records.task import PatchPlan
from repair.store.decisions import APPROVED, REJECTED, decisions_of, last_word
from repair.store.journal import APPLIED
from repair.store.stored_run import UNDONE, StoredRun
from transforms.enumerate.order import Order
from transforms.operators.catalog import MENDING

T = TypeVar("T")

TOLD = frozenset((Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED, Status.UNREPAIRED))
"""Outcomes of a cause that tell something of its failure."""

FAMILIES: Mapping[str, str] = {operator.name: operator.family for operator in MENDING}

MOST_TOLD = 1_100
"""Characters that a model is told of a failure alike: fewer than 300 tokens."""

MOST_NAMED = 5
"""Families that are named where it is said why the order is as it is."""


MOST_RUNS = 50
"""So many of the newest runs are looked at: a patch is judged by people soon, or never."""


@dataclass(frozen=True, slots=True)
class OrderReason:
    """Why the edits of one function stand in their order: what failures alike have shown.

    ``factors`` multiply the weights of families; families that stand as they did without a memory have none.
    """

    function: str
    signature: FailureSignature
    chance: Chance | None
    factors: Mapping[str, float] = field(default_factory=dict)

    @property
    def claim(self) -> str:
        """As a sentence for a reader, without the function's name."""
        moved = sorted(self.factors.items(), key=lambda pair: -abs(pair[1] - 1))[:MOST_NAMED]
        said = [f"{family} ×{factor:.2g}" for family, factor in sorted(moved, key=lambda pair: -pair[1])]
        return "; ".join(filter(None, (self.chance.claim if self.chance else "", ", ".join(said))))


class RunMemory:
    """The ledgers that one run reads and writes: the project's own first, then the user's shared one, if it is asked.

    For one thread. ``warnings`` are sentences for the user, ``reasons`` what was told of each function.
    Without ``moves`` it tells the chances alone: an order that moves may bring another patch to the top.
    """

    def __init__(
        self,
        ledgers: Sequence[RunLedger],
        today: int,
        hear: Callable[[OrderReason], None] = lambda reason: None,
        *,
        moves: bool = False,
    ):
        self.warnings: list[str] = []
        self.reasons: list[OrderReason] = []
        self._ledgers = list(ledgers)
        self._today = today
        self._hear = hear
        self._moves = moves
        self._found: dict[FailureSignature, tuple[Tally, ...]] = {}

    def hear_people(self, runs: Callable[[], Iterable[StoredRun]]) -> None:
        """Take in what people made of earlier patches; ``runs`` gives the newest runs first."""
        for ledger in tuple(self._ledgers):
            self._ask(ledger, lambda asked: hear_people(asked, runs()))

    def reorder(self, plan: PatchPlan, sources: Files, order: Order) -> Order:
        """The order with the weights of families that failures like the plan's have shown, where it moves any."""
        if not plan.diagnoses or not self._ledgers:
            return order
        first = plan.diagnoses[0]
        like = signature_of(first, sources, plan.function)
        tallies = self._tallies(like)
        base = order.family_shares(first.failure_class, first.subclass)
        factors = factors_of(base, tallies) if self._moves else {}
        reason = OrderReason(plan.function.qualname, like, chance_of(tallies), factors)
        if reason.claim and reason not in self.reasons:
            self.reasons.append(reason)
            self._hear(reason)
        return replace(order, remembered=factors) if factors else order

    def neighbour(self, plan: PatchPlan, sources: Files, told_of: Callable[[str, int], str]) -> str:
        """The failure most like the plan's that was mended before, for a model; empty where none is known.

        Within the project ``told_of`` says how a run mended a cause. Of other projects counts alone are told, where
        these are asked for.
        """
        if not plan.diagnoses or not self._ledgers:
            return ""
        like = signature_of(plan.diagnoses[0], sources, plan.function)
        near = self._ask(self._ledgers[0], lambda asked: asked.mended_like(like))
        concrete = told_of(near.run, near.cause) if near is not None else ""
        if near is not None and concrete:
            kind = near.signature.keys[-1].strip("/")
            said = f"Of this project a failure alike ({kind}) was mended in run {near.run} like this:\n{concrete}"
            return said[:MOST_TOLD]
        tallies = [each for each in self._tallies(like) if each.tried >= LEAST and each.families]
        if not tallies or len(self._ledgers) < 2:
            return ""
        most = sorted((tallies[-1].families or {}).items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_NAMED]
        named = ", ".join(family for family, count in most if family and count)
        counted = f"{tallies[-1].mended:.0f} of {tallies[-1].tried:.0f} failures alike were mended"
        return f"In other projects {counted}, most often by edits of these families: {named}." if named else ""

    def keep(self, run: str, ending: RunOutcome, sources: Files) -> None:
        """Write down what was tried in a run that is at its end."""
        attempts = attempts_of(run, ending, sources, self._today)
        if attempts:
            for ledger in tuple(self._ledgers):
                self._ask(ledger, lambda asked: asked.add(attempts))

    def _tallies(self, like: FailureSignature) -> tuple[Tally, ...]:
        """What all ledgers say of such failures; the shared one, which comes last, holds this project's rows too."""
        if like not in self._found and self._ledgers:
            ledger, of_all = self._ledgers[-1], len(self._ledgers) > 1
            found = self._ask(ledger, lambda asked: asked.tallies(like, self._today, of_all=of_all))
            self._found[like] = found or ()
        return self._found.get(like, ())

    def _ask(self, ledger: RunLedger, work: Callable[[RunLedger], T]) -> T | None:
        """What the work gives; ``None`` where the file cannot be used, which is then set aside for this run."""
        try:
            return work(ledger)
        except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as problem:
            self._ledgers.remove(ledger)
            self.warnings.append(
                f"the memory in {ledger.path} cannot be used, and is set aside for this run: {problem}"
            )
            return None


def attempts_of(run: str, ending: RunOutcome, sources: Files, day: int) -> tuple[LedgerEntry, ...]:
    """What the ending of a run says of each of its causes: by which way it was mended, or that nothing mended it."""
    if ending.change is not None:
        return ()  # a change from elsewhere was judged: nobody searched
    causes = ending.causes or (Cause(1, (), ending),)
    made = [_attempt_of(run, cause, sources or _sources_of(cause.ending), day) for cause in causes]
    return tuple(attempt for attempt in made if attempt is not None)


def _attempt_of(run: str, cause: Cause, sources: Files, day: int) -> LedgerEntry | None:
    ending = cause.ending
    diagnosis = _diagnosis_of(cause)
    if ending.status not in TOLD or diagnosis is None:
        return None
    proposer, family, function = NOBODY, "", ending.plan.function if ending.plan else None
    if ending.judged:
        candidate = ending.judged[0].submission.candidate
        proposer, function = candidate.origin.proposer, candidate.function
        family = FAMILIES.get(candidate.origin.operator.partition("+")[0], proposer)
    like = signature_of(diagnosis, sources, function or _first_suspect(ending))
    outcome, tried = str(ending.status), ending.counts.executed
    return LedgerEntry(run, cause.number, day, like, proposer, family, outcome, tried, round(cause.seconds, 3))


def _diagnosis_of(cause: Cause) -> Diagnosis | None:
    ours = [each for each in cause.ending.diagnoses if not cause.tests or each.failure.test in cause.tests]
    return next(iter(ours or cause.ending.diagnoses), None)


def _first_suspect(ending: RunOutcome) -> FunctionId | None:
    return ending.suspects[0].function if ending.suspects else None


def _sources_of(ending: RunOutcome) -> Files:
    """The Python files that the first patch was judged with, where there is one."""
    submission = ending.judged[0].submission if ending.judged else None
    return (*submission.sources, *submission.test_sources) if submission is not None else ()


def hear_people(ledger: RunLedger, runs: Iterable[StoredRun]) -> None:
    """Write into the ledger what people said and did since; ``runs`` are the newest first."""
    newest = {run.id: run for run in islice(runs, MOST_RUNS) if not run.is_foreign}
    known = ledger.outcomes(newest)
    for name in dict.fromkeys(run for run, _ in known):
        words = words_of_people(newest[name], [cause for run, cause in known if run == name])
        for cause, said in words.items():
            if said != known[name, cause]:
                ledger.decide(name, cause, said)


def words_of_people(run: StoredRun, causes: Sequence[int]) -> dict[int, str]:
    """Of the patches of which causes somebody said or did something, and what: ``applied``, ``undone``, ``rejected``.

    What was said last of a patch counts before what was done with it. Of a cause only the patch of the first rank
    counts, since that is the one that the ledger knows.
    """
    try:
        result, decided = run.result(), decisions_of(run)
        held, noted = run.read_json(APPLIED), run.read_json(UNDONE)
    except UsageError:
        return {}  # its record is damaged
    patches = result.patches if result is not None else ()
    placed = held if held is not None and held.get("rank", 1) in (0, 1) else None
    found = {}
    for cause in causes:
        own = {each.digest for each in patches if each.rank == 1 and each.cause in (0, cause)}
        said = last_word(each for each in decided if not each.patches or not own.isdisjoint(each.patches))
        if said == REJECTED:
            found[cause] = "rejected"
        elif said == APPROVED or _names(placed, cause):
            found[cause] = "applied"
        elif _names(noted, cause):
            found[cause] = "undone"
    return found


def _names(record: Any, cause: int) -> bool:
    """Whether the record is about the cause; one that numbers none is about all."""
    return record is not None and (not record.get("causes") or cause in record["causes"])
