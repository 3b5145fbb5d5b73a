"""Whether another failing test that runs a patched function fails for another cause, which the patch has no part in.

A patch may mend a fault for one test and not for the next. That the next one fails on is a doubt about the patch. But
where the faults are two, the right patch of the first one leaves the second, and that says nothing about it. These
signs are asked for, all of them:

1. The test fails with the patch as it did before, word for word.
2. Its traceback neither ends in the patched function nor stands at a line that the patch changes.
3. Of the patched function it runs only lines that passing tests run, too.
4. Another function is to blame, from which no call leads to the patched one, as far as names tell. Either the test runs
   lines of it that neither passing nor mended tests run, and passing tests run others of its lines. Or the failure was
   raised in it, no mended test failed in it, and the patched function returns nothing.

Where one of them is missing, the test may show the half of the same fault that is left.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from analysis.diagnosis import files_of_tests, is_test_path
from analysis.evidence import body_lines
from analysis.facts import Failure, Frame, TestId, TestResult
from analysis.failure import failure_of, read_alike
from analysis.frames import telling_exception
from analysis.function_text import FunctionNode, Unreadable, own_nodes, parse_function
from analysis.functions import FunctionSpan, owner_of_frame, span_of
from repair.observe.second_look import steady_tests
from repair.records.functions import edit_scope
from repair.records.plan import Index, index_functions
from repair.records.ports import Submission
from repair.records.task import Baseline
from transforms.mutants.made import changed_old_lines

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class OtherCauses:
    """Tells for one submission which of these tests, which failed before and fail on, speak of another cause."""

    def __init__(self, submission: Submission, tests: Collection[TestId]) -> None:
        baseline, texts = submission.baseline, dict(submission.sources)
        held = files_of_tests(r.test for r in baseline.outcomes)
        paths = [p for p in _lines_of(tests, baseline) if p in texts and not is_test_path(p) and p not in held]
        self._submission = submission
        self._index = index_functions(texts, sorted(paths))
        self._passing = _lines_of(steady_tests(baseline), baseline)
        self._mended = _lines_of(baseline.failing, baseline)

    def describe(self, before: TestResult, after: TestResult) -> str:
        """Why the test fails for another cause; empty where that is not plain.

        An example: ``as it did before, in Cart.total, which the patch leaves alone``.
        """
        failure, submission = failure_of(before), self._submission
        own = span_of(self._index.get(submission.candidate.function.path, ()), submission.candidate.function)
        if own is None or not read_alike(failure, failure_of(after)):
            return ""
        ran = _lines_of([before.test], submission.baseline)
        seen = _Lines(self._index, dict(submission.sources), ran, self._passing, self._mended)
        raised_in = seen.place_of(failure)
        if not seen.runs_as_passing_tests_do(own) or raised_in == own:
            return ""
        if _stands_at(_changed_lines(submission), own, failure):
            return ""
        blamed = seen.find_with_own_lines(own)
        if blamed is not None:
            return f"as it did before, and in {blamed.function.qualname} it alone runs lines that no passing test runs"
        if raised_in is not None and seen.is_apart(raised_in, own, submission):
            return f"as it did before, in {raised_in.function.qualname}, which the patch leaves alone"
        return ""


@dataclass(frozen=True, slots=True)
class _Lines:
    """The functions of the program, by file, and lines that were run in these files.

    ``ran`` are those of the test, ``passing`` those of all passing tests, ``mended`` those of the tests to mend.
    """

    index: Index
    texts: Mapping[str, bytes]
    ran: Mapping[str, AbstractSet[int]]
    passing: Mapping[str, AbstractSet[int]]
    mended: Mapping[str, AbstractSet[int]]

    def runs_as_passing_tests_do(self, own: FunctionSpan) -> bool:
        """Whether each line of the function that the test runs is run by a passing test, too."""
        return not self._lines(self.ran, own) - self._lines(self.passing, own)

    def place_of(self, failure: Failure) -> FunctionSpan | None:
        """The program's function in which the failure was raised; ``None`` where the test itself raised it."""
        raised = telling_exception(failure)
        return self._owner(raised.frames) if raised is not None else None

    def find_with_own_lines(self, own: FunctionSpan) -> FunctionSpan | None:
        """A function of which this failing test alone runs some lines, and passing tests others."""
        for span in self._others(own):
            passing = self._lines(self.passing, span)
            lines = self._lines(self.ran, span) - passing - self._lines(self.mended, span)
            if lines and passing and not self._leads_to(span, own):
                return span
        return None

    def is_apart(self, place: FunctionSpan, own: FunctionSpan, submission: Submission) -> bool:
        """Whether no mended test failed in this place, and the patched function gives nothing to it."""
        if not _gives_nothing(own, submission) or self._leads_to(place, own):
            return False
        mended = [failure_of(r) for r in submission.baseline.outcomes if r.test in submission.baseline.failing]
        return all(self.place_of(other) != place for other in mended)

    def _owner(self, frames: Sequence[Frame]) -> FunctionSpan | None:
        """The function of the innermost frame of the project, where the program has it."""
        innermost = next((frame for frame in reversed(frames) if frame.in_project), None)
        return owner_of_frame(self.index.get(innermost.path, ()), innermost) if innermost else None

    def _others(self, own: FunctionSpan) -> Iterable[FunctionSpan]:
        spans = (span for path in sorted(self.index) for span in self.index[path])
        return (s for s in spans if s != own and not (s.function.path == own.function.path and _is_within(s, own)))

    def _lines(self, ran: Mapping[str, AbstractSet[int]], span: FunctionSpan) -> AbstractSet[int]:
        body = body_lines(span, self.index[span.function.path])
        return body.intersection(ran.get(span.function.path, frozenset()))

    def _leads_to(self, span: FunctionSpan, own: FunctionSpan) -> bool:
        """Whether the function names the patched one, or names what does and is run by the test, or may without a name.

        Without a name an operator is called: ``a + b`` calls ``__add__``.
        """
        if _called_name(own).startswith("__"):
            return True
        named: dict[str, list[FunctionSpan]] = {}
        for other in (other for spans in self.index.values() for other in spans if self._lines(self.ran, other)):
            named.setdefault(_called_name(other), []).append(other)
        waiting, known = [span], {span.function}
        while waiting:
            names = _names_in(waiting.pop(), self.texts)
            if names is None or _called_name(own) in names:
                return True
            reached = [s for name in names for s in named.get(name, ()) if s.function not in known]
            known.update(s.function for s in reached)
            waiting += reached
        return False


