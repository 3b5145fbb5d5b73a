"""What one run takes from the memory, and gives to it: an order of the search, a word on the chances, attempts.

It never has a say in a verdict: gates are not asked by way of it, and nothing of theirs reads it. Whatever is wrong
with a file is said once, and the run goes on as though there were no memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar

from analysis.errors import UsageError
from analysis.facts import Diagnosis, Files, FunctionId
from repair.memory.kept_answers import MOST_RUNS
from repair.memory.ledger import NOBODY, NOTHING, LedgerEntry, RunLedger
from repair.memory.prediction import LEAST, Chance, Tally, chance_of, factors_of, rates_of
from repair.memory.signature import FailureSignature, signature_of
from repair.records.outcome import Cause, RunOutcome
from repair.records.result import ArmUse, Cost, ModelAttempt, Status
from repair.records.task import PatchPlan, Strategy, is_of_reply, kind_of_words
from repair.store.decisions import APPROVED, REJECTED, decisions_of, last_word
from repair.store.journal import APPLIED
from repair.store.stored_run import UNDONE, StoredRun
from transforms.enumerate.order import Order
from transforms.operators.catalog import MENDING
from transforms.tree.proposal import EditKind

T = TypeVar("T")

MODEL = "model"
"""The proposer that asks models."""

PASSED, UNTRIED = ("passed", "doubted"), ("not tried", "elsewhere")
"""How a request to a model ended whose edit passed the tests, and one of which nothing is known."""

TOLD = frozenset((Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED, Status.UNREPAIRED))
"""Outcomes of a cause that tell something of its failure."""

FAMILIES: Mapping[str, str] = {operator.name: operator.family for operator in MENDING}

MOST_TOLD = 1_100
"""Characters that a model is told of a failure alike: fewer than 300 tokens."""

MOST_NAMED = 5
"""Families that are named where it is said why the order is as it is."""


KEPT_SECONDS = 7 * 86_400
"""A patch that stood for longer was taken, whatever became of its code then; sooner, it was rejected."""


@dataclass(frozen=True, slots=True)
class OrderReason:
    """Why the edits of one function stand in their order: what failures alike have shown.

    ``factors`` multiply the weights of families; families that stand as they did without a memory have none. The
    ``strategy`` does so with proposers, kinds of edits and models.
    """

    function: str
    signature: FailureSignature
    chance: Chance | None = None
    factors: Mapping[str, float] = field(default_factory=dict)
    strategy: Strategy = field(default_factory=Strategy)

    @property
    def claim(self) -> str:
        """As a sentence for a reader, without the function's name."""
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.strategy.kinds.items())
        models = ", ".join(f"{name} {fixes} of {times}" for name, (times, fixes) in self.strategy.models.items())
        said = (
            self.chance.claim if self.chance else "",
            _name_factors(self.factors),
            _name_factors(self.strategy.proposers),
            f"kinds of edits that models mended it by: {kinds}" if kinds else "",
            f"mended by models: {models}" if models else "",
        )
        return "; ".join(filter(None, said))


