"""From a proposal, or from text, to a trial or a candidate: nothing outside the one function can change."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import libcst as cst

from analysis.edit_kind import PATCH_LINES
from analysis.errors import UnparseableError
from analysis.facts import digest
from analysis.functions import FunctionSpan, functions_of, source_encoding
from analysis.trials import Trial
from transforms.patch.diff import unified_diff
from transforms.tree.candidate import Candidate, Rejected, RejectReason
from transforms.tree.fragments import parse_expression, parse_statements
from transforms.tree.imports import ModuleImports, at_module_level
from transforms.tree.node_path import node_at, steps
from transforms.tree.placing import edit_tree, print_tree
from transforms.tree.proposal import EditKind, Origin, Proposal, Replacement
from transforms.tree.scope import EditScope, open_scope
from transforms.tree.shape import changed_nodes, expressions_like, is_layout, runs_like, same_shape


def edit_kind(before: cst.FunctionDef, after: cst.FunctionDef) -> EditKind:
    """``UPDATE`` when one expression differs, ``PATCH`` when a few consecutive statements do, else ``REWRITE``.

    What differs in layout only is the least of edits.
    """
    if same_shape(before, after):
        return EditKind.UPDATE
    old, new = _parting_nodes(before, after)
    if isinstance(old, cst.BaseExpression) and isinstance(new, cst.BaseExpression):
        return EditKind.UPDATE
    if old is before:
        return EditKind.REWRITE
    return EditKind.PATCH if _differing_lines(old, new) < PATCH_LINES else EditKind.REWRITE


def _parting_nodes(old: cst.CSTNode, new: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
    """The smallest pair of nodes at the same place that holds every difference.

    An operator, or an argument, stands for the expression that it belongs to.
    """
    while type(old) is type(new):
        pairs = _only_difference(old, new)
        if pairs is None:
            break
        if isinstance(old, cst.BaseExpression) and not _leads_to_expression(*pairs):
            break
        old, new = pairs
    return old, new


def _only_difference(old: cst.CSTNode, new: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    olds = [(path, child) for path, child in steps(old) if not is_layout(child)]
    news = [(path, child) for path, child in steps(new) if not is_layout(child)]
    if [path for path, _ in olds] != [path for path, _ in news]:
        return None
    differing = [(a, b) for (_, a), (_, b) in zip(olds, news, strict=True) if not same_shape(a, b)]
    return differing[0] if len(differing) == 1 else None


def _leads_to_expression(old: cst.CSTNode, new: cst.CSTNode) -> bool:
    """Whether one expression holds all that differs: ``a`` and ``b`` as arguments, not the signs ``+`` and ``-``."""
    while not isinstance(old, cst.BaseExpression):
        pair = _only_difference(old, new) if type(old) is type(new) else None
        if pair is None:
            return False
        old, new = pair
    return isinstance(new, cst.BaseExpression)


def _differing_lines(old: cst.CSTNode, new: cst.CSTNode) -> int:
    if not isinstance(old, cst.IndentedBlock) or not isinstance(new, cst.IndentedBlock):
        return max(_lines(old), _lines(new))
    olds, news = list(old.body), list(new.body)
    while olds and news and same_shape(olds[0], news[0]):
        del olds[0], news[0]
    while olds and news and same_shape(olds[-1], news[-1]):
        del olds[-1], news[-1]
    return max(sum(map(_lines, olds)), sum(map(_lines, news)))


def _lines(node: cst.CSTNode) -> int:
    return max(1, len(cst.Module([]).code_for_node(node).strip().splitlines()))


def render(scope: EditScope, proposal: Proposal) -> Trial | Rejected:
    """The function's new text, quickly and unjudged: neither parsed again nor compiled.

    Imports that the proposal declares go inside the function.
    """
    tree = edit_tree(scope, proposal)
    if isinstance(tree, Rejected):
        return tree
    text = print_tree(scope, tree)
    if isinstance(text, Rejected):
        return text
    return trial_of(scope, text, proposal.origin)


def trial_of(scope: EditScope, text: bytes, origin: Origin) -> Trial | Rejected:
    """A new text of the function as a trial; refused where it is the old one."""
    if text == scope.text:
        return Rejected(RejectReason.NO_CHANGE, "the function stays as it is")
    function, name = scope.function, f"{origin.proposer}:{origin.operator}"
    label = f"{name} {origin.detail}" if origin.detail else name
    return Trial(digest(function.path, function.qualname, text), function, text, label)


def size_of(scope: EditScope, proposal: Proposal, before: cst.FunctionDef) -> int:
    """By how many nodes the function that the proposal makes differs from this one; at least one.

    It is measured as it is made: what is printed may read a little otherwise.
    """
    tree = edit_tree(scope, proposal)
    return max(1, changed_nodes(before, node_at(tree, scope.root))) if isinstance(tree, cst.Module) else 1


def place(scope: EditScope, text: bytes) -> bytes:
    """The whole file with the text in the function's place."""
    return scope.source[: scope.start] + text + scope.source[scope.end :]