def _lines_of(tests: Collection[TestId], baseline: Baseline) -> dict[str, AbstractSet[int]]:
    """The lines that any of the tests ran, by file."""
    wanted = set(tests)
    found: dict[str, set[int]] = {}
    for path, lines in (each for test, files in baseline.traced.line_map if test in wanted for each in files):
        found.setdefault(path, set()).update(lines)
    return dict(found)


def _changed_lines(submission: Submission) -> frozenset[int]:
    candidate = submission.candidate
    old = edit_scope(submission.sources, candidate.function)
    return changed_old_lines(old, edit_scope(submission.whole, candidate.function, candidate.text))


def _stands_at(lines: AbstractSet[int], own: FunctionSpan, failure: Failure) -> bool:
    """Whether a traceback of the failure comes by one of these lines of the function."""
    frames = (frame for raised in failure.exceptions for frame in raised.frames)
    return any(frame.path == own.function.path and frame.line in lines for frame in frames)


def _gives_nothing(own: FunctionSpan, submission: Submission) -> bool:
    """Whether nothing that the function returns can be at fault: it returns nothing, and makes no object."""
    node = _read(submission.candidate.before.decode(own.encoding, "replace"))
    if node is None or own.name.startswith("__"):
        return False
    inner = list(own_nodes(node, _FUNCTIONS))
    returns = any(isinstance(n, ast.Return) and n.value is not None for n in inner)
    return not returns and not any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inner)


def _called_name(span: FunctionSpan) -> str:
    """The name by which a function is called: an initializer has that of its class."""
    return span.parent.rsplit(".", 1)[-1] if span.in_class and span.name in ("__init__", "__new__") else span.name


def _names_in(span: FunctionSpan, texts: Mapping[str, bytes]) -> frozenset[str] | None:
    """All names and attributes in a function; ``None`` where its text cannot be read."""
    node = _read(texts[span.function.path][span.start : span.end].decode(span.encoding, "replace"))
    if node is None:
        return None
    walked = list(ast.walk(node))
    names = {n.id for n in walked if isinstance(n, ast.Name)}
    return frozenset(names | {n.attr for n in walked if isinstance(n, ast.Attribute)})


def _read(text: str) -> FunctionNode | None:
    node = parse_function(textwrap.dedent(text))
    return None if isinstance(node, Unreadable) else node


def _is_within(span: FunctionSpan, own: FunctionSpan) -> bool:
    return own.contains(span.function.first_line) and span.end_line <= own.end_line
