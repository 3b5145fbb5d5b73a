"""What the command line and an embedding host call: one function a command, a result each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import UnparseableError, UsageError
from analysis.facts import TestId
from repair.engine.checking import Checker
from repair.engine.engine import UNJUDGED, trust_tests
from repair.front.composition import RunContext, open_run
from repair.front.trust import is_ours
from repair.observe.parsing import check_sources
from repair.records.change import Change, program_layer
from repair.records.config import Options, refuse_changed_settings
from repair.records.events import Listener
from repair.records.outcome import RunOutcome
from repair.records.result import Result, Status
from repair.store.certificate import certified_change, compare_verdicts, restore_options, seed_of, tests_of
from repair.store.git import change_since, is_ancestor, is_known
from repair.store.stored_run import StoredRun
from repair.trials.layered import LayeredSandbox
from repair.trials.run_time import RunTime
from transforms.patch.diff import parse_change

if TYPE_CHECKING:
    from repair.records.tests_report import TestsReport


def fix(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Result:
    """Mend one function so that the failing tests pass; changes no file of the project.

    The time of this run, as of each below, counts from the call, or as ``timing`` says.
    """
    with open_run(options, listen, env, timing) as context:

        def work() -> RunOutcome:
            task = context.task(tests)
            base, demanded = context.add_answers(context.sandbox, task.tests)
            named = tuple(dict.fromkeys((*task.tests, *demanded))) if task.tests else ()
            return context.engine(base).fix(replace(task, tests=named))

        return context.finish(context.in_time(work))


def fix_by_tests(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], *, at_random: bool = False
) -> Result:
    """What a repair that trusts its tests would answer, for comparisons only: at most ``plausible``.

    Of the candidates that pass all tests the most promising comes first, or with ``at_random`` one drawn by the seed.
    """
    with open_run(options, listen, env) as context:
        engine = trust_tests(context.engine(context.sandbox), options.seed if at_random else None)
        ending = context.in_time(lambda: engine.fix(context.task(tests)))
        return context.finish(replace(ending, warnings=(*ending.warnings, UNJUDGED)))


def explain(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Result:
    """Diagnose the failing tests: class, constraints, suspects, and the plan that a fix would be held to."""
    with open_run(options, listen, env, timing) as context:
        engine = context.engine(context.sandbox)
        return context.finish(context.in_time(lambda: engine.explain(context.task(tests))))


def check(
    patch: bytes | None,
    since: str | None,
    tests: Sequence[str],
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,
) -> Result:
    """Judge a change from anywhere: a unified diff, or what the working tree changed since a revision."""
    with open_run(options, listen, env, timing) as context:
        root, read = Path(context.target.root), reader(Path(context.target.root))
        change = change_since(root, since) if since is not None else change_of(patch or b"", read)
        if since is None and not (_is_in_place(change, read) and is_known(root, change.before)):
            context.refuse_stranger("A patch from elsewhere")
        if since is not None and not is_ancestor(root, since):
            context.refuse_stranger(f"The program of {since}, which is no ancestor of this commit,")
        _refuse_unsafe(change)
        refuse_changed_settings(change.before, change.after, read)
        wanted = context.task(tests).tests
        ending = context.in_time(lambda: _judge_change(context, change, wanted, options.seed))
        if ending.status is Status.CERTIFIED and _is_in_place(change, read):
            ending = replace(ending, next_action="commit it: the working tree holds this change already")
        return context.finish(ending)


def replay(
    run: StoredRun, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Result:
    """Prove a run's certificate again, without a model."""
    written = run.certificate()
    if written is None:
        raise UsageError(f"Run {run.id} holds no certificate", remedy="Only runs that judged a patch can be replayed.")
    with open_run(restore_options(written, options, is_foreign=run.is_foreign), listen, env, timing) as context:
        read = reader(Path(context.target.root))
        change = certified_change(written, read, run.content)
        if not (_is_in_place(change, read) or (not run.is_foreign and is_ours(run.result()))):
            context.refuse_stranger("A recorded patch of a model or from elsewhere")
        _refuse_unsafe(change)
        ending = context.in_time(lambda: _judge_change(context, change, tests_of(written), seed_of(written)))
        if ending.status is Status.UNREPAIRED:  # no word of a judge: its time was up
            return context.finish(ending)
        status, message = compare_verdicts(written, ending.status)
        return context.finish(replace(ending, status=status, messages=(*ending.messages, message)))


def _judge_change(context: RunContext, change: Change, tests: Sequence[TestId], seed: int) -> RunOutcome:
    """The change judged against the program without it, a person's answers among the tests of both."""
    base, demanded = context.add_answers(LayeredSandbox(context.sandbox, program_layer(change)), tests)
    return Checker(context.engine(base), change, demanded).check(tests, seed)


def tests(
    paths: Sequence[str],
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,  # noqa: PT028 - no test, but a command
) -> TestsReport:
    """How good the project's tests are; ``paths`` restrict what is told. Writes nothing."""
    # With what reads coverage data, it takes an eighth of the time in which this module is imported.
    from repair.survey.survey import survey  # noqa: PLC0415

    return survey(paths, options, listen, env, timing)


def change_of(patch: bytes, read: Callable[[str], bytes | None]) -> Change:
    """The change that a unified diff makes to the working tree, or has made to it where it is applied already."""
    try:
        return Change(*parse_change(patch, read))
    except UsageError as refused:
        try:
            now, before = parse_change(patch, read, backward=True)
        except UsageError:
            raise refused from None
        return Change(before, now)


def _is_in_place(change: Change, read: Callable[[str], bytes | None]) -> bool:
    """Whether the working tree is as it is after the change."""
    after = dict(change.after)
    return all(read(path) == after.get(path) for path, _ in (*change.before, *change.after))


def reader(root: Path) -> Callable[[str], bytes | None]:
    """Reads files below the root; ``None`` for what is not there."""

    def read(path: str) -> bytes | None:
        found = root / path
        return found.read_bytes() if found.is_file() and not found.is_symlink() else None

    return read


def _refuse_unsafe(change: Change) -> None:
    """Raise where a changed Python file cannot be parsed safely: nothing in it could be judged."""
    python = [(path, content) for path, content in (*change.before, *change.after) if path.endswith(".py")]
    problems = check_sources(python)
    if problems:
        first = problems[0]
        raise UnparseableError(f"{first.path} cannot be parsed: {first.detail}", remedy="Mend the syntax first.")
