"""What a new function text is able to do that the old one was not.

A filter, never a boundary: untrusted code is contained by the sandbox. What this finds is what no mere
fix needs, or what a person should look at. Only the difference counts: what the old function did, the
new one may do.

Ways in which a function's control flow hides a failure, never ends, or never takes a branch.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from analysis.constant_truth import constant_truth
from analysis.danger import DangerLevel, Use
from analysis.expected_values import literals_of_test
from analysis.function_text import FunctionNode, Unreadable, last_name, names_in, own_nodes, parse_function, shape
from analysis.literals import literals_in, with_parts, with_spellings
from analysis.reach import reach_of
from analysis.special_cases import Known, special_cases
from analysis.surroundings import ModuleNames, surroundings_of
from analysis.unordered import uses_of_set_order

_BROAD = ("Exception", "BaseException", "AssertionError", "object")
_MANY = 4
"""Kinds of exceptions in one new handler from which on a person has to look."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def escapes_of(function: FunctionNode) -> tuple[Use, ...]:
    """All such places. Keys are numbered, so that a second one of a kind is a new one."""
    count: Counter[str] = Counter()
    numbered = []
    for use in _escapes(function):
        count[use.key] += 1
        numbered.append(Use(use.id, use.severity, f"{use.key}#{count[use.key]}", use.line, use.claim))
    return tuple(numbered)


def _escapes(function: FunctionNode) -> Iterator[Use]:
    for node in ast.walk(function):
        match node:
            case ast.ExceptHandler():
                yield from _uses_of_handler(node, function)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                yield from (use for item in items for use in _uses_of_suppress(item.context_expr))
            case ast.Call(func=ast.Attribute(attr="push"), args=[ast.Lambda() as way_out]):
                yield _use("swallow", "push", way_out.lineno, "decides itself at an exit what is raised", review=True)
            case ast.Try(finalbody=final) | ast.TryStar(finalbody=final):
                yield from _uses_of_finally(final)
            case ast.While():
                yield from _uses_of_while(node)
            case ast.Assert(test=test) if constant_truth(test) is False:
                continue  # it hides nothing: it raises
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                yield from _uses_of_condition(test)
            case ast.comprehension(ifs=conditions):
                yield from (use for test in conditions for use in _uses_of_condition(test))
            case ast.match_case(guard=ast.expr() as guard):
                yield from _uses_of_condition(guard)


def _use(id: str, key: str, line: int, claim: str, *, review: bool = False) -> Use:
    return Use(id, DangerLevel.REVIEW if review else DangerLevel.REJECT, f"{id}:{key}", line, claim)


def _uses_of_handler(handler: ast.ExceptHandler, function: FunctionNode) -> Iterator[Use]:
    """A handler that ends in a ``raise`` and is not left before that swallows nothing."""
    raises = isinstance(handler.body[-1], ast.Raise)
    if raises and not _is_left_early(handler):
        return
    caught = handler.type
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    if caught is None or any(last_name(p) in _BROAD for p in parts):
        name = "everything" if caught is None else ast.unparse(caught)
        claim = f"catches {name} and does not {'always ' if raises else ''}raise it again"
        yield _use("swallow", "broad", handler.lineno, claim, review=raises)
    elif len(parts) >= _MANY and not raises:
        yield _use("swallow", "many", handler.lineno, f"catches {len(parts)} kinds of exceptions", review=True)
    elif not all(isinstance(p, (ast.Name, ast.Attribute)) for p in parts) or names_in(caught) & _stored_names(function):
        yield _use("swallow", "computed", handler.lineno, "catches an exception class chosen at run time", review=True)


def _is_left_early(handler: ast.ExceptHandler) -> bool:
    inside = [n for s in handler.body for n in (s, *own_nodes(s, _SCOPES))]
    return any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in inside)


def _stored_names(function: FunctionNode) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _uses_of_suppress(context: ast.expr) -> Iterator[Use]:
    if not isinstance(context, ast.Call) or last_name(context.func) != "suppress":
        return
    if any(last_name(a) in _BROAD or isinstance(a, ast.Starred) for a in context.args):
        yield _use("swallow", "suppress", context.lineno, "suppresses every exception")


def _uses_of_finally(final: list[ast.stmt]) -> Iterator[Use]:
    for statement in final:
        for node in (statement, *own_nodes(statement, _SCOPES)):
            in_loop = isinstance(statement, (ast.For, ast.AsyncFor, ast.While))
            if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
                yield _use("swallow", "finally", node.lineno, "leaves a finally block early, which drops the exception")


def _uses_of_while(loop: ast.While) -> Iterator[Use]:
    outcome = constant_truth(loop.test)
    if outcome is False:
        yield _use("constant guard", shape(loop.test), loop.lineno, "the loop's condition never holds")
    exits = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
    inside = [n for s in loop.body for n in (s, *own_nodes(s, _SCOPES))]
    if outcome is True and not any(isinstance(n, exits) for n in inside) and not _breaks(loop.body):
        yield _use("endless", "while", loop.lineno, "loops for ever without a way out")


