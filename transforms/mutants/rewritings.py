"""Rewritings of a function that do the same: what another author of the same fix might have written.

They are made by rule, one at each place that fits. They are believed only after a comparison with the function itself:
``x += y`` is not ``x = x + y`` for everything that ``x`` may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import libcst as cst
import libcst.matchers as m

from analysis.trials import Trial
from transforms.patch.apply import render
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

MOST_PLACES = 3
"""Places at which one kind of rewriting is tried."""

_TURNED: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThan,
    cst.GreaterThan: cst.LessThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.LessThanEqual,
    cst.Equal: cst.Equal,
}
_PLAIN: dict[type[cst.BaseAugOp], type[cst.BaseBinaryOp]] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.FloorDivideAssign: cst.FloorDivide,
}
_AUGMENTED = {plain: augmented for augmented, plain in _PLAIN.items()}
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float, cst.SimpleString)


def rewritings(function: cst.FunctionDef) -> Iterator[tuple[str, cst.FunctionDef]]:
    """Functions that should do the same, each with the kind of its rewriting, the kinds in turn."""
    kinds: Sequence[Callable[[cst.FunctionDef, int], _Once]] = (
        _InvertedIf,
        _Renamed,
        _AssignedOut,
        _NamedResult,
        _TurnedComparison,
        _ElseAfterReturn,
        _LoopForComprehension,
        _Swapped,
    )
    for place in range(MOST_PLACES):
        for kind in kinds:
            rewriting = kind(function, place)
            made = function.visit(rewriting)
            if rewriting.done and isinstance(made, cst.FunctionDef):
                yield rewriting.kind, made


def rewrite_function(scope: EditScope, node: cst.FunctionDef, label: str) -> bytes | None:
    """The scope's text with that function in its place."""
    made = render(scope, Proposal(scope.function, (Replacement((), (node,)),), Origin("rewriting", label)))
    return made.text if isinstance(made, Trial) else None


def names_in(node: cst.CSTNode) -> frozenset[str]:
    """Every name that stands in the node."""
    return frozenset(str(found.value) for found in m.findall(node, m.Name()) if isinstance(found, cst.Name))


class _Once(cst.CSTTransformer):
    """Rewrites at one of the places that fit."""

    kind = ""

    def __init__(self, function: cst.FunctionDef, place: int) -> None:
        super().__init__()
        self.function = function
        self.done = False
        self._left = place

    def turn(self) -> bool:
        """Whether this is the place; asked where the rewriting fits."""
        if self.done or self._left:
            self._left -= not self.done
            return False
        self.done = True
        return True

    def free(self, name: str) -> str:
        """A name like this one that the function does not use."""
        taken = names_in(self.function)
        return next(found for found in (name, *(f"{name}_{n}" for n in range(2, 99))) if found not in taken)


class _InvertedIf(_Once):
    kind = "inverted if"

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        other = updated_node.orelse
        if not isinstance(other, cst.Else) or not self.turn():
            return updated_node
        test = cst.UnaryOperation(cst.Not(), _in_parentheses(updated_node.test))
        return updated_node.with_changes(
            test=test,
            whitespace_before_test=cst.SimpleWhitespace(" "),
            body=other.body,
            orelse=other.with_changes(body=updated_node.body),
        )


class _Renamed(_Once):
    """A local variable under another name, wherever it stands."""

    kind = "renamed local"

    def __init__(self, function: cst.FunctionDef, place: int) -> None:
        super().__init__(function, place)
        local = _locals(function)
        self._old = local[place] if place < len(local) else ""
        self._new = self.free(f"{self._old}_here")

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        if not self._old or updated_node.value != self._old:
            return updated_node
        self.done = True
        return updated_node.with_changes(value=self._new)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


class _AssignedOut(_Once):
    """``x += y`` for ``x = x + y`` and the other way round."""

    kind = "augmented assignment"

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.BaseSmallStatement:
        operator = _PLAIN.get(type(updated_node.operator))
        target = updated_node.target
        if operator is None or not isinstance(target, cst.Name) or not self.turn():
            return updated_node
        value = cst.BinaryOperation(target, operator(), _in_parentheses(updated_node.value))
        return cst.Assign([cst.AssignTarget(target)], value)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.BaseSmallStatement:
        value, target = updated_node.value, updated_node.targets[0].target
        if not (isinstance(value, cst.BinaryOperation) and isinstance(target, cst.Name)):
            return updated_node
        operator = _AUGMENTED.get(type(value.operator))
        same = len(updated_node.targets) == 1 and isinstance(value.left, cst.Name) and value.left.value == target.value
        if operator is None or not same or value.lpar or not self.turn():
            return updated_node
        return cst.AugAssign(target, operator(), value.right)


class _NamedResult(_Once):
    kind = "temporary variable"

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        value = _returned_value(updated_node)
        if value is None or isinstance(value, (cst.Name, cst.Integer)) or not self.turn():
            return updated_node
        name = self.free("outcome")
        first = updated_node.with_changes(body=[_assign(name, _without_line_ends(value))])
        return cst.FlattenSentinel([first, _line(cst.Return(cst.Name(name)))])


