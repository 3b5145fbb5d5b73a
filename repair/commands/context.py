"""What every command shares: where its options come from, the options themselves, and the run's ends.

Modules of this folder import click and the standard library when they are loaded, and the rest inside the commands, so
that ``repair --version`` and completion are quick.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from repair.show.terminal import tell

if TYPE_CHECKING:  # for types alone: pydantic is not imported before a command runs
    from repair.records.config import Options
    from repair.store.store import RunStore

Command = TypeVar("Command", bound=Callable[..., Any])

ISOLATIONS = ("auto", "bwrap", "docker", "podman", "landlock", "landlock-only", "none")
FORMATS = ("text", "diff", "json", "jsonl", "github", "sarif")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals by which somebody ends a command."""

MARKERS = ("pyproject.toml", "repair.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini")
"""Files that make a folder a project. No ``.git``: a home under version control is not one."""

EXIT_CODES = """\b
Exit codes:
  0    accepted: certified (or plausible with --accept plausible)
  1    ran, nothing accepted
  2    usage or configuration
  3    the target cannot be tested
  4    model backend
  5    nothing fails
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

EXPLAIN_EXIT_CODES = EXIT_CODES.replace(
    """\
  0    accepted: certified (or plausible with --accept plausible)
  1    ran, nothing accepted
""",
    """\
  0    diagnosed
  1    ran, and no function can be at fault: the answer says why
""",
)

PLAIN_EXIT_CODES = """\b
Exit codes:
  0    done
  1    refused: a file is no longer what the run read
  2    usage or configuration, or no such run
  3    the project cannot be read or written
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

TESTS_EXIT_CODES = """\b
Exit codes:
  0    no finding that counts
  1    findings that count
  2    usage or configuration
  3    the target cannot be tested
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

DOCTOR_EXIT_CODES = """\b
Exit codes:
  0    the main job can run here
  2    usage or configuration
  3    the main job cannot run here: the answer says what is missing
  70   a defect of repair
"""


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


def several(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[str, ...]:
    """Repeated options, each of which may hold several names separated by commas."""
    return tuple(name.strip() for text in value for name in text.split(",") if name.strip())


def project_options(command: Command) -> Command:
    """Options of every command that works in a project."""
    return _with(
        command,
        click.option(
            "--root",
            type=click.Path(),
            help="The project [default: the nearest folder, here or above, with a pyproject.toml or the like]",
        ),
        click.option(
            "--state-dir",
            metavar="DIR",
            help="Where runs are recorded, outside of the project [default: your own state directory]",
        ),
        click.option("--debug", is_flag=True, help="Show tracebacks"),
    )


def suite_options(command: Command) -> Command:
    """Options that say which tests run and how."""
    return _with(
        command,
        click.option("--python", metavar="PATH", help="The target's interpreter [default: the project's .venv]"),
        click.option(
            "--tests",
            multiple=True,
            metavar="SELECTION",
            help="Files, folders or node ids that are the suite, where not all of it counts",
        ),
        click.option(
            "--pass-env",
            multiple=True,
            callback=several,
            metavar="NAME",
            help="Variables that the tests need; the others are cleared",
        ),
        click.option(
            "--isolation",
            type=click.Choice(ISOLATIONS),
            help="How the tests are confined [default: auto, the strongest that holds here]",
        ),
        click.option(
            "--isolation-image",
            metavar="NAME",
            help="Run in this image of podman's or docker's, with the Python in it [default: this machine's own]",
        ),
        click.option("--max-seconds", type=float, metavar="N", help="Time for the run [default: 120]"),
        click.option("--seed", type=int, metavar="N", help="Seed of everything random [default: 0]"),
    )


def target_options(command: Command) -> Command:
    """Options that say what is mended or judged, and how it is tested."""
    return _with(
        command,
        suite_options,
        click.option("--function", metavar="QUALNAME", help="Where the fault is, if known: NAME or PATH:NAME"),
        click.option(
            "--task", metavar="TEXT|@FILE", help="The original task or bug report, for the model and the record"
        ),
        click.option("--jobs", type=int, metavar="N", help="Processes at once [default: the cores]"),
        click.option("--lf", is_flag=True, help="Take the tests of pytest's last-failed list"),
        click.option("--allow-no-failure", is_flag=True, help="Exit 0 when nothing fails"),
    )


def judging_options(command: Command) -> Command:
    """Options that say what is good enough."""
    return _with(
        command,
        click.option(
            "--gates",
            type=click.Choice(("standard", "strict")),
            help="How much evidence; strict runs more tests, mutants and inputs [default: standard]",
        ),
        click.option(
            "--accept",
            type=click.Choice(("certified", "plausible")),
            help="What is good enough for exit status 0 and --apply [default: certified]",
        ),
        click.option(
            "--answer",
            "answers",
            multiple=True,
            metavar="'CALL == VALUE'",
            help="What the program should do, as a person says: counts as a test (also 'CALL raises EXCEPTION')",
        ),
        click.option(
            "--allow-module-imports", is_flag=True, help="An import that a fix needs may go to the top of its module"
        ),
    )


def output_options(command: Command) -> Command:
    """Options that say how things look."""
    return _with(
        command,
        click.option("--output-format", type=click.Choice(FORMATS), help="What stdout gets [default: text]"),
        click.option("--json", "output_format", flag_value="json", help="Short for --output-format json"),
        click.option("-q", "--quiet", count=True, help="Say less; the text output is the diff alone"),
        click.option("-v", "--verbose", count=True, help="Say more"),
        click.option("--no-progress", is_flag=True, help="No live line"),
        click.option("--color", type=click.Choice(("auto", "always", "never")), help="Colour [default: auto]"),
    )


def options_of(surroundings: CommandContext, given: Mapping[str, Any], *, anywhere: bool = False) -> Options:
    """The merged options of a command. What click fills in for options that were not given is left out.

    Without ``anywhere`` a folder that is no project is a ``UsageError``.
    """
    from repair.records.config import load_options, set_by_file

    named = {key: value for key, value in given.items() if value is not None and value is not False and value != ()}
    root = find_root(surroundings.cwd, named.pop("root", None), anywhere=anywhere)
    verbosity = named.pop("verbose", 0) - named.pop("quiet", 0)
    off = {switch: False for switch in ("progress", "cache") if named.pop(f"no_{switch}", False)}
    cli = {**named, "verbosity": verbosity or None, **off}
    if str(cli.get("task", "")).startswith("@"):
        cli["task"] = _task_text(surroundings.cwd, cli["task"][1:])
    if "state_dir" in cli:
        cli["state_dir"] = str(surroundings.cwd / cli["state_dir"])
    options = load_options(root, cli, surroundings.env)
    said = set_by_file(options)
    if said:
        tell(f"repair: {said}")
    return options


def store_of(options: Options) -> RunStore:
    """The project's store, after an apply that an earlier process left half done was put right."""
    from repair.store.journal import recover
    from repair.store.store import open_store
    from repair.store.takeover import unspoken

    store = open_store(options.root, options.state_dir)
    with undisturbed():
        said = recover(store, Path(options.root))
    for sentence in filter(None, (said, unspoken(store))):
        tell(f"repair: {sentence}")
    return store


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Files of the project change, which takes milliseconds: what is begun ends and is told, whatever signal comes.

    So that "no project file was changed" is true wherever it is said. A child, as git with its hooks, gets the signal:
    it ends, and the files are put back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # No SIG_IGN: a program that we start, such as git, would ignore the signal as well.
    heard = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, _hand_on)) for number in heard]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _hand_on(number: int, _frame: object) -> None:
    """Send the signal to all children, theirs included: a hook may be what takes long."""
    waiting = [os.getpid()]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
            waiting += map(int, words)
        if parent != os.getpid():
            with contextlib.suppress(OSError):
                os.kill(parent, number)


