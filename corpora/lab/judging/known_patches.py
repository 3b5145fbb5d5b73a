"""Patches that people wrote for a bug: right and wrong ones beside its tree, verified before they count.

A bug's folder of a flat corpus may hold ``patches/right/NAME.diff`` and ``patches/wrong/NAME.diff``. A right one passes
all visible and hidden tests. A wrong one passes all visible tests and fails a hidden one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from analysis.errors import RepairError
from corpora.bug import Bug, Corpus
from corpora.lab.judging.ground_truth import run_tests
from corpora.lab.judging.records import Material, Patch, Place
from corpora.lab.judging.subjects import Subject, Terms, open_subject
from repair.front.changes import change_of, reader
from sandbox.scratch import scratch_folder

WRITTEN = "written"
"""How such patches were made."""


def read_known(folder: Path, bug: Bug, corpus: Corpus, place: Place, terms: Terms) -> Material:
    """The patches beside the bug that are as they are said to be, or why there are none."""
    started = time.monotonic()
    dropped: Counter[str] = Counter()
    try:
        with scratch_folder() as scratch, open_subject(bug, corpus, scratch / "tree", terms) as subject:
            patches = tuple(_read_patches(folder / bug.id / "patches", subject, place, dropped))
            failing = subject.failing
    except (RepairError, OSError) as problem:
        return Material(place, reason=str(problem), seconds=round(time.monotonic() - started, 3))
    reason = "" if patches else "no patch lies beside it, or none is as it is said to be"
    return Material(place, failing, patches, dict(dropped), reason, round(time.monotonic() - started, 3))


def _read_patches(folder: Path, subject: Subject, place: Place, dropped: Counter[str]) -> Iterator[Patch]:
    for path in sorted(folder.glob("*/*.diff")):
        right = path.parent.name == "right"
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        try:
            change = change_of(text.encode("utf-8", "surrogateescape"), reader(subject.tree))
        except RepairError as problem:
            dropped[f"{path.stem}: {problem}"] += 1
            continue
        said = run_tests(subject, change.after)
        if not said.visible:
            dropped[f"{path.stem}: a visible test fails"] += 1
        elif right and said.failed:
            dropped[f"{path.stem}: said to be right, and {said.failed}"] += 1
        elif not right and not said.failed:
            dropped[f"{path.stem}: said to be wrong, and no hidden test fails"] += 1
        else:
            yield Patch(place, right, WRITTEN, path.stem, text, "held-out tests", said.failed)
