"""Properties of all calls, run on generated inputs: a counterexample is drift, told with its input.

Twice is once, undone by another function, the same as another one, never raising. That hundreds of inputs keep to one
proves nothing, and nothing is said of it but how many were tried.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.behaviour import Behaviour, Call, Raised, Returned, are_numbers_near, is_unfit, literal_of
from analysis.calls import CallInput, RecordedCall, call_of
from analysis.facts import Files, Limits, TestId
from analysis.specified.fact_record import Fact, Predicate
from analysis.stated.fact import Raises, meets
from analysis.stated.function import StatedFunction
from repair.compare.hints import Hint, strategy_of_hint
from repair.compare.inputs import generate, generate_from_signature
from repair.records.ports import Sandbox
from repair.records.witness_text import describe_behaviour
from repair.survey.safety import find_far_reach
from repair.survey.specified.drift import (
    CALLING_SECONDS,
    UNSTEADY,
    DriftedFact,
    DriftOfFunction,
    answer_calls,
    calls_of_facts,
    is_steady,
)
from repair.survey.specified.instances import AnsweredCall, ClassTexts, call_method

PROPERTIES = (Predicate.IDEMPOTENT, Predicate.ROUND_TRIP, Predicate.EQUALS, Predicate.NEVER)
MOST_INPUTS, LEAST_INPUTS, FEW_INPUTS = 200, 10, 20
"""So many inputs are made for a property. With fewer that it speaks of nothing is said. Where one breaks it, so many
are asked twice."""

Ends = Mapping[tuple[str, CallInput], Behaviour]


def last_part(subject: str) -> str:
    """``room`` for ``shop.py:Cart.room``."""
    return subject.rpartition(":")[2].rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class CalledProgram:
    """The functions of the program with their facts and sources, and where they run."""

    sandbox: Sandbox
    functions: Mapping[str, StatedFunction]
    facts: Mapping[str, Sequence[Fact]]
    sources: Files
    limits: Limits
    texts: ClassTexts
    seed: int = 0

    def answers(self, subject: str, inputs: Sequence[CallInput]) -> tuple[AnsweredCall, ...]:
        """How calls end that end in time and fit the signature. Raises ``_NotRun`` where none can be made."""
        path, function = subject.partition(":")[0], self.functions[subject]
        return _fitting(answer_calls(self.sandbox, path, function, inputs, self._bounds, self.texts))

    def answers_after(self, subject: str, then: str, inputs: Sequence[CallInput]) -> tuple[AnsweredCall, ...]:
        """The same of a method, each with what another method of the object makes of its end."""
        path, function = subject.partition(":")[0], self.functions[subject]
        return _fitting(call_method(self.sandbox, path, function, inputs, self.texts, self._bounds, last_part(then)))

    @property
    def _bounds(self) -> Limits:
        return replace(self.limits, wall_seconds=min(self.limits.wall_seconds, CALLING_SECONDS))

    def ends(self, subject: str, inputs: Sequence[CallInput]) -> Ends:
        """The same by input, and for a method by how its object is made."""
        name = last_part(subject)
        return {
            (each.call.source.removesuffix(call_of(each.given, name).source), each.given): each.does
            for each in self.answers(subject, inputs)
        }

    def is_steady(self, subject: str) -> bool:
        """Whether the function gives the same to the same, on a few of its inputs."""
        few = self.inputs(subject, anything=True)[:FEW_INPUTS]
        return is_steady(self.answers(subject, [*few, *few]))

    def refuse(self, subject: str) -> None:
        """Raises ``_NotRun`` for a function that is not called."""
        path, _, qualname = subject.partition(":")
        far = find_far_reach(path, self.sources, qualname)
        if far:
            raise _NotRun(far)

    def inputs(self, subject: str, *, anything: bool = False) -> tuple[CallInput, ...]:
        """Inputs near those that facts and tests name; where none are named, those that annotations allow, or
        anything."""
        function = self.functions[subject]
        named = list(dict.fromkeys(calls_of_facts(function, self.facts.get(subject, ()))))
        taken = function.stated.taken.names
        hints = tuple(each for each in _read_hints(function.node.args) if each.name in taken)
        if named:
            calls = [RecordedCall(TestId(""), each, plain=True) for each in named]
            made = generate(calls, MOST_INPUTS, self.seed, (), hints)
        elif anything or all(strategy_of_hint(each.annotation) is not None for each in hints if each.default is None):
            made = generate_from_signature(hints, MOST_INPUTS, self.seed)
        else:
            raise _NotRun("a property, and nothing says what the function takes")
        every = dict.fromkeys((*named, *made))
        return tuple(each for each in every if not function.stated.is_outside(call_of(each)))[:MOST_INPUTS]

    def named(self, name: str, beside: str) -> str:
        """The function of that name: that of the same file, or the only one; of a method one of its class.

        Raises ``_NotRun`` where there is none.
        """
        path, _, qualname = beside.partition(":")
        owner = qualname.rpartition(".")[0]
        wanted = f"{owner}.{last_part(name)}".removeprefix(".")
        found = [each for each in self.functions if each.partition(":")[2] == wanted and each != beside]
        own = [each for each in found if each.startswith(f"{path}:")]
        found = own if owner else found
        if len(own or found) != 1:
            raise _NotRun("a property, and the other function is none of the program's")
        return (own or found)[0]


def _fitting(found: tuple[AnsweredCall, ...] | str) -> tuple[AnsweredCall, ...]:
    if isinstance(found, str):
        raise _NotRun(found)
    return tuple(each for each in found if not is_unfit(each.does))


class _NotRun(Exception):
    """Why a property is not run; the reason is the argument."""


def find_broken_properties(program: CalledProgram, subject: str) -> DriftOfFunction:
    """Which properties of a function have a counterexample, the shortest of those that were found."""
    found: list[DriftedFact] = []
    problems: list[str] = []
    held = calls = 0
    for fact in program.facts.get(subject, ()):
        if fact.predicate not in PROPERTIES:
            continue
        try:
            program.refuse(subject)
            tried, counters = _try(program, subject, fact)
        except _NotRun as problem:
            problems.append(str(problem))
            continue
        if tried < LEAST_INPUTS and not counters:
            problems.append("a property, and too few inputs that it speaks of")
            continue
        if counters and not program.is_steady(subject):
            problems.append(UNSTEADY)
            continue
        held, calls = held + 1, calls + tried
        if counters:
            found.append(min(counters, key=lambda each: (len(each.call.source), each.call.source)))
    return DriftOfFunction(subject, tuple(found), held, calls, next(iter(problems), ""))


def _try(program: CalledProgram, subject: str, fact: Fact) -> tuple[int, list[DriftedFact]]:
    """On how many inputs it was tried, and those that break it."""
    match fact.predicate:
        case Predicate.NEVER:
            anything = fact.value not in ("Exception", "TypeError")  # these come of values of another kind
            told = program.answers(subject, program.inputs(subject, anything=anything))
            return len(told), [DriftedFact(fact, each.call, each.does) for each in told if _denied(fact, each.does)]
        case Predicate.EQUALS:
            return _try_same(program, subject, fact)
        case Predicate.IDEMPOTENT:
            return _try_after(program, subject, subject, fact)
    other = program.named(fact.value, subject)
    program.refuse(other)
    if "inverse" in fact.quote.lower():  # what the other one made is undone by this one
        return _try_after(program, other, subject, fact)
    return _try_after(program, subject, other, fact)


def _denied(fact: Fact, end: Behaviour) -> bool:
    """Whether the call raises what never comes."""
    return isinstance(end, Raised) and (fact.value == "Exception" or meets(Raises(fact.value), end, {}) is True)


def _try_same(program: CalledProgram, subject: str, fact: Fact) -> tuple[int, list[DriftedFact]]:
    other = program.named(fact.value, subject)
    program.refuse(other)
    inputs = program.inputs(subject)
    mine, theirs = program.ends(subject, inputs), program.ends(other, inputs)
    counters = []
    for way, given in mine.keys() & theirs.keys():
        one, another = mine[way, given], theirs[way, given]
        if not _alike(one, another):
            then = f"{way}{call_of(given, last_part(other)).source} {describe_behaviour(another)}"
            counters.append(DriftedFact(fact, call_of(given, f"{way}{last_part(subject)}"), one, then))
    return len(mine.keys() & theirs.keys()), counters


def _alike(one: Behaviour, other: Behaviour) -> bool:
    if isinstance(one, Raised) and isinstance(other, Raised):
        return one.type == other.type
    same = isinstance(one, Returned) and isinstance(other, Returned) and one.value == other.value
    return same or are_numbers_near(one, other)


def _try_after(program: CalledProgram, first: str, second: str, fact: Fact) -> tuple[int, list[DriftedFact]]:
    """``second(first(x))`` gives x; where both are one function, it gives ``first(x)``, a value of the kind of x."""
    way = _methods_after if program.functions[first].is_method else _functions_after
    tried = [each for each in way(program, first, second) if first != second or type(each.x) is type(each.y)]
    counters = []
    for each in tried:
        if not _alike(Returned(repr(each.y if first == second else each.x)), each.end):
            then = f"{each.then} {describe_behaviour(each.end)}"
            counters.append(DriftedFact(fact, each.call, Returned(repr(each.y)), then))
    return len(tried), counters


@dataclass(frozen=True, slots=True)
class _TwoCalls:
    """A call with x that gives y, and how the one with y ends that follows."""

    call: Call
    x: object
    y: object
    then: str
    end: Behaviour


def _functions_after(program: CalledProgram, first: str, second: str) -> Iterator[_TwoCalls]:
    ends = program.ends(first, program.inputs(first))
    values = {given: value for (_, given), end in ends.items() if (value := _one_value(given, end)) is not None}
    after = {given: CallInput(repr((y,)), "{}") for given, (_, y) in values.items()}
    back = {given: end for (_, given), end in program.ends(second, tuple(dict.fromkeys(after.values()))).items()}
    for given, (x, y) in values.items():
        if after[given] in back:
            then = call_of(after[given], last_part(second)).source
            yield _TwoCalls(call_of(given, last_part(first)), x, y, then, back[after[given]])


def _methods_after(program: CalledProgram, first: str, second: str) -> Iterator[_TwoCalls]:
    """Both calls are of one object: what the second one undoes, the first one may have kept there."""
    for each in program.answers_after(first, second, program.inputs(first)):
        value = _one_value(each.given, each.does)
        if value is not None and isinstance(value[1], tuple) and len(value[1]) == 3:
            y, z, raised = value[1]
            end = Raised(raised, "''") if raised else Returned(repr(z))
            made = each.call.source.removesuffix(call_of(each.given, last_part(first)).source)
            then = f"{made}{call_of(CallInput(repr((y,)), '{}'), last_part(second)).source}"
            yield _TwoCalls(each.call, value[0], y, then, end)


def _one_value(given: CallInput, end: Behaviour) -> tuple[object, object] | None:
    """The one thing that a call is given, and the plain value that comes of it."""
    values = given.values()
    if values is None or len(values[0]) != 1 or values[1] or not isinstance(end, Returned) or end.left:
        return None
    found = None if end.value.startswith("items ") else literal_of(end)
    return None if found is None else (values[0][0], found[0])


def _read_hints(arguments: ast.arguments) -> Iterator[Hint]:
    """The parameters of a function, stars left out."""
    plain = [*arguments.posonlyargs, *arguments.args]
    values = [*([None] * (len(plain) - len(arguments.defaults))), *arguments.defaults]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for each, default in (*zip(plain, values, strict=True), *named):
        annotation = ast.unparse(each.annotation) if each.annotation is not None else ""
        written = ast.unparse(default) if default is not None else None
        yield Hint(each.arg, annotation, written, each not in arguments.posonlyargs)
