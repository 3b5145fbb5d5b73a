"""Inputs that tell a function's open mutants from the function itself, found as the judge of patches finds them."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice

from libcst.helpers import get_full_name_for_node

from analysis.behaviour import (
    Call,
    Difference,
    Ended,
    Hung,
    Rung,
    are_messages_apart,
    is_programming_error,
    rung_between,
)
from analysis.calls import CallInput, Comparison, RecordedCall, call_of, plain_input
from analysis.facts import Digest, Files, FunctionId, Limits, TestId
from analysis.stated.fact import AllOf, AnyOf, Compares, Condition, Fixed, Gives, Negated
from analysis.stated.function import Stated
from analysis.trials import Trial, TrialState
from repair.compare.comparing import GENERATED, RECORDED, Versions, constants, signature
from repair.compare.examples import read_examples
from repair.compare.inputs import generate, generate_from_signature
from repair.records.functions import as_trial
from repair.records.ports import Sandbox
from repair.records.proposed_inputs import ProposedInputs
from repair.records.task import Baseline
from repair.survey.growing.simpler import extreme_pairs, simpler_inputs
from repair.survey.survey_report import SurveySeen
from repair.trials.layered import lay_over
from repair.trials.screening import stop_hangs, trial_limits
from repair.trials.trial_router import Selection, TrialRouter, TrialTier
from transforms.mutants.made import Mutant
from transforms.mutants.rewritings import rewrite_function, rewritings
from transforms.tree.scope import EditScope

MOST_TESTS, MOST_SECONDS = 40, 2.0
"""So many tests of a function, the quickest, are run to see its calls, and so long."""

MOST_SIMPLIFIED, MOST_SIMPLER, SIMPLIFYING_ROUNDS = 8, 40, 3
"""So many inputs are simplified, each in so many ways at most; and what came of it, so often."""

MOST_SEEDS = 40
"""Calls that are tried of a function that no test calls."""


_PLAIN_DECORATORS = ("staticmethod", "classmethod", "property", "cache", "lru_cache", "override")
"""Decorators that hand on what the function gives."""


@dataclass(frozen=True, slots=True)
class OpenFunction:
    """A function with the mutants that nothing kills, the tests that call it, and throwaway ones where none does."""

    scope: EditScope
    mutants: tuple[Mutant, ...]
    tests: tuple[TestId, ...]
    stated: Stated
    files: Files = ()
    proposed: ProposedInputs = field(default_factory=ProposedInputs)
    """What a model proposes, where one is asked."""

    @property
    def function(self) -> FunctionId:
        """The function's address."""
        return self.scope.function

    @property
    def is_wrapped(self) -> bool:
        """Whether a decorator may make something else of what it gives."""
        names = [get_full_name_for_node(each.decorator) or "" for each in self.scope.node.decorators]
        return any(name.rpartition(".")[2] not in _PLAIN_DECORATORS for name in names)

    @property
    def mine(self) -> Trial:
        """The function as it is."""
        return as_trial(self.scope, self.scope.text, "as it is")

    @property
    def docstring(self) -> str:
        """What it says of itself."""
        return self.scope.node.get_docstring() or ""

    def trial(self, mutant: Mutant) -> Trial:
        """A mutant as a trial."""
        return as_trial(self.scope, mutant.text, mutant.label)


@dataclass(frozen=True, slots=True)
class FoundInputs:
    """What tells mutants apart.

    ``differences`` are by mutant, ``calls`` are what tests give, and ``inputs`` all that was tried. ``rewritten`` are
    texts of the function that do the same, as far as anybody can tell.
    """

    differences: tuple[tuple[Mutant, Difference], ...] = ()
    calls: tuple[RecordedCall, ...] = ()
    inputs: tuple[CallInput, ...] = ()
    rewritten: tuple[Trial, ...] = ()
    problem: str = ""

    @property
    def apart(self) -> frozenset[Mutant]:
        """The mutants that an input tells from the program."""
        return frozenset(mutant for mutant, _ in self.differences)


