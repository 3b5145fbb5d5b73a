"""The commands that run tests: fix, explain, check, replay."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import OutOfTimeError, RepairError, TargetError, UsageError
from repair.commands.context import CommandContext, options_of, store_of, watch
from repair.commands.exit_codes import EXPLAIN_EXIT_CODES, JUDGING_EXIT_CODES, command
from repair.commands.options import (
    ISOLATIONS,
    endpoint_options,
    judging_options,
    project_command,
    proposer_options,
    target_options,
)
from repair.commands.paths import read_words
from repair.commands.reachable import as_next_action, find_reach, make_reachable
from repair.commands.signals import hold_signals
from repair.show.terminal import write_out

if TYPE_CHECKING:
    from repair.records.config import Options
    from repair.records.result import Result


@command(
    "Mend the function behind failing tests",
    JUDGING_EXIT_CODES,
    "repair fix tests/test_size.py::test_bytes",
    "repair fix --lf --output-format diff | git apply",
)
@click.argument("nodeids", nargs=-1)
@click.option("--apply", is_flag=True, help="Write an accepted patch into the project; `repair undo` takes it out")
@click.option("--commit", is_flag=True, help="Apply, and commit exactly the patched files")
@click.option("--alternatives", type=int, metavar="N", help="Show so many runners-up, and where they part [default: 0]")
@click.option("--show-packet", is_flag=True, help="Print what a model would be told, and ask nothing (-v: all stages)")
@proposer_options
@judging_options
@target_options
@project_command
def fix(surroundings: CommandContext, /, nodeids: tuple[str, ...], show_packet: bool, **given: Any) -> int:
    """Mend the function behind failing tests, and say why to trust the patch.

    Without NODEIDs the whole suite is run to find failures. With --lf the tests of pytest's last-failed list are taken,
    with --open-tests those that the checklist of earlier runs has open.
    No project file changes unless --apply is given. What follows -- goes to pytest.
    """
    options, tests = _prepare(surroundings, nodeids, given)
    if show_packet:
        return _show_packet(surroundings, options, tests)

    with contextlib.ExitStack() as until_told:

        def run(*asked: Any) -> Result:
            result: Result = surroundings.engine().fix(tests, *asked)
            if not (options.apply or options.commit):
                return result
            until_told.enter_context(hold_signals())
            return _apply(result, options)

        return _answer(surroundings, options, run)


def _show_packet(surroundings: CommandContext, options: Options, tests: tuple[str, ...]) -> int:
    """The packet on stdout and 0; where there is nothing to mend, the result as ``fix`` tells it."""
    with watch(surroundings, options) as (listen, timing):
        text, result = surroundings.engine().show_packet(tests, options, listen, surroundings.env, timing)
    if not text:
        return _answer(surroundings, options, lambda *asked: result)
    write_out(f"{text}\n")
    return 0


@command(
    "Diagnose failing tests: class, suspects, plan",
    EXPLAIN_EXIT_CODES,
    "repair explain tests/test_size.py::test_bytes",
    "repair explain --lf --json",
)
@click.argument("nodeids", nargs=-1)
@target_options
@project_command
def explain(surroundings: CommandContext, /, nodeids: tuple[str, ...], **given: Any) -> int:
    """Diagnose failing tests: class, constraints, suspects, and the plan that a fix would be held to."""
    options, tests = _prepare(surroundings, nodeids, given)
    flags = [flag for flag, is_given in (("--lf", options.lf), ("--open-tests", options.open_tests)) if is_given]
    again = shlex.join(["repair", "fix", *nodeids, *flags])

    def run(*asked: Any) -> Result:
        result: Result = surroundings.engine().explain(tests, *asked)
        return dataclasses.replace(result, next_action=again) if result.next_action == "repair fix" else result

    return _answer(surroundings, options, run)


@command(
    "Judge a change from anywhere",
    JUDGING_EXIT_CODES,
    "repair check fix.diff tests/test_size.py::test_bytes",
    "repair check --since HEAD",
)
@click.argument("patch", required=False)
@click.argument("nodeids", nargs=-1)
@click.option("--since", metavar="REV", help="Judge what the working tree changed since this revision")
@endpoint_options
@judging_options
@target_options
@project_command
def check(
    surroundings: CommandContext, /, patch: str | None, nodeids: tuple[str, ...], since: str | None, **given: Any
) -> int:
    """Judge a change from anywhere by the evidence that our own patches are held to.

    PATCH is a unified diff (a file, or - for standard input). With --since there is no PATCH, and all arguments are
    node ids. Without NODEIDs: the tests that the change turned green, and those that cover it.
    A model that is named with --model mends the old function without seeing PATCH, and the two are compared.
    """
    if since is not None and patch is not None:
        nodeids, patch = (patch, *nodeids), None
    if since is None and patch is None:
        raise UsageError("There is nothing to check", remedy="Give a unified diff (a file or -), or --since REV.")
    options, tests = _prepare(surroundings, nodeids, given)

    def run(*asked: Any) -> Result:
        # Within the time of the run: whoever is to write it may never come to an end.
        content = None if patch is None else _read_patch(surroundings.cwd, patch)
        result: Result = surroundings.engine().check(content, since, tests, *asked)
        return result

    return _answer(surroundings, options, run)


@command(
    "Prove a recorded run's certificate again",
    JUDGING_EXIT_CODES,
    "repair replay latest",
    "repair replay 20250102-120000-ab12cd --json",
    "repair replay latest --model",
)
@click.argument("run")
@click.option("--python", metavar="PATH", help="The target's interpreter [default: that of the run]")
@click.option("--isolation", type=click.Choice(ISOLATIONS), help="How the tests are confined [default: auto]")
@click.option("--isolation-image", metavar="NAME", help="Run in this image [default: the recorded one]")
@click.option("--cause", type=click.IntRange(1), metavar="N", help="Of several causes this one [default: all]")
@click.option("--model", "with_model", is_flag=True, help="Mend again with the recorded replies of the run's model")
@project_command
def replay(surroundings: CommandContext, /, run: str, cause: int | None, with_model: bool, **given: Any) -> int:
    """Prove a recorded run's certificate again, without model or network.

    Of several causes each certificate is proved on the program of the patches that it stands on. With --model the whole
    repair is done again: its model's replies are those of the record, byte for byte.
    """
    options = options_of(surroundings, given)
    stored, of = store_of(options).load_run(run), {"cause": cause} if cause else {}
    if with_model:
        if cause:
            raise UsageError("--model does the whole run again", where="--cause", remedy="Give one of the two.")
        return _answer(surroundings, options, functools.partial(surroundings.engine().replay_model, stored))
    return _answer(surroundings, options, functools.partial(surroundings.engine().replay, stored, **of))


@command(
    "Go on with a run that was ended",
    JUDGING_EXIT_CODES,
    "repair resume latest",
    "repair resume 20250102-120000-ab12cd --max-seconds 600",
)
@click.argument("run")
@click.option("--max-seconds", type=float, metavar="N", help="The time it gets now [default: that of the run]")
@click.option("--agent", metavar="COMMAND", help="The agent of the run, whose command is not recorded")
@project_command
def resume(surroundings: CommandContext, /, run: str, max_seconds: float | None, **given: Any) -> int:
    """Go on with a run that was killed, interrupted, or ended by its time: RUN is its id, the start of it, or latest.

    It is asked again what it was asked, as a new run that names it. What a model has replied is not asked again, and
    edits that were tried are not tried again. A project whose Python files have changed since is refused.
    """
    from repair.front.asked_runs import asked_to_go_on

    options = options_of(surroundings, given)
    if max_seconds is not None and not max_seconds > 0:
        raise UsageError("--max-seconds takes a number of seconds above 0", where="--max-seconds", remedy="Give more.")
    stored = store_of(options).load_run(run)
    asked = asked_to_go_on(stored, options, max_seconds)
    return _answer(surroundings, asked.options, functools.partial(surroundings.engine().resume, stored, asked))


def _prepare(
    surroundings: CommandContext, nodeids: tuple[str, ...], given: dict[str, Any]
) -> tuple[Options, tuple[str, ...]]:
    """Options and node ids, with the project's state put right first."""
    options = options_of(surroundings, given)
    tests, pytest_args = read_words(surroundings.cwd, options.root, nodeids, as_tests=True)
    if pytest_args:
        options = dataclasses.replace(options, pytest_args=(*options.pytest_args, *pytest_args))
    with contextlib.suppress(TargetError):  # where no record can be kept, nothing is left half done
        store_of(options)
    return options, tests


