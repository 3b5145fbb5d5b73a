"""A function that is known to be there: opened for editing, and its texts as trials."""

from __future__ import annotations

from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId, digest
from analysis.functions import functions_of, span_of
from analysis.trials import Trial
from transforms.tree.candidate import Rejected
from transforms.tree.scope import EditScope, open_scope


def edit_scope(files: Files, function: FunctionId, text: bytes = b"") -> EditScope:
    """The function's scope in these files. Raises ``UnparseableError`` where it cannot be opened.

    Of several functions of one name (a property's getter and setter) that one is meant which has this text,
    since lines may have moved.
    """
    source = dict(files)[function.path]
    spans = functions_of(function.path, source)
    same = [f for f in spans if source[f.start : f.end].rstrip() == text.rstrip()] if text else []
    span = span_of(same, function) or span_of(spans, function)
    if span is None:
        raise UnparseableError(f"There is no function {function.qualname} in {function.path}")
    return as_scope(open_scope(source, span), function)


def as_scope(opened: EditScope | Rejected, function: FunctionId) -> EditScope:
    """The scope that was opened. Raises ``UnparseableError`` where it was refused."""
    if isinstance(opened, Rejected):
        raise UnparseableError(f"{function.path}: {opened.detail}", remedy="The file is left alone.")
    return opened


def as_trial(scope: EditScope, text: bytes, label: str) -> Trial:
    """A text for the scope's function as a trial."""
    function = scope.function
    return Trial(digest(function.path, function.qualname, text), function, text, label)
