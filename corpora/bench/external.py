"""Methods of others: a command that mends a copy of the tree, or patches that were made before.

A command runs with the user's own rights and environment, in a copy of the tree, and ends with all that it started. It
is told of the tests and of nothing else: no corpus, no answer. It leaves a patch, or a changed tree.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import UsageError
from corpora.bench.plan import Job
from corpora.os_errors import explained
from repair.model.agent_command import describe_end, fill_places, run_outside
from repair.records.result import Result, Status
from transforms.patch.diff import as_bytes, unified_diff

LITTER = frozenset({"__pycache__", ".pytest_cache", ".repair", ".git", ".hypothesis", ".venv"})
LARGEST = 1 << 20
"""Larger files are no source: changes of them are passed over."""


@dataclass(frozen=True, slots=True)
class MethodOutput:
    """What a method has left: a patch to judge, or a result where there is none."""

    patch: bytes = b""
    warnings: tuple[str, ...] = ()
    result: Result | None = None


def left_patch(job: Job, tree: Path, scratch: Path, env: Mapping[str, str]) -> MethodOutput:
    """The patch of a configuration from outside for this cell."""
    if not job.configuration.predictions:
        return _command_output(job, tree, scratch, env)
    patches = predictions(Path(job.configuration.predictions)).get(job.bug.id, ())
    patch = patches[job.cell.seed] if job.cell.seed < len(patches) else ""
    if not patch.strip():
        return _no_output("no patch is predicted")
    return MethodOutput(as_bytes(patch))


def predictions(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Patches by the bugs that they are for: JSON lines or a JSON list of ``instance_id`` and ``model_patch``.

    Several for one bug are samples: the first is for seed 0. An object of such objects, by the bugs' ids, does as well.
    """
    with explained("The predictions cannot be read", path, "Check their path.", UsageError):
        text = path.read_text("utf-8", "surrogateescape")
    found: dict[str, list[str]] = {}
    for number, entry in enumerate(_entries(text, path), 1):
        match entry:
            case {"instance_id": str(bug), "model_patch": str() | None as patch}:
                found.setdefault(bug, []).append(patch or "")
            case _:
                raise UsageError(
                    f"Prediction {number} has no instance_id and model_patch",
                    where=str(path),
                    remedy="Write both as strings.",
                )
    return {bug: tuple(patches) for bug, patches in found.items()}


def _entries(text: str, path: Path) -> Iterator[Any]:
    try:
        if text.lstrip().startswith("["):
            yield from json.loads(text)
            return
        with contextlib.suppress(ValueError):
            whole = json.loads(text)
            if isinstance(whole, dict) and "instance_id" not in whole:
                yield from ({"instance_id": bug, **entry} for bug, entry in whole.items() if isinstance(entry, dict))
                return
        yield from (json.loads(line) for line in text.split("\n") if line.strip())  # U+2028 may stand in a text
    except ValueError as problem:
        raise UsageError(
            f"The predictions are not valid JSON: {problem}", where=str(path), remedy="Write one object a line."
        ) from problem


def _command_output(job: Job, tree: Path, scratch: Path, env: Mapping[str, str]) -> MethodOutput:
    copy, patch, tests = scratch / "work", scratch / "left.patch", scratch / "tests.txt"
    shutil.copytree(tree, copy, symlinks=True)
    tests.write_text("".join(f"{test}\n" for test in job.bug.failing), "utf-8")
    places = {
        "tree": str(copy),
        "tests": str(tests),
        "patch": str(patch),
        "python": job.python,
        "function": job.given_function,
        "seed": str(job.seed),
        "seconds": f"{job.configuration.max_seconds:g}",
    }
    argv = [fill_places(word, places) for word in job.configuration.command]
    variables = {**env, **{f"BENCH_{name.upper()}": value for name, value in places.items()}}
    seconds = job.configuration.max_seconds
    with explained("The command cannot be started", shlex.join(argv), "Install it."):
        ended = run_outside(argv, copy, variables, seconds)
    if ended.stopped is not None:
        return _no_output(f"the method's command: {describe_end(ended, seconds)}")
    tail = " ".join(ended.output[-500:].decode("utf-8", "replace").split())
    warnings = (f"the method ended with status {ended.returncode}: {tail}",) if ended.returncode else ()
    left = (patch.read_bytes() if patch.is_file() else b"") or tree_patch(tree, copy)
    return MethodOutput(left, warnings) if left else _no_output("the method left no patch", *warnings)


def tree_patch(before: Path, after: Path) -> bytes:
    """The change from one tree to the other: files that were there before, and new Python files."""
    old, new = _files(before), _files(after)
    added = {path for path in new if path not in old and path.endswith(".py")}
    diffs = (unified_diff(path, old.get(path), new.get(path)) for path in sorted({*old, *added}))
    return as_bytes("".join(diffs))


def _files(root: Path) -> dict[str, bytes]:
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in LITTER]
        for path in (Path(folder, name) for name in names):
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def _no_output(*messages: str) -> MethodOutput:
    return MethodOutput(result=Result(Status.UNREPAIRED, messages=messages))
