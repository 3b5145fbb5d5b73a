"""What a new function text is able to do that the old one was not.

A filter, never a boundary: untrusted code is contained by the sandbox. What this finds is what no mere
fix needs, or what a person should look at. Only the difference counts: what the old function did, the
new one may do. Among it are ways in which control flow hides a failure, never ends, or never takes a branch.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from analysis.constant_truth import constant_truth, is_pure
from analysis.danger import DangerLevel, Use, use_at
from analysis.function_text import (
    SCOPES,
    FunctionNode,
    Unreadable,
    last_name,
    mutable_defaults,
    names_in,
    own_nodes,
    parents,
    parse_function,
    shape,
    upwards,
)
from analysis.literals import literals_in, with_parts, with_spellings
from analysis.reach import reach_of
from analysis.special_cases import Known, special_cases
from analysis.surroundings import ModuleNames, surroundings_of

_BROAD = ("Exception", "BaseException", "AssertionError", "object")
_MANY = 4
"""Kinds of exceptions in one new handler from which on a person has to look."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_MAKERS = ("set", "frozenset")
_COMBINING = ("union", "intersection", "difference", "symmetric_difference", "copy")
_VIEWS = ("keys", "values", "items", "copy")
_KEEPING = ("list", "tuple", "enumerate", "zip", "iter", "map", "filter", "join", "reversed", "extend", "deque")
_INDIFFERENT = (
    *("sorted", "sum", "min", "max", "len", "any", "all", "set", "frozenset", "Counter", "update", "fsum"),
    *("isinstance", "issubclass", "startswith", "endswith"),
)
_GATHERING = ("append", "extend", "insert", "write", "appendleft", "put")
_SET_ORDER = "takes the items of a set one by one, in an order that differs from process to process"
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
    old: str, new: str, module: str, module_now: str, values: Known, raises: frozenset[str], project: frozenset[str]
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
    found = []
    for use in sorted(uses, key=lambda use: (use.line, use.id, use.claim)):
        if use.key in had or _is_asked_for(use, raises):
            continue
        # A function whose trade it is may need more of it: that is for a person to see, and no reason to reject.
        severity = DangerLevel.REVIEW if use.id in _TRADES and use.id in had else use.severity
        found.append(CapabilityFinding(use.id, severity, f"The new text {use.claim}.", use.line))
    return tuple(dict.fromkeys(found))


def _unreadable_finding(text: Unreadable) -> tuple[CapabilityFinding, ...]:
    return (CapabilityFinding("unread", DangerLevel.REVIEW, text.detail, 1),)


def _uses(function: FunctionNode, around: ModuleNames, modules: frozenset[str]) -> Iterator[Use]:
    yield from reach_of(function, around, modules)
    # Keys are numbered, so that a second one of a kind is a new one.
    count: Counter[str] = Counter()
    for use in _escapes(function):
        count[use.key] += 1
        yield replace(use, key=f"{use.key}#{count[use.key]}")
    yield from uses_of_set_order(function)
    # State that outlives the call, or a table behind the back of the signature.
    for default in mutable_defaults(function.args):
        yield use_at(default, "state", shape(default), "keeps state, or answers, in a default argument")


def _is_asked_for(use: Use, raises: frozenset[str]) -> bool:
    """Ending the run is what the failing test asks for, by waiting for ``SystemExit``."""
    return use.id == "exit" and bool(_EXITS & raises) and use.key in ("exit:sys.exit", "exit:SystemExit")


def _escapes(function: FunctionNode) -> Iterator[Use]:
    """Where control flow hides a failure, never ends, or never takes a branch."""
    for node in ast.walk(function):
        match node:
            case ast.ExceptHandler():
                yield from _uses_of_handler(node, function)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for call in (item.context_expr for item in items if isinstance(item.context_expr, ast.Call)):
                    broad = any(last_name(a) in _BROAD or isinstance(a, ast.Starred) for a in call.args)
                    if last_name(call.func) == "suppress" and broad:
                        yield use_at(call, "swallow", "suppress", "suppresses every exception")
            case ast.Call(func=ast.Attribute(attr="push"), args=[ast.Lambda() as way_out]):
                yield use_at(way_out, "swallow", "push", "decides itself at an exit what is raised", review=True)
            case ast.Try(finalbody=final) | ast.TryStar(finalbody=final):
                yield from _uses_of_finally(final)
            case ast.While():
                yield from _uses_of_while(node)
            case ast.Assert(test=test) if constant_truth(test) is False:
                continue  # it hides nothing: it raises
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                yield from _uses_of_condition(test)
            case ast.comprehension(ifs=conditions):
                yield from (use for test in conditions if not _keeps_numbers(test) for use in _uses_of_condition(test))
            case ast.match_case(guard=ast.expr() as guard):
                yield from _uses_of_condition(guard)


