"""Questions that a person has put to rest: they are not asked again in this project, and the reason is told instead.

They change no verdict. They lie with the project's records, in one file for people and programs.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from analysis.errors import UsageError
from repair.records.result import EvidenceView, PatchView, Result
from repair.store.atomic import replace_file
from repair.store.stored_run import StoredRun

FILE = "rested.json"

MOST_RESTED = 1000
"""Questions that are kept, the newest."""


def read_rested(folder: Path) -> dict[str, str]:
    """The reasons by question; none where the file cannot be read."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return {str(question): str(reason) for question, reason in json.loads((folder / FILE).read_bytes()).items()}
    return {}


def put_to_rest(folder: Path, question: str, reason: str) -> None:
    """Keep the question with its reason; a later reason replaces an earlier one."""
    known = {each: why for each, why in read_rested(folder).items() if each != question}
    kept = dict([*known.items(), (question, reason)][-MOST_RESTED:])
    replace_file(folder / FILE, (json.dumps(kept, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def rest_question(folder: Path, run: StoredRun, reason: str) -> None:
    """Put the question that the run asks to rest; raises ``UsageError`` without a reason, or without a question."""
    if not reason.strip():
        raise UsageError("It is not said why the question is put to rest", remedy="Give --note TEXT.")
    result = None if run.is_foreign else run.result()
    asked = list_questions(result) if result is not None else []
    if not asked:
        raise UsageError(f"Run {run.id} asks no question about an input", remedy=f"`repair show {run.id}` says more.")
    put_to_rest(folder, name_question(*asked[0]), reason.strip())


def list_questions(result: Result) -> list[tuple[PatchView, EvidenceView]]:
    """The questions of an answer that an input shows, those of the riskiest patch first."""
    found = [
        (patch, evidence)
        for patch in result.patches
        if patch.rank == 1
        for evidence in patch.evidence
        if evidence.asked is not None and evidence.asked.call
    ]
    return sorted(found, key=lambda pair: -(pair[0].risk.value if pair[0].risk is not None else 0.0))


def name_question(patch: PatchView, evidence: EvidenceView) -> str:
    """A question by its function and its call: the same one in every run that asks it."""
    call = evidence.asked.call if evidence.asked is not None else ""
    return f"{patch.file}:{patch.function}: {call}"