def _breaks(body: list[ast.stmt]) -> bool:
    """Whether a ``break`` belongs to this loop and not to one inside it."""
    for statement in body:
        if isinstance(statement, ast.Break):
            return True
        if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While, *_SCOPES)):
            inner = own_nodes(statement, (ast.For, ast.AsyncFor, ast.While, *_SCOPES))
            if any(isinstance(s, ast.Break) for s in inner):
                return True
        elif isinstance(statement, (ast.For, ast.AsyncFor, ast.While)) and _breaks(statement.orelse):
            return True
    return False


def _uses_of_condition(test: ast.expr) -> Iterator[Use]:
    outcome = constant_truth(test)
    if outcome is not None:
        holds = "always" if outcome else "never"
        yield _use("constant guard", shape(test), test.lineno, f"the condition {ast.unparse(test)[:60]} {holds} holds")


__all__ = ["CapabilityFinding", "DangerLevel", "literals_of_test", "new_capabilities"]

_TRADES = ("files", "network", "process", "threads")
_EXITS = frozenset({"SystemExit", "KeyboardInterrupt"})


@dataclass(frozen=True, slots=True)
class CapabilityFinding:
    """One new capability. ``line`` counts from the first line of the new text."""

    id: str
    severity: DangerLevel
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

    ``module`` is the text of the file around the old function. ``module_now`` is that file as it is now, still around
    the old function, where a patch changes more of it. Names may come from ``module_now``; free literals may not.
    ``test_literals`` are the values that the failing tests expect, and ``test_inputs`` those that they put in.
    ``raises`` are the exceptions that they wait for, and ``test_names`` their files and functions. ``project`` are the
    top names of the project's own modules, which may be imported. ``mentions`` says whether a text occurs anywhere in
    the program, or in what its tests write down.
    """
    values = Known(frozenset(), test_literals, test_inputs, test_names, mentions)
    try:
        return _compare_texts(old, new, module, module_now or module, values, raises, project)
    except RecursionError:
        return _unreadable_finding(Unreadable("The text is nested too deeply to be read."))


def _compare_texts(
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
        return _unreadable_finding(before)
    if isinstance(after, Unreadable):
        return _unreadable_finding(after)
    around = surroundings_of(module)
    now = around if module_now == module else surroundings_of(module_now)
    if isinstance(around, Unreadable):
        return _unreadable_finding(around)
    if isinstance(now, Unreadable):
        return _unreadable_finding(now)
    free = around.literals | set(literals_in(before))
    expected, inputs = (with_spellings(v) - free for v in (with_parts(values.expected), values.inputs))
    known = replace(values, free=free, expected=expected, inputs=inputs)
    modules = project | {target.split(".")[0] for _, target in now.imports}
    had = {key for use in _uses(before, around, modules) for key in (use.id, use.key)}
    uses = [*_uses(after, now, modules), *special_cases(before, after, known)]
    fresh = [_weigh_use(use, had) for use in uses if use.key not in had and not _is_asked_for(use, raises)]
    return tuple(dict.fromkeys(_finding(use) for use in sorted(fresh, key=lambda use: (use.line, use.id, use.claim))))


def _unreadable_finding(text: Unreadable) -> tuple[CapabilityFinding, ...]:
    return (CapabilityFinding("unread", DangerLevel.REVIEW, text.detail, 1),)


def _uses(function: FunctionNode, around: ModuleNames, modules: frozenset[str]) -> Iterator[Use]:
    yield from reach_of(function, around, modules)
    yield from escapes_of(function)
    yield from uses_of_set_order(function)
    yield from _defaults(function)


def _defaults(function: FunctionNode) -> Iterator[Use]:
    """Mutable defaults: state that outlives the call, or a table behind the back of the signature."""
    for default in (*function.args.defaults, *function.args.kw_defaults):
        if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.Call)):
            claim = "keeps state, or answers, in a default argument"
            yield Use("state", DangerLevel.REJECT, f"state:{shape(default)}", default.lineno, claim)


def _weigh_use(use: Use, had: set[str]) -> Use:
    """A function whose trade it is may need more of it: that is for a person to see, and no reason to reject."""
    return replace(use, severity=DangerLevel.REVIEW) if use.id in _TRADES and use.id in had else use


def _is_asked_for(use: Use, raises: frozenset[str]) -> bool:
    """Ending the run is what the failing test asks for, by waiting for ``SystemExit``."""
    return use.id == "exit" and bool(_EXITS & raises) and use.key in ("exit:sys.exit", "exit:SystemExit")


def _finding(use: Use) -> CapabilityFinding:
    return CapabilityFinding(use.id, use.severity, f"The new text {use.claim}.", use.line)
