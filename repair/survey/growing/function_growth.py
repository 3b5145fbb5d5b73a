"""Tests for one function: its open mutants, inputs that tell them apart, and the few tests that kill most of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.behaviour import Difference, Returned, Rung, rung_between
from analysis.calls import call_of
from analysis.errors import UnparseableError
from analysis.facts import Files, InvalidRun, Limits, TestId
from analysis.lines import Lines
from analysis.mutation_score import MutantState, MutationScore
from analysis.quality.smell import Severity
from analysis.quality.vouching import VouchedFunction
from analysis.stated.fact import StatedFact
from analysis.stated.function import stated_of
from repair.compare.examples import read_examples
from repair.records.functions import edit_scope
from repair.records.grown import GrownFunction, SaidBy
from repair.records.ports import Sandbox
from repair.records.proposed_inputs import InputProposer, NoInputs
from repair.records.witness_text import describe_witness
from repair.survey.growing.claim import CallCase
from repair.survey.growing.contradictions import Broken, find_contradictions
from repair.survey.growing.differences import (
    FoundInputs,
    OpenFunction,
    find_inputs,
    open_router,
    quick_tests,
    seed_inputs,
)
from repair.survey.growing.kills import KeptCases, TriedCase, choose, does_as_much
from repair.survey.growing.oracle import CaseMaker
from repair.survey.growing.printing import TAKEN, FilePrinter
from repair.survey.growing.properties import property_cases
from repair.survey.growing.simpler import smaller_calls
from repair.survey.growing.style import fixtures_taken
from repair.survey.safety import find_far_reach
from repair.survey.suite_mutants import MutantBudget, Mutated, function_id, run_mutants
from repair.survey.suite_mutants import choose as choose_mutants
from repair.survey.survey_report import SurveySeen, prioritize_function
from transforms.mutants.made import Mutant, mutants

MOST_CANDIDATES = 80
"""Tests of one function that are tried."""

MOST_QUESTIONS = 3
"""Inputs of a function that are told, of which no test could be made."""

CHOOSING_SECONDS = 10.0
"""What is kept for the choice among tests: what was found before is worth nothing without it."""

LEAST_ASKING_SECONDS = 20.0
"""What a model that is asked gets at least."""

MINIMIZING_ROUNDS, MOST_SMALLER = 4, 24
"""A test is made smaller so often, one part at a time, and in so many ways each time."""

MUTANTS_SHARE = 0.35
"""The share of a function's time in which its mutants are run by the tests that there are."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What one function came to; the cases are those that were kept, with the mutants that they kill."""

    function: GrownFunction
    cases: tuple[CallCase, ...] = ()
    broken: tuple[Broken, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionGrower:
    """Grows tests of one function after the other. ``path`` gives where the tests of a file of the program will lie."""

    sandbox: Sandbox
    seen: SurveySeen
    limits: Limits
    printer: FilePrinter
    constructors: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]
    path: Callable[[str], str]
    seed: int
    most: int
    clock: Callable[[], float]
    tell: Callable[[int, str], None] = field(default=lambda count, name: None)
    proposer: InputProposer = field(default_factory=NoInputs)
    elsewhere: Mapping[str, tuple[StatedFact, ...]] = field(default_factory=dict)
    """What other files state of functions, by ``path:name``."""

    def grow(self, vouched: VouchedFunction, until: float) -> Grown:
        """The tests of the function, as many as the time allows."""
        started = self.clock()
        bare = GrownFunction(
            vouched.function.path,
            vouched.function.qualname,
            vouched.function.line,
            priority=prioritize_function(vouched, self.seen, MutationScore()),
        )
        reach = find_far_reach(vouched.function.path, self.seen.sources, vouched.function.qualname)
        if reach:
            return Grown(replace(bare, not_checked=f"no test calls it with made-up values: {reach}"))
        try:
            opened = self.open_function(vouched, started + MUTANTS_SHARE * (until - started))
        except UnparseableError as problem:
            return Grown(replace(bare, not_checked=str(problem)))
        if isinstance(opened, str):
            return Grown(replace(bare, not_checked=opened, seconds=round(self.clock() - started, 2)))
        bare = replace(bare, open=len(opened.mutants))
        if not (opened.mutants or opened.stated.facts or read_examples(opened.docstring)):
            return Grown(replace(bare, seconds=round(self.clock() - started, 2)))
        found = find_inputs(
            self.sandbox, self.seen, opened, self.limits, self.seed, lambda: self.clock() < until - CHOOSING_SECONDS
        )
        broken = find_contradictions(self.sandbox, opened, found, self._maker(opened), self.limits)
        candidates, questions = self._candidates(opened, found)
        if self.clock() < until - CHOOSING_SECONDS:
            candidates |= self._properties(opened, found, candidates)
        until = max(until, self.clock() + CHOOSING_SECONDS)
        chosen = self._choose(opened, found, candidates, until) if candidates else KeptCases()
        cases = tuple(
            replace(case, kills=tuple(f"line {m.line}: {m.label}" for m in opened.mutants if m in kills))
            for case, kills in self.minimized(opened, found, chosen.kept, until)
        )
        grown = replace(
            bare,
            apart=len(found.apart),
            killed=len(chosen.killed),
            rewritings=len(found.rewritten),
            proposed=len(opened.proposed.inputs),
            not_proposed=opened.proposed.problem,
            dropped=chosen.dropped,
            questions=questions,
            not_checked=found.problem,
            seconds=round(self.clock() - started, 2),
        )
        return Grown(grown, cases, broken)

    def open_function(self, vouched: VouchedFunction, until: float) -> OpenFunction | str:
        """The function with the mutants that nothing kills; a sentence where nothing can be done for it."""
        vouched = self._with_pinned(vouched)
        function = function_id(vouched)
        scope = edit_scope(self.seen.sources, function)
        own = stated_of(function, dict(self.seen.sources)[function.path])
        stated = own.with_facts(self.elsewhere.get(f"{function.path}:{function.qualname}", ()))
        opened = OpenFunction(scope, (), quick_tests(vouched.tests, self.seen.baseline), stated)
        if not vouched.tests:
            return self._open_untested(self._with_proposals(opened, until))
        budget = MutantBudget(self.most, self.clock, until, self.tell)
        done = run_mutants(self.sandbox, self.seen.baseline, [vouched], self.seen.sources, self.limits, budget)
        mutated = done.get(function, Mutated())
        survived = [mutant for mutant, fate in mutated.known if fate.state is MutantState.SURVIVED]
        left = (*survived, *mutated.unrun)
        if not left and mutated.reason:
            return mutated.reason
        able = [test for test in vouched.tests if test not in mutated.left_out]
        opened = replace(opened, mutants=left, tests=quick_tests(able, self.seen.baseline))
        return self._with_proposals(opened, until) if left else opened

    def _with_proposals(self, opened: OpenFunction, until: float) -> OpenFunction:
        """With what a model proposes, which sees all but the body; it gets the time of the mutants, and no more."""
        late = max(until, self.clock() + LEAST_ASKING_SECONDS)
        proposed = self.proposer.propose(opened.function, self.seen.sources, lambda: late - self.clock())
        return replace(opened, proposed=proposed)

    def _with_pinned(self, vouched: VouchedFunction) -> VouchedFunction:
        """The function with pinned tests among its tests: they vouch for nothing, and notice mutants."""
        pinned = {
            case
            for test in self.seen.tests
            for case in test.cases
            if test.smells and {s.id for s in test.smells if s.severity is Severity.REJECT} == {"T29"}
        }
        passing = pinned & set(self.seen.baseline.passing)
        more = tuple(test for test in vouched.others if test in passing)
        if not more:
            return vouched
        path, line_map = vouched.function.path, self.seen.baseline.traced.line_map
        lines = (line for test, files in line_map if test in more for line in dict(files).get(path, ()))
        ran = Lines([*vouched.ran, *lines])
        return replace(vouched, tests=(*vouched.tests, *more), ran=ran)

    def _open_untested(self, opened: OpenFunction) -> OpenFunction | str:
        """A function that no test calls: throwaway tests call it with what its signature and examples say."""
        every = choose_mutants(mutants(opened.scope), self.most)
        function = opened.function
        if "." in function.qualname:
            return "no test calls it, and of methods only those are grown that tests call"
        inputs = seed_inputs(opened, self.seed)
        answers = self.sandbox.call_apart(function, inputs, limits=replace(self.limits, wall_seconds=10.0))
        if isinstance(answers, InvalidRun):
            return f"nobody calls it, and neither could we: {answers.detail}"
        maker = self._maker(opened)
        seeds = []
        for given, answer in zip(inputs, answers, strict=True):
            if answer is not None and isinstance(answer.behaviour, Returned):
                case = maker.pinned(call_of(given, function.qualname), answer.behaviour)
                seeds += [case] if case is not None else []
        if not seeds:
            return "nobody calls it, and no call that its signature allows gives a value"
        path = self.path(function.path)
        files, tests = self._as_tests(seeds, path)
        return replace(opened, mutants=every, tests=tests, files=files)

    def _maker(self, opened: OpenFunction) -> CaseMaker:
        return CaseMaker(
            opened.function,
            self.seen.sources,
            opened.stated,
            opened.docstring,
            self.constructors,
            opened.is_wrapped,
            self._fixtures(opened),
        )

    def _fixtures(self, opened: OpenFunction) -> tuple[str, ...]:
        """The fixtures that a test of a method may take; none where a module of the project has the same name."""
        owner, _, name = opened.function.qualname.rpartition(".")
        if not owner or self.printer.style.unittest:
            return ()
        place = self.path(opened.function.path)
        modules = {each.partition(".")[0] for each in self.printer.modules}
        taken = fixtures_taken(self.seen.sources, opened.tests, name, place)
        return tuple(each for each in taken if each not in TAKEN | modules)

    def _as_tests(self, cases: Sequence[CallCase], path: str) -> tuple[Files, tuple[TestId, ...]]:
        """Each case as a test of its own, in a file at that path."""
        printed = self.printer.print_tests(cases, grouped=False)
        tests = tuple(TestId(f"{path}::{name}") for name, _ in printed.tests)
        return ((path, printed.text.encode()),), tests

    def _candidates(
        self, opened: OpenFunction, found: FoundInputs
    ) -> tuple[dict[CallCase, frozenset[Mutant]], tuple[str, ...]]:
        """What may become a test, with the mutants that it should kill; and inputs of which no test can be made."""
        maker = self._maker(opened)
        foretold: dict[CallCase, set[Mutant]] = {}
        inputs: dict[str, set[Mutant]] = {}
        questions: dict[Mutant, Difference] = {}
        answered: set[Mutant] = set()
        for mutant, difference in found.differences:
            if rung_between(difference.mine, difference.other) >= Rung.VALUE:
                inputs.setdefault(difference.call.given, set()).add(mutant)
            cases = maker.cases(difference)
            for case in cases:
                foretold.setdefault(case, set()).add(mutant)
            if cases:
                answered.add(mutant)
            else:
                questions.setdefault(mutant, difference)
        chosen = sorted(foretold, key=lambda case: (-len(foretold[case]), len(case.source)))[:MOST_CANDIDATES]
        asked = (describe_witness(each) for mutant, each in questions.items() if mutant not in answered)
        known = {case: frozenset(foretold[case] | inputs.get(case.given, set())) for case in chosen}
        return known, tuple(dict.fromkeys(asked))[:MOST_QUESTIONS]

    def _properties(
        self, opened: OpenFunction, found: FoundInputs, candidates: Mapping[CallCase, frozenset[Mutant]]
    ) -> dict[CallCase, frozenset[Mutant]]:
        """Tests of properties on the same inputs; each may kill what the value of its input kills."""
        plain = (case for case in candidates if case.does is not None and not case.claim.message)
        pinned = {case.given: case for case in plain if case.standing is SaidBy.PINNED}
        beside = [function_id(each) for each in self.seen.functions]
        made = property_cases(
            self.sandbox,
            opened,
            found,
            self._maker(opened),
            list(pinned.values()),
            beside,
            self.limits,
            self.seed,
        )
        return {case: candidates[pinned[case.given]] for case in made}

    def _choose(
        self, opened: OpenFunction, found: FoundInputs, foretold: dict[CallCase, frozenset[Mutant]], until: float
    ) -> KeptCases:
        files, tests = self._as_tests(list(foretold), self.path(opened.function.path))
        candidates = [TriedCase(case, test, kills) for (case, kills), test in zip(foretold.items(), tests, strict=True)]
        trials = {mutant: opened.trial(mutant) for mutant in opened.mutants}
        with open_router(self.sandbox, self.seen.baseline, self.seen.sources, tests, files, self.limits) as router:
            reason = router.why(opened.function)
            if reason:
                return KeptCases(dropped={f"no quick trials: {reason}": len(candidates)})
            before = router.digest_leftovers()
            chosen = choose(router, candidates, opened.mine, trials, found.rewritten, lambda: self.clock() < until)
            if router.digest_leftovers() != before:
                return KeptCases(dropped={"files were left behind": len(candidates)})
            return chosen

    def minimized(
        self,
        opened: OpenFunction,
        found: FoundInputs,
        kept: Sequence[tuple[CallCase, frozenset[Mutant]]],
        until: float,
    ) -> list[tuple[CallCase, frozenset[Mutant]]]:
        """The cases with parts of their calls left out without which they pass, and kill what they kill.

        What somebody says of a call, nobody may have said of a smaller one: only what is pinned is made smaller.
        """
        done = list(kept)
        for _ in range(MINIMIZING_ROUNDS):
            tries = [(place, each) for place, (case, _) in enumerate(done) for each in _smaller(case)]
            if not tries or self.clock() >= until:
                break
            files, tests = self._as_tests([case for _, case in tries], self.path(opened.function.path))
            better: dict[int, CallCase] = {}
            with open_router(self.sandbox, self.seen.baseline, self.seen.sources, tests, files, self.limits) as router:
                for (place, case), test in zip(tries, tests, strict=True):
                    if place in better or self.clock() >= until or router.why(opened.function):
                        continue
                    killed = {mutant: opened.trial(mutant) for mutant in done[place][1]}
                    if does_as_much(router, test, opened.mine, found.rewritten, killed):
                        better[place] = case
            if not better:
                break
            done = [(better.get(place, case), kills) for place, (case, kills) in enumerate(done)]
        return list({case.source: (case, kills) for case, kills in done}.values())


def _smaller(case: CallCase) -> list[CallCase]:
    """The case with one part of its call less, the shortest calls first; none for what somebody says."""
    if case.standing is not SaidBy.PINNED or case.said:
        return []
    calls = sorted(set(smaller_calls(case.call)), key=lambda call: (len(call), call))
    return [replace(case, call=call) for call in calls[:MOST_SMALLER] if len(call) < len(case.call)]