def complete(
    scope: EditScope, text: bytes, origin: Origin, explanation: str = "", imports: Sequence[str] = ()
) -> Candidate | Rejected:
    """The candidate that the text makes of the function, fully checked.

    The new file parses, and the text prints back. The text is exactly one function of the same name and owner, and
    every other function stands where it stood. The engine's own compiler accepts the file where it accepts the old one.
    ``imports`` go to module level: the named exemption, and then the whole file prints back. The text is parsed in this
    process: whoever got it from elsewhere has it checked in a child process first.
    """
    path = scope.function.path
    if text == scope.text:
        return Rejected(RejectReason.NO_CHANGE, "the function stays as it is")
    source = place(scope, text)
    whole = at_module_level(path, source, imports, scope.start) if imports else ModuleImports(source, 0, b"")
    if isinstance(whole, Rejected):
        return whole
    unreadable = _unreadable_rejection(scope, text, whole)
    if unreadable is not None:
        return unreadable
    problem = compile_problem(path, whole.source)
    # A file that is newer than the engine's own grammar is for the target to compile.
    if problem and not compile_problem(path, scope.source):
        return Rejected(RejectReason.SYNTAX, problem)
    span = _sole_function(scope, text, whole)
    new = open_scope(whole.source, span) if isinstance(span, FunctionSpan) else span
    if isinstance(new, Rejected):
        return new
    named = tuple(line.strip() for line in imports) if whole.added else ()
    return Candidate(
        digest(path, scope.function.qualname, text, *named),
        scope.function,
        ((path, whole.source),),
        scope.text,
        text,
        unified_diff(path, scope.source, whole.source),
        changed_nodes(scope.node, new.node),
        edit_kind(scope.node, new.node),
        origin,
        explanation,
        named,
    )


def _unreadable_rejection(scope: EditScope, text: bytes, whole: ModuleImports) -> Rejected | None:
    """Why the new file cannot be read. Outside the function its bytes are the old ones, unless imports were added."""
    path, source = scope.function.path, whole.source
    try:
        text.decode(scope.encoding)
        if source_encoding(source) != scope.encoding:
            return Rejected(RejectReason.ENCODING, f"the text changes how {path} is encoded")
        if whole.added and cst.parse_module(source).bytes != source:
            return Rejected(RejectReason.UNPARSEABLE, f"{path} does not survive parse and print")
    except (UnicodeError, UnparseableError) as problem:
        return Rejected(RejectReason.ENCODING, f"the text does not fit the encoding of {path}: {problem}")
    except (cst.ParserSyntaxError, RecursionError, ValueError) as problem:
        return Rejected(RejectReason.SYNTAX, f"{path}: {problem}")
    return None


def _sole_function(scope: EditScope, text: bytes, whole: ModuleImports) -> FunctionSpan | Rejected:
    """Where the function stands now. Refuses a text that is more, less or other than that one function.

    A text that begins and ends where one function begins and ends leaves the rest of the file to be read as before. The
    bytes of that rest are the same.
    """
    path, start = scope.function.path, scope.start + len(whole.added)
    end = start + len(text)
    try:
        old, new = functions_of(path, scope.source), functions_of(path, whole.source)
    except UnparseableError as problem:
        return Rejected(RejectReason.SYNTAX, str(problem))
    grown = len(text) - len(scope.text)
    expected = [_place_after_change(f, scope, grown, whole) for f in old if not scope.start < f.start < scope.end]
    if expected != [_place_of(f) for f in new if not start < f.start < end]:
        return Rejected(RejectReason.OUTSIDE, f"the text is not exactly the function {scope.function.qualname}")
    return next(f for f in new if f.start == start)


