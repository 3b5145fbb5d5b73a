"""mutmut as it is used: in a tree of its own, on one function; what it said of each mutant, and the mutant's text."""

from __future__ import annotations

import ast
import json
import os
import re
import resource
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from analysis.errors import TargetError
from corpora.lab.benchmarks.cost import Cost

MUTMUT = (
    *("mutmut==3.8.1", "click==8.5.1", "libcst==1.9.0", "pyyaml==6.0.3", "setproctitle==1.3.8", "textual==8.2.8"),
    *("markdown-it-py==4.3.0", "mdit-py-plugins==0.7.0", "linkify-it-py==2.2.0", "mdurl==0.1.2"),
    *("platformdirs==4.14.7", "typing-extensions==4.16.0", "rich==15.0.0"),
)
"""mutmut and all that it needs beside pytest and coverage."""

_WORDS = (
    *(("survived", (0,)), ("killed", (1, 3)), ("no tests", (5, 33)), ("skipped", (34,)), ("suspicious", (35,))),
    *(("timeout", (36, 24, -24, 152, 255)), ("segfault", (-11, -9)), ("interrupted", (2,)), ("not checked", (None,))),
)
STATES: Mapping[int | None, str] = MappingProxyType({code: word for word, codes in _WORDS for code in codes})
"""What mutmut 3.8 means by the exit status of a mutant's run; any other is ``suspicious``."""

_SETTINGS = """
[mutmut]
source_paths={path}
pytest_add_cli_args_test_selection=
{tests}
also_copy=
{copied}
"""
_SECONDS = 1200
_DONE = re.compile(r"(\d+)/\d+ ")
_NONE_MATCHES = "nothing matches"
_MANGLED = re.compile(r"x(?:_|ǁ(.+)ǁ)(.+)__mutmut_\d+")


@dataclass(frozen=True, slots=True)
class Subject:
    """One function of a tree, or without a name all of the file, and the tests that both sides are given."""

    path: str
    qualname: str
    tests: tuple[str, ...]

    @property
    def module(self) -> str:
        """The dotted name under which mutmut lists the file."""
        parts = PurePosixPath(self.path).with_suffix("").parts
        return ".".join(parts[1:] if parts[0] in ("src", "source") else parts)

    @property
    def mangled(self) -> str:
        """How mutmut calls the function's copies, less their numbers; empty for a whole file."""
        if not self.qualname:
            return ""
        owner, _, name = self.qualname.rpartition(".")
        return f"xǁ{owner}ǁ{name}__mutmut_" if owner else f"x_{name}__mutmut_"

    @property
    def names(self) -> str:
        """All mutants of the function, as mutmut is asked for them."""
        return f"{self.module}.{self.mangled}"


@dataclass(frozen=True, slots=True)
class MutmutMutant:
    """One mutant as mutmut wrote it, under the function's own name, and what became of it."""

    name: str
    qualname: str
    text: str
    state: str


@dataclass(frozen=True, slots=True)
class MutmutRun:
    """One whole run: how many mutants were tried, what that cost, and mutmut's own figure of its speed."""

    tried: int
    cost: Cost
    per_second: float


def settle(root: Path, subject: Subject) -> None:
    """Write mutmut's settings into a fresh tree: one file is mutated, everything is copied."""
    copied = sorted(path.name for path in root.iterdir() if path.name not in ("mutants", "setup.cfg", ".git"))
    lists = {
        "tests": "\n".join(f"    {test}" for test in subject.tests),
        "copied": "\n".join(f"    {n}" for n in copied),
    }
    with (root / "setup.cfg").open("a", encoding="utf-8") as stream:
        stream.write(_SETTINGS.format(path=subject.path, **lists))
    project = root / "pyproject.toml"
    if project.exists() and "[tool.mutmut]" in project.read_text(encoding="utf-8"):
        raise TargetError("The project has settings of mutmut already", where=str(project))


def run_mutmut(root: Path, python: str, names: str, workers: int) -> MutmutRun | None:
    """``mutmut run`` of these names from nothing; ``None`` where it makes no mutant of such a name.

    Raises ``TargetError`` where it does not run.
    """
    words = [python, "-m", "mutmut", "run", "--max-children", str(workers), names]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PYTHON"))}
    before, began = reaped_seconds(), time.monotonic()
    run = subprocess.run(
        words,
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    cost = Cost(time.monotonic() - began, reaped_seconds() - before)
    counts, speed = _DONE.findall(run.stdout), re.findall(r"([\d.]+) mutations/second", run.stdout)
    if _NONE_MATCHES in run.stderr:
        return None
    if run.returncode != 0 or not counts or not speed:
        raise TargetError(f"mutmut does not run: {(run.stderr or run.stdout).strip()[-300:]}", where=str(root))
    return MutmutRun(int(counts[-1]), cost, float(speed[-1]))


def read_mutants(root: Path, subject: Subject) -> tuple[MutmutMutant, ...]:
    """The mutants that a run has left in the tree, in mutmut's order."""
    written = root / "mutants" / subject.path
    meta = json.loads(written.with_name(written.name + ".meta").read_text(encoding="utf-8"))
    return tuple(mutants_in(written.read_text(encoding="utf-8"), meta["exit_code_by_key"], subject))


def mutants_in(code: str, statuses: Mapping[str, int | None], subject: Subject) -> Iterator[MutmutMutant]:
    """The mutants in the file that mutmut wrote, with their states; the function's lines are whole ones.

    Raises ``TargetError`` for a mutant without a state: then the two are not of one run.
    """
    lines = code.splitlines(keepends=True)
    for node in _functions(ast.parse(code)):
        qualname = _mutated_function(node.name)
        if not qualname or subject.qualname not in ("", qualname):
            continue
        key = f"{subject.module}.{node.name}"
        if key not in statuses:
            raise TargetError(f"mutmut says nothing of {key}")
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        text = "".join(lines[first - 1 : node.end_lineno])
        own = text.replace(node.name, qualname.rpartition(".")[2], 1)
        yield MutmutMutant(key, qualname, own, STATES.get(statuses[key], "suspicious"))


def _mutated_function(name: str) -> str:
    """The function that a copy of this name is a mutant of; empty for what is none."""
    found = _MANGLED.fullmatch(name)
    return ".".join(part for part in found.groups() if part) if found else ""


def _functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions of the module and methods of its classes, in order."""
    for node in module.body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield each


def reaped_seconds() -> float:
    """CPU seconds of all children that this process has waited for, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
