"""Facts that are run: calls on which the program does otherwise than its words say.

What is stated of a function is held against calls that facts name, and calls that their conditions speak of. Each
function runs in a process of its own behind the walls, a method on objects made as tests make them. One that reaches
files, the network, processes, the clock or chance is not called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from analysis.behaviour import Behaviour, Call
from analysis.calls import CallInput, call_of
from analysis.facts import Files, FunctionId, InvalidRun, Limits
from analysis.function_text import first_line_of
from analysis.specified.contradictions import known_call, with_facts
from analysis.specified.fact_record import Extractor, Fact
from analysis.stated.fact import (
    AllOf,
    Always,
    AnyOf,
    Argument,
    Compares,
    Condition,
    Fixed,
    GivesKind,
    IsEmpty,
    IsKind,
    Known,
    Negated,
    StatedFact,
    applies,
)
from analysis.stated.function import Stated, StatedFunction
from repair.records.ports import Sandbox
from repair.survey.safety import find_far_reach
from repair.survey.specified.instances import AnsweredCall, ClassTexts, call_method

MOST_CALLS = 80
"""Calls of one function."""

CALLING_SECONDS = 5.0

_EMPTY = {"str": "", "list": [], "tuple": (), "dict": {}, "set": set(), "frozenset": frozenset(), "bytes": b""}
_KINDS: Mapping[str, tuple[Any, ...]] = {
    "int": (0, 1, 2, 7),
    "float": (0.5, 2.0),
    "str": ("a", "b c", "7"),
    "bytes": (b"a",),
    "bool": (True, False),
    "list": ([], [1, 2], [3, 1, 2], ["b", "a"]),
    "tuple": ((), (1, 2)),
    "dict": ({}, {"a": 1}),
    "set": ({1, 2},),
    "NoneType": (None,),
}
_ANY = (1, 7, "a", [3, 1, 2], ["b", "a"], 0.5, None)


@dataclass(frozen=True, slots=True)
class DriftedFact:
    """A fact that the program breaks on a call."""

    fact: Fact
    call: Call
    does: Behaviour
    then: str = ""
    """Another call that a property speaks of, and its end."""


@dataclass(frozen=True, slots=True)
class DriftOfFunction:
    """What became of a function's facts: how many were held against calls, and which are broken; or why none was."""

    subject: str
    drifted: tuple[DriftedFact, ...] = ()
    held: int = 0
    """Facts that some call kept to or broke."""
    calls: int = 0
    problem: str = ""


def find_drift(
    sandbox: Sandbox,
    subject: str,
    function: StatedFunction,
    sources: Files,
    facts: Sequence[Fact],
    limits: Limits,
    texts: ClassTexts | None = None,
) -> DriftOfFunction:
    """Which facts of a function the program breaks; of each the first call that does, calls that facts name first.

    A method is called on objects that are made as ``texts`` make them.
    """
    path, _, qualname = subject.partition(":")
    spoken = {fact.means: fact for fact in facts if fact.means is not None and fact.extractor is not Extractor.TEST}
    stated = with_facts(function.stated, spoken.values())
    if not stated.facts:
        return DriftOfFunction(subject)
    far = find_far_reach(path, sources, qualname)
    if far:
        return DriftOfFunction(subject, problem=far)
    maker = _CallMaker(function, stated)
    named = list(dict.fromkeys(maker.named_calls(facts)))
    inputs = list(dict.fromkeys((*named, *maker.made_calls(named))))[:MOST_CALLS]
    bounds = replace(limits, wall_seconds=min(limits.wall_seconds, CALLING_SECONDS))
    own_texts = texts or ClassTexts({}, sources)
    known = answer_calls(sandbox, path, function, inputs, bounds, own_texts)
    if isinstance(known, str):
        return DriftOfFunction(subject, problem=known)
    tested = [each for fact in facts if fact.extractor is Extractor.TEST for each in maker.calls_of(fact)]
    drifted: dict[StatedFact, DriftedFact] = {}
    held: set[StatedFact] = set()
    for part in _by_speaker(function.stated, spoken):
        for each_call in known:
            given, call, does = each_call.given, each_call.call, each_call.does
            broken = part.broken_by(call, does)
            held.update(part.kept_by(call, does), broken)
            for each in broken:
                usual = maker.is_own(spoken.get(each), given) and (
                    given in named or (maker.is_allowed(each) and part.is_like(each, call, tested or named))
                )
                if each in spoken and each not in drifted and usual:
                    drifted[each] = DriftedFact(spoken[each], call, does)
    breaking = {each.call.source for each in drifted.values()}
    again = list(dict.fromkeys(each.given for each in known if each.call.source in breaking))
    if again and not is_steady(answer_calls(sandbox, path, function, [*again, *again], bounds, own_texts)):
        return DriftOfFunction(subject, problem=UNSTEADY)
    return DriftOfFunction(subject, tuple(drifted.values()), len(held), len(known))


UNSTEADY = "it gives another answer each time"


def is_steady(answers: tuple[AnsweredCall, ...] | str) -> bool:
    """Whether equal calls end alike: a function that counts its calls says nothing of a fact."""
    ends: dict[str, set[str]] = {}
    for each in answers if not isinstance(answers, str) else ():
        ends.setdefault(each.call.source, set()).add(repr(each.does))
    return all(len(own) == 1 for own in ends.values())


