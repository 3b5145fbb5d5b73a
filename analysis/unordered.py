"""Where a function takes the items of a set one by one, so that their order shows.

The order of texts in a set hangs on the seed of the process's hashes: what passes its tests here may fail there. A dict
that is made from a set has its order. A name counts as a set where the function binds it to nothing else. One whose
length is held against one does not, since a single item has no order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.danger import Use, use_at
from analysis.function_text import FunctionNode, last_name, names_in, parents, upwards

_MAKERS = ("set", "frozenset")
_COMBINING = ("union", "intersection", "difference", "symmetric_difference", "copy")
_VIEWS = ("keys", "values", "items", "copy")
_KEEPING = ("list", "tuple", "enumerate", "zip", "iter", "map", "filter", "join", "reversed", "extend", "deque")
_INDIFFERENT = (
    *("sorted", "sum", "min", "max", "len", "any", "all", "set", "frozenset", "Counter", "update", "fsum"),
    *("isinstance", "issubclass", "startswith", "endswith"),
)
_GATHERING = ("append", "extend", "insert", "write", "appendleft", "put")
_CLAIM = "takes the items of a set one by one, in an order that differs from process to process"


def uses_of_set_order(function: FunctionNode) -> Iterator[Use]:
    """Each place where the order of a set's items shows in what the function does."""
    seen = _Seen(_names_of_sets(function), _sorted_names(function), parents(function))
    for node in ast.walk(function):
        if seen.shows_order(node):
            yield use_at(node, "order", "", _CLAIM, review=True)


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