def compile_problem(path: str, source: bytes | str) -> str:
    """What the engine's own grammar has against the source, or nothing; a warning about a literal is no refusal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            return f"{path} does not compile: {problem}"
    return ""


_Place = tuple[str, str, bool, int, int]


def _place_of(function: FunctionSpan) -> _Place:
    return (function.function.qualname, function.parent, function.in_class, function.start, function.end)


def _place_after_change(function: FunctionSpan, scope: EditScope, grown: int, whole: ModuleImports) -> _Place:
    """Where a function of the old file must stand in the new one."""

    def moved(offset: int) -> int:
        shifted = offset + grown if offset >= scope.end else offset
        return shifted + len(whole.added) if shifted >= whole.offset else shifted

    qualname, parent, in_class, start, end = _place_of(function)
    return (qualname, parent, in_class, moved(start), moved(end - 1) + 1 if end != scope.end else moved(end))


_UPDATE, _PATCH, _REWRITE = (Origin("text", kind.value) for kind in EditKind)


def apply_update(scope: EditScope, target: str, replacement: str, origin: Origin = _UPDATE) -> Proposal | Rejected:
    """The proposal to put one expression in the place of another, which must occur exactly once."""
    wanted, new = parse_expression(target), parse_expression(replacement)
    if wanted is None or new is None:
        return Rejected(RejectReason.SYNTAX, f"{(target if wanted is None else replacement)!r} is not one expression")
    found = tuple(expressions_like(scope.node, wanted))
    if len(found) != 1:
        return _not_one(len(found), target)
    return Proposal(scope.function, (Replacement(found[0], (new,)),), origin)


def apply_patch(
    scope: EditScope, old_statements: str, new_statements: str, origin: Origin = _PATCH
) -> Proposal | Rejected:
    """The proposal to put statements in the place of consecutive others of one block, which must occur exactly once."""
    old, new = parse_statements(old_statements), parse_statements(new_statements)
    if not old or new is None:
        return Rejected(RejectReason.SYNTAX, "the statements to replace, or those to put there, do not parse")
    found = tuple(runs_like(scope.node, old))
    if len(found) != 1:
        return _not_one(len(found), old_statements)
    first, *rest = found[0]
    return Proposal(scope.function, (Replacement(first, new), *(Replacement(at, ()) for at in rest)), origin)


def apply_rewrite(scope: EditScope, function_text: str, origin: Origin = _REWRITE) -> Proposal | Rejected:
    """The proposal to put another function of the same name in the function's place.

    A text without any decorator leaves those that are there.
    """
    statements = parse_statements(function_text)
    if statements is None:
        return Rejected(RejectReason.SYNTAX, "the function does not parse")
    if len(statements) != 1 or not isinstance(statements[0], cst.FunctionDef):
        return Rejected(RejectReason.OUTSIDE, "the text is not one function and nothing else")
    new = statements[0]
    if new.name.value != scope.node.name.value:
        return Rejected(RejectReason.SIGNATURE, f"the function is named {new.name.value}, not {scope.node.name.value}")
    decorators = new.decorators or scope.node.decorators
    new = new.with_changes(
        leading_lines=scope.node.leading_lines,
        decorators=decorators,
        lines_after_decorators=new.lines_after_decorators if new.decorators else scope.node.lines_after_decorators,
    )
    return Proposal(scope.function, (Replacement((), (new,)),), origin)


def _not_one(count: int, text: str) -> Rejected:
    shown = text.strip()[:200]
    if count:
        return Rejected(RejectReason.NOT_UNIQUE, f"{shown!r} occurs {count} times in the function")
    return Rejected(RejectReason.NOT_FOUND, f"{shown!r} does not occur in the function")