def find_inputs(
    sandbox: Sandbox,
    seen: SurveySeen,
    asked: OpenFunction,
    limits: Limits,
    seed: int,
    in_time: Callable[[], bool] = lambda: True,
) -> FoundInputs:
    """The inputs on which mutants differ in what a test may ask for: the shortest of each mutant and way first.

    As long as there is time, they are made simpler.
    """
    with open_router(sandbox, seen.baseline, seen.sources, asked.tests, asked.files, limits) as router:
        function, mine = asked.function, asked.mine
        if router.tier_of(function) is not TrialTier.WARM:
            return FoundInputs(problem=f"its calls cannot be repeated: {router.why(function)}")
        if [outcome.state for outcome in router.trials([mine])] != [TrialState.PASSED]:
            return FoundInputs(problem="its tests do not pass in the pool, though they do in the suite")
        questions = router.questions_about(function)
        calls = questions.record(function, RECORDED, mine.text).seen
        both = Versions(asked.scope, asked.scope, mine, mine)
        known = (*constants(both), *_constants_of(asked.stated))
        near = (*generate(calls, GENERATED, seed, known, signature(both)), *extreme_pairs(calls, signature(both)))
        inputs = _in_order(asked, near)
        mutants = {asked.trial(mutant).digest: mutant for mutant in asked.mutants}
        if not mutants:
            return FoundInputs((), calls, tuple(inputs))
        others = [asked.trial(mutant) for mutant in asked.mutants]
        same = _rewritten(router, asked)
        found = questions.compare(mine, [*others, *same], inputs, mine, (), against_old=False)
        told = (*found.rivals.differences, *found.rivals.further)
        apart = [each for each in others if any(rival == each.digest and _tells(d) for rival, d in told)]
        for _ in range(SIMPLIFYING_ROUNDS):
            fewer = _simplified(told, inputs) if in_time() else []
            again = questions.compare(mine, apart, fewer, mine, (), against_old=False) if fewer else Comparison()
            if not again.rivals.differences:
                break
            inputs += fewer
            told = (*again.rivals.differences, *again.rivals.further, *told)
        telling = tuple((mutants[rival], each) for rival, each in told if rival in mutants and _tells(each))
        unlike: set[Digest] = {rival for rival, each in told if rung_between(each.mine, each.other) >= Rung.VALUE}
        believed = tuple(each for each in same if each.digest not in unlike | found.rivals.unknown)
        problem = "" if found.tried.inputs else "; ".join(found.tried.failures) or "no call of it could be repeated"
        return FoundInputs(telling, calls, tuple(inputs), believed, problem)


def _simplified(told: Sequence[tuple[Digest, Difference]], known: Sequence[CallInput]) -> list[CallInput]:
    """Simpler inputs than those few that tell most mutants apart, the shortest first."""
    by_input: dict[str, set[Digest]] = {}
    calls: dict[str, Call] = {}
    for rival, difference in told:
        if _tells(difference) and not difference.call.context:
            by_input.setdefault(difference.call.given, set()).add(rival)
            calls.setdefault(difference.call.given, difference.call)
    best = greedy_cover(by_input)[:MOST_SIMPLIFIED]
    found = dict.fromkeys(each for given in best for each in islice(simpler_inputs(calls[given]), MOST_SIMPLER))
    return sorted(set(found) - set(known), key=lambda i: (len(i.args) + len(i.kwargs), i.args))


def greedy_cover(covered: Mapping[str, Set[Digest]]) -> list[str]:
    """Names that cover all that any of them covers, each time the one that covers most of what is left."""
    left = set[Digest]().union(*covered.values())
    chosen = []
    while left:
        best = max(sorted(covered), key=lambda name: (len(covered[name] & left), -len(name)))
        chosen.append(best)
        left -= covered[best]
    return chosen


def _in_order(asked: OpenFunction, near: Sequence[CallInput]) -> list[CallInput]:
    """Inputs of examples and of a model first, then those that a fact speaks of, then the others by their length."""
    examples = (*examples_of(asked), *asked.proposed.inputs)
    rest = [each for each in dict.fromkeys(near) if each not in examples]
    spoken = {each for each in rest if asked.stated.speaks_of(call_of(each, asked.function.qualname))}
    return [*examples, *sorted(rest, key=lambda i: (i not in spoken, len(i.args) + len(i.kwargs)))]