def _answer(surroundings: CommandContext, options: Options, run: Callable[..., Result]) -> int:
    """Run with progress on stderr, put the result on stdout, return the exit status.

    ``run`` gets the options, the listener, the environment and the time, as each function of the engine does.
    """
    from repair.records.result import Result, Status, exit_code
    from repair.show.output import write_result

    try:
        with watch(surroundings, options) as (listen, timing):
            result = run(options, listen, surroundings.env, timing)
    except OutOfTimeError as late:
        result = Result(
            Status.UNREPAIRED, root=options.root, messages=(f"{late.found}.",), next_action=as_next_action(late.remedy)
        )
    reach = find_reach(surroundings, options)
    result = dataclasses.replace(result, next_action=make_reachable(result.next_action, reach))
    write_result(result, options, reach)
    return exit_code(result.status, options.accept, allow_no_failure=options.allow_no_failure)


def _apply(result: Result, options: Options) -> Result:
    """The result after its patch was applied; a refusal becomes its status, so that the patch is not lost."""
    from repair.records.result import Status
    from repair.store.apply import apply_run

    if not result.accepted(options.accept):
        return result
    try:
        store = store_of(options)
        stored, stack = store.load_run(result.run), result.accepted_stack(options.accept)
        applied = apply_run(
            store,
            stored,
            Path(options.root),
            stack=stack,
            commit=options.commit,
            require_approval=options.require_approval,
        )
    except (RepairError, OSError) as problem:
        said = f"Not applied: {problem}"
        status = Status(problem.status) if isinstance(problem, RepairError) else Status.ENVIRONMENT
        return dataclasses.replace(result, status=status, messages=(*result.messages, said))
    where = f"Committed as {applied.commit[:12]}" if applied.commit else "Applied"
    said = f"{where}: {', '.join(applied.files)}."
    return dataclasses.replace(
        result,
        messages=(*result.messages, said),
        warnings=(*result.warnings, *applied.warnings),
        next_action=f"repair undo {applied.run}",
    )


def _read_patch(cwd: Path, name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return (cwd / name).read_bytes()
    except OSError as problem:
        raise UsageError(
            f"The patch cannot be read: {problem.strerror}",
            where=name,
            remedy="Give a unified diff (a file or -), or --since REV.",
        ) from problem
