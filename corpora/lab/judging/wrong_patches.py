"""Patches that are likely wrong, made by rule from a fix and from the calls that tests make.

None is believed to be wrong for how it was made: only hidden tests or a comparison with the fix settle that.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst
import libcst.matchers as m

from analysis.behaviour import Difference, Returned
from analysis.calls import RecordedCall
from transforms.mutants.made import mutants
from transforms.mutants.rewritings import leaves, rewrite_function
from transforms.tree.scope import EditScope

MOST_VALUES = 12
"""Tested inputs that one patch names."""


@dataclass(frozen=True, slots=True)
class Likely:
    """One text for the function, and how it was made."""

    text: bytes
    how: str
    label: str


@dataclass(frozen=True, slots=True)
class Called:
    """A call that a test makes: the value of each parameter that it gives, and the fix's result as source."""

    values: tuple[tuple[str, Any], ...]
    result: str = ""


def mutate_fix(fixed: EditScope) -> Iterator[Likely]:
    """The fix with one seeded fault, anywhere in the function."""
    for mutant in mutants(fixed):
        yield Likely(mutant.text, "mutant", f"line {mutant.line}: {mutant.operator}: {mutant.label}")


def parts(old: EditScope, fixed: EditScope) -> Iterator[Likely]:
    """The fix with one of its pieces put back, and one of its pieces alone."""
    before, after = old.text.splitlines(keepends=True), fixed.text.splitlines(keepends=True)
    steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    pieces = [number for number, step in enumerate(steps) if step[0] != "equal"]
    if len(pieces) < 2:
        return
    for piece in pieces:
        for what, chosen in (("without", {*pieces} - {piece}), ("only", {piece})):
            lines = [
                line
                for number, (_, a, b, c, d) in enumerate(steps)
                for line in (after[c:d] if number in chosen else before[a:b])
            ]
            yield Likely(b"".join(lines), "part of the fix", f"{what} piece {pieces.index(piece) + 1} of {len(pieces)}")


def special_cases(old: EditScope, calls: Sequence[Called]) -> Iterator[Likely]:
    """The faulty function that answers the tested inputs first: one ``if`` for each, or a table."""
    told = [call for call in calls if call.result and call.values][:MOST_VALUES]
    if not told or _is_generator(old.node):
        return
    cases = [_if(_equal(call), f"return {call.result}") for call in told]
    yield from _likely(old, _open_body(old.node, cases), "special case", f"{len(told)} tested inputs by name")
    (first, *others) = [tuple(name for name, _ in call.values) for call in told]
    if all(names == first for names in others):
        key = "({},)".format(", ".join(first))
        rows = ", ".join(f"({tuple(v for _, v in call.values)!r}, {call.result})" for call in told)
        table = f"for key, value in [{rows}]:\n    if key == {key}:\n        return value\n"
        yield from _likely(old, _open_body(old.node, _statements(table)), "special case", "a table of tested inputs")


def fences(old: EditScope, fixed: EditScope, calls: Sequence[Called]) -> Iterator[Likely]:
    """The fix within the bounds of what is tested, and the faulty function beyond them."""
    if not calls or _is_generator(fixed.node) or _is_generator(old.node):
        return
    conditions: dict[str, str] = {}
    for name in dict.fromkeys(name for call in calls for name, _ in call.values):
        seen = [value for call in calls for n, value in call.values if n == name]
        if all(type(value) in (int, float) for value in seen):
            conditions[f"{min(seen)!r} <= {name} <= {max(seen)!r}"] = f"the tested range of {name}"
        elif all(isinstance(value, (str, list, tuple, dict)) for value in seen):
            lengths = [len(value) for value in seen]
            conditions[f"len({name}) in {tuple(sorted({*lengths}))!r}"] = f"the tested lengths of {name}"
            conditions[f"len({name}) <= {max(lengths)}"] = f"the longest tested {name}"
    named = [call for call in calls if call.values][:MOST_VALUES]
    conditions[" or ".join(f"({_equal(call)})" for call in named)] = "the tested inputs"
    for condition, label in conditions.items():
        if condition:
            test = cst.parse_expression(condition)
            body = list(_body_without_docstring(fixed.node))
            body += [] if leaves(body) else [cst.parse_statement("return None")]
            yield from _likely(
                old, _open_body(old.node, [cst.If(test, cst.IndentedBlock(body))]), "fenced fix", f"the fix for {label}"
            )


