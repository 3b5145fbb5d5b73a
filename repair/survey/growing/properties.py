"""Properties that hold on hundreds of inputs: twice is once, any order will do, there and back, refused just there.

A test of one says less about what the program gives than its value, and breaks less often on honest changes. It is
pinned all the same: nobody said that the property should hold.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from analysis.behaviour import Behaviour, Call, Raised, Returned, literal_of
from analysis.calls import CallInput, call_of
from analysis.facts import FunctionId, InvalidRun, Limits
from analysis.stated.fact import Argument, Compares, Condition, Fixed, IsEmpty, applies
from analysis.stated.function import Stated
from repair.compare.comparing import Versions, constants, signature
from repair.compare.inputs import generate
from repair.records.ports import Sandbox
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.differences import FoundInputs, OpenFunction
from repair.survey.growing.oracle import CaseMaker

LEAST_INPUTS, MOST_INPUTS = 500, 800
"""A property holds that all of so many inputs keep to, and of so many inputs are made for it."""

LEAST_REFUSED = 20
"""So many inputs end in an exception, and so many do not, where one is said to come under a condition alone."""

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

Ends = Mapping[CallInput, Behaviour]
"""How the call ended on each input."""

Ask = Callable[[FunctionId, Sequence[CallInput]], Ends]


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
    tested = (call.input for call in found.calls if call.plain)
    asked = list(dict.fromkeys((*tested, *found.inputs, *more)))[:MOST_INPUTS]
    if len(asked) < LEAST_INPUTS:
        return
    bounds = replace(limits, wall_seconds=min(limits.wall_seconds, CALLING_SECONDS))

    def ask(function: FunctionId, inputs: Sequence[CallInput]) -> Ends:
        answers = sandbox.call_apart(function, inputs, limits=bounds) if inputs else ()
        if isinstance(answers, InvalidRun):
            return {}
        told = zip(inputs, answers, strict=True)
        return {given: answer.behaviour for given, answer in told if answer is not None}

    ends = ask(opened.function, asked)
    for prop in (*_holding(opened, _values(ends), ask, beside, maker), *_refusing(opened.stated, ends)):
        for made in islice(filter(None, map(prop.make, pinned)), MOST_CASES):
            said = f"{prop.said} on all of {prop.count} inputs tried"
            yield replace(made, said=said, parameters=())


def _values(ends: Ends) -> Answers:
    """The plain values among the ends of calls that changed nothing that they were given."""
    values = {g: literal_of(end) for g, end in ends.items() if isinstance(end, Returned) and not end.left}
    return {given: value[0] for given, value in values.items() if value is not None}


def _refusing(stated: Stated, ends: Ends) -> Iterator[Property]:
    """Exceptions that come under a condition and nowhere else: ``ValueError`` where ``n < 0``."""
    known = {given: stated.known(call_of(given)) for given in ends}
    raised = {end.type for end in ends.values() if isinstance(end, Raised) and not end.incidental}
    for error in sorted(raised):
        for words, condition in _conditions(stated.taken.names):
            holds = {given: applies(condition, known[given]) for given in ends}
            pairs = [(hold, _ends_in(ends[given], error)) for given, hold in holds.items() if hold is not None]
            refused = sum(hold for hold, _ in pairs)
            if len(pairs) < LEAST_INPUTS or min(refused, len(pairs) - refused) < LEAST_REFUSED:
                continue
            if all(hold == ended for hold, ended in pairs):
                make = partial(_refused, error=error, condition=condition, stated=stated)
                yield Property(f"{error} comes where {words}, and nowhere else,", len(pairs), make)
                break


def _conditions(names: Sequence[str]) -> Iterator[tuple[str, Condition]]:
    """What a function may refuse of a parameter, in words too."""
    for name in names:
        for sign, bound in (("<", "0"), ("<=", "0"), ("==", "0"), ("<", "1"), (">", "1"), ("is", "None")):
            yield f"{name} {sign} {bound}", Compares(Argument(name), sign, Fixed(bound))
        yield f"{name} is empty", IsEmpty(name)


def _ends_in(end: Behaviour, error: str) -> bool:
    return isinstance(end, Raised) and end.type == error


def _refused(case: CallCase, error: str, condition: Condition, stated: Stated) -> CallCase | None:
    """The test that such a call is refused, where the condition holds of its arguments."""
    node = ast.parse(case.call, mode="eval").body
    if case.claim.kind is not ClaimKind.RAISES or not isinstance(node, ast.Call):
        return None
    arguments = ast.unparse(node)[len(ast.unparse(node.func)) :]
    is_same = case.claim.value.rpartition(".")[2] == error.rpartition(".")[2]
    return case if is_same and applies(condition, stated.known(Call("", arguments))) else None


def _holding(
    opened: OpenFunction,
    answers: Answers,
    ask: Ask,
    beside: Sequence[FunctionId],
    maker: CaseMaker,
) -> Iterator[Property]:
    alone = {given: value for given, value in answers.items() if _sole(given) is not None}
    changed = [given for given, value in alone.items() if _sole(given) != (value,)]
    if len(alone) >= LEAST_INPUTS and len(changed) >= LEAST_TELLING:
        again = {given: CallInput(repr((value,)), "{}") for given, value in alone.items()}
        second = _values(ask(opened.function, list(dict.fromkeys(again.values()))))
        if all(again[given] in second and _same(second[again[given]], alone[given]) for given in alone):
            yield Property("twice gives what once gives", len(alone), _twice)
        for other in _undoing(opened, beside):
            back = _values(ask(other, list(dict.fromkeys(again.values()))))
            if all(again[given] in back and (back[again[given]],) == _sole(given) for given in alone):
                made = partial(_back, other=maker.called(other))
                yield Property(f"{other.qualname} gives back what was given", len(alone), made)
    turned = {given: turn for given in answers if (turn := _turned(given)) is not None}
    if len(answers) >= LEAST_INPUTS and len(turned) >= LEAST_TELLING:
        second = _values(ask(opened.function, list(dict.fromkeys(turned.values()))))
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


def _undoing(opened: OpenFunction, beside: Sequence[FunctionId]) -> list[FunctionId]:
    """Functions of the file whose name says that they undo this one, or of which a model says so."""
    name = opened.function.qualname
    names = {name.replace(a, b) for pair in _BACK for a, b in (pair, pair[::-1]) if a in name}
    names |= {*opened.proposed.undone_by}
    return [each for each in beside if each.path == opened.function.path and each.qualname in names - {name}]


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
