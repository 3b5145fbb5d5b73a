"""A change from anywhere, taken apart: the functions that it changes, and everything else as findings.

Of a changed file one function can be cut out, as an edit of that function alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from analysis.api import signature_changes, signature_of
from analysis.diagnosis import is_test_module
from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId
from analysis.functions import FunctionSpan, functions_of, syntax_tree
from transforms.patch.skeleton import Keyed, Outline, line_changes, outline_of, spans_by_key
from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.proposal import Origin, Proposal, Replacement
from transforms.tree.scope import EditScope, open_scope

DOCUMENTS = (".md", ".rst", ".txt", "LICENSE", "AUTHORS", "CHANGES", "NEWS")


@dataclass(frozen=True, slots=True)
class FunctionChange:
    """One function that is there before and after, with another text; ``first_line`` is its line afterwards."""

    function: FunctionId
    before: bytes
    after: bytes
    first_line: int


@dataclass(frozen=True, slots=True)
class ForeignFinding:
    """Something in a change that is no edit of one function. ``line`` counts in the new file where there is one.

    The kind is ``layout`` or ``documentation`` where it means nothing to the program. Others are ``imports``,
    ``module_level``, ``function_added``, ``function_removed`` and ``function_moved``. Of files: ``file_added``,
    ``file_removed``, ``other_file`` and ``unparseable``. In test files the kind is ``added_test``, ``removed_test`` or
    ``changed_test``. It is ``test_support`` for what they share (``conftest.py``, data, modules without tests).
    """

    kind: str
    path: str
    line: int
    claim: str


@dataclass(frozen=True, slots=True)
class ForeignChange:
    """What a change consists of, in order of path and line."""

    functions: tuple[FunctionChange, ...]
    findings: tuple[ForeignFinding, ...]


def split_change(before: Files, after: Files, is_test: Callable[[str], bool]) -> ForeignChange:
    """The change from ``before`` to ``after``, taken apart.

    Both hold the files that the change touches; a file that is not there has no entry. The sources are
    parsed in this process: whoever got them from elsewhere has them checked in a child process first.
    """
    old, new = dict(before), dict(after)
    functions: list[FunctionChange] = []
    findings: list[ForeignFinding] = []
    for path in sorted({*old, *new}):
        if old.get(path) == new.get(path):
            continue
        parts = _file_change(path, old.get(path), new.get(path))
        edits = [part for part in parts if isinstance(part, FunctionChange)]
        found = [part for part in parts if isinstance(part, ForeignFinding)]
        if is_test(path):
            findings += _in_test_file(path, edits, found)
        else:
            functions += edits
            findings += found
    return ForeignChange(
        tuple(sorted(functions, key=lambda f: (f.function.path, f.first_line))),
        tuple(sorted(findings, key=lambda f: (f.path, f.line, f.kind, f.claim))),
    )


def _file_change(path: str, old: bytes | None, new: bytes | None) -> tuple[FunctionChange | ForeignFinding, ...]:
    if not path.endswith(".py"):
        kind = "documentation" if path.endswith(DOCUMENTS) else "other_file"
        word = "added" if old is None else "removed" if new is None else "changed"
        return (ForeignFinding(kind, path, 1, f"a file that is no Python source is {word}"),)
    try:
        before = outline_of(path, old or b"")
        after = outline_of(path, new or b"")
    except UnparseableError as problem:
        return (ForeignFinding("unparseable", path, 1, f"the file cannot be taken apart: {problem.found}"),)
    if old is None:
        count = len(after.functions)
        return (ForeignFinding("file_added", path, 1, f"a new module with {count} functions"),)
    if new is None:
        return (ForeignFinding("file_removed", path, 1, f"a module with {len(before.functions)} functions is gone"),)
    there = dict(after.outermost)
    changed = (_changed_in(before, span, after, there[key]) for key, span in before.outermost if key in there)
    return (*chain.from_iterable(changed), *_outside_findings(before, after))


def _changed_in(before: Outline, old: FunctionSpan, after: Outline, new: FunctionSpan) -> Iterator[FunctionChange]:
    """The change of one function; of the functions nested in it when it differs nowhere else."""
    text, changed = before.source[old.start : old.end], after.source[new.start : new.end]
    if text.rstrip(b"\r\n") == changed.rstrip(b"\r\n"):
        return
    inner, there = _nested_spans(before, old), dict(_nested_spans(after, new))
    same_names = bool(inner) and [key for key, _ in inner] == list(there)
    if same_names and _frame(before, old, inner) == _frame(after, new, tuple(there.items())):
        for key, span in inner:
            yield from _changed_in(before, span, after, there[key])
    else:
        yield FunctionChange(old.function, text, changed, new.function.first_line)


def _nested_spans(outline: Outline, span: FunctionSpan) -> Keyed:
    return spans_by_key([f for f in outline.functions if span.start < f.start < span.end])


def _frame(outline: Outline, span: FunctionSpan, inner: Keyed) -> tuple[bytes, ...]:
    """The pieces of the function's text between those nested in it."""
    ends = [span.start, *(f.end for _, f in inner)]
    starts = [*(f.start for _, f in inner), span.end]
    return tuple(outline.source[end:start] for end, start in zip(ends, starts, strict=True))


