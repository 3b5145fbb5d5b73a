"""One version of a function under the local names, or the docstring, of another: they then differ in deeds alone."""

from __future__ import annotations

import symtable
from collections import Counter
from collections.abc import Iterator

import libcst as cst

from analysis.trials import Trial
from transforms.patch.apply import render
from transforms.tree.node_path import walk
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope

_LOOKERS = frozenset({"locals", "vars", "dir", "eval", "exec", "f_locals", "_getframe", "currentframe", "stack"})
"""Who calls one of these may see by what name a value goes."""

MOST_RENAMED = 8
"""Of more names than these none is exchanged: another text in most places, and each name takes a look at all of it."""

_COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")


def restore_old_names(old: cst.FunctionDef, new: cst.FunctionDef) -> cst.FunctionDef:
    """The new function with fresh locals under the names of lost ones, where both stand in the same surroundings.

    Every node keeps its place. A name is exchanged only where it means a local of this function throughout, and only
    for one that the new function does not use. So the result does what the new function does.
    """
    while (pair := _pair(old, new)) is not None:
        renamed = new.visit(_Exchange(dict([pair])))
        assert isinstance(renamed, cst.FunctionDef), "only names are exchanged"
        new = renamed
    return new


def text_under_old_names(old: str, new: str) -> str:
    """The new function's text with its locals named as in the old one's; as it is where one cannot be read."""
    before, after = _function(old), _function(new)
    if before is None or after is None:
        return new
    renamed = restore_old_names(before, after)
    return new if renamed is after else cst.Module([]).code_for_node(renamed)


def _function(text: str) -> cst.FunctionDef | None:
    """The one function of the text, however far it is indented."""
    try:
        module = cst.parse_module("if 1:\n" + text if text[:1].isspace() else text)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    match module.body:
        case [cst.If(body=cst.IndentedBlock(body=[cst.FunctionDef() as function]))] | [cst.FunctionDef() as function]:
            return function
    return None


def _pair(old: cst.FunctionDef, new: cst.FunctionDef) -> tuple[str, str] | None:
    """The fresh local and the lost one that stand for each other in most statements."""
    lost, fresh = _names(old) - _names(new), _names(new) - _names(old)
    if not lost or not fresh:
        return None
    lost, fresh = lost & _locals(old), fresh & _locals(new)
    if min(len(lost), len(fresh)) > MOST_RENAMED:
        return None
    before, after = _surroundings(old, lost), _surroundings(new, fresh)
    scores = {(mine, theirs): (after[mine] & before[theirs]).total() for mine in after for theirs in before}
    best = max(sorted(scores), key=lambda pair: scores[pair], default=None)
    return best if best is not None and scores[best] else None


def _surroundings(node: cst.FunctionDef, names: frozenset[str]) -> dict[str, Counter[str]]:
    """For each of the names the statements and heads that it stands in, all of these names left blank."""
    found: dict[str, Counter[str]] = {}
    for part in _parts(node):
        mine = _names(part) & names
        if mine:
            blank = part.visit(_Exchange(dict.fromkeys(names, "_")))
            text = cst.Module([]).code_for_node(blank) if isinstance(blank, cst.CSTNode) else ""
            for name in mine:
                found.setdefault(name, Counter())[text] += 1
    return found


def _parts(node: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """Simple statements, and the expressions at the heads of compound ones."""
    for _, each in walk(node.body):
        if isinstance(each, cst.BaseSmallStatement):
            yield each
        elif isinstance(each, cst.BaseCompoundStatement):
            yield from (child for child in each.children if isinstance(child, cst.BaseExpression))


def _names(node: cst.CSTNode) -> frozenset[str]:
    return frozenset(each.value for _, each in walk(node) if isinstance(each, cst.Name))


def _locals(node: cst.FunctionDef) -> frozenset[str]:
    """Names that are nothing but locals of the function, or of a comprehension in it, and that nobody can look up."""
    names = _names(node)
    if names & _LOOKERS:
        return frozenset()
    bare = node.with_changes(decorators=(), returns=None, leading_lines=(), lines_after_decorators=())
    try:
        whole = symtable.symtable(cst.Module([]).code_for_node(bare), "<function>", "exec")
        table = next(iter(whole.get_children()), None)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    if not isinstance(table, symtable.Function):
        return frozenset()
    mine, other = _meanings(table)
    for inner in _inner(table):
        bound, own = _meanings(inner)
        if inner.get_name() in _COMPREHENSIONS:
            mine |= bound
            other |= own
        else:
            other |= bound | own
    return frozenset((mine & names) - other - _shown_names(node))


def _meanings(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """What one scope binds as a plain local, and what else it names, but for another scope's locals."""
    symbols = [s for s in table.get_symbols() if not s.is_free()]
    plain = {s.get_name() for s in symbols if s.is_local() and not (s.is_parameter() or s.is_imported())}
    return plain, {s.get_name() for s in symbols} - plain


def _inner(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inner(child)


def _shown_names(node: cst.FunctionDef) -> set[str]:
    """Names whose very spelling counts: printed (``{name=}``), matched by keyword, imported, or of what is defined.

    So do those of the head, which stand for something outside, and those with two underscores, which a class changes.
    """
    shown = {name for name in _names(node) if name.startswith("__")}
    shown.update(name for child in node.children if child is not node.body for name in _names(child))
    for _, each in walk(node):
        is_printed = isinstance(each, cst.FormattedStringExpression) and each.equal is not None
        if is_printed or isinstance(each, (cst.Import, cst.ImportFrom)):
            shown |= _names(each)
        elif isinstance(each, cst.MatchKeywordElement):
            shown.add(each.key.value)
        elif isinstance(each, (cst.FunctionDef, cst.ClassDef)):
            shown.add(each.name.value)
    return shown


class _Exchange(cst.CSTTransformer):
    """Exchanges names, but not what only looks like one: an attribute, a keyword of a call."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        other = self._names.get(updated_node.value)
        return updated_node if other is None else updated_node.with_changes(value=other)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


def give_docstring_of(old: EditScope, new: EditScope) -> bytes:
    """The old function's text with the new one's docstring; as it is where both say the same or it cannot be put in."""
    if old.node.get_docstring(clean=False) == new.node.get_docstring(clean=False):
        return old.text
    if not (isinstance(old.node.body, cst.IndentedBlock) and isinstance(new.node.body, cst.IndentedBlock)):
        return old.text
    # How many statements the docstrings are.
    mine, theirs = (int(scope.node.get_docstring(clean=False) is not None) for scope in (old, new))
    rest = old.node.body.body[mine:]
    body = (*new.node.body.body[:theirs], *rest)
    if not rest:  # a docstring alone is a body, and so is what takes its place
        return old.text
    node = old.node.with_changes(body=old.node.body.with_changes(body=body))
    made = render(old, Proposal(old.function, (Replacement((), (node,)),), Origin("comparison", "docstring")))
    return made.text if isinstance(made, Trial) else old.text
