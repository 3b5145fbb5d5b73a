"""Parentheses round an expression where its new place needs them, decided from its kind and its place alone.

Every expression has a binding strength, every place asks for a least one; the numbers follow the table of operator
precedence in the language reference. Four kinds stand outside the scale, because a place allows each of them by name.
They are an unparenthesized tuple, an assignment expression, ``yield``, and a generator expression that borrows the
parentheses of a call.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, TypeVar

import libcst as cst

from transforms.tree.node_path import NodePath, steps

_EXPRESSION, _OR, _AND, _NOT, _COMPARISON, _BITWISE_OR = 2, 3, 4, 5, 6, 7
_UNARY, _POWER, _AWAIT, _PRIMARY, _ATOM = 13, 14, 15, 16, 17

_OPERATORS: dict[str, int] = {
    "Or": _OR,
    "And": _AND,
    "Not": _NOT,
    "BitOr": _BITWISE_OR,
    "BitXor": 8,
    "BitAnd": 9,
    **dict.fromkeys(("LeftShift", "RightShift"), 10),
    **dict.fromkeys(("Add", "Subtract"), 11),
    **dict.fromkeys(("Multiply", "Divide", "FloorDivide", "Modulo", "MatrixMultiply"), 12),
    "Power": _POWER,
}

_PLACES: dict[tuple[str, str], int] = {
    **dict.fromkeys(
        (("Attribute", "value"), ("Subscript", "value"), ("Call", "func"), ("Await", "expression")), _PRIMARY
    ),
    **dict.fromkeys((("IfExp", "body"), ("IfExp", "test"), ("CompFor", "iter"), ("CompIf", "test")), _OR),
    **dict.fromkeys((("Comparison", "left"), ("ComparisonTarget", "comparator")), _BITWISE_OR),
    **dict.fromkeys((("StarredElement", "value"), ("StarredDictElement", "value")), _BITWISE_OR),
}

_YIELDS = frozenset(
    {
        *((kind, "value") for kind in ("Expr", "Assign", "AugAssign", "AnnAssign")),
        ("FormattedStringExpression", "expression"),
    }
)
_TUPLES = _YIELDS | {
    *((kind, "target") for kind in ("AssignTarget", "For", "CompFor", "Del")),
    *(("For", "iter"), ("Return", "value"), ("Yield", "value"), ("Match", "subject")),
}
_NAMED = frozenset(
    {
        *(("If", "test"), ("While", "test"), ("Match", "subject"), ("Decorator", "decorator")),
        *((kind, "value") for kind in ("Element", "Arg", "Index")),
        *((kind, "elt") for kind in ("ListComp", "SetComp", "GeneratorExp")),
    }
)

_READ_AS_FORMAT = (cst.Lambda, cst.Dict, cst.Set, cst.DictComp, cst.SetComp)
"""Expressions with a brace or colon that would be read as one of the format."""

_Node = TypeVar("_Node", bound=cst.CSTNode)


def parenthesize(node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression in one more pair of parentheses."""
    lpar, rpar = [cst.LeftParen(), *node.lpar], [*node.rpar, cst.RightParen()]
    return node.with_changes(lpar=lpar, rpar=rpar)


def fit_into_field(parent: cst.CSTNode, field: str, node: _Node) -> _Node:
    """The node as it can stand in that field of the parent; itself when nothing is needed."""
    if not isinstance(node, cst.BaseExpression) or node.lpar or not _needs(parent, field, node):
        return node
    return parenthesize(node)  # type: ignore[return-value] # the same kind of node comes back


def _needs(parent: cst.CSTNode, field: str, node: cst.BaseExpression) -> bool:
    """Whether it needs parentheses there: ``a + b`` as the left side of ``* c`` does, ``a * b`` does not."""
    place = (type(parent).__name__, field)
    if isinstance(node, cst.Tuple):
        return place not in _TUPLES
    if isinstance(node, cst.Yield):
        return place not in _YIELDS
    if isinstance(node, cst.NamedExpr):
        return place not in _NAMED or (isinstance(parent, cst.Arg) and parent.keyword is not None)
    if isinstance(node, cst.GeneratorExp):
        return place != ("Arg", "value")
    if place == ("Attribute", "value") and isinstance(node, cst.Integer):
        return True
    if place == ("FormattedStringExpression", "expression") and isinstance(node, _READ_AS_FORMAT):
        return True
    return _strength(node) < _asked_strength(parent, place)