@contextlib.contextmanager
def open_router(
    sandbox: Sandbox, baseline: Baseline, sources: Files, tests: Sequence[TestId], files: Files, limits: Limits
) -> Iterator[TrialRouter]:
    """Trials of these tests, some of which may lie in ``files`` that are laid over the project."""
    bounds = stop_hangs(trial_limits(baseline, limits, tests), baseline, tests)
    asked = Selection(tuple(tests), lay_over(sources, files), bounds, limits, passes=True, files=files)
    with contextlib.closing(TrialRouter(sandbox, asked)) as router:
        yield router


def quick_tests(tests: Sequence[TestId], baseline: Baseline) -> tuple[TestId, ...]:
    """The quickest of the tests, as many as may be run over and over."""
    took = {result.test: result.seconds for result in baseline.outcomes}
    chosen: list[TestId] = []
    total = 0.0
    for test in sorted(tests, key=lambda test: (took.get(test, 0.0), test))[:MOST_TESTS]:
        total += took.get(test, 0.0)
        if chosen and total > MOST_SECONDS:
            break
        chosen.append(test)
    return tuple(chosen)


def seed_inputs(asked: OpenFunction, seed: int) -> tuple[CallInput, ...]:
    """Calls for a function that no test makes: of its examples, of a model, and some that its annotations allow."""
    both = Versions(asked.scope, asked.scope, asked.mine, asked.mine)
    made = generate_from_signature(signature(both), MOST_SEEDS, seed, (*constants(both), *_constants_of(asked.stated)))
    return tuple(dict.fromkeys((*examples_of(asked), *asked.proposed.inputs, *made)))


def examples_of(asked: OpenFunction) -> Iterator[CallInput]:
    """The plain calls of the function in the examples of its docstring."""
    name = asked.function.qualname.rpartition(".")[2]
    for example in read_examples(asked.docstring):
        for call in _calls_of(example.code, name):
            if (given := plain_input(call)) is not None:
                yield given


def _calls_of(code: str, name: str) -> Iterator[ast.Call]:
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for node in ast.walk(ast.parse(code)):
            match node:
                case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called == name:
                    yield node


def _tells(difference: Difference) -> bool:
    """Whether a test may ask for it: not where a mutant hangs or ends its process, nor of a slip of the program."""
    if any(isinstance(each, Hung | Ended) for each in (difference.mine, difference.other)):
        return False
    if is_programming_error(difference.mine) and difference.is_accident:
        return False
    mine, other = difference.mine, difference.other
    return rung_between(mine, other) >= Rung.VALUE or are_messages_apart(mine, other)


def _rewritten(router: TrialRouter, asked: OpenFunction) -> tuple[Trial, ...]:
    """Rewritings of the function that its tests pass on."""
    made: dict[Digest, Trial] = {}
    for kind, node in rewritings(asked.scope.node):
        text = rewrite_function(asked.scope, node, kind)
        if text is not None and text != asked.scope.text:
            trial = as_trial(asked.scope, text, kind)
            made[trial.digest] = trial
    outcomes = router.trials(list(made.values())) if made else ()
    return tuple(made[each.digest] for each in outcomes if each.state is TrialState.PASSED)


def _constants_of(stated: Stated) -> Iterator[object]:
    """The values that facts speak of."""
    for fact in stated.facts:
        sources = [*_fixed(fact.condition), *([fact.end.source] if isinstance(fact.end, Gives) else [])]
        for source in sources:
            value = ast.literal_eval(source)
            if isinstance(value, (int, float, str)) and not isinstance(value, bool):
                yield value


def _fixed(condition: Condition) -> Iterable[str]:
    match condition:
        case Compares(left, _, right):
            return [each.source for each in (left, right) if isinstance(each, Fixed)]
        case Negated(inner):
            return _fixed(inner)
        case AnyOf(parts) | AllOf(parts):
            return [source for part in parts for source in _fixed(part)]
    return []
