"""One bug opened for making: what its visible tests say, which function the fix changes, and the fix itself."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import RepairError, TargetError
from analysis.facts import BROKEN, Files, FunctionId, Limits, Outcome, TestId, TestRun
from analysis.functions import functions_of, span_of
from corpora.bench.matching import changed_functions
from corpora.bug import Bug, Corpus, Oracle
from repair.front.changes import reader
from repair.observe.complete_runs import complete_run
from repair.records.functions import edit_scope
from repair.records.plan import covering_tests
from repair.records.verdict import WEIGHED_GATES
from repair.trials.layered import LayeredSandbox, lay_over
from sandbox.jail import choose
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from transforms.patch.apply import place as placed
from transforms.tree.scope import EditScope

LIMITS = Limits(wall_seconds=120, test_seconds=10)
MOST_COVERING = 40
"""Passing tests that a likely patch is tried on first; all of them are run in the end."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How to make and judge: the interpreter, the isolation, bounds on time, and how many patches of a kind a bug."""

    python: str = ""
    isolation: str = "auto"
    most: int = 4
    search_seconds: float = 10.0
    suite_seconds: float = 60.0
    inputs: int = 2000
    seed: int = 0
    weighed_alone: bool = False
    """Whether only the gates that weigh are asked: enough to learn weights from patches that are known to pass."""
    second_alone: bool = False
    """Whether a patch is compared with the second opinion and nothing else is asked: how often the two part."""
    answered: bool = False
    """Whether the question of a verdict is put to the fix, and the patch judged again with its answer."""
    model: str = ""
    base_url: str = ""
    replies: str = ""
    """The model that gives second opinions, its endpoint, and the folder that keeps its replies."""

    @property
    def gates(self) -> tuple[str, ...]:
        """The gates that are asked; none named: all."""
        return ("behaviour",) if self.second_alone else WEIGHED_GATES if self.weighed_alone else ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A bug that patches can be made for.

    ``before`` are the tree's texts of the files that the fix changes. ``failing`` and ``passing`` are visible tests as
    they are without a patch; with the fix all of ``required`` pass, and of the hidden ones ``hidden_required``.
    ``reference`` are the files with the fix: its one function alone where the same tests pass so, else as it left them.
    """

    bug: Bug
    oracle: Oracle
    tree: Path
    sandbox: LocalSandbox
    before: Files
    reference: Files
    old: EditScope
    fixed: EditScope
    is_method: bool
    failing: tuple[TestId, ...]
    covering: tuple[TestId, ...]
    required: frozenset[TestId]
    hidden_required: frozenset[TestId]

    @property
    def function(self) -> FunctionId:
        """The function that the fix changes, where it stands in the fixed file."""
        return self.fixed.function


@contextlib.contextmanager
def open_subject(bug: Bug, corpus: Corpus, tree: Path, terms: Terms) -> Iterator[Subject]:
    """The bug, observed. Raises ``TargetError`` where no patch of it can be told right or wrong."""
    corpus.write_tree(bug, tree)
    oracle = corpus.oracle(bug)
    before, function = _one_function(oracle, tree)
    jail = choose(terms.isolation)
    target = open_target(
        str(tree),
        python=terms.python,
        pass_env=bug.environment.pass_env,
        pytest_args=bug.environment.pytest_args,
        environ=os.environ,
        jail=jail,
    )
    selection = bug.suite
    with LocalSandbox(target, jail=jail, selection=selection) as sandbox:
        suite = complete_run(sandbox, (), LIMITS, trace=True)
        if suite.seconds > terms.suite_seconds:
            raise TargetError(f"the suite takes {suite.seconds:.0f} s, more than {terms.suite_seconds:.0f}")
        failing = tuple(r.test for r in suite.results if r.outcome in BROKEN and _is_asked(r.test, bug))
        if not failing:
            raise TargetError("no visible test fails")
        old = edit_scope(before, function)
        reference, required = _fix(sandbox, oracle, old, function)
        lost = next((test for test in failing if test not in required), "")
        if lost:
            raise TargetError(f"the reference does not pass {lost}")
        hidden = _hidden(sandbox, oracle, reference)
        fixed = edit_scope(reference, function)
        span = span_of(functions_of(function.path, dict(before)[function.path]), old.function)
        sound = [r.test for r in suite.results if r.outcome is Outcome.PASSED and r.test in required]
        covering = covering_tests(suite.line_map, sound, span)[:MOST_COVERING] if span else ()
        is_method = bool(span and span.in_class and span.parameters[:1] in (("self",), ("cls",)))
        yield Subject(
            bug, oracle, tree, sandbox, before, reference, old, fixed, is_method, failing, covering, required, hidden
        )


def passed_tests(run: TestRun) -> frozenset[TestId]:
    """The tests that passed."""
    return frozenset(r.test for r in run.results if r.outcome is Outcome.PASSED)


def hidden_passed(subject: Subject, files: Files) -> frozenset[TestId]:
    """What passes with these files when the hidden tests are there too."""
    return _hidden(subject.sandbox, subject.oracle, files)


def _hidden(sandbox: LocalSandbox, oracle: Oracle, files: Files) -> frozenset[TestId]:
    if not oracle.held_out:
        return frozenset()
    layered = LayeredSandbox(sandbox, lay_over(files, oracle.held_out))
    found = passed_tests(complete_run(layered, (), LIMITS))
    further = [TestId(test) for test in oracle.held_out_tests if test not in found]
    return found | passed_tests(complete_run(layered, further, LIMITS)) if further else found


def function_alone(old: EditScope, files: Files, function: FunctionId) -> Files:
    """The old file with nothing but that function as these files have it."""
    return ((function.path, placed(old, edit_scope(files, function).text)),)


def _fix(
    sandbox: LocalSandbox, oracle: Oracle, old: EditScope, function: FunctionId
) -> tuple[Files, frozenset[TestId]]:
    """The fix, with nothing outside its function where that makes no difference to a test; and the tests that pass."""
    whole = passed_tests(complete_run(LayeredSandbox(sandbox, oracle.reference), (), LIMITS))
    alone = function_alone(old, oracle.reference, function)
    if alone == oracle.reference:
        return alone, whole
    with contextlib.suppress(RepairError):  # what the function needs may stand elsewhere: it need not run to its end
        found = passed_tests(complete_run(LayeredSandbox(sandbox, alone), (), LIMITS))
        if whole <= found and _hidden(sandbox, oracle, alone) >= _hidden(sandbox, oracle, oracle.reference):
            return alone, found
    return oracle.reference, whole


def _one_function(oracle: Oracle, tree: Path) -> tuple[Files, FunctionId]:
    """The old texts of what the fix changes, and its one function."""
    if not oracle.reference or oracle.expected:
        raise TargetError("the corpus knows no fix of one function")
    read = reader(tree)
    before = tuple((path, read(path) or b"") for path, _ in oracle.reference)
    old = dict(before)
    spans = [
        span
        for path, text in oracle.reference
        if path.endswith(".py") and old[path] != text
        for span in changed_functions(path, old[path], text)
    ]
    if len(spans) != 1:
        raise TargetError(f"the fix changes {len(spans)} functions")
    return before, spans[0].function


def _is_asked(test: TestId, bug: Bug) -> bool:
    """Whether the test is among those that the bug is stated to fail; all are where it states none."""
    return not bug.failing or any(test == name or test.startswith((f"{name}[", f"{name}::")) for name in bug.failing)