def answer_calls(
    sandbox: Sandbox,
    path: str,
    function: StatedFunction,
    inputs: Sequence[CallInput],
    limits: Limits,
    texts: ClassTexts,
) -> tuple[AnsweredCall, ...] | str:
    """How the calls end that ended; or why the function cannot be called."""
    if not inputs:
        return ()
    if function.is_method:
        return call_method(sandbox, path, function, inputs, texts, limits)
    own = FunctionId(path, function.qualname, first_line_of(function.node))
    answers = sandbox.call_apart(own, inputs, limits=limits)
    if isinstance(answers, InvalidRun):
        return answers.detail
    told = zip(inputs, answers, strict=True)
    return tuple(
        AnsweredCall(given, call_of(given, function.qualname), answer.behaviour)
        for given, answer in told
        if answer is not None
    )


def _by_speaker(stated: Stated, spoken: Mapping[StatedFact, Fact]) -> Iterator[Stated]:
    """What the function says of itself, and what each requirement says: one does not allow for what another forbids."""
    yield stated
    others: dict[str, list[StatedFact]] = {}
    for means, fact in spoken.items():
        if means not in stated.facts:
            others.setdefault(fact.requirement or fact.digest, []).append(means)
    for own in others.values():
        yield replace(stated, facts=tuple(own))


def calls_of_facts(function: StatedFunction, facts: Sequence[Fact]) -> Iterator[CallInput]:
    """The very calls of a function that facts speak of."""
    return _CallMaker(function, function.stated).named_calls(facts)


class _CallMaker:
    """Makes calls of one function. A parameter whose default is no literal is never given anything."""

    def __init__(self, function: StatedFunction, stated: Stated) -> None:
        self._function = function
        self._stated = stated
        self._required = function.required
        self._kinds = dict(stated.kinds)

    def named_calls(self, facts: Sequence[Fact]) -> Iterator[CallInput]:
        """The very calls that facts speak of, those of documents and examples first."""
        for fact in sorted(facts, key=lambda each: each.extractor is Extractor.TEST):
            yield from self.calls_of(fact)

    def calls_of(self, fact: Fact) -> Iterator[CallInput]:
        """The one call that a fact speaks of, if it is one."""
        if fact.means is not None and not isinstance(fact.means.condition, Always):
            known = known_call(fact.means.condition, self._function)
            if known is not None:
                yield self._input(known)

    def is_own(self, fact: Fact | None, given: CallInput) -> bool:
        """Whether a fact of one call is held against that very call: ``1.0`` is another one than ``1``."""
        own = list(self.calls_of(fact)) if fact is not None else []
        if not own or given in own:
            return True
        known, other = (self._stated.known(call_of(each)) for each in (own[0], given))
        return known.keys() >= set(self._stated.taken.names) and _spelled(known) == _spelled(other)

    def is_allowed(self, fact: StatedFact) -> bool:
        """Whether calls that nobody names may be held against it: kinds of results, only where kinds of all arguments
        are known."""
        return not isinstance(fact.end, GivesKind) or self._required <= self._kinds.keys()

    def made_calls(self, named: Sequence[CallInput]) -> Iterator[CallInput]:
        """Calls that the conditions of facts speak of: a base, with each value in turn that a condition asks about."""
        known = (self._stated.known(call_of(each)) for each in named[:3])
        bases = [each for each in known if set(each) >= self._required] or list(self._seeds())
        if any(isinstance(fact.condition, Always) for fact in self._stated.facts):
            yield from map(self._input, (*bases, *self._seeds()))
        for fact in self._stated.facts:
            for base in bases:
                for given in _meeting(fact.condition, base, self._stated):
                    if applies(fact.condition, given):
                        yield self._input(given)

    def _input(self, known: Known) -> CallInput:
        names = self._stated.taken.names
        positional = list(takewhile(lambda name: name in known, names[: self._stated.positional]))
        rest = {name: known[name] for name in names[len(positional) :] if name in known}
        return CallInput(repr(tuple(known[name] for name in positional)), repr(rest))

    def _seeds(self) -> Iterator[Known]:
        """Some calls of a function that nobody calls, by its annotations; parameters with a default keep it."""
        defaults = self._stated.known(Call(""))
        needed = [name for name in self._stated.taken.names if name in self._required]
        columns = [self._values_for(name) for name in needed]
        for number in range(max(map(len, columns), default=1)):
            yield {**defaults, **{n: column[number % len(column)] for n, column in zip(needed, columns, strict=True)}}

    def _values_for(self, name: str) -> list[Any]:
        return [value for kind in self._kinds.get(name, ()) for value in _KINDS.get(kind, ())] or list(_ANY)


def _spelled(known: Known) -> dict[str, str]:
    return {name: repr(value) for name, value in known.items()}


def _meeting(condition: Condition, base: Known, stated: Stated) -> Iterator[Known]:
    """The base call with other values for the parameters that the condition speaks of."""
    match condition:
        case Compares(Argument(name), _, Fixed(source)) | Compares(Fixed(source), _, Argument(name)):
            value = ast.literal_eval(source)
            yield {**base, name: value}
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield from ({**base, name: value + step} for step in (-1, 1, -7))
        case Compares(Argument(name), _, Argument(other)) if name in base and other in base:
            yield {**base, name: base[other]}
            if isinstance(base[other], int | float):
                yield from ({**base, name: base[other] + step} for step in (-1, 1))
        case IsEmpty(name, kinds):
            default = (type(base[name]).__name__,) if name in base else ()
            for kind in kinds or dict(stated.kinds).get(name, ()) or default:
                if kind in _EMPTY:
                    yield {**base, name: _EMPTY[kind]}
        case IsKind(name, kinds):
            yield from ({**base, name: value} for kind in kinds for value in _KINDS.get(kind, ())[:2])
        case Negated(inner):
            yield from _meeting(inner, base, stated)
        case AnyOf(parts):
            for part in parts:
                yield from _meeting(part, base, stated)
        case AllOf(parts):
            found = [base]
            for part in parts:
                found = [given for each in found[:8] for given in _meeting(part, each, stated)] or found
            yield from found
