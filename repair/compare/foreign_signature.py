"""Another signature in somebody else's change: who calls the function as before, and what becomes of it.

Our own edits keep the signature. In a change from elsewhere another one may be what the change is for, so it is no
reason to reject. It is asked who is left behind, and calls of the project that are such are named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.api import signature_changes, signature_of
from analysis.call_sites import CalledFunction, CallSite, callers_lost, calls_of, new_parameters
from analysis.diagnosis import is_test_path
from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId
from analysis.function_text import Unreadable, parse_module
from analysis.functions import functions_of, source_encoding, span_of
from repair.records.verdict import Decision, Evidence
from repair.records.wording import count_noun

GATE = "signature"

MOST_CALLS = 3
"""Calls that a witness names."""


@dataclass(frozen=True, slots=True)
class ForeignSignature:
    """Another signature of a function in somebody else's change.

    ``files`` are the program with the whole change, and ``tests`` those of them that hold tests.
    """

    callee: CalledFunction
    files: Files
    tests: Files

    @property
    def changes(self) -> tuple[str, ...]:
        """What differs, one clause each; annotations count for nothing."""
        found = signature_changes(self.callee.old, self.callee.new)
        return tuple(change for change in found if "annotation" not in change)

    def calls_left_behind(self) -> tuple[CallSite, ...]:
        """Calls that worked, stayed as they were and do not fit, or mean something else; sure ones come first."""
        found = (
            call for path, tree in _trees(self.files, self.callee) for call in self.callee.broken_calls(path, tree)
        )
        return tuple(sorted(found, key=lambda call: not call.sure))

    def judge(self) -> Evidence:
        """It is accepted where each call that worked means the same, and some test passes what is new.

        A call of the project that is left behind is the witness of a doubt.
        """
        old, new = self.callee.old, self.callee.new
        said = f"the signature of {self.callee.qualname} changes: {'; '.join(self.changes)}"
        lost = callers_lost(old, new)
        if lost:
            return self._doubt_lost(said, lost)
        kept = f"{said}; no call that worked means anything else"
        unpassed = [p.name for p in new_parameters(old, new) if not self._is_passed(p.name)]
        if unpassed:
            question = f"What should {self.callee.qualname} do with {unpassed[0]}? No test passes it."
            claim, numbers = f"{kept}, and no test passes {unpassed[0]}", (("unpassed", len(unpassed)),)
            return Evidence(GATE, Decision.UNKNOWN, claim, numbers, unpassed[0], question)
        return Evidence(GATE, Decision.ACCEPT, kept)

    def _doubt_lost(self, said: str, lost: tuple[str, ...]) -> Evidence:
        calls = self.calls_left_behind()
        numbers = (("lost", len(lost)), ("calls", len(calls)))
        claim = f"{said}: {lost[0]} are left behind"
        if not calls:
            claim += f", and the project has no such call of {self.callee.qualname}"
            question = f"May {lost[0]} from elsewhere be left behind?"
            return Evidence(GATE, Decision.UNKNOWN, claim, numbers, lost[0], question)
        stayed = count_noun(len(calls), "call") + (" stays" if len(calls) == 1 else " stay")
        witness = "; ".join(f"{each.path}:{each.line}: {each.text} ({each.problem})" for each in calls[:MOST_CALLS])
        question = f"Is {calls[0].text} in {calls[0].path}:{calls[0].line} to be changed too?"
        return Evidence(GATE, Decision.UNKNOWN, f"{claim}, and {stayed} as before", numbers, witness, question)

    def _is_passed(self, parameter: str) -> bool:
        return any(
            self.callee.is_passed(call, parameter)
            for _, tree in _trees(self.tests, self.callee)
            for call in calls_of(tree, self.callee.qualname)
        )


def foreign_signature(
    function: FunctionId, before: bytes, after: bytes, old: Files, new: Files
) -> ForeignSignature | None:
    """The change from one text of the function to another, in the programs before and after.

    ``None`` where callers cannot tell the two apart.
    """
    try:
        span = span_of(functions_of(function.path, dict(old)[function.path]), function)
        encoding = source_encoding(dict(old)[function.path])
        was, now = (signature_of(text.decode(encoding, "replace")) for text in (before, after))
        in_class = span is not None and span.in_class
        callee = CalledFunction(function.path, function.qualname, was, now, in_class)
    except UnparseableError:
        return None  # its shape is a doubt of its own
    found = ForeignSignature(callee, new, tuple((path, text) for path, text in new if is_test_path(path)))
    return found if found.changes else None


def describe_call(call: CallSite, qualname: str) -> str:
    """A call that was left behind, in a sentence."""
    if call.sure:
        return f"{call.text} stays as it was, and does not fit {qualname} any more: {call.problem}"
    return f"if {call.text} calls {qualname}, it does not fit any more: {call.problem}"


def _trees(files: Files, callee: CalledFunction) -> Iterator[tuple[str, ast.Module]]:
    """Those Python files that can be read and mention the name by which the function is called."""
    *outer, name = callee.qualname.split(".")
    wanted = (outer[-1] if outer and name == "__init__" else name).encode()
    for path, source in files:
        if path.endswith(".py") and wanted in source:
            tree = parse_module(source)
            if not isinstance(tree, Unreadable):
                yield path, tree
