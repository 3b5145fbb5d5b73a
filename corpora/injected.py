"""Injected faults as a flat corpus: one tree that all share, and for each bug the one file that differs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import TargetError, UsageError
from corpora.inject import Injected
from corpora.loaders.flat import LITTER, SETTINGS, SHARED

BASE = "__base"


def refuse_taken(out: Path, source: Path) -> None:
    """Raise where the corpus would lie among other files, or in the project itself."""
    if out.resolve().is_relative_to(source.resolve()):
        raise UsageError(
            "The corpus would lie in the project", where=str(out), remedy="Name another folder with --out."
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("There is something already", where=str(out), remedy="Name a new folder with --out.")


def write_injected(out: Path, source: Path, bugs: Sequence[Injected], tests: Sequence[str] = ()) -> tuple[str, ...]:
    """Write the corpus; gives the ids of its bugs. ``tests`` is the selection that counts as the suite."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, out / BASE, symlinks=True, ignore=shutil.ignore_patterns(*LITTER, ".venv", "venv"))
        shared = [f"base = {json.dumps(BASE)}", "", "[provenance]", f"project = {json.dumps(source.name)}"]
        shared += ['kind = "injected"', "", "[environment]", f"tests = {json.dumps(list(tests))}"]
        (out / SHARED).write_text("\n".join(shared) + "\n", encoding="utf-8")
        return tuple(_write(out, source, bug) for bug in bugs)
    except OSError as problem:
        raise TargetError(
            f"The corpus cannot be written: {problem.strerror}",
            where=str(out),
            remedy="Make room, and delete it.",
        ) from problem


def _write(out: Path, source: Path, bug: Injected) -> str:
    fault, path, qualname = bug.fault, bug.fault.function.path, bug.fault.function.qualname
    name = f"{re.sub(r'[^a-z0-9]+', '-', qualname.lower()).strip('-')[:40]}-{fault.digest[:8]}"
    for folder, content in (("tree", fault.content), ("reference", (source / path).read_bytes())):
        place = out / name / folder / path
        place.parent.mkdir(parents=True)
        place.write_bytes(content)
    function = json.dumps(f"{path}:{qualname}")
    lines = [f"failing = {json.dumps(list(bug.failing))}", f"function = {function}", f"group = {function}"]
    lines += ["", "[provenance]"]
    done = f"{'+'.join(fault.kinds)}: {fault.label}"
    lines.append(f"source = {json.dumps(done)}")
    (out / name / SETTINGS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name
