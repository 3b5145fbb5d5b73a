"""Restrictions that a change restates: the old function asks the same, of other things or in another order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import libcst as cst

from transforms.tree.node_path import walk

_PICKING = (cst.Equal, cst.NotEqual, cst.In, cst.NotIn, cst.Is, cst.IsNot, cst.Not)
"""Operators that pick out values; an order or a join may be exchanged for another."""


def restates_condition(node: cst.CSTNode, gone: Iterable[cst.CSTNode]) -> bool:
    """Whether a new expression is like one that is ``gone``: no literal, call or picking operator that it had not."""
    asked = _asked_names(node)
    return any(type(node) is type(each) and not asked - _asked_names(each) for each in gone)


def _asked_names(node: cst.CSTNode) -> Counter[str]:
    return Counter(word for _, each in walk(node) for word in _words(each))


def _words(node: cst.CSTNode) -> Iterable[str]:
    match node:
        case cst.BaseNumber() | cst.BaseString():
            return (cst.Module([]).code_for_node(node),)
        case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)):
            return (f"{name}()",)
        case cst.Call():
            return ("()",)
        case _ if isinstance(node, _PICKING):
            return (type(node).__name__,)
    return ()