def _uses_of_handler(handler: ast.ExceptHandler, function: FunctionNode) -> Iterator[Use]:
    """A handler that ends in a ``raise`` and is not left before that swallows nothing."""
    raises = isinstance(handler.body[-1], ast.Raise)
    if raises and not any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in _nodes_of(handler.body)):
        return
    caught = handler.type
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if caught is None or any(last_name(p) in _BROAD for p in parts):
        name = "everything" if caught is None else ast.unparse(caught)
        claim = f"catches {name} and does not {'always ' if raises else ''}raise it again"
        yield use_at(handler, "swallow", "broad", claim, review=raises)
    elif len(parts) >= _MANY and not raises:
        yield use_at(handler, "swallow", "many", f"catches {len(parts)} kinds of exceptions", review=True)
    elif not all(isinstance(p, (ast.Name, ast.Attribute)) for p in parts) or names_in(caught) & stored:
        yield use_at(handler, "swallow", "computed", "catches an exception class chosen at run time", review=True)


def _nodes_of(body: list[ast.stmt]) -> list[ast.AST]:
    """The statements and what is in them, but for the insides of functions and classes."""
    return [node for statement in body for node in (statement, *own_nodes(statement, SCOPES))]


def _uses_of_finally(final: list[ast.stmt]) -> Iterator[Use]:
    claim = "leaves a finally block early, which drops the exception"
    for statement in final:
        in_loop = isinstance(statement, _LOOPS)
        for node in _nodes_of([statement]):
            if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
                yield use_at(node, "swallow", "finally", claim)


def _uses_of_while(loop: ast.While) -> Iterator[Use]:
    outcome = constant_truth(loop.test)
    if outcome is False:
        yield use_at(loop, "constant guard", shape(loop.test), "the loop's condition never holds")
    exits = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
    if outcome is True and not any(isinstance(n, exits) for n in _nodes_of(loop.body)) and not _breaks(loop.body):
        yield use_at(loop, "endless", "while", "loops for ever without a way out")


def _breaks(body: list[ast.stmt]) -> bool:
    """Whether a ``break`` belongs to this loop and not to one inside it."""
    for statement in body:
        if isinstance(statement, _LOOPS):
            found = _breaks(statement.orelse)
        else:
            inner = () if isinstance(statement, SCOPES) else (statement, *own_nodes(statement, (*_LOOPS, *SCOPES)))
            found = any(isinstance(node, ast.Break) for node in inner)
        if found:
            return True
    return False


