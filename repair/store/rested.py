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

UNRUN = ("coverage", "signature", "unrun_line")
"""Gates that name what no test runs, and the doubt about a line that no input runs either."""

WORTH_A_TURN = 0.3
"""What a doubt has to add to the log-odds, so that an agent is asked about it."""

Asking = tuple[PatchView, EvidenceView]
"""A question: who asks it, behind the patch that it is about."""


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
    """Put the question that the run asks to rest; raises ``UsageError`` without a reason, or without a question.

    Of several it is the one that an agent would be asked next: the first of those that do not rest yet.
    """
    if not reason.strip():
        raise UsageError("It is not said why the question is put to rest", remedy="Give --note TEXT.")
    result = None if run.is_foreign else run.result()
    asked = (list_for_agents(result) or list_questions(result)) if result is not None else []
    if not asked:
        raise UsageError(f"Run {run.id} asks no question", remedy=f"`repair show {run.id}` says more.")
    names, rested = [name_question(*each) for each in asked], read_rested(folder)
    put_to_rest(folder, next((name for name in names if name not in rested), names[0]), reason.strip())


def list_for_agents(result: Result) -> list[Asking]:
    """The questions that are worth an agent's turn: those that an input shows, then those about what no test runs."""
    unrun = [
        (patch, evidence)
        for patch in result.patches
        if patch.rank == 1
        for evidence in patch.evidence
        if evidence.asked is not None
        and evidence.decision == "unknown"
        and {evidence.gate, evidence.asked.doubt} & {*UNRUN}
    ]
    shown = [pair for pair in list_questions(result) if _is_worth_a_turn(*pair)]
    return [*shown, *(pair for pair in unrun if pair not in shown)]


def _is_worth_a_turn(patch: PatchView, evidence: EvidenceView) -> bool:
    """Whether an agent is sent back with the question: a doubt asks it that weighs, by an input that reads at a glance.

    That a call changes, and too little speaks for the patch, is so of nearly every change of a function.
    """
    asked = evidence.asked
    assert asked is not None, "only questions are listed"
    weighs = patch.risk is None or patch.risk.shares.get(asked.doubt, 0.0) >= WORTH_A_TURN
    return asked.telling and weighs


def list_questions(result: Result) -> list[Asking]:
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
    """A question by its function and its call, else its words: the same one in every run that asks it."""
    asked = evidence.asked
    return f"{patch.file}:{patch.function}: {(asked.call or asked.question) if asked is not None else ''}"
