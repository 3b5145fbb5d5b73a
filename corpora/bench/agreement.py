"""Whether a patch does what the reference does: on tests that its author did not see, and on generated inputs.

The engine is not asked, and nothing here is told to it. Three roads lead to an answer, the cheapest first. They are the
same tree; tests that the reference passes; and the same deeds on copies of recorded calls and on inputs like them.
Where the reference itself ends in an exception that nobody wrote, its behaviour says nothing of what was meant. Such a
difference is left to a person.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Outcome, TestId
from corpora.bench.matching import Match, changed_functions, match
from corpora.bug import Bug, Oracle
from repair.compare.comparing import RECORDED, Versions, constants, signature
from repair.compare.inputs import generate
from repair.records.functions import as_trial, edit_scope
from repair.records.ports import Sandbox, TrialSession
from repair.records.witness_text import describe_witness

MOST_TESTS = 200
"""How many tests the calls are recorded from, those that failed first."""


class Standing(enum.StrEnum):
    """How a patch stands to the reference."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNDECIDABLE = "undecidable"  # a person has to say
    NO_REFERENCE = "no_reference"


@dataclass(frozen=True, slots=True)
class Agreement:
    """The answer and what it rests on. ``held_out`` and ``inputs`` are counts.

    ``by`` is tree, tests, functions, inputs or person.
    """

    standing: Standing
    by: str = ""
    witness: str = ""
    detail: str = ""
    exact: bool = False
    tree: bool = False
    held_out: int = 0
    inputs: int = 0


