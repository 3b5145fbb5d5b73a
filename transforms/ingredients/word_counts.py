"""Counting the names, expressions and statements of a module by kind, nearest distance first."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
KINDS = (
    *("names", "constants", "attributes", "attribute_names", "methods", "calls", "callables"),
    *("numbers", "strings", "conditions", "expressions", "statements", "exceptions", "classes"),
)


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One piece of existing code.

    ``lines`` are those of the file where it stands in the function, ``times`` how often it occurs in the module.
    """

    text: str
    weight: float
    distance: int
    lines: tuple[int, ...] = ()
    times: int = 1


@dataclass(frozen=True, slots=True)
class Shell:
    """An expression around another one, as it occurs: ``outer`` holds ``inner``, which could stand there bare.

    ``slots`` are the kinds of places where it stands in the function: the type of the node above.
    """

    inner: str
    outer: str
    weight: float
    distance: int
    lines: tuple[int, ...] = ()
    slots: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Count:
    distance: int
    times: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, distance: int, times: int = 1, line: int = 0) -> None:
        self.times += times
        self.distance = min(self.distance, distance)
        if distance == 0 and line:
            self.lines.append(line)


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A condition or a simple statement of the module, and the names that it speaks of."""

    node: ast.AST
    kind: str
    part: ast.AST
    names: frozenset[str]


def clauses_among(nodes: Iterable[ast.AST]) -> Iterator[Clause]:
    """Those of the nodes that another function may borrow."""
    for node in nodes:
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield Clause(node, "conditions", node.test, _names_in(node.test))
        elif isinstance(node, _SIMPLE) and node.lineno == node.end_lineno:
            yield Clause(node, "statements", node, _names_in(node))


Weigh = Callable[[str, int, int], float]
"""What an ingredient weighs, by its kind, its distance and how often it occurs."""


def by_hand(kind: str, distance: int, times: int) -> float:
    """The weight set by hand, the same for all kinds."""
    return weight_of(distance, times)


class WordCounts:
    """Counts what it sees. One table per kind, keyed by text; the nearest distance wins."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines
        self._found: dict[str, dict[str, _Count]] = {kind: {} for kind in KINDS}
        self._shells: dict[tuple[str, str], _Count] = {}
        self._slots: dict[tuple[str, str], set[str]] = {}
        self._up: ast.AST | None = None

    def read(self, root: ast.AST, distance: int) -> None:
        """Everything below a function (0) or another member of its class (1)."""
        if isinstance(root, Function) and distance == 0:
            for parameter in parameters_of(root):
                self._add("names", parameter, 0, root.lineno)
        self._descend(root.body if isinstance(root, Function) else [root], distance)

    def read_outer(self, root: Function, inner: Function) -> None:
        """Names that an enclosing function binds."""
        for name in (*parameters_of(root), *stored_names(root)):
            self._add("names", name, 1, root.lineno)
        for child in root.body:
            if isinstance(child, Function) and child is not inner:
                self._add("callables", child.name, 1, child.lineno)

    def merge(self, rest: WordCounts) -> None:
        """What another tally of the same file has counted, lines apart."""
        for kind, table in rest._found.items():
            for text, count in table.items():
                self._found[kind].setdefault(text, _Count(count.distance)).add(count.distance, count.times)
        for pair, count in rest._shells.items():
            self._shells.setdefault(pair, _Count(count.distance)).add(count.distance, count.times)

    def read_module(self, module: ast.Module, nodes: Iterable[ast.AST]) -> None:
        """Module-level names, and the attribute names, conditions and exceptions of all ``nodes`` of the module."""
        for child in top_level(module):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self._add("callables", child.name, 2, child.lineno)
            elif isinstance(child, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = child.targets if isinstance(child, ast.Assign) else [child.target]
                for target in targets:
                    for name in stored_names(target):
                        self._add("constants", name, 2, child.lineno)
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                for alias in (a for a in child.names if a.name != "*"):
                    self._add("callables", alias.asname or alias.name.split(".")[0], 3, child.lineno)
        for each in nodes:
            self._note_anywhere(each, 2)
            if isinstance(each, ast.Attribute):
                self._add("attribute_names", each.attr, 2, 0)

    def read_similar(self, module: ast.Module, clauses: Iterable[Clause], inner: Function) -> None:
        """Conditions and simple statements of other functions that only speak of names that are known here as well."""
        defined = {child.name for child in top_level(module) if isinstance(child, (Function, ast.ClassDef))}
        known = {*self._found["names"], *self._found["constants"], *defined, *_BUILTINS}
        own, mine = {*parameters_of(inner), *stored_names(inner)}, {id(node) for node in ast.walk(inner)}
        for clause in clauses:
            if not clause.names.isdisjoint(own) and clause.names <= known and id(clause.node) not in mine:
                self._add(clause.kind, self._text(clause.part), 2, 0)

    def _descend(self, nodes: Iterable[ast.AST], distance: int) -> None:
        for node in nodes:
            up = self._up
            self._note(node, distance)
            self._up = node
            self._descend(ast.iter_child_nodes(node), distance)
            self._up = up

    def _note(self, node: ast.AST, distance: int) -> None:
        line = getattr(node, "lineno", 0) if distance == 0 else 0
        self._note_anywhere(node, distance)
        match node:
            case ast.If(test=test) | ast.While(test=test):
                self._add("conditions", self._text(test), distance, line)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                self._add("conditions", self._text(node), distance, line)
            case ast.Expr(value=ast.Constant()) | ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() | float()):
                self._add("numbers", self._text(node), distance, line)
            case ast.Constant(value=str() | bytes() as value) if len(value) <= 40:
                self._add("strings", repr(value), distance, line)
            case ast.Name(id=name) if distance == 0:
                self._add("names", name, 0, line)
            case ast.Subscript() | ast.BinOp() if distance == 0:
                self._add("expressions", self._text(node), 0, line)
            case ast.Attribute(attr=name):
                self._add("attribute_names", name, distance, line)
                self._add_near("attributes", self._text(node), distance, line)
            case ast.Call(func=function):
                self._add_near("calls", self._text(node), distance, line)
                if isinstance(function, ast.Attribute):
                    self._add("methods", function.attr, distance, line)
                called = self._text(function)
                if isinstance(function, ast.Name) or called.startswith("self."):
                    self._add("callables", called, distance, line)
            case _ if isinstance(node, (*_SIMPLE, ast.Raise, ast.Delete, ast.AnnAssign)):
                self._add("statements", self._text(node), distance, line)

    def _add_near(self, kind: str, text: str, distance: int, line: int) -> None:
        """What another function of the class holds counts where it is the instance's."""
        if distance == 0 or text.startswith("self."):
            self._add(kind, text, distance, line)

    def _note_anywhere(self, node: ast.AST, distance: int) -> None:
        """What is counted in the whole module: shells, classes that a value is asked for, exceptions."""
        self._enclosed(node, distance)
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, asked]):
                for part in asked.elts if isinstance(asked, ast.Tuple) else [asked]:
                    self._add("classes", self._text(part), distance, 0)
            case ast.Raise(exc=raised) | ast.ExceptHandler(type=raised):
                self._exception(raised, distance)

    def _enclosed(self, node: ast.AST, distance: int) -> None:
        """What an expression on one line is put around: a receiver, an operand, an argument."""
        if not isinstance(node, _AROUND) or node.lineno != node.end_lineno:
            return
        outer = self._text(node)
        for inner in _replaceable_parts(node):
            if isinstance(inner, _BARE) and len(outer) <= MOST_SHELL:
                pair = self._text(inner), outer
                self._shells.setdefault(pair, _Count(distance)).add(distance, line=node.lineno)
                if distance == 0:
                    self._slots.setdefault(pair, set()).add(type(self._up).__name__)

    def _exception(self, node: ast.expr | None, distance: int) -> None:
        for part in node.elts if isinstance(node, ast.Tuple) else [node]:
            name = part.func if isinstance(part, ast.Call) else part
            if isinstance(name, (ast.Name, ast.Attribute)):
                text = self._text(name)
                if text.rsplit(".", 1)[-1][:1].isupper():
                    self._add("exceptions", text, distance, 0)

    def _add(self, kind: str, text: str, distance: int, line: int) -> None:
        if not text or len(text) > 200:
            return
        self._found[kind].setdefault(text, _Count(distance)).add(distance, line=line)

    def _text(self, node: ast.AST) -> str:
        """The node's own source where it stands on one line, else printed anew."""
        line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if line and line == end:
            raw = self._lines[line - 1][getattr(node, "col_offset", 0) : getattr(node, "end_col_offset", 0)]
            return raw.decode("utf-8", "replace")
        return ast.unparse(node)

    def ranked(self, kind: str, weigh: Weigh) -> tuple[Ingredient, ...]:
        """What was found of a kind, heaviest first."""
        found = (
            Ingredient(text, weigh(kind, c.distance, c.times), c.distance, tuple(c.lines), c.times)
            for text, c in self._found[kind].items()
        )
        return tuple(sorted(found, key=lambda i: (-i.weight, i.lines[:1], i.text)))

    def shells(self) -> tuple[Shell, ...]:
        """What stands around the expressions that occur in the function, heaviest first."""
        near = {inner for (inner, _), c in self._shells.items() if c.distance == 0} | set(self._found["names"])
        near |= {text for kind in ("attributes", "calls", "expressions") for text in self._found[kind]}
        found = []
        for (inner, outer), c in self._shells.items():
            if inner in near:
                weight, slots = weight_of(c.distance, c.times), frozenset(self._slots.get((inner, outer), ()))
                found.append(Shell(inner, outer, weight, c.distance, tuple(c.lines), slots))
        return tuple(sorted(found, key=lambda s: (-s.weight, s.lines[:1], s.outer)))