class _TurnedComparison(_Once):
    kind = "turned comparison"

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.Comparison:
        if len(updated_node.comparisons) != 1:
            return updated_node
        target = updated_node.comparisons[0]
        operator = _TURNED.get(type(target.operator))
        busy = m.findall(updated_node.left, m.Call()) and m.findall(target.comparator, m.Call())
        if operator is None or busy or not self.turn():
            return updated_node
        turned = cst.ComparisonTarget(operator(), updated_node.left)
        return updated_node.with_changes(left=target.comparator, comparisons=[turned])


class _ElseAfterReturn(_Once):
    kind = "else after return"

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        body = list(updated_node.body)
        for number, statement in enumerate(body[:-1]):
            if (
                isinstance(statement, cst.If)
                and statement.orelse is None
                and leaves(statement.body.body)
                and self.turn()
            ):
                rest = cst.Else(cst.IndentedBlock(body[number + 1 :]))
                return updated_node.with_changes(body=[*body[:number], statement.with_changes(orelse=rest)])
        return updated_node


class _LoopForComprehension(_Once):
    kind = "loop for comprehension"

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        value = _returned_value(updated_node) or _assigned_value(updated_node)
        if not isinstance(value, cst.ListComp) or value.for_in.inner_for_in or value.for_in.asynchronous:
            return updated_node
        inner = names_in(value.for_in.target)
        outside = [found for found in m.findall(self.function, m.Name()) if isinstance(found, cst.Name)]
        inside = [found for found in m.findall(value, m.Name()) if isinstance(found, cst.Name)]
        shared = any(sum(n.value == name for n in outside) != sum(n.value == name for n in inside) for name in inner)
        if shared or not self.turn():
            return updated_node
        name = self.free("collected")
        append = cst.Call(cst.Attribute(cst.Name(name), cst.Name("append")), [cst.Arg(_without_line_ends(value.elt))])
        body: cst.BaseStatement = _line(cst.Expr(append))
        for condition in reversed(value.for_in.ifs):
            body = cst.If(condition.test, cst.IndentedBlock([body]))
        loop = cst.For(value.for_in.target, value.for_in.iter, cst.IndentedBlock([body]))
        first = updated_node.with_changes(body=[_assign(name, cst.List([]))])
        (statement,) = updated_node.body
        last = statement.with_changes(value=cst.Name(name))
        return cst.FlattenSentinel([first, loop, _line(last)])


class _Swapped(_Once):
    """Two assignments that have nothing to do with each other."""

    kind = "reordered statements"

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        body = list(updated_node.body)
        for number, pair in enumerate(pairwise(body)):
            if _are_independent(*pair) and self.turn():
                body[number : number + 2] = [pair[1], pair[0]]
                return updated_node.with_changes(body=body)
        return updated_node


def _are_independent(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    values = [_assigned_value(statement) for statement in (one, other)]
    if any(value is None for value in values):
        return False
    busy = m.Call() | m.Await() | m.Yield() | m.Attribute() | m.Subscript() | m.NamedExpr()
    quiet = not (m.findall(one, busy) or m.findall(other, busy))
    return quiet and not (names_in(one) & names_in(other))


def _returned_value(line: cst.SimpleStatementLine) -> cst.BaseExpression | None:
    match line.body:
        case [cst.Return(value=value)]:
            return value
    return None


def _assigned_value(line: cst.CSTNode) -> cst.BaseExpression | None:
    """The value of an assignment to one plain name."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value)]):
            return value
    return None


def leaves(body: Sequence[cst.CSTNode]) -> bool:
    """Whether the last of the statements ends the function."""
    last = body[-1] if body else None
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], (cst.Return, cst.Raise))


def _locals(function: cst.FunctionDef) -> list[str]:
    """Names that the function binds by plain assignment or in a loop, and that are nothing else."""
    bound = [
        node.target.value
        for node in m.findall(function.body, m.AssignTarget(m.Name()) | m.For(m.Name()))
        if isinstance(node, (cst.AssignTarget, cst.For)) and isinstance(node.target, cst.Name)
    ]
    other = m.findall(function, m.Global() | m.Nonlocal() | m.Param() | m.FunctionDef() | m.ClassDef() | m.NameItem())
    named = frozenset().union(*(names_in(n) for n in other if not isinstance(n, (cst.FunctionDef, cst.ClassDef))))
    inner = {n.name.value for n in other if isinstance(n, (cst.FunctionDef, cst.ClassDef))}
    if names_in(function) & {"locals", "eval", "exec", "vars"}:
        return []
    return [name for name in dict.fromkeys(bound) if name not in named | inner and not name.startswith("__")]


def _assign(name: str, value: cst.BaseExpression) -> cst.Assign:
    return cst.Assign([cst.AssignTarget(cst.Name(name))], value)


def _line(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([statement])


def _in_parentheses(value: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(value, _ATOMS) or value.lpar:
        return value
    return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _without_line_ends(value: cst.BaseExpression) -> cst.BaseExpression:
    """The expression so that it may stand anywhere, however many lines it has."""
    return _in_parentheses(value) if "\n" in cst.Module([]).code_for_node(value) else value
