"""What a command works with: its surroundings, its merged options, and the store of its project.

Modules of this folder import click, the standard library and our errors when they are loaded. The rest they import
inside the commands, so that ``repair --version`` and completion are quick.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import UsageError
from repair.commands.paths import find_root
from repair.commands.signals import end_with_reader, hold_signals
from repair.show.terminal import tell, write_out

if TYPE_CHECKING:  # for types alone: pydantic is not imported before a command runs
    from repair.records.config import Options
    from repair.records.events import Event, Listener
    from repair.store.store import RunStore
    from repair.trials.run_time import RunTime


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a command gets from outside: the engine, the environment, the current folder, and when it was started."""

    api: Any
    env: Mapping[str, str]
    cwd: Path
    started: float

    def engine(self) -> Any:
        """The engine that was handed in, else ours."""
        if self.api is not None:
            return self.api
        from repair import api

        return api


def options_of(surroundings: CommandContext, given: Mapping[str, Any], *, anywhere: bool = False) -> Options:
    """The merged options of a command. What click fills in for options that were not given is left out.

    Without ``anywhere`` a folder that is no project is a ``UsageError``.
    """
    from repair.records.config import describe_file_settings, load_options

    named = {key: value for key, value in given.items() if value is not None and value is not False and value != ()}
    root = find_root(surroundings.cwd, named.pop("root", None), anywhere=anywhere)
    verbosity = named.pop("verbose", 0) - named.pop("quiet", 0)
    off = {switch: False for switch in ("progress", "cache", "old_answers") if named.pop(f"no_{switch}", False)}
    cli = {**named, "verbosity": verbosity or None, **off}
    if str(cli.get("task", "")).startswith("@"):
        try:
            cli["task"] = (surroundings.cwd / cli["task"][1:]).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise UsageError(
                f"The task cannot be read: {problem}", where="--task", remedy="Name a UTF-8 text file."
            ) from problem
    for path in ("state_dir", "coverage_file"):
        if path in cli:
            cli[path] = str(surroundings.cwd / cli[path])
    options = load_options(root, cli, surroundings.env)
    said = describe_file_settings(options)
    if said:
        tell(f"repair: {said}")
    return options


def store_of(options: Options) -> RunStore:
    """The project's store, after an apply that an earlier process left half done was put right."""
    from repair.store.journal import recover
    from repair.store.store import open_store
    from repair.store.takeover import announce_earlier_runs

    store = open_store(options.root, options.state_dir)
    with hold_signals():
        said = recover(store, Path(options.root))
    for sentence in filter(None, (said, announce_earlier_runs(store))):
        tell(f"repair: {sentence}")
    return store


@contextlib.contextmanager
def watch(surroundings: CommandContext, options: Options) -> Iterator[tuple[Listener, RunTime]]:
    """Who listens to a run, and its time: progress goes to stderr and, where lines are asked for, events to stdout.

    Raises ``OutOfTimeError`` where the time is up before there was a run that could tell what it knows.
    """
    from repair.show.output import event_line
    from repair.show.progress import progress
    from repair.trials.run_time import limit_time

    with contextlib.closing(progress(options, sys.stderr)) as shown:

        def listen(happened: Event) -> None:
            shown.show(happened)
            if options.output_format == "jsonl":
                write_out(event_line(happened))

        read = end_with_reader() if options.output_format == "jsonl" else contextlib.nullcontext()
        with read, limit_time(surroundings.started, options.max_seconds) as timing:
            yield listen, timing