def find_root(cwd: Path, named: str | None, *, anywhere: bool = False) -> Path:
    """The project: the folder named, else the nearest one around with a project file, else the current one."""
    from analysis.errors import UsageError

    if named is not None:
        root = Path(os.path.abspath(cwd / named))
        if not root.is_dir():
            raise UsageError(
                "The root is not a directory", where=str(root), remedy="Name the project's folder with --root."
            )
        return root
    around = (folder for folder in (cwd, *cwd.parents) if any((folder / name).is_file() for name in MARKERS))
    root = next(around, cwd)
    if root == cwd and not anywhere and not _looks_like_a_project(cwd):
        raise UsageError("No Python project here", where=str(cwd), remedy="Go to its folder, or name it with --root.")
    return root


def node_ids(surroundings: CommandContext, root: str, given: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The node ids relative to the root, and what follows ``--``, which is pytest's.

    Raises ``UsageError`` for a file that does not exist; whether a test exists, only its collection tells.
    """
    from analysis.errors import UsageError

    first = next((n for n, word in enumerate(given) if word.startswith("-")), len(given))
    tests = []
    for word in given[:first]:
        file, separator, rest = word.partition("::")
        found = _relative(surroundings, root, file)
        if found is None:
            raise UsageError(
                f"No file {file!r}, so no test {word!r}", where=root, remedy="Give node ids as pytest prints them."
            )
        tests.append(found + separator + rest)
    return tuple(tests), tuple(given[first:])


def paths_within(
    surroundings: CommandContext, root: str, given: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and folders relative to the root, and what follows ``--``, which is pytest's."""
    from analysis.errors import UsageError

    first = next((n for n, word in enumerate(given) if word.startswith("-")), len(given))
    paths = []
    for word in given[:first]:
        found = _relative(surroundings, root, word)
        if found is None:
            raise UsageError(
                f"There is no {word!r}", where=root, remedy="Name files or folders of the program or of its tests."
            )
        paths.append(found)
    return tuple(paths), tuple(given[first:])


def _relative(surroundings: CommandContext, root: str, file: str) -> str | None:
    """The path relative to the root, as seen from where the command was typed; ``None`` where nothing is there."""
    from analysis.errors import UsageError

    folders = (surroundings.cwd, Path(root))
    if Path(root) not in (surroundings.cwd, *surroundings.cwd.parents):
        folders = (Path(root), surroundings.cwd)  # a root that was named from elsewhere
    found = next((folder / file for folder in folders if (folder / file).exists()), None)
    if found is None:
        return None
    relative = os.path.relpath(os.path.realpath(found), os.path.realpath(root))
    if relative.startswith(".."):
        raise UsageError(f"{file} lies outside the project", where=root, remedy="Name its project with --root.")
    return relative


def _looks_like_a_project(folder: Path) -> bool:
    if any((folder / name).is_file() for name in MARKERS):
        return True
    return any(next(folder.glob(pattern), None) for pattern in ("*.py", "*/*.py", "src/*/*.py"))


def _task_text(cwd: Path, name: str) -> str:
    from analysis.errors import UsageError

    try:
        return (cwd / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"The task cannot be read: {problem}", where="--task", remedy="Name a UTF-8 text file."
        ) from problem


def _with(command: Command, *decorators: Callable[[Command], Command]) -> Command:
    return functools.reduce(lambda inner, decorator: decorator(inner), reversed(decorators), command)
