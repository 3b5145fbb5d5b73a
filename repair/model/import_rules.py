"""Modules that an edit may not import, with what may be imported instead: imports are mended towards that.

What a file imports already is free in it. The rules come from the configuration (``forbidden-modules``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from analysis.errors import UsageError
from analysis.function_text import Unreadable, parse_module
from repair.model.reply import Unusable, UnusableKind
from transforms.tree.proposal import Proposal, Replacement

_ENTRY = re.compile(r"([^\W\d]\w*)(?:\s*=\s*([^\W\d]\w*(?:\.\w+)*))?")


@dataclass(frozen=True, slots=True)
class ImportRules:
    """Pairs of a module and its equivalent, empty where there is none."""

    forbidden: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(entries: Sequence[str]) -> ImportRules:
        """The rules of entries such as ``ujson=json`` and ``numpy``. Raises ``UsageError`` for any other."""
        pairs: list[tuple[str, str]] = []
        for entry in entries:
            found = _ENTRY.fullmatch(entry.strip())
            if found is None:
                raise UsageError(
                    f"{entry!r} is no forbidden module",
                    where="forbidden-modules",
                    remedy="Write MODULE, or MODULE=EQUIVALENT.",
                )
            pairs.append((found.group(1), found.group(2) or ""))
        return ImportRules(tuple(pairs))

    def apart_from(self, module: bytes) -> ImportRules:
        """The rules without what this file imports already."""
        tree = parse_module(module)
        if isinstance(tree, Unreadable) or not self.forbidden:
            return self
        names = [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
        had = {alias.name.split(".")[0] for n in names if isinstance(n, ast.Import) for alias in n.names}
        had |= {(n.module or "").split(".")[0] for n in names if isinstance(n, ast.ImportFrom)}
        return ImportRules(tuple(pair for pair in self.forbidden if pair[0] not in had))


def mend_imports(proposal: Proposal, rules: ImportRules) -> Proposal | Unusable:
    """The proposal with equivalents in the place of forbidden modules, or which module has none."""
    if not rules.forbidden:
        return proposal
    mending = _Mending(dict(rules.forbidden))
    lines = []
    for line in proposal.imports:
        try:
            statement = cst.parse_statement(line).visit(mending)
        except cst.ParserSyntaxError:
            lines.append(line)  # refused where it is placed
            continue
        assert isinstance(statement, cst.CSTNode), "no import is removed"
        lines.append(cst.Module([]).code_for_node(statement).strip())
    made = tuple(Replacement(r.at, tuple(_visited(node, mending) for node in r.nodes)) for r in proposal.replacements)
    if mending.refused:
        name, instead = mending.refused[0]
        said = f"import {instead} in its place" if instead else "nothing may be imported in its place"
        return Unusable(f"the module {name} may not be imported here: {said}", UnusableKind.IMPORT)
    return replace(proposal, replacements=made, imports=tuple(lines))


def _visited(node: cst.CSTNode, mending: cst.CSTTransformer) -> cst.CSTNode:
    new = node.visit(mending)
    assert isinstance(new, cst.CSTNode), "no import is removed"
    return new


class _Mending(cst.CSTTransformer):
    """Puts equivalents in the place of forbidden modules; names stay bound as they were."""

    def __init__(self, forbidden: dict[str, str]) -> None:
        super().__init__()
        self._forbidden = forbidden
        self.refused: list[tuple[str, str]] = []

    def leave_ImportAlias(self, original_node: cst.ImportAlias, updated_node: cst.ImportAlias) -> cst.ImportAlias:
        name = _dotted(updated_node.name)
        if not (instead := self._equivalent_of(name)):
            return updated_node
        kept = updated_node.asname or cst.AsName(cst.Name(name))
        bound = kept.name.value if isinstance(kept.name, cst.Name) else ""
        return updated_node.with_changes(name=_name_of(instead), asname=None if bound == instead else kept)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False  # its names are no modules

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        if updated_node.relative or updated_node.module is None:
            return updated_node
        instead = self._equivalent_of(_dotted(updated_node.module))
        return updated_node.with_changes(module=_name_of(instead)) if instead else updated_node

    def _equivalent_of(self, name: str) -> str:
        """What stands for a forbidden module; ``""`` for one that is allowed, and for one that is refused and noted."""
        root = name.split(".")[0]
        if root not in self._forbidden:
            return ""
        instead = self._forbidden[root]
        if not instead or name != root:
            self.refused.append((name, instead))
            return ""
        return instead


def _dotted(node: cst.Attribute | cst.Name) -> str:
    return node.value if isinstance(node, cst.Name) else f"{_dotted_of(node.value)}.{node.attr.value}"


def _dotted_of(node: cst.BaseExpression) -> str:
    return _dotted(node) if isinstance(node, (cst.Attribute, cst.Name)) else ""


def _name_of(dotted: str) -> cst.Attribute | cst.Name:
    node = cst.parse_expression(dotted)
    assert isinstance(node, (cst.Attribute, cst.Name)), "the form of an entry is checked"
    return node