def plain_calls(calls: Sequence[RecordedCall], node: cst.FunctionDef, is_method: bool) -> tuple[Called, ...]:
    """The plain calls with the parameters by name; those that fit no plain parameters are left out."""
    found: dict[str, Called] = {}
    for call in calls:
        if call.plain:
            values = _values(node, is_method, ast.literal_eval(call.input.args), ast.literal_eval(call.input.kwargs))
            if values:
                found.setdefault(repr(values), Called(values))
    return tuple(found.values())


def departing_calls(departures: Sequence[Difference], node: cst.FunctionDef, is_method: bool) -> tuple[Called, ...]:
    """Calls in which the fix departs from the faulty function, where arguments and result are literals."""
    found: dict[str, Called] = {}
    for departure in departures:
        mine = departure.mine
        if not isinstance(mine, Returned) or mine.left:
            continue
        try:
            call = ast.parse(f"f{departure.call.arguments}", mode="eval").body
            assert isinstance(call, ast.Call)
            ast.literal_eval(mine.value)
            args = [ast.literal_eval(arg) for arg in call.args]
            kwargs = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        except (ValueError, SyntaxError):  # shortened, or no literal
            continue
        values = _values(node, is_method, args, kwargs)
        if values:
            found.setdefault(repr(values), Called(values, mine.value))
    return tuple(found.values())


def _values(
    node: cst.FunctionDef, is_method: bool, args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[tuple[str, Any], ...]:
    names = [param.name.value for param in (*node.params.posonly_params, *node.params.params)][is_method:]
    if len(args) > len(names):
        return ()
    keyword = [name for name in kwargs if name in names]
    return (*zip(names, args, strict=False), *((name, kwargs[name]) for name in keyword))


def _likely(old: EditScope, node: cst.FunctionDef, how: str, label: str) -> Iterator[Likely]:
    text = rewrite_function(old, node, how)
    if text is not None:
        yield Likely(text, how, label)


def _equal(call: Called) -> str:
    return " and ".join(f"{name} == {value!r}" for name, value in call.values)


def _if(condition: str, statement: str) -> cst.BaseStatement:
    return cst.parse_statement(f"if {condition}:\n    {statement}\n")


def _statements(source: str) -> list[cst.BaseStatement]:
    return [statement for statement in cst.parse_module(source).body if isinstance(statement, cst.BaseStatement)]


def _open_body(node: cst.FunctionDef, first: Sequence[cst.BaseStatement]) -> cst.FunctionDef:
    """The function with these statements before all others but the docstring."""
    body = _block(node)
    said = body[: len(body) - len(_body_without_docstring(node))]
    return node.with_changes(body=cst.IndentedBlock([*said, *first, *body[len(said) :]]))


def _body_without_docstring(node: cst.FunctionDef) -> Sequence[cst.BaseStatement]:
    body = _block(node)
    return body[1:] if node.get_docstring() is not None else body


def _block(node: cst.FunctionDef) -> Sequence[cst.BaseStatement]:
    match node.body:
        case cst.IndentedBlock(body=body):
            return list(body)
        case cst.SimpleStatementSuite(body=small):
            return [cst.SimpleStatementLine([statement]) for statement in small]
    raise TypeError(type(node.body).__name__)


def _is_generator(node: cst.FunctionDef) -> bool:
    """Whether two bodies of it cannot stand in one function as they are."""
    return node.asynchronous is not None or bool(m.findall(node, m.Yield()))
