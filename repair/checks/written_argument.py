"""A call gives what it gave, and writes into an argument that the old function left as it was."""

from __future__ import annotations

import ast
from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """The shortest such call. Methods are left out: many are there to write into what they are called on.

    So is a function that gives nothing, since writing is all that it can do.

    Example: ``merge({'a': 1}, {'b': 2})`` gives the same as before, and the caller's own ``{'a': 1}`` has two keys now.
    """
    writing = [
        each
        for each in found.old.departures
        if isinstance(each.mine, Returned)
        and isinstance(each.other, Returned)
        and each.mine.value == each.other.value != "None"
        and each.mine.left != each.other.left
        and not each.call.context
        and _leaves(each.other.left) == _given(each.call.arguments)
    ]
    return min(writing, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


def _given(arguments: str) -> list[str] | None:
    """The arguments of a call, each as Python writes it; ``None`` where the text is cut or no Python."""
    match _parse(f"called{arguments}"):
        case ast.Call(args=args, keywords=keywords):
            return [ast.unparse(each) for each in (*args, *(keyword.value for keyword in keywords))]
    return None


def _leaves(left: str) -> list[str]:
    """What became of the arguments, written likewise; nothing where that cannot be read."""
    match _parse(left.removeprefix("args ")):
        case ast.Tuple(elts=[ast.List(elts=args), ast.Dict(values=named)]):
            return [ast.unparse(each) for each in (*args, *named)]
    return []


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_BOTH = "{'a': 1, 'b': 2}"
_KEPT = Returned(_BOTH, left="args ([{'a': 1}, {'b': 2}], {})")
_WROTE = Returned(_BOTH, left=f"args ([{_BOTH}, {{'b': 2}}], {{}})")
_WRITTEN = departed("merge({'a': 1}, {'b': 2})", _KEPT, _WROTE)


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "written_argument",
    "a call gives what it gave, and writes into an argument that was left as it was",
    find,
    flagged=(
        _with(_WRITTEN),
        _with(replace(_WRITTEN, call=replace(_WRITTEN.call, origin=CallOrigin.MADE))),
        _with(
            departed(
                "merge([1], other=[2])",
                Returned("[1, 2]", left="args ([[1]], {'other': [2]})"),
                Returned("[1, 2]", left="args ([[1, 2]], {'other': [2]})"),
            )
        ),
    ),
    clean=(
        _with(replace(_WRITTEN, mine=replace(_WROTE, value="{}"))),  # another result
        _with(replace(_WRITTEN, mine=Raised("TypeError", "'merge'", left="args ([], {})"))),
        _with(replace(_WRITTEN, mine=_KEPT, other=_WROTE)),  # it writes no more
        _with(replace(_WRITTEN, call=replace(_WRITTEN.call, context="on Cart(total=5)"))),
        _with(replace(_WRITTEN, call=replace(_WRITTEN.call, arguments="({'a': 1}, …"))),
        _with(
            departed(
                "fill([1])",
                Returned("None", left="args ([[1]], {})"),
                Returned("None", left="args ([[1, 0]], {})"),
            )
        ),
    ),
)
