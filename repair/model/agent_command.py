"""An agent's command: what it is started with, how long it may run, and its end, with all that it has started.

It runs with the user's rights, outside of all walls. Our own settings and ``REPAIR_API_KEY`` are not handed to it. A
key under a name of somebody else's (``OPENAI_API_KEY``) is: agents work with it, too.
"""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from analysis.errors import UsageError
from analysis.facts import Limits, RunFault
from repair.records.secret_names import is_secret
from sandbox.process import Command, Finished, channel, run

MOST_OUTPUT = 16 << 20
"""Bytes that an agent may print; one that prints more is ended."""

KEPT_OUTPUT = 2_000
"""Characters of its last words that are recorded."""

LEAST_SECRET = 6
"""Characters from which on the value of a variable is taken for a secret."""

UNWANTED = "it was ended, since nobody waited for it any more"

OURS, MARK = "REPAIR_", "AGENT_RUN"


@dataclass(frozen=True, slots=True)
class AgentEnd:
    """How an agent ended. ``trouble`` is a clause on what went wrong, empty where nothing did; ``said`` is its tail."""

    trouble: str
    said: str
    seconds: float


@dataclass(frozen=True, slots=True)
class AgentCommand:
    """A command as it was named, with its program found. ``env`` is the user's environment."""

    words: tuple[str, ...]
    env: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """The program's own name."""
        return os.path.basename(self.words[0])

    @property
    def warning(self) -> str:
        """What there is to mind of it."""
        return (
            f"the agent {self.name} runs outside of all walls, in a copy of the project, with your rights and keys: "
            "what it does elsewhere, and what of the project it runs, is not seen here"
        )

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """Values that nobody else may see."""
        found = {value for name, value in self.env if is_secret(name) and len(value) >= LEAST_SECRET}
        return tuple(sorted((os.fsencode(value) for value in found), key=len, reverse=True))

    def run(self, brief: Path, tree: Path, seconds: float, unwanted: Callable[[], bool] | None = None) -> AgentEnd:
        """Let it work in the tree for so long at most, and as long as it is not ``unwanted``.

        Nothing of it is left running, as far as can be told.
        """
        places = {"brief": str(brief), "tree": str(tree), "seconds": f"{seconds:.0f}"}
        words = tuple(fill_places(word, places) for word in self.words)
        env = {name: value for name, value in self.env if not name.startswith(OURS)}
        env |= {f"AGENT_{name.upper()}": value for name, value in places.items()}
        try:
            ended = run_outside(words, tree, env, seconds, brief.read_bytes(), self.secrets, unwanted)
        except OSError as problem:
            return AgentEnd(f"it could not be started: {problem.strerror}", "", 0.0)
        said = ended.output.decode("utf-8", "replace")[-KEPT_OUTPUT:]
        late = ended.stopped is not None and unwanted is not None and unwanted()
        return AgentEnd(UNWANTED if late else describe_end(ended, seconds), said, ended.seconds)


def run_outside(
    words: Sequence[str],
    folder: Path,
    env: Mapping[str, str],
    seconds: float,
    given: bytes = b"",
    hidden: Sequence[bytes] = (),
    unwanted: Callable[[], bool] | None = None,
) -> Finished:
    """Run a program of the user's in a folder, outside of all walls, for so long at most; then end all that it started.

    It reads what is ``given``; what is ``hidden`` is blotted out of its words. Raises ``OSError`` where none starts.
    """
    number = secrets.token_hex(8)
    limits = Limits(wall_seconds=seconds, test_seconds=seconds, output_bytes=MOST_OUTPUT)
    own = (*env.items(), (MARK, number))
    command = Command(tuple(words), str(folder), own, f"{MARK}={number}", tuple(hidden), given=given)
    with channel() as ends:
        return run(command, limits, ends, monotonic() + seconds, unwanted)


def describe_end(ended: Finished, seconds: float) -> str:
    """A clause on what went wrong with a program that had so many seconds; empty where nothing did."""
    if ended.stopped is RunFault.TIMEOUT:
        return f"it was ended after {seconds:g} s"
    if ended.stopped is not None:
        return f"it was ended, since it printed more than {MOST_OUTPUT >> 20} MiB"
    return f"it ended with status {ended.returncode}" if ended.returncode else ""


def fill_places(word: str, places: Mapping[str, str]) -> str:
    """The word with ``{tree}`` and the like filled in; other braces are the command's own."""
    for name, value in places.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def agent_command(text: str, env: Mapping[str, str]) -> AgentCommand:
    """The command that a user named. Raises ``UsageError`` where there is none, or no such program."""
    try:
        program, *words = shlex.split(text)
    except ValueError as problem:
        said = "names no program" if not text.strip() else f"cannot be read: {problem}"
        raise UsageError(f"The agent's command {said}", where=text, remedy="Write it as in a shell.") from problem
    found = shutil.which(program, path=env.get("PATH"))
    if found is None:
        raise UsageError("The agent's command is not there", where=program, remedy="Install it, or write its path.")
    return AgentCommand((os.path.abspath(found), *words), tuple(sorted(env.items())))