def _name_factors(factors: Mapping[str, float]) -> str:
    """Those that move the most, the largest first."""
    moved = sorted(factors.items(), key=lambda pair: -abs(pair[1] - 1))[:MOST_NAMED]
    return ", ".join(f"{name} ×{factor:.2g}" for name, factor in sorted(moved, key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True)
class WaysAsked:
    """Who was asked in a run: the names of its proposers, each request to a model, and what models cost."""

    proposers: tuple[str, ...] = ()
    attempts: tuple[ModelAttempt, ...] = ()
    cost: Cost = field(default_factory=Cost)


class RunMemory:
    """The ledgers that one run reads and writes: the project's own first, then the user's shared one, if it is asked.

    For one thread. ``warnings`` are sentences for the user, ``reasons`` what was told of each function.
    Without ``moves`` it tells the chances alone: an order that moves may bring another patch to the top. ``models`` are
    the names of those that may be asked.
    """

    def __init__(
        self,
        ledgers: Sequence[RunLedger],
        today: int,
        hear: Callable[[OrderReason], None] = lambda reason: None,
        *,
        moves: bool = False,
        models: Sequence[str] = (),
    ):
        self.warnings: list[str] = []
        self.reasons: list[OrderReason] = []
        self._ledgers = list(ledgers)
        self._today = today
        self._hear = hear
        self._moves = moves
        self._models = tuple(models)
        self._found: dict[FailureSignature, tuple[Tally, ...]] = {}
        self._likes: dict[tuple[FunctionId, Diagnosis], FailureSignature] = {}
        self._known_ways: dict[str, dict[str, tuple[float, float]]] = {}

    def hear_people(self, runs: Callable[[], Iterable[StoredRun]]) -> None:
        """Take in what people made of earlier patches; ``runs`` gives the newest runs first."""
        for ledger in tuple(self._ledgers):
            self._ask(ledger, lambda asked: hear_people(asked, runs()))

    def reorder(self, plan: PatchPlan, sources: Files, order: Order) -> Order:
        """The order with the weights of families that failures like the plan's have shown, where it moves any."""
        if not self._moves or not plan.diagnoses or not self._ledgers:
            return order
        first = plan.diagnoses[0]
        like = self._like(plan, sources)
        factors = factors_of(order.family_shares(first.failure_class, first.subclass), self._tallies(like))
        self._tell(OrderReason(plan.function.qualname, like, factors=factors))
        return replace(order, remembered=factors) if factors else order

    def strategy(self, plan: PatchPlan, sources: Files) -> Strategy:
        """What failures of the plan's class have shown of proposers, kinds of edits and models, where it moves any.

        Of each of the three nothing is said below ten observations. The chance of a fix is told beside it.
        """
        if not plan.diagnoses or not self._ledgers:
            return Strategy()
        like = self._like(plan, sources)
        found = self._strategy_for(like.failure_class) if self._moves else Strategy()
        self._tell(OrderReason(plan.function.qualname, like, chance_of(self._tallies(like)), strategy=found))
        return found

    def _strategy_for(self, failure_class: str) -> Strategy:
        ways = self._ways(failure_class)
        mark = self._ledgers[0].mark if self._ledgers else str  # the file may just have failed
        by = {name.removeprefix("by "): counts for name, counts in ways.items() if name.startswith("by ")}
        proposers = rates_of({name: counts for name, counts in by.items() if "/" not in name})
        kinds = {each.value: round(ways.get(f"kind {each.value}", (0.0, 0.0))[1]) for each in EditKind}
        asked = {name: by.get(f"model/{mark(name)}", (0.0, 0.0)) for name in self._models}
        models = {name: (round(times), round(fixes)) for name, (times, fixes) in asked.items()}
        return Strategy(
            proposers,
            {kind: count for kind, count in kinds.items() if count} if sum(kinds.values()) >= LEAST else {},
            models if sum(times for times, _ in models.values()) >= LEAST else {},
        )

    def _like(self, plan: PatchPlan, sources: Files) -> FailureSignature:
        """What the plan's first failure is like, in its function."""
        place = (plan.function, plan.diagnoses[0])
        if place not in self._likes:
            self._likes[place] = signature_of(plan.diagnoses[0], sources, plan.function)
        return self._likes[place]

    def _tell(self, reason: OrderReason) -> None:
        """Say it once, where it says anything."""
        if reason.claim and reason not in self.reasons:
            self.reasons.append(reason)
            self._hear(reason)

    def neighbour(self, plan: PatchPlan, sources: Files, told_of: Callable[[str, int], str]) -> str:
        """The failure most like the plan's that was mended before, for a model; empty where none is known.

        Within the project ``told_of`` says how a run mended a cause. Of other projects counts alone are told, where
        these are asked for.
        """
        if not plan.diagnoses or not self._ledgers:
            return ""
        like = self._like(plan, sources)
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

    def keep(self, run: str, ending: RunOutcome, sources: Files, asked: WaysAsked = WaysAsked()) -> None:  # frozen
        """Write down what was tried in a run that is at its end. A defect of ours here costs its answer nothing."""
        mark = self._ledgers[0].mark if self._ledgers else str
        try:
            attempts = attempts_of(run, ending, sources, self._today, asked, mark)
        except Exception as problem:  # noqa: BLE001 - what is remembered is never worth an answer
            told = f"{type(problem).__name__}: {problem}"
            self.warnings.append(f"a defect of repair: what was tried is not remembered, {told}")
            return
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

    def _ways(self, failure_class: str) -> dict[str, tuple[float, float]]:
        """What is known of ways to mend failures of the class; of all projects where these are asked for."""
        if failure_class not in self._known_ways and self._ledgers:
            ledger, of_all = self._ledgers[-1], len(self._ledgers) > 1
            found = self._ask(ledger, lambda asked: asked.ways(failure_class, self._today, of_all=of_all))
            self._known_ways[failure_class] = found or {}
        return self._known_ways.get(failure_class, {})

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


def attempts_of(
    run: str,
    ending: RunOutcome,
    sources: Files,
    day: int,
    asked: WaysAsked = WaysAsked(),  # it is frozen
    mark: Callable[[str], str] = str,
) -> tuple[LedgerEntry, ...]:
    """What the ending of a run says of each of its causes: by which way it was mended, and who was asked in vain.

    ``mark`` makes a digest of a model's name.
    """
    if ending.change is not None:
        return ()  # a change from elsewhere was judged: nobody searched
    found: list[LedgerEntry] = []
    for cause in ending.causes or (Cause(1, (), ending),):
        whole = _attempt_of(run, cause, sources or _sources_of(cause.ending), day)
        if whole is not None:
            own = [each for each in asked.attempts if not cause.tests or {*cause.tests} & {*each.tests}]
            found += [whole, *_asked_in_vain(whole, own, asked.proposers), *_models_of(whole, own, asked, mark)]
    return tuple(found)


def _attempt_of(run: str, cause: Cause, sources: Files, day: int) -> LedgerEntry | None:
    ending = cause.ending
    diagnosis = _diagnosis_of(cause)
    if ending.status not in TOLD or diagnosis is None:
        return None
    proposer, family, kind, function = NOBODY, "", "", ending.plan.function if ending.plan else None
    if ending.judged:
        candidate = ending.judged[0].submission.candidate
        proposer, function, operator = candidate.origin.proposer, candidate.function, candidate.origin.operator
        family = FAMILIES.get(operator.partition("+")[0], proposer)
        kind = kind_of_words(operator).value if proposer == MODEL and is_of_reply(operator) else ""
    like = signature_of(diagnosis, sources, function or _first_suspect(ending))
    outcome, tried, seconds = str(ending.status), ending.counts.executed, round(cause.seconds, 3)
    return LedgerEntry(run, cause.number, day, like, proposer, family, outcome, tried, seconds, kind=kind)


def _asked_in_vain(
    whole: LedgerEntry, attempts: Sequence[ModelAttempt], proposers: Sequence[str]
) -> Iterator[LedgerEntry]:
    """Each proposer that was asked about a failure that nobody mended; where one did, the others were cut short."""
    if whole.proposer == NOBODY and (whole.candidates or attempts):
        for name in proposers:
            if name != MODEL or attempts:
                yield replace(whole, proposer=name, family="", outcome=NOTHING, beside=True)


def _models_of(
    whole: LedgerEntry, attempts: Sequence[ModelAttempt], asked: WaysAsked, mark: Callable[[str], str]
) -> Iterator[LedgerEntry]:
    """Each model whose edits were tried on the failure, with its part of what all requests to it cost."""
    tried = [each for each in attempts if each.outcome not in UNTRIED]
    for name in dict.fromkeys(each.model for each in tried if each.model):
        own = [each for each in tried if each.model == name]
        mended = whole.proposer == MODEL and any(each.outcome in PASSED for each in own)
        share = len(own) / sum(each.model == name for each in asked.attempts)
        used = next((arm for arm in asked.cost.arms if arm.arm == name), ArmUse(name))
        yield replace(
            whole,
            proposer=f"{MODEL}/{mark(name)}",
            family="",
            outcome=whole.outcome if mended else NOTHING,
            candidates=len(own),
            tokens=round(share * (used.input_tokens + used.output_tokens)),
            usd=share * (used.usd or 0.0),
            beside=True,
        )


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

    What was said last of a patch counts before what was done with it. One that was taken out after it had stood for
    more than ``KEPT_SECONDS`` was taken all the same. Of a cause only the patch of the first rank counts, since that is
    the one that the ledger knows.
    """
    try:
        result, decided = run.result(), decisions_of(run)
        held, noted = run.read_json(APPLIED), run.read_json(UNDONE)
    except UsageError:
        return {}  # its record is damaged
    patches = result.patches if result is not None else ()
    placed = held if held is not None and held.get("rank", 1) in (0, 1) else None
    noted = noted if noted is not None and {0, 1} & {*noted.get("ranks", (1,))} else None
    found = {}
    for cause in causes:
        own = {each.digest for each in patches if each.rank == 1 and each.cause in (0, cause)}
        said = last_word(each for each in decided if not each.patches or not own.isdisjoint(each.patches))
        if said == REJECTED:
            found[cause] = "rejected"
        elif said == APPROVED or _names(placed, cause):
            found[cause] = "applied"
        elif _names(noted, cause):
            found[cause] = "applied" if _stood(noted, cause) > KEPT_SECONDS else "undone"
    return found


def _stood(noted: Any, cause: int) -> float:
    """How many seconds the patch had stood before it was taken out; 0 where nobody knows, or the clock was set back."""
    seconds = noted.get("seconds", {})
    return float(seconds.get(str(cause), seconds.get("0", 0.0)))


def _names(record: Any, cause: int) -> bool:
    """Whether the record is about the cause; one that numbers none is about all."""
    return record is not None and (not record.get("causes") or cause in record["causes"])
