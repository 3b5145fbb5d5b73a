"""The ``repair`` command: its group of commands, and the one edge where exceptions become sentences and exit codes."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import RepairError
from repair.commands import (
    agents,
    fix_and_check,
    grow_command,
    hook,
    machine,
    make_command,
    memory_command,
    record,
    report,
    spec_command,
    tests_command,
)
from repair.commands.context import CommandContext
from repair.commands.options import FORMATS
from repair.commands.review import command as review_command
from repair.commands.signals import handle_signals
from repair.show.terminal import tell, write_out

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OWN = (
    fix_and_check.fix,
    fix_and_check.explain,
    fix_and_check.check,
    tests_command.tests,
    grow_command.grow,
    grow_command.heal,
    spec_command.scan,
    spec_command.check,
    spec_command.trace,
    make_command.make,
    record.show,
    record.diff,
    report.report,
    record.runs,
    record.apply,
    record.undo,
    review_command.review,
    memory_command.memory,
    memory_command.forget,
    memory_command.learn,
    memory_command.export,
    memory_command.import_,
    memory_command.siblings,
    fix_and_check.replay,
    fix_and_check.resume,
    machine.doctor,
    machine.schema,
    machine.help_word,
    hook.hook,
    agents.agent,
    agents.init,
    agents.mcp,
    agents.lsp,
)
JOINED = "repair.commands"
"""Entry-point group through which upper floors add their commands without being imported from here."""


class Commands(click.Group):
    """Our commands, and those that installed packages add; the latter are loaded when they are asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Our commands in reading order, then the joined ones."""
        return [*self.commands, *sorted({point.name for point in _find_joined()} - self.commands.keys())]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of that name."""
        if name in self.commands:
            return self.commands[name]
        loaded: click.Command | None = next((point.load() for point in _find_joined() if point.name == name), None)
        return loaded

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, or a usage error that suggests the nearest name."""
        import difflib

        if (words := " ".join(args[:2])) in self.commands and len(args) > 1:
            return words, self.commands[words], args[2:]
        if args and self.get_command(context, args[0]) is None and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], self.list_commands(context), n=1)
            advice = f"Did you mean {close[0]!r}?" if close else "`repair --help` lists them."
            raise click.UsageError(f"No such command {args[0]!r}. {advice}", context)
        return super().resolve_command(context, args)


@click.group(
    cls=Commands,
    commands=OWN,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  repair fix tests/test_size.py::test_bytes
  repair check --since HEAD

Options can also stand in [tool.repair] of pyproject.toml or in the environment (REPAIR_MAX_SECONDS=60).
Each command's --help tells its exit codes.""",
)
@click.version_option(
    package_name="repair-engine", prog_name="repair", message="%(prog)s %(version)s", help="Show the version"
)
def group() -> None:
    """A fix with evidence that its author could not have written."""


class Terminated(BaseException):
    """A signal asks us to end; its number is the argument. No ``Exception``: nothing but the edge may stop it."""


def main(
    argv: Sequence[str] | None = None,
    *,
    api: Any = None,
    env: Mapping[str, str] | None = None,
    started: float | None = None,
) -> int:
    """Run one command and return its exit status. ``api`` stands in for the engine in tests.

    The time of the run counts from ``started`` on the monotonic clock, or from the call.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    began = time.monotonic() if started is None else started
    surroundings = CommandContext(api, dict(os.environ if env is None else env), _current_folder(), began)
    try:
        with _heed_termination():
            status = _run(arguments, surroundings)
        sys.stdout.flush()
    except OSError as problem:
        # Whoever read our output has left, or nothing can be written. Python would complain once more at exit.
        for stream in (sys.stdout, sys.stderr):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return 128 + signal.SIGPIPE if isinstance(problem, BrokenPipeError) else 3
    return status


def _current_folder() -> Path:
    """Where we are; where that folder was deleted, what it was called."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        os.chdir("/")
        return Path(os.environ.get("PWD", "/"))


def _run(arguments: list[str], surroundings: CommandContext) -> int:
    """The command's exit status, whatever happens in it."""
    asked = _guess_format(arguments, surroundings.env)
    try:
        with group.make_context("repair", arguments or ["--help"], obj=surroundings) as context:
            return int(group.invoke(context) or 0)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as problem:
        failed = getattr(problem, "ctx", None)
        hint = f"See `{failed.command_path if failed is not None else 'repair'} --help`."
        return _tell("usage", f"{problem.format_message()} {hint}", asked, 2)
    except RepairError as problem:
        _trace(arguments, surroundings.env)
        return _tell(problem.status, str(problem), asked, problem.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _tell("interrupted", "Interrupted; no project file was changed.", asked, 130)
    except Terminated as ended:
        return _tell("interrupted", "Terminated; no project file was changed.", asked, 128 + int(ended.args[0]))
    except BrokenPipeError:
        raise
    except Exception as problem:  # noqa: BLE001 - the edge: a defect of ours becomes one line
        _trace(arguments, surroundings.env)
        if isinstance(problem, OSError) and problem.errno in _REFUSALS:
            place = f" ({problem.filename})" if problem.filename else ""
            said = f"The system refuses: {problem.strerror}{place}. Mend that and run again; nothing was lost."
            return _tell("environment", said, asked, 3)
        said = (
            f"A defect of repair: {type(problem).__name__}: {problem}. Run again with --debug and report the traceback."
        )
        return _tell("error", said, asked, 70)


_REFUSALS = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM),
    *(errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM),
)
"""What a machine may refuse at any time, and no defect of ours."""


def _tell(status: str, sentence: str, asked: str, code: int) -> int:
    """Say what ended the command on stderr, and as a result on stdout where a program reads it."""
    line = " ".join(sentence.split())
    tell(f"repair: {line}")
    if asked not in ("text", "diff"):
        from repair.records.result import Result, Status
        from repair.show.output import format_result

        write_out(format_result(Result(Status(status), messages=(line,)), asked))
    return code


def _trace(arguments: Sequence[str], env: Mapping[str, str]) -> None:
    if "--debug" in arguments or env.get("REPAIR_DEBUG", "0") not in ("", "0", "false", "no", "off"):
        import traceback

        tell(traceback.format_exc())


def _guess_format(arguments: Sequence[str], env: Mapping[str, str]) -> str:
    """The output format as far as it can be told before the arguments are understood."""
    found = env.get("REPAIR_OUTPUT_FORMAT", "text")
    for number, word in enumerate(arguments):
        if word == "--json":
            found = "json"
        elif word.startswith("--output-format="):
            found = word.partition("=")[2]
        elif word == "--output-format" and number + 1 < len(arguments):
            found = arguments[number + 1]
    return found if found in FORMATS else "text"


def _find_joined() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=JOINED))


def _heed_termination() -> contextlib.AbstractContextManager[None]:
    """Turn SIGTERM, and the SIGHUP of a terminal that is closed, into an exception: what runs is stopped and cleaned
    up on the way out."""

    def stop(number: int, _frame: object) -> None:
        raise Terminated(number)

    # A SIGHUP that is ignored stays so: that is what nohup does.
    hears_hangup = signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    return handle_signals((signal.SIGTERM, signal.SIGHUP) if hears_hangup else (signal.SIGTERM,), stop)
