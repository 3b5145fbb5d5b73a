"""Whether text of a project gets where it must not be: drawn names are given to it, and looked for in what is kept."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from analysis.facts import Diagnosis, Failure, FailureClass, FunctionId, Outcome, Phase, SeenError, Suspect, TestId
from repair.front.run_memories import (
    export_memory,
    make_memory_proposer,
    neighbour_for_model,
    open_memory,
    project_ledger,
    shared_ledger,
)
from repair.memory.learning import keep_history, learn_history
from repair.memory.ledger import FILE, LedgerEntry, RunLedger
from repair.memory.run_memory import RunMemory
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.records.outcome import RunOutcome
from repair.records.ports import Context
from repair.records.result import Status
from repair.records.task import PatchPlan
from repair.store.git_history import CommittedText
from repair.store.store import open_store

KEY, TODAY = b"canary" * 8, 20_000
PLAIN = b"def f():\n    return 1\n"


def canaries_found(folder: Path, count: int) -> int:
    """How many of so many drawn identifiers are in the file's bytes, after failures made of them were written down.

    They are names of tests, functions, files, exceptions and projects, and texts of messages and sources.
    """
    words = _drawn(count)
    for number in range(0, count - 4, 5):
        path, name, test, exception, project = words[number : number + 5]
        failure = _failure(f"tests/test_{path}.py::{test}", exception, f"{name} is no {path}")
        function = FunctionId(f"{path}.py", name, 1)
        ending = RunOutcome(
            Status.UNREPAIRED,
            (Diagnosis(failure, FailureClass.LOGIC, "wrong_value", ()),),
            (Suspect(function, 1.0, ()),),
        )
        memory = RunMemory((RunLedger(folder / FILE, KEY, f"/home/{project}"),), TODAY)
        memory.keep(f"run-{number}", ending, ((f"{path}.py", f"def {name}({test}):\n    return 1\n".encode()),))
        assert not memory.warnings, memory.warnings
    kept = b"".join(each.read_bytes() for each in folder.iterdir())
    return sum(word.encode() in kept for word in words)


def carried_canaries(folder: Path, count: int, attempts: Sequence[LedgerEntry]) -> dict[str, int]:
    """How many of so many drawn names of one project's history are found wherever they must not be.

    The history is learned and kept. Looked at are an export without code, the memory of another project of the user,
    what a model is told there, and the shared file. An export with code holds them: else nothing would be looked for.
    """
    words = _drawn(count)
    first, second = (folder / name for name in ("first", "second"))
    for root in (first, second):
        root.mkdir(parents=True)
    with mock.patch.dict(os.environ, {"XDG_STATE_HOME": str(folder / "state")}):
        one, other = open_store(first), open_store(second)
        texts = [_commit_of(words[number : number + 5]) for number in range(0, count - 4, 5)]
        keep_history(one.directory, one.key, learn_history([texts]))
        project_ledger(one).add(attempts)
        shared_ledger(one).add(attempts)
        options = Options(root=str(second), memory="all", proposers=("memory", "model"), model="m")
        told: list[Any] = []
        memory = open_memory(options, other, told.append, is_asked=True)
        for failure_class in FailureClass:
            diagnosis = Diagnosis(_failure("t.py::test", "AssertionError", "1 == 2"), failure_class, "wrong_value", ())
            plan = PatchPlan(Suspect(FunctionId("a.py", "f", 1), 1.0, ()), (diagnosis,), (), "")
            said = neighbour_for_model(options, other, memory, told.append)
            told.append(said(plan, (("a.py", PLAIN),)))
        known = make_memory_proposer(options)
        scope = edit_scope((("a.py", PLAIN),), plan.function)
        edits = known.propose(plan, Context(scope, PLAIN, (), "", 0, tuple, lambda: 60.0))
        places = {
            "export_with_code": json.dumps(export_memory(one, code=True).to_json()),
            "export_no_code": json.dumps(export_memory(one, code=False).to_json()),
            "told_elsewhere": repr(told),
            "edits_elsewhere": repr([*edits]),
            "shared_file": shared_ledger(one).path.read_bytes().decode("latin-1"),
        }
    return {name: sum(word in text for word in words) for name, text in places.items()}


def _commit_of(names: Sequence[str]) -> CommittedText:
    """A fix of one function that has these names, and brings one of them."""
    function, argument, text, added, path = names
    before = f"def {function}({argument}):\n    return {argument}.find('{text}') > 0\n"
    after = f"def {function}({argument}):\n    return {argument}.{added}('{text}') >= 0\n"
    return CommittedText(TODAY, f"Fix {function}", f"{path}.py", before.encode(), after.encode(), alone=True)


def _drawn(count: int) -> list[str]:
    source = random.Random(count)
    return [f"canary{source.getrandbits(64):016x}" for _ in range(count)]


def _failure(test: str, exception: str, said: str) -> Failure:
    seen = SeenError(exception, (exception,), said, ())
    return Failure(TestId(test), Phase.CALL, Outcome.FAILED, (seen,), said)