_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)
_BUILTINS = frozenset(dir(builtins))
_BARE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_AROUND = (ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.BoolOp)
MOST_SHELL = 80


def _replaceable_parts(node: ast.AST) -> Iterator[ast.expr]:
    """The parts in whose place the whole could stand."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        yield from (a for a in node.args if not isinstance(a, ast.Starred))
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        yield node.value
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BoolOp) and len(node.values) == 2:
        yield from node.values


def _names_in(part: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(part) if isinstance(node, ast.Name))


def weight_of(distance: int, times: int) -> float:
    """More for what stands near, and a little more for what occurs often."""
    return (1.0 + math.log2(times)) / (1.0 + 2.0 * distance)


def top_level(module: ast.Module) -> Iterator[ast.stmt]:
    """Module-level statements, those under ``if`` and ``try`` included."""
    pending: list[ast.AST] = list(reversed(module.body))
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
            pending.extend(c for c in ast.iter_child_nodes(node) if isinstance(c, (ast.stmt, ast.ExceptHandler)))
        elif isinstance(node, ast.stmt):
            yield node


def parameters_of(node: Function) -> tuple[str, ...]:
    a = node.args
    every = (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg)
    return tuple(p.arg for p in every if p is not None)


def stored_names(root: ast.AST) -> list[str]:
    """Names that are assigned to anywhere below the node, in the order of the walk."""
    return [n.id for n in ast.walk(root) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