def _outside_findings(before: Outline, after: Outline) -> Iterator[ForeignFinding]:
    path = after.path
    old, new = dict(before.outermost), dict(after.outermost)
    removed = [("function_removed", key, span, "gone") for key, span in before.outermost if key not in new]
    added = [("function_added", key, span, "new") for key, span in after.outermost if key not in old]
    for kind, (name, _), span, word in (*removed, *added):
        yield ForeignFinding(kind, path, span.function.first_line, f"the function {name} is {word}")
    for change in line_changes(before, after):
        yield ForeignFinding(change.kind, path, change.line, change.claim)


def _in_test_file(path: str, edits: list[FunctionChange], found: list[ForeignFinding]) -> Iterator[ForeignFinding]:
    """What a change does to a test file: no function to judge, yet evidence may rest on it."""
    shared = not is_test_module(path.rsplit("/", 1)[-1])
    for edit in edits:
        kind = "test_support" if shared else "changed_test"
        yield ForeignFinding(kind, path, edit.first_line, f"{edit.function.qualname} in the tests is changed")
    words = {
        **dict.fromkeys(("function_added", "file_added"), "added_test"),
        **dict.fromkeys(("function_removed", "file_removed"), "removed_test"),
    }
    for finding in found:
        kind = finding.kind
        if kind not in ("layout", "documentation", "unparseable"):
            kind = "test_support" if shared else words.get(kind, "changed_test")
        yield ForeignFinding(kind, path, finding.line, f"{finding.claim} (in the tests)")


def cut_out(scope: EditScope, changed: bytes, origin: Origin, explanation: str = "") -> Proposal | Rejected:
    """The edit that makes the scope's function what it is in the changed file.

    Imports that the file has in addition go with it where the function uses what they bind. Another signature is
    refused. The file is parsed in this process: whoever got it from elsewhere has it checked in a child process first.
    """
    try:
        theirs = _same_function(scope, changed)
        if theirs is None:
            lost = f"{scope.function.qualname} is no longer in {scope.function.path}"
            return Rejected(RejectReason.NOT_FOUND, lost)
        opened = open_scope(changed, theirs)
        if isinstance(opened, Rejected):
            return opened
        if opened.text.rstrip(b"\r\n") == scope.text.rstrip(b"\r\n"):
            return Rejected(RejectReason.NO_CHANGE, f"{scope.function.qualname} stays as it is")
        old, new = (signature_of(each.text.decode(each.encoding)) for each in (scope, opened))
        for change in signature_changes(old, new):
            return Rejected(RejectReason.SIGNATURE, f"what callers rely on changes: {change}")
        imports = tuple(_further_imports(scope, opened))
    except UnparseableError as problem:
        return Rejected(RejectReason.UNPARSEABLE, str(problem))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        return Rejected(RejectReason.UNPARSEABLE, f"{scope.function.path} cannot be parsed: {problem}")
    return Proposal(scope.function, (Replacement((), (opened.node,)),), origin, explanation, imports)


def _same_function(scope: EditScope, changed: bytes) -> FunctionSpan | None:
    """Where the function stands in the changed file: of those of its name the one with its number."""
    path, name = scope.function.path, scope.function.qualname
    mine, theirs = (
        [span for span in functions_of(path, source) if span.function.qualname == name]
        for source in (scope.source, changed)
    )
    number = next(place for place, span in enumerate(mine) if span.start == scope.start)
    return theirs[number] if number < len(theirs) else None


def _further_imports(scope: EditScope, opened: EditScope) -> Iterator[str]:
    """Imports at the top of the changed file that the old one has not, and whose names the function uses."""
    had = {line for line, _ in _imports(scope.source)}
    words = set(re.findall(r"\w+", opened.text.decode(opened.encoding)))
    yield from (line for line, name in _imports(opened.source) if line not in had and name in words)


def _imports(source: bytes) -> Iterator[tuple[str, str]]:
    """Each name that the module imports for itself: one statement for it, and the name that it binds."""
    for node in syntax_tree(source).body:
        match node:
            case ast.Import(names=names):
                alone: list[ast.stmt] = [ast.Import([alias]) for alias in names]
            case ast.ImportFrom(module=module, names=names, level=level) if module != "__future__":
                alone = [ast.ImportFrom(module, [alias], level) for alias in names]
            case _:
                continue
        bound = ((alias.asname or alias.name).split(".")[0] for alias in names)
        yield from zip(map(ast.unparse, alone), bound, strict=True)
