"""The commands over what earlier runs have shown: ``memory`` and what stands under it, and ``siblings``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, store_of
from repair.commands.exit_codes import PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.records.json_records import to_plain
from repair.show.terminal import write_text

if TYPE_CHECKING:
    from repair.records.memory_report import MemoryReport
    from repair.store.store import RunStore
    from repair.store.stored_run import StoredRun


@command(
    "Show what is remembered of earlier runs",
    PLAIN_EXIT_CODES,
    "repair memory",
    "repair memory latest",
    "repair memory --all --json",
)
@click.argument("run", required=False)
@click.option("--all", "of_all", is_flag=True, help="Of all your projects [default: of this one]")
@project_command
def memory(surroundings: CommandContext, /, run: str | None, of_all: bool, **given: Any) -> int:
    """Show what earlier runs have shown: by class of failure how many were mended, and by which edits.

    With RUN (its id, the start of it, or the word latest): why its search tried edits in the order that it did. The
    memory orders what is tried, and has no say in a verdict. It holds no text of your programs.
    """
    from repair.front.run_memories import report_memory
    from repair.show.memory_output import memory_text
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    store = store_of(options)
    report = _why(store.load_run(run)) if run is not None else report_memory(store, of_all=of_all)
    if options.output_format == "json":
        write_json(report.to_json())
    else:
        write_text(memory_text(report, options.verbosity))
    return 0


@command(
    "Forget what earlier runs have shown",
    PLAIN_EXIT_CODES,
    "repair memory forget",
    "repair memory forget --older 180",
    name="memory forget",
)
@click.option("--all", "everything", is_flag=True, help="What all of your projects have shown")
@click.option("--answers", is_flag=True, help="Only what people said that functions of this project should do")
@click.option("--older", type=click.IntRange(0), metavar="DAYS", help="Only what is older than so many days")
@project_command
def forget(surroundings: CommandContext, /, everything: bool, answers: bool, older: int | None, **given: Any) -> int:
    """Forget what earlier runs of this project have shown. Recorded runs stay, and no verdict changes."""
    from repair.front.run_memories import forget_attempts, forget_learned
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    store = store_of(options)
    if answers:
        return _forget_answers(store, options.output_format, is_alone=not everything and older is None)
    gone = forget_attempts(store, everything=everything, older=older)
    learned = older is None and forget_learned(store)
    if options.output_format == "json":
        write_json({"schema": "repair.forgotten/1", "attempts": gone, "learned": learned})
    else:
        write_text(f"Forgotten: {gone} attempts{', and what the history taught' if learned else ''}\n")
    return 0


@command(
    "Learn words and templates from the project's history",
    PLAIN_EXIT_CODES,
    "repair memory learn",
    "repair memory learn --git . --json",
    name="memory learn",
)
@click.option("--git", "folder", metavar="FOLDER", help="A folder of this project's repository [default: the project]")
@project_command
def learn(surroundings: CommandContext, /, folder: str | None, **given: Any) -> int:
    """Learn from the project's commits what they put into functions, and which small edits mended something.

    It is kept beside the project's runs, in your state directory. `repair fix --proposer search --proposer memory`
    tries it. Learning again replaces what was learned before.
    """
    from pathlib import Path

    from repair.front.run_memories import learn_history_of
    from repair.show.memory_output import learned_text
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    store = store_of(options)
    learned = learn_history_of(store, Path(folder).absolute() if folder else store.root)
    if options.output_format == "json":
        write_json({"schema": "repair.learned/1", **to_plain(learned)})
    else:
        write_text(f"{learned_text(learned)}\n")
    return 0


@command(
    "Write what is remembered of the project as JSON",
    PLAIN_EXIT_CODES,
    "repair memory export > memory.json",
    "repair memory export --no-code > memory.json",
    name="memory export",
)
@click.option("--no-code", is_flag=True, help="Leave out what its history taught: that is text of the program")
@project_command
def export(surroundings: CommandContext, /, no_code: bool, **given: Any) -> int:
    """Write what earlier runs of this project have shown, and what its history taught, as one JSON value.

    It can be imported on another machine. What people said (`--answer`) is not in it.
    """
    from repair.front.run_memories import export_memory
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    write_json(export_memory(store_of(options), code=not no_code).to_json())
    return 0


@command(
    "Take in an exported memory as this project's own",
    PLAIN_EXIT_CODES,
    "repair memory import memory.json",
    "repair memory import ~/memory.json --root other",
    name="memory import",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@project_command
def import_(surroundings: CommandContext, /, file: str, **given: Any) -> int:
    """Take in a memory that `repair memory export` wrote. Import only what you wrote yourself, or trust.

    Its attempts stand beside those of this project, each once. What its history taught replaces what was learned.
    """
    from pathlib import Path

    from repair.front.run_memories import import_memory
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    taken = import_memory(store_of(options), Path(file))
    if options.output_format == "json":
        write_json({"schema": "repair.imported/1", "attempts": taken})
    else:
        write_text(f"Imported: {taken} attempts\n")
    return 0


@command(
    "List other places with a flaw that was mended",
    PLAIN_EXIT_CODES,
    "repair siblings latest",
    "repair siblings 20250102-120000-ab12cd --json",
)
@click.argument("run")
@project_command
def siblings(surroundings: CommandContext, /, run: str, **given: Any) -> int:
    """List where the program has the same code that the patch of RUN takes away, but for local names.

    It is a list to read: nothing is tried, and no file is changed.
    """
    from pathlib import Path

    from repair.front.changes import report_siblings
    from repair.show.memory_output import siblings_text
    from repair.show.terminal import write_json

    options = options_of(surroundings, given)
    store = store_of(options)
    stored = store.latest_fix() if run == "latest" else store.load_run(run)
    report = report_siblings(stored, Path(options.root))
    if options.output_format == "json":
        write_json(report.to_json())
    else:
        write_text(siblings_text(report))
    return 0


def _forget_answers(store: RunStore, output_format: str, *, is_alone: bool) -> int:
    from repair.front.run_memories import forget_kept_answers
    from repair.show.terminal import write_json

    if not is_alone:
        raise UsageError(
            "Answers are forgotten all at once, and of this project alone",
            where="--answers",
            remedy="Leave --all and --older out.",
        )
    gone = forget_kept_answers(store)
    if output_format == "json":
        write_json({"schema": "repair.forgotten/1", "answers": gone})
    else:
        write_text(f"Forgotten: {gone} answers\n")
    return 0


def _why(run: StoredRun) -> MemoryReport:
    """What the run took from the memory, by the events of its record."""
    from repair.records.memory_report import MemoryReport, WhyThisOrder

    told = [each for each in run.events() if each.get("type") == "memory"]
    why = (WhyThisOrder(str(each.get("function", "")), str(each.get("message", ""))) for each in told)
    return MemoryReport(run=run.id, why=tuple(why))
