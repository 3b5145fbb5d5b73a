"""What a new function text is able to do that the old one was not.

A filter, never a boundary: untrusted code is contained by the sandbox. What this finds is what no mere
fix needs, or what a person should look at. Only the difference counts: what the old function did, the
new one may do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from analysis.escapes import escapes_of
from analysis.expected_values import literals_of_test
from analysis.function_text import FunctionNode, Unreadable, parse_function, shape
from analysis.literals import literals_in, spelled, with_parts
from analysis.reach import reach_of
from analysis.special_cases import Known, special_cases
from analysis.surroundings import Surroundings, surroundings_of
from analysis.unordered import unordered
from analysis.use import Severity, Use

__all__ = ["CapabilityFinding", "Severity", "literals_of_test", "new_capabilities"]

_TRADES = ("files", "network", "process", "threads")
_EXITS = frozenset({"SystemExit", "KeyboardInterrupt"})


@dataclass(frozen=True, slots=True)
class CapabilityFinding:
    """One new capability. ``line`` counts from the first line of the new text."""

    id: str
    severity: Severity
    claim: str
    line: int


def new_capabilities(
    old: str,
    new: str,
    module: str,
    test_literals: frozenset[object],
    *,
    test_inputs: frozenset[object] = frozenset(),
    raises: frozenset[str] = frozenset(),
    module_now: str = "",
    project: frozenset[str] = frozenset(),
    test_names: frozenset[str] = frozenset(),
    mentions: Callable[[str], bool] = lambda text: True,
) -> tuple[CapabilityFinding, ...]:
    """What the new text of a function makes use of and the old one did not, in the order of its lines.

    ``module`` is the text of the file around the old function; ``module_now`` that file as it is now, still around the
    old function, where a patch changes more of it: names may come from there, free literals may not.
    ``test_literals`` are the values that the failing tests expect, ``test_inputs`` those that they put in, ``raises``
    the exceptions that they wait for, ``test_names`` their files and functions. ``project`` are the top names of the
    project's own modules, which may be imported. ``mentions`` says whether a text occurs anywhere in the program, or
    in what its tests write down.
    """
    values = Known(frozenset(), test_literals, test_inputs, test_names, mentions)
    try:
        return _compared(old, new, module, module_now or module, values, raises, project)
    except RecursionError:
        return _unread(Unreadable("The text is nested too deeply to be read."))


def _compared(
    old: str,
    new: str,
    module: str,
    module_now: str,
    values: Known,
    raises: frozenset[str],
    project: frozenset[str],
) -> tuple[CapabilityFinding, ...]:
    before, after = parse_function(old), parse_function(new)
    if isinstance(before, Unreadable):
        return _unread(before)
    if isinstance(after, Unreadable):
        return _unread(after)
    around = surroundings_of(module)
    now = around if module_now == module else surroundings_of(module_now)
    if isinstance(around, Unreadable):
        return _unread(around)
    if isinstance(now, Unreadable):
        return _unread(now)
    free = around.literals | set(literals_in(before))
    expected, inputs = (spelled(v) - free for v in (with_parts(values.expected), values.inputs))
    known = replace(values, free=free, expected=expected, inputs=inputs)
    modules = project | {target.split(".")[0] for _, target in now.imports}
    had = {key for use in _uses(before, around, modules) for key in (use.id, use.key)}
    uses = [*_uses(after, now, modules), *special_cases(before, after, known)]
    fresh = [_weighed(use, had) for use in uses if use.key not in had and not _is_asked_for(use, raises)]
    return tuple(dict.fromkeys(_finding(use) for use in sorted(fresh, key=lambda use: (use.line, use.id, use.claim))))


def _unread(text: Unreadable) -> tuple[CapabilityFinding, ...]:
    return (CapabilityFinding("unread", Severity.REVIEW, text.detail, 1),)


def _uses(function: FunctionNode, around: Surroundings, modules: frozenset[str]) -> Iterator[Use]:
    yield from reach_of(function, around, modules)
    yield from escapes_of(function)
    yield from unordered(function)
    yield from _defaults(function)


def _defaults(function: FunctionNode) -> Iterator[Use]:
    """Mutable defaults: state that outlives the call, or a table behind the back of the signature."""
    for default in (*function.args.defaults, *function.args.kw_defaults):
        if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.Call)):
            claim = "keeps state, or answers, in a default argument"
            yield Use("state", Severity.REJECT, f"state:{shape(default)}", default.lineno, claim)


def _weighed(use: Use, had: set[str]) -> Use:
    """A function whose trade it is may need more of it: that is for a person to see, and no reason to reject."""
    return replace(use, severity=Severity.REVIEW) if use.id in _TRADES and use.id in had else use


def _is_asked_for(use: Use, raises: frozenset[str]) -> bool:
    """Ending the run is what the failing test asks for, by waiting for ``SystemExit``."""
    return use.id == "exit" and bool(_EXITS & raises) and use.key in ("exit:sys.exit", "exit:SystemExit")


def _finding(use: Use) -> CapabilityFinding:
    return CapabilityFinding(use.id, use.severity, f"The new text {use.claim}.", use.line)
