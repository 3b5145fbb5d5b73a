"""Properties that hold on hundreds of inputs: twice is once, any order will do, there and back again.

A test of one says less about what the program gives than its value, and breaks less often on honest changes. It is
pinned all the same: nobody said that the property should hold.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analysis.behaviour import Returned, literal_of
from analysis.calls import CallInput
from analysis.facts import FunctionId, InvalidRun, Limits
from repair.compare.comparing import Versions, constants, signature
from repair.compare.inputs import generate
from repair.records.ports import Sandbox
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.differences import FoundInputs, OpenFunction
from repair.survey.growing.oracle import CaseMaker

LEAST_INPUTS, MOST_INPUTS = 500, 800
"""A property holds that all of so many inputs keep to, and of so many inputs are made for it."""

LEAST_TELLING = 50
"""So many of the inputs have to be such that the property says something of them: a row that has another order."""

MOST_CASES = 12
"""Inputs of which a test of a property is tried."""

CALLING_SECONDS = 20.0

_BACK = (
    *(("encode", "decode"), ("dump", "load"), ("dumps", "loads"), ("pack", "unpack"), ("quote", "unquote")),
    *(("escape", "unescape"), ("serialize", "deserialize"), ("parse", "format"), ("to_", "from_"), ("split", "join")),
)
"""Pairs of words in names of functions that undo each other."""

Answers = Mapping[CallInput, Any]
"""The plain value that each input gave."""


@dataclass(frozen=True, slots=True)
class Property:
    """What was found to hold: a name, words, on how many inputs, and how its test is made from a case."""

    said: str
    count: int
    make: Callable[[CallCase], CallCase | None]


def property_cases(
    sandbox: Sandbox,
    opened: OpenFunction,
    found: FoundInputs,
    maker: CaseMaker,
    pinned: Sequence[CallCase],
    beside: Sequence[FunctionId],
    limits: Limits,
    seed: int,
) -> Iterator[CallCase]:
    """Tests of properties on the inputs of these cases; ``beside`` are other functions of the file.

    Of methods nothing is said, and nothing where too few inputs can be made.
    """
    if "." in opened.function.qualname or not pinned:
        return
    both = Versions(opened.scope, opened.scope, opened.mine, opened.mine)
    known = constants(both)
    more = generate(found.calls, MOST_INPUTS, seed + 1, known, signature(both))
    asked = list(dict.fromkeys((*found.inputs, *more)))[:MOST_INPUTS]
    if len(asked) < LEAST_INPUTS:
        return
    bounds = replace(limits, wall_seconds=min(limits.wall_seconds, CALLING_SECONDS))

    def ask(function: FunctionId, inputs: Sequence[CallInput]) -> Answers:
        answers = sandbox.call_apart(function, inputs, limits=bounds) if inputs else ()
        if isinstance(answers, InvalidRun):
            return {}
        values = {
            given: literal_of(answer.behaviour)
            for given, answer in zip(inputs, answers, strict=True)
            if answer is not None and isinstance(answer.behaviour, Returned) and not answer.behaviour.left
        }
        return {given: value[0] for given, value in values.items() if value is not None}

    answers = ask(opened.function, asked)
    for prop in _holding(opened, answers, ask, beside, maker):
        for case in pinned[:MOST_CASES]:
            made = prop.make(case)
            if made is not None:
                said = f"{prop.said} on all of {prop.count} inputs tried"
                yield replace(made, said=said, given=case.given, parameters=())


def _holding(
    opened: OpenFunction,
    answers: Answers,
    ask: Callable[[FunctionId, Sequence[CallInput]], Answers],
    beside: Sequence[FunctionId],
    maker: CaseMaker,
) -> Iterator[Property]:
    alone = {given: value for given, value in answers.items() if _sole(given) is not None}
    changed = [given for given, value in alone.items() if _sole(given) != (value,)]
    if len(alone) >= LEAST_INPUTS and len(changed) >= LEAST_TELLING:
        again = {given: CallInput(repr((value,)), "{}") for given, value in alone.items()}
        second = ask(opened.function, list(dict.fromkeys(again.values())))
        if all(again[given] in second and _same(second[again[given]], alone[given]) for given in alone):
            yield Property("twice gives what once gives", len(alone), _twice)
        for other in _undoing(opened.function, beside):
            back = ask(other, list(dict.fromkeys(again.values())))
            if all(again[given] in back and (back[again[given]],) == _sole(given) for given in alone):
                made = partial(_back, other=maker.called(other))
                yield Property(f"{other.qualname} gives back what was given", len(alone), made)
    turned = {given: turn for given in answers if (turn := _turned(given)) is not None}
    if len(answers) >= LEAST_INPUTS and len(turned) >= LEAST_TELLING:
        second = ask(opened.function, list(dict.fromkeys(turned.values())))
        if all(turn in second and _same(second[turn], answers[given]) for given, turn in turned.items()):
            yield Property("the order of what is given does not matter", len(turned), _any_order)


def _same(one: Any, other: Any) -> bool:
    return bool(type(one) is type(other) and one == other)


def _sole(given: CallInput) -> tuple[Any] | None:
    """What is given where that is one thing alone."""
    values = given.values()
    return (values[0][0],) if values is not None and len(values[0]) == 1 and not values[1] else None


def _turned(given: CallInput) -> CallInput | None:
    """The call with its first row the other way round; ``None`` where that is the same."""
    values = given.values()
    if values is None or not values[0] or not isinstance(values[0][0], list):
        return None
    row = values[0][0]
    return CallInput(repr((row[::-1], *values[0][1:])), given.kwargs) if row[::-1] != row else None


def _undoing(function: FunctionId, beside: Sequence[FunctionId]) -> list[FunctionId]:
    """Functions whose name says that they undo this one."""
    name = function.qualname
    names = {name.replace(a, b) for pair in _BACK for a, b in (pair, pair[::-1]) if a in name}
    return [each for each in beside if each.path == function.path and each.qualname in names - {name}]


def _call(case: CallCase) -> ast.Call | None:
    node = ast.parse(case.call, mode="eval").body
    return node if isinstance(node, ast.Call) and case.claim.kind is ClaimKind.EQUALS else None


def _twice(case: CallCase) -> CallCase | None:
    """``f(f(x)) == f(x)``."""
    call = _call(case)
    if call is None or len(call.args) != 1 or call.keywords:
        return None
    twice = f"{ast.unparse(call.func)}({case.call})"
    return replace(case, call=twice, claim=Claim(ClaimKind.EQUALS, case.call))


def _any_order(case: CallCase) -> CallCase | None:
    """``f([1, 2]) == f([2, 1])``."""
    call = _call(case)
    if call is None or not call.args or not isinstance(call.args[0], ast.List):
        return None
    turned = ast.Call(call.func, [ast.List(call.args[0].elts[::-1], ast.Load()), *call.args[1:]], call.keywords)
    text = ast.unparse(turned)
    return replace(case, claim=Claim(ClaimKind.EQUALS, text)) if text != case.call else None


def _back(case: CallCase, other: str) -> CallCase | None:
    """``decode(encode(x)) == x``."""
    call = _call(case)
    if call is None or len(call.args) != 1 or call.keywords:
        return None
    return replace(case, call=f"{other}({case.call})", claim=Claim(ClaimKind.EQUALS, ast.unparse(call.args[0])))
