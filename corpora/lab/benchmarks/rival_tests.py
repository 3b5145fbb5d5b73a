"""Tests that others generate for the same functions: Hypothesis's ghostwriter, and Pynguin."""

from __future__ import annotations

import ast
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

GHOST = (
    *("hypothesis==6.170.17", "sortedcontainers==2.4.0", "attrs==26.1.0", "black==25.12.0", "click==8.5.1"),
    *("mypy-extensions==1.2.0", "pathspec==1.1.1", "platformdirs==4.14.8", "pytokens==0.4.1"),
)
"""What `hypothesis write` needs beside pytest."""

PYNGUIN = (
    *("pynguin==0.43.0", "asciitree==0.3.3", "astroid==3.3.11", "black==25.12.0", "bytecode==0.16.2", "click==8.5.1"),
    *("dill==0.3.9", "docstring-parser==0.18.0", "iniconfig==2.3.1", "Jinja2==3.1.6", "libcst==1.9.0"),
    *("markdown-it-py==4.3.0", "MarkupSafe==3.0.4", "mdurl==0.1.2", "multiprocess==0.70.17", "mypy-extensions==1.2.0"),
    *("networkx==3.6.1", "packaging==26.4", "pathspec==1.1.1", "platformdirs==4.14.8", "pluggy==1.7.0"),
    *("psutil==7.2.2", "Pygments==2.21.0", "pytest==8.4.2", "pytokens==0.4.1", "PyYAML==6.0.4", "rich==14.3.4"),
    *("simple-parsing==0.1.9", "toml==0.10.2", "typing-inspect==0.9.0", "typing-extensions==4.16.0"),
)
"""Pynguin, in an environment of its own."""


@dataclass(frozen=True, slots=True)
class RivalFile:
    """A file of tests that a rival made, what that took, and why there is none."""

    text: str = ""
    seconds: float = 0.0
    problem: str = ""

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of its test functions."""
        return tuple(node.name for node in _tests(self.text))

    @property
    def lines(self) -> int:
        """Lines of its test functions, decorators included."""
        spans = ((node.end_lineno or 0) - _first(node) + 1 for node in _tests(self.text))
        return sum(spans)


def _tests(text: str) -> list[ast.FunctionDef]:
    tree = ast.parse(text) if text else ast.Module([], [])
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]


def _first(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def lines_of_tests(text: str) -> list[int]:
    """How many lines each test function of a file has."""
    return [(node.end_lineno or 0) - _first(node) + 1 for node in _tests(text)]


def write_ghost(python: str, sources: Path, module: str, function: str) -> RivalFile:
    """What `hypothesis write` makes of one function."""
    return _run([str(Path(python).with_name("hypothesis")), "write", f"{module}.{function}"], sources, 120.0)


def write_pynguin(python: str, sources: Path, module: str, seconds: int, seed: int) -> RivalFile:
    """What Pynguin makes of a module in that time."""
    with tempfile.TemporaryDirectory() as folder:
        words = [python, "-m", "pynguin", "--project-path", str(sources), "--module-name", module]
        words += ["--output-path", folder, "--maximum-search-time", str(seconds), "--seed", str(seed)]
        found = _run(words, sources, 3.0 * seconds + 120.0)
        made = sorted(Path(folder).rglob("test_*.py"))
        if not made:
            return RivalFile("", found.seconds, found.problem or "it wrote no file")
        return RivalFile(made[0].read_text("utf-8"), found.seconds)


def _run(words: Sequence[str], folder: Path, seconds: float) -> RivalFile:
    env = {**os.environ, "PYTHONPATH": str(folder), "PYNGUIN_DANGER_AWARE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    began = time.monotonic()
    try:
        run = subprocess.run(
            words, cwd=folder, env=env, capture_output=True, text=True, timeout=seconds, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        return RivalFile(problem=f"there is no {words[0]}")
    except subprocess.TimeoutExpired:
        return RivalFile("", time.monotonic() - began, f"it did not end within {seconds:.0f} s")
    took = time.monotonic() - began
    if run.returncode != 0:
        said = (run.stderr or run.stdout).strip().splitlines()
        return RivalFile("", took, said[-1][:200] if said else f"exit status {run.returncode}")
    return RivalFile(run.stdout, took, "" if run.stdout.strip() else "it wrote nothing")