def _asked_strength(parent: cst.CSTNode, place: tuple[str, str]) -> int:
    if isinstance(parent, cst.BinaryOperation):
        own = _strength(parent)
        if own == _POWER:
            return _AWAIT if place[1] == "left" else _UNARY
        return own if place[1] == "left" else own + 1
    if isinstance(parent, (cst.BooleanOperation, cst.UnaryOperation)):
        return _strength(parent)
    return _PLACES.get(place, _EXPRESSION)


def _strength(node: cst.BaseExpression) -> int:
    match node:
        case cst.Lambda() | cst.IfExp():
            return _EXPRESSION
        case cst.BooleanOperation() | cst.BinaryOperation() | cst.UnaryOperation():
            return _OPERATORS.get(type(node.operator).__name__, _UNARY)
        case cst.Comparison():
            return _COMPARISON
        case cst.Await():
            return _AWAIT
        case cst.Call() | cst.Attribute() | cst.Subscript():
            return _PRIMARY
        case _:
            return _ATOM


def breaks_line(node: cst.CSTNode) -> bool:
    """Whether the expression goes over a line end outside brackets of its own, so that it needs some around it.

    Example: ``a + b`` with a line end behind ``+`` does; ``f(a, b)`` with one behind the comma does not.
    """
    if getattr(node, "lpar", ()):
        return False
    bracketed = _BRACKETED.get(type(node).__name__, frozenset())
    return any(
        isinstance(child, cst.ParenthesizedWhitespace) or breaks_line(child)
        for path, child in steps(node)
        if path[0] not in bracketed
    )


_BRACKETED: dict[str, frozenset[str]] = {
    "Call": frozenset({"whitespace_before_args", "args"}),
    "Subscript": frozenset({"lbracket", "slice", "rbracket"}),
    "List": frozenset({"lbracket", "elements", "rbracket"}),
    "Set": frozenset({"lbrace", "elements", "rbrace"}),
    "Dict": frozenset({"lbrace", "elements", "rbrace"}),
    "ListComp": frozenset({"lbracket", "elt", "for_in", "rbracket"}),
    "SetComp": frozenset({"lbrace", "elt", "for_in", "rbrace"}),
    "DictComp": frozenset(
        {"lbrace", "key", "whitespace_before_colon", "whitespace_after_colon", "value", "for_in", "rbrace"}
    ),
    "FormattedString": frozenset({"parts"}),
    "ClassDef": frozenset({"bases", "keywords"}),
    "FunctionDef": frozenset({"whitespace_before_params", "params"}),
}


def is_enclosed(root: cst.CSTNode, path: NodePath) -> bool:
    """Whether the place lies within brackets, where a line may end anywhere: ``x`` of ``f(x)`` and of ``(x + 1)``."""
    node: Any = root
    for step in path:
        if isinstance(step, str):
            if step in _BRACKETED.get(type(node).__name__, ()) or (isinstance(node, cst.BaseExpression) and node.lpar):
                return True
            node = getattr(node, step)
        else:
            node = node[step]
    return False


def settle_parentheses(node: _Node, known: Container[cst.CSTNode] = frozenset()) -> _Node:
    """The tree with parentheses wherever one of its parts needs them where it stands.

    ``known`` nodes are settled already.
    """
    if node in known:
        return node
    changes: dict[str, Any] = {}
    for path, child in steps(node):
        name = str(path[0])
        new = fit_into_field(node, name, settle_parentheses(child, known))
        if new is child:
            continue
        if len(path) == 1:
            changes[name] = new
        else:
            changes.setdefault(name, list(getattr(node, name)))[path[1]] = new
    return node.with_changes(**changes) if changes else node


def seat_children(node: _Node) -> _Node:
    """The node with parentheses where one of its own children needs them; those below are taken as they are."""
    return settle_parentheses(node, frozenset(child for _, child in steps(node)))
