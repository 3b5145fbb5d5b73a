"""``repair spec trace``: requirement, test, function, and the mutants that the test kills.

A link is proved only where the test runs the function and a mutant of it makes the test fail. All else is claimed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, Limits, TestId
from analysis.mutation_score import MutantState
from analysis.quality.examined import name_of
from analysis.quality.vouching import VouchedFunction, find_vouching_tests
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.ports import Sandbox
from repair.records.specified import LinkState, RequirementView, SpecRequest, TraceLink, TraceReport
from repair.records.wording import count_noun
from repair.survey.specified.fact_store import open_facts
from repair.survey.specified.links import ClaimedLink, Requirements, find_links
from repair.survey.specified.readings import with_accepted
from repair.survey.specified.scan import scan_project
from repair.survey.suite_mutants import MutantBudget, Mutated, function_id, run_mutants
from repair.survey.survey import changed_meanwhile, open_surveyor
from repair.survey.survey_report import SurveyRequest, SurveySeen
from repair.trials.run_time import RunTime, TimeIsUp

NOT_RUN, NO_FUNCTION, NO_KILL, NO_TIME, UNFIT = (
    "the test does not run the function",
    "nobody says which function it is about",
    "the test kills no mutant of the function",
    "the time was over",
    "the test does not pass, or cannot vouch",
)


def trace(
    asked: SpecRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> TraceReport:
    """The links between requirements and tests, each proved or claimed. Raises ``TargetError`` where no test runs."""
    started = (timing or RunTime(time.monotonic())).started
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        facts = open_facts(options.root, options.state_dir)
        scanned = with_accepted(scan_project(sandbox.snapshot), sandbox.snapshot, facts)
        known = find_links(scanned, dict(sandbox.snapshot.sources()))
        wanted = _wanted(known, asked.paths)
        links: tuple[TraceLink, ...] = ()
        if known.links:
            seen = surveyor.look(SurveyRequest(mutants=0, seconds=options.max_seconds, seed=options.seed))
            listen(phase("mutants", f"looking which of {count_noun(len(known.links), 'link')} a killed mutant proves"))
            prover = LinkProver(
                sandbox, seen, surveyor.limits, options.mutants, time.monotonic, started + options.max_seconds
            )
            links = tuple(link for each in known.links if each.requirement in wanted for link in prover.prove(each))
        late = sum(link.why == NO_TIME for link in links)
        return TraceReport(
            root=options.root,
            requirements=tuple(view for name, view in _views(known).items() if name in wanted),
            links=links,
            not_checked=(f"{late} of {count_noun(len(links), 'link')} had no turn: the time was over",) if late else (),
            warnings=(*warnings, *facts.warnings, *changed_meanwhile(sandbox)),
            seconds=round(time.monotonic() - started, 3),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
        )


def _wanted(known: Requirements, paths: Sequence[str]) -> frozenset[str]:
    """The ids of the requirements that are named, or lie in files that are; all of them where nothing is."""
    if not paths:
        return frozenset(known.stated)
    return frozenset(
        name
        for name, fact in known.stated.items()
        if any(path in (name, fact.place.path) or fact.place.path.startswith(f"{path}/") for path in paths)
    )


def _views(known: Requirements) -> dict[str, RequirementView]:
    return {
        name: RequirementView(
            name, fact.quote, fact.place.path, fact.place.line, max(fact.place.line, fact.place.end_line), fact.digest
        )
        for name, fact in known.stated.items()
    }


class LinkProver:
    """Proves links by mutants of the function that run with the one test alone; what is known is not run again."""

    def __init__(
        self,
        sandbox: Sandbox,
        seen: SurveySeen,
        limits: Limits,
        most: int,
        clock: Callable[[], float],
        end: float,
    ) -> None:
        self._sandbox = sandbox
        self._seen = seen
        self._limits = limits
        self._most = most
        self._clock = clock
        self._end = end
        self._functions = {f"{v.function.path}:{v.function.qualname}": v for v in seen.functions}
        self._cases: dict[str, list[TestId]] = {}
        for result in seen.baseline.outcomes:
            self._cases.setdefault(name_of(result.test), []).append(result.test)
        self._known: dict[tuple[str, str], TraceLink] = {}

    def prove(self, link: ClaimedLink) -> Iterator[TraceLink]:
        """One link for each function that the requirement is about."""
        for subject in link.functions or ("",):
            known = self._known.get((link.test, subject))
            if known is None:
                known = self._known[link.test, subject] = self._look(link.test, subject)
            yield replace(known, requirement=link.requirement)

    def _look(self, test: str, subject: str) -> TraceLink:
        claimed = TraceLink("", test, subject, LinkState.CLAIMED)
        vouched = self._functions.get(subject)
        cases = self._cases.get(test, [])
        if not subject or vouched is None:
            return replace(claimed, why=NO_FUNCTION if not subject else NOT_RUN)
        able = [case for case in cases if case in self._seen.able]
        (own,) = find_vouching_tests([vouched.function], self._seen.baseline.traced.line_map, frozenset(able))
        if not own.tests:
            ran = set(cases) & {*vouched.tests, *vouched.others}
            return replace(claimed, why=UNFIT if ran or not able else NOT_RUN)
        return self._mutate(claimed, own)

    def _mutate(self, claimed: TraceLink, own: VouchedFunction) -> TraceLink:
        if self._clock() >= self._end:
            return replace(claimed, why=NO_TIME)
        budget = MutantBudget(self._most, self._clock, self._end, lambda count, where: None)
        found: dict[FunctionId, Mutated] = {}
        with contextlib.suppress(OutOfTimeError, TimeIsUp):
            run_mutants(self._sandbox, self._seen.baseline, [own], self._seen.sources, self._limits, budget, found)
        mutated = found.get(function_id(own))
        if mutated is None or not mutated.known:
            return replace(claimed, why=(mutated.reason if mutated is not None else "") or NO_TIME)
        killed = sum(fate.state is MutantState.KILLED for _, fate in mutated.known)
        state = LinkState.PROVED if killed else LinkState.CLAIMED
        return replace(claimed, state=state, killed=killed, mutants=len(mutated.known), why="" if killed else NO_KILL)
