"""Whether the changes of ``corpora.lab.agent_diffs`` are what they are said to be.

``python -m corpora.lab.agent_claims`` says which are not. It runs the suite before and after each change. The input of
a wrong one is tried in the tree that it made.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from corpora.lab.agent_diffs import LIBRARIES, AgentDiff, AgentLibrary, agent_diffs, apply_diff, lay_session
from corpora.source_package import case_cache

SUITE_SECONDS = 120.0
"""A suite that takes longer is ended, and counts as failing."""

_ASK = """
import ast, contextlib, io, json, sys
def end_of(text):
    asked = ast.parse(text)
    last = asked.body.pop()
    names = {}
    exec(compile(asked, "input", "exec"), names)
    if isinstance(last, ast.Expr):
        return repr(eval(compile(ast.Expression(last.value), "input", "eval"), names))
    exec(compile(ast.Module([last], []), "input", "exec"), names)
    return "None"
ends = []
for text in json.load(sys.stdin):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            ends.append(end_of(text))
    except Exception as problem:
        ends.append("raises " + type(problem).__name__)
print(json.dumps(ends))
"""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """How a run of plain pytest ended; ``passed`` says that every test did."""

    passed: bool
    seconds: float
    said: str = ""


def run_suite(root: Path, python: str) -> SuiteRun:
    """The whole suite by plain pytest."""
    began = time.monotonic()
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(words, cwd=root, capture_output=True, check=False, timeout=SUITE_SECONDS)
    except subprocess.TimeoutExpired:
        return SuiteRun(passed=False, seconds=SUITE_SECONDS, said="it did not end")
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return SuiteRun(done.returncode == 0, time.monotonic() - began, lines[-1] if lines else "it said nothing")


def value_of(root: Path, python: str, asked: str) -> str:
    """What the last expression of these statements gives in the tree: its repr, or ``raises NAME``."""
    return next(iter(values_of(root, python, [asked])), "")


def values_of(root: Path, python: str, asked: Sequence[str], seconds: float = SUITE_SECONDS) -> list[str]:
    """The same of several, each with names of its own, in one process; nothing where that fails or takes longer."""
    try:
        done = subprocess.run(
            [python, "-c", _ASK],
            cwd=root,
            input=json.dumps(asked).encode(),
            capture_output=True,
            check=True,
            timeout=seconds,
            env={"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"},
        )
    except (subprocess.SubprocessError, OSError):
        return []
    return [str(end) for end in json.loads(done.stdout)]


def false_claims(library: AgentLibrary, diff: AgentDiff, root: Path, cache: Path) -> Iterator[str]:
    """What is not as the change's place and its file say. The tree is made at ``root``."""
    python = lay_session(library, diff, root, cache)
    before = run_suite(root, python)
    if diff.kind == "right" and before.passed:
        yield "nothing fails before it"
    if bool(diff.start) == before.passed:
        yield f"the session begins with: {before.said}"
    apply_diff(root, diff.change)
    after = run_suite(root, python)
    if not after.passed:
        yield f"the suite fails with it: {after.said}"
    if bool(diff.wanted) != (diff.kind == "wrong"):
        yield "a wrong change has a wanted value, and no other has"
    if diff.wanted and value_of(root, python, diff.input) == diff.wanted:
        yield "its input gives what is wanted"


@click.command()
@click.option("--only", default="", help="Changes whose names (LIBRARY/KIND/NAME) hold this.")
def main(only: str) -> None:
    """Run the suites, and print every claim that is false."""
    wrong = 0
    for library in LIBRARIES:
        for diff in (each for each in agent_diffs(library.name) if only in str(each)):
            with tempfile.TemporaryDirectory() as place:
                for claim in false_claims(library, diff, Path(place, "tree"), case_cache()):
                    wrong += 1
                    click.echo(f"{diff}: {claim}")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
