"""The syntactic context of a place: what its value is used for, or what kind of statement it is."""

from __future__ import annotations

from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import Site

_BY_PARENT = MappingProxyType(
    {
        cst.Arg: "argument",
        cst.BinaryOperation: "operand",
        cst.Comparison: "compared",
        cst.ComparisonTarget: "compared",
        cst.BooleanOperation: "condition",
        cst.UnaryOperation: "condition",
        cst.Assert: "test",
        cst.CompIf: "test",
        cst.Return: "returned",
        cst.Yield: "returned",
        cst.From: "returned",
        cst.Raise: "raised",
        cst.Assign: "assigned",
        cst.AnnAssign: "assigned",
        cst.NamedExpr: "assigned",
        cst.AugAssign: "added",
        cst.Index: "index",
        cst.Slice: "index",
        cst.Attribute: "receiver",
        cst.Element: "element",
        cst.DictElement: "element",
        cst.StarredElement: "element",
        cst.FormattedStringExpression: "formatted",
        cst.Expr: "alone",
        cst.ListComp: "element",
        cst.SetComp: "element",
        cst.GeneratorExp: "element",
        cst.DictComp: "element",
        cst.ExceptHandler: "caught",
        cst.WithItem: "entered",
    }
)

_BY_FIELD = MappingProxyType(
    {
        (cst.If, "test"): "if",
        (cst.While, "test"): "while",
        (cst.IfExp, "test"): "test",
        (cst.IfExp, "body"): "chosen",
        (cst.IfExp, "orelse"): "chosen",
        (cst.For, "iter"): "iterated",
        (cst.CompFor, "iter"): "iterated",
        (cst.Call, "func"): "called",
        (cst.Subscript, "value"): "receiver",
    }
)

_STATEMENTS = MappingProxyType(
    {
        cst.Return: "a return",
        cst.Raise: "a raise",
        cst.Assign: "an assignment",
        cst.AnnAssign: "an assignment",
        cst.AugAssign: "an assignment",
        cst.Expr: "a call",
        cst.If: "an if",
        cst.For: "a loop",
        cst.While: "a loop",
        cst.Try: "a try",
        cst.With: "a with",
    }
)

OTHER = "other"


def context_of(site: Site) -> str:
    """One word for the place: of an expression what its value is for, of a statement its kind."""
    if site.role == "statement":
        return _STATEMENTS.get(type(site.small_statement or site.node), OTHER)
    if site.role in ("target", "label"):
        return f"a {site.role}"
    if site.up is None:
        return OTHER
    above = type(site.up.node)
    return _BY_FIELD.get((above, site.field)) or _BY_PARENT.get(above, OTHER)
