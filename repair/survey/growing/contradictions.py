"""Calls on which the program breaks what a sentence of the project says: code or fact, one of them is wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.behaviour import Behaviour, Call, Returned, literal_of
from analysis.calls import CallInput, PlainAnswer, call_of, plain_input
from analysis.facts import InvalidRun, Limits
from analysis.stated.citation import uncited
from analysis.stated.fact import Always, Certainty, StatedFact
from analysis.stated.function import Stated
from repair.compare.examples import read_examples
from repair.records.grown import Contradiction, SaidBy
from repair.records.ports import Sandbox
from repair.records.witness_text import describe_behaviour
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.differences import FoundInputs, OpenFunction
from repair.survey.growing.oracle import CaseMaker, claim_of

MOST_CALLED = 400
"""Calls whose ends are held against facts."""

CALLING_SECONDS = 20.0
"""What all of them may take."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A finding, and the test that fails because of it, where one can be written whose claim is cited."""

    finding: Contradiction
    test: CallCase | None


def find_contradictions(
    sandbox: Sandbox, opened: OpenFunction, found: FoundInputs, maker: CaseMaker, limits: Limits
) -> tuple[Broken, ...]:
    """The plainest call that breaks each fact of a function; none of facts that tests' own calls break too.

    Of a method, calls on instances that tests made are known, as they were seen beside its mutants. Its instance says
    much of what they give: only facts are heeded that are sure, and that speak of the arguments.
    """
    if "." in opened.function.qualname:
        return tuple(_of_method(opened, found, maker)) if opened.stated.facts else ()
    examples = list(_examples(opened))
    if not (opened.stated.facts or examples):
        return ()
    tested = [call.input for call in found.calls if call.plain]
    asked = list(dict.fromkeys((*tested, *(given for given, _, _ in examples), *found.inputs)))[:MOST_CALLED]
    bounds = replace(limits, wall_seconds=min(limits.wall_seconds, CALLING_SECONDS))
    answers = sandbox.call_apart(opened.function, asked, limits=bounds)
    if isinstance(answers, InvalidRun):
        return ()
    known = {given: answer for given, answer in zip(asked, answers, strict=True) if answer is not None}
    return (*_by_facts(opened, tested, known, maker), *_by_examples(opened, examples, known, maker))


def _of_method(opened: OpenFunction, found: FoundInputs, maker: CaseMaker) -> Iterator[Broken]:
    """Facts about arguments that a method breaks, on the shortest call."""
    stated = opened.stated
    sure = [f for f in stated.facts if f.certainty is Certainty.CERTAIN and not isinstance(f.condition, Always)]
    tested = [call.input for call in found.calls if call.plain]
    ends = list(dict.fromkeys((each.call, each.mine) for _, each in found.differences))
    denied = {fact for call, does in ends if call.is_made for fact in stated.broken_by(call, does)}
    plainest: dict[StatedFact, tuple[Call, Behaviour]] = {}
    for call, does in sorted(ends, key=lambda end: len(end[0].source)):
        for fact in stated.broken_by(call, does):
            if fact in sure and fact not in denied and stated.is_like(fact, call, tested):
                plainest.setdefault(fact, (call, does))
    yield from _told(opened, stated, plainest, maker)


def _by_facts(
    opened: OpenFunction, tested: Sequence[CallInput], known: dict[CallInput, PlainAnswer], maker: CaseMaker
) -> Iterator[Broken]:
    stated, name = opened.stated, opened.function.qualname
    denied = {
        fact
        for given in tested
        if given in known
        for fact in stated.broken_by(call_of(given, name), known[given].behaviour)
    }
    heeded = stated.without(denied)
    plainest: dict[StatedFact, tuple[Call, Behaviour]] = {}
    for given, answer in sorted(known.items(), key=lambda each: _strangeness(each[0], tested)):
        call = call_of(given, name)
        for fact in heeded.broken_by(call, answer.behaviour):
            if fact not in plainest and heeded.is_like(fact, call, tested):
                plainest[fact] = call, answer.behaviour
    yield from _told(opened, heeded, plainest, maker)


def _told(
    opened: OpenFunction, stated: Stated, plainest: Mapping[StatedFact, tuple[Call, Behaviour]], maker: CaseMaker
) -> Iterator[Broken]:
    """A finding for each fact with the call that breaks it."""
    for fact, (call, does) in plainest.items():
        said, certain = stated.cite(fact), fact.certainty is Certainty.CERTAIN
        pinned = maker.pinned(call, does)
        claim = claim_of(fact.end, stated.known(call), pinned, does) if pinned is not None else None
        cited = claim is not None and not uncited(claim.kind.name, claim.value, fact.quote)
        test = _failing(pinned, claim, said) if pinned is not None and claim is not None and cited else None
        yield Broken(_finding(opened, call, does, said, certain=certain), test)


def _strangeness(given: CallInput, tested: Sequence[CallInput]) -> tuple[int, int, str]:
    """How far a call is from those of tests: in so many places, and by its length.

    Example: tests call ``share(10, 5)``. Then ``share(10, 0)`` shows what a zero does, and ``share(0, 0)`` shows less.
    """
    values = given.values()
    args = values[0] if values is not None else ()
    known = [each[0] for each in (one.values() for one in tested) if each is not None]
    unlike = [sum(repr(one) != repr(other) for one, other in zip(args, seen, strict=False)) for seen in known]
    return min(unlike, default=0), len(given.args) + len(given.kwargs), given.args


def _by_examples(
    opened: OpenFunction,
    examples: Sequence[tuple[CallInput, str, str]],
    known: dict[CallInput, PlainAnswer],
    maker: CaseMaker,
) -> Iterator[Broken]:
    """Examples of the docstring that name another plain value than the call gives."""
    for given, text, want in examples:
        answer = known.get(given)
        does = answer.behaviour if answer is not None else None
        if not isinstance(does, Returned) or (literal := literal_of(does)) is None:
            continue
        if literal[0] == ast.literal_eval(want):
            continue
        call = call_of(given, opened.function.qualname)
        said = maker.cite_example(text)
        pinned = maker.pinned(call, does)
        test = _failing(pinned, Claim(ClaimKind.EQUALS, want), said) if pinned is not None else None
        yield Broken(_finding(opened, call, does, said, certain=True), test)


def _examples(opened: OpenFunction) -> Iterator[tuple[CallInput, str, str]]:
    """Plain calls of the function alone that an example gives a plain value of: input, text, value."""
    name = opened.function.qualname
    for example in read_examples(opened.docstring):
        source, _, want = example.text.partition(" gives ")
        try:
            call = ast.parse(source, mode="eval").body
            ast.literal_eval(want)
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == name:
                given = plain_input(call)
                if given is not None:
                    yield given, f"{source} {want}", want
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue


def _finding(opened: OpenFunction, call: Call, does: Behaviour, said: str, *, certain: bool) -> Contradiction:
    function = opened.function
    return Contradiction(
        function.path, function.qualname, function.first_line, call.source, describe_behaviour(does), said, certain
    )


def _failing(pinned: CallCase, claim: Claim, said: str) -> CallCase:
    return CallCase(
        pinned.function, pinned.call, claim, SaidBy.REQUIRED, said, parameters=pinned.parameters, given=pinned.given
    )