def _keeps_numbers(test: ast.expr) -> bool:
    """Whether a filter keeps what equals itself: all but NaN."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return is_pure(left) and shape(left) == shape(right)
    return False


def _uses_of_condition(test: ast.expr) -> Iterator[Use]:
    outcome = constant_truth(test)
    if outcome is not None:
        holds = "always" if outcome else "never"
        claim = f"the condition {ast.unparse(test)[:60]} {holds} holds"
        yield use_at(test, "constant guard", shape(test), claim)


def uses_of_set_order(function: FunctionNode) -> Iterator[Use]:
    """Each place where a function takes the items of a set one by one, so that their order shows.

    The order of texts in a set hangs on the seed of the process's hashes: what passes its tests here may fail there. A
    dict that is made from a set has its order. A name counts as a set where the function binds it to nothing else. One
    whose length is held against one does not, since a single item has no order.
    """
    seen = _Seen(_names_of_sets(function), _sorted_names(function), parents(function))
    for node in ast.walk(function):
        if seen.shows_order(node):
            yield use_at(node, "order", "", _SET_ORDER, review=True)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A function as far as it is known: names of sets, names of what it sorts, and what each node stands in."""

    sets: frozenset[str]
    sorted: frozenset[str]
    above: Mapping[ast.AST, ast.AST]

    def shows_order(self, node: ast.AST) -> bool:
        """Whether the order of a set's items shows in what this node does."""
        sets = self.sets
        match node:
            case ast.For(iter=whole) | ast.AsyncFor(iter=whole) if _is_set(whole, sets):
                return self._tells_order(node)
            case ast.ListComp() | ast.GeneratorExp() if _is_set(node.generators[0].iter, sets):
                return not self._is_indifferent(node)
            case ast.Call(func=called, args=args) if last_name(called) in _KEEPING:
                return any(_is_set(a, sets) for a in args) and not self._is_indifferent(node)
            case ast.Call(func=ast.Attribute(value=whole, attr="pop" | "popitem"), args=[]) if _is_set(whole, sets):
                # The loop that takes all items of the set, one in each round.
                loop = next((outer for _, outer in upwards(node, self.above) if isinstance(outer, ast.While)), None)
                if loop is None or names_in(loop.test).isdisjoint(names_in(whole)):
                    return True
                return self._tells_order(loop)
            case ast.Starred(value=whole) if _is_set(whole, sets):
                return isinstance(self.above.get(node), (ast.List, ast.Tuple, ast.Call))
        return False

    def _is_indifferent(self, node: ast.AST) -> bool:
        """Whether what takes the items gives the same in any order."""
        outer = self.above.get(node)
        match outer:
            case ast.Call(func=called, args=args) if node in args:
                name = last_name(called)
                return name in _INDIFFERENT or (name in _KEEPING and self._is_indifferent(outer))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[whole]):
                return whole is node
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in self.sorted
        return False

    def _tells_order(self, loop: ast.For | ast.AsyncFor | ast.While) -> bool:
        return any(self._keeps_order(inner) for statement in loop.body for inner in ast.walk(statement))

    def _keeps_order(self, node: ast.AST) -> bool:
        """Whether a part of a loop's body keeps the order of its rounds, or ends them."""
        match node:
            case ast.Return(value=value):
                return not (value is None or isinstance(value, ast.Constant))
            case ast.Yield() | ast.YieldFrom() | ast.Break():
                return True
            case ast.Call(func=ast.Attribute(value=whole, attr=name)):
                return name in _GATHERING and not (isinstance(whole, ast.Name) and whole.id in self.sorted)
            case ast.AugAssign(target=ast.Name(id=name)) if name in self.sorted:
                return False
            case ast.AugAssign(op=ast.Add(), value=value):
                text = isinstance(value, ast.Constant) and isinstance(value.value, (str, bytes))
                return text or isinstance(value, (ast.List, ast.Tuple, ast.JoinedStr))
        return False


def _is_set(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether the value is a set, or has the order of one: ``set(a) | b``, ``dict.fromkeys(set(a))``."""
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id=name)):
            return name in _MAKERS
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[keys, *_]):
            return _is_set(keys, names)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=done)) if name in _MAKERS:
            return done in _COMBINING
        case ast.Call(func=ast.Attribute(value=whole, attr=done)) if done in (*_COMBINING, *_VIEWS):
            return _is_set(whole, names)
        case ast.DictComp(generators=[first, *_]):
            return _is_set(first.iter, names)
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return _is_set(left, names) or _is_set(right, names)
    return False


def _names_of_sets(function: FunctionNode) -> frozenset[str]:
    """Names that are bound to sets alone, and whose length is not held against one."""
    bound: dict[str, list[ast.expr]] = {}
    otherwise = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    assigned: set[ast.AST] = set()
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
            ):
                bound.setdefault(name, []).append(value)
                assigned.add(target)
            case ast.AugAssign(target=ast.Name() as target, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
                assigned.add(target)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if node not in assigned:
                otherwise.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                otherwise.update(names)
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)) | ast.alias(name=name):
                otherwise.add(name)
            case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]), comparators=[limit]):
                otherwise.update({name} if isinstance(limit, ast.Constant) and limit.value in (1, 2) else ())
    found = frozenset(bound) - otherwise
    while True:
        kept = frozenset(name for name in found if all(_is_set(value, found) for value in bound[name]))
        if kept == found:
            return found
        found = kept


def _sorted_names(function: FunctionNode) -> frozenset[str]:
    """Names of lists that the function sorts, here or there."""
    found = set()
    for node in ast.walk(function):
        match node:
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="sort"))
                | ast.Call(func=ast.Name(id="sorted"), args=[ast.Name(id=name), *_])
            ):
                found.add(name)
    return frozenset(found)