@dataclass(frozen=True, slots=True)
class Patched:
    """A patch as files: the texts before and after of all that it or a reference changes."""

    before: Files
    after: Files


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look: bounds on each run, the seed, and how many inputs to generate."""

    limits: Limits
    seed: int
    inputs: int = 2000


def agreement(sandbox: Sandbox, bug: Bug, oracle: Oracle, patched: Patched, effort: Effort) -> Agreement:
    """Compare the patch with every reference; one that it agrees with is enough."""
    references = tuple(files for files in (oracle.reference, *oracle.alternatives) if files)
    if not references and not oracle.held_out_tests:
        return Agreement(Standing.NO_REFERENCE)
    matches = [match(patched.after, files, patched.before) for files in references]
    near = Match(any(m.exact for m in matches), any(m.tree for m in matches))
    if near.tree:
        return Agreement(Standing.AGREES, "tree", exact=near.exact, tree=True)
    tested = _on_tests(sandbox, bug, oracle, patched, effort.limits)
    if not isinstance(tested, tuple):
        return tested
    held_out = sum(test in oracle.held_out_tests for test in tested)
    order = (Standing.AGREES, Standing.UNDECIDABLE, Standing.DIFFERS)
    every = [_on_inputs(sandbox, files, patched, _recorded_from(bug, tested), effort) for files in references]
    best = min(every, key=lambda found: order.index(found.standing), default=_tests_alone(held_out))
    if best.standing is Standing.UNDECIDABLE and held_out and best.by == "inputs" and not best.witness:
        best = _tests_alone(held_out)
    return replace(best, held_out=held_out)


def _tests_alone(held_out: int) -> Agreement:
    if held_out:
        return Agreement(Standing.AGREES, "tests", detail="no input could be compared")
    return Agreement(Standing.UNDECIDABLE, "tests", detail="no held-out test and no input says anything")


def _on_tests(
    sandbox: Sandbox, bug: Bug, oracle: Oracle, patched: Patched, limits: Limits
) -> Agreement | tuple[TestId, ...]:
    """The tests that reference and patch pass, else where the patch fails one that the reference passes."""
    wanted = _passing_tests(sandbox, bug, oracle, oracle.reference, limits) if oracle.reference else ()
    if isinstance(wanted, InvalidRun):
        return Agreement(Standing.UNDECIDABLE, "tests", detail=f"the reference cannot be tested: {wanted.detail}")
    mine = _passing_tests(sandbox, bug, oracle, patched.after, limits)
    if isinstance(mine, InvalidRun):
        return Agreement(Standing.DIFFERS, "tests", witness=f"the patched program cannot be tested: {mine.detail}")
    required = wanted if oracle.reference else tuple(TestId(test) for test in oracle.held_out_tests)
    failed = sorted(set(required) - set(mine))
    if failed:
        hidden = "held-out test" if failed[0] in oracle.held_out_tests else "test"
        return Agreement(Standing.DIFFERS, "tests", witness=f"{hidden} {failed[0]} fails", held_out=len(required))
    return mine


def _passing_tests(
    sandbox: Sandbox, bug: Bug, oracle: Oracle, files: Files, limits: Limits
) -> InvalidRun | tuple[TestId, ...]:
    """What passes with these files laid over the tree: of the suite, and of the held-out tests."""
    hidden = tuple(TestId(test) for test in oracle.held_out_tests)
    overlay = tuple(sorted({**dict(files), **dict(oracle.held_out)}.items()))
    if bug.passing is not None:
        rounds = [tuple(TestId(test) for test in (*bug.failing, *bug.passing)) + hidden]
    else:  # everything, and where a selection leaves the held-out tests out, those too
        rounds = [(), hidden] if bug.environment.tests and hidden else [()]
    passed: dict[TestId, None] = {}
    for tests in rounds:
        run = sandbox.run(tests, overlay, limits=limits)
        if isinstance(run, InvalidRun):
            return run
        passed.update((result.test, None) for result in run.results if result.outcome is Outcome.PASSED)
    return tuple(passed)


def _recorded_from(bug: Bug, passing: Sequence[TestId]) -> tuple[TestId, ...]:
    """The failing tests, then the others of the same files; all where no failing test is known."""
    homes = {test.partition("::")[0] for test in bug.failing}
    near = [test for test in passing if not homes or test.partition("::")[0] in homes]
    return tuple(sorted(near, key=lambda test: test not in bug.failing)[:MOST_TESTS])


def _on_inputs(
    sandbox: Sandbox, reference: Files, patched: Patched, tests: Sequence[TestId], effort: Effort
) -> Agreement:
    """Run the reference's function and the patch's on copies of the same arguments."""
    mine, theirs = (_one_function(patched.before, files) for files in (patched.after, reference))
    if mine is None or theirs is None or (mine.path, mine.qualname) != (theirs.path, theirs.qualname):
        return Agreement(Standing.UNDECIDABLE, "functions", detail="patch and reference change other functions")
    session = sandbox.warm(list(tests), reference, limits=effort.limits)
    if isinstance(session, InvalidRun):
        return Agreement(Standing.UNDECIDABLE, "inputs", detail=f"no input was compared: {session.detail}")
    try:
        return _compare_functions(session, (mine, theirs), (patched.after, reference), effort)
    except UnparseableError as problem:
        return Agreement(Standing.UNDECIDABLE, "inputs", detail=f"no input was compared: {problem}")
    finally:
        session.close()


def _compare_functions(
    session: TrialSession, functions: tuple[FunctionId, FunctionId], files: tuple[Files, Files], effort: Effort
) -> Agreement:
    """Patch and reference, in this order, on recorded calls and inputs like them; the server runs the reference."""
    old, new = (edit_scope(texts, function) for texts, function in zip(files, functions, strict=True))
    both = Versions(old, new, as_trial(new, new.text, "reference"), as_trial(new, old.text, "patch"))
    calls = session.questions_about(new.function).record(new.function, RECORDED * 4).seen
    inputs = generate(calls, effort.inputs, effort.seed, constants(both), signature(both))
    found = session.questions_about(new.function).compare(both.mine, [], inputs, both.before, both.old_lines)
    tried, departures = found.tried, found.old.departures
    differing = departures or ((found.old.first,) if found.old.first is not None else ())
    meant = [difference for difference in differing if not difference.is_accident]
    standing, detail = Standing.UNDECIDABLE, ""
    if meant:
        standing = Standing.DIFFERS
    elif departures:
        detail = f"on {len(departures)} inputs the reference ends in an exception that nobody wrote"
    elif not found.old.is_known:
        detail = "no call of the patch came to an end that could be compared"
    elif not tried.is_exercised:
        detail = f"only {tried.touching} inputs reached what differs"
    else:
        standing = Standing.AGREES
    witness = "".join(f"reference: {describe_witness(seen)}" for seen in (*meant, *departures)[:1])
    return Agreement(standing, "inputs", witness, detail, inputs=tried.inputs)


def _one_function(before: Files, after: Files) -> FunctionId | None:
    """The only function that a change touches, else ``None``."""
    old = dict(before)
    changed = [
        span.function
        for path, text in after
        if path.endswith(".py") and old.get(path) != text
        for span in changed_functions(path, old.get(path, b""), text)
    ]
    return changed[0] if len(changed) == 1 else None
